//! Which step depends on which, found while the run is watched.
//!
//! Steps with their accesses to memory → a graph of nodes, each with the step that it stands for and the
//! nodes that it depends on. A step has several nodes where its parts must be told apart: the arguments of a
//! call, the bytes of a copy. Node 0 is the state at the start.
//!
//! Control: each frame keeps the branches that it is inside of, with the block where their ways meet again
//! (Xin and Zhang, *Efficient Online Detection of Dynamic Control Dependence*, 2007); without one, the call.

use program::exec::memory::{Access, AccessKind, Address, Memory, ObjectId};
use program::exec::{CommandRef, Effect, Observer, Step};
use program::{
    Argument, Body, Call, Callee, CommandKind, ExprId, ExprKind, FunctionId, Program, TerminatorKind, VarId,
};
use rustc_hash::FxHashMap;

use super::{library, postdominators};

/// A node of the graph.
pub type Node = u32;

/// The state at the start.
pub const START: Node = 0;
const NO_STEP: u32 = u32::MAX;
const UNSET: Node = u32::MAX;

/// Builds the graph while a program runs.
pub struct Recorder<'p> {
    program: &'p Program,
    postdominators: FxHashMap<FunctionId, Vec<Option<usize>>>,
    /// The step of each node, and where its dependences begin.
    nodes: Vec<(u32, usize)>,
    dependences: Vec<Node>,
    pub(super) frames: Vec<Frame>,
    bytes: FxHashMap<ObjectId, Writers>,
    /// Who began or ended each object last.
    lives: FxHashMap<ObjectId, Node>,
    /// The last library call that keeps a state.
    library: Node,
    /// The call that left frames behind, as `longjmp` does.
    unwound: Node,
    steps: u32,
    /// Accesses after the last step.
    pub(super) rest: Vec<Access>,
}

/// A call of a function with a body.
pub struct Frame {
    pub function: FunctionId,
    pub variables: Vec<Node>,
    branches: Vec<(Node, Option<usize>)>,
    /// The call that led here.
    entry: Node,
    pub pending: Option<Pending>,
    /// What the callee's return statement was, after it.
    returned: Node,
    finished: bool,
}

/// A call that has begun.
pub struct Pending {
    node: Node,
    pub arguments: Vec<Node>,
    /// What a library function has read so far.
    reads: Vec<Node>,
    entered: bool,
}

/// Who wrote each byte of an object.
struct Writers {
    first: Node,
    bytes: Vec<Node>,
}

impl Writers {
    fn get(&self, offset: usize) -> Node {
        self.bytes.get(offset).copied().filter(|&node| node != UNSET).unwrap_or(self.first)
    }

    fn set(&mut self, offset: usize, node: Node) {
        if self.bytes.len() <= offset {
            self.bytes.resize(offset + 1, UNSET);
        }
        self.bytes[offset] = node;
    }
}

impl<'p> Recorder<'p> {
    pub fn new(program: &'p Program) -> Recorder<'p> {
        Recorder {
            program,
            postdominators: FxHashMap::default(),
            nodes: vec![(NO_STEP, 0)],
            dependences: Vec::new(),
            frames: Vec::new(),
            bytes: FxHashMap::default(),
            lives: FxHashMap::default(),
            library: START,
            unwound: START,
            steps: 0,
            rest: Vec::new(),
        }
    }

    /// The steps that the given nodes stand for and depend on.
    pub fn reached(&self, roots: &[Node]) -> Vec<bool> {
        let mut relevant = vec![false; self.steps as usize];
        let mut seen = vec![false; self.nodes.len()];
        let mut open = roots.to_vec();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            let (step, first) = self.nodes[node as usize];
            if let Some(step) = relevant.get_mut(step as usize) {
                *step = true;
            }
            let end = self.nodes.get(node as usize + 1).map_or(self.dependences.len(), |next| next.1);
            open.extend_from_slice(&self.dependences[first..end]);
        }
        relevant
    }

