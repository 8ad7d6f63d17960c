//! Program × witness: one program whose executions are those of the program that the witness allows.
//!
//! A hidden object has a byte for each state of the witness: whether the automaton may be in it. At every
//! occasion of a step, commands are added that move on: what was at the step's source is at its target, if the
//! assumption holds. Executions with no state left are cut off by an assumption. So the automaton is made
//! deterministic on the way, no choice is needed, and inputs are asked for in the program's own order: what makes
//! the product fail makes the program fail, in an execution that the witness describes when the flag is set.
//!
//! What holds: the added commands write to nothing of the program's. Steps for which the program has no occasion
//! and that assume nothing are skipped; assumptions that cannot be evaluated are left out; both are noted.

use std::collections::{BTreeMap, BTreeSet};

use program::{
    BinaryOp, Block, BlockId, Body, Command, CommandKind, Comparison, ExprId, ExprKind, Field, FunctionId, Global,
    GlobalId, Initializer, Load, Object, Overflow, Program, Role as VariableRole, Site, Terminator, TerminatorKind,
    Type, UnaryOp, VarId, Variable,
};
use source::Position;

use super::error::WitnessError;
use super::expression;
use super::model::{Edge, Event, Format, Role, StateId, Witness};
use super::points::{Occasion, Phase, Point, Points, Spot};
use super::typing::{Returned, Scope};

/// So many steps may be made at one occasion, where verifiers see several operations and the program has one.
const CHAIN: usize = 3;

/// What the search in a product is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Violation,
    /// That this state is reached at all.
    State(StateId),
}

/// A program with a witness inside.
#[derive(Clone, Debug)]
pub struct Product {
    pub program: Program,
    /// A violation counts where this byte of this object is not zero.
    pub flag: (GlobalId, u64),
}

/// A step that can be made at a spot.
#[derive(Clone, Copy)]
struct Chance {
    edge: usize,
    result: Option<Returned>,
    perhaps: bool,
}

/// How a program and a witness fit together.
pub struct Following<'p> {
    program: &'p Program,
    witness: &'p Witness,
    /// Steps need not be made at the first occasion.
    lenient: bool,
    occasions: BTreeMap<Spot, Vec<Chance>>,
    /// For each state, those that are reached from it by steps without an occasion, and itself.
    closure: Vec<BTreeSet<StateId>>,
    /// What of the witness is not followed, and why.
    pub notes: Vec<String>,
}

