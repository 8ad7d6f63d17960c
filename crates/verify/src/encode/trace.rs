//! The second walk along a run: over variables, to write down its trace.
//!
//! A recorded failing run → [`EncodedTrace`]: one straight line of assignments, inputs and assumptions whose
//! last one is what went wrong. Executions of the line are the runs of the program that take the same branches
//! and fail in the same way; the recorded run is one of them.
//!
//! - Variables of each call are variables of their own. Memory is kept as `concrete` found best: places that
//!   are only accessed at constant addresses are variables, an array that is indexed is one array variable,
//!   and what pointers lead to lies in a memory that is shared by objects with elements of the same size, so
//!   that a pointer with another value reads what is there.
//! - A check that the run passed is no assumption: an alternative that breaks it fails in another way and is
//!   not saved. These stand beside the trace, as [`Check`]s.
//! - An input is `havoc`. Arguments of `main`, files, and what library functions do are constants.
//!
//! Imprecise: an alternative pointer is followed only to objects with elements of the same size, at a multiple
//! of that size; sizes of copies are those of the run; reading what was never written is not looked for.

use std::collections::{BTreeMap, BTreeSet};

use logic::control_flow::{Check, ErrorTrace, Origin, Part, Statement};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::BitVector;
use program::exec::memory::{Address, ObjectId, ObjectKind};
use program::exec::{Checks, CommandRef, Violation, ViolationKind};
use program::{CTypeId, FunctionId, Program, Site, Type, VarId};
use rustc_hash::FxHashMap;

use super::concrete::{Concrete, Keeping, Layout, Log, chunks};
use super::expressions::{Access, Base, offset_by, to_bytes};
use super::operators::sort_of;
use super::origins::{Place, Places, Target, What};
use super::recording::{MOST_STEPS, Recording};
use super::walk::{Begun, Cause, EncodeError, Frame, Input, Machine, Reach, Spot, Walk, Written};

/// A failing run as a trace.
pub struct EncodedTrace {
    pub terms: Terms,
    pub trace: ErrorTrace,
    /// Where the statements come from.
    pub places: Places,
    /// What the run's inputs were: the numbers of `havoc` statements, and the bits.
    pub inputs: Vec<(usize, u128)>,
    /// Where it failed, and in which call.
    pub failure: (CommandRef, u32),
    /// What weakens the answer, each once.
    pub notes: BTreeSet<String>,
}

/// Writes the trace of a recorded run; `arguments` is how many `main` got.
pub fn encode(
    program: &Program,
    checks: Checks,
    recording: &Recording,
    arguments: usize,
    violation: &Violation,
) -> Result<EncodedTrace, EncodeError> {
    let mut terms = Terms::new();
    let outline = Outline::new(program, checks, recording, arguments, violation)?;
    let (tracer, frame) = outline.follow(program, &mut terms)?;
    let Tracer { trace, places, inputs, notes, .. } = tracer;
    Ok(EncodedTrace { terms, trace, places, inputs, failure: (violation.at, frame), notes })
}

/// How a run is written down. With it, variants of the program that differ in expressions only are written over
/// the same variables, along the same path.
pub struct Outline<'r> {
    checks: Checks,
    recording: &'r Recording,
    arguments: usize,
    violation: &'r Violation,
    layout: Layout,
    log: Log,
}

impl<'r> Outline<'r> {
    pub fn new(
        program: &Program,
        checks: Checks,
        recording: &'r Recording,
        arguments: usize,
        violation: &'r Violation,
    ) -> Result<Outline<'r>, EncodeError> {
        if recording.is_truncated() {
            return Err(EncodeError::TooLong(MOST_STEPS));
        }
        let mut terms = Terms::new();
        let mut concrete = Concrete::new(program);
        Walk::new(program, checks, &mut terms, &mut concrete).follow(recording, arguments, violation)?;
        let (layout, log) = concrete.finish();
        Ok(Outline { checks, recording, arguments, violation, layout, log })
    }

    /// The trace of a variant, in the arena of the original. Symbols that stand for no variable of the program
    /// are fresh ones. A variant that accesses memory more or less often has no meaningful trace.
    pub fn variant(&self, program: &Program, terms: &mut Terms) -> Result<ErrorTrace, EncodeError> {
        Ok(self.follow(program, terms)?.0.trace)
    }

    /// With the call in which it fails.
    fn follow<'p>(&self, program: &'p Program, terms: &mut Terms) -> Result<(Tracer<'p>, u32), EncodeError> {
        let mut tracer = Tracer::new(program, self.layout.clone(), self.log.clone());
        let walk = Walk::new(program, self.checks, terms, &mut tracer);
        let frame = walk.follow(self.recording, self.arguments, self.violation)?;
        Ok((tracer, frame))
    }
}

