//! The first walk along a run: over constants, to learn how objects are accessed and what is written.
//!
//! Output: a [`Layout`] that says for each object how it is kept as variables, and the [`Log`] of values, in
//! the order in which the second walk asks for them.

use std::collections::BTreeMap;

use logic::terms::{TermId, Terms};
use logic::value::Value;
use program::exec::ViolationKind;
use program::exec::memory::{Address, ObjectId};
use program::{FunctionId, Program, Type, VarId};
use rustc_hash::FxHashMap;

use super::operators::literal;
use super::origins::What;
use super::walk::{Begun, Cause, Frame, Input, Machine, Reach, Spot, Written};

/// How an object is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// One variable for each place that is accessed: all addresses are constants, and no two accesses overlap
    /// in part.
    Cells,
    /// An array of its own, of elements with so many bytes: addresses are counted from the object.
    Array(u32),
    /// In the memory that is shared by all objects with elements of so many bytes: pointers lead there.
    Shared(u32),
}

/// How objects are kept. Objects that are never accessed are not in it.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// With the offsets and bytes of the accesses.
    objects: BTreeMap<ObjectId, (Keeping, Vec<(i64, u32)>)>,
}

impl Layout {
    pub fn of(&self, object: ObjectId) -> Option<Keeping> {
        self.objects.get(&object).map(|it| it.0)
    }

    /// Where an object is accessed.
    pub fn ranges(&self, object: ObjectId) -> &[(i64, u32)] {
        self.objects.get(&object).map_or(&[], |it| &it.1)
    }

    /// The element sizes of shared memory.
    pub fn shared(&self) -> Vec<u32> {
        let mut widths: Vec<u32> = self
            .objects
            .values()
            .filter_map(|it| match it.0 {
                Keeping::Shared(width) => Some(width),
                _ => None,
            })
            .collect();
        widths.sort_unstable();
        widths.dedup();
        widths
    }
}

/// What the run did, in the order of the walk.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// What assignments, stores and inputs wrote, and what was asked for.
    pub values: Vec<u128>,
    /// The object of each access.
    pub objects: Vec<ObjectId>,
    /// The last access is one that the formulas of accesses call invalid. One of a library function may begin
    /// well, and an index that leads out of all bounds is no plain sum.
    pub is_explicable: bool,
}

/// The accesses to one object.
#[derive(Clone, Debug, Default)]
struct Accesses {
    through_pointers: bool,
    computed: bool,
    /// Offset and bytes.
    ranges: BTreeMap<(i64, u32), ()>,
}

impl Accesses {
    fn keeping(&self) -> Keeping {
        let mut ranges = self.ranges.keys();
        let width = ranges.next().map_or(1, |&(_, bytes)| bytes);
        let uniform = width.is_power_of_two()
            && self.ranges.keys().all(|&(offset, bytes)| bytes == width && offset % i64::from(width) == 0);
        let element = if uniform { width } else { 1 };
        if self.through_pointers {
            return Keeping::Shared(element);
        }
        let apart = self.ranges.keys().zip(self.ranges.keys().skip(1));
        let disjoint = apart.into_iter().all(|(&(start, bytes), &(next, _))| start + i64::from(bytes) <= next);
        match self.computed || !disjoint {
            true => Keeping::Array(element),
            false => Keeping::Cells,
        }
    }
}

/// Follows a run over constants.
pub struct Concrete<'p> {
    program: &'p Program,
    variables: FxHashMap<(u32, VarId), u128>,
    memory: FxHashMap<ObjectId, Vec<u8>>,
    accesses: BTreeMap<ObjectId, Accesses>,
    returned: Vec<u128>,
    log: Log,
}

