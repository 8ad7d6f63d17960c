//! The stack of a thread, read backwards.
//!
//! Records come from the last to the first, so a function is entered at its return and left at its beginning. What
//! never returned (a crash, `longjmp`, `exit`) is entered where it was last seen.
//!
//! Frames rest as numbers of their contents. Those that a record touches are woken for it and rest again behind it.

use super::bits::Bits;
use super::flat::{Flat, FlatSegment};
use super::states::{StateId, States};

/// Something of a frame that is needed, and by which node of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    pub node: u32,
    pub consumer: u32,
}

impl Need {
    fn word(self) -> u64 {
        u64::from(self.node) << 32 | u64::from(self.consumer)
    }

    fn of_word(word: u64) -> Need {
        Need { node: (word >> 32) as u32, consumer: word as u32 }
    }
}

/// A call of a function, as far as it was read.
#[derive(Debug, Default)]
pub struct Frame {
    pub function: u32,
    /// The segment that was read last, which is the one executed next.
    pub segment: u32,
    /// Nodes whose values are needed.
    pub values: Bits,
    /// Phi nodes whose values are needed, which depend on where control came from.
    pub phis: Vec<u32>,
    /// Nodes that wait for what made them run: a branch, or if there is none the call of the function.
    pub waiting: Bits,
    /// Segments with such nodes that a branch may have led to.
    pub control: Vec<u32>,
    /// Segments (as `node`) that need the branch that led to them for a node elsewhere.
    pub ways: Vec<Need>,
    /// The call before this place ran observed code, which gave its value.
    pub has_callee: bool,
}

/// Words of a frame before its lists.
const HEAD: usize = 3;

impl Frame {
    fn is_idle(&self) -> bool {
        self.values.is_empty() && self.phis.is_empty() && self.waiting.is_empty() && self.ways.is_empty()
    }

    /// All of it as words; the order of lists says nothing.
    fn write(&mut self, words: &mut Vec<u64>) {
        self.phis.sort_unstable();
        self.control.sort_unstable();
        self.ways.sort_unstable();
        words.clear();
        words.push(u64::from(self.function) << 32 | u64::from(self.segment));
        words.push((self.phis.len() as u64) << 32 | (self.control.len() as u64) << 1 | u64::from(self.has_callee));
        words.push(0);
        words.extend(self.values.words().flatten());
        let values = words.len() - HEAD;
        words.extend(self.waiting.words().flatten());
        let waiting = words.len() - HEAD - values;
        words[HEAD - 1] = (values as u64) << 32 | waiting as u64;
        words.extend(self.phis.iter().chain(&self.control).map(|it| u64::from(*it)));
        words.extend(self.ways.iter().map(|it| it.word()));
    }

    fn read(&mut self, flat: &Flat<'_>, words: &[u64]) {
        self.function = (words[0] >> 32) as u32;
        self.segment = words[0] as u32;
        let (phis, control) = ((words[1] >> 32) as usize, (words[1] as u32 >> 1) as usize);
        self.has_callee = words[1] & 1 != 0;
        let nodes = flat.node_count_of(self.function);
        let (values, rest) = words[HEAD..].split_at((words[2] >> 32) as usize);
        let (waiting, rest) = rest.split_at(words[2] as u32 as usize);
        self.values.set(values.as_chunks().0, nodes);
        self.waiting.set(waiting.as_chunks().0, nodes);
        let (phis, rest) = rest.split_at(phis);
        let (control, ways) = rest.split_at(control);
        self.phis.clear();
        self.phis.extend(phis.iter().map(|it| *it as u32));
        self.control.clear();
        self.control.extend(control.iter().map(|it| *it as u32));
        self.ways.clear();
        self.ways.extend(ways.iter().map(|it| Need::of_word(*it)));
    }

    fn begin(&mut self, function: u32, nodes: u32) {
        self.function = function;
        self.values.clear();
        self.values.reserve(nodes);
        self.waiting.clear();
        self.waiting.reserve(nodes);
        self.phis.clear();
        self.control.clear();
        self.ways.clear();
        self.has_callee = false;
    }
}