/// A live object.
#[derive(Clone, Copy, Debug)]
struct Living {
    kind: ObjectKind,
    size: u64,
}

struct Tracer<'p> {
    program: &'p Program,
    layout: Layout,
    values: std::vec::IntoIter<u128>,
    objects: std::vec::IntoIter<ObjectId>,
    variables: FxHashMap<(u32, VarId), TermId>,
    cells: FxHashMap<(ObjectId, i64, u32), TermId>,
    arrays: FxHashMap<ObjectId, TermId>,
    /// Contents and sizes of objects, for each element size.
    shared: BTreeMap<u32, (TermId, TermId)>,
    living: BTreeMap<ObjectId, Living>,
    /// Contents of objects before the run.
    initial: BTreeMap<ObjectId, Vec<u8>>,
    returned: Vec<(TermId, Type)>,
    trace: ErrorTrace,
    places: Places,
    inputs: Vec<(usize, u128)>,
    notes: BTreeSet<String>,
    /// Under which checks count.
    condition: Option<TermId>,
    is_explicable: bool,
    is_ready: bool,
}

impl<'p> Tracer<'p> {
    fn new(program: &'p Program, layout: Layout, log: Log) -> Tracer<'p> {
        let Log { values, objects, is_explicable } = log;
        Tracer {
            program,
            layout,
            values: values.into_iter(),
            objects: objects.into_iter(),
            variables: FxHashMap::default(),
            cells: FxHashMap::default(),
            arrays: FxHashMap::default(),
            shared: BTreeMap::new(),
            living: BTreeMap::new(),
            initial: BTreeMap::new(),
            returned: Vec::new(),
            trace: ErrorTrace::default(),
            places: Places::default(),
            inputs: Vec::new(),
            notes: BTreeSet::new(),
            condition: None,
            is_explicable,
            is_ready: false,
        }
    }

    fn origin(&mut self, cause: Cause, target: Option<Target>) -> Origin {
        let Cause { what, at, site, expr, until, frame } = cause;
        self.places.add(Place { what, at, site, expr, until, frame, target })
    }

    fn next_value(&mut self) -> u128 {
        self.values.next().unwrap_or(0)
    }

    /// The term of a program variable.
    fn variable_term(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId) -> TermId {
        let program = self.program;
        *self.variables.entry((frame.instance, variable)).or_insert_with(|| {
            let function = program.function(frame.function);
            let declared = function.body.as_ref().map(|body| body.variable(variable));
            let (name, ty) = declared.map_or(("", Type::I32), |it| (it.name.as_str(), it.ty));
            terms.variable(&format!("{}.{}#{}", function.name, name, frame.instance), sort_of(ty))
        })
    }

    fn variable_target(&self, frame: &Frame, variable: VarId, value: u128) -> Option<Target> {
        let body = self.program.function(frame.function).body.as_ref()?;
        let declared = body.variable(variable);
        Some(Target { name: declared.name.clone(), ty: declared.ty, ctype: declared.ctype, value })
    }

    fn cell(&mut self, terms: &mut Terms, object: ObjectId, offset: i64, bytes: u32) -> TermId {
        let name = self.object_name(object);
        *self.cells.entry((object, offset, bytes)).or_insert_with(|| {
            terms.variable(&format!("{name}+{offset}:{bytes}#{}", object.0), Sort::BitVector(8 * bytes))
        })
    }

    fn array(&mut self, terms: &mut Terms, object: ObjectId, width: u32) -> TermId {
        let name = self.object_name(object);
        *self.arrays.entry(object).or_insert_with(|| {
            let sort = terms.array_sort(Sort::BitVector(64), Sort::BitVector(8 * width));
            terms.variable(&format!("{name}[{width}]#{}", object.0), sort)
        })
    }

    /// Contents and sizes.
    fn shared(&mut self, terms: &mut Terms, width: u32) -> (TermId, TermId) {
        *self.shared.entry(width).or_insert_with(|| {
            let contents = terms.array_sort(Sort::BitVector(64), Sort::BitVector(8 * width));
            let sizes = terms.array_sort(Sort::BitVector(32), Sort::BitVector(32));
            (terms.variable(&format!("memory:{width}"), contents), terms.variable(&format!("sizes:{width}"), sizes))
        })
    }

    fn object_name(&self, object: ObjectId) -> String {
        match self.living.get(&object).map(|it| it.kind) {
            Some(ObjectKind::Global(global)) => self.program.global(global).name.clone(),
            Some(ObjectKind::Local { function, local }) => {
                let body = self.program.function(function).body.as_ref();
                body.map_or_else(String::new, |body| body.locals[local.index()].name.clone())
            }
            Some(ObjectKind::Heap) => "heap".to_owned(),
            _ => "object".to_owned(),
        }
    }

    fn object_type(&self, object: ObjectId) -> Option<CTypeId> {
        match self.living.get(&object)?.kind {
            ObjectKind::Global(global) => self.program.global(global).ctype,
            ObjectKind::Local { function, local } => {
                self.program.function(function).body.as_ref()?.locals[local.index()].ctype
            }
            _ => None,
        }
    }

    fn object_site(&self, object: ObjectId) -> Site {
        match self.living.get(&object).map(|it| it.kind) {
            Some(ObjectKind::Global(global)) => self.program.global(global).site,
            _ => Site::NONE,
        }
    }

    fn push(&mut self, statement: Statement) {
        self.trace.statements.push(statement);
    }

    fn check(&mut self, terms: &mut Terms, holds: TermId, cause: Cause) {
        let holds = match self.condition {
            Some(condition) => terms.implies(condition, holds),
            None => holds,
        };
        if holds == terms.true_term() {
            return;
        }
        let before = self.trace.statements.len();
        let origin = self.origin(cause, None);
        self.trace.checks.push(Check { before, holds, origin });
    }

    /// Whether an access through any pointer is valid and to an object with such elements.
    fn is_valid_shared(&mut self, terms: &mut Terms, address: TermId, bytes: u32, width: u32) -> TermId {
        let (_, sizes) = self.shared(terms, width);
        let (number, offset) = (terms.bv_extract(63, 32, address), terms.bv_extract(31, 0, address));
        let size = terms.select(sizes, number);
        fits(terms, offset, bytes, size)
    }

    /// Whether an access is inside of one object.
    fn is_valid_in(&mut self, terms: &mut Terms, object: ObjectId, address: TermId, bytes: u32) -> TermId {
        let size = self.living.get(&object).map_or(0, |it| it.size);
        let offset = distance(terms, address, object);
        let size = terms.bv(64, size);
        fits(terms, offset, bytes, size)
    }

    fn is_valid_anywhere(&mut self, terms: &mut Terms, address: TermId, bytes: u32) -> TermId {
        let mut valid = Vec::new();
        for width in self.layout.shared() {
            valid.push(self.is_valid_shared(terms, address, bytes, width));
        }
        let others: Vec<ObjectId> = self
            .living
            .iter()
            .filter(|(object, it)| {
                !matches!(self.layout.of(**object), Some(Keeping::Shared(_)))
                    && !matches!(it.kind, ObjectKind::Function(_))
            })
            .map(|(object, _)| *object)
            .collect();
        for object in others {
            valid.push(self.is_valid_in(terms, object, address, bytes));
        }
        terms.or(&valid)
    }

    /// The array that holds an object, the index of an address in it, and its elements' bytes.
    fn home(
        &mut self,
        terms: &mut Terms,
        object: ObjectId,
        keeping: Keeping,
        address: TermId,
    ) -> (TermId, TermId, u32) {
        match keeping {
            Keeping::Shared(width) => (self.shared(terms, width).0, address, width),
            Keeping::Array(width) => (self.array(terms, object, width), distance(terms, address, object), width),
            Keeping::Cells => unreachable!("cells have variables of their own"),
        }
    }

    /// Demands that an access stays where its bytes are kept.
    fn demand_validity(&mut self, terms: &mut Terms, object: ObjectId, keeping: Keeping, access: Access, cause: Cause) {
        let valid = match keeping {
            Keeping::Cells => return,
            Keeping::Array(_) => self.is_valid_in(terms, object, access.address, access.bytes),
            Keeping::Shared(width) => self.is_valid_shared(terms, access.address, access.bytes, width),
        };
        let aligned = match keeping {
            Keeping::Shared(width) | Keeping::Array(width) if width > 1 => {
                let low = terms.bv_extract(width.trailing_zeros() - 1, 0, access.address);
                let zero = terms.bv(width.trailing_zeros(), 0);
                terms.eq(low, zero)
            }
            _ => terms.true_term(),
        };
        let holds = terms.and2(valid, aligned);
        self.check(terms, holds, Cause { what: What::Passed(ViolationKind::OutOfBoundsAbove), ..cause });
    }

    fn read(&mut self, terms: &mut Terms, object: ObjectId, keeping: Keeping, access: Access) -> TermId {
        if keeping == Keeping::Cells {
            let offset = cell_offset(terms, access.address, object);
            return self.cell(terms, object, offset, access.bytes);
        }
        let (array, index, width) = self.home(terms, object, keeping, access.address);
        read_array(terms, array, index, width, access.bytes)
    }

    /// Writes bytes that are given as a term with a hole in it, if there is one.
    #[expect(clippy::too_many_arguments, reason = "one write, asked for in two places")]
    fn write_to(
        &mut self,
        terms: &mut Terms,
        object: ObjectId,
        keeping: Keeping,
        access: Access,
        bytes: TermId,
        hole: Option<(TermId, TermId)>,
        origin: Origin,
    ) {
        let (variable, whole) = match keeping {
            Keeping::Cells => {
                let offset = cell_offset(terms, access.address, object);
                (self.cell(terms, object, offset, access.bytes), bytes)
            }
            _ => {
                let (array, index, width) = self.home(terms, object, keeping, access.address);
                (array, write_array(terms, array, index, width, bytes))
            }
        };
        let statement = match hole {
            Some((hole, written)) if whole == hole => Statement::assign(variable, written, origin),
            Some((hole, written)) => Statement::assign_part(terms, variable, Part { hole, written, whole }, origin),
            None => Statement::assign(variable, whole, origin),
        };
        self.push(statement);
    }

    fn keeping(&self, object: ObjectId, bytes: u32) -> Keeping {
        self.layout.of(object).unwrap_or(Keeping::Shared(bytes))
    }

    fn set_size(&mut self, terms: &mut Terms, object: ObjectId, width: u32, size: TermId, cause: Cause) {
        let (_, sizes) = self.shared(terms, width);
        let number = terms.bv(32, u64::from(object.0));
        let value = terms.store(sizes, number, size);
        let origin = self.origin(Cause { what: What::Bookkeeping, ..cause }, None);
        self.push(Statement::assign(sizes, value, origin));
    }

    /// Constant bytes, in pieces as they are kept.
    fn write_constant(&mut self, terms: &mut Terms, address: Address, bytes: &[u8], cause: Cause) {
        let object = address.object();
        let Some(keeping) = self.layout.of(object) else { return };
        let start = address.offset();
        let end = start + bytes.len() as i64;
        if let Keeping::Array(width) | Keeping::Shared(width) = keeping {
            return self.write_constant_array(terms, address, bytes, keeping, width, cause);
        }
        let touched: Vec<(i64, u32)> = self
            .layout
            .ranges(object)
            .iter()
            .copied()
            .filter(|&(offset, size)| offset < end && offset + i64::from(size) > start)
            .collect();
        for (offset, size) in touched {
            let cell = self.cell(terms, object, offset, size);
            let byte = |terms: &mut Terms, at: i64| match usize::try_from(at - start).ok().and_then(|at| bytes.get(at))
            {
                Some(byte) => terms.bv(8, u64::from(*byte)),
                None => terms.bv_extract(8 * (at - offset) as u32 + 7, 8 * (at - offset) as u32, cell),
            };
            let first = byte(terms, offset);
            let value = (1..i64::from(size)).fold(first, |low, index| {
                let high = byte(terms, offset + index);
                terms.bv_concat(high, low)
            });
            let target = self.cell_target(terms, object, offset, size, value);
            let origin = self.origin(cause, target);
            self.push(Statement::assign(cell, value, origin));
        }
    }

    fn write_constant_array(
        &mut self,
        terms: &mut Terms,
        address: Address,
        bytes: &[u8],
        keeping: Keeping,
        width: u32,
        cause: Cause,
    ) {
        let object = address.object();
        let base = terms.bv(64, address.0);
        let (array, _, _) = self.home(terms, object, keeping, base);
        let (start, end) = (address.0, address.0 + bytes.len() as u64);
        let size = u64::from(width);
        let mut value = array;
        let mut element = start / size * size;
        while element < end {
            let at = terms.bv(64, element);
            let (_, index, _) = self.home(terms, object, keeping, at);
            let parts =
                |terms: &mut Terms, byte: u64| match byte.checked_sub(start).and_then(|at| bytes.get(at as usize)) {
                    Some(byte) => terms.bv(8, u64::from(*byte)),
                    None => {
                        let old = terms.select(array, index);
                        let low = 8 * (byte - element) as u32;
                        terms.bv_extract(low + 7, low, old)
                    }
                };
            let first = parts(terms, element);
            let whole = (1..size).fold(first, |low, offset| {
                let high = parts(terms, element + offset);
                terms.bv_concat(high, low)
            });
            value = terms.store(value, index, whole);
            element += size;
        }
        let origin = self.origin(Cause { what: What::Bookkeeping, ..cause }, None);
        self.push(Statement::assign(array, value, origin));
    }

    fn cell_target(&self, terms: &Terms, object: ObjectId, offset: i64, bytes: u32, value: TermId) -> Option<Target> {
        let value = terms.as_bv(value)?.to_u128()?;
        let whole = self.living.get(&object).is_some_and(|it| it.size == u64::from(bytes));
        let name = self.object_name(object);
        let name = if whole { name } else { format!("{name}+{offset}") };
        let ctype = if whole { self.object_type(object) } else { None };
        Some(Target { name, ty: Type::Int(8 * bytes as u16), ctype, value })
    }

    /// Gives objects that exist from the start their contents.
    fn write_initial(&mut self, terms: &mut Terms) {
        let cause = Cause { what: What::Initial, at: None, site: Site::NONE, expr: None, until: None, frame: 0 };
        for width in self.layout.shared() {
            let (contents, sizes) = self.shared(terms, width);
            for (array, element) in [(contents, 8 * width), (sizes, 32)] {
                let zero = terms.bv(element, 0);
                let value = terms.const_array(terms.sort(array), zero);
                let origin = self.origin(Cause { what: What::Bookkeeping, ..cause }, None);
                self.push(Statement::assign(array, value, origin));
            }
        }
        let initial = std::mem::take(&mut self.initial);
        for (object, bytes) in initial {
            let site = self.object_site(object);
            let is_global = matches!(
                self.living.get(&object).map(|it| it.kind),
                Some(ObjectKind::Global(global)) if !self.program.global(global).constant
            );
            let what = if is_global { What::Initial } else { What::Bookkeeping };
            let cause = Cause { what, site, ..cause };
            match self.layout.of(object) {
                None => continue,
                Some(Keeping::Array(width)) => self.clear_array(terms, object, width, cause),
                Some(Keeping::Shared(width)) => {
                    let size = terms.bv(32, bytes.len() as u64);
                    self.set_size(terms, object, width, size, cause);
                }
                Some(Keeping::Cells) => {}
            }
            let is_zero = bytes.iter().all(|&byte| byte == 0);
            if !is_zero || self.layout.of(object) == Some(Keeping::Cells) {
                let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                let kept = if self.layout.of(object) == Some(Keeping::Cells) { bytes.len() } else { used };
                self.write_constant(terms, Address::new(object, 0), &bytes[..kept], cause);
            }
        }
    }

    fn clear_array(&mut self, terms: &mut Terms, object: ObjectId, width: u32, cause: Cause) {
        let array = self.array(terms, object, width);
        let zero = terms.bv(8 * width, 0);
        let value = terms.const_array(terms.sort(array), zero);
        let origin = self.origin(Cause { what: What::Bookkeeping, ..cause }, None);
        self.push(Statement::assign(array, value, origin));
    }
}

/// The distance of an address from an object's start.
fn distance(terms: &mut Terms, address: TermId, object: ObjectId) -> TermId {
    let base = terms.bv(64, Address::new(object, 0).0);
    terms.bv_sub(address, base)
}

fn cell_offset(terms: &Terms, address: TermId, object: ObjectId) -> i64 {
    let address = terms.as_bv(address).and_then(|it| it.to_u64()).unwrap_or_default();
    address.wrapping_sub(Address::new(object, 0).0) as i64
}

/// `offset + bytes <= size` without overflow.
fn fits(terms: &mut Terms, offset: TermId, bytes: u32, size: TermId) -> TermId {
    let width = terms.width(size);
    let bytes = terms.bv(width, u64::from(bytes));
    let room = terms.bv_sub(size, bytes);
    let (large, inside) = (terms.bv_ule(bytes, size), terms.bv_ule(offset, room));
    terms.and2(large, inside)
}

fn read_array(terms: &mut Terms, array: TermId, index: TermId, width: u32, bytes: u32) -> TermId {
    let first = terms.select(array, index);
    (1..bytes / width).fold(first, |low, element| {
        let index = offset_by(terms, index, u64::from(element * width));
        let high = terms.select(array, index);
        terms.bv_concat(high, low)
    })
}

fn write_array(terms: &mut Terms, array: TermId, index: TermId, width: u32, value: TermId) -> TermId {
    let elements = terms.width(value) / (8 * width);
    (0..elements).fold(array, |array, element| {
        let index = offset_by(terms, index, u64::from(element * width));
        let low = 8 * width * element;
        let part = terms.bv_extract(low + 8 * width - 1, low, value);
        terms.store(array, index, part)
    })
}

impl Machine for Tracer<'_> {
    fn variable(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId) -> TermId {
        self.variable_term(terms, frame, variable)
    }

