//! Which of the changes that pass all tests is meant?
//!
//! A handful of tests is passed by many changes, most of them wrong. They are run on more inputs, made from those of the
//! tests by small alterations, of which nobody knows what is right; those that do the same on all of them are one group.
//! A group weighs as much as its changes together, a change the more the closer it is: what is meant can often be written in
//! several ways, and what passes by accident in one. The smallest change of the heaviest group comes first. A condition
//! that always has one outcome, or a computation that has become a constant, can be written in most ways of all: such a
//! group weighs no more than one of its changes, and less.

use std::collections::BTreeMap;

use crate::c::{Expr, ExprKind, Place};
use crate::candidates::Candidate;
use crate::cases::{Case, Given, Value};

/// Inputs that tell changes apart.
const PROBES: usize = 48;
/// Of one test.
const EACH: usize = 10;
/// Longer inputs are not altered.
const LONGEST: usize = 600;
/// What is left of the weight of changes that make their place do nothing that depends on inputs.
const IDLE: f64 = 0.25;
/// A change that is dearer by so much weighs half.
const HALF: f64 = 5.0;

/// A change that passes all tests, and what it did on the probes.
pub struct Passing {
    pub change: Candidate,
    pub probed: Vec<u64>,
    /// Its place computes or decides the same whatever the inputs are.
    pub is_idle: bool,
    /// No test breaks a rule of C with it.
    pub is_strict: bool,
}

/// A group, told by its smallest change.
pub struct Group {
    pub change: Candidate,
    /// How many others do the same.
    pub others: usize,
    pub is_strict: bool,
    weight: f64,
    /// Of its heaviest change.
    most: f64,
    is_idle: bool,
}

impl Group {
    /// There are many ways to do nothing: each weighs by itself, and little.
    fn weight(&self) -> f64 {
        if self.is_idle { self.most * IDLE } else { self.weight }
    }
}

/// Groups of changes, the likeliest first.
pub fn groups(passing: Vec<Passing>) -> Vec<Group> {
    let least = passing.iter().map(|it| it.change.cost).min().unwrap_or(0);
    let mut groups: BTreeMap<Vec<u64>, Group> = BTreeMap::new();
    for Passing { change, probed, is_idle, is_strict } in passing {
        let weight = (-f64::from(change.cost - least) / HALF).exp2();
        let new = Group { change: change.clone(), others: 0, is_strict, weight: 0.0, most: 0.0, is_idle: false };
        let group = groups.entry(probed).or_insert(new);
        group.others += 1;
        group.weight += weight;
        group.most = group.most.max(weight);
        group.is_idle |= is_idle;
        if size(&change) < size(&group.change) {
            (group.change, group.is_strict) = (change, is_strict);
        }
    }
    let mut groups: Vec<Group> = groups.into_values().map(|it| Group { others: it.others - 1, ..it }).collect();
    groups.sort_by(|one, other| {
        other.weight().total_cmp(&one.weight()).then_with(|| size(&one.change).cmp(&size(&other.change)))
    });
    groups
}

/// Whether a change makes a place compute or decide the same whatever the inputs are, where it did not before.
pub fn is_constant(place: &Place, change: &Candidate) -> bool {
    let is_number = |it: &Expr| matches!(it.kind, ExprKind::Number(_) | ExprKind::Literal);
    let value = match &place.expr.kind {
        ExprKind::Assign(_, _, right) => right,
        _ => &place.expr,
    };
    let is_whole = change.range == value.range || change.range == place.range;
    is_whole && !is_number(value) && change.replacement.trim_start_matches('-').parse::<i64>().is_ok()
}

/// What makes a change small: its cost, then how much text it is; its place decides at last.
fn size(change: &Candidate) -> (u32, usize, usize, &str) {
    let length = change.range.len().abs_diff(change.replacement.len());
    (change.cost, length, change.place, &change.replacement)
}

/// Inputs near those of the tests.
pub fn probes(cases: &[Case]) -> Vec<Case> {
    let mut found: Vec<Case> = Vec::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for case in cases {
        let altered: Vec<Given> = match &case.given {
            Given::Run { arguments, stdin, stdout } if stdin.len() <= LONGEST => texts(arguments, stdin, &mut random)
                .into_iter()
                .map(|(arguments, stdin)| Given::Run { arguments, stdin, stdout: stdout.clone() })
                .collect(),
            Given::Run { .. } => Vec::new(),
            Given::Call { values, .. } => calls(values, &mut random),
        };
        for given in altered {
            if !found.iter().any(|it| it.given == given) {
                found.push(Case { origin: "a probe".to_owned(), given });
            }
        }
    }
    let step = found.len().div_ceil(PROBES).max(1);
    found.into_iter().step_by(step).collect()
}

fn next(random: &mut u64) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random >> 11) as usize
}