/// What a frame leaves to its caller when its beginning was read.
#[derive(Debug, Default)]
pub struct Finished {
    pub function: u32,
    /// Needed arguments (as `node`).
    pub arguments: Vec<Need>,
    /// Nodes among all that ran because of the call.
    pub call_consumers: Vec<u32>,
}

impl Finished {
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.call_consumers.is_empty()
    }

    pub fn clear(&mut self) {
        self.arguments.clear();
        self.call_consumers.clear();
    }

    fn write(&mut self, words: &mut Vec<u64>) {
        words.clear();
        if !self.is_empty() {
            self.arguments.sort_unstable();
            self.call_consumers.sort_unstable();
            words.push(u64::from(self.function) << 32 | self.arguments.len() as u64);
            words.extend(self.arguments.iter().map(|it| it.word()));
            words.extend(self.call_consumers.iter().map(|it| u64::from(*it)));
        }
    }

    fn read(&mut self, words: &[u64]) {
        self.clear();
        if let Some((head, lists)) = words.split_first() {
            let (arguments, consumers) = lists.split_at(*head as u32 as usize);
            self.function = (head >> 32) as u32;
            self.arguments.extend(arguments.iter().map(|it| Need::of_word(*it)));
            self.call_consumers.extend(consumers.iter().map(|it| *it as u32));
        }
    }
}

/// The frames of one thread that no record is at, and what the callee that was read last has left.
#[derive(Debug)]
pub struct Resting {
    /// From the outermost to the innermost.
    pub frames: Vec<StateId>,
    pub finished: StateId,
}

impl Default for Resting {
    fn default() -> Resting {
        Resting { frames: Vec::new(), finished: StateId::NOTHING }
    }
}

impl Resting {
    /// The frame behind so many of the innermost ones.
    pub fn below(&self, frames: usize) -> StateId {
        let index = self.frames.len().checked_sub(frames + 1);
        index.map_or(StateId::NOTHING, |it| self.frames[it])
    }

    pub fn is_idle(&self, states: &States) -> bool {
        self.finished == StateId::NOTHING && self.frames.iter().all(|it| states.is_idle(*it))
    }

    /// All that it has, by numbers of others.
    pub fn carry(&mut self, from: &States, to: &mut States) {
        self.frames.iter_mut().chain([&mut self.finished]).for_each(|it| *it = from.carry(*it, to));
    }
}

/// The frames that a record touches, above those that rest.
#[derive(Debug, Default)]
pub struct Stack {
    /// Those behind the depth are kept so that they need not be allocated again.
    frames: Vec<Frame>,
    depth: usize,
    /// Of the callee that was just read.
    pub finished: Finished,
    words: Vec<u64>,
}

/// How a record found the stack.
pub struct Entered {
    /// It began a frame.
    pub is_new: bool,
    /// The frame that had to be woken.
    pub woken: Option<StateId>,
}

impl Stack {
    /// Before a record.
    pub fn begin(&mut self, states: &States, resting: &Resting) {
        self.finished.read(states.words(resting.finished));
    }

    /// Makes the frame that a segment belongs to the top: it is, or a new one is pushed.
    pub fn enter(
        &mut self,
        flat: &Flat<'_>,
        number: u32,
        segment: &FlatSegment,
        states: &States,
        resting: &mut Resting,
    ) -> Entered {
        let mut woken = None;
        if self.depth == 0 {
            let state = resting.frames.pop().unwrap_or(StateId::NOTHING);
            woken = Some(state);
            if state != StateId::NOTHING {
                self.push().read(flat, states.words(state));
            }
        }
        let belongs = self.frames[..self.depth]
            .last()
            .is_some_and(|frame| frame.function == segment.function && leads_to(flat, segment, frame.segment));
        if !belongs {
            self.push().begin(segment.function, flat.node_count_of(segment.function));
        }
        self.top().segment = number;
        Entered { is_new: !belongs, woken }
    }

