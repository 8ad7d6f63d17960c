//! Walks along a recorded run and says what each step does, to a [`Machine`] that interprets it.
//!
//! The walk is made twice: over constants, to learn which objects are accessed how (`concrete`), and over
//! variables, to write the trace down (`trace`). Both see the same sequence of calls. Expressions become
//! terms; one that has no term is replaced by what the run computed, and noted.
//!
//! Branches are known, so there are none here: a guard that was taken is assumed. Calls are a parameter's
//! assignment each, a `return` is an assignment, and one more brings the result to the caller. Not followed:
//! `longjmp`, and library functions that call back.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use logic::terms::{TermId, Terms};
use program::exec::memory::{Address, Change, ObjectId, ObjectKind};
use program::exec::{Checks, CommandRef, Effect, Step, Violation, ViolationKind, libc};
use program::{
    Argument, BitField, BlockId, Body, Call, Callee, CommandKind, Expr, ExprId, ExprKind, FunctionId, LocalId, Object,
    Program, Role, Site, TerminatorKind, Type, VarId,
};

use super::conditions::{Pending, Region};
use super::expressions::{self, Access, Base, Surroundings, Violating};
use super::operators::{NoTerm, convert, literal};
use super::origins::What;
use super::recording::{Entry, Recording};

/// Why a run has no trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// Something on the way has no formula, and what the run computed is not known.
    #[error("{what} cannot be followed")]
    Unsupported { what: String, site: Site },
    /// The run did not fail, so that there is nothing to explain.
    #[error("the run did not fail")]
    NoFailure,
    /// The run has more steps than a formula can have.
    #[error("the run has more than {0} steps, too many for a formula")]
    TooLong(usize),
}

/// Where the walk is.
#[derive(Clone, Copy, Debug)]
pub struct Cause {
    pub what: What,
    pub at: Option<CommandRef>,
    pub site: Site,
    pub expr: Option<ExprId>,
    /// The last operand of a condition that begins with `expr`.
    pub until: Option<ExprId>,
    pub frame: u32,
}

/// A call under way.
#[derive(Clone, Debug)]
pub struct Frame {
    pub instance: u32,
    pub function: FunctionId,
    locals: BTreeMap<LocalId, Address>,
    /// Parameters that are copies of objects, which do not exist yet: the parameter, where the object is, and
    /// how long it is.
    copies: VecDeque<(VarId, TermId, u64)>,
}

/// An access with the object that its address is counted from, where that is known.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub access: Access,
    pub object: Option<ObjectId>,
    /// The address is a constant.
    pub fixed: bool,
}

/// What is written to memory.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    pub value: TermId,
    pub ty: Type,
    /// Only these bits of the accessed bytes: the first one, and how many.
    pub field: Option<(u32, u32)>,
}

/// An address, with the object that it is counted from where that is known.
pub type Spot = (TermId, Option<ObjectId>);

/// A value from outside.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub observed: u128,
    /// It is 0 or 1, whatever the variable's type.
    pub boolean: bool,
}

/// Interprets what happens.
pub trait Machine {
    fn variable(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId) -> TermId;
    fn load(&mut self, terms: &mut Terms, reach: Reach, cause: Cause) -> TermId;
    fn assign(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId, value: TermId, cause: Cause);
    fn store(&mut self, terms: &mut Terms, reach: Reach, written: Written, cause: Cause);
    /// The variable gets a value from outside.
    fn havoc(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId, input: Input, cause: Cause);
    /// The value that a function returns, for its caller.
    fn give_back(&mut self, terms: &mut Terms, function: FunctionId, values: &[(TermId, Type)], cause: Cause);
    /// One of the values that were given back last.
    fn given_back(&mut self, terms: &mut Terms, position: usize, ty: Type) -> TermId;
    fn assume(&mut self, terms: &mut Terms, condition: TermId, cause: Cause);
    /// What is checked from now on counts only where this holds.
    fn under(&mut self, condition: Option<TermId>);
    /// A condition that a failing run breaks; this one met it.
    fn passed(&mut self, terms: &mut Terms, holds: TermId, cause: Cause);
    /// An access that is not valid, as the last thing that happens.
    fn invalid(&mut self, terms: &mut Terms, reach: Reach, cause: Cause);
    /// An object begins; its size is a term where the program computed it.
    fn begin(&mut self, terms: &mut Terms, object: &Begun, size: Option<TermId>, cause: Cause);
    fn end(&mut self, terms: &mut Terms, object: ObjectId, cause: Cause);
    /// Bytes that something else than a command wrote.
    fn write(&mut self, terms: &mut Terms, address: Address, bytes: &[u8], cause: Cause);
    fn copy(&mut self, terms: &mut Terms, to: Spot, from: Spot, length: u64, cause: Cause);
    /// The value that a term has in the run.
    fn observed(&mut self, terms: &mut Terms, term: TermId) -> u128;
    /// Everything that was there before the run has been told.
    fn ready(&mut self, terms: &mut Terms);
    /// Takes back what was checked since the last statement: the failure was not met in its command.
    fn forget_checks(&mut self);
    fn note(&mut self, words: String);
}

