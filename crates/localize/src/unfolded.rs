//! A trace executed once over symbols: every value as a term over what the trace leaves open.
//!
//! What is left open are the variables' values before the trace and the choice of each `havoc`; both are
//! symbols. Where the trace determines a value, its term is a constant, so that whatever builds on it stays
//! small. Checks are items between the statements. Beside the values: which variables an item reads, and where
//! each variable is read or written next, so that a change can be followed without looking at the rest. Where an item
//! gets at an array by indices that the trace determines, it reads and writes these cells only.

use logic::commands::Command;
use logic::control_flow::ErrorTrace;
use logic::evaluate::Model;
use logic::sort::Sort;
use logic::terms::{Op, Substitution, TermId, Terms};
use logic::value::Value;
use rustc_hash::FxHashMap;

/// What an item of the trace does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Assign { variable: TermId, value: TermId },
    Havoc { variable: TermId },
    Assume { condition: TermId },
    Check { condition: TermId },
}

impl Action {
    pub fn read(self) -> Option<TermId> {
        match self {
            Action::Assign { value: term, .. }
            | Action::Assume { condition: term }
            | Action::Check { condition: term } => Some(term),
            Action::Havoc { .. } => None,
        }
    }

    pub fn changed(self) -> Option<TermId> {
        match self {
            Action::Assign { variable, .. } | Action::Havoc { variable } => Some(variable),
            Action::Assume { .. } | Action::Check { .. } => None,
        }
    }
}

/// A statement or a check.
#[derive(Clone, Debug)]
pub struct Item {
    pub action: Action,
    /// The number of the statement; for a check, of the one behind it.
    pub statement: usize,
    /// The variables that it reads, ascending. One that writes a cell reads its array.
    pub reads: Vec<TermId>,
    /// What is written, assumed or checked, over symbols.
    pub value: TermId,
    /// The cells of arrays that it reads. Those that an index depends on come first.
    pub cells: Vec<Cell>,
    /// The one cell that it writes, if it is known: its index, and what is written over symbols.
    pub written: Option<(TermId, TermId)>,
}

impl Item {
    /// Whether it reads this cell of an array, or may.
    pub fn reads_cell(&self, array: TermId, index: TermId) -> bool {
        self.cells.iter().any(|it| it.array == array && it.index.is_none_or(|at| at == index))
    }
}

/// A cell that is read, or all cells of an array.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub array: TermId,
    /// The index and the term that reads the cell, over variables; nothing if the array is read as a whole.
    pub read: Option<(TermId, TermId)>,
    /// The index, if the trace determines it.
    pub index: Option<TermId>,
}

impl Cell {
    fn all(array: TermId) -> Cell {
        Cell { array, read: None, index: None }
    }
}

/// The items that write a variable or a cell, ascending, with what it holds then.
type Versions = Vec<(u32, TermId)>;

/// A trace with the values of all its items.
#[derive(Clone, Default, Debug)]
pub struct Unfolded {
    pub items: Vec<Item>,
    /// The item of each statement.
    pub of_statement: Vec<usize>,
    /// The items that read or write a variable, ascending.
    uses: FxHashMap<TermId, Vec<u32>>,
    /// The items that read or write a cell, by array and index; without an index, those that may be at any.
    cell_uses: FxHashMap<(TermId, Option<TermId>), Vec<u32>>,
    versions: FxHashMap<TermId, Versions>,
    /// By array and index; without an index, of items that may write any cell.
    cell_versions: FxHashMap<(TermId, Option<TermId>), Versions>,
    /// The symbol of each `havoc`, and its item.
    pub choices: FxHashMap<TermId, u32>,
    /// What symbols stand for, if one execution is meant.
    known: FxHashMap<TermId, TermId>,
}

impl Unfolded {
    pub fn new(terms: &mut Terms, trace: &ErrorTrace) -> Unfolded {
        let mut unfolded = Unfolded::default();
        unfolded.unfold(terms, trace, &[]);
        unfolded
    }

    /// One execution of the same trace: all values are constants. Its items have the same numbers.
    pub fn execution(&self, terms: &mut Terms, trace: &ErrorTrace, model: &Model) -> Unfolded {
        let mut constant = |symbol: TermId| {
            let sort = terms.sort(symbol);
            let value = model.get(symbol).cloned().unwrap_or_else(|| Value::default_of(sort, terms));
            terms.constant(&value, sort)
        };
        let known = self.uses.keys().map(|&it| (it, constant(it))).collect();
        let mut chosen = vec![None; self.items.len()];
        for (&choice, &item) in &self.choices {
            chosen[item as usize] = Some(constant(choice));
        }
        let mut execution = Unfolded { known, ..Unfolded::default() };
        execution.unfold(terms, trace, &chosen);
        execution
    }

