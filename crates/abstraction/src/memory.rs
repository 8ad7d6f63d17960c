//! Memory: accesses and their checks, what is read, what a write leaves behind.
//!
//! Writes to one place of one object replace what was there; all others only add to it. Beside contents, two
//! positions are followed for each object: how many bytes from its start are written, and where its first
//! zero byte stands. They are numbers, so loops that move along a buffer are related to them.

use program::exec::ViolationKind;
use program::{ExprId, Load, Type};

use crate::analyzer::{Analyzer, Frame};
use crate::numeric::{Interval, Linear, Numeric, Range};
use crate::places::{Object, ObjectId, Place, Reading, is_number};
use crate::state::{Cell, Life, ObjectState, Rest, State, Targets, rest_value};
use crate::value::{Number, OFFSET, Pointer, Value};

/// Cells of one object beyond this number are not told apart.
const MOST_CELLS: usize = 96;

/// The bytes of an access.
#[derive(Clone, Debug)]
pub(crate) enum Extent {
    Bytes(u64),
    Computed(Number),
}

impl Extent {
    pub(crate) fn number(&self) -> Number {
        match self {
            Extent::Bytes(bytes) => Number::constant((*bytes).into(), OFFSET),
            Extent::Computed(number) => number.clone(),
        }
    }
}

/// What a stored byte can be, for the position of the first zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Zero,
    NotZero,
    Unknown,
}

