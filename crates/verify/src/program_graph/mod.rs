//! Whole programs as graphs of guarded commands over terms: what trace abstraction looks at.
//!
//! Program → [`ProgramGraph`]. Calls are inlined, with an assignment for each parameter and result; the
//! variables of a function are the same at each of its calls, with a copy for each depth of recursion. What C
//! or the user forbids becomes an edge to an error location, and so does everything whose meaning is not
//! known: reaching that one is no failure but makes the answer inconclusive ([`Ending`]). So a proof that no
//! error location is reached is a proof for the program.
//!
//! - Objects are kept as `layout` finds best; addresses are the executor's where objects exist from the start.
//! - Recursion is followed [`DEEPEST`] calls deep; deeper is inconclusive.
//! - `malloc` never fails, as in the executor. Not followed: objects of computed size on the stack, structs
//!   as arguments, variable arguments, computed `goto`, most of the library.
//! - Contents that were never written are anything; reading them is not itself looked for, but for variables
//!   (`notes` says so where it matters).

mod calls;
mod commands;
pub mod layout;
mod memory;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use logic::control_flow::{Graph, LocationId, Origin, Part, Statement};
use logic::terms::{TermId, Terms};
use program::exec::{Checks, CommandRef, ViolationKind};
use program::{Body, ExprId, FunctionId, Initializer, Object, Program, Site, VarId};

use crate::encode::expressions::{self, Base};
use crate::encode::operators::sort_of;
use crate::encode::origins::{Place, Places, What};
use layout::{Keeping, Layout, Owner};
use memory::{Memory, Write};
use view::{Forbidden, View};

/// How many calls of one function may be under way.
pub const DEEPEST: u32 = 3;
/// Larger graphs are not built: the rest is inconclusive.
const MOST_EDGES: usize = 400_000;

/// What an error location stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Violation(ViolationKind, Site),
    /// Something that cannot be followed, in words.
    Inconclusive(String, Site),
}

/// A program as a graph.
pub struct ProgramGraph {
    pub terms: Terms,
    pub graph: Graph,
    /// Where statements come from.
    pub places: Places,
    pub endings: BTreeMap<LocationId, Ending>,
    /// The edges that take an input, with the name of what it comes from.
    pub inputs: BTreeMap<u32, Box<str>>,
    /// What keeps a proof from being one for the program, each once.
    pub notes: BTreeSet<String>,
}

/// Writes a program as a graph.
pub fn encode(program: &Program, checks: Checks) -> ProgramGraph {
    let mut terms = Terms::new();
    let memory = Memory::new(&mut terms, program, Layout::new(program));
    let mut encoder = Encoder {
        program,
        checks,
        terms,
        graph: Graph::new(),
        places: Places::default(),
        endings: BTreeMap::new(),
        inputs: BTreeMap::new(),
        notes: BTreeSet::new(),
        memory,
        stack: Vec::new(),
        frames: 0,
    };
    encoder.whole();
    let Encoder { terms, graph, places, endings, inputs, notes, .. } = encoder;
    ProgramGraph { terms, graph, places, endings, inputs, notes }
}

/// A call that is inlined.
#[derive(Clone, Copy)]
struct Frame<'p> {
    function: FunctionId,
    body: &'p Body,
    /// How many calls of the same function are around it.
    depth: u32,
    number: u32,
}

/// Where a command stands.
#[derive(Clone, Copy)]
struct Cause {
    at: Option<CommandRef>,
    site: Site,
    frame: u32,
}

struct Encoder<'p> {
    program: &'p Program,
    checks: Checks,
    terms: Terms,
    graph: Graph,
    places: Places,
    endings: BTreeMap<LocationId, Ending>,
    inputs: BTreeMap<u32, Box<str>>,
    notes: BTreeSet<String>,
    memory: Memory,
    stack: Vec<FunctionId>,
    frames: u32,
}

impl<'p> Encoder<'p> {
    fn whole(&mut self) {
        let mut at = Graph::ENTRY;
        let cause = Cause { at: None, site: Site::NONE, frame: 0 };
        let begin = self.graph.add_location();
        let (sizes, zero) = (self.memory.sizes, self.terms.bv(32, 0));
        let nothing = self.terms.const_array(self.terms.sort(sizes), zero);
        self.assign(&mut at, sizes, nothing, What::Bookkeeping, None, cause);
        self.globals(&mut at, cause);
        let main = self.program.find_function("main");
        let Some(body) = main.and_then(|main| self.program.function(main).body.as_ref()) else {
            return self.fail_as(at, Ending::Inconclusive("the program has no `main`".to_owned(), Site::NONE), cause);
        };
        let Some(main) = main else { return };
        let frame = self.frame(main, body);
        for (number, parameter) in self.program.function(main).parameters.iter().enumerate() {
            let variable = self.variable(&frame, VarId(number as u32));
            let bits = u128::from(number == 0);
            let value = crate::encode::operators::literal(&mut self.terms, bits, parameter.ty);
            self.assign(&mut at, variable, value, What::Argument(number as u32), None, cause);
        }
        // The heap begins behind all other objects, and how many those are is known at the end.
        let exit = self.graph.add_location();
        self.stack.push(main);
        self.body(&frame, begin, exit);
        self.stack.pop();
        let first = self.terms.bv(32, self.memory.first_free().into());
        for variable in [self.memory.heap, self.memory.first] {
            self.assign(&mut at, variable, first, What::Bookkeeping, None, cause);
        }
        self.go(at, begin, cause);
    }

