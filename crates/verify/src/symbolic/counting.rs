//! Which violations count: all, or only those where a byte of a global object is not zero.
//!
//! A product of a program and a witness keeps the witness's progress in such an object; a violation before its
//! end is not the one that is looked for.

use logic::terms::TermId;
use program::{GlobalId, Object};

use super::Engine;
use super::memory::static_object;
use super::state::State;

impl Engine<'_> {
    /// From now on, only violations count that find this byte set.
    pub fn count_only_where(&mut self, flag: Option<(GlobalId, u64)>) {
        self.only_where = flag.and_then(|(global, offset)| {
            let (object, _) = static_object(self.program, Object::Global(global))?;
            Some((object, u32::try_from(offset).ok()?))
        });
    }

    /// Whether a violation in this state counts; `None` if all do.
    pub(super) fn counts(&mut self, state: &State) -> Option<TermId> {
        let (object, offset) = self.only_where?;
        let contents = state.objects.get(&object)?;
        let byte = self.read_cells(object, &contents.cells, offset, 1);
        let zero = self.terms.bv(8, 0);
        Some(self.terms.distinct(byte.term, zero))
    }
}
