//! The witness of an execution that was recorded: the ways that branches took, calls, what inputs were, and
//! where it failed.
//!
//! A [`Trace`] and the [`Violation`] at its end → a [`Witness`] without branches but to the sink, which is where
//! the other way of each branch leads. Branches inside of a condition (`&&`, `||`) are left out, since formats
//! speak of the whole condition. Long executions are told by their inputs alone: those decide everything else.

use program::exec::{Effect, Step, Trace, Violation, ViolationKind};
use program::{Callee, Command, CommandKind, Float, FunctionId, Program, Site, TerminatorKind, Type, VarId};
use source::{Place, Position};

use super::lines::base;
use super::model::{Assumption, Edge, Event, Format, Location, Mark, Metadata, Role, State, StateId, Way, Witness};
use super::points::{Points, outcome};
use super::specification;

/// Witnesses with more branches and calls are not written: who reads them would have to look at all of them at
/// each step.
const MOST_STEPS: usize = 300;

/// What a witness says besides the steps.
pub struct Source<'p> {
    pub program: &'p Program,
    pub metadata: Metadata,
}

/// The witness of a run that ended in a violation.
pub fn of_trace(source: Source<'_>, trace: &Trace, violation: &Violation) -> Witness {
    let program = source.program;
    let points = Points::new(program, None);
    let mut writer = Writer { program, points, steps: Vec::new(), pending: Vec::new() };
    for step in trace.steps() {
        writer.step(step);
    }
    writer.target(violation);
    let mut steps = writer.steps;
    if steps.len() > MOST_STEPS {
        steps.retain(|step| {
            step.input || step.event == Event::Target || matches!(&step.event, Event::Enter(Some(_))) && step.last
        });
    }
    let mut metadata = source.metadata;
    // The program's files under the names that the witness gives them.
    for step in &mut steps {
        let named = |file: &String| metadata.files.iter().find(|it| base(&it.name) == base(file));
        let known = step.location.file.as_ref().and_then(named).map(|it| it.name.clone());
        step.location.file = known.or(step.location.file.take());
    }
    metadata.specification = specification::text(violation.kind);
    automaton(metadata, &steps)
}

struct Written {
    event: Event,
    location: Location,
    assumption: Option<Assumption>,
    /// It says what an input was.
    input: bool,
    /// The violation itself.
    last: bool,
}

struct Writer<'p> {
    program: &'p Program,
    points: Points<'p>,
    steps: Vec<Written>,
    /// Values of variables that had none, to be said at the next statement: depth, name, value.
    pending: Vec<(u32, String)>,
}