/// A new object.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    pub address: Address,
    pub kind: ObjectKind,
    pub size: u64,
    pub zeroed: bool,
}

/// Follows a run.
pub struct Walk<'p, M> {
    program: &'p Program,
    checks: Checks,
    pub(super) terms: &'p mut Terms,
    pub(super) machine: &'p mut M,
    frames: Vec<Frame>,
    instances: u32,
    /// Changes since the last step.
    changes: Vec<Change>,
    /// The library function that is running, with its arguments.
    external: Option<(FunctionId, Vec<(TermId, Type)>)>,
    constant_functions: BTreeSet<String>,
    /// A condition that is being evaluated.
    pending: Option<Pending>,
    regions: BTreeMap<(FunctionId, BlockId), Option<Region>>,
    started: bool,
}

pub(super) struct View<'v, M> {
    pub(super) temporaries: BTreeMap<VarId, TermId>,
    machine: &'v mut M,
    program: &'v Program,
    frame: &'v Frame,
    checks: Checks,
    cause: Cause,
    /// Where the walk ends: what went wrong.
    violation: Option<&'v Violation>,
    ended: bool,
}

impl<M: Machine> View<'_, M> {
    fn reach(&mut self, access: Access) -> Reach {
        let (object, fixed) = match access.base {
            Base::Fixed(object) => (self.object(object), true),
            Base::Object(object) => (self.object(object), false),
            Base::Pointer => (None, false),
        };
        Reach { access, object: object.map(Address::object), fixed }
    }

    fn object(&self, object: Object) -> Option<Address> {
        match object {
            Object::Local(local) => self.frame.locals.get(&local).copied(),
            object => static_address(self.program, object),
        }
    }

    /// Whether the violation is of this operation and kind.
    fn is_violation(&self, expr: ExprId, of_kind: impl Fn(ViolationKind) -> bool) -> bool {
        self.violation.is_some_and(|it| it.expr.is_none_or(|at| at == expr) && of_kind(it.kind))
    }
}

/// The address of an object that exists from the start, as the executor lays them out.
pub fn static_address(program: &Program, object: Object) -> Option<Address> {
    let function = |it: FunctionId| ObjectId(1 + it.0);
    match object {
        Object::Function(it) => Some(Address::new(function(it), 0)),
        Object::Label(it, block) => Some(Address::new(function(it), 1 + i64::from(block.0))),
        Object::Global(it) => Some(Address::new(ObjectId(1 + program.functions.len() as u32 + it.0), 0)),
        Object::Local(_) => None,
    }
}

/// Whether a violation is about an access to memory.
pub fn is_access(kind: ViolationKind) -> bool {
    matches!(
        kind,
        ViolationKind::OutOfBoundsBelow
            | ViolationKind::OutOfBoundsAbove
            | ViolationKind::NullDereference
            | ViolationKind::UseAfterFree
            | ViolationKind::UseAfterScope
            | ViolationKind::WildPointer
            | ViolationKind::WriteToConstant
    )
}

impl<M: Machine> Surroundings for View<'_, M> {
    fn checks(&self) -> Checks {
        self.checks
    }

    fn variable(&mut self, terms: &mut Terms, variable: VarId) -> Result<TermId, NoTerm> {
        if let Some(value) = self.temporaries.get(&variable) {
            return Ok(*value);
        }
        Ok(self.machine.variable(terms, self.frame, variable))
    }

    fn address(&mut self, terms: &mut Terms, object: Object) -> Result<TermId, NoTerm> {
        let address = self.object(object).ok_or_else(|| NoTerm::new("an object before its declaration"))?;
        Ok(terms.bv(64, address.0))
    }

    fn load(&mut self, terms: &mut Terms, access: Access) -> Result<TermId, NoTerm> {
        let reach = self.reach(access);
        let cause = Cause { expr: Some(access.expr), site: site_or(access.site, self.cause.site), ..self.cause };
        if !self.ended && self.is_violation(access.expr, is_access) {
            self.ended = true;
            // In which order a command's operands were checked does not matter any more.
            self.machine.forget_checks();
            let kind = self.violation.map_or(ViolationKind::WildPointer, |it| it.kind);
            self.machine.invalid(terms, reach, Cause { what: What::Failure(kind), ..cause });
        }
        if self.ended {
            return Ok(terms.bv(8 * access.bytes, 0));
        }
        Ok(self.machine.load(terms, reach, cause))
    }

    fn forbid(&mut self, terms: &mut Terms, violating: Violating) {
        if self.ended {
            return;
        }
        let cause = Cause { expr: Some(violating.expr), site: site_or(violating.site, self.cause.site), ..self.cause };
        if self.is_violation(violating.expr, |kind| kind == violating.kind) {
            self.ended = true;
            self.machine.forget_checks();
            self.machine.assume(terms, violating.bad, Cause { what: What::Failure(violating.kind), ..cause });
            return;
        }
        let holds = terms.not(violating.bad);
        self.machine.passed(terms, holds, Cause { what: What::Passed(violating.kind), ..cause });
    }
}

