//! Whether the calls of a program always fit the machine's stack.
//!
//! They do if no function calls itself, directly or not, and if the frames of the longest chain of calls are not
//! larger than the stack. A call through a pointer may be a call of any function whose address is taken.
//! Not here: objects of computed size, each of which is a check of its own.

use program::exec::Limits;
use program::{Callee, CommandKind, FunctionId, Program};
use rustc_hash::FxHashMap;

use crate::effects::Effects;
use crate::library;

/// Whether no chain of calls from this function overflows the stack.
pub(crate) fn is_enough(program: &Program, effects: &Effects, main: FunctionId) -> bool {
    let mut depths = Depths { program, effects, known: FxHashMap::default() };
    depths.of(main).is_some_and(|bytes| bytes <= Limits::default().stack)
}

struct Depths<'p> {
    program: &'p Program,
    effects: &'p Effects,
    /// Bytes from the function on; nothing while it is looked at, and if it calls itself.
    known: FxHashMap<FunctionId, Option<u64>>,
}

impl Depths<'_> {
    fn of(&mut self, function: FunctionId) -> Option<u64> {
        if let Some(known) = self.known.get(&function) {
            return *known;
        }
        let Some(body) = &self.program.function(function).body else { return Some(0) };
        self.known.insert(function, None);
        let mut deepest = 0;
        for callee in self.callees(function) {
            deepest = deepest.max(self.of(callee)?);
        }
        let bytes = body.stack_bytes().checked_add(deepest);
        self.known.insert(function, bytes);
        bytes
    }

    fn callees(&self, function: FunctionId) -> Vec<FunctionId> {
        let blocks = self.program.function(function).body.iter().flat_map(|body| &body.blocks);
        let mut callees = Vec::new();
        for command in blocks.flat_map(|block| &block.commands) {
            let CommandKind::Call(call) = &command.kind else { continue };
            match call.callee {
                Callee::Direct(callee) if self.program.function(callee).body.is_some() => callees.push(callee),
                Callee::Direct(callee) if !library::may_call_back(&self.program.function(callee).name) => {}
                _ => callees.extend(&self.effects.address_taken),
            }
        }
        callees.sort_unstable();
        callees.dedup();
        callees
    }
}