type Texts = (Vec<Vec<u8>>, Vec<u8>);

/// Arguments and input with one word changed.
fn texts(arguments: &[Vec<u8>], stdin: &[u8], random: &mut u64) -> Vec<Texts> {
    let mut found = Vec::new();
    for _ in 0..EACH {
        let words: Vec<std::ops::Range<usize>> = words(stdin);
        let total = words.len() + arguments.len();
        if total == 0 {
            break;
        }
        let chosen = next(random) % total;
        let (mut arguments, mut stdin) = (arguments.to_vec(), stdin.to_vec());
        match chosen.checked_sub(words.len()) {
            Some(index) => arguments[index] = altered(&arguments[index], random),
            None => {
                let range = words[chosen].clone();
                let new = altered(&stdin[range.clone()], random);
                stdin.splice(range, new);
            }
        }
        found.push((arguments, stdin));
    }
    found
}

fn words(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, byte) in text.iter().chain(b" ").enumerate() {
        match (byte.is_ascii_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begin)) => {
                found.push(begin..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// A word a little different: a number near it, a character more, less or changed.
fn altered(word: &[u8], random: &mut u64) -> Vec<u8> {
    let number = std::str::from_utf8(word).ok().and_then(|it| it.parse::<i64>().ok());
    if let Some(number) = number {
        let positive = number > 0;
        let new = match next(random) % 6 {
            0 => number.saturating_add(1),
            1 => number.saturating_sub(1),
            2 => number.saturating_add(2),
            3 => number / 2,
            4 => number.saturating_mul(2),
            _ => 1 + (next(random) % 9) as i64,
        };
        // What is positive everywhere is seldom meant to be anything else.
        let new = if positive { new.max(1) } else { new };
        return new.to_string().into_bytes();
    }
    let mut new = word.to_vec();
    let at = next(random) % word.len();
    match next(random) % 3 {
        0 => new[at] = word[next(random) % word.len()],
        1 if word.len() > 1 => {
            new.remove(at);
        }
        _ => new.insert(at, word[next(random) % word.len()]),
    }
    new
}

fn calls(values: &[Value], random: &mut u64) -> Vec<Given> {
    let mut found = Vec::new();
    for _ in 0..EACH.min(values.len() * 4) {
        let mut new = values.to_vec();
        let chosen = next(random) % new.len();
        let near = |bits: u128, random: &mut u64| match next(random) % 3 {
            0 => bits.wrapping_add(1),
            1 => bits.wrapping_sub(1),
            _ => (next(random) % 5) as u128,
        };
        let numbers = new[chosen].numbers_mut();
        if numbers.is_empty() {
            continue;
        }
        let at = next(random) % numbers.len();
        numbers[at] = near(numbers[at], random);
        found.push(Given::Call { values: new, result: None, after: Vec::new() });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passing(text: &str, cost: u32, probed: &[u64]) -> Passing {
        let change = Candidate {
            place: 0,
            range: 0..1,
            replacement: text.to_owned(),
            text: text.to_owned(),
            cost,
            evidence: None,
            is_alone: false,
        };
        Passing { change, probed: probed.to_vec(), is_idle: false, is_strict: true }
    }

    #[track_caller]
    fn check(all: Vec<Passing>, expected: &[(&str, usize)]) {
        let shown: Vec<(String, usize)> = groups(all).into_iter().map(|it| (it.change.text, it.others)).collect();
        let expected: Vec<(String, usize)> =
            expected.iter().map(|(text, others)| ((*text).to_owned(), *others)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_can_be_written_in_several_ways_comes_first() {
        let all = vec![passing("a", 10, &[1]), passing("b", 11, &[2]), passing("c", 12, &[2]), passing("d", 60, &[3])];
        check(all, &[("b", 1), ("a", 0), ("d", 0)]);
    }

    #[test]
    fn what_does_nothing_any_more_comes_later() {
        let mut all: Vec<Passing> = (0..9).map(|number| passing(&format!("i < {number}"), 10, &[1])).collect();
        all.push(Passing { is_idle: true, ..passing("0", 30, &[1]) });
        all.push(passing("i <= n", 13, &[2]));
        check(all, &[("i <= n", 0), ("i < 0", 9)]);
    }

    #[test]
    fn probes_are_near_and_always_the_same() {
        let stdin = b"3 17\nabc\n".to_vec();
        let case = Case {
            origin: String::new(),
            given: Given::Run { arguments: Vec::new(), stdin: stdin.clone(), stdout: Vec::new() },
        };
        let found = probes(std::slice::from_ref(&case));
        assert_eq!(found, probes(&[case]));
        assert!(found.len() > 3);
        for probe in found {
            let Given::Run { stdin: other, .. } = probe.given else { panic!("a run") };
            assert_eq!(words(&other).len(), 3, "{}", String::from_utf8_lossy(&other));
        }
    }
}