fn site_or(site: Site, otherwise: Site) -> Site {
    if site.0 == 0 { otherwise } else { site }
}

impl<'p, M: Machine> Walk<'p, M> {
    pub fn new(program: &'p Program, checks: Checks, terms: &'p mut Terms, machine: &'p mut M) -> Walk<'p, M> {
        Walk {
            program,
            checks,
            terms,
            machine,
            frames: Vec::new(),
            instances: 0,
            changes: Vec::new(),
            external: None,
            constant_functions: BTreeSet::new(),
            pending: None,
            regions: BTreeMap::new(),
            started: false,
        }
    }

    /// Follows the whole run to its violation; the call that it is in.
    pub fn follow(
        mut self,
        recording: &Recording,
        arguments: usize,
        violation: &Violation,
    ) -> Result<u32, EncodeError> {
        for entry in &recording.entries {
            match entry {
                Entry::Changed(change) => self.changes.push(change.clone()),
                Entry::Step(step) => {
                    self.start(arguments)?;
                    self.step(*step)?;
                }
            }
        }
        self.start(arguments)?;
        self.fail(violation)?;
        if !self.constant_functions.is_empty() {
            let names: Vec<String> = self.constant_functions.iter().map(|name| format!("`{name}`")).collect();
            self.machine.note(format!("the results of {} are taken as constants", names.join(", ")));
        }
        Ok(self.frames.last().map_or(0, |frame| frame.instance))
    }

    /// Before the first step: globals, and the arguments of `main`.
    fn start(&mut self, arguments: usize) -> Result<(), EncodeError> {
        if std::mem::replace(&mut self.started, true) {
            return Ok(());
        }
        let main = self.program.find_function("main").ok_or(EncodeError::NoFailure)?;
        let cause = Cause { what: What::Initial, at: None, site: Site::NONE, expr: None, until: None, frame: 0 };
        let changes = std::mem::take(&mut self.changes);
        let is_vector = |change: &&Change| matches!(change, Change::Began { kind: ObjectKind::Library("argv"), .. });
        let strings: Vec<&Change> = changes.iter().filter(is_vector).collect();
        let vector = |position: usize| match strings.get(position) {
            Some(Change::Began { address, .. }) => address.0,
            _ => 0,
        };
        let given = [arguments as u64, vector(0), vector(arguments + 1)];
        self.push(main);
        for change in changes {
            self.change(&change, None, cause)?;
        }
        self.machine.ready(self.terms);
        let parameters = &self.program.function(main).parameters;
        for (position, parameter) in parameters.iter().enumerate().take(given.len()) {
            let value = literal(self.terms, u128::from(given[position]), parameter.ty);
            let cause = Cause { what: What::Bookkeeping, ..cause };
            self.machine.assign(self.terms, &self.frames[0], VarId(position as u32), value, cause);
        }
        Ok(())
    }

    fn push(&mut self, function: FunctionId) {
        let instance = self.instances;
        self.instances += 1;
        self.frames.push(Frame { instance, function, locals: BTreeMap::new(), copies: VecDeque::new() });
    }

    pub(super) fn body(&self, function: FunctionId) -> Result<&'p Body, EncodeError> {
        let program = self.program;
        program
            .function(function)
            .body
            .as_ref()
            .ok_or(EncodeError::Unsupported { what: "a function without a body".to_owned(), site: Site::NONE })
    }

    pub(super) fn cause(&self, what: What, at: CommandRef, site: Site, expr: Option<ExprId>) -> Cause {
        let frame = self.frames.last().map_or(0, |frame| frame.instance);
        Cause { what, at: Some(at), site, expr, until: None, frame }
    }

    /// Applies what happened to memory before a step. What commands of the program write, they say themselves.
    fn take_changes(&mut self, cause: Cause, sizes: Option<TermId>, is_library: bool) -> Result<(), EncodeError> {
        for change in std::mem::take(&mut self.changes) {
            if is_library || !matches!(change, Change::Wrote { .. }) {
                self.change(&change, sizes, cause)?;
            }
        }
        Ok(())
    }

    fn change(&mut self, change: &Change, size: Option<TermId>, cause: Cause) -> Result<(), EncodeError> {
        match change {
            Change::Began { address, kind, size: bytes, contents } => {
                let zeroed = *contents == program::exec::memory::Contents::Zero;
                let begun = Begun { address: *address, kind: *kind, size: *bytes, zeroed };
                let size = size.filter(|_| matches!(kind, ObjectKind::Heap | ObjectKind::Computed(_)));
                self.machine.begin(self.terms, &begun, size, cause);
                if let Some(frame) = self.frames.last_mut() {
                    match kind {
                        ObjectKind::Local { local, .. } => {
                            frame.locals.insert(*local, *address);
                        }
                        ObjectKind::CopiedArgument(_) => self.copied_argument(*address, cause)?,
                        _ => {}
                    }
                }
            }
            Change::Ended { object, .. } => self.machine.end(self.terms, *object, cause),
            Change::Wrote { address, bytes } => self.machine.write(self.terms, *address, bytes, cause),
            Change::Given { address, bytes } => self.machine.write(self.terms, *address, bytes, cause.bookkeeping()),
        }
        Ok(())
    }