impl<'p> Concrete<'p> {
    pub fn new(program: &'p Program) -> Concrete<'p> {
        Concrete {
            program,
            variables: FxHashMap::default(),
            memory: FxHashMap::default(),
            accesses: BTreeMap::new(),
            returned: Vec::new(),
            log: Log::default(),
        }
    }

    pub fn finish(self) -> (Layout, Log) {
        let kept = |accesses: &Accesses| (accesses.keeping(), accesses.ranges.keys().copied().collect());
        let objects = self.accesses.iter().map(|(object, accesses)| (*object, kept(accesses))).collect();
        (Layout { objects }, self.log)
    }

    fn touch(&mut self, address: Address, bytes: u32, reach: Option<Reach>) {
        let object = reach.and_then(|reach| reach.object).unwrap_or(address.object());
        let accesses = self.accesses.entry(object).or_default();
        accesses.through_pointers |= reach.is_none_or(|reach| reach.object.is_none());
        accesses.computed |= reach.is_some_and(|reach| !reach.fixed);
        accesses.ranges.insert((address.0.wrapping_sub(Address::new(object, 0).0) as i64, bytes), ());
        self.log.objects.push(object);
    }

    fn bytes(&self, address: Address, length: u32) -> u128 {
        let Some(bytes) = self.memory.get(&address.object()) else { return 0 };
        let start = address.offset();
        (0..length).rev().fold(0, |value, index| {
            let byte = usize::try_from(start + i64::from(index)).ok().and_then(|at| bytes.get(at));
            value << 8 | u128::from(byte.copied().unwrap_or(0))
        })
    }

    fn put(&mut self, address: Address, bytes: &[u8]) {
        let Some(object) = self.memory.get_mut(&address.object()) else { return };
        let Ok(start) = usize::try_from(address.offset()) else { return };
        if let Some(place) = object.get_mut(start..start + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }
}

/// The bits of a constant; zero for what is none, which only happens behind a violation.
pub fn constant(terms: &Terms, term: TermId) -> u128 {
    match terms.as_value(term) {
        Some(Value::Bool(value)) => u128::from(value),
        Some(Value::BitVector(value)) => value.to_u128().unwrap_or(0),
        _ => 0,
    }
}

fn pointer(terms: &Terms, term: TermId) -> Address {
    Address(constant(terms, term) as u64)
}

impl Machine for Concrete<'_> {
    fn variable(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId) -> TermId {
        let bits = self.variables.get(&(frame.instance, variable)).copied().unwrap_or(0);
        let body = self.program.function(frame.function).body.as_ref();
        let ty = body.map_or(Type::I32, |body| body.variable(variable).ty);
        literal(terms, bits, ty)
    }

    fn load(&mut self, terms: &mut Terms, reach: Reach, _: Cause) -> TermId {
        let (address, bytes) = (pointer(terms, reach.access.address), reach.access.bytes);
        self.touch(address, bytes, Some(reach));
        let value = self.bytes(address, bytes);
        terms.bv_value(&logic::value::BitVector::new(8 * bytes, value))
    }

    fn assign(&mut self, terms: &mut Terms, frame: &Frame, variable: VarId, value: TermId, _: Cause) {
        let value = constant(terms, value);
        self.log.values.push(value);
        self.variables.insert((frame.instance, variable), value);
    }

    fn store(&mut self, terms: &mut Terms, reach: Reach, written: Written, _: Cause) {
        let (address, bytes) = (pointer(terms, reach.access.address), reach.access.bytes);
        self.touch(address, bytes, Some(reach));
        let mut value = constant(terms, written.value);
        self.log.values.push(value);
        if let Some((shift, width)) = written.field {
            let mask = (u128::MAX >> (128 - width)) << shift;
            value = self.bytes(address, bytes) & !mask | value << shift & mask;
        }
        self.put(address, &value.to_le_bytes()[..bytes as usize]);
    }

    fn havoc(&mut self, _: &mut Terms, frame: &Frame, variable: VarId, input: Input, _: Cause) {
        self.log.values.push(input.observed);
        self.variables.insert((frame.instance, variable), input.observed);
    }

    fn give_back(&mut self, terms: &mut Terms, _: FunctionId, values: &[(TermId, Type)], _: Cause) {
        self.returned = values.iter().map(|(value, _)| constant(terms, *value)).collect();
        self.log.values.extend(&self.returned);
    }

    fn given_back(&mut self, terms: &mut Terms, position: usize, ty: Type) -> TermId {
        literal(terms, self.returned.get(position).copied().unwrap_or(0), ty)
    }

    fn assume(&mut self, _: &mut Terms, _: TermId, _: Cause) {}

    fn under(&mut self, _: Option<TermId>) {}

    fn passed(&mut self, _: &mut Terms, _: TermId, _: Cause) {}

    fn invalid(&mut self, terms: &mut Terms, reach: Reach, cause: Cause) {
        let address = pointer(terms, reach.access.address);
        if reach.object.is_some() {
            self.touch(address, reach.access.bytes, Some(reach));
        }
        let end = address.offset() + i64::from(reach.access.bytes);
        let inside = |bytes: &Vec<u8>| address.offset() >= 0 && end as usize <= bytes.len();
        let is_free = matches!(cause.what, What::Failure(ViolationKind::DoubleFree | ViolationKind::InvalidFree));
        let is_constant = cause.what == What::Failure(ViolationKind::WriteToConstant);
        self.log.is_explicable = is_free || is_constant || !self.memory.get(&address.object()).is_some_and(inside);
    }

    fn begin(&mut self, _: &mut Terms, object: &Begun, _: Option<TermId>, _: Cause) {
        self.memory.insert(object.address.object(), vec![0; object.size as usize]);
    }

    fn end(&mut self, _: &mut Terms, object: ObjectId, _: Cause) {
        self.memory.remove(&object);
    }

    fn write(&mut self, _: &mut Terms, address: Address, bytes: &[u8], _: Cause) {
        self.put(address, bytes);
    }

    fn copy(&mut self, terms: &mut Terms, to: Spot, from: Spot, length: u64, _: Cause) {
        let (target, source) = (pointer(terms, to.0), pointer(terms, from.0));
        let bytes: Vec<u8> = (0..length).map(|at| self.bytes(source.plus(at as i64), 1) as u8).collect();
        for (offset, size) in chunks(target, source, length) {
            for (spot, address) in [(from, source), (to, target)] {
                let at = address.plus(offset as i64);
                let object = spot.1.unwrap_or(at.object());
                let accesses = self.accesses.entry(object).or_default();
                accesses.through_pointers |= spot.1.is_none();
                accesses.computed |= terms.as_bv(spot.0).is_none();
                accesses.ranges.insert((at.0.wrapping_sub(Address::new(object, 0).0) as i64, size), ());
                self.log.objects.push(object);
            }
        }
        self.log.values.push(u128::from(target.0));
        self.log.values.push(u128::from(source.0));
        self.put(target, &bytes);
    }

    fn observed(&mut self, terms: &mut Terms, term: TermId) -> u128 {
        let value = constant(terms, term);
        self.log.values.push(value);
        value
    }

    fn ready(&mut self, _: &mut Terms) {}

    fn forget_checks(&mut self) {}

    fn note(&mut self, _: String) {}
}

/// Pieces in which to copy: the largest words that fit both addresses.
pub fn chunks(to: Address, from: Address, length: u64) -> Vec<(u64, u32)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < length {
        let fits = |word: &u64| (to.0 + at).is_multiple_of(*word) && (from.0 + at).is_multiple_of(*word);
        let word = [8u64, 4, 2].into_iter().find(|word| at + word <= length && fits(word)).unwrap_or(1);
        pieces.push((at, word as u32));
        at += word;
    }
    pieces
}
