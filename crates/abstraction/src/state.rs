//! A set of states of a run at one place: numbers, pointers, objects.
//!
//! Pointers are sets of objects with one offset, which is a number like others. An object has cells, bytes
//! at constant offsets that are followed one by one, and a description of the rest.
//!
//! What holds: a variable or cell of pointer type that is not in `pointers` may be any pointer at all. A
//! pointer into an object that has ended, and whose identity is used again, has become such a wild one.

use imbl::ordmap::DiffItem;
use imbl::{OrdMap, OrdSet};
use program::{Initializer, Program};

use crate::numeric::{Dimension, Interval, Linear, Numbers, Numeric, Range, Thresholds};
use crate::places::{Object, ObjectId, Place, Places};

/// What a pointer may point to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Targets {
    /// Sorted.
    pub objects: Vec<ObjectId>,
    pub null: bool,
    /// Anything: no object, an ended one, or any object at any offset.
    pub wild: bool,
}

/// More targets than this are not told apart from "anything".
const MOST_TARGETS: usize = 24;

impl Targets {
    pub fn one(object: ObjectId) -> Targets {
        Targets { objects: vec![object], null: false, wild: false }
    }

    pub fn null() -> Targets {
        Targets { null: true, ..Targets::default() }
    }

    pub fn wild() -> Targets {
        Targets { objects: Vec::new(), null: true, wild: true }
    }

    pub fn is_nothing(&self) -> bool {
        self.objects.is_empty() && !self.null && !self.wild
    }

    #[must_use]
    pub fn join(&self, other: &Targets) -> Targets {
        if self.wild || other.wild {
            return Targets::wild();
        }
        let mut objects = self.objects.clone();
        objects.extend(&other.objects);
        objects.sort_unstable();
        objects.dedup();
        if objects.len() > MOST_TARGETS {
            return Targets::wild();
        }
        Targets { objects, null: self.null || other.null, wild: false }
    }