    /// The callee's own copy of a struct exists now.
    fn copied_argument(&mut self, address: Address, cause: Cause) -> Result<(), EncodeError> {
        let Some((parameter, source, length)) = self.frames.last_mut().and_then(|frame| frame.copies.pop_front())
        else {
            return Ok(());
        };
        let target = self.terms.bv(64, address.0);
        let cause = Cause { what: What::Bookkeeping, ..cause };
        self.machine.copy(self.terms, (target, Some(address.object())), (source, None), length, cause);
        let frame = &self.frames[self.frames.len() - 1];
        self.machine.assign(self.terms, frame, parameter, target, cause);
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), EncodeError> {
        let depth = step.depth as usize + 1;
        let function = self.frames.last().map(|frame| frame.function);
        let body = self.body(step.at.function)?;
        let block = body.block(step.at.block);
        let index = step.at.index as usize;
        let site = block.commands.get(index).map_or(block.terminator.site, |command| command.site);
        if self.frames.len() != depth || function != Some(step.at.function) {
            let what = match self.external {
                Some(_) => "a library function that calls back",
                None => "a jump out of a function (`longjmp`)",
            };
            return Err(EncodeError::Unsupported { what: what.to_owned(), site });
        }
        if let Some(mut pending) = self.pending.take() {
            if pending.region.contains(step.at.block) {
                pending.steps.push(step);
                self.pending = Some(pending);
                return Ok(());
            }
            self.decide(&pending, step.at.block)?;
        }
        if index == block.commands.len()
            && let Some(region) = self.region(body, step.at)
        {
            self.pending = Some(Pending { region, steps: vec![step] });
            return Ok(());
        }
        self.plain(step, body)
    }

    /// Conditions that branch more than once.
    fn region(&mut self, body: &Body, at: CommandRef) -> Option<Region> {
        let region = self.regions.entry((at.function, at.block)).or_insert_with(|| Region::of(body, at.block));
        region.clone()
    }

    /// A step by itself.
    fn plain(&mut self, step: Step, body: &Body) -> Result<(), EncodeError> {
        let block = body.block(step.at.block);
        let index = step.at.index as usize;
        let site = block.commands.get(index).map_or(block.terminator.site, |command| command.site);
        match block.commands.get(index) {
            Some(command) => self.command(step, &command.kind, site),
            None => self.terminator(step, &block.terminator.kind, site),
        }
    }

    pub(super) fn view<R>(
        &mut self,
        cause: Cause,
        violation: Option<&Violation>,
        work: impl FnOnce(&mut Terms, &Body, &mut View<'_, M>) -> R,
    ) -> (R, bool) {
        let frame = self.frames.last().expect("a step has a frame");
        let body = self.program.function(frame.function).body.as_ref().expect("a frame's function has a body");
        let (program, checks) = (self.program, self.checks);
        let mut view = View {
            temporaries: BTreeMap::new(),
            machine: &mut *self.machine,
            program,
            frame,
            checks,
            cause,
            violation,
            ended: false,
        };
        let result = work(self.terms, body, &mut view);
        (result, view.ended)
    }

    fn value(&mut self, id: ExprId, cause: Cause) -> Result<TermId, NoTerm> {
        self.view(cause, None, |terms, body, view| expressions::value(terms, body, id, view)).0
    }

    /// The value, or what the run computed.
    fn value_or(&mut self, id: ExprId, observed: Option<u128>, cause: Cause) -> Result<TermId, EncodeError> {
        let error = match self.value(id, cause) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        let Some(observed) = observed else {
            return Err(EncodeError::Unsupported { what: error.what, site: cause.site });
        };
        self.machine.note(format!("{error}; what the run computed is taken as a constant"));
        let ty = self.type_of(id);
        Ok(literal(self.terms, observed, ty))
    }

    fn expr(&self, id: ExprId) -> &'p Expr {
        let frame = self.frames.last().expect("a step has a frame");
        let program = self.program;
        program.function(frame.function).body.as_ref().expect("a frame's function has a body").expr(id)
    }

    fn type_of(&self, id: ExprId) -> Type {
        self.expr(id).ty
    }

    /// The variable of the frame is one of the front end's own, and not a function's result.
    fn is_hidden(&self, variable: VarId) -> bool {
        let frame = self.frames.last().expect("a step has a frame");
        let body = self.program.function(frame.function).body.as_ref();
        body.is_some_and(|body| body.variable(variable).role == Role::Temporary)
    }

    /// The variable takes what `return` statements give, for one common end of the function.
    fn is_result(&self, variable: VarId) -> bool {
        let frame = self.frames.last().expect("a step has a frame");
        let body = self.program.function(frame.function).body.as_ref();
        self.is_hidden(variable) && body.is_some_and(|body| body.variable(variable).name == RESULT)
    }

