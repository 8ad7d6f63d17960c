//! Exact places inside macros.
//!
//! Debug information gives every instruction of a macro's expansion the place of the macro's name.
//! The same unit is therefore compiled a second time from its preprocessed text, where every token
//! has a place of its own, and the two instruction streams are paired: function by function, one to
//! one, by position and opcode. A function whose streams differ (`__COUNTER__`, say) stays unpaired.

use std::collections::HashMap;

use crate::llvm::{Module, Value};

/// Annotates the instructions of `original` with their line and column in `preprocessed`'s text.
/// Returns how many instructions with a place were paired, and how many there are.
pub fn pair(original: &Module, preprocessed: &Module, kind: u32) -> (usize, usize) {
    let others: HashMap<String, Value> =
        preprocessed.functions().into_iter().map(|function| (function.name(), function)).collect();
    let mut paired = (0, 0);
    for function in original.functions().into_iter().filter(|function| !function.is_declaration()) {
        let ours = instructions(function);
        paired.1 += ours.iter().filter(|one| one.debug_location().is_some()).count();
        let Some(theirs) = others.get(&function.name()).map(|&other| instructions(other)) else { continue };
        let alike = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(a, b)| a.opcode() == b.opcode());
        if !alike {
            continue;
        }
        for (&instruction, other) in ours.iter().zip(theirs) {
            if let (Some(_), Some(location)) = (instruction.debug_location(), other.debug_location()) {
                let (line, column, _) = location.location();
                original.annotate(instruction, kind, [line, column]);
                paired.0 += 1;
            }
        }
    }
    paired
}

fn instructions(function: Value) -> Vec<Value> {
    let all = function.blocks().into_iter().flat_map(|block| block.instructions());
    all.filter(|instruction| !instruction.is_debug_instruction()).collect()
}
