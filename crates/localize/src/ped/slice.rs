//! Which statements of a trace the failure depends on: what is untrusted to begin with (§3.2).
//!
//! A dynamic backward slice: a statement is in it if what it writes is read by one that is in it, or if it is the
//! last branch that decided whether one that is in it was reached. Branches whose sides meet again before anything
//! that matters are not in it, nor is what they decide.

use std::collections::{BTreeMap, BTreeSet};

use logic::commands::Command;
use logic::terms::TermId;
use program::exec::{CommandRef, Violation};
use program::{BlockId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use verify::encode::EncodedTrace;
use verify::encode::origins::{Place, What};
use verify::encode::recording::{Entry, Recording};

use super::control::Control;

/// The numbers of the statements in the slice, ascending.
pub fn slice(program: &Program, encoded: &EncodedTrace, recording: &Recording, violation: &Violation) -> Vec<usize> {
    let calls = Calls::of(recording);
    let mut slicing = Slicing {
        control: Control::new(program),
        calls: &calls,
        wanted: FxHashSet::default(),
        needed: BTreeMap::new(),
        reads: FxHashMap::default(),
        encoded,
    };
    slicing.need(calls.last, violation.at.block);
    let mut found = Vec::new();
    for (number, statement) in encoded.trace.statements.iter().enumerate().rev() {
        if encoded.places.get(statement.origin).is_some_and(|place| slicing.takes(number, place)) {
            found.push(number);
        }
    }
    found.reverse();
    found
}

/// The calls of a run, numbered as they begin.
struct Calls {
    /// The caller, and where it calls.
    callers: Vec<Option<(u32, CommandRef)>>,
    /// The call that is under way at the end.
    last: u32,
}

impl Calls {
    fn of(recording: &Recording) -> Calls {
        let mut callers = vec![None];
        let mut stack: Vec<u32> = vec![0];
        let mut previous: Option<CommandRef> = None;
        for entry in &recording.entries {
            let Entry::Step(step) = entry else { continue };
            let depth = step.depth as usize + 1;
            stack.truncate(depth);
            while stack.len() < depth {
                let caller = stack.last().copied().unwrap_or(0);
                stack.push(callers.len() as u32);
                callers.push(previous.map(|at| (caller, at)));
            }
            previous = Some(step.at);
        }
        Calls { callers, last: stack.last().copied().unwrap_or(0) }
    }
}

struct Slicing<'t> {
    control: Control<'t>,
    calls: &'t Calls,
    wanted: FxHashSet<TermId>,
    /// For each call under way, blocks whose deciding branch is looked for.
    needed: BTreeMap<u32, BTreeSet<BlockId>>,
    reads: FxHashMap<TermId, Vec<TermId>>,
    encoded: &'t EncodedTrace,
}

impl Slicing<'_> {
    fn need(&mut self, frame: u32, block: BlockId) {
        self.needed.entry(frame).or_default().insert(block);
        let mut frame = frame;
        while let Some(Some((caller, at))) = self.calls.callers.get(frame as usize) {
            if !self.needed.entry(*caller).or_default().insert(at.block) {
                break;
            }
            frame = *caller;
        }
    }

    fn takes(&mut self, number: usize, place: &Place) -> bool {
        let statement = &self.encoded.trace.statements[number];
        let term = match statement.command {
            Command::Assign { variable, value } => {
                if !self.wanted.remove(&variable) {
                    return false;
                }
                Some(value)
            }
            Command::Havoc { variable } => {
                if !self.wanted.remove(&variable) {
                    return false;
                }
                None
            }
            Command::Assume { condition } => {
                if !self.assumes(place) {
                    return false;
                }
                Some(condition)
            }
        };
        if let Some(term) = term {
            let terms = &self.encoded.terms;
            let reads = self.reads.entry(term).or_insert_with(|| terms.free_variables(&[term]));
            self.wanted.extend(reads.iter().copied());
        }
        if let Some(at) = place.at {
            self.need(place.frame, at.block);
        }
        true
    }

    /// Whether a branch decides about something that is in the slice.
    fn assumes(&mut self, place: &Place) -> bool {
        if matches!(place.what, What::Failure(_) | What::Assumption) {
            return true;
        }
        let (Some(at), Some(blocks)) = (place.at, self.needed.get_mut(&place.frame)) else { return false };
        let before = blocks.len();
        let control = &mut self.control;
        blocks.retain(|&block| !control.decides(at.function, at.block, block));
        blocks.len() < before
    }
}
