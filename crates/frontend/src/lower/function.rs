//! One function's body: homes, blocks, commands.

use std::collections::{HashMap, HashSet};

use program::{
    Argument, Block as IrBlock, BlockId, Body, Call, Callee, Command, CommandKind, ExprId, Object, Role, Site,
    Terminator, TerminatorKind, Type, VarId, Variable,
};

use super::folding::{self, Surroundings};
use super::homes::{Declared, Home};
use super::scopes::Scopes;
use super::{Lowering, blocks};
use crate::llvm::{Block, Opcode, Value, ValueKind};

/// The state of lowering one function.
pub struct FunctionLowering<'a, 'm> {
    pub unit: &'a mut Lowering<'m>,
    pub function: Value,
    pub blocks: Vec<Block>,
    pub body: Body,
    pub homes: HashMap<Value, Home>,
    pub declared: HashMap<Value, Declared>,
    /// Parameters whose only store went into their home.
    pub spills: HashSet<Value>,
    /// Values that live in variables: parameters, call results, temporaries; one per scalar.
    pub held: HashMap<Value, Vec<VarId>>,
    /// Instructions of the current block that a temporary must hold.
    pub must_hold: HashSet<Value>,
    /// Stores that the call before them already did.
    pub done: HashSet<Value>,
    pub scopes: Scopes,
    commands: Vec<Command>,
    names: HashMap<String, u32>,
    block_names: HashMap<String, u32>,
    /// Blocks that stand on an edge, to be added behind all others.
    edges: Vec<IrBlock>,
}

pub fn lower_body<'m>(unit: &mut Lowering<'m>, function: Value) -> Body {
    let blocks = blocks::reachable(function);
    let mut lowering = FunctionLowering {
        unit,
        function,
        blocks,
        body: Body::default(),
        homes: HashMap::new(),
        declared: HashMap::new(),
        spills: HashSet::new(),
        held: HashMap::new(),
        must_hold: HashSet::new(),
        done: HashSet::new(),
        scopes: Scopes::default(),
        commands: Vec::new(),
        names: HashMap::new(),
        block_names: HashMap::new(),
        edges: Vec::new(),
    };
    lowering.settle();
    lowering.find_scopes();
    lowering.hold_phis();
    if function.name() == "main" {
        lowering.call_constructors();
    }
    for block in lowering.blocks.clone() {
        lowering.lower_block(block);
    }
    let edges = std::mem::take(&mut lowering.edges);
    lowering.body.blocks.extend(edges);
    lowering.body
}

impl FunctionLowering<'_, '_> {
    fn lower_block(&mut self, block: Block) {
        self.must_hold = folding::held_values(block, &Surroundings { homes: &self.homes });
        self.enter_block_scope(block);
        for instruction in block.instructions() {
            if let Some(declaration) = instruction.declaration() {
                self.declare(instruction, declaration.address);
            } else if !instruction.is_debug_instruction() {
                self.enter_instruction_scope(instruction);
                if Some(instruction) == block.terminator() {
                    break;
                }
                self.lower_instruction(instruction);
            }
        }
        let terminator = self.lower_terminator(block);
        let name = self.unique_block_name(&block.name());
        let commands = std::mem::take(&mut self.commands);
        self.body.blocks.push(IrBlock { name, commands, terminator });
    }

    fn lower_instruction(&mut self, instruction: Value) {
        if folding::is_pure(instruction) {
            if self.must_hold.contains(&instruction) {
                self.hold(instruction);
            }
            return;
        }
        let result = match instruction.opcode() {
            Opcode::LLVMStore => self.lower_store(instruction),
            Opcode::LLVMCall => self.lower_call(instruction),
            Opcode::LLVMAlloca => self.lower_alloca(instruction),
            Opcode::LLVMAtomicRMW => self.lower_atomic_update(instruction),
            Opcode::LLVMAtomicCmpXchg => self.lower_compare_exchange(instruction),
            Opcode::LLVMFence | Opcode::LLVMPHI => Ok(()),
            other => Err(format!("instruction `{other:?}`")),
        };
        if let Err(what) = result {
            self.unsupported(instruction, what);
        }
    }

    /// What runs before `main`, and what is to run after it, is called for at its start.
    fn call_constructors(&mut self) {
        for function in self.unit.functions_in_table("llvm.global_ctors") {
            let call = Call { targets: Vec::new(), callee: Callee::Direct(function), arguments: Vec::new() };
            self.emit(CommandKind::Call(call), Site::NONE);
        }
        let destructors = self.unit.functions_in_table("llvm.global_dtors");
        let register = (!destructors.is_empty()).then(|| self.unit.external("atexit", &[Type::Pointer], &[Type::I32]));
        for function in destructors {
            let address = self.object_address(Object::Function(function), Site::NONE);
            let arguments = vec![Argument::Scalar(address)];
            let callee = Callee::Direct(register.expect("made for the destructors"));
            self.emit(CommandKind::Call(Call { targets: Vec::new(), callee, arguments }), Site::NONE);
        }
    }

