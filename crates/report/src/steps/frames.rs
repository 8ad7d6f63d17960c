//! The calls under way in a run that is told, with the values of their variables as far as they are known.

use std::collections::BTreeMap;

use diagnosis::Change;
use program::exec::Step;
use program::exec::memory::Address;
use program::{FunctionId, LocalId, VarId};

#[derive(Debug, Default)]
pub struct Frames {
    frames: Vec<Frame>,
}

#[derive(Debug)]
pub struct Frame {
    values: Vec<Option<u128>>,
    locals: BTreeMap<LocalId, Address>,
    /// Variables that hold a value from outside.
    pub inputs: BTreeMap<VarId, Change>,
    /// The arguments of the call that it has begun.
    call: Vec<Option<u128>>,
    /// That call has run steps of its own.
    entered: bool,
    finished: bool,
    parameters: usize,
}

impl Frame {
    pub fn new(variables: usize, parameters: usize) -> Frame {
        Frame {
            values: vec![None; variables],
            locals: BTreeMap::new(),
            inputs: BTreeMap::new(),
            call: Vec::new(),
            entered: false,
            finished: false,
            parameters,
        }
    }

    pub fn value(&self, variable: VarId) -> Option<u128> {
        self.values.get(variable.index()).copied().flatten()
    }

    pub fn local(&self, local: LocalId) -> Option<Address> {
        self.locals.get(&local).copied()
    }
}

impl Frames {
    pub fn last(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// Brings the frames in line with where the step is.
    pub fn enter(&mut self, step: Step, make: impl Fn(FunctionId) -> Frame) {
        let depth = step.depth as usize;
        self.frames.truncate(depth + 1);
        if self.frames.get(depth).is_some_and(|frame| frame.finished) {
            self.frames.pop();
        }
        while self.frames.len() <= depth {
            let mut frame = make(step.at.function);
            if let Some(caller) = self.frames.last_mut() {
                caller.entered = true;
                let parameters = frame.parameters;
                for (value, argument) in frame.values.iter_mut().zip(&caller.call).take(parameters) {
                    *value = *argument;
                }
            }
            self.frames.push(frame);
        }
    }

    pub fn assign(&mut self, variable: VarId, bits: u128) {
        if let Some(frame) = self.frames.last_mut() {
            frame.inputs.remove(&variable);
            if let Some(value) = frame.values.get_mut(variable.index()) {
                *value = Some(bits);
            }
        }
    }

    pub fn input(&mut self, variable: VarId, input: Change) {
        if let Some(frame) = self.frames.last_mut() {
            frame.inputs.insert(variable, input);
        }
    }

    pub fn begin(&mut self, local: LocalId, address: Address) {
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.insert(local, address);
        }
    }

    pub fn call(&mut self, arguments: Vec<Option<u128>>) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.call, frame.entered) = (arguments, false);
        }
    }

    /// The call is over; whether it had steps of its own.
    pub fn returned(&mut self) -> bool {
        self.frames.last_mut().is_some_and(|frame| std::mem::take(&mut frame.entered))
    }

    pub fn finish(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.finished = true;
        }
    }
}