impl<'p> Following<'p> {
    /// `text` is the file that was given, if the program is of one file.
    pub fn new(
        program: &'p Program,
        witness: &'p Witness,
        text: Option<&str>,
        lenient: bool,
    ) -> Result<Following<'p>, WitnessError> {
        let points = Points::new(program, text);
        check_places(program, witness, &points)?;
        let mut following = Following {
            program,
            witness,
            lenient,
            occasions: BTreeMap::new(),
            closure: (0..witness.states.len() as u32).map(|it| BTreeSet::from([StateId(it)])).collect(),
            notes: Vec::new(),
        };
        let mut skipped = Vec::new();
        for (index, edge) in witness.edges.iter().enumerate() {
            if witness.state(edge.source).role != Role::Path {
                continue;
            }
            let occasions = points.occasions(witness, edge);
            if occasions.is_empty() && witness.state(edge.target).role != Role::Sink {
                skipped.push((edge.source, edge.target));
                following.note_skipped(edge);
            }
            for Occasion { spot, result, perhaps } in occasions {
                // What only perhaps leads to the sink does not.
                if !(perhaps && witness.state(edge.target).role == Role::Sink) {
                    following.occasions.entry(spot).or_default().push(Chance { edge: index, result, perhaps });
                }
            }
        }
        following.close(&skipped);
        following.note_assumptions();
        Ok(following)
    }

    fn note_skipped(&mut self, edge: &Edge) {
        if edge.assumption.is_some() {
            let place = edge.location.line.map_or(String::new(), |line| format!(" at line {line} of the program"));
            let note = format!("line {} of the witness is skipped: nothing{place} fits it", edge.at.line);
            self.notes.push(note);
        }
    }

    fn close(&mut self, skipped: &[(StateId, StateId)]) {
        loop {
            let mut grown = false;
            for (source, target) in skipped {
                let more = self.closure[target.index()].clone();
                let known = &mut self.closure[source.index()];
                let before = known.len();
                known.extend(more);
                grown |= known.len() > before;
            }
            if !grown {
                return;
            }
        }
    }

    /// Tries every assumption, to say which ones can be evaluated nowhere.
    fn note_assumptions(&mut self) {
        let mut left_out = BTreeMap::new();
        let mut understood = BTreeSet::new();
        for (spot, chances) in &self.occasions {
            let Some(mut body) = self.program.function(spot.function()).body.clone() else { continue };
            for Chance { edge, result, .. } in chances {
                match self.condition(&mut body, *edge, *result) {
                    Ok(_) => {
                        understood.insert(*edge);
                    }
                    Err(why) => {
                        left_out.entry(*edge).or_insert(why);
                    }
                }
            }
        }
        for (edge, why) in left_out {
            if let Some(assumption) =
                self.witness.edges[edge].assumption.as_ref().filter(|_| !understood.contains(&edge))
            {
                let line = assumption.at.line;
                self.notes.push(format!("line {line} of the witness: `{}` is left out: {why}", assumption.text));
            }
        }
    }

    /// The states on the way to the violation, in the order of the steps from the entry.
    pub fn order(&self) -> Vec<StateId> {
        let mut order = vec![StateId::ENTRY];
        let mut at = 0;
        while at < order.len() {
            for edge in self.witness.edges_from(order[at]) {
                if self.witness.state(edge.target).role != Role::Sink && !order.contains(&edge.target) {
                    order.push(edge.target);
                }
            }
            at += 1;
        }
        order
    }

    /// The states in which the automaton may begin.
    pub fn initial(&self) -> &BTreeSet<StateId> {
        &self.closure[StateId::ENTRY.index()]
    }

    fn condition(&self, body: &mut Body, edge: usize, result: Option<Returned>) -> Result<Option<ExprId>, String> {
        let edge = &self.witness.edges[edge];
        let Some(assumption) = &edge.assumption else { return Ok(None) };
        let conditions = expression::parse(&assumption.text)?;
        let line = edge.location.line;
        let position = line.map(|line| Position { line, column: edge.location.column.unwrap_or(u32::MAX) });
        let mut scope = Scope { program: self.program, body, position, result };
        let mut all: Option<ExprId> = None;
        for condition in &conditions {
            let holds = scope.condition(condition)?;
            all = Some(match all {
                None => holds,
                Some(before) => {
                    scope.body.add_expr(ExprKind::Binary(BinaryOp::And, before, holds), Type::BOOL, Site::NONE)
                }
            });
        }
        Ok(all)
    }

    /// The program that carries the witness.
    pub fn product(&self, goal: Goal) -> Product {
        let mut program = self.program.clone();
        let object = GlobalId(program.globals.len() as u32);
        let states = self.witness.states.len() as u64;
        let layout = Layout { object, flag: states, count: (states + 1).next_multiple_of(4) };
        program.globals.push(self.object(layout));
        let mut by_function: BTreeMap<FunctionId, Vec<Spot>> = BTreeMap::new();
        for spot in self.occasions.keys() {
            by_function.entry(spot.function()).or_default().push(*spot);
        }
        for (function, spots) in by_function {
            let Some(body) = program.functions[function.index()].body.as_mut() else { continue };
            let mut weaver = Weaver { following: self, layout, goal, body, commands: Vec::new() };
            weaver.weave(&spots);
        }
        let flag = match goal {
            Goal::Violation => layout.flag,
            Goal::State(state) => u64::from(state.0),
        };
        Product { program, flag: (object, flag) }
    }

    fn object(&self, layout: Layout) -> Global {
        let mut bytes = vec![0; layout.count as usize + 4];
        for state in self.initial() {
            bytes[state.index()] = 1;
            if self.witness.state(*state).role == Role::Violation {
                bytes[layout.flag as usize] = 1;
            }
        }
        let count = self.initial().len() as u32;
        bytes[layout.count as usize..].copy_from_slice(&count.to_le_bytes());
        Global {
            name: "%witness".to_owned(),
            size: bytes.len() as u64,
            align: 4,
            constant: false,
            init: Initializer::Bytes { bytes, addresses: Vec::new() },
            ctype: None,
            site: Site::NONE,
        }
    }
}

/// Where things are in the hidden object: a byte a state from 0 on, whether a violation counts, how many states
/// the automaton may be in.
#[derive(Clone, Copy)]
struct Layout {
    object: GlobalId,
    flag: u64,
    count: u64,
}

