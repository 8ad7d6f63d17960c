//! Slicing before solving: the commands of a program on which its open checks depend.
//!
//! Program, checks → [`Needed`]. What can fail, what an execution is given, and what leaves the program are needed;
//! then, backwards, every command that writes what a needed one reads, and every branch that decides whether a needed
//! one is reached. The rest is passed over: loops that only count, print or sum up are not unrolled.
//!
//! What holds: an execution of the whole program that violates a check violates it with the rest left out, too. The
//! converse holds unless a loop that was left out never ends, or something in the rest does what no check forbids
//! but C does. Who finds a violation this way replays it in the whole program, and searches the whole if it is none.
//!
//! Flow-insensitive, Weiser's slice over whole functions: an object whose address is only ever accessed, never passed
//! on, is a place of its own, like a variable; all other memory is one place.

mod places;

use program::exec::{Checks, CommandRef, ViolationKind};
use program::{Block, BlockId, Callee, CommandKind, ExprId, ExprKind, Function, FunctionId, Program, TerminatorKind};

use crate::slice::postdominators;
use crate::symbolic::only_prints;
use places::{PlaceId, Places};

/// What of a program matters.
#[derive(Clone, Debug, Default)]
pub struct Needed {
    /// By function, block and command, the terminator last; none: everything.
    commands: Option<Vec<Vec<Vec<bool>>>>,
    /// By function and block, where the ways out meet again.
    meeting: Vec<Vec<Option<BlockId>>>,
}

impl Needed {
    pub fn everything() -> Needed {
        Needed::default()
    }

    /// What the checks depend on. `open` says whether a check may fail at a command, as far as is known.
    pub fn of(program: &Program, checks: Checks, open: &dyn Fn(CommandRef, ViolationKind) -> bool) -> Needed {
        let mut search = Search::new(program, checks, open);
        search.begin();
        search.finish()
    }

    pub fn has(&self, at: CommandRef) -> bool {
        let Some(commands) = &self.commands else { return true };
        commands[at.function.index()][at.block.index()][at.index as usize]
    }

    /// Where to go on after a block, if it does not matter how it ends.
    pub fn passes_to(&self, function: FunctionId, block: BlockId) -> Option<BlockId> {
        let commands = self.commands.as_ref()?;
        let ends = commands[function.index()][block.index()].last() == Some(&true);
        if ends { None } else { self.meeting[function.index()][block.index()] }
    }

    /// Commands that were left out, and how many there are.
    pub fn left_out(&self) -> (usize, usize) {
        let all = self.commands.iter().flatten().flatten().flatten();
        all.fold((0, 0), |(out, all), needed| (out + usize::from(!needed), all + 1))
    }
}

/// Violations of operations, which any expression might have that is more than a name or a number.
const OF_EXPRESSIONS: &[ViolationKind] = &[
    ViolationKind::OutOfBoundsBelow,
    ViolationKind::OutOfBoundsAbove,
    ViolationKind::NullDereference,
    ViolationKind::UseAfterFree,
    ViolationKind::UseAfterScope,
    ViolationKind::WildPointer,
    ViolationKind::WriteToConstant,
    ViolationKind::ArrayIndex,
    ViolationKind::Uninitialized,
    ViolationKind::StringFunction,
    ViolationKind::DivisionByZero,
    ViolationKind::Overflow,
    ViolationKind::Shift,
    ViolationKind::FloatConversion,
    ViolationKind::ConversionOverflow,
    ViolationKind::BitCountOfZero,
];
/// Violations by what a printing function is given.
const OF_PRINTING: &[ViolationKind] = OF_EXPRESSIONS;
/// Violations of the call of a function with a body.
const OF_CALLS: &[ViolationKind] = &[ViolationKind::BadCall, ViolationKind::StackOverflow];

/// What is known about a function before the search.
struct Shape {
    meeting: Vec<Option<BlockId>>,
    /// The branches that decide whether a block is reached.
    controlled_by: Vec<Vec<usize>>,
    /// Branches whose ways do not meet again, or after which there may be no return.
    parting: Vec<usize>,
    calls: Vec<CommandRef>,
}