    pub fn body(&self, function: FunctionId) -> Option<&'p Body> {
        self.program.function(function).body.as_ref()
    }

    fn add(&mut self, step: u32, mut on: Vec<Node>) -> Node {
        on.sort_unstable();
        on.dedup();
        let node = self.nodes.len() as Node;
        self.nodes.push((step, self.dependences.len()));
        self.dependences.extend(on.into_iter().filter(|&it| it != START));
        node
    }

    /// What decided that the innermost frame is where it is.
    pub fn control(&self) -> Node {
        self.frames.last().map_or(START, |frame| frame.branches.last().map_or(frame.entry, |(node, _)| *node))
    }

    pub fn life(&self, object: ObjectId) -> Node {
        self.lives.get(&object).copied().unwrap_or(START)
    }

    /// Who wrote these bytes.
    pub fn writers(&self, address: Address, length: u64, on: &mut Vec<Node>) {
        let Some(writers) = self.bytes.get(&address.object()) else { return };
        let start = address.offset().max(0) as usize;
        for offset in start..start.saturating_add(length as usize) {
            let node = writers.get(offset);
            if on.last() != Some(&node) {
                on.push(node);
            }
        }
    }

    fn write(&mut self, address: Address, length: u64, node: Node) {
        let writers = self.bytes.entry(address.object()).or_insert(Writers { first: START, bytes: Vec::new() });
        let Ok(start) = usize::try_from(address.offset()) else { return };
        for offset in start..start + length as usize {
            writers.set(offset, node);
        }
    }

    /// What an expression of the innermost frame reads: its variables, and the bytes of its loads.
    pub fn reads(&self, body: &Body, expr: ExprId, accesses: &[Access], on: &mut Vec<Node>) {
        let node = body.expr(expr);
        match &node.kind {
            ExprKind::Variable(variable) => on.push(self.variable(*variable)),
            ExprKind::Load(_) => {
                for access in accesses.iter().filter(|it| it.expr == Some(expr)) {
                    self.writers(access.address, access.length, on);
                }
            }
            _ => {}
        }
        node.kind.operands(|operand| self.reads(body, *operand, accesses, on));
    }

    fn variable(&self, variable: VarId) -> Node {
        let frame = self.frames.last();
        frame.and_then(|frame| frame.variables.get(variable.index())).copied().unwrap_or(START)
    }

    /// Reads that no expression does: those of copies, of library functions, of bit-fields.
    pub fn other_reads(&self, accesses: &[Access], on: &mut Vec<Node>) {
        for access in accesses.iter().filter(|it| it.kind == AccessKind::Read && it.expr.is_none()) {
            self.writers(access.address, access.length, on);
        }
    }

    /// Makes the node the last writer of what was written. `begins`: it also makes objects.
    fn effects(&mut self, step: u32, node: Node, accesses: &[Access], begins: bool) {
        for access in accesses {
            let object = access.address.object();
            match access.kind {
                AccessKind::Read => {}
                AccessKind::Write => self.write(access.address, access.length, node),
                AccessKind::Copy { source } => self.copy(step, node, access, source),
                AccessKind::Begin => {
                    let first = if begins { node } else { START };
                    self.bytes.insert(object, Writers { first, bytes: Vec::new() });
                    self.lives.insert(object, first);
                }
                AccessKind::End => {
                    self.lives.insert(object, node);
                }
            }
        }
    }

    /// Each copied byte depends on who wrote it; a struct's members stay apart.
    fn copy(&mut self, step: u32, node: Node, access: &Access, source: Address) {
        let writer = |recorder: &Recorder<'_>, distance: u64| {
            let offset = source.offset().max(0) as usize + distance as usize;
            recorder.bytes.get(&source.object()).map_or(START, |writers| writers.get(offset))
        };
        let writers: Vec<Node> = (0..access.length).map(|distance| writer(self, distance)).collect();
        let mut made: FxHashMap<Node, Node> = FxHashMap::default();
        for (distance, writer) in writers.into_iter().enumerate() {
            let copied = match made.get(&writer) {
                Some(copied) => *copied,
                None => self.add(step, vec![node, writer]),
            };
            made.insert(writer, copied);
            self.write(access.address.plus(distance as i64), 1, copied);
        }
    }

    /// Brings the frames in line with where the step is.
    fn enter_frame(&mut self, step: Step) {
        let depth = step.depth as usize;
        while self.frames.len() > depth + 1 {
            self.leave();
        }
        if self.frames.len() == depth + 1 && self.frames[depth].finished {
            self.leave();
        }
        while self.frames.len() <= depth {
            self.push_frame(step.at.function);
        }
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop()
            && !frame.finished
        {
            self.unwound = frame.pending.map_or(frame.entry, |pending| pending.node);
        }
    }

    fn push_frame(&mut self, function: FunctionId) {
        let program = self.program;
        let count = self.body(function).map_or(0, |body| body.variables.len());
        let mut variables = vec![START; count];
        let mut entry = START;
        let parameters = program.function(function).parameters.len();
        let from_library = self.frames.last().is_some_and(|frame| {
            let pending = frame.pending.as_ref();
            pending.is_some_and(|pending| !pending.reads.is_empty())
        });
        if let Some(pending) = self.frames.last_mut().and_then(|frame| frame.pending.as_mut()) {
            entry = pending.node;
            pending.entered = true;
            let all: Vec<Node> = pending.arguments.iter().chain(&pending.reads).copied().chain([entry]).collect();
            let mut arguments = pending.arguments.clone();
            if from_library || arguments.len() < parameters {
                // A library function passes what it likes.
                let step = self.nodes[entry as usize].0;
                arguments = vec![self.add(step, all); parameters];
            }
            for (variable, node) in variables.iter_mut().zip(arguments).take(parameters) {
                *variable = node;
            }
        }
        self.frames.push(Frame {
            function,
            variables,
            branches: Vec::new(),
            entry,
            pending: None,
            returned: START,
            finished: false,
        });
    }

    /// Leaves the branches whose ways have met here.
    fn enter_block(&mut self, at: CommandRef) {
        if at.index != 0 {
            return;
        }
        let meeting = self.postdominators_of(at.function);
        debug_assert!(at.block.index() < meeting);
        let Some(frame) = self.frames.last_mut() else { return };
        while frame.branches.last().is_some_and(|(_, meet)| *meet == Some(at.block.index())) {
            frame.branches.pop();
        }
    }

    /// Finds them once for each function; how many blocks it has.
    fn postdominators_of(&mut self, function: FunctionId) -> usize {
        let program = self.program;
        let found = self.postdominators.entry(function).or_insert_with(|| {
            program.function(function).body.as_ref().map(postdominators::immediate).unwrap_or_default()
        });
        found.len()
    }

    fn command(&mut self, step: Step, body: &Body, kind: &CommandKind, accesses: &[Access]) {
        let number = self.steps;
        let mut on = vec![self.control()];
        match kind {
            CommandKind::Call(call) if step.effect == Effect::Called => self.begin_call(number, body, call, accesses),
            CommandKind::Call(call) => self.end_call(number, call, accesses),
            _ => {
                kind.operands(|operand| self.reads(body, *operand, accesses, &mut on));
                self.other_reads(accesses, &mut on);
                let node = self.add(number, on);
                let begins = matches!(kind, CommandKind::Begin(_) | CommandKind::Allocate { .. });
                self.effects(number, node, accesses, begins);
                if let Some(target) = target(kind) {
                    self.assign(target, node);
                }
            }
        }
    }

    fn assign(&mut self, variable: VarId, node: Node) {
        let frame = self.frames.last_mut();
        if let Some(slot) = frame.and_then(|frame| frame.variables.get_mut(variable.index())) {
            *slot = node;
        }
    }

    fn begin_call(&mut self, number: u32, body: &Body, call: &Call, accesses: &[Access]) {
        let mut on = vec![self.control()];
        if let Callee::Indirect(callee) = call.callee {
            self.reads(body, callee, accesses, &mut on);
        }
        let node = self.add(number, on);
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let (Argument::Scalar(expr) | Argument::Copied { address: expr, .. }) = *argument;
            let mut on = vec![node];
            self.reads(body, expr, accesses, &mut on);
            self.other_reads(accesses, &mut on);
            arguments.push(self.add(number, on));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.pending = Some(Pending { node, arguments, reads: Vec::new(), entered: false });
        }
    }

    fn end_call(&mut self, number: u32, call: &Call, accesses: &[Access]) {
        let Some(frame) = self.frames.last_mut() else { return };
        let (pending, returned) = (frame.pending.take(), std::mem::replace(&mut frame.returned, START));
        let Some(pending) = pending else {
            // `setjmp` returns again.
            let node = self.add(number, vec![self.control(), self.unwound, self.library]);
            call.targets.iter().for_each(|target| self.assign(*target, node));
            return;
        };
        let external = match call.callee {
            Callee::Direct(function) => self.program.function(function).body.is_none(),
            Callee::Indirect(_) => !pending.entered,
        };
        let mut on = vec![pending.node];
        let mut stateful = false;
        if external {
            on.extend(pending.arguments);
            on.extend(pending.reads);
            self.other_reads(accesses, &mut on);
            stateful = match call.callee {
                Callee::Direct(function) => library::keeps_state(&self.program.function(function).name),
                Callee::Indirect(_) => true,
            };
            on.push(if pending.entered { returned } else { START });
        } else if returned != START {
            on = vec![returned];
        }
        if stateful {
            on.push(self.library);
        }
        let node = self.add(number, on);
        if stateful {
            self.library = node;
        }
        self.effects(number, node, accesses, external);
        call.targets.iter().for_each(|target| self.assign(*target, node));
    }

    fn terminator(&mut self, at: CommandRef, body: &Body, kind: &TerminatorKind, accesses: &[Access]) {
        if matches!(kind, TerminatorKind::Goto(_)) {
            return;
        }
        let number = self.steps;
        let mut on = vec![self.control()];
        kind.operands(|operand| self.reads(body, *operand, accesses, &mut on));
        self.other_reads(accesses, &mut on);
        let node = self.add(number, on);
        self.effects(number, node, accesses, false);
        if matches!(kind, TerminatorKind::Return(_)) {
            let depth = self.frames.len();
            if let Some(frame) = self.frames.last_mut() {
                frame.finished = true;
            }
            if let Some(caller) = depth.checked_sub(2).and_then(|depth| self.frames.get_mut(depth)) {
                caller.returned = node;
            }
            return;
        }
        self.postdominators_of(at.function);
        let meet = self.postdominators[&at.function].get(at.block.index()).copied().flatten();
        if let Some(frame) = self.frames.last_mut() {
            frame.branches.push((node, meet));
        }
    }
}

