//! The checks of the executor, and what the analysis says about each.
//!
//! A check is an operation of a command and a kind of violation. It is proved if no state that can reach it
//! violates it; then no run does. A check in code that is never reached counts as proved too.

use std::collections::BTreeMap;

use program::exec::{CommandRef, ViolationKind};
use program::{ExprId, Site};

/// An operation and what could be wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Check {
    pub at: CommandRef,
    /// The operation; none for what the command itself does.
    pub expr: Option<ExprId>,
    pub kind: ViolationKind,
}

/// What is known about a check that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub proved: bool,
    /// Where the operation stands; where it has no place, its command.
    pub site: Site,
}

/// All checks that the analysis came across.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    verdicts: BTreeMap<Check, Verdict>,
}

impl Checked {
    pub(crate) fn record(&mut self, check: Check, site: Site, proved: bool) {
        let verdict = self.verdicts.entry(check).or_insert(Verdict { proved: true, site });
        verdict.proved &= proved;
    }

    /// In the order of the program.
    pub fn iter(&self) -> impl Iterator<Item = (&Check, &Verdict)> {
        self.verdicts.iter()
    }

    pub fn proved(&self) -> usize {
        self.verdicts.values().filter(|verdict| verdict.proved).count()
    }

    pub fn len(&self) -> usize {
        self.verdicts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }

    pub fn get(&self, check: &Check) -> Option<Verdict> {
        self.verdicts.get(check).copied()
    }

    /// Whether every check of this kind at a command is proved; true if there is none.
    pub fn command_proved(&self, at: CommandRef, kind: ViolationKind) -> bool {
        let first = Check { at, expr: None, kind: ViolationKind::Assert };
        self.verdicts
            .range(first..)
            .take_while(|(check, _)| check.at == at)
            .all(|(check, verdict)| check.kind != kind || verdict.proved)
    }

    /// Keeps a check as proved if one of two analyses proved it.
    pub(crate) fn improve(&mut self, better: &Checked) {
        for (check, verdict) in &mut self.verdicts {
            // What the other one never reached is not reachable.
            verdict.proved |= better.get(check).is_none_or(|other| other.proved);
        }
    }
}