    fn load(&mut self, terms: &mut Terms, reach: Reach, cause: Cause) -> TermId {
        let object = self.objects.next().unwrap_or(ObjectId(0));
        let keeping = self.keeping(object, reach.access.bytes);
        self.demand_validity(terms, object, keeping, reach.access, cause);
        self.read(terms, object, keeping, reach.access)
    }

    fn assign(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId, value: TermId, cause: Cause) {
        let observed = self.next_value();
        let target = self.variable_target(frame, variable, observed);
        let term = self.variable_term(terms, frame, variable);
        let origin = self.origin(cause, target);
        self.push(Statement::assign(term, value, origin));
    }

    fn store(&mut self, terms: &mut Terms, reach: Reach, written: Written, cause: Cause) {
        let object = self.objects.next().unwrap_or(ObjectId(0));
        let observed = self.next_value();
        let access = reach.access;
        let keeping = self.keeping(object, access.bytes);
        self.demand_validity(terms, object, keeping, access, cause);
        let hole = terms.fresh("written", terms.sort(written.value));
        let new = to_bytes(terms, hole, written.ty);
        let bytes = match written.field {
            None => new,
            Some((shift, width)) => {
                let old = self.read(terms, object, keeping, access);
                insert_bits(terms, old, new, shift, width)
            }
        };
        let whole = self.living.get(&object).is_some_and(|it| it.size == u64::from(access.bytes));
        let ctype = if whole { self.object_type(object) } else { None };
        let target = Target { name: self.object_name(object), ty: written.ty, ctype, value: observed };
        let origin = self.origin(cause, Some(target));
        self.write_to(terms, object, keeping, access, bytes, Some((hole, written.value)), origin);
    }

