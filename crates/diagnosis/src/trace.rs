//! An error trace in terms of the source: statements with the values that they changed, conditions with
//! their outcome, calls with their arguments.
//!
//! [`ErrorTrace::folded`] shortens it: of a loop's many iterations the first and the last are kept.

use source::Span;

/// How a program got to its failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorTrace {
    /// Those that matter, in order; the last one is the failure's own.
    pub steps: Vec<TraceStep>,
    /// How many there were before those that do not matter were left out.
    pub total: u64,
}

/// A statement, a condition or a call that was executed.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// Its number among all steps, from 1.
    pub number: u64,
    /// Calls under way: 0 in `main`.
    pub depth: u32,
    pub function: String,
    pub place: Option<Span>,
    /// The source text, in one line.
    pub text: String,
    pub happening: Happening,
    pub changes: Vec<Change>,
    /// The functions that gave it values from outside, with these values.
    pub inputs: Vec<Change>,
}

/// What sort of step it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    Statement,
    /// A condition, and which way it went.
    Condition(bool),
    /// A `switch`: the value that was looked for.
    Switch(String),
    /// A call; the changes are the parameters.
    Call,
    /// The value that a function returns.
    Return(String),
    /// What went wrong, in one sentence.
    Failure(String),
}

/// A place in memory or an expression, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub place: String,
    pub value: String,
}

/// A part of a shortened trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part<'a> {
    Step(&'a TraceStep),
    /// This many iterations of a loop are left out.
    Iterations(usize),
    /// This many conditions are left out that were false, too, on the same values.
    Conditions(usize),
    /// This many steps are left out.
    Steps(usize),
}

/// Steps that a loop's body may have to be recognized.
const LONGEST_BODY: usize = 24;
/// Iterations that stay at either end of a loop.
const KEPT_FIRST: usize = 1;
const KEPT_LAST: usize = 2;

impl ErrorTrace {
    /// The trace with at most so many steps: loops lose their middle, and if that is not enough, so does the
    /// whole.
    pub fn folded(&self, most: usize) -> Vec<Part<'_>> {
        let whole: Vec<Part<'_>> = self.steps.iter().map(Part::Step).collect();
        if whole.len() <= most {
            return whole;
        }
        let folded = fold_conditions(fold_loops(&self.steps));
        if folded.len() <= most {
            return folded;
        }
        // The end is nearer to the failure than the beginning.
        let first = most / 3;
        let last = most - first;
        let middle = &folded[first..folded.len() - last];
        let count = |part: &Part<'_>| match part {
            Part::Step(_) => 1,
            Part::Steps(steps) | Part::Iterations(steps) | Part::Conditions(steps) => *steps,
        };
        let hidden = middle.iter().map(count).sum();
        let mut parts = folded[..first].to_vec();
        parts.push(Part::Steps(hidden));
        parts.extend_from_slice(&folded[folded.len() - last..]);
        parts
    }
}

/// Whether two steps are the same statement at the same depth.
fn same(one: &TraceStep, other: &TraceStep) -> bool {
    one.depth == other.depth
        && one.place == other.place
        && one.text == other.text
        && std::mem::discriminant(&one.happening) == std::mem::discriminant(&other.happening)
}

fn fold_loops(steps: &[TraceStep]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let (length, iterations) = repetition(&steps[at..]);
        if iterations <= KEPT_FIRST + KEPT_LAST + 1 {
            parts.push(Part::Step(&steps[at]));
            at += 1;
            continue;
        }
        let (first, end) = (at + KEPT_FIRST * length, at + iterations * length);
        let last = end - KEPT_LAST * length;
        parts.extend(steps[at..first].iter().map(Part::Step));
        parts.push(Part::Iterations(iterations - KEPT_FIRST - KEPT_LAST));
        parts.extend(steps[last..end].iter().map(Part::Step));
        at = end;
    }
    parts
}

/// Of a chain of conditions on the same values that are all false, as `else if` and CIL's switches make them,
/// the first one stays.
fn fold_conditions(parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    const FEW: usize = 3;
    let alike = |one: &Part<'_>, other: &Part<'_>| match (one, other) {
        (Part::Step(one), Part::Step(other)) => {
            let is_false = |step: &TraceStep| step.happening == Happening::Condition(false);
            is_false(one) && is_false(other) && one.depth == other.depth && one.changes == other.changes
        }
        _ => false,
    };
    let mut folded = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let more = parts[at + 1..].iter().take_while(|part| alike(&parts[at], part)).count();
        folded.push(parts[at]);
        if more >= FEW {
            folded.push(Part::Conditions(more));
            at += more;
        }
        at += 1;
    }
    folded
}

/// The sequence at the start that is repeated over most steps: its length, and how often it comes.
fn repetition(steps: &[TraceStep]) -> (usize, usize) {
    let mut best = (1, 1);
    for length in 1..=LONGEST_BODY.min(steps.len() / 2) {
        let differs = (length..steps.len()).find(|&at| !same(&steps[at], &steps[at - length]));
        let iterations = differs.unwrap_or(steps.len()) / length;
        if iterations > 1 && iterations * length > best.0 * best.1 {
            best = (length, iterations);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps by one letter each; a dot stands for iterations that were left out, a colon for steps.
    fn check(steps: &str, most: usize, expected: &str) {
        let step = |(number, text): (usize, char)| TraceStep {
            number: number as u64 + 1,
            depth: 0,
            function: "main".to_owned(),
            place: None,
            text: text.to_string(),
            happening: if text.is_ascii_digit() { Happening::Condition(false) } else { Happening::Statement },
            changes: Vec::new(),
            inputs: Vec::new(),
        };
        let trace = ErrorTrace { steps: steps.chars().enumerate().map(step).collect(), total: 0 };
        let show = |part: &Part<'_>| match part {
            Part::Step(step) => step.text.clone(),
            Part::Iterations(count) => format!(".{count}."),
            Part::Conditions(count) => format!("?{count}?"),
            Part::Steps(count) => format!(":{count}:"),
        };
        let found: String = trace.folded(most).iter().map(show).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn short_traces_stay_whole() {
        check("abcabcabc", 9, "abcabcabc");
        check("", 5, "");
    }

    #[test]
    fn loops_lose_their_middle() {
        check("xababababababy", 12, "xab.3.ababy");
        check("aaaaaaaaaa", 9, "a.7.aa");
    }

    #[test]
    fn chains_of_false_conditions_are_one() {
        check("a12345b", 6, "a1?4?b");
        check("a123b", 4, "a:1:23b");
    }

    #[test]
    fn the_rest_loses_its_middle() {
        check("abcdefghijkl", 6, "ab:6:ijkl");
    }
}
