//! Changes of declarations and macros: longer arrays, wider types, initial values, other constants.
//!
//! They are no code that could be chosen at run time: each is compiled by itself, so that there are few of them. What the
//! failing runs did says which come first: an access out of bounds speaks for a longer array, an overflow for a wider
//! type, an uninitialized read for an initial value.

use std::ops::Range;

use super::{Candidate, Hints, one_line};
use crate::c::{Declared, Function, Place, PlaceKind};
use crate::subject::edited;

/// Words of types, and what is wider.
const WIDER: [(&str, &[(&str, u32)]); 9] = [
    ("int", &[("long long", 0), ("double", 8)]),
    ("long", &[("long long", 2)]),
    ("long int", &[("long long", 2)]),
    ("unsigned", &[("unsigned long long", 0), ("long long", 2)]),
    ("unsigned int", &[("unsigned long long", 0), ("long long", 2)]),
    ("short", &[("int", 0)]),
    ("char", &[("int", 6)]),
    ("float", &[("double", 0)]),
    ("unsigned char", &[("int", 4)]),
];

/// All changes of a function's declarations.
pub fn all(function: &Function, text: &str, hints: &Hints) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (index, place) in function.places.iter().enumerate() {
        if let PlaceKind::Declaration(declared) = &place.kind {
            let writer = Writer { index, place, text, hints };
            writer.lengths(declared, &mut found);
            writer.types(declared, &mut found);
            writer.values(declared, &mut found);
        }
    }
    found
}

struct Writer<'s> {
    index: usize,
    place: &'s Place,
    text: &'s str,
    hints: &'s Hints,
}

impl Writer<'_> {
    fn push(&self, found: &mut Vec<Candidate>, edits: &[(Range<usize>, String)], cost: u32) {
        let base = self.place.range.start;
        let moved: Vec<(Range<usize>, String)> =
            edits.iter().map(|(range, new)| (range.start - base..range.end - base, new.clone())).collect();
        let replacement = edited(&self.text[self.place.range.clone()], &moved);
        let candidate = Candidate {
            place: self.index,
            range: self.place.range.clone(),
            text: one_line(&replacement),
            replacement,
            cost,
            evidence: None,
            is_alone: true,
        };
        if !found.iter().any(|it| it.place == candidate.place && it.text == candidate.text) {
            found.push(candidate);
        }
    }

    fn number(&self, range: &Range<usize>) -> Option<i64> {
        self.text[range.clone()].parse().ok()
    }

    fn lengths(&self, declared: &Declared, found: &mut Vec<Candidate>) {
        let cost = if self.hints.out_of_bounds { 60 } else { 98 };
        let known: Vec<(Range<usize>, i64)> =
            declared.lengths.iter().filter_map(|it| Some((it.clone(), self.number(it)?))).collect();
        let longer = |(range, value): &(Range<usize>, i64), factor: i64| {
            (range.clone(), value.saturating_mul(factor).to_string())
        };
        if known.len() > 1 {
            let edits: Vec<_> = known.iter().map(|it| longer(it, 10)).collect();
            self.push(found, &edits, cost + 1);
        }
        for length in &known {
            self.push(found, &[longer(length, 10)], cost);
            self.push(found, &[longer(length, 2)], cost + 3);
            self.push(found, &[(length.0.clone(), (length.1.saturating_add(1)).to_string())], cost + 4);
        }
    }

    fn types(&self, declared: &Declared, found: &mut Vec<Candidate>) {
        let Some(range) = &declared.ty else { return };
        let words = self.text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let cost = if self.hints.overflow { 62 } else { 97 };
        for (other, more) in WIDER.iter().filter(|it| it.0 == words).flat_map(|it| it.1) {
            self.push(found, &[(range.clone(), (*other).to_owned())], cost + more);
        }
    }

    fn values(&self, declared: &Declared, found: &mut Vec<Candidate>) {
        let initial = if self.hints.uninitialized { 60 } else { 96 };
        for end in &declared.bare {
            self.push(found, &[(*end..*end, " = 0".to_owned())], initial);
        }
        if declared.bare.len() > 1 {
            let edits: Vec<_> = declared.bare.iter().map(|end| (*end..*end, " = 0".to_owned())).collect();
            self.push(found, &edits, initial + 2);
        }
        let size = if self.hints.out_of_bounds { 66 } else { 97 };
        for range in &declared.values {
            let Some(value) = self.number(range) else { continue };
            let others = [(value.saturating_mul(10), 0), (value.saturating_add(1), 1), (value.saturating_sub(1), 1)];
            for (other, more) in others.into_iter().chain([(value.saturating_mul(2), 3), (0, 4), (1, 4)]) {
                if other != value {
                    self.push(found, &[(range.clone(), other.to_string())], size + more);
                }
            }
        }
    }
}
