//! Memory: objects made of cells, read and written at constant and at computed offsets.
//!
//! A cell is what was written at once. Reads that fit a cell give its term back; others are put together
//! from parts of cells. An access at a computed offset considers every offset in the object that the term's
//! shape allows; where these are more than [`MOST_OFFSETS`], `log` takes over.

use std::rc::Rc;

use imbl::OrdMap;
use logic::sort::Sort;
use logic::terms::TermId;
use logic::value::BitVector;
use program::{AddressIn, FunctionId, Initializer, Object, Program, Site};

use super::log::{Log, Write};
use super::pointers::Target;
use super::state::{Cell, Contents, Initial, ObjectKind, ObjectMeta, Scalar, State};
use super::{Begun, Engine, Flow, Place, Stop};

/// An access at a computed offset considers at most so many.
const MOST_OFFSETS: usize = 2048;
/// Objects of computed size are followed up to so many bytes times the square of the bound.
const COMPUTED: u64 = 1024;
/// Beyond that they are not supported.
const MOST_COMPUTED: u64 = 1 << 20;
/// Objects must be smaller than this, as in the executor.
const OBJECT_SIZE_LIMIT: u64 = 1 << 31;

/// The fixed number of an object that exists from the start.
pub fn static_object(program: &Program, object: Object) -> Option<(u32, i64)> {
    match object {
        Object::Function(function) => Some((1 + function.0, 0)),
        Object::Label(function, block) => Some((1 + function.0, 1 + i64::from(block.0))),
        Object::Global(global) => Some((1 + program.functions.len() as u32 + global.0, 0)),
        Object::Local(_) => None,
    }
}

/// The address of a byte of an object.
pub fn address(object: u32, offset: i64) -> u64 {
    (u64::from(object) << 32).wrapping_add(offset as u64)
}