impl Observer for Recorder<'_> {
    const ACTIVE: bool = true;
    const ACCESSES: bool = true;

    fn step(&mut self, _: Step) {}

    fn watch(&mut self, step: Step, _: &Memory, accesses: &[Access]) {
        self.enter_frame(step);
        self.enter_block(step.at);
        if let Some(body) = self.body(step.at.function)
            && let Some(block) = body.blocks.get(step.at.block.index())
        {
            match block.commands.get(step.at.index as usize) {
                Some(command) => self.command(step, body, &command.kind, accesses),
                None => self.terminator(step.at, body, &block.terminator.kind, accesses),
            }
        }
        self.steps += 1;
    }

    fn between(&mut self, _: &Memory, accesses: &[Access]) {
        let Some(pending) = self.frames.last().and_then(|frame| frame.pending.as_ref()) else { return };
        let step = self.nodes[pending.node as usize].0;
        let mut on: Vec<Node> = pending.arguments.iter().chain(&pending.reads).copied().chain([pending.node]).collect();
        let mut reads = Vec::new();
        self.other_reads(accesses, &mut reads);
        on.extend(&reads);
        let node = self.add(step, on);
        self.effects(step, node, accesses, true);
        if let Some(pending) = self.frames.last_mut().and_then(|frame| frame.pending.as_mut()) {
            pending.reads.extend(reads);
        }
    }

    fn ended(&mut self, _: &Memory, accesses: &[Access]) {
        self.rest = accesses.to_vec();
    }
}

/// The variable that a command assigns to.
fn target(kind: &CommandKind) -> Option<VarId> {
    match kind {
        CommandKind::Assign { target, .. }
        | CommandKind::Havoc { target, .. }
        | CommandKind::Allocate { target, .. }
        | CommandKind::StackMark { target }
        | CommandKind::Declare(target) => Some(*target),
        _ => None,
    }
}