    /// The values of globals before the run.
    fn globals(&mut self, at: &mut LocationId, cause: Cause) {
        for number in 0..self.program.globals.len() as u32 {
            let global = program::GlobalId(number);
            let owner = Owner::Global(global);
            let Some(keeping) = self.memory.keeping(owner).cloned() else { continue };
            let declared = self.program.global(global);
            let cause = Cause { site: declared.site, ..cause };
            if keeping == Keeping::Shared {
                self.set_size(at, (owner, 0), declared.size, cause);
            }
            let Initializer::Bytes { bytes, addresses } = &declared.init else {
                self.notes
                    .insert(format!("`{}` is defined nowhere; its contents are taken to be anything", declared.name));
                continue;
            };
            let mut contents = bytes.clone();
            contents.resize(declared.size.min(1 << 20) as usize, 0);
            for address in addresses {
                let target = match address.object {
                    Object::Global(it) => self.memory.address(self.program, (Owner::Global(it), 0)),
                    Object::Function(it) => Memory::function_address(it),
                    _ => continue,
                };
                let value = target.plus(address.addend).0.to_le_bytes();
                let start = address.at as usize;
                if let Some(place) = contents.get_mut(start..start + 8) {
                    place.copy_from_slice(&value);
                }
            }
            self.initial(at, owner, &keeping, &contents, cause);
        }
    }

    fn initial(&mut self, at: &mut LocationId, owner: Owner, keeping: &Keeping, contents: &[u8], cause: Cause) {
        let number = |bytes: &[u8]| {
            let bits = bytes.iter().rev().fold(0u128, |value, &byte| value << 8 | u128::from(byte));
            logic::value::BitVector::new(8 * bytes.len() as u32, bits)
        };
        match keeping {
            Keeping::Cells(cells) => {
                for (&offset, &bytes) in cells {
                    let cell = self.memory.cell(&mut self.terms, self.program, (owner, 0), offset, bytes);
                    let value = contents.get(offset as usize..offset as usize + bytes as usize).map(number);
                    let value = value.unwrap_or_else(|| logic::value::BitVector::new(8 * bytes, 0));
                    let value = self.terms.bv_value(&value);
                    self.assign(at, cell, value, What::Initial, None, cause);
                }
            }
            Keeping::Array(width) => {
                let array = self.memory.array(&mut self.terms, self.program, (owner, 0), *width);
                let zero = self.terms.bv(8 * width, 0);
                let mut value = self.terms.const_array(self.terms.sort(array), zero);
                for (index, element) in contents.chunks_exact(*width as usize).enumerate() {
                    if element.iter().any(|&it| it != 0) {
                        let index = self.terms.bv(64, index as u64 * u64::from(*width));
                        let element = self.terms.bv_value(&number(element));
                        value = self.terms.store(value, index, element);
                    }
                }
                self.assign(at, array, value, What::Initial, None, cause);
            }
            Keeping::Shared => {
                let start = self.memory.address(self.program, (owner, 0));
                let mut value = self.memory.shared;
                for (offset, &byte) in contents.iter().enumerate() {
                    let (index, byte) = (self.terms.bv(64, start.plus(offset as i64).0), self.terms.bv(8, byte.into()));
                    value = self.terms.store(value, index, byte);
                }
                let shared = self.memory.shared;
                self.assign(at, shared, value, What::Bookkeeping, None, cause);
            }
        }
    }

