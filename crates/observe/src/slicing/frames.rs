//! The stack of a thread, read backwards.
//!
//! Records come from the last to the first, so a function is entered at its return and left at its beginning. What
//! never returned (a crash, `longjmp`, `exit`) is entered where it was last seen.

use super::flat::{Flat, FlatSegment};

/// Something of a frame that is needed, and by which node of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub node: u32,
    pub consumer: u32,
}

/// Nodes of a function, a bit for each.
#[derive(Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    count: u32,
}

impl Bits {
    /// Room for so many nodes.
    fn reserve(&mut self, nodes: u32) {
        let words = nodes as usize / 64 + 1;
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn contains(&self, node: u32) -> bool {
        self.words[node as usize / 64] >> (node % 64) & 1 != 0
    }

    pub fn insert(&mut self, node: u32) {
        let (word, bit) = (&mut self.words[node as usize / 64], 1 << (node % 64));
        self.count += u32::from(*word & bit == 0);
        *word |= bit;
    }

    pub fn remove(&mut self, node: u32) {
        let (word, bit) = (&mut self.words[node as usize / 64], 1 << (node % 64));
        self.count -= u32::from(*word & bit != 0);
        *word &= !bit;
    }

    /// The greatest one of a range.
    pub fn last(&self, first: u32, end: u32) -> Option<u32> {
        if self.count == 0 || first >= end {
            return None;
        }
        let (low, mut at) = (first as usize / 64, (end - 1) as usize / 64);
        let mut word = self.words[at] & u64::MAX >> (63 - (end - 1) % 64);
        loop {
            if at == low {
                word &= u64::MAX << (first % 64);
            }
            if word != 0 {
                return Some(at as u32 * 64 + 63 - word.leading_zeros());
            }
            if at == low {
                return None;
            }
            at -= 1;
            word = self.words[at];
        }
    }

    /// Whether there are any of a range.
    pub fn has_any(&self, first: u32, end: u32) -> bool {
        match end.wrapping_sub(first) {
            0 => false,
            1..=64 => self.word(first, end) != 0,
            _ => self.last(first, end).is_some(),
        }
    }

    /// Those of up to 64 nodes from a first one, as a word.
    pub fn word(&self, first: u32, end: u32) -> u64 {
        let (at, shift) = (first as usize / 64, first % 64);
        let mut word = self.words[at] >> shift;
        if shift > 0 {
            word |= self.words.get(at + 1).map_or(0, |next| next << (64 - shift));
        }
        let length = end - first;
        if length < 64 { word & ((1 << length) - 1) } else { word }
    }

    /// Adds some of up to 64 nodes from a first one.
    pub fn insert_word(&mut self, first: u32, set: u64) {
        let (at, shift) = (first as usize / 64, first % 64);
        let low = set << shift;
        self.count += (low & !self.words[at]).count_ones();
        self.words[at] |= low;
        let high = if shift > 0 { set >> (64 - shift) } else { 0 };
        if high != 0 {
            self.count += (high & !self.words[at + 1]).count_ones();
            self.words[at + 1] |= high;
        }
    }

    /// Takes some of up to 64 nodes from a first one out.
    pub fn remove_word(&mut self, first: u32, set: u64) {
        let (at, shift) = (first as usize / 64, first % 64);
        let low = set << shift;
        self.count -= (low & self.words[at]).count_ones();
        self.words[at] &= !low;
        let high = if shift > 0 { set >> (64 - shift) } else { 0 };
        if high != 0 {
            self.count -= (high & self.words[at + 1]).count_ones();
            self.words[at + 1] &= !high;
        }
    }

    /// Takes those of a range out, from the last to the first.
    pub fn take(&mut self, first: u32, end: u32, mut told: impl FnMut(u32)) {
        let mut end = end;
        while let Some(node) = self.last(first, end) {
            told(node);
            self.remove(node);
            end = node;
        }
    }

    fn clear(&mut self) {
        if self.count > 0 {
            self.words.fill(0);
            self.count = 0;
        }
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
    pub callee: Option<u32>,
}

impl Frame {
    fn is_idle(&self) -> bool {
        self.values.is_empty() && self.phis.is_empty() && self.waiting.is_empty() && self.ways.is_empty()
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
}

/// What was read of one thread.
#[derive(Debug, Default)]
pub struct Stack {
    /// Those behind the depth are empty, and kept so that they need not be allocated again.
    frames: Vec<Frame>,
    depth: usize,
    /// Of the callee that was just read.
    pub finished: Finished,
}

impl Stack {
    /// Makes the frame that a record belongs to the top: it is, or a new one is pushed, which is the answer.
    pub fn enter(&mut self, flat: &Flat<'_>, number: u32, segment: &FlatSegment) -> bool {
        let belongs = self.frames[..self.depth]
            .last()
            .is_some_and(|frame| frame.function == segment.function && leads_to(flat, segment, frame.segment));
        if !belongs {
            if self.frames.len() == self.depth {
                self.frames.push(Frame::default());
            }
            let (frame, nodes) = (&mut self.frames[self.depth], flat.node_count_of(segment.function));
            frame.function = segment.function;
            frame.values.reserve(nodes);
            frame.waiting.reserve(nodes);
            self.depth += 1;
        }
        self.top().segment = number;
        !belongs
    }

    /// The frame below the top.
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
        frame.values.clear();
        frame.phis.clear();
        frame.control.clear();
        frame.callee = None;
    }

    pub fn is_idle(&self) -> bool {
        self.frames[..self.depth].iter().all(Frame::is_idle) && self.finished.is_empty()
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
    fn bits_of_a_range() {
        let mut bits = Bits::default();
        bits.reserve(200);
        assert_eq!(bits.last(0, 200), None);
        for node in [0, 63, 64, 130, 199] {
            bits.insert(node);
            bits.insert(node);
        }
        assert_eq!((bits.last(0, 200), bits.last(0, 199), bits.last(65, 130)), (Some(199), Some(130), None));
        assert_eq!((bits.last(64, 65), bits.last(1, 64), bits.last(0, 0)), (Some(64), Some(63), None));
        assert!(bits.has_any(60, 70) && bits.has_any(64, 199) && !bits.has_any(65, 130) && !bits.has_any(64, 64));
        assert_eq!((bits.word(60, 70), bits.word(64, 128), bits.word(136, 200)), (0b1_1000, 1, 1 << 63));
        bits.insert_word(60, 1 << 20 | 1);
        assert!(bits.contains(80) && bits.contains(60));
        bits.remove_word(60, 1 << 20 | 1);
        assert!(!bits.contains(80) && !bits.contains(60) && bits.contains(63));
        let mut taken = Vec::new();
        bits.take(63, 131, |node| taken.push(node));
        assert_eq!(taken, [130, 64, 63]);
        assert!(bits.contains(0) && !bits.contains(64) && !bits.is_empty());
        bits.remove(0);
        bits.remove(0);
        bits.clear();
        assert!(bits.is_empty() && bits.last(0, 200).is_none());
    }
}
