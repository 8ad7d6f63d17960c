//! Bodies of functions → text.

use std::fmt::{self, Write};

use source::Place;

use crate::{
    Argument, Block, BlockId, Body, Call, Callee, Command, CommandKind, ExprId, FailureKind, FunctionId, LocalId,
    Program, Role, Site, TerminatorKind, Type, VarId,
};

use super::names::{write_dotted_name, write_name, write_text};
use super::numbers::signed;
use super::print::{Layout, Lines};
use super::print_expr::{ExprPrinter, FunctionScope, write_missing};
use super::types::spell;

pub(super) struct BodyPrinter<'p, 'o, W> {
    scope: FunctionScope<'p>,
    layout: Layout,
    lines: &'o mut Lines<'p, W>,
    /// The source line that was shown last.
    shown: Option<(source::FileId, u32)>,
}

impl<'p, 'o, W: fmt::Write> BodyPrinter<'p, 'o, W> {
    pub(super) fn new(
        program: &'p Program,
        layout: Layout,
        function: FunctionId,
        body: &'p Body,
        lines: &'o mut Lines<'p, W>,
    ) -> Self {
        BodyPrinter { scope: FunctionScope::new(program, function, body), layout, lines, shown: None }
    }

    pub(super) fn print(mut self) -> fmt::Result {
        self.declarations()?;
        for block in &self.scope.body.blocks {
            write_dotted_name(&mut self.lines.line, &block.name);
            self.lines.line.push(':');
            self.lines.end(Site::NONE)?;
            self.shown = None;
            self.block(block)?;
        }
        Ok(())
    }

    fn declarations(&mut self) -> fmt::Result {
        let (program, body) = (self.scope.program, self.scope.body);
        for variable in &body.variables {
            let word = match variable.role {
                Role::Parameter if variable.ctype.is_none() && !self.lines.shows(variable.site) => continue,
                Role::Parameter => "param",
                Role::Local => "var",
                Role::Temporary => "temp",
            };
            let line = &mut self.lines.line;
            write!(line, "  {word} ")?;
            write_name(line, &variable.name);
            if variable.role != Role::Parameter {
                write!(line, ": {}", variable.ty)?;
            }
            if let Some(ctype) = variable.ctype {
                write!(line, " ${}", ctype.0)?;
                self.lines.comment(spell(program, ctype));
            }
            self.lines.end(variable.site)?;
        }
        for local in &body.locals {
            let line = &mut self.lines.line;
            line.push_str("  object ");
            write_name(line, &local.name);
            write!(line, ": {} bytes align {}", local.size, local.align)?;
            if local.scoped {
                line.push_str(" scoped");
            }
            if let Some(ctype) = local.ctype {
                write!(line, " ${}", ctype.0)?;
                self.lines.comment(spell(program, ctype));
            }
            self.lines.end(local.site)?;
        }
        Ok(())
    }

    fn block(&mut self, block: &'p Block) -> fmt::Result {
        for command in &block.commands {
            self.source_line(command.site)?;
            self.lines.line.push_str("    ");
            self.command(command)?;
            self.lines.end(command.site)?;
        }
        self.source_line(block.terminator.site)?;
        self.lines.line.push_str("    ");
        let site = block.terminator.site;
        match &block.terminator.kind {
            TerminatorKind::Switch { value, cases, default } => self.switch(*value, cases, *default, site),
            kind => {
                self.terminator(kind);
                self.lines.end(site)
            }
        }
    }

    /// The commands of a block and its terminator, without places; of a switch only the head.
    pub(super) fn block_lines(&mut self, block: &'p Block) -> Result<Vec<String>, fmt::Error> {
        let mut lines = Vec::new();
        for command in &block.commands {
            self.command(command)?;
            lines.push(std::mem::take(&mut self.lines.line));
        }
        match &block.terminator.kind {
            TerminatorKind::Switch { value, .. } => {
                self.text("switch ");
                self.value(*value, None);
            }
            kind => self.terminator(kind),
        }
        lines.push(std::mem::take(&mut self.lines.line));
        Ok(lines)
    }

