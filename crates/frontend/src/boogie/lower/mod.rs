//! From declarations to a graph of guarded commands.
//!
//! First every procedure is checked for itself, in an arena of its own, so that mistakes are told wherever
//! they are. Then the graph is built from the entry procedure: its preconditions are assumed, its
//! postconditions are checked where it ends, calls are inlined.
//!
//! What holds: each edge has an origin in the table; each error location belongs to an origin that is
//! checked. Not here: loops are not cut; a loop's invariants are assertions at its head.

mod calls;
mod procedures;
mod statements;

use std::collections::{BTreeMap, BTreeSet};

use logic::control_flow::{Graph, LocationId, Origin, Statement};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};

use super::diagnostic::{Diagnostic, Extent, Kind};
use super::environment::Environment;
use super::expressions::Failed;
use super::syntax::File;

/// What to translate, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// The procedure where executions begin; by default `main`, `ULTIMATE.start`, or the only one.
    pub procedure: Option<String>,
    /// A procedure is inlined at most so often within itself.
    pub recursion: u32,
    /// Calls are inlined until the graph has so many edges.
    pub most_edges: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { procedure: None, recursion: 4, most_edges: 200_000 }
    }
}

/// What a statement of the graph is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    Assign,
    Havoc,
    Assume,
    Assert,
    /// A condition of `if` or `while` that holds, or a choice by `*`.
    Branch,
    /// The same where it does not hold.
    OtherBranch,
    /// A jump, a label, the end of a block: nothing happens.
    Step,
    Invariant,
    FreeInvariant,
    /// A precondition that is checked at a call, or assumed at the entry.
    Requires,
    /// A postcondition that is checked at the end of a body, or assumed after a call without one.
    Ensures,
    /// A `where` clause.
    Where,
    /// A parameter gets its argument.
    Argument,
    /// A variable gets a call's result.
    Result,
    /// A call begins.
    Call,
    /// A call ends.
    Return,
    /// A local variable or a result begins without a value.
    Local,
    /// A call without a body changes a global variable.
    Modifies,
    /// The value before is kept for `old`.
    Old,
}

/// Where a statement of the graph comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OriginEntry {
    pub role: Role,
    pub extent: Extent,
    /// The clause of a contract, where the extent is that of a call or of an end.
    pub clause: Option<Extent>,
    /// The procedure in which it stands; for a call and its parameters, the called one.
    pub procedure: String,
}

/// A location from which nothing goes on, although the program may.
#[derive(Clone, Debug)]
pub struct Stop {
    pub location: LocationId,
    pub reason: StopReason,
}

#[derive(Clone, Debug)]
pub enum StopReason {
    Unsupported(Diagnostic),
    /// Inlining ended at this call.
    Recursion {
        procedure: String,
        extent: Extent,
    },
    /// The graph got too large at this call.
    Size {
        procedure: String,
        extent: Extent,
    },
}

/// How a variable of the graph is called in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableName {
    pub name: String,
    /// None for global variables and constants.
    pub procedure: Option<String>,
}

/// A Boogie program as guarded commands.
pub struct Translation {
    pub terms: Terms,
    pub graph: Graph,
    /// By [`Origin`].
    pub origins: Vec<OriginEntry>,
    pub stops: Vec<Stop>,
    pub variables: BTreeMap<TermId, VariableName>,
    /// The procedure where executions begin.
    pub entry: String,
    /// Axioms and the like that could not be taken over: what violates an assertion may violate them.
    pub left_out: Vec<Diagnostic>,
    pub remarks: Vec<Diagnostic>,
}

impl Translation {
    pub fn origin(&self, origin: Origin) -> &OriginEntry {
        &self.origins[origin.0 as usize]
    }
}

pub fn lower(file: &File, options: &Options) -> Result<Translation, Vec<Diagnostic>> {
    check(file)?;
    let mut lowerer = Lowerer::new(Environment::new(file), options, false);
    let entry = entry(&lowerer.environment, options).map_err(|diagnostic| vec![diagnostic])?;
    lowerer.entry(&entry);
    if !lowerer.environment.diagnostics.is_empty() {
        return Err(sorted(lowerer.environment.diagnostics));
    }
    let mut remarks: Vec<Diagnostic> = Vec::new();
    if file.triggers > 0 {
        let message = format!("{} ignored: the solver chooses its own", counted(file.triggers));
        remarks.push(Diagnostic::new(Kind::Remark, Extent::default(), message));
    }
    let Environment { terms, axioms, left_out, variables, remarks: more, .. } = lowerer.environment;
    remarks.extend(more);
    lowerer.graph.axioms = axioms;
    let globals = variables.into_iter().map(|(name, it)| (it.term, VariableName { name, procedure: None }));
    lowerer.names.extend(globals);
    Ok(Translation {
        terms,
        graph: lowerer.graph,
        origins: lowerer.origins,
        stops: lowerer.stops,
        variables: lowerer.names,
        entry,
        left_out,
        remarks,
    })
}

fn counted(triggers: u32) -> String {
    if triggers == 1 { "one trigger is".to_owned() } else { format!("{triggers} triggers are") }
}

fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort();
    diagnostics.dedup();
    diagnostics
}

/// Tells all mistakes, in every procedure.
fn check(file: &File) -> Result<(), Vec<Diagnostic>> {
    let options = Options::default();
    let mut environment = Environment::new(file);
    for name in environment.order.clone() {
        let mut lowerer = Lowerer::new(environment, &options, true);
        lowerer.entry(&name);
        environment = lowerer.environment;
    }
    if environment.diagnostics.is_empty() { Ok(()) } else { Err(sorted(environment.diagnostics)) }
}