    /// Adds all items; `chosen` are those of the choices that are known.
    fn unfold(&mut self, terms: &mut Terms, trace: &ErrorTrace, chosen: &[Option<TermId>]) {
        let mut shapes = Shapes::default();
        let mut checks = trace.checks.iter().peekable();
        for (number, statement) in trace.statements.iter().enumerate() {
            while let Some(check) = checks.next_if(|check| check.before <= number) {
                self.add(terms, Action::Check { condition: check.holds }, number, None, &mut shapes);
            }
            let action = match statement.command {
                Command::Assign { variable, value } => Action::Assign { variable, value },
                Command::Havoc { variable } => Action::Havoc { variable },
                Command::Assume { condition } => Action::Assume { condition },
            };
            self.of_statement.push(self.items.len());
            let chosen = chosen.get(self.items.len()).copied().flatten();
            self.add(terms, action, number, chosen, &mut shapes);
        }
    }

    fn add(
        &mut self,
        terms: &mut Terms,
        action: Action,
        statement: usize,
        chosen: Option<TermId>,
        shapes: &mut Shapes,
    ) {
        let number = self.items.len() as u32;
        let shape = shapes.of(terms, action);
        let mut current: Substitution = shape.reads.iter().map(|&it| (it, self.before(it, number as usize))).collect();
        let mut cells = shape.cells.clone();
        for cell in &mut cells {
            let Some((index, read)) = cell.read else { continue };
            cell.index = known_index(terms, index, &current);
            if let Some(index) = cell.index {
                let element = self.cell_before(terms, cell.array, index, number as usize);
                current.insert(read, element);
            }
        }
        let value = match (action.read(), chosen) {
            (Some(term), _) => terms.substitute(term, &current),
            (None, Some(chosen)) => chosen,
            (None, None) => {
                let variable = action.changed().unwrap_or_else(|| unreachable!("only a havoc reads nothing"));
                let name = terms.name(variable).unwrap_or("choice").to_owned();
                let choice = terms.fresh(&format!("{name}@{number}"), terms.sort(variable));
                self.choices.insert(choice, number);
                choice
            }
        };
        let index = shape.written.and_then(|(index, _)| known_index(terms, index, &current));
        // A write to any cell keeps what the others held.
        let anywhere = action.changed().filter(|_| shape.written.is_some() && index.is_none());
        cells.extend(anywhere.map(Cell::all));
        let written =
            shape.written.zip(index).map(|((_, element), index)| (index, terms.substitute(element, &current)));
        for &variable in shape.reads.iter().chain(action.changed().as_ref()) {
            push_last(self.uses.entry(variable).or_default(), number);
        }
        for cell in &cells {
            push_last(self.cell_uses.entry((cell.array, cell.index)).or_default(), number);
        }
        if let Some(variable) = action.changed() {
            self.versions.entry(variable).or_default().push((number, value));
            if is_array(terms, variable) {
                push_last(self.cell_uses.entry((variable, index)).or_default(), number);
                let element = written.map_or(value, |it| it.1);
                self.cell_versions.entry((variable, index)).or_default().push((number, element));
            }
        }
        self.items.push(Item { action, statement, reads: shape.reads.clone(), value, cells, written });
    }

    /// What a variable holds before an item.
    pub fn before(&self, variable: TermId, item: usize) -> TermId {
        let version = last(self.versions.get(&variable), item);
        version.map_or_else(|| self.known.get(&variable).copied().unwrap_or(variable), |it| it.1)
    }

    /// What a cell with this index, a constant, holds before an item.
    pub fn cell_before(&self, terms: &mut Terms, array: TermId, index: TermId, item: usize) -> TermId {
        let at = |index: Option<TermId>| last(self.cell_versions.get(&(array, index)), item);
        match (at(Some(index)), at(None)) {
            (Some((written, element)), anywhere) if anywhere.is_none_or(|it| it.0 < written) => element,
            (_, Some((_, whole))) => terms.select(whole, index),
            (_, None) => terms.select(self.known.get(&array).copied().unwrap_or(array), index),
        }
    }

