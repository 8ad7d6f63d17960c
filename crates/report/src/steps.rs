//! From a failing run to its error trace in terms of the source.
//!
//! A program, the inputs of a run that fails, and which of its steps matter → an [`ErrorTrace`]. The run is
//! repeated in the executor and told as it goes: statements with the places and values that they change,
//! conditions with their outcome and the values in them, calls with their arguments, values from outside.
//! What the front end made up (temporaries, scopes) is not told.

mod first_bytes;
mod frames;

use diagnosis::{Change, ErrorTrace, Happening, TraceStep};
use program::exec::evaluate::View;
use program::exec::memory::{Access, AccessKind, Address, Memory, ObjectKind};
use program::exec::{Checks, CommandRef, Discard, Effect, Executor, Inputs, Limits, Observer, Step, Violation};
use program::{
    BinaryOp, Body, CTypeId, Call, Callee, Command, CommandKind, Comparison, ExprId, ExprKind, FunctionId, NodeRef,
    Program, Role, Site, SpanIndex, TerminatorKind, Type, UnaryOp, VarId,
};
use source::{ExpressionKind, Span};

use crate::values::{HeapNames, Shower, pointee, size_of};
use crate::{names, places, violation};
use first_bytes::FirstBytes;
use frames::{Frame, Frames};

/// Values that are shown of a condition, or of what a library function writes.
const SHOWN_VALUES: usize = 4;

/// Tells a failing run. `relevant` says which steps of the executor matter, counted from 0.
pub fn error_trace(
    program: &Program,
    inputs: &Inputs,
    limits: &Limits,
    checks: Checks,
    relevant: &dyn Fn(usize) -> bool,
) -> ErrorTrace {
    let mut narrator = Narrator {
        program,
        spans: SpanIndex::new(program),
        relevant,
        trace: ErrorTrace::default(),
        number: 0,
        frames: Frames::default(),
        heap: HeapNames::default(),
        first_bytes: FirstBytes::default(),
    };
    let run = Executor::new(program, checks).run(inputs, limits, &mut Discard, &mut narrator);
    if let Some(violation) = run.violation() {
        narrator.fail(violation);
    }
    narrator.trace
}

struct Narrator<'p> {
    program: &'p Program,
    spans: SpanIndex<'p>,
    relevant: &'p dyn Fn(usize) -> bool,
    trace: ErrorTrace,
    number: usize,
    frames: Frames,
    heap: HeapNames,
    first_bytes: FirstBytes,
}

/// A step before it is told.
struct Telling {
    node: NodeRef,
    site: Site,
    happening: Happening,
    changes: Vec<Change>,
    inputs: Vec<Change>,
}

