//! Partial specifications (§4.1): what proofs say about a program, as far as repairs must respect it.
//!
//! Ranges are safety projections of proved properties, for what a command writes; trusted places are those on which
//! a proof depends, by the relevant edges of Equation 1. Who proves is elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use logic::value::BitVector;
use program::exec::CommandRef;
use verify::encode::EncodedTrace;
use verify::encode::origins::What;

use super::spots::Key;

/// The values that a command may write, read as signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub low: i128,
    pub high: i128,
}

impl Range {
    /// `0 to 10`, `at least 0`.
    pub fn words(self) -> String {
        match (self.low, self.high) {
            (i128::MIN, high) => format!("at most {high}"),
            (low, i128::MAX) => format!("at least {low}"),
            (low, high) if low == high => low.to_string(),
            (low, high) => format!("{low} to {high}"),
        }
    }
}

/// What is known from proofs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Specification {
    pub ranges: BTreeMap<CommandRef, Range>,
    pub trusted: BTreeSet<Key>,
    /// What is proved with a trusted place, in words.
    pub reasons: BTreeMap<Key, String>,
    /// The safety projections that the ranges are made of, and what is proved with each.
    pub projections: BTreeMap<CommandRef, Vec<(Range, String)>>,
}

impl Specification {
    /// The ranges as formulas over the variable that a statement assigns.
    pub fn limits(&self, terms: &mut Terms, encoded: &EncodedTrace) -> BTreeMap<usize, TermId> {
        let mut limits = BTreeMap::new();
        for (number, statement) in encoded.trace.statements.iter().enumerate() {
            let Some(place) = encoded.places.get(statement.origin) else { continue };
            let (What::Assignment, Some(at), Some(variable)) = (place.what, place.at, statement.command.changed())
            else {
                continue;
            };
            let (Some(range), Sort::BitVector(width)) = (self.ranges.get(&at), terms.sort(variable)) else { continue };
            let least = -(1i128 << (width.min(127) - 1));
            let greatest = (1i128 << (width.min(127) - 1)) - 1;
            let mut parts = Vec::new();
            if range.low > least {
                let low = terms.bv_value(&BitVector::new(width, range.low.min(greatest) as u128));
                parts.push(terms.bv_sle(low, variable));
            }
            if range.high < greatest {
                let high = terms.bv_value(&BitVector::new(width, range.high.max(least) as u128));
                parts.push(terms.bv_sle(variable, high));
            }
            if !parts.is_empty() {
                limits.insert(number, terms.and(&parts));
            }
        }
        limits
    }
}
