//! What records have as consequences, learned from those before.
//!
//! What is to be done for a record follows from its path, from the contents of the frames that it touches, and from which of
//! its writes hit memory that is needed. Loops give the same again and again. So when a record was looked at segment by
//! segment, a [`Lesson`] tells what was asked and done on the way; the lessons for a path and a content of the top frame
//! are a tree of questions, with what is needed of memory between them, and the new contents of frames at the leaves.
//! [`Learned::play`] goes down such a tree. Where it meets an answer for the first time, the record is looked at segment by segment
//! after all, with the answers that were already given: what they did to memory is done.

use rustc_hash::FxHashMap;

use super::effects;
use super::flat::PathAccess;
use super::frames::Resting;
use super::marks::Marks;
use super::memory::Memory;
use super::states::StateId;

/// A question, and what is needed of memory before it.
struct Node {
    first_need: u32,
    end_need: u32,
    then: Then,
}

enum Then {
    /// Whether a node's accesses write what is needed; the places behind no and yes.
    Write { first: u32, end: u32, number: u32, answers: [u32; 2] },
    /// What the next frame below has.
    Below,
    /// So many frames are replaced by others.
    End { woken: u32, first: u32, end: u32, finished: StateId },
}

const UNKNOWN: u32 = u32::MAX;

/// One thing that was done for a record.
enum Event {
    Need(PathAccess, u32),
    Write { first: usize, end: usize, number: u32, hit: bool },
    Below(StateId),
}

/// What was asked and done for one record, in order.
#[derive(Default)]
pub struct Lesson {
    events: Vec<Event>,
    accesses: Vec<PathAccess>,
    /// Answers that were given before: what is done up to the last of them is done.
    given: Vec<bool>,
    asked: usize,
    /// Frames that were woken.
    woken: u32,
    is_begun: bool,
}

impl Lesson {
    /// For a record of which nothing is done.
    pub fn forget(&mut self) {
        self.given.clear();
        self.restart();
    }

    /// For a record that [`Learned::play`] has begun.
    pub fn restart(&mut self) {
        self.events.clear();
        self.accesses.clear();
        self.asked = 0;
        self.woken = 0;
        self.is_begun = false;
    }

    /// A node needs what an access reads.
    pub fn need(&mut self, access: PathAccess, consumer: u32, written: &[u64], memory: &mut Memory) {
        if self.asked >= self.given.len() {
            effects::need(&access, consumer, written, memory);
        }
        self.events.push(Event::Need(access, consumer));
    }

    /// Whether a node's accesses wrote what was needed.
    pub fn write(
        &mut self,
        accesses: impl Iterator<Item = PathAccess>,
        number: u32,
        written: &[u64],
        memory: &mut Memory,
        marks: &mut Marks,
    ) -> bool {
        let first = self.accesses.len();
        self.accesses.extend(accesses);
        let hit = match self.given.get(self.asked) {
            Some(hit) => *hit,
            None => effects::write(self.accesses[first..].iter().copied(), number, written, memory, marks),
        };
        self.asked += 1;
        self.events.push(Event::Write { first, end: self.accesses.len(), number, hit });
        hit
    }

    /// A frame was woken. The first one is known before.
    pub fn wake(&mut self, state: StateId) {
        self.woken += u32::from(state != StateId::NOTHING);
        if std::mem::replace(&mut self.is_begun, true) {
            self.asked += 1;
            self.events.push(Event::Below(state));
        }
    }
}

/// What a record is known by before anything is asked: its path, the top frame, and what its callee has left.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Situation {
    pub path: u32,
    pub top: StateId,
    pub finished: StateId,
}

#[derive(Default)]
pub struct Learned {
    roots: FxHashMap<Situation, u32>,
    nodes: Vec<Node>,
    /// What is below, for nodes that ask for it.
    below: FxHashMap<(u32, StateId), u32>,
    needs: Vec<(PathAccess, u32)>,
    accesses: Vec<PathAccess>,
    /// Contents of frames.
    states: Vec<StateId>,
}

/// Where the next node of a tree belongs.
#[derive(Clone, Copy)]
enum Link {
    Root(Situation),
    Answer(u32, bool),
    Below(u32, StateId),
}

impl Learned {
    /// Bytes that all of it takes, roughly.
    pub fn size(&self) -> usize {
        let maps = (self.roots.len() + self.below.len()) * 32;
        let lists = self.needs.len() * size_of::<(PathAccess, u32)>() + self.accesses.len() * size_of::<PathAccess>();
        maps + lists + self.nodes.len() * size_of::<Node>() + self.states.len() * 4
    }

    /// Does all that is to be done for a record. If it is not known, false: the lesson has what is done so far.
    pub fn play(
        &self,
        situation: Situation,
        written: &[u64],
        resting: &mut Resting,
        memory: &mut Memory,
        marks: &mut Marks,
        lesson: &mut Lesson,
    ) -> bool {
        lesson.given.clear();
        let Some(&root) = self.roots.get(&situation) else { return false };
        let mut at = root;
        let mut woken = usize::from(situation.top != StateId::NOTHING);
        while at != UNKNOWN {
            let node = &self.nodes[at as usize];
            for (access, consumer) in &self.needs[node.first_need as usize..node.end_need as usize] {
                effects::need(access, *consumer, written, memory);
            }
            at = match node.then {
                Then::Write { first, end, number, answers } => {
                    let accesses = self.accesses[first as usize..end as usize].iter().copied();
                    let hit = effects::write(accesses, number, written, memory, marks);
                    lesson.given.push(hit);
                    answers[usize::from(hit)]
                }
                Then::Below => {
                    let state = resting.below(woken);
                    woken += usize::from(state != StateId::NOTHING);
                    lesson.given.push(true);
                    self.below.get(&(at, state)).copied().unwrap_or(UNKNOWN)
                }
                Then::End { woken, first, end, finished } => {
                    resting.frames.truncate(resting.frames.len() - woken as usize);
                    resting.frames.extend_from_slice(&self.states[first as usize..end as usize]);
                    resting.finished = finished;
                    return true;
                }
            };
        }
        false
    }