impl<'p> Narrator<'p> {
    fn body(&self, function: FunctionId) -> Option<&'p Body> {
        self.program.function(function).body.as_ref()
    }

    fn shower<'a>(&'a mut self, memory: &'a Memory) -> Shower<'a> {
        Shower { program: self.program, memory, heap: &mut self.heap }
    }

    /// Counts a step and, if it matters, adds it.
    fn tell(&mut self, step: Step, telling: impl FnOnce(&mut Self) -> Option<Telling>) {
        self.trace.total += 1;
        if !(self.relevant)(self.number) {
            return;
        }
        let Some(telling) = telling(self) else { return };
        let (place, text) = self.located(telling.node, telling.site, &telling.happening);
        let number = self.trace.total;
        let function = names::function(self.program, step.at.function).to_owned();
        let Telling { happening, changes, mut inputs, .. } = telling;
        inputs.append(&mut self.first_bytes.read);
        self.first_bytes.told();
        self.trace.steps.push(TraceStep {
            number,
            depth: step.depth,
            function,
            place,
            text,
            happening,
            changes,
            inputs,
        });
    }

    /// The range of the source that shows a step best.
    fn located(&self, node: NodeRef, site: Site, happening: &Happening) -> (Option<Span>, String) {
        let sources = &self.program.sources;
        let statement = || self.program.place(site).and_then(|place| sources.statement_at(place));
        let own = || self.spans.original(node).and_then(Result::ok);
        let span = match happening {
            Happening::Return(_) => statement().or_else(own),
            Happening::Statement if self.needs_statement(node) => {
                statement().filter(|span| span.start.line == span.end.line).or_else(own)
            }
            Happening::Condition(_) => self.condition(node).or_else(own),
            _ => own(),
        };
        let span = span.or_else(|| places::of_site(self.program, site).map(|located| located.span));
        let text = span.and_then(|span| sources.text_of(span)).unwrap_or_default();
        let text: Vec<&str> = text.trim_end_matches(';').split_whitespace().collect();
        (span, text.join(" "))
    }

    /// The condition of a branch without the rest of its statement.
    fn condition(&self, node: NodeRef) -> Option<Span> {
        let NodeRef::Terminator(function, block) = node else { return None };
        let TerminatorKind::Branch { condition, .. } = self.body(function)?.block(block).terminator.kind else {
            return None;
        };
        self.spans.original(NodeRef::Expr(function, condition))?.ok()
    }

    /// Whether the text of the command alone leaves out what gets the value.
    fn needs_statement(&self, node: NodeRef) -> bool {
        let NodeRef::Command(function, block, index) = node else { return false };
        let Some(body) = self.body(function) else { return false };
        let Some(Command { kind, site }) = body.block(block).commands.get(index as usize) else { return false };
        match kind {
            CommandKind::Assign { target, .. } => body.variable(*target).site == *site,
            CommandKind::Havoc { .. } => true,
            CommandKind::Call(call) => !call.targets.is_empty(),
            CommandKind::Copy { .. } | CommandKind::Fill { .. } => body.locals.iter().any(|local| local.site == *site),
            _ => false,
        }
    }

    fn command(&mut self, step: Step, body: &'p Body, command: &'p Command, memory: &Memory, accesses: &[Access]) {
        let at = step.at;
        let telling = |happening, changes, inputs| Telling {
            node: NodeRef::Command(at.function, at.block, at.index),
            site: command.site,
            happening,
            changes,
            inputs,
        };
        match (&command.kind, step.effect) {
            (CommandKind::Assign { target, value }, Effect::Assigned(bits)) => {
                let inputs = self.inputs_of(body, &[*value]);
                self.frames.assign(*target, bits);
                let variable = body.variable(*target);
                if variable.name == "%result" && command.site != Site::NONE {
                    self.tell(step, |it| {
                        Some(telling(Happening::Return(it.returned(at.function, bits, memory)), Vec::new(), inputs))
                    });
                } else if variable.role != Role::Temporary {
                    self.tell(step, |it| {
                        let change = it.variable_change(at.function, *target, bits, memory);
                        Some(telling(Happening::Statement, vec![change], inputs))
                    });
                } else if let Some(input) = inputs.into_iter().chain(self.first_bytes.read.pop()).next() {
                    // It travels on in another temporary.
                    self.frames.input(*target, input);
                    self.first_bytes.told();
                }
            }
            (CommandKind::Havoc { target, source }, Effect::Assigned(bits)) => {
                self.frames.assign(*target, bits);
                let change = self.variable_change(at.function, *target, bits, memory);
                let is_function = source.contains("nondet") || self.program.find_function(source).is_some();
                let place = if is_function { format!("{source}()") } else { "no value was assigned yet".to_owned() };
                let input = Change { place, value: change.value.clone() };
                if body.variable(*target).role == Role::Temporary {
                    self.frames.input(*target, input);
                } else {
                    self.tell(step, |_| Some(telling(Happening::Statement, vec![change], vec![input])));
                }
            }
            (CommandKind::Store { address, value, .. }, Effect::Stored { address: at, value: bits }) => {
                self.tell(step, |it| {
                    let inputs = it.inputs_of(body, &[*address, *value]);
                    let change = it.store_change(step.at, body, (*address, at), (*value, bits), memory);
                    Some(telling(Happening::Statement, vec![change], inputs))
                });
            }
            (CommandKind::Copy { destination, .. } | CommandKind::Fill { destination, .. }, _) => {
                self.tell(step, |it| {
                    let changes = it.written(accesses, pointee(it.program, body, *destination), memory);
                    Some(telling(Happening::Statement, changes, Vec::new()))
                });
            }
            (CommandKind::Allocate { target, .. } | CommandKind::StackMark { target }, Effect::Assigned(bits)) => {
                self.frames.assign(*target, bits);
            }
            (CommandKind::Call(call), Effect::Called) => self.called(step, body, command, call, memory),
            (CommandKind::Call(call), effect) => self.call_ended(step, body, command, call, effect, memory, accesses),
            _ => {}
        }
    }

    fn called(&mut self, step: Step, body: &'p Body, command: &Command, call: &Call, memory: &Memory) {
        let scalars: Vec<ExprId> = call
            .arguments
            .iter()
            .map(|argument| match argument {
                program::Argument::Scalar(expr) | program::Argument::Copied { address: expr, .. } => *expr,
            })
            .collect();
        let (arguments, callee) = match self.frames.last() {
            Some(frame) => {
                let values = |variable| frame.value(variable);
                let locals = |local| frame.local(local);
                let view = View { program: self.program, body, variables: &values, locals: &locals, memory };
                let callee = match call.callee {
                    Callee::Direct(function) => Some(function),
                    Callee::Indirect(expr) => view.value(expr).and_then(|bits| function_at(memory, bits)),
                };
                (scalars.iter().map(|expr| view.value(*expr)).collect(), callee)
            }
            None => (Vec::new(), None),
        };
        self.frames.call(arguments.clone());
        let Some(callee) = callee.filter(|callee| self.program.function(*callee).body.is_some()) else { return };
        let node = NodeRef::Command(step.at.function, step.at.block, step.at.index);
        self.tell(step, |it| {
            let inputs = it.inputs_of(body, &scalars);
            let known = arguments.iter().enumerate().filter_map(|(index, bits)| Some((VarId(index as u32), (*bits)?)));
            let parameters = it.program.function(callee).parameters.len();
            let changes = known
                .filter(|(variable, _)| variable.index() < parameters)
                .map(|(variable, bits)| it.variable_change(callee, variable, bits, memory))
                .collect();
            Some(Telling { node, site: command.site, happening: Happening::Call, changes, inputs })
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the end of a call has all of these")]
    fn call_ended(
        &mut self,
        step: Step,
        body: &'p Body,
        command: &Command,
        call: &Call,
        effect: Effect,
        memory: &Memory,
        accesses: &[Access],
    ) {
        let at = step.at;
        let entered = self.frames.returned();
        let node = NodeRef::Command(at.function, at.block, at.index);
        let target = call.targets.first().copied();
        if let (Some(target), Effect::Returned(bits)) = (target, effect) {
            self.frames.assign(target, bits);
        }
        let named = target.filter(|target| body.variable(*target).role != Role::Temporary);
        let result = target.is_some_and(|target| body.variable(target).name == "%result");
        if named.is_none() && (entered || result) {
            return;
        }
        let first = call.arguments.first().map(|argument| match argument {
            program::Argument::Scalar(expr) | program::Argument::Copied { address: expr, .. } => *expr,
        });
        let writes = accesses.iter().any(|it| matches!(it.kind, AccessKind::Write | AccessKind::Copy { .. }));
        if named.is_none() && target.is_some() && !writes {
            // The statement that uses the result tells it.
            return;
        }
        self.tell(step, |it| {
            let mut changes = Vec::new();
            if let (Some(target), Effect::Returned(bits)) = (named, effect) {
                changes.push(it.variable_change(at.function, target, bits, memory));
            }
            if !entered {
                let to = first.and_then(|expr| pointee(it.program, body, expr));
                changes.extend(it.written(accesses, to, memory));
            }
            Some(Telling { node, site: command.site, happening: Happening::Statement, changes, inputs: Vec::new() })
        });
    }

    fn terminator(&mut self, step: Step, body: &'p Body, memory: &Memory) {
        let at = step.at;
        let terminator = &body.block(at.block).terminator;
        let telling = |happening, changes, inputs| Telling {
            node: NodeRef::Terminator(at.function, at.block),
            site: terminator.site,
            happening,
            changes,
            inputs,
        };
        match (&terminator.kind, step.effect) {
            (TerminatorKind::Branch { condition, .. }, Effect::Guard(way)) => self.tell(step, |it| {
                let (values, inputs) =
                    (it.values_in(at.function, body, *condition, memory), it.inputs_of(body, &[*condition]));
                let mut told = telling(Happening::Condition(way == 0), values, inputs);
                // The text may say the opposite of what the command asks.
                let (_, text) = it.located(told.node, told.site, &told.happening);
                told.happening = Happening::Condition((way == 0) != is_turned(body, *condition, &text));
                Some(told)
            }),
            (TerminatorKind::Switch { value, .. }, Effect::Guard(_)) => self.tell(step, |it| {
                let bits = it.evaluate(body, *value, memory)?;
                let ctype = it.declared_type(body, *value);
                let shown = it.shower(memory).value(bits, body.expr(*value).ty, ctype);
                let inputs = it.inputs_of(body, &[*value]);
                Some(telling(Happening::Switch(shown), it.values_in(at.function, body, *value, memory), inputs))
            }),
            (TerminatorKind::Return(values), Effect::Returned(bits)) => {
                let by_result = matches!(values.first().map(|value| &body.expr(*value).kind),
                    Some(ExprKind::Variable(variable)) if body.variable(*variable).name == "%result");
                if !by_result {
                    self.tell(step, |it| {
                        let returned = it.returned(at.function, bits, memory);
                        Some(telling(Happening::Return(returned), Vec::new(), Vec::new()))
                    });
                }
            }
            _ => {}
        }
    }

    fn evaluate(&self, body: &Body, expr: ExprId, memory: &Memory) -> Option<u128> {
        let frame = self.frames.last()?;
        let values = |variable| frame.value(variable);
        let locals = |local| frame.local(local);
        View { program: self.program, body, variables: &values, locals: &locals, memory }.value(expr)
    }

    fn declared_type(&self, body: &Body, expr: ExprId) -> Option<CTypeId> {
        match &body.expr(expr).kind {
            ExprKind::Variable(variable) => body.variable(*variable).ctype,
            ExprKind::Load(load) => pointee(self.program, body, load.address),
            ExprKind::Cast(_, operand) => self.declared_type(body, *operand),
            _ => None,
        }
    }

    fn returned(&mut self, function: FunctionId, bits: u128, memory: &Memory) -> String {
        let program = self.program;
        let function = program.function(function);
        let ctype = match function.ctype.map(|ctype| program.resolve(ctype)) {
            Some(program::CType::Function { returns, .. }) => Some(*returns),
            _ => None,
        };
        let ty = function.returns.first().copied().unwrap_or(Type::I32);
        self.shower(memory).value(bits, ty, ctype)
    }

    fn variable_change(&mut self, function: FunctionId, variable: VarId, bits: u128, memory: &Memory) -> Change {
        let Some(body) = self.body(function) else { return Change { place: String::new(), value: String::new() } };
        let variable = body.variable(variable);
        let value = self.shower(memory).value(bits, variable.ty, variable.ctype);
        Change { place: names::source_name(&variable.name).to_owned(), value }
    }

    fn store_change(
        &mut self,
        at: CommandRef,
        body: &Body,
        (address_expr, address): (ExprId, Address),
        (value_expr, bits): (ExprId, u128),
        memory: &Memory,
    ) -> Change {
        let to = pointee(self.program, body, address_expr);
        let info = memory.info(address);
        let named = info.filter(|info| names::declared_name(self.program, info).is_some());
        let by_text = || self.assigned_text(at, body, address_expr, memory);
        let place = match named {
            Some(info) => Some(self.shower(memory).place(&info, to)),
            None => by_text(),
        };
        let place = place.or_else(|| info.map(|info| self.shower(memory).place(&info, to)));
        let value = self.shower(memory).value(bits, body.expr(value_expr).ty, to);
        Change { place: place.unwrap_or_else(|| format!("{address}")), value }
    }

    /// What is on the left of the assignment, with the index as a number.
    fn assigned_text(&self, at: CommandRef, body: &Body, address: ExprId, memory: &Memory) -> Option<String> {
        let sources = &self.program.sources;
        let span = self.spans.original(NodeRef::Command(at.function, at.block, at.index))?.ok()?;
        let expression = sources.expression_in(span)?;
        let changes = matches!(expression.kind, ExpressionKind::Assignment | ExpressionKind::Update);
        let target = expression.operands.first().filter(|_| changes)?.bare;
        let text = |span| sources.text_of(span).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let subscript = sources.expression_in(target).filter(|it| it.kind == ExpressionKind::Subscript);
        let index = match &body.expr(address).kind {
            ExprKind::Index(index) => self.evaluate(body, index.index, memory),
            _ => None,
        };
        match (subscript, index) {
            (Some(subscript), Some(index)) => {
                Some(format!("{}[{}]", text(subscript.operands.first()?.bare)?, index as i64))
            }
            _ => text(target),
        }
    }

    /// What a copy or a library function has written.
    fn written(&mut self, accesses: &[Access], to: Option<CTypeId>, memory: &Memory) -> Vec<Change> {
        let mut ranges: Vec<(Address, u64)> = Vec::new();
        for access in accesses {
            if !matches!(access.kind, AccessKind::Write | AccessKind::Copy { .. }) || access.length == 0 {
                continue;
            }
            match ranges.last_mut() {
                Some((start, length)) if start.plus(*length as i64) == access.address => *length += access.length,
                _ => ranges.push((access.address, access.length)),
            }
        }
        let library = |address: &Address| {
            let info = memory.info(*address);
            info.is_none_or(|info| matches!(info.kind, ObjectKind::Library(_)))
        };
        ranges.retain(|(address, _)| !library(address));
        ranges.truncate(SHOWN_VALUES);
        let mut changes = Vec::new();
        for (address, length) in ranges {
            let Some(info) = memory.info(address) else { continue };
            let fits = to.filter(|to| size_of(self.program, *to, 0) == Some(length));
            let mut shower = self.shower(memory);
            let place = shower.place(&info, to);
            let value = match fits {
                Some(ctype) => shower.aggregate(address, ctype, 0),
                None => shower.bytes(address, length),
            };
            changes.push(Change { place, value });
        }
        changes
    }

    /// The variables and places that an expression reads, with their values.
    fn values_in(&mut self, function: FunctionId, body: &Body, expr: ExprId, memory: &Memory) -> Vec<Change> {
        let mut found = Vec::new();
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            let node = body.expr(expr);
            match &node.kind {
                ExprKind::Variable(variable) => {
                    if body.variable(*variable).role != Role::Temporary
                        && let Some(bits) = self.evaluate(body, expr, memory)
                    {
                        found.push(self.variable_change(function, *variable, bits, memory));
                    }
                }
                ExprKind::Load(load) => {
                    let to = pointee(self.program, body, load.address);
                    let span = self.spans.original(NodeRef::Expr(function, expr)).and_then(Result::ok);
                    let text = span.and_then(|span| places::short_text(&self.program.sources, span));
                    // Inside of a macro there is no text of its own.
                    let text = text.or_else(|| self.named_place(body, load.address, to, memory));
                    if let (Some(place), Some(bits)) = (text, self.evaluate(body, expr, memory)) {
                        let value = self.shower(memory).value(bits, node.ty, to);
                        found.push(Change { place, value });
                    }
                    // The index and the pointer tell which place that is.
                    let before = open.len();
                    body.expr(load.address).kind.operands(|operand| open.push(*operand));
                    open[before..].reverse();
                }
                kind => {
                    let before = open.len();
                    kind.operands(|operand| open.push(*operand));
                    open[before..].reverse();
                }
            }
        }
        let mut seen = Vec::new();
        found.retain(|change| {
            !seen.contains(&change.place) && {
                seen.push(change.place.clone());
                true
            }
        });
        found.truncate(SHOWN_VALUES);
        found
    }

    /// The place that an address is of, if it has a name.
    fn named_place(&mut self, body: &Body, address: ExprId, to: Option<CTypeId>, memory: &Memory) -> Option<String> {
        let info = memory.info(Address(self.evaluate(body, address, memory)? as u64))?;
        names::declared_name(self.program, &info)?;
        Some(self.shower(memory).place(&info, to))
    }

    /// The values from outside that expressions read.
    fn inputs_of(&self, body: &Body, exprs: &[ExprId]) -> Vec<Change> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let mut open = exprs.to_vec();
        let mut found = Vec::new();
        while let Some(expr) = open.pop() {
            let kind = &body.expr(expr).kind;
            if let ExprKind::Variable(variable) = kind
                && let Some(input) = frame.inputs.get(variable)
                && !found.contains(input)
            {
                found.push(input.clone());
            }
            kind.operands(|operand| open.push(*operand));
        }
        found
    }

    /// The last step: the failure.
    fn fail(&mut self, violation: &Violation) {
        let finding = violation::finding(self.program, violation);
        let place = finding.primary.as_ref().map(|mark| mark.place.span);
        let text = place.and_then(|span| places::short_text(&self.program.sources, span)).unwrap_or_default();
        let inputs = match (self.body(violation.at.function), violation.expr) {
            (Some(body), Some(expr)) => self.inputs_of(body, &[expr]),
            _ => Vec::new(),
        };
        let mut changes: Vec<Change> =
            finding.values.into_iter().map(|it| Change { place: it.expression, value: it.value }).collect();
        // The condition of a failed assertion is the failure itself.
        let condition = self.trace.steps.last().filter(|it| matches!(it.happening, Happening::Condition(_)));
        match condition.is_some_and(|it| it.place == place && place.is_some()) {
            true => changes.extend(self.trace.steps.pop().into_iter().flat_map(|it| it.changes)),
            false => self.trace.total += 1,
        }
        changes.dedup();
        self.trace.steps.push(TraceStep {
            number: self.trace.total,
            depth: violation.stack.len().saturating_sub(1) as u32,
            function: names::function(self.program, violation.at.function).to_owned(),
            place,
            text,
            happening: Happening::Failure(finding.title),
            changes,
            inputs,
        });
    }
}