    /// Keeps the value of an instruction in a temporary, one per scalar.
    fn hold(&mut self, instruction: Value) {
        let site = self.site(instruction);
        match self.build_all(instruction) {
            Ok(values) => {
                let types: Vec<Type> = values.iter().map(|&value| self.body.expr(value).ty).collect();
                let targets = self.temporaries(&types, site);
                for (&target, value) in targets.iter().zip(values) {
                    self.emit(CommandKind::Assign { target, value }, site);
                }
                self.held.insert(instruction, targets);
            }
            Err(what) => self.unsupported(instruction, what),
        }
    }

    /// Marks a place that has no meaning; its value, if any, is some temporary that nobody assigns.
    pub fn unsupported(&mut self, instruction: Value, what: String) {
        let site = self.site(instruction);
        let id = self.unit.note_unsupported(what, site);
        self.emit(CommandKind::Unsupported(id), site);
        let types = self.unit.scalars(instruction.ty()).unwrap_or_default();
        let targets = self.temporaries(&types, site);
        self.held.insert(instruction, targets);
    }

    fn lower_alloca(&mut self, alloca: Value) -> Result<(), String> {
        if self.homes.contains_key(&alloca) {
            return Ok(());
        }
        let site = self.site(alloca);
        let element = self.unit.layout.size(alloca.allocated_type());
        let count = self.build(alloca.operand(0), 0)?;
        let count = self.extend_to_64(count, site);
        let size = self.scaled(count, element, site);
        let target = match self.declared.get(&alloca).map(|declared| declared.variable) {
            Some(variable) => {
                let name = self.unique_name(&variable.name());
                let ctype = Some(self.unit.ctypes.of(variable.variable_type()));
                self.add_variable(Variable { name, ty: Type::Pointer, role: Role::Local, ctype, site })
            }
            None => self.temporaries(&[Type::Pointer], site)[0],
        };
        self.emit(CommandKind::Allocate { target, size, align: alloca.alignment().max(1) }, site);
        self.held.insert(alloca, vec![target]);
        Ok(())
    }

    // Blocks and edges.

    fn lower_terminator(&mut self, block: Block) -> Terminator {
        let Some(instruction) = block.terminator() else {
            return Terminator { kind: TerminatorKind::Unreachable, site: Site::NONE };
        };
        let site = self.site(instruction);
        match self.terminator_kind(block, instruction) {
            Ok(kind) => Terminator { kind, site },
            Err(what) => {
                self.unsupported(instruction, what);
                Terminator { kind: TerminatorKind::Unreachable, site }
            }
        }
    }

    fn terminator_kind(&mut self, block: Block, instruction: Value) -> Result<TerminatorKind, String> {
        let successors = instruction.successors();
        match instruction.opcode() {
            Opcode::LLVMBr if !instruction.is_conditional() => {
                self.assign_phis(block, successors[0])?;
                Ok(TerminatorKind::Goto(self.unit.block_ids[&successors[0]]))
            }
            Opcode::LLVMBr if instruction.condition().kind() == ValueKind::Int => {
                let way = if instruction.condition().int_bits() == 1 { 0 } else { 1 };
                self.assign_phis(block, successors[way])?;
                Ok(TerminatorKind::Goto(self.unit.block_ids[&successors[way]]))
            }
            Opcode::LLVMBr => {
                let condition = self.build(instruction.condition(), 0)?;
                let then = self.edge(block, successors[0])?;
                let otherwise = self.edge(block, successors[1])?;
                Ok(TerminatorKind::Branch { condition, then, otherwise })
            }
            Opcode::LLVMSwitch => {
                let value = self.build(instruction.operand(0), 0)?;
                let default = self.edge(block, successors[0])?;
                let mut cases = Vec::new();
                for (index, &target) in successors.iter().enumerate().skip(1) {
                    // The operands alternate: value, block.
                    let case = instruction.operand(2 * index as u32).int_bits();
                    cases.push((case, self.edge(block, target)?));
                }
                Ok(TerminatorKind::Switch { value, cases, default })
            }
            Opcode::LLVMIndirectBr => {
                let address = self.build(instruction.operand(0), 0)?;
                for &target in &successors {
                    self.refuse_phis(target)?;
                }
                let mut targets: Vec<BlockId> = successors.iter().map(|block| self.unit.block_ids[block]).collect();
                targets.sort_unstable();
                targets.dedup();
                Ok(TerminatorKind::IndirectGoto { address, targets })
            }
            Opcode::LLVMRet => {
                let values = match instruction.operand_count() {
                    0 => Vec::new(),
                    _ => self.build_moved(instruction.operand(0))?,
                };
                Ok(TerminatorKind::Return(values))
            }
            Opcode::LLVMUnreachable => Ok(TerminatorKind::Unreachable),
            other => Err(format!("instruction `{other:?}`")),
        }
    }

