//! Contents of frames as numbers: what is the same has the same number, so that it can be compared at once and kept once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// The number of some content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(u32);

impl StateId {
    /// There is no frame, or nothing in it.
    pub const NOTHING: StateId = StateId(0);
}

pub struct States {
    known: FxHashMap<Rc<[u64]>, StateId>,
    all: Vec<State>,
    /// Words of all.
    size: usize,
}

struct State {
    words: Rc<[u64]>,
    is_idle: bool,
}

impl Default for States {
    fn default() -> States {
        let mut states = States { known: FxHashMap::default(), all: Vec::new(), size: 0 };
        states.number(&[], true);
        states
    }
}

impl States {
    /// The number of a content; idle is one that nothing is needed in.
    pub fn number(&mut self, words: &[u64], is_idle: bool) -> StateId {
        if let Some(id) = self.known.get(words) {
            return *id;
        }
        let (id, words) = (StateId(self.all.len() as u32), Rc::<[u64]>::from(words));
        self.size += words.len();
        self.known.insert(Rc::clone(&words), id);
        self.all.push(State { words, is_idle });
        id
    }

    pub fn words(&self, id: StateId) -> &[u64] {
        &self.all[id.0 as usize].words
    }

    pub fn is_idle(&self, id: StateId) -> bool {
        self.all[id.0 as usize].is_idle
    }

    /// Bytes that all of them take, roughly.
    pub fn size(&self) -> usize {
        self.size * 8 + self.all.len() * 80
    }

    /// The same content among others, which may not have it yet.
    pub fn carry(&self, id: StateId, others: &mut States) -> StateId {
        others.number(self.words(id), self.is_idle(id))
    }
}
