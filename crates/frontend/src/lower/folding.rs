//! Which instructions become part of the expression that uses them, and which need a temporary.
//!
//! Input: the instructions of one block. Output: the set that must be *held* in a temporary at the
//! place where they stand; all other pure instructions are folded into their users.
//!
//! An instruction can be folded if all its users are in its block, and if evaluating it at the
//! command where its users end up gives the same value: no write to what it reads lies in between.
//! A value that is needed at several commands is repeated only where the source repeats it too: an
//! address (`a[i] += 2`) or a plain variable.

use std::collections::{HashMap, HashSet};

use super::homes::Home;
use crate::llvm::{Block, Opcode, Value, ValueKind};

/// Repeating an address larger than this would hide more than it shows.
const MOST_REPEATED_NODES: u32 = 12;
/// Expressions are cut here, so that no recursion over them can exhaust a stack.
const MOST_DEPTH: u32 = 96;

/// What the analysis must know about a function beyond its instructions.
pub struct Surroundings<'a> {
    pub homes: &'a HashMap<Value, Home>,
}

/// The values of the block that need a temporary.
pub fn held_values(block: Block, around: &Surroundings<'_>) -> HashSet<Value> {
    Analysis::new(block, around).run()
}

/// Instructions that compute a value and change nothing.
pub fn is_pure(instruction: Value) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMCall => {
            let called = instruction.called();
            called.kind() == ValueKind::Function && super::intrinsics::is_pure(&called.name())
        }
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMAnd | LLVMOr | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg | LLVMICmp
        | LLVMFCmp | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
        | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast
        | LLVMGetElementPtr | LLVMLoad | LLVMSelect | LLVMExtractValue | LLVMInsertValue | LLVMExtractElement
        | LLVMInsertElement | LLVMShuffleVector | LLVMFreeze => true,
        _ => false,
    }
}

/// Instructions that can violate a property even if nobody wants their result.
fn is_felt(instruction: Value, around: &Surroundings<'_>) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMLoad => !matches!(around.homes.get(&instruction.operand(0)), Some(Home::Variable(_))),
        LLVMAdd | LLVMSub | LLVMMul => instruction.has_nsw(),
        LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMFPToSI | LLVMFPToUI => true,
        _ => false,
    }
}

struct Analysis<'a> {
    around: &'a Surroundings<'a>,
    block: Block,
    instructions: Vec<Value>,
    index: HashMap<Value, usize>,
    /// `writes[i]`: how many of the first `i` instructions may write to memory.
    writes: Vec<u32>,
    /// Where each variable is assigned or declared anew.
    assignments: HashMap<Value, Vec<usize>>,
    held: HashSet<Value>,
    /// Where the value of a folded instruction is needed: the positions of commands.
    needed: HashMap<Value, Vec<usize>>,
    nodes: HashMap<Value, (u32, u32)>,
}

impl<'a> Analysis<'a> {
    fn new(block: Block, around: &'a Surroundings<'a>) -> Self {
        let instructions = block.instructions();
        let index = instructions.iter().enumerate().map(|(index, &one)| (one, index)).collect();
        let mut analysis = Analysis {
            around,
            block,
            instructions,
            index,
            writes: vec![0],
            assignments: HashMap::new(),
            held: HashSet::new(),
            needed: HashMap::new(),
            nodes: HashMap::new(),
        };
        analysis.find_writes();
        analysis.measure();
        analysis
    }

    fn find_writes(&mut self) {
        let mut count = 0;
        for (index, &instruction) in self.instructions.iter().enumerate() {
            if let Some(declaration) = instruction.declaration() {
                self.assignments.entry(declaration.address).or_default().push(index);
                count += u32::from(!matches!(self.around.homes.get(&declaration.address), Some(Home::Variable(_))));
            } else if instruction.opcode() == Opcode::LLVMStore
                && matches!(self.around.homes.get(&instruction.operand(1)), Some(Home::Variable(_)))
            {
                self.assignments.entry(instruction.operand(1)).or_default().push(index);
            } else if !instruction.is_debug_instruction() && !is_pure(instruction) {
                count += 1;
            }
            self.writes.push(count);
        }
    }

