//! Ranges of bytes whose length is computed: copies, fills, comparisons and searches.
//!
//! The whole range is checked at once; then each byte that the range may have is moved where the length is large
//! enough. Ranges are followed up to [`MOST_BYTES`]; longer ones are not supported.

use logic::terms::TermId;

use super::pointers::Target;
use super::state::{Cell, Scalar, State};
use super::{Engine, Flow, Place, Stop};

/// The longest range that is followed byte by byte.
pub(super) const MOST_BYTES: u64 = 4096;

impl Engine<'_> {
    /// Copies; all bytes are read before one is written.
    pub(super) fn copy_range(
        &mut self,
        state: &mut State,
        destination: TermId,
        source: TermId,
        size: TermId,
        place: Place,
    ) -> Flow<()> {
        let (reads, most) = self.range(state, source, size, false, place)?;
        let (writes, room) = self.range(state, destination, size, true, place)?;
        let most = most.min(room);
        self.limit_range(state, size, most, place)?;
        let mut bytes = Vec::with_capacity(most as usize);
        for index in 0..most {
            bytes.push(self.byte_of(state, &reads, index, place)?);
        }
        for (byte, index) in bytes.into_iter().zip(0..) {
            self.put_byte(state, &writes, index, byte, size)?;
        }
        Ok(())
    }

    pub(super) fn fill_range(
        &mut self,
        state: &mut State,
        destination: TermId,
        byte: TermId,
        size: TermId,
        place: Place,
    ) -> Flow<()> {
        let (writes, most) = self.range(state, destination, size, true, place)?;
        self.limit_range(state, size, most, place)?;
        let byte = self.terms.bv_extract(7, 0, byte);
        let byte = self.written(byte);
        for index in 0..most {
            self.put_byte(state, &writes, index, byte, size)?;
        }
        Ok(())
    }

    /// `memcmp`: the difference of the first bytes that differ, as an `int`.
    pub(super) fn compare_ranges(
        &mut self,
        state: &mut State,
        (first, second): (TermId, TermId),
        size: TermId,
        place: Place,
    ) -> Flow<TermId> {
        let (left, most) = self.range(state, first, size, false, place)?;
        let (right, room) = self.range(state, second, size, false, place)?;
        let most = most.min(room);
        self.limit_range(state, size, most, place)?;
        let mut result = self.terms.bv(32, 0);
        for index in (0..most).rev() {
            let (left, right) =
                (self.byte_of(state, &left, index, place)?.term, self.byte_of(state, &right, index, place)?.term);
            let difference = self.byte_difference(left, right);
            let inside = self.is_inside(index, size);
            let equal = self.terms.eq(left, right);
            let here = self.terms.not(equal);
            let here = self.terms.and2(inside, here);
            result = self.terms.ite(here, difference, result);
        }
        Ok(result)
    }

    pub(super) fn byte_difference(&mut self, left: TermId, right: TermId) -> TermId {
        let (left, right) = (self.terms.bv_resize(32, false, left), self.terms.bv_resize(32, false, right));
        self.terms.bv_sub(left, right)
    }

    /// Checks the range, and says where it can be and how long it can be at most.
    fn range(
        &mut self,
        state: &mut State,
        pointer: TermId,
        size: TermId,
        write: bool,
        place: Place,
    ) -> Flow<(Vec<Target>, u64)> {
        let zero = self.terms.bv(64, 0);
        let any = self.terms.distinct(size, zero);
        let targets = self.access_range(state, (pointer, size), any, write, place.site)?;
        let room = targets.iter().map(|target| {
            let most = self.objects.get(target.object as usize).map_or(0, |meta| meta.most);
            most.saturating_sub(self.constant(target.offset).unwrap_or(0))
        });
        let most = room.max().unwrap_or(0);
        let most = self.constant(size).map_or(most, |size| size.min(most));
        Ok((targets, most.min(MOST_BYTES)))
    }

    /// Longer ranges are not followed: either they are out of bounds, which was checked, or too long for us.
    fn limit_range(&mut self, state: &mut State, size: TermId, most: u64, place: Place) -> Flow<()> {
        if most < MOST_BYTES {
            return Ok(());
        }
        let most = self.terms.bv(64, most);
        let long = self.terms.bv_ugt(size, most);
        self.unsupported(state, long, "a long range of computed length", place.site)
    }

    fn is_inside(&mut self, index: u64, size: TermId) -> TermId {
        let index = self.terms.bv(64, index);
        self.terms.bv_ult(index, size)
    }

    fn byte_of(&mut self, state: &mut State, targets: &[Target], index: u64, place: Place) -> Flow<Scalar> {
        let zero = self.terms.bv(8, 0);
        let mut result = self.written(zero);
        for target in targets.iter().rev() {
            let Some(at) = self.byte_target(target, index) else { continue };
            match self.load_target(state, &at, 1, place.site) {
                Ok(value) => result = self.choose(target.condition, value, result),
                Err(Stop::Path) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(result)
    }

    fn put_byte(&mut self, state: &mut State, targets: &[Target], index: u64, value: Scalar, size: TermId) -> Flow<()> {
        let inside = self.is_inside(index, size);
        for target in targets {
            let Some(at) = self.byte_target(target, index) else { continue };
            let condition = self.terms.and2(target.condition, inside);
            if condition != self.terms.false_term() {
                self.store_target(state, &at, condition, Cell { bytes: 1, value })?;
            }
        }
        Ok(())
    }

    /// The place so many bytes on, unless that is surely outside.
    fn byte_target(&mut self, target: &Target, index: u64) -> Option<Target> {
        let by = self.terms.bv(64, index);
        let offset = self.terms.bv_add(target.offset, by);
        let most = self.objects.get(target.object as usize)?.most;
        let inside = self.constant(offset).is_none_or(|offset| offset < most);
        inside.then(|| Target { offset, ..target.clone() })
    }
}