impl Analyzer<'_> {
    /// An object's size as an expression.
    pub(crate) fn size(&mut self, object: ObjectId) -> Linear {
        match self.places.static_size(self.program, object) {
            Some(size) => Linear::constant(size.into()),
            None => Linear::dimension(self.places.dimension(Place::Size(object))),
        }
    }

    pub(crate) fn terminator(&mut self, object: ObjectId) -> Linear {
        Linear::dimension(self.places.dimension(Place::Terminator(object)))
    }

    fn is_constant(&self, object: ObjectId) -> bool {
        matches!(self.places.object(object), Object::Global(global) if self.program.global(global).constant)
    }

    /// Checks an access and keeps the states where it succeeds. The extent is at least one byte.
    pub(crate) fn access(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        expr: Option<ExprId>,
        pointer: &Pointer,
        extent: &Extent,
        write: bool,
    ) -> Pointer {
        let wild = pointer.targets.wild;
        let objects = pointer.targets.objects.clone();
        // An address that stands in a global's first contents may lead to one that nobody has looked at yet.
        for object in &objects {
            state.touch(self.program, &mut self.places, *object);
        }
        let mut proved = [true; 6];
        let [null, freed, scope, below, above, constant] = &mut proved;
        *null = !pointer.targets.null;
        let mut functions = false;
        for object in &objects {
            let Some(info) = state.objects.get(object).cloned() else {
                // A function, or nothing that is known.
                functions = true;
                continue;
            };
            let ended = info.life != Life::Alive;
            let heap = matches!(self.places.object(*object), Object::Heap(..));
            *freed &= !(ended && heap);
            *scope &= !ended || heap;
            *constant &= !(write && self.is_constant(*object));
            let size = self.size(*object);
            *below &= pointer.offset.range.interval.low.is_some_and(|low| low >= 0);
            *above &= self.is_inside(state, &pointer.offset, &extent.number(), &size);
            if objects.len() == 1 {
                let offset = pointer.offset.linear.as_ref();
                let low = offset.and_then(|offset| offset.scaled(-1));
                let extent = extent.number().linear;
                let high = offset.zip(extent.as_ref()).and_then(|(offset, extent)| offset.plus(extent)?.minus(&size));
                self.tell(frame, expr, ViolationKind::OutOfBoundsBelow, &[low]);
                self.tell(frame, expr, ViolationKind::OutOfBoundsAbove, &[high]);
            }
        }
        let kinds = [
            ViolationKind::NullDereference,
            ViolationKind::UseAfterFree,
            ViolationKind::UseAfterScope,
            ViolationKind::OutOfBoundsBelow,
            ViolationKind::OutOfBoundsAbove,
            ViolationKind::WriteToConstant,
        ];
        for (kind, proved) in kinds.into_iter().zip(proved) {
            if kind != ViolationKind::WriteToConstant || write {
                self.check(frame, expr, kind, proved && !wild && !functions);
            }
        }
        self.check(frame, expr, ViolationKind::WildPointer, !wild && !functions);
        self.keep_valid(state, pointer, extent)
    }

    /// Whether `offset + extent <= size`.
    fn is_inside(&self, state: &State, offset: &Number, extent: &Number, size: &Linear) -> bool {
        let room = state.numbers.bounds(size);
        let end = offset.range.interval.plus(extent.range.interval);
        if end.high.zip(room.low).is_some_and(|(end, room)| end <= room) {
            return true;
        }
        let sum = offset.linear.as_ref().zip(extent.linear.as_ref()).and_then(|(a, b)| a.plus(b)?.minus(size));
        sum.is_some_and(|excess| state.numbers.bounds(&excess).high.is_some_and(|high| high <= 0))
    }

    /// The states in which the pointer can be accessed, and what it is there.
    fn keep_valid(&mut self, state: &mut State, pointer: &Pointer, extent: &Extent) -> Pointer {
        let mut valid = pointer.clone();
        valid.targets.null = false;
        let is_unknown = |object: &ObjectId| {
            !state.objects.contains_key(object) && !matches!(self.places.object(*object), Object::Function(_))
        };
        if pointer.targets.wild || pointer.targets.objects.iter().any(is_unknown) {
            return Pointer { targets: Targets { null: false, ..Targets::wild() }, ..valid };
        }
        valid
            .targets
            .objects
            .retain(|object| state.objects.get(object).is_some_and(|object| object.life != Life::Ended || object.many));
        match valid.targets.objects[..] {
            [] => self.learned.push(Linear::constant(1)),
            [object] => {
                let size = self.size(object);
                let single = !state.objects[&object].many;
                if let Some(linear) = valid.offset.linear.clone().filter(|_| single) {
                    self.learned.extend(linear.scaled(-1));
                    self.learned.extend(extent.number().linear.and_then(|extent| linear.plus(&extent)?.minus(&size)));
                }
                let room = state.numbers.bounds(&size);
                let least = extent.number().range.interval.low.unwrap_or(0);
                let inside =
                    Range::of(Interval { low: Some(0), high: room.high.and_then(|high| high.checked_sub(least)) });
                valid.offset.range = valid.offset.range.meet(inside);
                valid.offset = self.refreshed(state, &valid.offset);
            }
            _ => valid.offset.range = valid.offset.range.meet(Range::of(Interval { low: Some(0), high: None })),
        }
        valid
    }

    pub(crate) fn load(&mut self, state: &mut State, frame: &Frame<'_>, id: ExprId, load: Load, ty: Type) -> Value {
        let pointer = self.pointer(state, frame, load.address);
        if let Some(bits) = load.bits {
            // Only the bytes of the field are touched; its value is whatever fits.
            let first = u64::from(bits.offset / 8);
            let end = (u64::from(bits.offset) + u64::from(bits.width)).div_ceil(8);
            let moved = self.shifted(state, &pointer, first as i128);
            self.access(state, frame, Some(id), &moved, &Extent::Bytes((end - first).max(1)), false);
            self.check(frame, Some(id), ViolationKind::Uninitialized, false);
            if !is_number(ty) {
                return Value::Other;
            }
            let width = u32::from(bits.width).clamp(1, 64);
            let reading = if bits.signed && width > 1 { Reading::signed(width) } else { Reading::unsigned(width) };
            let interval = if bits.signed && width == 1 { Interval::new(-1, 0) } else { reading.interval() };
            let value = Reading { bits: ty.bits(), signed: bits.signed && ty.bits() > 1 };
            return Value::Number(Number::of(Range::of(interval), value));
        }
        let bytes = u64::from(ty.bytes());
        let valid = self.access(state, frame, Some(id), &pointer, &Extent::Bytes(bytes), false);
        let written = load.copy || self.is_written(state, &valid, bytes);
        if !load.copy {
            self.check(frame, Some(id), ViolationKind::Uninitialized, written);
        }
        self.read(state, &valid, ty)
    }

    pub(crate) fn shifted(&mut self, state: &State, pointer: &Pointer, distance: i128) -> Pointer {
        if distance == 0 {
            return pointer.clone();
        }
        if pointer.targets.null || pointer.targets.wild {
            return Pointer::wild();
        }
        let offset = Number {
            reading: OFFSET,
            range: pointer.offset.range.plus(Range::constant(distance)),
            linear: pointer.offset.linear.as_ref().and_then(|linear| linear.plus_constant(distance)),
        };
        let offset = self.refreshed(state, &offset);
        Pointer { targets: pointer.targets.clone(), offset }
    }

    /// Whether all bytes of a valid access are written.
    pub(crate) fn is_written(&mut self, state: &mut State, pointer: &Pointer, bytes: u64) -> bool {
        if pointer.targets.wild {
            return false;
        }
        let objects = pointer.targets.objects.clone();
        objects.iter().all(|id| {
            let Some(object) = state.objects.get(id) else { return false };
            if object.written {
                return true;
            }
            if object.many {
                return false;
            }
            let constant = pointer.offset.as_constant();
            let cell = constant.and_then(|offset| object.cells.get(&(u64::try_from(offset).ok()?)));
            if cell.is_some_and(|cell| u64::from(cell.bytes) == bytes && cell.written) {
                return true;
            }
            let prefix = Linear::dimension(self.places.dimension(Place::Written(*id)));
            self.is_inside(state, &pointer.offset, &Number::constant(bytes.into(), OFFSET), &prefix)
        })
    }

    /// The value at a valid pointer.
    pub(crate) fn read(&mut self, state: &mut State, pointer: &Pointer, ty: Type) -> Value {
        if pointer.targets.wild || !(is_number(ty) || ty == Type::Pointer) || !ty.bits().is_multiple_of(8) {
            return unknown(ty);
        }
        let objects = pointer.targets.objects.clone();
        if let ([object], Some(offset)) = (&objects[..], pointer.offset.as_constant()) {
            if let Some(offset) = u64::try_from(offset).ok().filter(|_| !state.objects[object].many) {
                return self.read_cell(state, *object, offset, ty);
            }
        }
        let mut joined: Option<Value> = None;
        for object in objects {
            let value = self.read_somewhere(state, object, pointer.offset.range, ty);
            joined = Some(match joined {
                None => value,
                Some(before) => loose_join(before, value, ty),
            });
        }
        joined.unwrap_or_else(|| unknown(ty))
    }

    /// Bytes at a constant offset of one object: they become a cell.
    fn read_cell(&mut self, state: &mut State, object: ObjectId, offset: u64, ty: Type) -> Value {
        let bytes = ty.bytes() as u8;
        let info = state.objects[&object].clone();
        let dimension = self.places.dimension(Place::Cell { object, offset, bytes });
        if info.cells.get(&offset).is_none_or(|cell| cell.bytes != bytes) {
            let value = self.read_somewhere(state, object, Range::constant(offset.into()), ty);
            let overlapped = overlapping(&info, Interval::new(offset.into(), offset as i128 + i128::from(bytes) - 1));
            if !overlapped.is_empty() || info.cells.len() >= MOST_CELLS || matches!(value, Value::Other) {
                return value;
            }
            self.set_dimension(state, dimension, &value);
            let cell = Cell { bytes, written: info.written };
            if let Some(info) = state.objects.get_mut(&object) {
                info.cells.insert(offset, cell);
            }
        }
        if ty != Type::Pointer && state.pointers.contains_key(&dimension) {
            // A pointer read as a number.
            return Value::Number(Number::any(Reading::signed(ty.bits())));
        }
        self.read_dimension(state, dimension, ty, Reading::signed(ty.bits()))
    }

    /// Gives a dimension a value, in its own reading (signed for cells).
    pub(crate) fn set_dimension(&mut self, state: &mut State, dimension: crate::numeric::Dimension, value: &Value) {
        match value {
            Value::Number(number) => {
                state.pointers.remove(&dimension);
                match &number.linear {
                    Some(linear) => {
                        state.numbers.assign(dimension, linear);
                        state.numbers.restrict(dimension, number.range);
                    }
                    None => state.numbers.assign_range(dimension, number.range),
                }
            }
            Value::Pointer(pointer) if !pointer.targets.wild => {
                match &pointer.offset.linear {
                    Some(linear) => state.numbers.assign(dimension, linear),
                    None => state.numbers.assign_range(dimension, pointer.offset.range),
                }
                state.set_targets(dimension, pointer.targets.clone());
            }
            _ => state.forget(dimension),
        }
    }

    /// The value somewhere in a range of offsets.
    fn read_somewhere(&mut self, state: &mut State, id: ObjectId, offsets: Range, ty: Type) -> Value {
        let Some(object) = state.objects.get(&id).cloned() else { return unknown(ty) };
        let bytes = ty.bytes() as u8;
        let aligned = offsets.congruence.modulus % i128::from(bytes) == 0
            && offsets.congruence.residue.rem_euclid(i128::from(bytes)) == 0
            || offsets.interval.as_constant().is_some();
        if !aligned && !matches!(object.rest, Rest::Zero) {
            return unknown(ty);
        }
        let at = offsets.interval.as_constant().and_then(|offset| u64::try_from(offset).ok());
        let (range, pointer) = rest_value(&object.rest, at, bytes, self.program, &mut self.places);
        let mut value = match ty {
            Type::Pointer => pointer.map_or(Value::Pointer(Pointer::wild()), |(targets, interval)| {
                Value::Pointer(Pointer {
                    targets,
                    offset: Number { reading: OFFSET, range: Range::of(interval), linear: None },
                })
            }),
            _ => Value::Number(Number::of(range, Reading::signed(ty.bits()))),
        };
        let reach = offsets.interval.plus(Interval::new(0, i128::from(bytes) - 1));
        for (offset, cell) in overlapping(&object, reach) {
            if cell.bytes != bytes || !offset.is_multiple_of(u64::from(bytes)) {
                return unknown(ty);
            }
            let dimension = self.places.dimension(Place::Cell { object: id, offset, bytes });
            if ty != Type::Pointer && state.pointers.contains_key(&dimension) {
                return unknown(ty);
            }
            let here = self.read_dimension(state, dimension, ty, Reading::signed(ty.bits()));
            value = loose_join(value, here, ty);
        }
        value
    }

    /// Writes a value of `bytes` bytes through a valid pointer.
    pub(crate) fn write(&mut self, state: &mut State, pointer: &Pointer, value: &Value, ty: Type) {
        if pointer.targets.wild {
            self.havoc_memory(state);
            return;
        }
        let bytes = u64::from(ty.bytes());
        let objects = pointer.targets.objects.clone();
        let single = objects.len() == 1 && !state.objects[&objects[0]].many;
        let whole = ty.bits().is_multiple_of(8) && ty.bits() <= 64;
        let value = match value {
            Value::Number(number) if whole => Value::Number(number.read_as(Reading::signed(ty.bits()))),
            Value::Pointer(_) if whole => value.clone(),
            _ => Value::Other,
        };
        let stored = classify(&value, bytes);
        for object in objects {
            if single {
                self.move_terminator(state, object, &pointer.offset, bytes, stored);
                self.move_written(state, object, &pointer.offset, &Number::constant(bytes.into(), OFFSET));
            } else {
                self.blur_terminator(state, object, pointer.offset.range.interval.low);
            }
            let constant = pointer.offset.as_constant().and_then(|offset| u64::try_from(offset).ok());
            match constant.filter(|_| single && whole) {
                Some(offset) => self.write_cell(state, object, offset, bytes as u8, &value),
                None => self.write_somewhere(state, object, pointer.offset.range, bytes, &value),
            }
        }
    }

    fn write_cell(&mut self, state: &mut State, object: ObjectId, offset: u64, bytes: u8, value: &Value) {
        let Some(mut info) = state.objects.get(&object).cloned() else { return };
        for (start, cell) in overlapping(&info, Interval::new(offset.into(), offset as i128 + i128::from(bytes) - 1)) {
            info.cells.remove(&start);
            // What is left of it beside the new cell is not known.
            let inside = start >= offset && start + u64::from(cell.bytes) <= offset + u64::from(bytes);
            if !inside {
                info.rest = Rest::Any;
            }
        }
        if info.cells.len() >= MOST_CELLS || matches!(value, Value::Other) {
            // Without a cell of its own it is part of the rest.
            info.rest = Rest::Any;
            state.objects.insert(object, info);
            return;
        }
        info.cells.insert(offset, Cell { bytes, written: true });
        state.objects.insert(object, info);
        let dimension = self.places.dimension(Place::Cell { object, offset, bytes });
        self.set_dimension(state, dimension, value);
    }

    /// A write to one of several places: adds to what may be there.
    fn write_somewhere(&mut self, state: &mut State, id: ObjectId, offsets: Range, bytes: u64, value: &Value) {
        let Some(mut info) = state.objects.get(&id).cloned() else { return };
        let reach = offsets.interval.plus(Interval::new(0, i128::from(bytes) - 1));
        for (start, _) in overlapping(&info, reach) {
            // Cells that may be hit lose their identity.
            let cell = info.cells.remove(&start);
            info.rest = self.absorb_cell(state, id, &info, start, cell);
        }
        let aligned =
            offsets.congruence.modulus % bytes as i128 == 0 && offsets.congruence.residue % bytes as i128 == 0;
        let aligned = aligned || offsets.interval.as_constant().is_some_and(|offset| offset % bytes as i128 == 0);
        let added = match value {
            Value::Number(number) if aligned => {
                Rest::Elements { bytes: bytes as u8, range: number.range, pointer: None }
            }
            Value::Pointer(pointer) if aligned && !pointer.targets.wild => Rest::Elements {
                bytes: bytes as u8,
                range: Range::TOP,
                pointer: Some((pointer.targets.clone(), pointer.offset.range.interval)),
            },
            _ => Rest::Any,
        };
        // A number is no pointer, unless it is null.
        let added = match added {
            Rest::Elements { bytes: 8, range, pointer: None } if range == Range::constant(0) => Rest::Zero,
            other => other,
        };
        info.rest = crate::state::join_rests(&info.rest, &added, self.program, &mut self.places);
        state.objects.insert(id, info);
    }

    fn absorb_cell(&mut self, state: &State, id: ObjectId, info: &ObjectState, start: u64, cell: Option<Cell>) -> Rest {
        let Some(cell) = cell.filter(|cell| start.is_multiple_of(u64::from(cell.bytes))) else { return Rest::Any };
        let dimension = self.places.dimension(Place::Cell { object: id, offset: start, bytes: cell.bytes });
        let interval = state.numbers.range(&Linear::dimension(dimension));
        let added = match state.pointers.get(&dimension) {
            Some((targets, ())) => Rest::Elements {
                bytes: cell.bytes,
                range: Range::TOP,
                pointer: Some((targets.clone(), interval.interval)),
            },
            None => Rest::Elements { bytes: cell.bytes, range: interval, pointer: None },
        };
        crate::state::join_rests(&info.rest, &added, self.program, &mut self.places)
    }

    /// Forgets the contents of an object from some offset on.
    pub(crate) fn forget_contents(&mut self, state: &mut State, id: ObjectId) {
        let Some(mut info) = state.objects.get(&id).cloned() else { return };
        info.cells = imbl::OrdMap::new();
        info.rest = Rest::Any;
        state.objects.insert(id, info);
        self.blur_terminator(state, id, Some(0));
    }

    /// Any object may have been written to. Constants keep their contents.
    pub(crate) fn havoc_memory(&mut self, state: &mut State) {
        let objects: Vec<ObjectId> = state.objects.keys().copied().filter(|id| !self.is_constant(*id)).collect();
        for object in objects {
            self.forget_contents(state, object);
        }
        state.unknown_globals = true;
    }

    /// The written bytes at the start grow if the write begins within or right behind them.
    pub(crate) fn move_written(&mut self, state: &mut State, object: ObjectId, offset: &Number, extent: &Number) {
        if state.objects[&object].written {
            return;
        }
        let dimension = self.places.dimension(Place::Written(object));
        let prefix = Linear::dimension(dimension);
        let begins = self.difference(state, offset, &self.of_linear(state, &prefix)).high.is_some_and(|high| high <= 0);
        let Some(end) = offset.linear.as_ref().zip(extent.linear.as_ref()).and_then(|(a, b)| a.plus(b)) else { return };
        let grows = end.minus(&prefix).is_some_and(|more| state.numbers.bounds(&more).low.is_some_and(|low| low >= 0));
        if begins && grows {
            state.numbers.assign(dimension, &end);
        }
    }

    pub(crate) fn of_linear(&self, state: &State, linear: &Linear) -> Number {
        Number { reading: OFFSET, range: state.numbers.range(linear), linear: Some(linear.clone()) }
    }

    /// Where the first zero byte of an object can be after a write that starts at `low` or later.
    pub(crate) fn blur_terminator(&mut self, state: &mut State, object: ObjectId, low: Option<i128>) {
        let dimension = self.places.dimension(Place::Terminator(object));
        let before = state.numbers.bounds(&Linear::dimension(dimension)).low.unwrap_or(0).max(0);
        let least = before.min(low.unwrap_or(0)).max(0);
        state.numbers.forget(dimension);
        state.numbers.restrict(dimension, Range::of(Interval { low: Some(least), high: None }));
    }

    fn move_terminator(&mut self, state: &mut State, object: ObjectId, offset: &Number, bytes: u64, stored: Stored) {
        let dimension = self.places.dimension(Place::Terminator(object));
        let terminator = self.of_linear(state, &Linear::dimension(dimension));
        let distance = self.difference(state, offset, &terminator);
        let (at_most, beyond) = (distance.high.is_some_and(|high| high <= 0), distance.low.is_some_and(|low| low > 0));
        if beyond {
            return;
        }
        let before = distance.high.is_some_and(|high| high.saturating_add(bytes as i128) <= 0);
        match stored {
            Stored::NotZero if before => {}
            Stored::Zero => {
                let low = terminator.range.interval.low.min(offset.range.interval.low);
                match offset.linear.as_ref().filter(|_| at_most) {
                    Some(linear) => state.numbers.assign(dimension, linear),
                    None => {
                        let high = terminator
                            .range
                            .interval
                            .meet(Interval { low: None, high: offset.range.interval.high })
                            .high;
                        state.numbers.assign_range(dimension, Range::of(Interval { low, high }));
                        let bound = offset.linear.as_ref().and_then(|at| Linear::dimension(dimension).minus(at));
                        if let Some(bound) = bound {
                            state.numbers.assume(&bound);
                        }
                    }
                }
            }
            Stored::NotZero | Stored::Unknown => {
                self.blur_terminator(state, object, offset.range.interval.low);
                // The zero can only be at the write or behind it, if it was not before it.
                let skipped =
                    if stored == Stored::NotZero && distance.as_constant() == Some(0) { bytes as i128 } else { 0 };
                let bound = offset
                    .linear
                    .as_ref()
                    .filter(|_| at_most)
                    .and_then(|at| at.plus_constant(skipped)?.minus(&Linear::dimension(dimension)));
                if let Some(bound) = bound {
                    state.numbers.assume(&bound);
                }
            }
        }
    }

    /// Learns from a byte that was read: it is zero, or it is not.
    pub(crate) fn learn_byte(&mut self, state: &mut State, pointer: &Pointer, zero: bool) {
        let [object] = pointer.targets.objects[..] else { return };
        if pointer.targets.wild || state.objects.get(&object).is_none_or(|object| object.many) {
            return;
        }
        let Some(at) = pointer.offset.linear.clone() else { return };
        let terminator = self.terminator(object);
        let at_most =
            at.minus(&terminator).is_some_and(|linear| state.numbers.bounds(&linear).high.is_some_and(|it| it <= 0));
        if zero {
            if let Some(bound) = terminator.minus(&at) {
                state.numbers.assume(&bound);
            }
        } else if at_most {
            if let Some(bound) = at.minus(&terminator).and_then(|linear| linear.plus_constant(1)) {
                state.numbers.assume(&bound);
            }
        }
    }

    /// A new object of this identity, with unwritten or zero bytes.
    pub(crate) fn create(&mut self, state: &mut State, id: ObjectId, size: Option<&Number>, zero: bool) {
        let (terminator, written) =
            (self.places.dimension(Place::Terminator(id)), self.places.dimension(Place::Written(id)));
        let length = self.places.dimension(Place::Size(id));
        if state.objects.get(&id).is_some_and(|old| old.life == Life::Ended && !old.many) {
            self.remove(state, id);
        }
        if let Some(old) = state.objects.get(&id).cloned() {
            // One more of its kind: they are not told apart any longer.
            let before = state.numbers.range(&Linear::dimension(length));
            let more = size.map_or(Range::TOP, |size| size.range);
            let life = if old.life == Life::Alive { Life::Alive } else { Life::Either };
            state.numbers.assign_range(length, before.join(more));
            state.numbers.assign_range(written, Range::constant(0));
            self.forget_contents(state, id);
            if let Some(info) = state.objects.get_mut(&id) {
                *info = ObjectState { life, many: true, written: false, ..info.clone() };
            }
            return;
        }
        if let Some(size) = size {
            match &size.linear {
                Some(linear) => state.numbers.assign(length, linear),
                None => state.numbers.assign_range(length, size.range),
            }
            state.numbers.restrict(length, Range::of(Interval::new(0, (1 << 31) - 1)));
        }
        state.numbers.assign(written, &Linear::constant(0));
        // Where reading unwritten bytes is no end of the run, they may be anything.
        let known = zero || self.options.checks.has(ViolationKind::Uninitialized);
        let rest = if known { Rest::Zero } else { Rest::Any };
        state.numbers.assign_range(terminator, Range::of(Interval { low: Some(0), high: None }));
        if known {
            state.numbers.assign(terminator, &Linear::constant(0));
        }
        let object = ObjectState { life: Life::Alive, many: false, cells: imbl::OrdMap::new(), rest, written: zero };
        state.objects.insert(id, object);
    }

    /// An object ends and its identity may be used again: pointers to it lead nowhere.
    pub(crate) fn remove(&mut self, state: &mut State, id: ObjectId) {
        let Some(object) = state.objects.remove(&id) else { return };
        let dead: Vec<_> =
            state.pointers.iter().filter(|(_, (it, ()))| it.objects.contains(&id)).map(|(at, _)| *at).collect();
        for dimension in dead {
            state.forget(dimension);
        }
        let holders: Vec<ObjectId> = state
            .objects
            .iter()
            .filter(|(_, object)| {
                matches!(&object.rest, Rest::Elements { pointer: Some((targets, _)), .. } if targets.objects.contains(&id))
            })
            .map(|(holder, _)| *holder)
            .collect();
        for holder in holders {
            if let Some(object) = state.objects.get_mut(&holder) {
                object.rest = Rest::Any;
            }
        }
        for (offset, cell) in &object.cells {
            let dimension = self.places.dimension(Place::Cell { object: id, offset: *offset, bytes: cell.bytes });
            state.forget(dimension);
        }
        for place in [Place::Size(id), Place::Terminator(id), Place::Written(id), Place::Address(id)] {
            let dimension = self.places.dimension(place);
            state.forget(dimension);
        }
    }
}