impl Observer for Narrator<'_> {
    const ACTIVE: bool = true;
    const ACCESSES: bool = true;

    fn step(&mut self, _: Step) {}

    fn watch(&mut self, step: Step, memory: &Memory, accesses: &[Access]) {
        let program = self.program;
        self.frames.enter(step, |function| {
            let function = program.function(function);
            let body = function.body.as_ref();
            Frame::new(body.map_or(0, |it| it.variables.len()), function.parameters.len())
        });
        for access in accesses.iter().filter(|it| it.kind == AccessKind::Begin) {
            self.heap.forget(access.address.object());
            if let Some(ObjectKind::Local { local, .. }) = memory.info(access.address).map(|info| info.kind) {
                self.frames.begin(local, access.address);
            }
        }
        let mut shower = Shower { program, memory, heap: &mut self.heap };
        self.first_bytes.follow(accesses, &mut shower);
        if let Some(body) = self.body(step.at.function)
            && let Some(block) = body.blocks.get(step.at.block.index())
        {
            match block.commands.get(step.at.index as usize) {
                Some(command) => self.command(step, body, command, memory, accesses),
                None => {
                    self.terminator(step, body, memory);
                    if matches!(block.terminator.kind, TerminatorKind::Return(_)) {
                        self.frames.finish();
                    }
                }
            }
        }
        self.number += 1;
    }
}

fn function_at(memory: &Memory, bits: u128) -> Option<FunctionId> {
    match memory.info(Address(bits as u64))?.kind {
        ObjectKind::Function(function) => Some(function),
        _ => None,
    }
}

/// Whether the condition's text begins with a `!` that the command has turned into its successors' order.
fn is_turned(body: &Body, condition: ExprId, text: &str) -> bool {
    let bare = text.trim_start_matches(['(', ' ']);
    let negated = bare.starts_with('!') && !bare.starts_with("!=");
    let is_negation = match &body.expr(condition).kind {
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(BinaryOp::Compare(Comparison::Equal), _, right) => {
            matches!(body.expr(*right).kind, ExprKind::Constant(0))
        }
        _ => false,
    };
    negated && !is_negation && !bare[1..].contains(['<', '>', '=', '&', '|'])
}