    fn frame(&mut self, function: FunctionId, body: &'p Body) -> Frame<'p> {
        let depth = self.stack.iter().filter(|&&it| it == function).count() as u32;
        self.frames += 1;
        Frame { function, body, depth, number: self.frames }
    }

    fn variable(&mut self, frame: &Frame<'_>, variable: VarId) -> TermId {
        variable_term(&mut self.terms, self.program, frame.function, frame.body, frame.depth, variable)
    }

    fn origin(&mut self, what: What, expr: Option<ExprId>, cause: Cause) -> Origin {
        self.places.add(Place {
            what,
            at: cause.at,
            site: cause.site,
            expr,
            until: None,
            frame: cause.frame,
            target: None,
        })
    }

    /// Adds a statement after a location, and goes behind it.
    fn emit(&mut self, at: &mut LocationId, statement: Statement) -> u32 {
        let next = self.graph.add_location();
        self.graph.add_edge(*at, statement, next);
        *at = next;
        self.graph.edges().len() as u32 - 1
    }

    fn assign(
        &mut self,
        at: &mut LocationId,
        variable: TermId,
        value: TermId,
        what: What,
        expr: Option<ExprId>,
        cause: Cause,
    ) {
        let origin = self.origin(what, expr, cause);
        self.emit(at, Statement::assign(variable, value, origin));
    }

    /// Writes to memory.
    fn write(
        &mut self,
        at: &mut LocationId,
        write: Write,
        written: TermId,
        what: What,
        expr: Option<ExprId>,
        cause: Cause,
    ) {
        let origin = self.origin(what, expr, cause);
        let statement = if write.whole == write.hole {
            Statement::assign(write.variable, written, origin)
        } else {
            let part = Part { hole: write.hole, written, whole: write.whole };
            Statement::assign_part(&mut self.terms, write.variable, part, origin)
        };
        self.emit(at, statement);
    }

    fn assume(&mut self, from: LocationId, to: LocationId, condition: TermId, what: What, cause: Cause) {
        if condition == self.terms.false_term() {
            return;
        }
        let origin = self.origin(what, None, cause);
        self.graph.add_edge(from, Statement::assume(condition, origin), to);
    }

    /// An edge that does nothing.
    fn go(&mut self, from: LocationId, to: LocationId, cause: Cause) {
        let condition = self.terms.true_term();
        self.assume(from, to, condition, What::Bookkeeping, cause);
    }

    /// Ends here, always.
    fn fail_as(&mut self, at: LocationId, ending: Ending, cause: Cause) {
        let condition = self.terms.true_term();
        self.fail_where(at, condition, ending, None, cause);
    }

    fn fail_where(&mut self, at: LocationId, bad: TermId, ending: Ending, expr: Option<ExprId>, cause: Cause) {
        let error = self.graph.add_location();
        self.graph.errors.push(error);
        let what = match ending {
            Ending::Violation(kind, _) => What::Failure(kind),
            Ending::Inconclusive(..) => What::Bookkeeping,
        };
        self.endings.insert(error, ending);
        let origin = self.origin(what, expr, cause);
        self.graph.add_edge(at, Statement::assume(bad, origin), error);
    }

    /// Turns what must not happen into edges to errors, and goes on where it does not.
    fn settle(&mut self, at: &mut LocationId, forbidden: Vec<Forbidden>, cause: Cause) {
        for it in forbidden {
            if it.bad == self.terms.false_term() {
                continue;
            }
            let site = if it.site == Site::NONE { cause.site } else { it.site };
            let cause = Cause { site, ..cause };
            let what = match &it.ending {
                Ending::Violation(kind, _) => What::Passed(*kind),
                Ending::Inconclusive(..) => What::Bookkeeping,
            };
            self.fail_where(*at, it.bad, it.ending, it.expr, cause);
            let good = self.terms.not(it.bad);
            let origin = self.origin(what, it.expr, cause);
            self.emit(at, Statement::assume(good, origin));
        }
    }

    /// The value of an expression; nothing if there is none, and then the path has ended.
    fn value(&mut self, at: &mut LocationId, frame: &Frame<'p>, id: ExprId, cause: Cause) -> Option<TermId> {
        let mut view = View::new(self.program, self.checks, &mut self.memory, frame);
        let value = expressions::value(&mut self.terms, frame.body, id, &mut view);
        let forbidden = view.forbidden;
        self.settle(at, forbidden, cause);
        match value {
            Ok(value) => Some(value),
            Err(no_term) => {
                self.fail_as(*at, Ending::Inconclusive(no_term.what, cause.site), cause);
                None
            }
        }
    }

    /// The address that an expression computes.
    fn address(
        &mut self,
        at: &mut LocationId,
        frame: &Frame<'p>,
        id: ExprId,
        accessed: bool,
        cause: Cause,
    ) -> Option<(TermId, Base)> {
        let mut view = View::new(self.program, self.checks, &mut self.memory, frame);
        let address = expressions::address(&mut self.terms, frame.body, id, accessed, &mut view);
        let forbidden = view.forbidden;
        self.settle(at, forbidden, cause);
        match address {
            Ok(address) => Some(address),
            Err(no_term) => {
                self.fail_as(*at, Ending::Inconclusive(no_term.what, cause.site), cause);
                None
            }
        }
    }

    fn set_size(&mut self, at: &mut LocationId, instance: memory::Instance, size: u64, cause: Cause) {
        let number = self.memory.number(self.program, instance);
        let (number, size) = (self.terms.bv(32, number.0.into()), self.terms.bv(32, size));
        let sizes = self.terms.store(self.memory.sizes, number, size);
        let variable = self.memory.sizes;
        self.assign(at, variable, sizes, What::Bookkeeping, None, cause);
    }
}

/// The term of a program's variable.
fn variable_term(
    terms: &mut Terms,
    program: &Program,
    function: FunctionId,
    body: &Body,
    depth: u32,
    variable: VarId,
) -> TermId {
    let declared = body.variable(variable);
    let name = format!("{}.{}#{depth}", program.function(function).name, declared.name);
    terms.variable(&name, sort_of(declared.ty))
}