    pub fn is_within(&self, other: &Targets) -> bool {
        other.wild
            || (!self.wild
                && (other.null || !self.null)
                && self.objects.iter().all(|object| other.objects.binary_search(object).is_ok()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Alive,
    Ended,
    Either,
}

/// What the bytes are that no cell covers. Bytes that were never written are zero underneath.
#[derive(Clone, Debug, PartialEq)]
pub enum Rest {
    /// The initial contents of this global.
    Initial(ObjectId),
    Zero,
    /// Aligned elements of so many bytes, each a number of this range (read as signed) or such a pointer.
    Elements {
        bytes: u8,
        range: Range,
        pointer: Option<(Targets, Interval)>,
    },
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub bytes: u8,
    pub written: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ObjectState {
    pub life: Life,
    /// It stands for several objects: nothing can be said about one of them alone.
    pub many: bool,
    pub cells: OrdMap<u64, Cell>,
    pub rest: Rest,
    /// Every byte is written.
    pub written: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    pub numbers: Numbers,
    pub pointers: OrdMap<Dimension, (Targets, ())>,
    pub objects: OrdMap<ObjectId, ObjectState>,
    /// Variables that may be indeterminate.
    pub indeterminate: OrdSet<Dimension>,
    /// Globals that are not in `objects` may hold anything.
    pub unknown_globals: bool,
    /// The latest branches, for keeping states apart.
    pub history: Vec<u32>,
}

impl State {
    pub fn new(polyhedra: bool) -> State {
        State {
            numbers: Numbers::unconstrained(polyhedra),
            pointers: OrdMap::new(),
            objects: OrdMap::new(),
            indeterminate: OrdSet::new(),
            unknown_globals: false,
            history: Vec::new(),
        }
    }

    pub fn is_bottom(&self) -> bool {
        self.numbers.is_bottom()
    }

    pub fn targets(&self, dimension: Dimension) -> Targets {
        self.pointers.get(&dimension).map_or_else(Targets::wild, |entry| entry.0.clone())
    }

    pub fn set_targets(&mut self, dimension: Dimension, targets: Targets) {
        if targets.wild {
            self.pointers.remove(&dimension);
        } else {
            self.pointers.insert(dimension, (targets, ()));
        }
    }

    pub fn forget(&mut self, dimension: Dimension) {
        self.numbers.forget(dimension);
        self.pointers.remove(&dimension);
    }

    /// Globals come to be when they are first looked at.
    pub fn touch(&mut self, program: &Program, places: &mut Places, id: ObjectId) {
        if self.objects.contains_key(&id) {
            return;
        }
        let Object::Global(global) = places.object(id) else { return };
        let info = program.global(global);
        let known = !self.unknown_globals || info.constant;
        let bytes = match &info.init {
            Initializer::Bytes { bytes, addresses } if known => Some((bytes, addresses)),
            _ => None,
        };
        let terminator = places.dimension(Place::Terminator(id));
        self.numbers.forget(terminator);
        match bytes {
            // An address has no zero byte that could be relied on, but it has no known position of one either.
            Some((bytes, addresses)) if addresses.is_empty() => {
                let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len().min(info.size as usize));
                self.numbers.assign(terminator, &Linear::constant(length as i128));
            }
            _ => self
                .numbers
                .restrict(terminator, Range::of(Interval { low: Some(0), high: Some(i128::from(info.size)) })),
        }
        let rest = if bytes.is_some() { Rest::Initial(id) } else { Rest::Any };
        self.objects
            .insert(id, ObjectState { life: Life::Alive, many: false, cells: OrdMap::new(), rest, written: true });
    }

    /// Makes both sides know the same globals and cells, so that they can be compared.
    fn align(&mut self, other: &State, program: &Program, places: &mut Places) {
        let missing: Vec<ObjectId> = differences(&self.objects, &other.objects)
            .into_iter()
            .filter(|(id, mine, _)| mine.is_none() && matches!(places.object(*id), Object::Global(_)))
            .map(|(id, ..)| id)
            .collect();
        for id in missing {
            self.touch(program, places, id);
        }
    }

    /// Spells out cells that only one side has, as far as the other side's rest describes them.
    fn align_cells(&mut self, other: &mut State, program: &Program, places: &mut Places) {
        for (id, mine, theirs) in differences(&self.objects, &other.objects) {
            let (Some(mine), Some(theirs)) = (mine, theirs) else { continue };
            self.spell_out_missing(id, &mine, &theirs, program, places);
            other.spell_out_missing(id, &theirs, &mine, program, places);
        }
    }

    fn spell_out_missing(
        &mut self,
        id: ObjectId,
        mine: &ObjectState,
        theirs: &ObjectState,
        program: &Program,
        places: &mut Places,
    ) {
        let mut cells = mine.cells.clone();
        for (offset, cell) in &theirs.cells {
            if mine.cells.get(offset).is_none() && fits(mine, *offset, *cell) {
                spell_out(self, mine, id, *offset, *cell, program, places);
                cells.insert(*offset, Cell { written: mine.written, ..*cell });
            }
        }
        if let Some(object) = self.objects.get_mut(&id) {
            object.cells = cells;
        }
    }

    /// The cells' dimensions of an object.
    fn cell_dimension(places: &mut Places, object: ObjectId, offset: u64, cell: Cell) -> Dimension {
        places.dimension(Place::Cell { object, offset, bytes: cell.bytes })
    }

    /// A combination that contains both; `numbers` says how.
    fn combine(
        &self,
        other: &State,
        program: &Program,
        places: &mut Places,
        numbers: impl Fn(&Numbers, &Numbers) -> Numbers,
    ) -> State {
        let (mut left, mut right) = (self.clone(), other.clone());
        left.align(other, program, places);
        right.align(self, program, places);
        let mut objects = left.objects.clone();
        for (id, mine, theirs) in differences(&left.objects, &right.objects) {
            match (mine, theirs) {
                (Some(mine), Some(theirs)) => {
                    let joined = join_objects(id, (&mut left, &mine), (&mut right, &theirs), program, places);
                    objects.insert(id, joined);
                }
                // It exists on one side only: no pointer of the other side leads to it.
                (Some(_), None) => copy_object_dimensions(id, &left, &mut right, places),
                (None, Some(theirs)) => {
                    objects.insert(id, theirs);
                    copy_object_dimensions(id, &right, &mut left, places);
                }
                (None, None) => {}
            }
        }
        let mut pointers = left.pointers.clone();
        for (dimension, mine, theirs) in differences(&left.pointers, &right.pointers) {
            match mine.zip(theirs).map(|((mine, ()), (theirs, ()))| mine.join(&theirs)) {
                Some(joined) if !joined.wild => pointers.insert(dimension, (joined, ())),
                _ => pointers.remove(&dimension),
            };
        }
        State {
            numbers: numbers(&left.numbers, &right.numbers),
            pointers,
            objects,
            indeterminate: left.indeterminate.union(right.indeterminate),
            unknown_globals: left.unknown_globals || right.unknown_globals,
            history: left.history,
        }
    }

    #[must_use]
    pub fn join(&self, other: &State, program: &Program, places: &mut Places) -> State {
        if self.is_bottom() {
            return other.clone();
        }
        if other.is_bottom() {
            return self.clone();
        }
        self.combine(other, program, places, Numbers::join)
    }

    #[must_use]
    pub fn widen(&self, next: &State, thresholds: &Thresholds, program: &Program, places: &mut Places) -> State {
        self.combine(next, program, places, |old, new| old.widen(new, thresholds))
    }

    pub fn is_within(&self, other: &State, program: &Program, places: &mut Places) -> bool {
        if self.is_bottom() {
            return true;
        }
        if other.is_bottom() || (self.unknown_globals && !other.unknown_globals) {
            return false;
        }
        let (mut left, mut right) = (self.clone(), other.clone());
        left.align(other, program, places);
        right.align(self, program, places);
        left.align_cells(&mut right, program, places);
        let pointers = differences(&left.pointers, &right.pointers).into_iter().all(|(_, mine, theirs)| match theirs {
            Some((theirs, ())) => mine.is_some_and(|(mine, ())| mine.is_within(&theirs)),
            None => true,
        });
        let objects = differences(&left.objects, &right.objects).into_iter().all(|(_, mine, theirs)| match mine {
            Some(mine) => theirs.is_some_and(|theirs| object_within(&mine, &theirs)),
            None => true,
        });
        pointers
            && objects
            && left.indeterminate.is_subset(&right.indeterminate)
            && left.numbers.is_within(&right.numbers)
    }
}

/// The entries that two maps do not have alike, with the values of both.
fn differences<K: Ord + Copy, V: Clone + PartialEq>(
    left: &OrdMap<K, V>,
    right: &OrdMap<K, V>,
) -> Vec<(K, Option<V>, Option<V>)> {
    let entry = |difference| match difference {
        DiffItem::Add(key, value) => (*key, None, Some(V::clone(value))),
        DiffItem::Remove(key, value) => (*key, Some(V::clone(value)), None),
        DiffItem::Update { old: (key, old), new: (_, new) } => (*key, Some(V::clone(old)), Some(V::clone(new))),
    };
    left.diff(right).map(entry).collect()
}

/// Takes over what one state knows about an object that the other does not have.
fn copy_object_dimensions(id: ObjectId, from: &State, to: &mut State, places: &mut Places) {
    let mut dimensions: Vec<Dimension> =
        [Place::Size(id), Place::Terminator(id), Place::Written(id)].map(|place| places.dimension(place)).to_vec();
    if let Some(object) = from.objects.get(&id) {
        for (offset, cell) in &object.cells {
            dimensions.push(places.dimension(Place::Cell { object: id, offset: *offset, bytes: cell.bytes }));
        }
    }
    for dimension in dimensions {
        let range = from.numbers.range(&Linear::dimension(dimension));
        to.numbers.assign_range(dimension, range);
        match from.pointers.get(&dimension) {
            Some(entry) => to.pointers.insert(dimension, entry.clone()),
            None => to.pointers.remove(&dimension),
        };
    }
}

fn join_objects(
    id: ObjectId,
    left: (&mut State, &ObjectState),
    right: (&mut State, &ObjectState),
    program: &Program,
    places: &mut Places,
) -> ObjectState {
    let ((left, mine), (right, theirs)) = (left, right);
    let mut cells = OrdMap::new();
    let mut rest = join_rests(&mine.rest, &theirs.rest, program, places);
    for (offset, cell) in &mine.cells {
        match theirs.cells.get(offset) {
            Some(other) if other.bytes == cell.bytes => {
                cells.insert(*offset, Cell { bytes: cell.bytes, written: cell.written && other.written });
            }
            None if fits(theirs, *offset, *cell) => {
                spell_out(right, theirs, id, *offset, *cell, program, places);
                cells.insert(*offset, Cell { written: theirs.written && cell.written, ..*cell });
            }
            _ => rest = Rest::Any,
        }
    }
    for (offset, cell) in &theirs.cells {
        match mine.cells.get(offset) {
            Some(other) if other.bytes == cell.bytes => {}
            None if fits(mine, *offset, *cell) => {
                spell_out(left, mine, id, *offset, *cell, program, places);
                cells.insert(*offset, Cell { written: mine.written && cell.written, ..*cell });
            }
            _ => rest = Rest::Any,
        }
    }
    ObjectState {
        life: if mine.life == theirs.life { mine.life } else { Life::Either },
        many: mine.many || theirs.many,
        cells,
        rest,
        written: mine.written && theirs.written,
    }
}

/// No cell overlaps these bytes.
fn fits(object: &ObjectState, offset: u64, cell: Cell) -> bool {
    !object
        .cells
        .range(offset.saturating_sub(15)..offset + u64::from(cell.bytes))
        .any(|(start, other)| start + u64::from(other.bytes) > offset)
}

/// Gives a state a cell with what the rest of the object says about it.
fn spell_out(
    state: &mut State,
    object: &ObjectState,
    id: ObjectId,
    offset: u64,
    cell: Cell,
    program: &Program,
    places: &mut Places,
) {
    let dimension = State::cell_dimension(places, id, offset, cell);
    let (range, pointer) = rest_value(&object.rest, Some(offset), cell.bytes, program, places);
    match pointer {
        Some((targets, interval)) => {
            state.numbers.assign_range(dimension, Range::of(interval));
            state.set_targets(dimension, targets);
        }
        None => {
            state.numbers.assign_range(dimension, range);
            state.pointers.remove(&dimension);
        }
    }
}

/// A number, or what is known of a pointer at its place: targets and offsets.
pub type RestValue = (Range, Option<(Targets, Interval)>);

/// The signed number, or the pointer, that bytes of the rest may be; `offset` if it is known.
pub fn rest_value(rest: &Rest, offset: Option<u64>, bytes: u8, program: &Program, places: &mut Places) -> RestValue {
    match rest {
        Rest::Zero => (Range::constant(0), Some((Targets::null(), Interval::constant(0)))),
        Rest::Elements { bytes: width, range, pointer }
            if *width == bytes && offset.is_none_or(|offset| offset % u64::from(bytes) == 0) =>
        {
            (*range, pointer.clone())
        }
        Rest::Initial(global) => initial_value(*global, offset, bytes, program, places),
        _ => (Range::TOP, None),
    }
}

/// Tables longer than this are not looked through.
const MOST_ELEMENTS: u64 = 4096;

fn initial_value(id: ObjectId, offset: Option<u64>, bytes: u8, program: &Program, places: &mut Places) -> RestValue {
    let unknown = (Range::TOP, None);
    let Object::Global(global) = places.object(id) else { return unknown };
    let info = program.global(global);
    let Initializer::Bytes { bytes: contents, addresses } = &info.init else { return unknown };
    if bytes > 8 {
        return unknown;
    }
    let width = u64::from(bytes);
    let (first, last) = match offset {
        Some(offset) => (offset / width, offset / width),
        None if info.size / width <= MOST_ELEMENTS => (0, (info.size / width).saturating_sub(1)),
        None => return unknown,
    };
    let shift = offset.map_or(0, |offset| offset % width);
    let mut range = Range::of(Interval::EMPTY);
    let mut targets = Targets::default();
    let mut offsets = Interval::EMPTY;
    for element in first..=last {
        let start = element * width + shift;
        if let Some(address) = addresses.iter().find(|it| it.at < start + width && start < it.at + 8) {
            range = Range::TOP;
            let object = match address.object {
                program::Object::Global(global) => Object::Global(global),
                program::Object::Function(function) => Object::Function(function),
                _ => return unknown,
            };
            if address.at != start || width != 8 {
                return unknown;
            }
            targets = targets.join(&Targets::one(places.object_number(object)));
            offsets = offsets.join(Interval::constant(address.addend.into()));
            continue;
        }
        let byte = |at: u64| contents.get(at as usize).copied().unwrap_or(0);
        let bits = (0..width).rev().fold(0u64, |bits, index| bits << 8 | u64::from(byte(start + index)));
        let unused = 64 - 8 * u32::from(bytes);
        range = range.join(Range::constant(i128::from((bits << unused) as i64 >> unused)));
        targets = if bits == 0 { targets.join(&Targets::null()) } else { Targets::wild() };
    }
    (
        range,
        (width == 8 && !targets.wild)
            .then(|| (targets, if offsets.is_empty() { Interval::constant(0) } else { offsets })),
    )
}

/// A rest that describes what both do.
pub fn join_rests(left: &Rest, right: &Rest, program: &Program, places: &mut Places) -> Rest {
    if left == right {
        return left.clone();
    }
    let bytes = match (left, right) {
        (Rest::Elements { bytes, .. }, _) | (_, Rest::Elements { bytes, .. }) => *bytes,
        _ => 4,
    };
    let (range, pointer) = rest_value(left, None, bytes, program, places);
    let (other_range, other_pointer) = rest_value(right, None, bytes, program, places);
    let joined = range.join(other_range);
    let pointer = pointer
        .zip(other_pointer)
        .map(|((mine, offsets), (theirs, others))| (mine.join(&theirs), offsets.join(others)));
    let pointer = pointer.filter(|(targets, _)| !targets.wild);
    if joined == Range::TOP && pointer.is_none() {
        return Rest::Any;
    }
    // Elements of one width say nothing about those of another: zero and initial contents did.
    Rest::Elements { bytes, range: joined, pointer }
}

fn object_within(mine: &ObjectState, theirs: &ObjectState) -> bool {
    let rest = match (&mine.rest, &theirs.rest) {
        (_, Rest::Any) => true,
        (Rest::Zero, Rest::Elements { range, pointer, .. }) => {
            range.contains(0) && pointer.as_ref().is_none_or(|(targets, offsets)| targets.null && offsets.contains(0))
        }
        (Rest::Elements { bytes, range, pointer }, Rest::Elements { bytes: width, range: wider, pointer: more }) => {
            let pointers = match (pointer, more) {
                (_, None) => true,
                (Some((targets, offsets)), Some((wide, all))) => targets.is_within(wide) && offsets.is_within(*all),
                (None, Some(_)) => false,
            };
            bytes == width && range.is_within(*wider) && pointers
        }
        (left, right) => left == right,
    };
    let same_cells = mine.cells.keys().eq(theirs.cells.keys())
        && mine
            .cells
            .iter()
            .zip(&theirs.cells)
            .all(|((_, cell), (_, other))| cell.bytes == other.bytes && (cell.written || !other.written));
    rest && same_cells
        && (mine.life == theirs.life || theirs.life == Life::Either)
        && (theirs.many || !mine.many)
        && (mine.written || !theirs.written)
}