    /// The source line that a command stems from, where the layout wants it and it is a new one.
    fn source_line(&mut self, site: Site) -> fmt::Result {
        let Some(Place { file, position }) = self.scope.program.place(site).filter(|_| self.layout.source_lines) else {
            return Ok(());
        };
        if self.shown == Some((file, position.line)) {
            return Ok(());
        }
        let Some(text) = self.scope.program.sources.line(file, position.line) else { return Ok(()) };
        self.shown = Some((file, position.line));
        write!(self.lines.line, ";; {} | {}", position.line, text.trim_end())?;
        self.lines.end(Site::NONE)
    }

    fn value(&mut self, id: ExprId, expected: Option<Type>) {
        ExprPrinter::new(&self.scope, self.layout.style, &mut self.lines.line).value(id, expected);
    }

    fn text(&mut self, text: &str) {
        self.lines.line.push_str(text);
    }

    fn quoted(&mut self, text: &str) {
        write_text(&mut self.lines.line, text);
    }

    fn variable(&mut self, id: VarId) {
        self.scope.write_variable(&mut self.lines.line, id);
    }

    fn local(&mut self, id: LocalId) {
        match self.scope.body.locals.get(id.index()) {
            Some(local) => write_name(&mut self.lines.line, &local.name),
            None => write_missing(&mut self.lines.line, "object", id.0),
        }
    }

    fn block_name(&mut self, id: BlockId) {
        match self.scope.body.blocks.get(id.index()) {
            Some(block) => write_dotted_name(&mut self.lines.line, &block.name),
            None => write_missing(&mut self.lines.line, "block", id.0),
        }
    }

    fn command(&mut self, command: &'p Command) -> fmt::Result {
        match &command.kind {
            CommandKind::Assign { target, value } => {
                self.variable(*target);
                self.text(" := ");
                let ty = self.scope.body.variables.get(target.index()).map(|variable| variable.ty);
                self.value(*value, ty);
            }
            CommandKind::Store { address, value, bits } => {
                let ty = self.scope.type_of(*value);
                ExprPrinter::new(&self.scope, self.layout.style, &mut self.lines.line).stored(*address, ty, *bits);
                self.text(" := ");
                self.value(*value, ty);
            }
            CommandKind::Havoc { target, source } => {
                self.text("havoc ");
                self.variable(*target);
                self.text(" from ");
                self.quoted(source);
            }
            CommandKind::Assume(condition) => {
                self.text("assume ");
                self.value(*condition, Some(Type::BOOL));
            }
            CommandKind::Assert { condition, message } => {
                self.text("assert ");
                self.value(*condition, Some(Type::BOOL));
                self.text(", ");
                self.quoted(message);
            }
            CommandKind::Fail(failure) => {
                self.text(match failure.kind {
                    FailureKind::Assertion => "fail assertion ",
                    FailureKind::ErrorCall => "fail error ",
                });
                self.quoted(&failure.message);
            }
            CommandKind::Call(call) => self.call(call)?,
            CommandKind::Copy { destination, source, size, may_overlap } => {
                self.text(if *may_overlap { "move(" } else { "copy(" });
                self.bytes_command((*destination, *source, *size), Type::Pointer);
            }
            CommandKind::Fill { destination, byte, size } => {
                self.text("fill(");
                self.bytes_command((*destination, *byte, *size), Type::I8);
            }
            _ => self.stack_command(&command.kind)?,
        }
        Ok(())
    }

