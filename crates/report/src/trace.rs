//! The trace of a run: a line for each step, with the command, its place and what it did.
//!
//! ```text
//!     17  average.c:21 drop      marks[i] := marks[i + 1]  → 88 at 0x1200000004
//! ```
//!
//! Steps as the executor tells them → lines, indented by the calls under way. Values are shown as C
//! writes them, where the type says how.

use std::collections::BTreeMap;
use std::fmt::Write;

use program::exec::{CommandRef, Effect, Step, Value};
use program::{
    Body, CType, CTypeId, CommandKind, Encoding, FunctionId, Program, Sign, Site, TerminatorKind, Type, VarId, text,
};

use crate::{names, numbers};

/// Indentation that leaves room for the commands.
const DEEPEST: usize = 20;

pub struct Trace<'p> {
    program: &'p Program,
    /// The commands' texts, by block and position.
    commands: BTreeMap<FunctionId, Vec<Vec<String>>>,
    number: u64,
    line: String,
}

impl<'p> Trace<'p> {
    pub fn new(program: &'p Program) -> Trace<'p> {
        Trace { program, commands: BTreeMap::new(), number: 0, line: String::new() }
    }

    /// The next step as a line that ends in a newline; empty for a mere jump, which counts all the same.
    pub fn line(&mut self, step: Step) -> &str {
        let program = self.program;
        self.line.clear();
        if self.is_jump(step.at) {
            self.number += 1;
            return &self.line;
        }
        let place = place_text(program, self.site(step.at));
        let function = names::function(program, step.at.function);
        let indent = "  ".repeat((step.depth as usize).min(DEEPEST));
        let effect = self.effect(step);
        // The end of a call is no step of its own.
        if matches!(step.effect, Effect::Returned(_)) && !self.is_terminator(step.at) {
            let _ = writeln!(self.line, "{:>8}  {place:<20} {function:<12} {indent}…returned{effect}", "");
            return &self.line;
        }
        self.number += 1;
        let number = self.number;
        let commands = self.commands.entry(step.at.function);
        let commands = commands.or_insert_with(|| text::body_lines(program, step.at.function));
        let command = commands.get(step.at.block.index()).and_then(|block| block.get(step.at.index as usize));
        let command = command.map_or("", String::as_str);
        // Writing to a string does not fail.
        let _ = writeln!(self.line, "{number:>8}  {place:<20} {function:<12} {indent}{command}{effect}");
        &self.line
    }

    fn body(&self, function: FunctionId) -> Option<&'p Body> {
        self.program.function(function).body.as_ref()
    }

    fn is_terminator(&self, at: CommandRef) -> bool {
        let block = self.body(at.function).and_then(|body| body.blocks.get(at.block.index()));
        block.is_some_and(|block| at.index as usize >= block.commands.len())
    }

    fn is_jump(&self, at: CommandRef) -> bool {
        let block = self.body(at.function).and_then(|body| body.blocks.get(at.block.index()));
        self.is_terminator(at) && block.is_some_and(|block| matches!(block.terminator.kind, TerminatorKind::Goto(_)))
    }

    fn site(&self, at: CommandRef) -> Site {
        let block = self.body(at.function).and_then(|body| body.blocks.get(at.block.index()));
        block.map_or(Site::NONE, |block| match block.commands.get(at.index as usize) {
            Some(command) => command.site,
            None => block.terminator.site,
        })
    }

    fn effect(&self, step: Step) -> String {
        match step.effect {
            Effect::None | Effect::Called => String::new(),
            Effect::Assigned(bits) => match self.assigned(step.at) {
                Some(variable) => format!("  → {}", self.variable_value(step.at.function, variable, bits)),
                None => format!("  → {bits:#x}"),
            },
            Effect::Stored { address, value } => match self.stored_type(step.at) {
                Some(ty) => format!("  → {} at {address}", numbers::value(Value::new(value, ty), Sign::Signed)),
                None => format!("  → {value:#x} at {address}"),
            },
            Effect::Wrote { address, length } => format!("  → {} at {address}", numbers::count(length, "byte")),
            Effect::Guard(way) => self.guard(step.at, way),
            Effect::Returned(bits) => match self.returned_type(step.at) {
                Some(ty) => format!("  → {}", numbers::value(Value::new(bits, ty), Sign::Signed)),
                None => String::new(),
            },
        }
    }

    fn assigned(&self, at: CommandRef) -> Option<VarId> {
        let block = self.body(at.function)?.blocks.get(at.block.index())?;
        match &block.commands.get(at.index as usize)?.kind {
            CommandKind::Assign { target, .. }
            | CommandKind::Havoc { target, .. }
            | CommandKind::Allocate { target, .. }
            | CommandKind::StackMark { target } => Some(*target),
            _ => None,
        }
    }

    fn variable_value(&self, function: FunctionId, id: VarId, bits: u128) -> String {
        let Some(variable) = self.body(function).and_then(|body| body.variables.get(id.index())) else {
            return format!("{bits:#x}");
        };
        let sign = variable.ctype.map_or(Sign::Signed, |ctype| signedness(self.program, ctype));
        numbers::value(Value::new(bits, variable.ty), sign)
    }

    fn stored_type(&self, at: CommandRef) -> Option<Type> {
        let body = self.body(at.function)?;
        match &body.blocks.get(at.block.index())?.commands.get(at.index as usize)?.kind {
            CommandKind::Store { value, .. } => Some(body.expr(*value).ty),
            _ => None,
        }
    }

    fn returned_type(&self, at: CommandRef) -> Option<Type> {
        let body = self.body(at.function)?;
        let block = body.blocks.get(at.block.index())?;
        match block.commands.get(at.index as usize) {
            None => self.program.function(at.function).returns.first().copied(),
            Some(command) => match &command.kind {
                CommandKind::Call(call) => call.targets.first().map(|target| body.variable(*target).ty),
                _ => None,
            },
        }
    }

    fn guard(&self, at: CommandRef, way: u32) -> String {
        let block = self.body(at.function).and_then(|body| body.blocks.get(at.block.index()));
        let Some(block) = block else { return String::new() };
        match &block.terminator.kind {
            TerminatorKind::Branch { .. } if way == 0 => "  → then".to_owned(),
            TerminatorKind::Branch { .. } => "  → else".to_owned(),
            TerminatorKind::Switch { value, cases, .. } => match cases.get(way as usize) {
                Some((bits, _)) => {
                    let ty = self.body(at.function).map_or(Type::I64, |body| body.expr(*value).ty);
                    format!("  → case {}", numbers::value(Value::new(*bits, ty), Sign::Signed))
                }
                None => "  → else".to_owned(),
            },
            _ => format!("  → {way}"),
        }
    }
}

fn signedness(program: &Program, ctype: CTypeId) -> Sign {
    match program.resolve(ctype) {
        CType::Integer { encoding: Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Boolean, .. }
        | CType::Enum { signed: false, .. } => Sign::Unsigned,
        _ => Sign::Signed,
    }
}

/// The file's own name and the line: enough to find it, and short.
fn place_text(program: &Program, site: Site) -> String {
    let Some(place) = program.place(site) else { return String::new() };
    let path = program.sources.path(place.file);
    format!("{}:{}", path.rsplit('/').next().unwrap_or(path), place.position.line)
}