    fn havoc(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId, input: Input, cause: Cause) {
        let observed = self.next_value();
        let target = self.variable_target(frame, variable, observed);
        let term = self.variable_term(terms, frame, variable);
        let origin = self.origin(cause, target);
        self.inputs.push((self.trace.statements.len(), observed));
        let sort = terms.sort(term);
        if !input.boolean || sort == Sort::Bool {
            self.push(Statement::havoc(term, origin));
            return;
        }
        let choice = terms.fresh("choice", Sort::Bool);
        self.push(Statement::havoc(choice, origin));
        let value = terms.bv_from_bool(terms.width(term), choice);
        let origin = self.origin(Cause { what: What::Bookkeeping, ..cause }, None);
        self.push(Statement::assign(term, value, origin));
    }

    fn give_back(&mut self, terms: &mut Terms, function: FunctionId, values: &[(TermId, Type)], cause: Cause) {
        let name = self.program.function(function).name.clone();
        self.returned.clear();
        for (position, &(value, ty)) in values.iter().enumerate() {
            let observed = self.next_value();
            let variable = terms.variable(&format!("{name}.return{position}#{}", cause.frame), terms.sort(value));
            let target = Target { name: format!("the result of `{name}`"), ty, ctype: None, value: observed };
            let origin = self.origin(cause, Some(target));
            self.push(Statement::assign(variable, value, origin));
            self.returned.push((variable, ty));
        }
    }