impl Engine<'_> {
    pub(super) fn make_static_objects(&mut self) {
        let program = self.program;
        self.add_object(ObjectKind::Null, 0, Initial::Zero);
        for index in 0..program.functions.len() {
            self.add_object(ObjectKind::Function(FunctionId(index as u32)), 0, Initial::Zero);
        }
        for global in &program.globals {
            let initial = match &global.init {
                Initializer::External => Initial::Unknown(global.name.clone()),
                Initializer::Bytes { bytes, addresses } => initial_bytes(program, global.size, bytes, addresses),
            };
            let number = self.add_object(ObjectKind::Global, global.size, initial);
            self.objects[number as usize].constant = global.constant;
        }
        for (index, global) in program.globals.iter().enumerate() {
            if matches!(global.init, Initializer::External)
                && matches!(global.name.as_str(), "stdin" | "stdout" | "stderr")
            {
                let stream = self.add_object(ObjectKind::Library, 0, Initial::Zero);
                let bytes: Rc<[u8]> = address(stream, 0).to_le_bytes().into();
                self.objects[1 + program.functions.len() + index].initial = Initial::Bytes(bytes);
            }
        }
    }

    fn add_object(&mut self, kind: ObjectKind, size: u64, initial: Initial) -> u32 {
        let size_term = self.terms.bv(64, size);
        let meta =
            ObjectMeta { kind, size: size_term, most: size, constant: false, initial, computed: None, on_stack: false };
        self.objects.push(meta);
        self.objects.len() as u32 - 1
    }

    pub(super) fn initial_state(&mut self) -> State {
        let alive = self.terms.true_term();
        let mut objects = OrdMap::new();
        for (number, meta) in self.objects.iter().enumerate() {
            if matches!(meta.kind, ObjectKind::Global) {
                let contents = Contents { alive, cells: OrdMap::new(), log: Log::default() };
                objects.insert(number as u32, contents);
            }
        }
        State { guard: alive, variables: OrdMap::new(), objects }
    }

    /// A new object of this place; its number is the same in every pass.
    pub(super) fn allocate(
        &mut self,
        state: &mut State,
        place: Place,
        part: u32,
        kind: ObjectKind,
        size: u64,
        initial: Initial,
    ) -> u32 {
        let size_term = self.terms.bv(64, size);
        self.allocate_computed(state, place, part, kind, (size_term, size), initial)
    }

    fn allocate_computed(
        &mut self,
        state: &mut State,
        place: Place,
        part: u32,
        kind: ObjectKind,
        (size, most): (TermId, u64),
        initial: Initial,
    ) -> u32 {
        let context = self.command_context(place, part);
        let is_open = initial == Initial::Unwritten && self.is_memory_open();
        let meta = ObjectMeta { kind, size, most, constant: false, initial, computed: None, on_stack: false };
        let number = match self.object_of.get(&context) {
            Some(&number) => {
                self.objects[number as usize] = meta;
                number
            }
            None => {
                self.objects.push(meta);
                let number = self.objects.len() as u32 - 1;
                self.object_of.insert(context, number);
                number
            }
        };
        if is_open {
            self.findings.begun.push(Begun { guard: state.guard, object: number });
        }
        let alive = self.terms.true_term();
        state.objects.insert(number, Contents { alive, cells: OrdMap::new(), log: Log::default() });
        number
    }

    /// A new object whose size is a term; sizes that are too large end the path as unsupported.
    pub(super) fn allocate_sized(
        &mut self,
        state: &mut State,
        place: Place,
        kind: ObjectKind,
        size: TermId,
        initial: Initial,
    ) -> Flow<u32> {
        if let Some(size) = self.constant(size) {
            if size >= OBJECT_SIZE_LIMIT {
                return self.stop_unsupported(state, "an allocation of 2 GiB or more", place.site);
            }
            return Ok(self.allocate(state, place, 0, kind, size, initial));
        }
        let bound = u64::from(self.bound);
        let most = COMPUTED.saturating_mul(bound * bound).min(MOST_COMPUTED);
        let limit = self.terms.bv(64, most);
        let large = self.terms.bv_ugt(size, limit);
        if most == MOST_COMPUTED {
            self.unsupported(state, large, "an allocation whose size has no small bound", place.site)?;
        } else {
            self.cut(state, large)?;
        }
        Ok(self.allocate_computed(state, place, 0, kind, (size, most), initial))
    }

    /// The value of a constant term of at most 64 bits.
    pub(super) fn constant(&self, term: TermId) -> Option<u64> {
        self.terms.as_bv(term).and_then(|value| value.to_u64())
    }

    /// Reads bytes through a pointer.
    pub(super) fn load(&mut self, state: &mut State, pointer: TermId, bytes: u32, site: Site) -> Flow<Scalar> {
        let targets = self.access(state, pointer, u64::from(bytes), false, site)?;
        let mut result: Option<Scalar> = None;
        for target in targets.iter().rev() {
            let value = self.load_target(state, target, bytes, site)?;
            result = Some(match result {
                Some(otherwise) => self.choose(target.condition, value, otherwise),
                None => value,
            });
        }
        result.ok_or(Stop::Path)
    }

    pub(super) fn load_target(&mut self, state: &mut State, target: &Target, bytes: u32, site: Site) -> Flow<Scalar> {
        let Some(contents) = state.objects.get(&target.object).cloned() else { return Err(Stop::Path) };
        self.note_unknown(target.object);
        if !contents.log.is_empty() {
            return self.load_logged(state, target, &contents, bytes, site);
        }
        self.load_plain(state, target, &contents, bytes, site)
    }

    /// What the cells hold, whatever was written later.
    pub(super) fn load_plain(
        &mut self,
        state: &mut State,
        target: &Target,
        contents: &Contents,
        bytes: u32,
        site: Site,
    ) -> Flow<Scalar> {
        if let Some(offset) = self.constant(target.offset) {
            return Ok(self.read_cells(target.object, &contents.cells, offset as u32, bytes));
        }
        let Some(offsets) = self.offsets(target, bytes) else {
            return match self.read_sparse(target, &contents.cells, bytes) {
                Some(value) => Ok(value),
                None => self.too_many_offsets(state, target.condition, bytes, site),
            };
        };
        let mut result: Option<Scalar> = None;
        for offset in offsets.into_iter().rev() {
            let value = self.read_cells(target.object, &contents.cells, offset as u32, bytes);
            let here = self.terms.bv(64, offset);
            let here = self.terms.eq(target.offset, here);
            result = Some(match result {
                Some(otherwise) => self.choose(here, value, otherwise),
                None => value,
            });
        }
        match result {
            Some(value) => Ok(value),
            None => Ok(self.any_bytes(bytes)),
        }
    }

    /// Bytes of an access that is out of bounds anyway.
    fn any_bytes(&mut self, bytes: u32) -> Scalar {
        let zero = self.no_bits(Sort::BitVector(8 * bytes));
        Scalar { term: zero, unwritten: zero }
    }

    pub(super) fn too_many_offsets(
        &mut self,
        state: &mut State,
        condition: TermId,
        bytes: u32,
        site: Site,
    ) -> Flow<Scalar> {
        self.unsupported(state, condition, "an access at a computed offset in a large object", site)?;
        Ok(self.any_bytes(bytes))
    }

    fn note_unknown(&mut self, object: u32) {
        if let Initial::Unknown(name) = &self.objects[object as usize].initial {
            let what = format!("`{name}` is defined nowhere; it begins with zeros");
            self.note(what);
        }
    }

    /// Writes a cell through a pointer.
    pub(super) fn store(&mut self, state: &mut State, pointer: TermId, cell: Cell, site: Site) -> Flow<()> {
        let targets = self.access(state, pointer, u64::from(cell.bytes), true, site)?;
        let single = targets.len() == 1;
        for target in targets.iter() {
            let condition = if single { self.terms.true_term() } else { target.condition };
            self.store_target(state, target, condition, cell)?;
        }
        Ok(())
    }

    pub(super) fn store_target(
        &mut self,
        state: &mut State,
        target: &Target,
        condition: TermId,
        cell: Cell,
    ) -> Flow<()> {
        let Some(mut contents) = state.objects.get(&target.object).cloned() else { return Err(Stop::Path) };
        let offsets = match self.constant(target.offset) {
            _ if !contents.log.is_empty() => None,
            Some(offset) => Some(vec![offset]),
            None => self.offsets(target, cell.bytes),
        };
        let Some(offsets) = offsets else {
            contents.log.push(Write { condition, offset: target.offset, cell });
            state.objects.insert(target.object, contents);
            return Ok(());
        };
        for offset in offsets {
            let here = self.terms.bv(64, offset);
            let here = self.terms.eq(target.offset, here);
            let here = self.terms.and2(condition, here);
            let mut value = cell.value;
            if here != self.terms.true_term() {
                let old = self.read_cells(target.object, &contents.cells, offset as u32, cell.bytes);
                value = self.choose(here, value, old);
                if value == old {
                    continue;
                }
            }
            self.write_cells(&mut contents.cells, offset as u32, Cell { bytes: cell.bytes, value });
        }
        state.objects.insert(target.object, contents);
        Ok(())
    }

    /// The offsets at which an access of so many bytes can be.
    fn offsets(&mut self, target: &Target, bytes: u32) -> Option<Vec<u64>> {
        let most = self.objects[target.object as usize].most;
        let (modulus, residue) = self.congruence(target.offset);
        let modulus = modulus.max(1);
        let Some(last) = most.checked_sub(u64::from(bytes)) else { return Some(Vec::new()) };
        let first = residue % modulus;
        let possible = self.constant_choices(target.offset);
        if let Some(possible) = possible {
            return Some(possible.into_iter().filter(|&offset| offset <= last).collect());
        }
        if first > last {
            return Some(Vec::new());
        }
        let count = (last - first) / modulus + 1;
        (count <= MOST_OFFSETS as u64).then(|| (0..count).map(|index| first + index * modulus).collect())
    }

    /// The bytes at this offset, put together from cells.
    pub(super) fn read_cells(&mut self, object: u32, cells: &OrdMap<u32, Cell>, offset: u32, bytes: u32) -> Scalar {
        if let Some(cell) = cells.get(&offset) {
            if cell.bytes == bytes {
                return cell.value;
            }
        }
        let end = offset + bytes;
        let mut parts: Vec<Scalar> = Vec::new();
        let mut at = offset;
        while at < end {
            let covering = cells.get_prev(&at).filter(|(start, cell)| **start + cell.bytes > at);
            let (part, next) = match covering {
                Some((start, cell)) => {
                    let next = end.min(start + cell.bytes);
                    let (low, high) = (8 * (at - start), 8 * (next - start) - 1);
                    let term = self.terms.bv_extract(high, low, cell.value.term);
                    let unwritten = self.terms.bv_extract(high, low, cell.value.unwritten);
                    (Scalar { term, unwritten }, next)
                }
                None => {
                    let next = cells.get_next(&at).map_or(end, |(start, _)| end.min(*start));
                    (self.initial(object, at, next - at), next)
                }
            };
            parts.push(part);
            at = next;
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| unreachable!("a read has at least one byte"));
        parts.fold(first, |low, high| Scalar {
            term: self.terms.bv_concat(high.term, low.term),
            unwritten: self.terms.bv_concat(high.unwritten, low.unwritten),
        })
    }

    /// Bytes that were not written since the object began.
    pub(super) fn initial(&mut self, object: u32, offset: u32, bytes: u32) -> Scalar {
        if self.objects[object as usize].initial == Initial::Unwritten && self.is_memory_open() {
            return self.open_bytes(object, offset, bytes);
        }
        self.begun_with(object, offset, bytes)
    }

    /// Bytes that may be anything, but always the same.
    fn open_bytes(&mut self, object: u32, offset: u32, bytes: u32) -> Scalar {
        let mut term = None;
        for at in offset..offset + bytes {
            let terms = &mut self.terms;
            let byte = *(self.first_bytes.entry((object, at)))
                .or_insert_with(|| terms.variable(&format!("memory@{object}+{at}"), Sort::BitVector(8)));
            term = Some(term.map_or(byte, |low| terms.bv_concat(byte, low)));
        }
        let term = term.unwrap_or_else(|| unreachable!("a read has at least one byte"));
        self.written(term)
    }

    /// What is known about bytes that were not written since the object began.
    pub(super) fn begun_with(&mut self, object: u32, offset: u32, bytes: u32) -> Scalar {
        let width = 8 * bytes;
        let zero = BitVector::zero(width);
        let (value, unwritten) = match &self.objects[object as usize].initial {
            Initial::Unwritten => (zero, BitVector::ones(width)),
            Initial::Zero | Initial::Unknown(_) => (zero.clone(), zero),
            Initial::Bytes(contents) => {
                let mut value = zero.clone();
                for index in (0..bytes).rev() {
                    let byte = contents.get((offset + index) as usize).copied().unwrap_or(0);
                    let shift = BitVector::new(width, 8);
                    value = if width > 8 { value.shl(&shift) } else { zero.clone() };
                    value = value.or(&BitVector::new(width, byte.into()));
                }
                (value, zero)
            }
        };
        Scalar { term: self.terms.bv_value(&value), unwritten: self.terms.bv_value(&unwritten) }
    }

    /// Puts a cell in; what it covers in part of other cells stays as smaller cells.
    pub(super) fn write_cells(&mut self, cells: &mut OrdMap<u32, Cell>, offset: u32, cell: Cell) {
        let end = offset + cell.bytes;
        if cells.get(&offset).is_some_and(|old| old.bytes == cell.bytes) {
            cells.insert(offset, cell);
            return;
        }
        loop {
            let last = end - 1;
            let overlapping = cells.get_prev(&last).filter(|(start, old)| **start + old.bytes > offset);
            let Some((&start, &old)) = overlapping else { break };
            cells.remove(&start);
            let old_end = start + old.bytes;
            if old_end > end {
                let part = self.cell_part(old, end - start, old.bytes);
                cells.insert(end, part);
            }
            if start < offset {
                let part = self.cell_part(old, 0, offset - start);
                cells.insert(start, part);
            }
        }
        cells.insert(offset, cell);
    }

    /// The bytes of a cell from one to before the other.
    fn cell_part(&mut self, cell: Cell, from: u32, to: u32) -> Cell {
        let (low, high) = (8 * from, 8 * to - 1);
        let term = self.terms.bv_extract(high, low, cell.value.term);
        let unwritten = self.terms.bv_extract(high, low, cell.value.unwritten);
        Cell { bytes: to - from, value: Scalar { term, unwritten } }
    }

    /// Copies bytes with what is known about them; the size is a constant.
    pub(super) fn copy(
        &mut self,
        state: &mut State,
        destination: TermId,
        source: TermId,
        size: u64,
        site: Site,
    ) -> Flow<()> {
        let mut values = Vec::new();
        for (offset, bytes) in self.chunks(state, source, size) {
            let at = self.offset_pointer(source, offset);
            values.push((offset, bytes, self.load(state, at, bytes, site)?));
        }
        for (offset, bytes, value) in values {
            let at = self.offset_pointer(destination, offset);
            self.store(state, at, Cell { bytes, value }, site)?;
        }
        Ok(())
    }

    pub(super) fn offset_pointer(&mut self, pointer: TermId, offset: u64) -> TermId {
        let offset = self.terms.bv(64, offset);
        self.terms.bv_add(pointer, offset)
    }

    /// Pieces in which to copy: the cells of the source where it is one place, else words.
    fn chunks(&mut self, state: &State, source: TermId, size: u64) -> Vec<(u64, u32)> {
        let mut chunks = Vec::new();
        let targets = self.resolve(source);
        let single = targets.as_ref().and_then(|targets| targets.first());
        let start = single.and_then(|target| Some((target.object, self.constant(target.offset)?)));
        let cells = start.and_then(|(object, offset)| Some((offset, state.objects.get(&object)?.cells.clone())));
        let mut at = 0;
        while at < size {
            let fitting = cells.as_ref().and_then(|(offset, cells)| {
                let cell = cells.get(&((offset + at) as u32))?;
                (at + u64::from(cell.bytes) <= size).then_some(cell.bytes)
            });
            let next_cell = cells.as_ref().and_then(|(offset, cells)| {
                let (next, _) = cells.get_next(&((offset + at) as u32 + 1))?;
                Some(u64::from(*next) - offset - at)
            });
            let bytes = fitting.unwrap_or_else(|| {
                let room = next_cell.unwrap_or(8).min(size - at);
                [8u64, 4, 2, 1].into_iter().find(|&word| word <= room && at % word == 0).unwrap_or(1) as u32
            });
            chunks.push((at, bytes));
            at += u64::from(bytes);
        }
        chunks
    }
}

fn initial_bytes(program: &Program, size: u64, bytes: &[u8], addresses: &[AddressIn]) -> Initial {
    if bytes.iter().all(|&byte| byte == 0) && addresses.is_empty() {
        return Initial::Zero;
    }
    let mut contents = bytes.to_vec();
    contents.truncate(size as usize);
    for AddressIn { at, object, addend } in addresses {
        let (number, offset) = static_object(program, *object).unwrap_or((0, 0));
        let value = address(number, offset.wrapping_add(*addend)).to_le_bytes();
        let start = *at as usize;
        if contents.len() < start + 8 {
            contents.resize(start + 8, 0);
        }
        contents[start..start + 8].copy_from_slice(&value);
    }
    Initial::Bytes(contents.into())
}