    /// The first item behind this one that reads or writes the variable.
    pub fn next_use(&self, variable: TermId, item: usize) -> Option<usize> {
        next(self.uses.get(&variable)?, item)
    }

    /// The first item behind this one that reads or writes the cell, or may.
    pub fn next_cell_use(&self, array: TermId, index: TermId, item: usize) -> Option<usize> {
        let uses = [Some(index), None].into_iter().filter_map(|it| self.cell_uses.get(&(array, it)));
        uses.filter_map(|it| next(it, item)).min()
    }

    /// Whether the value of a variable can reach an assumption, for each assigning item; found backwards.
    pub fn live(&self) -> Vec<bool> {
        let mut wanted: rustc_hash::FxHashSet<TermId> = rustc_hash::FxHashSet::default();
        let mut live = vec![false; self.items.len()];
        for (number, item) in self.items.iter().enumerate().rev() {
            match item.action {
                Action::Assume { .. } => wanted.extend(&item.reads),
                Action::Check { .. } => {}
                Action::Assign { variable, .. } | Action::Havoc { variable } => {
                    live[number] = wanted.remove(&variable);
                    if live[number] {
                        wanted.extend(&item.reads);
                    }
                }
            }
        }
        live
    }

    /// The items that assume something, with their conditions over symbols.
    pub fn assumptions(&self) -> impl Iterator<Item = (usize, TermId)> {
        let assumes = |(number, item): (usize, &Item)| match item.action {
            Action::Assume { .. } => Some((number, item.value)),
            _ => None,
        };
        self.items.iter().enumerate().filter_map(assumes)
    }
}

/// The last version before an item.
fn last(versions: Option<&Versions>, item: usize) -> Option<(u32, TermId)> {
    let versions = versions?;
    let count = versions.partition_point(|&(made, _)| (made as usize) < item);
    versions[..count].last().copied()
}

fn is_array(terms: &Terms, variable: TermId) -> bool {
    matches!(terms.sort(variable), Sort::Array(_))
}

/// The index in a state, if the state determines it.
pub fn known_index(terms: &mut Terms, index: TermId, state: &Substitution) -> Option<TermId> {
    let index = terms.substitute(index, state);
    terms.as_value(index).map(|_| index)
}

fn next(uses: &[u32], item: usize) -> Option<usize> {
    let next = uses.partition_point(|&used| used as usize <= item);
    uses.get(next).map(|&it| it as usize)
}

fn push_last(uses: &mut Vec<u32>, number: u32) {
    if uses.last() != Some(&number) {
        uses.push(number);
    }
}

/// What of the variables an action reads and writes, in whatever state.
#[derive(Clone, Debug)]
struct Shape {
    reads: Vec<TermId>,
    /// No index is known.
    cells: Vec<Cell>,
    /// If it writes one cell of its variable: the index and the element.
    written: Option<(TermId, TermId)>,
}

impl Shape {
    fn new(terms: &Terms, action: Action) -> Shape {
        let Some(root) = action.read() else { return Shape { reads: Vec::new(), cells: Vec::new(), written: None } };
        let mut written = None;
        let mut roots = vec![root];
        if let (Op::Store, Some(variable), &[array, index, element]) =
            (terms.op(root), action.changed(), terms.arguments(root))
            && array == variable
        {
            written = Some((index, element));
            roots = vec![index, element];
        }
        let is_array = |it: TermId| matches!(terms.op(it), Op::Variable(_)) && is_array(terms, it);
        let mut cells: Vec<Cell> = roots.iter().copied().filter(|it| is_array(*it)).map(Cell::all).collect();
        for term in terms.reachable(&roots) {
            let arguments = terms.arguments(term);
            match (terms.op(term), arguments) {
                (Op::Select, &[array, index]) if is_array(array) => {
                    cells.push(Cell { array, read: Some((index, term)), index: None });
                }
                _ => cells.extend(arguments.iter().copied().filter(|it| is_array(*it)).map(Cell::all)),
            }
        }
        Shape { reads: terms.free_variables(&[root]), cells, written }
    }
}

/// Shapes of actions, remembered: the same condition is tested in every round of a loop.
#[derive(Default)]
struct Shapes(FxHashMap<Action, Shape>);

impl Shapes {
    fn of(&mut self, terms: &Terms, action: Action) -> &Shape {
        self.0.entry(action).or_insert_with(|| Shape::new(terms, action))
    }
}
