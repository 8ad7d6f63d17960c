//! `setjmp` and `longjmp`.
//!
//! `setjmp` writes a number into the buffer and remembers frame and position under it, so buffers can
//! be copied. `longjmp` reads the number and unwinds to that frame, if it is still the same call;
//! through library models (`qsort`) it travels as a [`Stop::Jump`]. Variables keep their latest values,
//! as all of them do in code compiled without optimization.

use super::Machine;
use crate::exec::host::{Jump, Stop, World};
use crate::exec::memory::Address;
use crate::exec::observe::Observer;
use crate::exec::violation::{Detail, Fault, ViolationKind};

/// Where a `setjmp` was called.
pub(super) struct JumpPoint {
    mark: u64,
    depth: usize,
    serial: u64,
    pc: u32,
}

/// Forgotten points are cleared away when there are more than this.
const KEPT_POINTS: usize = 1024;

impl<O: Observer> Machine<'_, O> {
    /// The frame's `pc` is the operation after the call.
    pub(super) fn set_jump(&mut self, world: &mut World, buffer: Address) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let (depth, serial, pc) = (self.frames.len() - 1, frame.serial, frame.pc);
        let known = self.jumps.iter().find(|point| (point.depth, point.serial, point.pc) == (depth, serial, pc));
        let mark = match known {
            Some(point) => point.mark,
            None => {
                if self.jumps.len() > KEPT_POINTS {
                    let frames = &self.frames;
                    self.jumps
                        .retain(|point| frames.get(point.depth).is_some_and(|frame| frame.serial == point.serial));
                }
                let mark = self.next_mark;
                self.next_mark += 1;
                self.jumps.push(JumpPoint { mark, depth, serial, pc });
                mark
            }
        };
        world.memory.store_u64(buffer, mark)?;
        Ok(())
    }

    pub(super) fn long_jump(&mut self, world: &mut World, buffer: Address, value: i32) -> Stop {
        match world.memory.load_u64(buffer) {
            Err(fault) => fault.into(),
            Ok(mark) if self.jump_target(mark).is_some() => {
                Stop::Jump(Jump { mark, value: if value == 0 { 1 } else { value } })
            }
            Ok(_) => {
                let problem = "the function that called setjmp has returned".to_owned();
                Fault::new(ViolationKind::BadCall, Detail::Call { function: None, problem }).into()
            }
        }
    }

    fn jump_target(&self, mark: u64) -> Option<(usize, u32)> {
        let point = self.jumps.iter().find(|point| point.mark == mark)?;
        let frame = self.frames.get(point.depth)?;
        (frame.serial == point.serial).then_some((point.depth, point.pc))
    }

    /// Unwinds to the jump's frame and returns true, if that is above the floor of this loop.
    pub(super) fn land(&mut self, world: &mut World, registers: &mut [u64], jump: &Jump, floor: usize) -> bool {
        let Some((depth, pc)) = self.jump_target(jump.mark).filter(|(depth, _)| *depth >= floor) else { return false };
        let started = self.steps();
        while self.frames.len() > depth + 1 {
            self.pop_frame(world, registers);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
        // What was started and will not be counted at the end of its block.
        self.steps += started.saturating_sub(self.steps());
        let top = self.top();
        registers[top] = u64::from(jump.value as u32);
        true
    }
}