fn unknown(ty: Type) -> Value {
    match ty {
        Type::Pointer => Value::Pointer(Pointer::wild()),
        ty if is_number(ty) => Value::Number(Number::any(Reading::signed(ty.bits()))),
        _ => Value::Other,
    }
}

/// Values joined by their ranges.
fn loose_join(left: Value, right: Value, ty: Type) -> Value {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let right = right.read_as(left.reading);
            Value::Number(Number { reading: left.reading, range: left.range.join(right.range), linear: None })
        }
        (Value::Pointer(left), Value::Pointer(right)) => {
            let range = match (left.targets == Targets::null(), right.targets == Targets::null()) {
                (true, _) => right.offset.range,
                (_, true) => left.offset.range,
                _ => left.offset.range.join(right.offset.range),
            };
            let offset = Number { reading: OFFSET, range, linear: None };
            Value::Pointer(Pointer { targets: left.targets.join(&right.targets), offset })
        }
        _ => unknown(ty),
    }
}

/// The cells that share a byte with these offsets.
fn overlapping(object: &ObjectState, reach: Interval) -> Vec<(u64, Cell)> {
    let low = reach.low.unwrap_or(0).max(0);
    let first = u64::try_from(low).unwrap_or(u64::MAX);
    let cells = object.cells.range(first.saturating_sub(15)..);
    cells
        .filter(|(start, cell)| {
            i128::from(**start) + i128::from(cell.bytes) > low
                && reach.high.is_none_or(|high| i128::from(**start) <= high)
        })
        .map(|(start, cell)| (*start, *cell))
        .collect()
}

fn classify(value: &Value, bytes: u64) -> Stored {
    match value {
        Value::Number(number) if number.as_constant() == Some(0) => Stored::Zero,
        Value::Number(number) if bytes == 1 && !number.range.contains(0) => Stored::NotZero,
        _ => Stored::Unknown,
    }
}