    fn phis(block: Block) -> Vec<Value> {
        block.instructions().into_iter().take_while(|one| one.opcode() == Opcode::LLVMPHI).collect()
    }

    /// Every phi is a variable that each way into its block assigns.
    fn hold_phis(&mut self) {
        for block in self.blocks.clone() {
            for phi in Self::phis(block) {
                let site = self.site(phi);
                let types = self.unit.scalars(phi.ty()).unwrap_or_default();
                let targets = self.temporaries(&types, site);
                self.held.insert(phi, targets);
            }
        }
    }

    /// The target of one way of a branch: the block itself, or a block on the edge that assigns the
    /// target's phis.
    fn edge(&mut self, from: Block, to: Block) -> Result<BlockId, String> {
        let target = self.unit.block_ids[&to];
        if Self::phis(to).is_empty() {
            return Ok(target);
        }
        let before = std::mem::take(&mut self.commands);
        let assigned = self.assign_phis(from, to);
        let commands = std::mem::replace(&mut self.commands, before);
        assigned?;
        let name = self.unique_block_name(&format!("{}.in", to.name()));
        let terminator = Terminator { kind: TerminatorKind::Goto(target), site: Site::NONE };
        self.edges.push(IrBlock { name, commands, terminator });
        Ok(BlockId((self.blocks.len() + self.edges.len() - 1) as u32))
    }

    fn assign_phis(&mut self, from: Block, to: Block) -> Result<(), String> {
        let mut copies: Vec<(VarId, ExprId, Site)> = Vec::new();
        for phi in Self::phis(to) {
            let site = self.site(phi);
            let Some(&(value, _)) = phi.incoming().iter().find(|&&(_, block)| block == from) else { continue };
            let values = self.build_all(value)?;
            let targets = self.held[&phi].clone();
            for (target, value) in targets.into_iter().zip(values) {
                // clang gives joined values no place; what is joined has one.
                let site = if site == Site::NONE { self.body.expr(value).site } else { site };
                copies.push((target, value, site));
            }
        }
        // With several phis, one may read what another assigns: they change all at once.
        if copies.len() > 1 {
            for copy in &mut copies {
                let ty = self.body.expr(copy.1).ty;
                let target = self.temporaries(&[ty], copy.2)[0];
                self.emit(CommandKind::Assign { target, value: copy.1 }, copy.2);
                copy.1 = self.variable(target, copy.2);
            }
        }
        for (target, value, site) in copies {
            self.emit(CommandKind::Assign { target, value }, site);
        }
        Ok(())
    }

    fn refuse_phis(&self, block: Block) -> Result<(), String> {
        match Self::phis(block).is_empty() {
            true => Ok(()),
            false => Err("a computed goto into a joined value".into()),
        }
    }

    // Small services for the other files of this folder.

    pub fn site(&mut self, instruction: Value) -> Site {
        self.unit.sites.of_instruction(instruction)
    }

    pub fn emit(&mut self, kind: CommandKind, site: Site) {
        self.commands.push(Command { kind, site });
    }

    pub fn add_variable(&mut self, variable: Variable) -> VarId {
        self.body.variables.push(variable);
        VarId(self.body.variables.len() as u32 - 1)
    }

    pub fn temporaries(&mut self, types: &[Type], site: Site) -> Vec<VarId> {
        let add = |&ty: &Type| {
            let name = format!("%{}", self.body.variables.len());
            self.add_variable(Variable { name, ty, role: Role::Temporary, ctype: None, site })
        };
        types.iter().map(add).collect()
    }

    pub fn unique_name(&mut self, name: &str) -> String {
        unique(&mut self.names, name)
    }

    fn unique_block_name(&mut self, name: &str) -> String {
        unique(&mut self.block_names, if name.is_empty() { "block" } else { name })
    }
}

/// The name itself the first time, then with a number behind it.
fn unique(names: &mut HashMap<String, u32>, name: &str) -> String {
    let name = if name.is_empty() { "unnamed" } else { name };
    loop {
        let count = names.entry(name.to_string()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return name.to_string();
        }
        let numbered = format!("{name}.{count}");
        if !names.contains_key(&numbered) {
            names.insert(numbered.clone(), 1);
            return numbered;
        }
    }
}
