//! Sets of those who need something, each kept once and known by a number.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// The number of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetId(u32);

impl SetId {
    /// Nobody.
    pub const NOBODY: SetId = SetId(0);

    /// A number that is in the way of few others below a power of two.
    pub fn slot(self, other: u32, slots: usize) -> usize {
        let both = u64::from(self.0) << 32 | u64::from(other);
        (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (slots - 1)
    }
}

const RECENT: usize = 1 << 12;

pub struct Sets {
    known: FxHashMap<Rc<[u32]>, SetId>,
    /// The members of each, in order.
    all: Vec<Rc<[u32]>>,
    /// Sets with one more, since the same ones are made again and again.
    recent: Vec<(SetId, u32, SetId)>,
    /// Members of all.
    size: usize,
}

impl Default for Sets {
    fn default() -> Sets {
        let recent = vec![(SetId::NOBODY, u32::MAX, SetId::NOBODY); RECENT];
        let mut sets = Sets { known: FxHashMap::default(), all: Vec::new(), recent, size: 0 };
        sets.number(&[]);
        sets
    }
}

impl Sets {
    /// In order.
    pub fn members(&self, set: SetId) -> &[u32] {
        &self.all[set.0 as usize]
    }

    /// A set with one more, which is no `u32::MAX`.
    pub fn with(&mut self, set: SetId, member: u32) -> SetId {
        let slot = set.slot(member, RECENT);
        let (before, added, after) = self.recent[slot];
        if (before, added) == (set, member) {
            return after;
        }
        let after = match self.members(set).binary_search(&member) {
            Ok(_) => set,
            Err(at) => {
                let mut members = self.members(set).to_vec();
                members.insert(at, member);
                self.number(&members)
            }
        };
        self.recent[slot] = (set, member, after);
        after
    }

    /// Bytes that all of them take, roughly.
    pub fn size(&self) -> usize {
        self.size * 4 + self.all.len() * 64
    }

    /// The number of these members, in order.
    pub fn number(&mut self, members: &[u32]) -> SetId {
        if let Some(id) = self.known.get(members) {
            return *id;
        }
        let (id, members) = (SetId(self.all.len() as u32), Rc::<[u32]>::from(members));
        self.size += members.len();
        self.known.insert(Rc::clone(&members), id);
        self.all.push(members);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_members_are_the_same_set() {
        let mut sets = Sets::default();
        let one = sets.with(SetId::NOBODY, 7);
        let both = sets.with(one, 3);
        let other = sets.with(SetId::NOBODY, 3);
        assert_eq!(sets.with(other, 7), both);
        assert_eq!(sets.with(both, 3), both);
        assert_eq!(sets.members(both), [3, 7]);
        assert_eq!(sets.members(SetId::NOBODY), []);
    }
}