    fn command(&mut self, step: Step, kind: &CommandKind, site: Site) -> Result<(), EncodeError> {
        let cause = self.cause(What::Bookkeeping, step.at, site, None);
        let observed = match step.effect {
            Effect::Assigned(value) | Effect::Stored { value, .. } | Effect::Returned(value) => Some(value),
            _ => None,
        };
        match kind {
            CommandKind::Assign { target, value } => {
                let variable = self.body(step.at.function)?.variable(*target);
                let what = match (variable.role, variable.name.as_str()) {
                    (Role::Temporary, RESULT) => What::Return,
                    (Role::Temporary, _) => What::Bookkeeping,
                    _ => What::Assignment,
                };
                let cause = Cause { what, expr: Some(*value), ..cause };
                let value = self.value_or(*value, observed, cause)?;
                self.assign(*target, value, cause);
            }
            CommandKind::Store { address, value, bits } => {
                self.take_changes(cause, None, false)?;
                let cause = Cause { what: What::Store, expr: Some(*value), ..cause };
                self.store(*address, *value, *bits, observed, cause, None)?;
            }
            CommandKind::Havoc { target, source } => {
                let cause = Cause { what: What::Input, ..cause };
                let frame = &self.frames[self.frames.len() - 1];
                let stem = source.rsplit_once("nondet_").map_or(&**source, |(_, stem)| stem);
                let boolean = matches!(stem, "bool" | "_Bool");
                let input = Input { observed: observed.unwrap_or(0), boolean };
                self.machine.havoc(self.terms, frame, *target, input, cause);
            }
            CommandKind::Assume(condition) => {
                let cause = Cause { what: What::Assumption, expr: Some(*condition), ..cause };
                let condition = self.value_or(*condition, Some(1), cause)?;
                self.machine.assume(self.terms, condition, cause);
            }
            CommandKind::Assert { condition, .. } => {
                let cause = Cause { what: What::Passed(ViolationKind::Assert), expr: Some(*condition), ..cause };
                let condition = self.value_or(*condition, Some(1), cause)?;
                self.machine.passed(self.terms, condition, cause);
            }
            CommandKind::Call(call) => self.call(step, call, cause)?,
            CommandKind::Copy { destination, source, .. } => {
                let Effect::Wrote { length, .. } = step.effect else { return Ok(()) };
                self.changes.clear();
                let destination = self.address(*destination, cause)?;
                let source = self.address(*source, cause)?;
                self.copy_size(kind, length, cause)?;
                self.machine.copy(self.terms, destination, source, length, cause);
            }
            CommandKind::Fill { destination, byte, .. } => {
                let Effect::Wrote { length, .. } = step.effect else { return Ok(()) };
                self.changes.clear();
                self.copy_size(kind, length, cause)?;
                self.fill(*destination, *byte, length, cause)?;
            }
            CommandKind::Allocate { target, size, .. } => {
                let size = self.value_or(*size, None, cause)?;
                let size = self.terms.bv_resize(64, false, size);
                self.take_changes(cause, Some(size), false)?;
                let pointer = self.terms.bv(64, observed.unwrap_or(0) as u64);
                self.assign(*target, pointer, cause);
            }
            CommandKind::StackMark { target } => {
                let ty = self.body(step.at.function)?.variable(*target).ty;
                let mark = literal(self.terms, observed.unwrap_or(0), ty);
                self.assign(*target, mark, cause);
            }
            CommandKind::VaStart { .. } => {
                self.machine.note("unnamed arguments are taken as constants".to_owned());
                self.take_changes(cause, None, true)?;
            }
            CommandKind::StackRelease { .. }
            | CommandKind::Declare(_)
            | CommandKind::Begin(_)
            | CommandKind::End(_)
            | CommandKind::Fail(_)
            | CommandKind::Unsupported(_) => self.take_changes(cause, None, false)?,
        }
        Ok(())
    }

    pub(super) fn assign(&mut self, target: VarId, value: TermId, cause: Cause) {
        let frame = &self.frames[self.frames.len() - 1];
        self.machine.assign(self.terms, frame, target, value, cause);
    }

    fn address(&mut self, id: ExprId, cause: Cause) -> Result<Spot, EncodeError> {
        let found = self.view(cause, None, |terms, body, view| {
            let (address, base) = expressions::address(terms, body, id, false, view)?;
            let object = match base {
                Base::Fixed(object) | Base::Object(object) => view.object(object).map(Address::object),
                Base::Pointer => None,
            };
            Ok((address, object))
        });
        found.0.map_err(|error: NoTerm| EncodeError::Unsupported { what: error.what, site: cause.site })
    }

    /// As many bytes as in the run: an alternative with another number is not followed.
    fn copy_size(&mut self, kind: &CommandKind, length: u64, cause: Cause) -> Result<(), EncodeError> {
        let (CommandKind::Copy { size, .. } | CommandKind::Fill { size, .. }) = kind else { return Ok(()) };
        let size = self.value_or(*size, Some(u128::from(length)), cause)?;
        let length = self.terms.bv(self.terms.width(size), length);
        let same = self.terms.eq(size, length);
        self.machine.passed(self.terms, same, Cause { what: What::Passed(ViolationKind::OutOfBoundsAbove), ..cause });
        Ok(())
    }