/// Where executions begin.
fn entry(environment: &Environment<'_>, options: &Options) -> Result<String, Diagnostic> {
    let with_body: Vec<&String> =
        environment.order.iter().filter(|it| !environment.procedures[*it].bodies.is_empty()).collect();
    let fail =
        |extent, message: String, help: String| Err(Diagnostic::new(Kind::Name, extent, message).with_help(help));
    let list = with_body.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    if let Some(wanted) = &options.procedure {
        return match environment.procedures.get(wanted) {
            Some(entry) if !entry.bodies.is_empty() => Ok(wanted.clone()),
            Some(entry) => {
                let extent = entry.declaration.name.extent;
                fail(extent, format!("the procedure `{wanted}` has no body"), format!("those that have one: {list}"))
            }
            None => {
                let message = format!("there is no procedure `{wanted}`");
                fail(Extent::default(), message, format!("the procedures are {list}"))
            }
        };
    }
    let marked = |name: &&&String| {
        environment.procedures[name.as_str()].declaration.attributes.iter().any(|it| it.name == "entrypoint")
    };
    let named = ["main", "ULTIMATE.start"].iter().find_map(|name| with_body.iter().find(|it| it.as_str() == *name));
    match (named.or_else(|| with_body.iter().find(marked)), with_body.as_slice()) {
        (Some(name), _) => Ok((*name).clone()),
        (None, [only]) => Ok((*only).clone()),
        (None, []) => {
            let message = "the program has no procedure with a body".to_owned();
            fail(Extent::default(), message, "name a file with one".to_owned())
        }
        (None, [first, ..]) => {
            let extent = environment.procedures[*first].declaration.name.extent;
            let message = "it is open where executions begin: no procedure is called `main`".to_owned();
            fail(extent, message, format!("name one with --procedure: {list}"))
        }
    }
}

struct Lowerer<'f, 'o> {
    environment: Environment<'f>,
    options: &'o Options,
    graph: Graph,
    origins: Vec<OriginEntry>,
    origin_numbers: BTreeMap<OriginEntry, Origin>,
    stops: Vec<Stop>,
    names: BTreeMap<TermId, VariableName>,
    taken: BTreeSet<String>,
    /// Only types are looked at: no call is inlined.
    checking: bool,
    /// The procedures that are being inlined, outermost first.
    stack: Vec<String>,
}

impl<'f, 'o> Lowerer<'f, 'o> {
    fn new(environment: Environment<'f>, options: &'o Options, checking: bool) -> Lowerer<'f, 'o> {
        let taken = environment.variables.keys().cloned().collect();
        Lowerer {
            environment,
            options,
            graph: Graph::new(),
            origins: Vec::new(),
            origin_numbers: BTreeMap::new(),
            stops: Vec::new(),
            names: BTreeMap::new(),
            taken,
            checking,
            stack: Vec::new(),
        }
    }

    fn origin(&mut self, role: Role, extent: Extent, clause: Option<Extent>) -> Origin {
        let procedure = self.stack.last().cloned().unwrap_or_default();
        let entry = OriginEntry { role, extent, clause, procedure };
        let next = Origin(self.origins.len() as u32);
        let origin = *self.origin_numbers.entry(entry.clone()).or_insert(next);
        if origin == next {
            self.origins.push(entry);
        }
        origin
    }

    /// A variable of the graph for one of the text, with its own name as long as that is free.
    fn new_variable(&mut self, name: &str, sort: Sort) -> TermId {
        let procedure = self.stack.last().cloned().unwrap_or_default();
        let mut candidate = name.to_owned();
        let mut count = 1;
        // While checking, one arena serves procedures that give a name different types.
        while self.checking || !self.taken.insert(candidate.clone()) {
            if self.checking {
                return self.environment.terms.fresh(name, sort);
            }
            candidate =
                if count == 1 { format!("{procedure}::{name}") } else { format!("{procedure}::{name}:{count}") };
            count += 1;
        }
        let term = self.environment.terms.variable(&candidate, sort);
        self.names.insert(term, VariableName { name: name.to_owned(), procedure: Some(procedure) });
        term
    }

    /// Adds a statement behind a location; the location behind the statement.
    fn then(&mut self, from: LocationId, statement: Statement) -> LocationId {
        let to = self.graph.add_location();
        self.graph.add_edge(from, statement, to);
        to
    }

    fn assume(&mut self, from: LocationId, condition: TermId, origin: Origin) -> LocationId {
        self.then(from, Statement::assume(condition, origin))
    }

    fn assert(&mut self, from: LocationId, condition: TermId, origin: Origin) -> LocationId {
        let to = self.graph.add_location();
        self.graph.add_assertion(&mut self.environment.terms, from, condition, origin, to);
        to
    }

    /// An edge on which nothing happens.
    fn step(&mut self, from: LocationId, origin: Origin, to: LocationId) {
        let always = self.environment.terms.true_term();
        self.graph.add_edge(from, Statement::assume(always, origin), to);
    }

    /// Ends here if something failed; the location to go on from is then reached by nothing.
    fn stop(&mut self, at: LocationId, failed: Failed) -> LocationId {
        if let Failed::Unsupported(diagnostic) = failed {
            self.stops.push(Stop { location: at, reason: StopReason::Unsupported(diagnostic) });
        }
        self.graph.add_location()
    }
}