    fn push(&mut self) -> &mut Frame {
        if self.frames.len() == self.depth {
            self.frames.push(Frame::default());
        }
        self.depth += 1;
        &mut self.frames[self.depth - 1]
    }

    /// The frame below the top, which is awake if the top is a new one.
    pub fn caller(&mut self) -> Option<&mut Frame> {
        let below = self.depth.checked_sub(2)?;
        self.frames.get_mut(below)
    }

    pub fn top(&mut self) -> &mut Frame {
        self.frames[..self.depth].last_mut().expect("a record was entered")
    }

    /// The top, and what its callee has left.
    pub fn top_and_finished(&mut self) -> (&mut Frame, &mut Finished) {
        (self.frames[..self.depth].last_mut().expect("a record was entered"), &mut self.finished)
    }

    /// The beginning of the top frame was read: these arguments are needed, and what no branch in the function decided,
    /// its call did.
    pub fn leave(&mut self, flat: &Flat<'_>, arguments: &[Need]) {
        self.depth = self.depth.checked_sub(1).expect("a record was entered");
        let frame = &mut self.frames[self.depth];
        let finished = &mut self.finished;
        finished.function = frame.function;
        finished.arguments.extend_from_slice(arguments);
        let consumers = &mut finished.call_consumers;
        if !frame.waiting.is_empty() {
            let first = flat.node(frame.function, 0);
            frame.waiting.take(0, flat.node_count_of(frame.function), |node| consumers.push(first + node));
        }
        for need in frame.ways.drain(..) {
            if !consumers.contains(&need.consumer) {
                consumers.push(need.consumer);
            }
        }
    }

    /// Behind a record: all frames rest, and so does what the last callee has left.
    pub fn rest(&mut self, states: &mut States, resting: &mut Resting) {
        for frame in &mut self.frames[..self.depth] {
            frame.write(&mut self.words);
            resting.frames.push(states.number(&self.words, frame.is_idle()));
        }
        self.depth = 0;
        self.finished.write(&mut self.words);
        resting.finished = states.number(&self.words, false);
    }
}

/// Whether control can go from one segment to another of the same call.
fn leads_to(flat: &Flat<'_>, segment: &FlatSegment, next: u32) -> bool {
    let to = flat.segments[next as usize].index;
    // Nothing in a call comes before its beginning.
    to != 0 && flat.successors(segment).contains(&to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_finished_rests_and_wakes() {
        let mut words = Vec::new();
        let needs = [Need { node: 2, consumer: 70 }, Need { node: 1, consumer: 9 }];
        let mut finished = Finished { function: 5, arguments: needs.to_vec(), call_consumers: vec![8, 3] };
        finished.write(&mut words);
        let mut woken = Finished::default();
        woken.read(&words);
        assert_eq!((woken.function, woken.arguments, woken.call_consumers), (5, vec![needs[1], needs[0]], vec![3, 8]));
        finished.read(&[]);
        assert!(finished.is_empty());
    }

    /// Frames with the same contents have the same number, in whatever order they came.
    #[test]
    fn contents_have_numbers() {
        let (mut states, mut stack, mut resting) = (States::default(), Stack::default(), Resting::default());
        for phis in [vec![3, 1], vec![1, 3], vec![1]] {
            let frame = stack.push();
            frame.begin(0, 100);
            frame.values.insert(99);
            frame.phis = phis;
        }
        stack.rest(&mut states, &mut resting);
        assert!(resting.frames[0] == resting.frames[1] && resting.below(0) != resting.below(1));
        assert!(resting.finished == StateId::NOTHING && resting.below(3) == StateId::NOTHING);
        assert!(!resting.is_idle(&states));
        let mut others = States::default();
        resting.carry(&states, &mut others);
        assert_eq!(others.words(resting.below(0)), [0, 1 << 32, 2 << 32, 1, 1 << 35, 1]);
    }
}