    fn fill(&mut self, destination: ExprId, byte: ExprId, length: u64, cause: Cause) -> Result<(), EncodeError> {
        let (address, object) = self.address(destination, cause)?;
        let byte = self.value_or(byte, None, cause)?;
        let byte = self.terms.bv_resize(8, false, byte);
        for offset in 0..length {
            let address = expressions::offset_by(self.terms, address, offset);
            let base = Base::Pointer;
            let access = Access { address, base, bytes: 1, expr: destination, site: cause.site };
            let written = Written { value: byte, ty: Type::I8, field: None };
            self.machine.store(self.terms, Reach { access, object, fixed: false }, written, cause);
        }
        Ok(())
    }

    /// True if the violation was met.
    fn store(
        &mut self,
        address: ExprId,
        value: ExprId,
        bits: Option<BitField>,
        observed: Option<u128>,
        cause: Cause,
        violation: Option<&Violation>,
    ) -> Result<bool, EncodeError> {
        let ty = self.type_of(value);
        let (found, ended) = self.view(cause, violation, |terms, body, view| {
            let found = expressions::value(terms, body, value, view);
            if view.ended {
                return Ok(None);
            }
            let (mut target, base) = expressions::address(terms, body, address, true, view)?;
            if view.ended {
                return Ok(None);
            }
            let mut field = None;
            let mut bytes = ty.bytes();
            if let Some(bits) = bits {
                let (shift, width) = (u32::from(bits.offset % 8), u32::from(bits.width).max(1));
                target = expressions::offset_by(terms, target, u64::from(bits.offset / 8));
                field = Some((shift, width));
                bytes = (shift + width).div_ceil(8);
            }
            let reach = view.reach(Access { address: target, base, bytes, expr: address, site: cause.site });
            if let Some(it) = violation
                && is_access(it.kind)
            {
                view.ended = true;
                view.machine.forget_checks();
                view.machine.invalid(terms, reach, Cause { what: What::Failure(it.kind), ..cause });
                return Ok(None);
            }
            Ok(Some((found, reach, field)))
        });
        let found = found.map_err(|error: NoTerm| EncodeError::Unsupported { what: error.what, site: cause.site })?;
        if ended {
            return Ok(true);
        }
        let Some((found, reach, field)) = found.filter(|_| violation.is_none()) else { return Ok(false) };
        let value = match (found, observed) {
            (Ok(value), _) => value,
            (Err(error), Some(observed)) => {
                self.machine.note(format!("{error}; what the run computed is taken as a constant"));
                literal(self.terms, observed, ty)
            }
            (Err(error), None) => return Err(EncodeError::Unsupported { what: error.what, site: cause.site }),
        };
        self.machine.store(self.terms, reach, Written { value, ty, field }, cause);
        Ok(false)
    }

    fn terminator(&mut self, step: Step, kind: &TerminatorKind, site: Site) -> Result<(), EncodeError> {
        let cause = self.cause(What::Guard(None), step.at, site, None);
        let way = match step.effect {
            Effect::Guard(way) => way as usize,
            _ => 0,
        };
        match kind {
            TerminatorKind::Branch { condition, .. } => {
                let cause = Cause { what: What::Guard(Some(way == 0)), expr: Some(*condition), ..cause };
                let mut held = self.value_or(*condition, Some(u128::from(way == 0)), cause)?;
                if way != 0 {
                    held = self.terms.not(held);
                }
                self.machine.assume(self.terms, held, cause);
            }
            TerminatorKind::Switch { value, cases, .. } => {
                let cause = Cause { expr: Some(*value), ..cause };
                let ty = self.type_of(*value);
                let Ok(value) = self.value(*value, cause) else {
                    self.machine.note("a `switch` on something that has no formula is left out".to_owned());
                    return Ok(());
                };
                let mut tests = Vec::new();
                for (position, (case, _)) in cases.iter().enumerate() {
                    let case = literal(self.terms, *case, ty);
                    if position == way {
                        tests = vec![self.terms.eq(value, case)];
                        break;
                    }
                    tests.push(self.terms.distinct(value, case));
                }
                let held = self.terms.and(&tests);
                self.machine.assume(self.terms, held, cause);
            }
            TerminatorKind::IndirectGoto { address, targets } => {
                let cause = Cause { expr: Some(*address), ..cause };
                let label = targets.get(way).map(|target| Object::Label(step.at.function, *target));
                let label = label.and_then(|label| static_address(self.program, label));
                let address = self.value_or(*address, None, cause)?;
                let label = self.terms.bv(64, label.unwrap_or_default().0);
                let held = self.terms.eq(address, label);
                self.machine.assume(self.terms, held, cause);
            }
            TerminatorKind::Return(values) => {
                // `return e;` has put the value into a temporary at its own place.
                let what = match values.first().map(|value| &self.expr(*value).kind) {
                    Some(ExprKind::Variable(it)) if self.is_result(*it) => What::Bookkeeping,
                    _ => What::Return,
                };
                let cause = Cause { what, expr: values.first().copied(), ..cause };
                let observed = match step.effect {
                    Effect::Returned(value) if values.len() == 1 => Some(value),
                    _ => None,
                };
                let mut results = Vec::with_capacity(values.len());
                for value in values {
                    results.push((self.value_or(*value, observed, cause)?, self.type_of(*value)));
                }
                self.machine.give_back(self.terms, step.at.function, &results, cause);
                self.frames.pop();
            }
            TerminatorKind::Goto(_) | TerminatorKind::Unreachable => {}
        }
        Ok(())
    }