impl Writer<'_> {
    fn step(&mut self, step: Step) {
        let function = step.at.function;
        let Some(body) = &self.program.function(function).body else { return };
        let block = body.block(step.at.block);
        let command = block.commands.get(step.at.index as usize);
        let site = command.map_or(block.terminator.site, |command| command.site);
        self.tell_pending(step.depth, function, site);
        match (command, step.effect) {
            (Some(command), effect) => self.command(function, command, effect, step.depth),
            (None, Effect::Guard(slot)) => {
                let mut way = None;
                match &block.terminator.kind {
                    TerminatorKind::Branch { then, otherwise, .. } => {
                        way = outcome(&body.block(if slot == 0 { *then } else { *otherwise }).name);
                    }
                    TerminatorKind::Switch { value, cases, .. } => {
                        let unused = 128 - body.expr(*value).ty.bits();
                        let case = cases.get(slot as usize);
                        way =
                            Some(case.map_or(Way::Default, |(case, _)| Way::Case((case << unused) as i128 >> unused)));
                    }
                    _ => {}
                }
                let location = self.statement(function, site);
                if let (Some(way), Some(location)) = (way, location) {
                    self.push(Event::Branch(way), location, None);
                }
            }
            (None, _) => {}
        }
    }

    fn command(&mut self, function: FunctionId, command: &Command, effect: Effect, depth: u32) {
        match (&command.kind, effect) {
            (CommandKind::Call(call), Effect::Called) => {
                let Callee::Direct(callee) = call.callee else { return };
                if self.program.function(callee).body.is_some() {
                    let name = self.program.function(callee).name.clone();
                    if let Some(location) = self.call(function, command.site) {
                        self.push(Event::Enter(Some(name)), location, None);
                    }
                }
            }
            (CommandKind::Call(call), Effect::Returned(value)) => {
                let (Callee::Direct(callee), Some(target)) = (call.callee, call.targets.first()) else { return };
                let callee = self.program.function(callee);
                if callee.body.is_some() || callee.name.contains("nondet") {
                    let name = callee.name.clone();
                    self.returned(function, command.site, name, *target, value);
                }
            }
            (CommandKind::Havoc { target, source }, Effect::Assigned(value)) => {
                if self.program.find_function(source).is_some() {
                    self.returned(function, command.site, source.to_string(), *target, value);
                } else if let Some(text) = self.text(function, *target, value, source) {
                    self.pending.push((depth, text));
                }
            }
            _ => {}
        }
    }

    fn returned(&mut self, function: FunctionId, site: Site, name: String, target: VarId, value: u128) {
        let Some(location) = self.call(function, site) else { return };
        let Some(text) = self.text(function, target, value, "\\result") else { return };
        let input = self.program.find_function(&name).is_none_or(|it| self.program.function(it).body.is_none());
        let scope = Some(self.program.function(function).name.clone());
        let assumption = Assumption { text, scope, result_of: Some(name.clone()), at: Mark::default() };
        self.push(Event::Return(Some(name)), location, Some(assumption));
        if let Some(step) = self.steps.last_mut() {
            step.input = input;
        }
    }

    /// `name == value`, where C can say it.
    fn text(&self, function: FunctionId, variable: VarId, value: u128, name: &str) -> Option<String> {
        let variable = self.program.function(function).body.as_ref()?.variable(variable);
        let unsigned = |ctype| match self.program.resolve(ctype) {
            program::CType::Integer { encoding, .. } => {
                use program::Encoding::{Boolean, Unsigned, UnsignedChar};
                matches!(encoding, Unsigned | UnsignedChar | Boolean)
            }
            program::CType::Enum { signed, .. } => !signed,
            _ => false,
        };
        match variable.ty {
            Type::Int(bits) if bits <= 64 => {
                let unused = 128 - u32::from(bits);
                let signed = (value << unused) as i128 >> unused;
                let is_unsigned = bits == 1 || variable.ctype.is_some_and(unsigned) || name_is_unsigned(name);
                let number = if is_unsigned { value as i128 } else { signed };
                Some(match number {
                    // C has no constant for it: a minus is an operator.
                    -9_223_372_036_854_775_808 => format!("{name} == (-9223372036854775807 - 1)"),
                    number if is_unsigned && number > i128::from(i64::MAX) => format!("{name} == {number}u"),
                    number => format!("{name} == {number}"),
                })
            }
            Type::Float(Float::F64) => finite(f64::from_bits(value as u64)).map(|it| format!("{name} == {it}")),
            Type::Float(Float::F32) => {
                let number = f32::from_bits(value as u32);
                finite(f64::from(number)).map(|_| format!("{name} == {number:?}f"))
            }
            Type::Pointer if value == 0 => Some(format!("{name} == 0")),
            _ => None,
        }
    }

    fn tell_pending(&mut self, depth: u32, function: FunctionId, site: Site) {
        if self.pending.is_empty() || self.program.place(site).is_none() {
            return;
        }
        let Some(location) = self.statement(function, site) else { return };
        let here = |(at, _): &(u32, String)| *at == depth;
        let texts: Vec<String> = self.pending.iter().filter(|it| here(it)).map(|(_, text)| text.clone()).collect();
        self.pending.retain(|it| !here(it));
        if !texts.is_empty() {
            let scope = Some(self.program.function(function).name.clone());
            let text = texts.join(" && ");
            let assumption = Assumption { text, scope, result_of: None, at: Mark::default() };
            self.push(Event::Statement, location, Some(assumption));
            if let Some(step) = self.steps.last_mut() {
                step.input = true;
            }
        }
    }

    fn target(&mut self, violation: &Violation) {
        let function = violation.at.function;
        let by_statement = self.statement(function, violation.site);
        let location = by_statement.unwrap_or_else(|| self.location(function, None));
        self.push(Event::Target, location, None);
        let named = violation.kind == ViolationKind::ErrorCall;
        if let (Some(step), true) = (self.steps.last_mut(), named) {
            step.last = true;
        }
    }

    fn push(&mut self, event: Event, location: Location, assumption: Option<Assumption>) {
        self.steps.push(Written { event, location, assumption, input: false, last: false });
    }

    /// The beginning of the statement around a site.
    fn statement(&self, function: FunctionId, site: Site) -> Option<Location> {
        let place = self.program.place(site)?;
        let start = self.program.sources.statement_at(place).map_or(place.position, |span| span.start);
        Some(self.location(function, Some(Place { position: start, ..place })))
    }

    /// The closing parenthesis of the call at a site.
    fn call(&self, function: FunctionId, site: Site) -> Option<Location> {
        let place = self.program.place(site)?;
        let position = self.points.closing(place).unwrap_or(place.position);
        Some(self.location(function, Some(Place { position, ..place })))
    }

    fn location(&self, function: FunctionId, place: Option<Place>) -> Location {
        let sources = &self.program.sources;
        let position = place.map(|place| place.position);
        Location {
            file: place.map(|place| sources.path(place.file).to_owned()),
            line: position.map(|Position { line, .. }| line),
            column: position.map(|Position { column, .. }| column),
            function: Some(self.program.function(function).name.clone()),
            offset: place.and_then(|place| sources.offset(place)).map(|offset| offset as u32),
            ..Location::default()
        }
    }
}

/// Whether a verifier's input function returns an unsigned value.
fn name_is_unsigned(name: &str) -> bool {
    name.rsplit_once("nondet_").is_some_and(|(_, stem)| matches!(stem, "uint" | "ulong" | "uchar" | "ushort" | "bool"))
}

fn finite(number: f64) -> Option<String> {
    number.is_finite().then(|| format!("{number:?}"))
}

/// A chain of states; the other way of a branch leads to the sink.
fn automaton(metadata: Metadata, steps: &[Written]) -> Witness {
    let state = |name: String, role| State { name, role, at: Mark::default() };
    let mut states: Vec<State> = (0..steps.len()).map(|number| state(format!("N{number}"), Role::Path)).collect();
    states.push(state("violation".to_owned(), Role::Violation));
    let sink = StateId(states.len() as u32);
    let mut edges = Vec::new();
    for (step, number) in steps.iter().zip(0u32..) {
        let (source, target) = (StateId(number), StateId(number + 1));
        let edge = |target, event| Edge {
            source,
            target,
            event,
            location: step.location.clone(),
            assumption: step.assumption.clone(),
            at: Mark::default(),
        };
        let other = match step.event {
            Event::Branch(Way::True) => Some(Way::False),
            Event::Branch(Way::False) => Some(Way::True),
            _ => None,
        };
        edges.extend(other.map(|way| edge(sink, Event::Branch(way))));
        edges.push(edge(target, step.event.clone()));
    }
    if edges.iter().any(|edge| edge.target == sink) {
        states.push(state("sink".to_owned(), Role::Sink));
    }
    Witness { format: Format::GraphMl, metadata, states, edges }
}