    fn given_back(&mut self, terms: &mut Terms, position: usize, ty: Type) -> TermId {
        match self.returned.get(position) {
            Some(&(value, from)) => super::operators::convert(terms, value, from, ty),
            None => super::operators::literal(terms, 0, ty),
        }
    }

    fn assume(&mut self, _: &mut Terms, condition: TermId, cause: Cause) {
        let origin = self.origin(cause, None);
        self.push(Statement::assume(condition, origin));
    }

    fn under(&mut self, condition: Option<TermId>) {
        self.condition = condition;
    }

    fn passed(&mut self, terms: &mut Terms, holds: TermId, cause: Cause) {
        self.check(terms, holds, cause);
    }

    fn invalid(&mut self, terms: &mut Terms, reach: Reach, cause: Cause) {
        if !self.is_explicable {
            self.note("why the last access failed has no formula; only how it was reached counts".to_owned());
            return;
        }
        let Access { address, bytes, .. } = reach.access;
        let valid = match (reach.object, cause.what) {
            (_, What::Failure(ViolationKind::DoubleFree | ViolationKind::InvalidFree)) => {
                let starts: Vec<u64> = self
                    .living
                    .iter()
                    .filter(|(_, it)| it.kind == ObjectKind::Heap)
                    .map(|(object, _)| Address::new(*object, 0).0)
                    .chain([0])
                    .collect();
                let here = |start| {
                    let start = terms.bv(64, start);
                    terms.eq(address, start)
                };
                let valid: Vec<TermId> = starts.into_iter().map(here).collect();
                terms.or(&valid)
            }
            (_, What::Failure(ViolationKind::WriteToConstant)) => terms.false_term(),
            (Some(object), _) => self.is_valid_in(terms, object, address, bytes),
            (None, _) => self.is_valid_anywhere(terms, address, bytes),
        };
        let invalid = terms.not(valid);
        self.assume(terms, invalid, cause);
    }

