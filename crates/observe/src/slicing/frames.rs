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

/// A call of a function, as far as it was read.
#[derive(Debug, Default)]
pub struct Frame {
    pub function: u32,
    /// The segment that was read last, which is the one executed next.
    pub segment: u32,
    /// Values of nodes.
    values: Vec<Need>,
    /// A bit for the segments that have a node whose value is needed; several share one.
    segments: [u64; SEGMENT_BITS / 64],
    /// Values of phi nodes, which depend on where control came from.
    pub phis: Vec<Need>,
    /// Segments (as `node`) that need the branch that led to them.
    pub control: Vec<Need>,
    /// The frame as such is needed: its call.
    pub call_consumers: Vec<u32>,
    /// The call before this place ran observed code, which gave its value.
    pub callee: Option<u32>,
}

const SEGMENT_BITS: usize = 256;

fn bit(segment: u32) -> (usize, u64) {
    let bit = segment as usize % SEGMENT_BITS;
    (bit / 64, 1 << (bit % 64))
}

impl Frame {
    pub fn values(&self) -> &[Need] {
        &self.values
    }

    pub fn need(&mut self, flat: &Flat<'_>, need: Need) {
        if !self.values.contains(&need) {
            let (word, bit) = bit(flat.segment_of(self.function, need.node));
            self.segments[word] |= bit;
            self.values.push(need);
        }
    }

    /// Quick, and wrong only in saying yes.
    pub fn may_need(&self, segment: &FlatSegment) -> bool {
        let (word, bit) = bit(segment.index);
        self.segments[word] & bit != 0
    }

    /// Who needed a node's value is told, and needs it no longer.
    pub fn take(&mut self, flat: &Flat<'_>, node: u32, mut told: impl FnMut(u32)) {
        self.segments = Default::default();
        self.values.retain(|need| {
            if need.node == node {
                told(need.consumer);
                return false;
            }
            let (word, bit) = bit(flat.segment_of(self.function, need.node));
            self.segments[word] |= bit;
            true
        });
    }
}

/// What a frame leaves to its caller when its beginning was read.
#[derive(Debug, Default)]
pub struct Finished {
    pub function: u32,
    /// Needed arguments (as `node`) and the call itself.
    pub arguments: Vec<Need>,
    pub call_consumers: Vec<u32>,
}

/// What was read of one thread.
#[derive(Debug, Default)]
pub struct Stack {
    frames: Vec<Frame>,
    finished: Option<Finished>,
    spare: Vec<Frame>,
}

impl Stack {
    /// Makes the frame that a record belongs to the top: it is, or a new one is pushed, which is the answer.
    pub fn enter(&mut self, flat: &Flat<'_>, number: u32, segment: &FlatSegment) -> bool {
        let belongs = self
            .frames
            .last()
            .is_some_and(|frame| frame.function == segment.function && leads_to(flat, segment, frame.segment));
        if !belongs {
            let mut frame = self.spare.pop().unwrap_or_default();
            frame.function = segment.function;
            self.frames.push(frame);
        }
        self.top().segment = number;
        !belongs
    }

    /// The frame below the top.
    pub fn caller(&mut self) -> Option<&mut Frame> {
        let below = self.frames.len().checked_sub(2)?;
        self.frames.get_mut(below)
    }

    pub fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a record was entered")
    }

    /// The beginning of the top frame was read.
    pub fn leave(&mut self, arguments: Vec<Need>) {
        let mut frame = self.frames.pop().expect("a record was entered");
        let call_consumers = std::mem::take(&mut frame.call_consumers);
        self.finished = Some(Finished { function: frame.function, arguments, call_consumers });
        frame.values.clear();
        frame.segments = Default::default();
        frame.phis.clear();
        frame.control.clear();
        frame.callee = None;
        self.spare.push(frame);
    }

    /// What the callee that was just read leaves, once.
    pub fn take_finished(&mut self) -> Option<Finished> {
        self.finished.take()
    }

    pub fn is_idle(&self) -> bool {
        let idle = |frame: &Frame| {
            frame.values.is_empty()
                && frame.phis.is_empty()
                && frame.control.is_empty()
                && frame.call_consumers.is_empty()
        };
        self.frames.iter().all(idle)
            && self.finished.as_ref().is_none_or(|it| it.arguments.is_empty() && it.call_consumers.is_empty())
    }
}

/// Whether control can go from one segment to another of the same call.
fn leads_to(flat: &Flat<'_>, segment: &FlatSegment, next: u32) -> bool {
    let to = flat.segments[next as usize].index;
    // Nothing in a call comes before its beginning.
    to != 0 && flat.successors(segment).contains(&to)
}
