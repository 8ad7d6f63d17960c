//! Control-flow graphs of guarded commands over terms: what trace-based engines see of a program.
//!
//! A front end or an encoder turns a program, in whatever language, into a [`Graph`] whose edges carry
//! [`Statement`]s; an error trace is the sequence of statements along a path from the entry to an error
//! location. `assert φ` is two edges: `assume φ` onwards and `assume ¬φ` to an error location.
//!
//! A statement that writes a part of its variable, such as one cell of an array, says so: it has a
//! [`Part`], the whole new value with a hole where the written value stands. Replacing what the statement
//! writes fills the hole with something else; it never replaces the whole array.
//!
//! What a statement was in the source, its producer knows: it numbers [`Origin`]s. Not here: procedures.
//! Calls are inlined by the producer, with an assignment for each parameter and result.

use crate::commands::Command;
use crate::sort::Sort;
use crate::terms::{TermId, Terms};

/// The producer's number of the source place that a statement came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Origin(pub u32);

/// A place between two statements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocationId(pub u32);

/// One step of a graph or of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    pub command: Command,
    /// What of its variable an assignment writes; nothing for one that writes it all.
    pub part: Option<Part>,
    pub origin: Origin,
}

/// The part of a variable that an assignment writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// A symbol that stands for what is written, and occurs in `whole` only.
    pub hole: TermId,
    /// What was written. The command's value is `whole` with this in the hole.
    pub written: TermId,
    /// The variable's new value.
    pub whole: TermId,
}

impl Statement {
    /// An assignment to a whole variable.
    pub fn assign(variable: TermId, value: TermId, origin: Origin) -> Statement {
        Statement { command: Command::Assign { variable, value }, part: None, origin }
    }

    /// An assignment to a part of a variable.
    pub fn assign_part(terms: &mut Terms, variable: TermId, part: Part, origin: Origin) -> Statement {
        let value = terms.substitute(part.whole, &[(part.hole, part.written)].into_iter().collect());
        Statement { command: Command::Assign { variable, value }, part: Some(part), origin }
    }

    /// An assignment to one cell of an array.
    pub fn assign_cell(terms: &mut Terms, array: TermId, index: TermId, value: TermId, origin: Origin) -> Statement {
        let hole = terms.fresh("written", terms.sort(value));
        let whole = terms.store(array, index, hole);
        Statement::assign_part(terms, array, Part { hole, written: value, whole }, origin)
    }

    pub fn havoc(variable: TermId, origin: Origin) -> Statement {
        Statement { command: Command::Havoc { variable }, part: None, origin }
    }

    pub fn assume(condition: TermId, origin: Origin) -> Statement {
        Statement { command: Command::Assume { condition }, part: None, origin }
    }

    /// The sort of what the statement writes into its place; nothing for an assumption.
    pub fn written_sort(&self, terms: &Terms) -> Option<Sort> {
        let variable = self.command.changed()?;
        Some(terms.sort(self.part.map_or(variable, |part| part.hole)))
    }

    /// The statement with something else written into the same place; nothing for an assumption.
    pub fn writing(&self, terms: &mut Terms, value: TermId) -> Option<Command> {
        let variable = self.command.changed()?;
        let value = match self.part {
            Some(part) => terms.substitute(part.whole, &[(part.hole, value)].into_iter().collect()),
            None => value,
        };
        Some(Command::Assign { variable, value })
    }
}

/// What must hold for an execution to get past a point of a trace without failing in another way.
///
/// It is met by every execution of the trace. An alternative that breaks it has not left the trace: it has
/// failed somewhere else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// The number of the statement before which it is made.
    pub before: usize,
    pub holds: TermId,
    pub origin: Origin,
}

/// A path to an error, with what was checked on the way.
#[derive(Clone, Debug, Default)]
pub struct ErrorTrace {
    pub statements: Vec<Statement>,
    /// In the order of the trace.
    pub checks: Vec<Check>,
    /// What holds in every state: axioms of uninterpreted functions.
    pub axioms: Vec<TermId>,
}

impl From<Vec<Statement>> for ErrorTrace {
    fn from(statements: Vec<Statement>) -> ErrorTrace {
        ErrorTrace { statements, ..ErrorTrace::default() }
    }
}

/// A statement between two locations.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub from: LocationId,
    pub statement: Statement,
    pub to: LocationId,
}

/// A program as guarded commands.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The number of an edge is its index here.
    edges: Vec<Edge>,
    outgoing: Vec<Vec<u32>>,
    pub errors: Vec<LocationId>,
    /// What holds in every state: axioms of uninterpreted functions.
    pub axioms: Vec<TermId>,
}

impl Graph {
    /// Where executions begin.
    pub const ENTRY: LocationId = LocationId(0);

    /// A graph that has an entry only.
    pub fn new() -> Graph {
        Graph { outgoing: vec![Vec::new()], ..Graph::default() }
    }

    pub fn add_location(&mut self) -> LocationId {
        self.outgoing.push(Vec::new());
        LocationId(self.outgoing.len() as u32 - 1)
    }

    pub fn add_edge(&mut self, from: LocationId, statement: Statement, to: LocationId) {
        self.outgoing[from.0 as usize].push(self.edges.len() as u32);
        self.edges.push(Edge { from, statement, to });
    }

    /// Adds `assert`: an edge onwards, and one to a new error location.
    pub fn add_assertion(
        &mut self,
        terms: &mut Terms,
        from: LocationId,
        condition: TermId,
        origin: Origin,
        to: LocationId,
    ) {
        let negated = terms.not(condition);
        let error = self.add_location();
        self.errors.push(error);
        self.add_edge(from, Statement::assume(condition, origin), to);
        self.add_edge(from, Statement::assume(negated, origin), error);
    }

    pub fn location_count(&self) -> usize {
        self.outgoing.len()
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that leave a location, in the order in which they were added, with their numbers.
    pub fn outgoing(&self, location: LocationId) -> impl Iterator<Item = (u32, &Edge)> {
        self.outgoing[location.0 as usize].iter().map(|&it| (it, &self.edges[it as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::{Graph, Origin, Statement};
    use crate::commands::Command;
    use crate::smtlib;
    use crate::sort::Sort;
    use crate::terms::Terms;

    #[test]
    fn only_the_written_cell_is_replaced() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::BitVector(2), Sort::BitVector(4));
        let (array, index) = (terms.variable("a", sort), terms.variable("i", Sort::BitVector(2)));
        let (five, other) = (terms.bv(4, 5), terms.variable("v", Sort::BitVector(4)));
        let statement = Statement::assign_cell(&mut terms, array, index, five, Origin(0));
        let shown = |command| match command {
            Command::Assign { value, .. } => smtlib::term(&terms, value),
            _ => String::new(),
        };
        assert_eq!(shown(statement.command), "(store a i #x5)");
        assert_eq!(statement.written_sort(&terms), Some(Sort::BitVector(4)));
        let replaced = statement.writing(&mut terms, other).unwrap();
        assert_eq!(replaced, Command::Assign { variable: array, value: terms.store(array, index, other) });
    }

    #[test]
    fn an_assertion_branches() {
        let mut terms = Terms::new();
        let condition = terms.variable("c", Sort::Bool);
        let mut graph = Graph::new();
        let end = graph.add_location();
        graph.add_assertion(&mut terms, Graph::ENTRY, condition, Origin(7), end);
        let targets: Vec<u32> = graph.outgoing(Graph::ENTRY).map(|(_, edge)| edge.to.0).collect();
        assert_eq!(targets, [end.0, graph.errors[0].0]);
        assert_eq!(graph.location_count(), 3);
    }
}