    fn begin(&mut self, terms: &mut Terms, object: &Begun, size: Option<TermId>, cause: Cause) {
        let id = object.address.object();
        self.living.insert(id, Living { kind: object.kind, size: object.size });
        if !self.is_ready {
            self.initial.insert(id, vec![0; object.size as usize]);
            return;
        }
        match self.layout.of(id) {
            Some(Keeping::Shared(width)) => {
                let size = match size {
                    Some(size) => self.allocated(terms, size, object.size, cause),
                    None => terms.bv(32, object.size),
                };
                self.set_size(terms, id, width, size, cause);
            }
            Some(Keeping::Array(width)) if object.zeroed => self.clear_array(terms, id, width, cause),
            Some(Keeping::Cells) if object.zeroed => {
                let zeros = vec![0; object.size as usize];
                self.write_constant(terms, object.address, &zeros, Cause { what: What::Bookkeeping, ..cause });
            }
            _ => {}
        }
    }

    fn end(&mut self, terms: &mut Terms, object: ObjectId, cause: Cause) {
        if let Some(Keeping::Shared(width)) = self.layout.of(object) {
            let zero = terms.bv(32, 0);
            self.set_size(terms, object, width, zero, cause);
        }
        self.living.remove(&object);
    }

    fn write(&mut self, terms: &mut Terms, address: Address, bytes: &[u8], cause: Cause) {
        if self.is_ready {
            return self.write_constant(terms, address, bytes, cause);
        }
        let Some(object) = self.initial.get_mut(&address.object()) else { return };
        let start = address.offset() as usize;
        if let Some(place) = object.get_mut(start..start + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    fn copy(&mut self, terms: &mut Terms, to: Spot, from: Spot, length: u64, cause: Cause) {
        let (target, source) = (self.next_value() as u64, self.next_value() as u64);
        let mut pieces = Vec::new();
        for (offset, bytes) in chunks(Address(target), Address(source), length) {
            let (source_object, target_object) = (self.objects.next(), self.objects.next());
            let address = offset_by(terms, from.0, offset);
            let access = Access { address, base: Base::Pointer, bytes, expr: program::ExprId(0), site: cause.site };
            let object = source_object.unwrap_or(ObjectId(0));
            let keeping = self.keeping(object, bytes);
            self.demand_validity(terms, object, keeping, access, cause);
            let value = self.read(terms, object, keeping, access);
            let address = offset_by(terms, to.0, offset);
            pieces.push((target_object.unwrap_or(ObjectId(0)), Access { address, ..access }, value));
        }
        // Both may overlap: all is read before anything is written.
        let mut saved = Vec::new();
        for (object, access, value) in pieces {
            let temporary = terms.fresh("moved", terms.sort(value));
            let origin = self.origin(cause, None);
            self.push(Statement::assign(temporary, value, origin));
            saved.push((object, access, temporary, origin));
        }
        for (object, access, value, origin) in saved {
            let keeping = self.keeping(object, access.bytes);
            self.demand_validity(terms, object, keeping, access, cause);
            self.write_to(terms, object, keeping, access, value, None, origin);
        }
    }

    fn observed(&mut self, _: &mut Terms, _: TermId) -> u128 {
        self.next_value()
    }

    fn ready(&mut self, terms: &mut Terms) {
        self.write_initial(terms);
        self.is_ready = true;
    }

    fn forget_checks(&mut self) {
        let count = self.trace.statements.len();
        while self.trace.checks.last().is_some_and(|check| check.before >= count) {
            self.trace.checks.pop();
        }
    }

    fn note(&mut self, words: String) {
        self.notes.insert(words);
    }
}

impl Tracer<'_> {
    /// The size that was asked for, as a variable of its own: what stands in the call can be replaced.
    fn allocated(&mut self, terms: &mut Terms, size: TermId, observed: u64, cause: Cause) -> TermId {
        let variable = terms.fresh("allocated", Sort::BitVector(64));
        let target = Target { name: "the size".to_owned(), ty: Type::I64, ctype: None, value: u128::from(observed) };
        let origin = self.origin(Cause { what: What::Argument(0), ..cause }, Some(target));
        self.push(Statement::assign(variable, size, origin));
        let limit = terms.bv(64, 1 << 31);
        let small = terms.bv_ult(variable, limit);
        self.check(terms, small, Cause { what: What::Passed(ViolationKind::OutOfBoundsAbove), ..cause });
        terms.bv_extract(31, 0, variable)
    }
}

fn insert_bits(terms: &mut Terms, old: TermId, new: TermId, shift: u32, width: u32) -> TermId {
    let total = terms.width(old);
    let mask = BitVector::new(total, (u128::MAX >> (128 - width)) << shift);
    let (mask, others) = (terms.bv_value(&mask), terms.bv_value(&mask.not()));
    let new = terms.bv_resize(total, false, new);
    let amount = terms.bv(total, u64::from(shift));
    let moved = terms.bv_shl(new, amount);
    let (kept, placed) = (terms.bv_and(old, others), terms.bv_and(moved, mask));
    terms.bv_or(kept, placed)
}