    /// Keeps what a record has as consequences: those frames that were woken are replaced by these.
    pub fn learn(&mut self, situation: Situation, lesson: &Lesson, frames: &[StateId], finished: StateId) {
        let mut link = Link::Root(situation);
        let mut events = lesson.events.iter();
        loop {
            let known = self.target(link);
            let first_need = self.needs.len() as u32;
            let question = events.find(|it| match it {
                Event::Need(access, consumer) if known.is_none() => {
                    self.needs.push((*access, *consumer));
                    false
                }
                Event::Need(..) => false,
                _ => true,
            });
            let at = known.unwrap_or_else(|| {
                let then = match question {
                    Some(Event::Write { first, end, number, .. }) => {
                        let begin = self.accesses.len() as u32;
                        self.accesses.extend_from_slice(&lesson.accesses[*first..*end]);
                        let end = self.accesses.len() as u32;
                        Then::Write { first: begin, end, number: *number, answers: [UNKNOWN; 2] }
                    }
                    Some(_) => Then::Below,
                    None => {
                        let first = self.states.len() as u32;
                        self.states.extend_from_slice(frames);
                        Then::End { woken: lesson.woken, first, end: self.states.len() as u32, finished }
                    }
                };
                self.nodes.push(Node { first_need, end_need: self.needs.len() as u32, then });
                let at = self.nodes.len() as u32 - 1;
                self.set(link, at);
                at
            });
            link = match question {
                Some(Event::Write { hit, .. }) => Link::Answer(at, *hit),
                Some(Event::Below(state)) => Link::Below(at, *state),
                _ => return,
            };
        }
    }

    fn target(&self, link: Link) -> Option<u32> {
        match link {
            Link::Root(situation) => self.roots.get(&situation).copied(),
            Link::Below(at, state) => self.below.get(&(at, state)).copied(),
            Link::Answer(at, hit) => match &self.nodes[at as usize].then {
                Then::Write { answers, .. } => Some(answers[usize::from(hit)]).filter(|it| *it != UNKNOWN),
                _ => None,
            },
        }
    }

    fn set(&mut self, link: Link, node: u32) {
        match link {
            Link::Root(situation) => {
                self.roots.insert(situation, node);
            }
            Link::Below(at, state) => {
                self.below.insert((at, state), node);
            }
            Link::Answer(at, hit) => {
                if let Then::Write { answers, .. } = &mut self.nodes[at as usize].then {
                    answers[usize::from(hit)] = node;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slicing::states::States;

    /// A record that reads eight bytes for consumer 5 and then, backwards, has written eight others.
    #[test]
    fn a_record_like_another() {
        let (mut memory, mut marks, mut states) = (Memory::default(), Marks::new(100), States::default());
        let (mut learned, mut lesson, mut resting) = (Learned::default(), Lesson::default(), Resting::default());
        let [before, missed, hit] = [1, 2, 3].map(|it| states.number(&[it], false));
        let situation = Situation { path: 7, top: before, finished: StateId::NOTHING };
        let (read, write) = (PathAccess::of_word(0, 8, false), PathAccess::of_word(1, 8, true));
        // Each time from the same frame; what it becomes, or none if that was not known.
        let mut pass = |written: &[u64], memory: &mut Memory| {
            resting.frames = vec![before];
            if learned.play(situation, written, &mut resting, memory, &mut marks, &mut lesson) {
                return resting.frames.clone();
            }
            lesson.restart();
            lesson.wake(before);
            lesson.need(read, 5, written, memory);
            let is_hit = lesson.write(std::iter::once(write), 6, written, memory, &mut marks);
            learned.learn(situation, &lesson, &[if is_hit { hit } else { missed }], StateId::NOTHING);
            Vec::new()
        };
        assert_eq!(pass(&[0x1000, 0x2000], &mut memory), []);
        assert_eq!(pass(&[0x1100, 0x2000], &mut memory), [missed]);
        assert_eq!(memory.most(), 16);
        // What the last one needs is written, which was asked before but never so.
        assert_eq!(pass(&[0x1200, 0x1000], &mut memory), []);
        assert_eq!(pass(&[0x1300, 0x1104], &mut memory), [hit]);
        assert_eq!(pass(&[0x1300, 0x1100], &mut memory), [hit]);
        assert_eq!(pass(&[0x1300, 0x1100], &mut memory), [missed]);
        // Nothing was done twice: of four that were needed, two are not any more.
        let mut left = Vec::new();
        memory.write(0x1000, 0x800, 9, |_| (), |at, length| left.push((at, length)));
        assert_eq!(left, [(0x1200, 8), (0x1300, 8)]);
        assert_eq!(marks.edges().collect::<Vec<_>>(), [(5, 6, crate::slicing::Dependence::Data)]);
    }
}