struct Search<'a> {
    program: &'a Program,
    checks: Checks,
    open: &'a dyn Fn(CommandRef, ViolationKind) -> bool,
    places: Places,
    shapes: Vec<Shape>,
    commands: Vec<Vec<Vec<bool>>>,
    blocks: Vec<Vec<bool>>,
    active: Vec<bool>,
    relevant: Vec<bool>,
    waiting: Vec<CommandRef>,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, checks: Checks, open: &'a dyn Fn(CommandRef, ViolationKind) -> bool) -> Search<'a> {
        let places = Places::of(program);
        let shapes: Vec<Shape> = program.functions.iter().map(Shape::of).collect();
        let mut shapes = shapes;
        for (at, block) in all_blocks(program) {
            for (index, command) in (0..).zip(&block.commands) {
                if let CommandKind::Call(program::Call { callee: Callee::Direct(callee), .. }) = &command.kind {
                    shapes[callee.index()].calls.push(CommandRef { index, ..at });
                }
            }
        }
        let blocks = |function: &'a Function| function.body.as_ref().map_or(&[][..], |body| &body.blocks);
        let commands = |block: &Block| vec![false; block.commands.len() + 1];
        Search {
            program,
            checks,
            open,
            relevant: vec![false; places.count()],
            places,
            shapes,
            commands: program.functions.iter().map(|it| blocks(it).iter().map(commands).collect()).collect(),
            blocks: program.functions.iter().map(|it| vec![false; blocks(it).len()]).collect(),
            active: vec![false; program.functions.len()],
            waiting: Vec::new(),
        }
    }

    /// Needs what matters in itself, and then all that it depends on.
    fn begin(&mut self) {
        for (at, block) in all_blocks(self.program) {
            for (index, command) in (0..).zip(&block.commands) {
                let at = CommandRef { index, ..at };
                if self.matters(at, &command.kind) {
                    self.need(at);
                }
            }
            let at = CommandRef { index: block.commands.len() as u32, ..at };
            let mut roots = Vec::new();
            block.terminator.kind.operands(|operand| roots.push(*operand));
            if block.terminator.kind == TerminatorKind::Unreachable || self.may_fail(at, &roots) {
                self.need(at);
            }
        }
        if let Some(main) = self.program.find_function("main") {
            self.activate(main);
        }
        while let Some(at) = self.waiting.pop() {
            self.follow(at);
        }
    }

    fn finish(self) -> Needed {
        Needed { commands: Some(self.commands), meeting: self.shapes.into_iter().map(|it| it.meeting).collect() }
    }

    /// Whether a command can fail, ends the program, or asks for an input.
    fn matters(&self, at: CommandRef, kind: &CommandKind) -> bool {
        let mut roots = Vec::new();
        kind.operands(|operand| roots.push(*operand));
        let itself = match kind {
            CommandKind::Assign { .. } | CommandKind::Declare(_) | CommandKind::End(_) => false,
            // Objects are counted where a run's inputs tell what they held before.
            CommandKind::Begin(_) => self.is_memory_open(),
            CommandKind::Store { .. } | CommandKind::Copy { .. } | CommandKind::Fill { .. } => {
                self.is_open(at, OF_EXPRESSIONS)
            }
            CommandKind::Call(call) => match call.callee {
                Callee::Indirect(_) => true,
                Callee::Direct(callee) => self.call_matters(at, self.program.function(callee)),
            },
            CommandKind::Havoc { .. }
            | CommandKind::Assume(_)
            | CommandKind::Assert { .. }
            | CommandKind::Fail(_)
            | CommandKind::Allocate { .. }
            | CommandKind::StackMark { .. }
            | CommandKind::StackRelease { .. }
            | CommandKind::VaStart { .. }
            | CommandKind::Unsupported(_) => true,
        };
        itself || self.may_fail(at, &roots)
    }

    fn call_matters(&self, at: CommandRef, callee: &Function) -> bool {
        match &callee.body {
            Some(body) => self.is_open(at, OF_CALLS) || self.is_memory_open() && !body.locals.is_empty(),
            None => !only_prints(&callee.name) || self.is_open(at, OF_PRINTING),
        }
    }

    fn may_fail(&self, at: CommandRef, roots: &[ExprId]) -> bool {
        let Some(body) = &self.program.function(at.function).body else { return false };
        let is_plain = |root: &ExprId| matches!(body.expr(*root).kind, ExprKind::Constant(_) | ExprKind::Address(_));
        !roots.iter().all(is_plain) && self.is_open(at, OF_EXPRESSIONS)
    }

    fn is_open(&self, at: CommandRef, kinds: &[ViolationKind]) -> bool {
        kinds.iter().any(|kind| self.checks.has(*kind) && (self.open)(at, *kind))
    }

    fn is_memory_open(&self) -> bool {
        !self.checks.has(ViolationKind::Uninitialized)
    }

    fn need(&mut self, at: CommandRef) {
        let command = &mut self.commands[at.function.index()][at.block.index()][at.index as usize];
        if !std::mem::replace(command, true) {
            self.waiting.push(at);
        }
    }

    /// Needs what a command reads and what decides whether it is reached.
    fn follow(&mut self, at: CommandRef) {
        self.activate(at.function);
        let (function, block) = (at.function.index(), at.block.index());
        if !std::mem::replace(&mut self.blocks[function][block], true) {
            for index in 0..self.shapes[function].controlled_by[block].len() {
                let branch = self.shapes[function].controlled_by[block][index];
                self.need_end(at.function, branch);
            }
        }
        for place in self.places.read_by(self.program, at) {
            self.need_place(place);
        }
    }

    fn need_place(&mut self, place: PlaceId) {
        if std::mem::replace(&mut self.relevant[place], true) {
            return;
        }
        for index in 0..self.places.writers(place).len() {
            let at = self.places.writers(place)[index];
            self.need(at);
            if let Some(result) = self.places.result_read_by(self.program, at) {
                self.need_place(result);
            }
        }
    }

    fn need_end(&mut self, function: FunctionId, block: usize) {
        let index = self.commands[function.index()][block].len() as u32 - 1;
        self.need(CommandRef { function, block: BlockId(block as u32), index });
    }

    /// A function in which something matters: its calls matter, and how it goes on where ways part for good.
    fn activate(&mut self, function: FunctionId) {
        if std::mem::replace(&mut self.active[function.index()], true) {
            return;
        }
        let (parting, calls) = {
            let shape = &mut self.shapes[function.index()];
            (std::mem::take(&mut shape.parting), std::mem::take(&mut shape.calls))
        };
        for block in parting {
            self.need_end(function, block);
        }
        for call in calls {
            self.need(call);
        }
    }
}