    fn call(&mut self, step: Step, call: &Call, cause: Cause) -> Result<(), EncodeError> {
        if step.effect != Effect::Called {
            return self.returned(step, call, cause);
        }
        self.take_changes(cause, None, false)?;
        let function = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(address) => self.callee(address, cause)?,
        };
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for (position, argument) in call.arguments.iter().enumerate() {
            let (Argument::Scalar(id) | Argument::Copied { address: id, .. }) = argument;
            let cause = Cause { what: What::Argument(position as u32), expr: Some(*id), ..cause };
            let value = self.value_or(*id, None, cause)?;
            arguments.push((value, self.type_of(*id)));
        }
        if self.program.function(function).body.is_none() {
            self.external = Some((function, arguments));
            return Ok(());
        }
        self.enter(function, call, &arguments, cause);
        Ok(())
    }

    fn enter(&mut self, function: FunctionId, call: &Call, arguments: &[(TermId, Type)], cause: Cause) {
        self.push(function);
        let parameters = &self.program.function(function).parameters;
        for (position, parameter) in parameters.iter().enumerate() {
            let variable = VarId(position as u32);
            let frame = self.frames.len() - 1;
            let (Some(argument), Some(&(value, ty))) = (call.arguments.get(position), arguments.get(position)) else {
                let zero = literal(self.terms, 0, parameter.ty);
                let cause = Cause { what: What::Bookkeeping, ..cause };
                self.machine.assign(self.terms, &self.frames[frame], variable, zero, cause);
                continue;
            };
            let expr = match argument {
                Argument::Copied { size, .. } => {
                    self.frames[frame].copies.push_back((variable, value, *size));
                    continue;
                }
                Argument::Scalar(expr) => *expr,
            };
            let value = convert(self.terms, value, ty, parameter.ty);
            let cause = Cause { what: What::Argument(position as u32), expr: Some(expr), ..cause };
            self.machine.assign(self.terms, &self.frames[frame], variable, value, cause);
        }
        if arguments.len() > parameters.len() {
            self.machine.note("unnamed arguments are taken as constants".to_owned());
        }
    }

    /// The function that a pointer calls in this run is known; that it does is a guard.
    fn callee(&mut self, address: ExprId, cause: Cause) -> Result<FunctionId, EncodeError> {
        let cause = Cause { what: What::Guard(None), expr: Some(address), ..cause };
        let value = self.value_or(address, None, cause)?;
        let called = Address(self.machine.observed(self.terms, value) as u64);
        let called = self.function_at(called);
        let Some(function) = called else {
            return Err(EncodeError::Unsupported { what: "a call through a pointer".to_owned(), site: cause.site });
        };
        let target = static_address(self.program, Object::Function(function)).unwrap_or_default();
        let target = self.terms.bv(64, target.0);
        let held = self.terms.eq(value, target);
        self.machine.assume(self.terms, held, cause);
        Ok(function)
    }

    fn function_at(&self, address: Address) -> Option<FunctionId> {
        let number = address.object().0.checked_sub(1)?;
        (address.offset() == 0 && (number as usize) < self.program.functions.len()).then_some(FunctionId(number))
    }

    fn returned(&mut self, step: Step, call: &Call, cause: Cause) -> Result<(), EncodeError> {
        let body = self.body(step.at.function)?;
        let Some((function, arguments)) = self.external.take() else {
            self.take_changes(cause, None, false)?;
            for (position, target) in call.targets.iter().enumerate() {
                let ty = body.variable(*target).ty;
                let value = self.machine.given_back(self.terms, position, ty);
                let what = if self.is_hidden(*target) { What::Bookkeeping } else { What::Result };
                let cause = Cause { what, ..cause };
                self.assign(*target, value, cause);
            }
            return Ok(());
        };
        let name = &self.program.function(function).name;
        let observed = match step.effect {
            Effect::Returned(value) => value,
            _ => 0,
        };
        if libc::find(name).is_none() {
            let cause = Cause { what: What::Input, ..cause };
            for target in &call.targets {
                let frame = &self.frames[self.frames.len() - 1];
                self.machine.havoc(self.terms, frame, *target, Input { observed, boolean: false }, cause);
            }
            return Ok(());
        }
        self.library(name, &arguments, call, observed, cause)
    }

    /// A library function: allocations have the size that was asked for, some functions their meaning, and of
    /// all others what the run saw is taken.
    fn library(
        &mut self,
        name: &str,
        arguments: &[(TermId, Type)],
        call: &Call,
        observed: u128,
        cause: Cause,
    ) -> Result<(), EncodeError> {
        let size = super::library::allocated_size(self.terms, name, arguments);
        let library = Cause { what: What::Library, ..cause };
        let writes = self.changes.iter().any(|change| matches!(change, Change::Wrote { .. }));
        self.take_changes(if size.is_some() { cause } else { library }, size, true)?;
        let is_copied = writes && self.copied(name, arguments, library);
        let Some(target) = call.targets.first() else {
            if writes && !is_copied && !name.starts_with("free") {
                self.constant_functions.insert(name.to_owned());
            }
            return Ok(());
        };
        let body = self.frames.last().and_then(|frame| self.program.function(frame.function).body.as_ref());
        let ty = body.map_or(Type::I32, |body| body.variable(*target).ty);
        let meant = super::library::result(self.terms, name, arguments, ty);
        let meant = meant.or_else(|| self.reading_result(name, arguments, observed, ty, library));
        let value = match meant {
            Some(value) => value,
            None => {
                if size.is_none() && !is_copied && !super::library::is_output(name) {
                    self.constant_functions.insert(name.to_owned());
                }
                literal(self.terms, observed, ty)
            }
        };
        let frame = &self.frames[self.frames.len() - 1];
        self.machine.assign(self.terms, frame, *target, value, library);
        for (position, target) in call.targets.iter().enumerate().skip(1) {
            self.machine.note(format!("result {} of `{name}` is not known", position + 1));
            let zero = literal(self.terms, 0, body.map_or(Type::I32, |body| body.variable(*target).ty));
            self.machine.assign(self.terms, frame, *target, zero, library);
        }
        Ok(())
    }

    /// The command that fails: everything before the violation in it holds, and the violation happens.
    fn fail(&mut self, violation: &Violation) -> Result<(), EncodeError> {
        let body = self.body(violation.at.function)?;
        if let Some(pending) = self.pending.take() {
            if pending.region.contains(violation.at.block) {
                for step in pending.steps {
                    self.plain(step, body)?;
                }
            } else {
                self.decide(&pending, violation.at.block)?;
            }
        }
        let block = body.block(violation.at.block);
        let index = violation.at.index as usize;
        let cause = self.cause(What::Failure(violation.kind), violation.at, violation.site, violation.expr);
        if let Some((function, arguments)) = self.external.take() {
            return self.fail_in_library(function, &arguments, violation, cause);
        }
        if self.frames.last().map(|frame| frame.function) != Some(violation.at.function) {
            return Ok(());
        }
        self.take_changes(cause, None, false)?;
        let command = block.commands.get(index).map(|command| &command.kind);
        let mut roots = Vec::new();
        match command {
            Some(CommandKind::Store { address, value, bits }) => {
                let at_address = violation.expr.is_some_and(|expr| expr == *address);
                let inside = violation.expr.filter(|_| !at_address);
                let adapted = Violation { expr: inside.or(Some(*address)), ..violation.clone() };
                if !self.store(*address, *value, *bits, Some(0), cause, Some(&adapted))? {
                    self.inexplicable();
                }
                return Ok(());
            }
            Some(CommandKind::Assert { condition, .. }) if violation.kind == ViolationKind::Assert => {
                let cause = Cause { expr: Some(*condition), ..cause };
                let held = self.value_or(*condition, Some(0), cause)?;
                let failed = self.terms.not(held);
                self.machine.assume(self.terms, failed, cause);
                return Ok(());
            }
            Some(CommandKind::Fail(_)) => return Ok(()),
            Some(kind) => kind.operands(|id| roots.push(*id)),
            None => block.terminator.kind.operands(|id| roots.push(*id)),
        }
        for id in roots {
            let (_, ended) = self.view(cause, Some(violation), |terms, body, view| {
                // What comes after the violation does not matter, nor that it may have no term.
                let _ = expressions::value(terms, body, id, view);
            });
            if ended {
                return Ok(());
            }
        }
        self.inexplicable();
        Ok(())
    }

    /// That it failed depends on more than values: on what was never written, for one.
    fn inexplicable(&mut self) {
        self.machine.forget_checks();
        self.machine.note("why the last command failed has no formula; only how it was reached counts".to_owned());
    }

    fn fail_in_library(
        &mut self,
        function: FunctionId,
        arguments: &[(TermId, Type)],
        violation: &Violation,
        cause: Cause,
    ) -> Result<(), EncodeError> {
        let name = &self.program.function(function).name;
        let is_free = matches!(violation.kind, ViolationKind::DoubleFree | ViolationKind::InvalidFree);
        if let (true, Some(&(pointer, _))) = (is_free || is_access(violation.kind), arguments.first()) {
            let expr = cause.expr.unwrap_or(ExprId(0));
            let access = Access { address: pointer, base: Base::Pointer, bytes: 1, expr, site: cause.site };
            self.machine.invalid(self.terms, Reach { access, object: None, fixed: false }, cause);
            return Ok(());
        }
        self.machine.note(format!("why `{name}` failed has no formula"));
        Ok(())
    }
}

/// The name of the temporary that takes what `return` statements give.
const RESULT: &str = "%result";