    /// Nodes and depth of each expression, as if everything were folded.
    fn measure(&mut self) {
        for &instruction in &self.instructions {
            if !is_pure(instruction) {
                continue;
            }
            let operands = (0..instruction.operand_count()).map(|index| instruction.operand(index));
            let (nodes, depth) = operands
                .filter_map(|operand| self.nodes.get(&operand))
                .fold((1u32, 1u32), |all, one| (all.0.saturating_add(one.0), all.1.max(one.1 + 1)));
            let depth = if depth >= MOST_DEPTH { 1 } else { depth };
            if depth == 1 && nodes > 1 {
                self.held.insert(instruction);
            }
            self.nodes.insert(instruction, (nodes, depth));
        }
    }

    fn run(mut self) -> HashSet<Value> {
        for index in (0..self.instructions.len()).rev() {
            let instruction = self.instructions[index];
            if !is_pure(instruction) {
                continue;
            }
            match self.positions(instruction) {
                Some(positions)
                    if !self.held.contains(&instruction) && self.can_fold(instruction, index, &positions) =>
                {
                    self.needed.insert(instruction, positions);
                }
                _ => {
                    self.held.insert(instruction);
                }
            }
        }
        self.held
    }

    /// Where the instruction's value is needed; `None` if another block needs it.
    fn positions(&self, instruction: Value) -> Option<Vec<usize>> {
        let mut positions = Vec::new();
        for user in instruction.users() {
            let is_phi = user.opcode() == Opcode::LLVMPHI;
            if is_phi && user.incoming().iter().all(|&(value, from)| value != instruction || from == self.block) {
                positions.push(self.instructions.len() - 1);
            } else if is_phi || user.block() != self.block {
                return None;
            } else if let Some(further) = self.needed.get(&user) {
                positions.extend(further);
            } else {
                positions.push(self.index[&user]);
            }
        }
        positions.sort_unstable();
        positions.dedup();
        Some(positions)
    }

    fn can_fold(&self, instruction: Value, index: usize, positions: &[usize]) -> bool {
        if positions.is_empty() {
            return !is_felt(instruction, self.around);
        }
        let undisturbed = positions.iter().all(|&position| self.is_undisturbed(instruction, index, position));
        undisturbed && (positions.len() == 1 || self.can_repeat(instruction))
    }

    /// Whether nothing between the two positions writes what the instruction reads.
    fn is_undisturbed(&self, instruction: Value, from: usize, to: usize) -> bool {
        if instruction.opcode() != Opcode::LLVMLoad {
            return true;
        }
        let address = instruction.operand(0);
        match self.around.homes.get(&address) {
            Some(Home::Variable(_)) => {
                let assignments = self.assignments.get(&address).map_or(&[][..], Vec::as_slice);
                !assignments.iter().any(|&at| from < at && at < to)
            }
            _ => self.writes[to] == self.writes[from + 1],
        }
    }

    fn can_repeat(&self, instruction: Value) -> bool {
        let (nodes, _) = self.nodes[&instruction];
        if nodes > MOST_REPEATED_NODES {
            return false;
        }
        match instruction.opcode() {
            Opcode::LLVMGetElementPtr => true,
            Opcode::LLVMLoad => {
                matches!(self.around.homes.get(&instruction.operand(0)), Some(Home::Variable(_)))
                    || instruction.users().into_iter().all(|user| uses_as_address(user, instruction))
            }
            Opcode::LLVMSExt | Opcode::LLVMZExt => {
                instruction.users().into_iter().all(|user| user.opcode() == Opcode::LLVMGetElementPtr)
            }
            _ => false,
        }
    }
}

fn uses_as_address(user: Value, value: Value) -> bool {
    match user.opcode() {
        Opcode::LLVMGetElementPtr | Opcode::LLVMLoad => user.operand(0) == value,
        Opcode::LLVMStore => user.operand(1) == value && user.operand(0) != value,
        _ => false,
    }
}