impl Spot {
    fn function(self) -> FunctionId {
        match self {
            Spot::Before(point, _) => point.function,
            Spot::Along { function, .. } => function,
        }
    }
}

/// Adds the commands of one function's occasions.
struct Weaver<'f, 'p, 'b> {
    following: &'f Following<'p>,
    layout: Layout,
    goal: Goal,
    body: &'b mut Body,
    commands: Vec<Command>,
}

impl Weaver<'_, '_, '_> {
    fn weave(&mut self, spots: &[Spot]) {
        let mut before: BTreeMap<(BlockId, u32), Vec<(Phase, Point)>> = BTreeMap::new();
        for spot in spots {
            match *spot {
                Spot::Before(point, phase) => {
                    before.entry((point.block, point.index)).or_default().push((phase, point));
                }
                Spot::Along { block, slot, .. } => self.along(*spot, block, slot),
            }
        }
        for number in 0..self.body.blocks.len() as u32 {
            let block = BlockId(number);
            if before.range((block, 0)..=(block, u32::MAX)).next().is_none() {
                continue;
            }
            let old = std::mem::take(&mut self.body.blocks[block.index()].commands);
            let count = old.len() as u32;
            let mut new = Vec::new();
            for (index, command) in old.into_iter().map(Some).chain([None]).enumerate() {
                let index = (index as u32).min(count);
                for (phase, point) in before.get(&(block, index)).into_iter().flatten() {
                    self.step(Spot::Before(*point, *phase));
                    new.append(&mut self.commands);
                }
                new.extend(command);
            }
            self.body.blocks[block.index()].commands = new;
        }
    }

    fn along(&mut self, spot: Spot, block: BlockId, slot: u32) {
        self.step(spot);
        let commands = std::mem::take(&mut self.commands);
        let number = BlockId(self.body.blocks.len() as u32);
        let name = format!("witness.{}", number.0);
        let terminator = &mut self.body.blocks[block.index()].terminator;
        let site = terminator.site;
        let target = match &mut terminator.kind {
            TerminatorKind::Goto(target) => target,
            TerminatorKind::Branch { then, otherwise, .. } => {
                if slot == 0 {
                    then
                } else {
                    otherwise
                }
            }
            TerminatorKind::Switch { cases, default, .. } => match cases.get_mut(slot as usize) {
                Some((_, target)) => target,
                None => default,
            },
            TerminatorKind::IndirectGoto { .. } | TerminatorKind::Return(_) | TerminatorKind::Unreachable => return,
        };
        let goto = Terminator { kind: TerminatorKind::Goto(*target), site };
        *target = number;
        self.body.blocks.push(Block { name, commands, terminator: goto });
    }

    /// Makes the steps that can be made at a spot.
    fn step(&mut self, spot: Spot) {
        let chances = self.following.occasions.get(&spot).cloned().unwrap_or_default();
        let witness = self.following.witness;
        let is_sink = |edge: usize| witness.state(witness.edges[edge].target).role == Role::Sink;
        let conditions: BTreeMap<usize, Option<VarId>> =
            chances.iter().map(|it| (it.edge, self.hold(it.edge, it.result))).collect();
        let sources: BTreeSet<StateId> = chances.iter().map(|it| witness.edges[it.edge].source).collect();
        let old: BTreeMap<StateId, VarId> = sources.iter().map(|&state| (state, self.loaded(state))).collect();
        let chained = matches!(spot, Spot::Before(_, Phase::Over | Phase::Begins));
        let rounds = if chained { CHAIN } else { 1 };
        let mut gained: BTreeMap<StateId, VarId> = BTreeMap::new();
        let mut recent = old.clone();
        for _ in 0..rounds {
            let mut next: BTreeMap<StateId, Vec<ExprId>> = BTreeMap::new();
            for edge in chances.iter().map(|it| it.edge).filter(|edge| !is_sink(*edge)) {
                let Edge { source, target, .. } = witness.edges[edge];
                let Some(&here) = recent.get(&source) else { continue };
                for &state in &self.following.closure[target.index()] {
                    let mut moves = self.read(here);
                    if let Some(condition) = conditions[&edge] {
                        let condition = self.read(condition);
                        moves = self.and(moves, condition);
                    }
                    for avoided in chances
                        .iter()
                        .map(|it| it.edge)
                        .filter(|it| is_sink(*it) && witness.edges[*it].source == source)
                    {
                        if let Some(condition) = conditions[&avoided] {
                            let not = self.not(condition);
                            moves = self.and(moves, not);
                        }
                    }
                    next.entry(state).or_default().push(moves);
                }
            }
            recent = BTreeMap::new();
            for (state, ways) in next {
                let way = self.any(ways);
                let way = self.keep(way);
                recent.insert(state, way);
                let all = match gained.get(&state) {
                    None => way,
                    Some(&before) => {
                        let (before, way) = (self.read(before), self.read(way));
                        let either = self.or(before, way);
                        self.keep(either)
                    }
                };
                gained.insert(state, all);
            }
        }
        self.move_on(&chances, &conditions, &old, &gained);
    }

    /// Writes the states after the steps.
    fn move_on(
        &mut self,
        chances: &[Chance],
        conditions: &BTreeMap<usize, Option<VarId>>,
        old: &BTreeMap<StateId, VarId>,
        gained: &BTreeMap<StateId, VarId>,
    ) {
        let witness = self.following.witness;
        let touched: BTreeSet<StateId> = old.keys().chain(gained.keys()).copied().collect();
        let mut changes = Vec::new();
        for &state in &touched {
            let before = match old.get(&state) {
                Some(&before) => before,
                None => self.loaded(state),
            };
            let stays = match old.contains_key(&state) {
                true => self.staying(state, before, chances, conditions),
                false => Some(self.read(before)),
            };
            let got = gained.get(&state).map(|&it| self.read(it));
            let now = match (stays, got) {
                (Some(stays), Some(got)) => self.or(stays, got),
                (Some(only), None) | (None, Some(only)) => only,
                (None, None) => self.constant(0, Type::BOOL),
            };
            let now = self.keep(now);
            changes.push((state, before, now));
        }
        let mut count = self.load(self.layout.count, Type::I32);
        for &(state, before, now) in &changes {
            let value = self.read(now);
            let byte = self.body.add_expr(ExprKind::Cast(program::CastOp::ZeroExtend, value), Type::I8, Site::NONE);
            self.store(u64::from(state.0), byte);
            for (variable, operator) in
                [(now, BinaryOp::Add(Overflow::Wraps)), (before, BinaryOp::Sub(Overflow::Wraps))]
            {
                let value = self.read(variable);
                let cast = ExprKind::Cast(program::CastOp::ZeroExtend, value);
                let number = self.body.add_expr(cast, Type::I32, Site::NONE);
                count = self.body.add_expr(ExprKind::Binary(operator, count, number), Type::I32, Site::NONE);
            }
            if witness.state(state).role == Role::Violation {
                let flag = self.load(self.layout.flag, Type::I8);
                let value = self.read(now);
                let byte = self.body.add_expr(ExprKind::Cast(program::CastOp::ZeroExtend, value), Type::I8, Site::NONE);
                let either = self.body.add_expr(ExprKind::Binary(BinaryOp::Or, flag, byte), Type::I8, Site::NONE);
                self.store(self.layout.flag, either);
            }
        }
        self.store(self.layout.count, count);
        let count = self.load(self.layout.count, Type::I32);
        let zero = self.constant(0, Type::I32);
        let compare = ExprKind::Binary(BinaryOp::Compare(Comparison::NotEqual), count, zero);
        let alive = self.body.add_expr(compare, Type::BOOL, Site::NONE);
        self.push(CommandKind::Assume(alive));
        for &(state, _, now) in &changes {
            if self.goal == Goal::State(state) {
                let condition = self.not(now);
                self.push(CommandKind::Assert { condition, message: "the state is reached".into() });
            }
        }
    }

    /// Whether what is in a state may stay there although one of its steps has an occasion; `None`: never.
    fn staying(
        &mut self,
        state: StateId,
        before: VarId,
        chances: &[Chance],
        conditions: &BTreeMap<usize, Option<VarId>>,
    ) -> Option<ExprId> {
        let witness = self.following.witness;
        let strict = witness.format == Format::GraphMl && !self.following.lenient;
        let certain = chances.iter().any(|it| !it.perhaps && witness.edges[it.edge].source == state);
        if strict && certain {
            return None;
        }
        let mut stays = self.read(before);
        for &Chance { edge, perhaps, .. } in chances {
            let Edge { source, target, .. } = witness.edges[edge];
            let sinks = witness.state(target).role == Role::Sink;
            if source != state || perhaps || self.following.lenient && !sinks {
                continue;
            }
            let condition = conditions[&edge]?;
            let not = self.not(condition);
            stays = self.and(stays, not);
        }
        Some(stays)
    }

    /// A variable that says whether the assumption of a step holds; `None` if it has none.
    fn hold(&mut self, edge: usize, result: Option<Returned>) -> Option<VarId> {
        let condition = self.following.condition(self.body, edge, result).ok().flatten()?;
        Some(self.keep(condition))
    }

    fn keep(&mut self, value: ExprId) -> VarId {
        let variable = VarId(self.body.variables.len() as u32);
        self.body.variables.push(Variable {
            name: format!("%witness.{}", variable.0),
            ty: Type::BOOL,
            role: VariableRole::Temporary,
            ctype: None,
            site: Site::NONE,
        });
        self.push(CommandKind::Assign { target: variable, value });
        variable
    }

    fn loaded(&mut self, state: StateId) -> VarId {
        let byte = self.load(u64::from(state.0), Type::I8);
        let zero = self.constant(0, Type::I8);
        let compare = ExprKind::Binary(BinaryOp::Compare(Comparison::NotEqual), byte, zero);
        let active = self.body.add_expr(compare, Type::BOOL, Site::NONE);
        self.keep(active)
    }

    fn push(&mut self, kind: CommandKind) {
        self.commands.push(Command { kind, site: Site::NONE });
    }

    fn constant(&mut self, bits: u128, ty: Type) -> ExprId {
        self.body.add_expr(ExprKind::Constant(bits), ty, Site::NONE)
    }

    fn read(&mut self, variable: VarId) -> ExprId {
        self.body.add_expr(ExprKind::Variable(variable), Type::BOOL, Site::NONE)
    }

    fn not(&mut self, variable: VarId) -> ExprId {
        let value = self.read(variable);
        self.body.add_expr(ExprKind::Unary(UnaryOp::Not, value), Type::BOOL, Site::NONE)
    }

    fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.body.add_expr(ExprKind::Binary(BinaryOp::And, left, right), Type::BOOL, Site::NONE)
    }

    fn or(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.body.add_expr(ExprKind::Binary(BinaryOp::Or, left, right), Type::BOOL, Site::NONE)
    }

    fn any(&mut self, mut ways: Vec<ExprId>) -> ExprId {
        let Some(mut all) = ways.pop() else { return self.constant(0, Type::BOOL) };
        for way in ways {
            all = self.or(all, way);
        }
        all
    }

    fn address(&mut self, offset: u64) -> ExprId {
        let base = self.body.add_expr(ExprKind::Address(Object::Global(self.layout.object)), Type::Pointer, Site::NONE);
        self.body.add_expr(ExprKind::Field(Field { base, offset, name: None }), Type::Pointer, Site::NONE)
    }

    fn load(&mut self, offset: u64, ty: Type) -> ExprId {
        let address = self.address(offset);
        self.body.add_expr(ExprKind::Load(Load { address, bits: None, copy: false }), ty, Site::NONE)
    }

    fn store(&mut self, offset: u64, value: ExprId) {
        let address = self.address(offset);
        self.push(CommandKind::Store { address, value, bits: None });
    }
}

/// A witness for another program names lines or functions that this one does not have.
fn check_places(program: &Program, witness: &Witness, points: &Points<'_>) -> Result<(), WitnessError> {
    let last = points.last_line();
    for edge in &witness.edges {
        let other = |message: String| {
            Err(WitnessError::OtherProgram { message: format!("{message} (line {} of the witness)", edge.at.line) })
        };
        if let Some(line) = edge.location.line.filter(|line| *line > last) {
            return other(format!("it speaks of line {line}, but the program has {last} lines"));
        }
        let name = match &edge.event {
            Event::Enter(name) | Event::Return(name) => name.as_ref(),
            _ => None,
        };
        let known = |name: &str| {
            let has = |command: &Command| match &command.kind {
                CommandKind::Havoc { source, .. } => &**source == name,
                CommandKind::Fail(failure) => &*failure.message == name,
                _ => false,
            };
            let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
            program.find_function(name).is_some()
                || bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.commands).any(has)
        };
        for name in name.into_iter().chain(edge.location.function.as_ref()) {
            if !known(name) {
                return other(format!("it speaks of a function `{name}`, which the program does not have"));
            }
        }
    }
    Ok(())
}