impl Shape {
    fn of(function: &Function) -> Shape {
        let Some(body) = &function.body else {
            return Shape { meeting: Vec::new(), controlled_by: Vec::new(), parting: Vec::new(), calls: Vec::new() };
        };
        let successors = body.successors();
        let (meeting, returns) = postdominators::meeting(body);
        let mut controlled_by = vec![Vec::new(); successors.len()];
        let mut parting = Vec::new();
        for (branch, targets) in successors.iter().enumerate().filter(|(_, targets)| targets.len() > 1) {
            if meeting[branch].is_none() || targets.iter().any(|&target| !returns[target]) {
                parting.push(branch);
            }
            for &target in targets {
                for block in graph::until(meeting[branch], target, &meeting) {
                    if controlled_by[block].last() == Some(&branch) {
                        break;
                    }
                    controlled_by[block].push(branch);
                }
            }
        }
        let meeting = meeting.into_iter().map(|block| block.map(|it| BlockId(it as u32))).collect();
        Shape { meeting, controlled_by, parting, calls: Vec::new() }
    }
}

fn all_blocks(program: &Program) -> impl Iterator<Item = (CommandRef, &Block)> {
    (0..).map(FunctionId).zip(&program.functions).flat_map(|(function, it)| {
        let blocks = it.body.iter().flat_map(|body| &body.blocks);
        (0..).map(BlockId).zip(blocks).map(move |(block, it)| (CommandRef { function, block, index: 0 }, it))
    })
}