    /// The commands about lifetimes, and what is left.
    fn stack_command(&mut self, kind: &CommandKind) -> fmt::Result {
        match kind {
            CommandKind::Allocate { target, size, align } => {
                self.variable(*target);
                self.text(" := allocate(");
                self.value(*size, Some(Type::I64));
                write!(self.lines.line, " align {align})")?;
            }
            CommandKind::StackMark { target } => {
                self.variable(*target);
                self.text(" := stack_mark()");
            }
            CommandKind::StackRelease { mark } => {
                self.text("stack_release(");
                self.value(*mark, None);
                self.text(")");
            }
            CommandKind::Declare(variable) => {
                self.text("declare ");
                self.variable(*variable);
            }
            CommandKind::Begin(local) => {
                self.text("begin ");
                self.local(*local);
            }
            CommandKind::End(local) => {
                self.text("end ");
                self.local(*local);
            }
            CommandKind::VaStart { list } => {
                self.text("va_start(");
                self.value(*list, Some(Type::Pointer));
                self.text(")");
            }
            CommandKind::Unsupported(id) => {
                write!(self.lines.line, "unsupported {}", id.0)?;
                if let Some(unsupported) = self.scope.program.unsupported.get(id.index()) {
                    self.lines.comment(unsupported.what.clone());
                }
            }
            _ => unreachable!("all other commands are printed by `command`"),
        }
        Ok(())
    }

    fn bytes_command(&mut self, (destination, second, size): (ExprId, ExprId, ExprId), ty: Type) {
        self.value(destination, Some(Type::Pointer));
        self.text(", ");
        self.value(second, Some(ty));
        self.text(", ");
        self.value(size, Some(Type::I64));
        self.text(")");
    }

    fn call(&mut self, call: &Call) -> fmt::Result {
        for (index, target) in call.targets.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.variable(*target);
        }
        self.text(if call.targets.is_empty() { "call " } else { " := call " });
        let mut parameters: &[crate::Parameter] = &[];
        match call.callee {
            Callee::Direct(id) => match self.scope.program.functions.get(id.index()) {
                Some(function) => {
                    write_dotted_name(&mut self.lines.line, &function.name);
                    parameters = &function.parameters;
                }
                None => write_missing(&mut self.lines.line, "function", id.0),
            },
            Callee::Indirect(address) => {
                self.text("(");
                self.value(address, Some(Type::Pointer));
                self.text(")");
            }
        }
        self.text("(");
        for (index, argument) in call.arguments.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            match argument {
                Argument::Scalar(value) => self.value(*value, parameters.get(index).map(|parameter| parameter.ty)),
                Argument::Copied { address, size, align } => {
                    self.text("copied(");
                    self.value(*address, Some(Type::Pointer));
                    write!(self.lines.line, ", {size} align {align})")?;
                }
            }
        }
        self.text(")");
        Ok(())
    }

    fn terminator(&mut self, kind: &TerminatorKind) {
        match kind {
            TerminatorKind::Goto(target) => {
                self.text("goto ");
                self.block_name(*target);
            }
            TerminatorKind::Branch { condition, then, otherwise } => {
                self.text("if ");
                self.value(*condition, Some(Type::BOOL));
                self.text(" then ");
                self.block_name(*then);
                self.text(" else ");
                self.block_name(*otherwise);
            }
            TerminatorKind::IndirectGoto { address, targets } => {
                self.text("goto *");
                self.value(*address, Some(Type::Pointer));
                self.text(" [");
                for (index, target) in targets.iter().enumerate() {
                    self.text(if index == 0 { "" } else { ", " });
                    self.block_name(*target);
                }
                self.text("]");
            }
            TerminatorKind::Return(values) => {
                self.text("return");
                let returns = &self.scope.program.function(self.scope.function).returns;
                for (index, value) in values.iter().enumerate() {
                    self.text(if index == 0 { " " } else { ", " });
                    self.value(*value, returns.get(index).copied());
                }
            }
            TerminatorKind::Unreachable => self.text("unreachable"),
            TerminatorKind::Switch { .. } => unreachable!("a switch takes several lines"),
        }
    }

    fn switch(&mut self, value: ExprId, cases: &[(u128, BlockId)], default: BlockId, site: Site) -> fmt::Result {
        self.text("switch ");
        self.value(value, None);
        self.lines.end(site)?;
        let ty = self.scope.type_of(value).unwrap_or(Type::Int(128));
        for (bits, target) in cases {
            write!(self.lines.line, "      case {}: ", signed(*bits, ty))?;
            self.block_name(*target);
            self.lines.end(Site::NONE)?;
        }
        self.text("      else ");
        self.block_name(default);
        self.lines.end(Site::NONE)
    }
}
