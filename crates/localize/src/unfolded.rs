//! A trace executed once over symbols: every value as a term over what the trace leaves open.
//!
//! What is left open are the variables' values before the trace and the choice of each `havoc`; both are
//! symbols. Where the trace determines a value, its term is a constant, so that whatever builds on it stays
//! small. Checks are items between the statements. Beside the values: which variables an item reads, and where
//! each variable is read or written next, so that a change can be followed without looking at the rest.

use logic::commands::Command;
use logic::control_flow::ErrorTrace;
use logic::terms::{Substitution, TermId, Terms};
use rustc_hash::FxHashMap;

/// What an item of the trace does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// The variables that it reads, ascending.
    pub reads: Vec<TermId>,
    /// What is written, assumed or checked, over symbols.
    pub value: TermId,
}

/// A trace with the values of all its items.
#[derive(Clone, Debug)]
pub struct Unfolded {
    pub items: Vec<Item>,
    /// The item of each statement.
    pub of_statement: Vec<usize>,
    /// The items that read or write a variable, ascending.
    uses: FxHashMap<TermId, Vec<u32>>,
    /// The items that write a variable, with what it holds then.
    versions: FxHashMap<TermId, Vec<(u32, TermId)>>,
    /// The symbol of each `havoc`, and its item.
    pub choices: FxHashMap<TermId, u32>,
}

impl Unfolded {
    pub fn new(terms: &mut Terms, trace: &ErrorTrace) -> Unfolded {
        let mut unfolded = Unfolded {
            items: Vec::with_capacity(trace.statements.len() + trace.checks.len()),
            of_statement: Vec::with_capacity(trace.statements.len()),
            uses: FxHashMap::default(),
            versions: FxHashMap::default(),
            choices: FxHashMap::default(),
        };
        let mut reading = Reading::default();
        let mut checks = trace.checks.iter().peekable();
        for (number, statement) in trace.statements.iter().enumerate() {
            while let Some(check) = checks.next_if(|check| check.before <= number) {
                unfolded.add(terms, Action::Check { condition: check.holds }, number, &mut reading);
            }
            let action = match statement.command {
                Command::Assign { variable, value } => Action::Assign { variable, value },
                Command::Havoc { variable } => Action::Havoc { variable },
                Command::Assume { condition } => Action::Assume { condition },
            };
            unfolded.of_statement.push(unfolded.items.len());
            unfolded.add(terms, action, number, &mut reading);
        }
        unfolded
    }

    fn add(&mut self, terms: &mut Terms, action: Action, statement: usize, reading: &mut Reading) {
        let number = self.items.len() as u32;
        let reads = action.read().map_or_else(Vec::new, |term| reading.variables(terms, term));
        let value = match action.read() {
            Some(term) => {
                let current: Substitution = reads.iter().map(|&it| (it, self.before(it, number as usize))).collect();
                terms.substitute(term, &current)
            }
            None => {
                let variable = action.changed().unwrap_or_else(|| unreachable!("only a havoc reads nothing"));
                let name = terms.name(variable).unwrap_or("choice").to_owned();
                let choice = terms.fresh(&format!("{name}@{number}"), terms.sort(variable));
                self.choices.insert(choice, number);
                choice
            }
        };
        for &variable in reads.iter().chain(action.changed().as_ref()) {
            let uses = self.uses.entry(variable).or_default();
            if uses.last() != Some(&number) {
                uses.push(number);
            }
        }
        if let Some(variable) = action.changed() {
            self.versions.entry(variable).or_default().push((number, value));
        }
        self.items.push(Item { action, statement, reads, value });
    }

    /// What a variable holds before an item.
    pub fn before(&self, variable: TermId, item: usize) -> TermId {
        let versions = self.versions.get(&variable).map(Vec::as_slice).unwrap_or_default();
        let count = versions.partition_point(|&(made, _)| (made as usize) < item);
        if count == 0 { variable } else { versions[count - 1].1 }
    }

    /// The first item behind this one that reads or writes the variable.
    pub fn next_use(&self, variable: TermId, item: usize) -> Option<usize> {
        let uses = self.uses.get(&variable)?;
        let next = uses.partition_point(|&used| used as usize <= item);
        uses.get(next).map(|&it| it as usize)
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

/// Free variables of terms, remembered: the same condition is tested in every round of a loop.
#[derive(Default)]
struct Reading(FxHashMap<TermId, Vec<TermId>>);

impl Reading {
    fn variables(&mut self, terms: &Terms, term: TermId) -> Vec<TermId> {
        self.0.entry(term).or_insert_with(|| terms.free_variables(&[term])).clone()
    }
}
