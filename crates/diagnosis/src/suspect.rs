//! Suspects: places in the source that may be to blame, with reasons, evidence, and what to write instead.

use source::Span;

use crate::input::ExplainedInput;

/// How much speaks against a place, from 0 to 1. It is a number always.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score(f64);

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Score {
    /// What is out of range is cut, and what is not a number counts as nothing.
    pub fn new(value: f64) -> Score {
        Score(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    pub fn value(self) -> f64 {
        self.0
    }
}

/// What one or more engines say about a failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnosis {
    /// The engines that were asked.
    pub engines: Vec<String>,
    /// The most suspicious first.
    pub suspects: Vec<Suspect>,
    /// Places that were asked about and are not to blame, with the reason.
    pub cleared: Vec<Evidence>,
    /// What weakens the answer, and what else there is to say.
    pub notes: Vec<String>,
    /// The input of the run that is explained, where it is the input that was looked for.
    pub input: Option<ExplainedInput>,
    /// Statements on the way to the failure.
    pub statements: usize,
    /// Statements on the way that are to blame; those of one place make one suspect.
    pub blamed: usize,
    /// Statements that the engine could not decide about.
    pub undecided: usize,
    /// What each step of a comparison of runs has left, from the widest set on.
    pub narrowing: Vec<Narrowing>,
}

/// What a step has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowing {
    /// In a word or two.
    pub step: String,
    pub lines: usize,
    pub invariants: usize,
}

/// A place that may be to blame.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    pub place: Option<Span>,
    /// The source text.
    pub text: String,
    pub function: String,
    pub score: Score,
    pub engines: Vec<String>,
    /// One sentence without a final period, with values.
    pub why: String,
    pub evidence: Vec<Evidence>,
    /// Where runs are compared: the last step that has left it, or `tendency`.
    pub step: Option<String>,
    /// The lines that belong to it, where there are more than its own: what it is computed from, is declared as or leads to.
    pub lines: Vec<Span>,
    pub fix: Option<Fix>,
}

/// The engine of evidence about the lines that belong to a suspect: what its value is computed from, or what runs because of it.
pub const EXPRESSION: &str = "expression";

/// The engine of evidence that is a step from a suspect to the failure, in their order.
pub const SLICE: &str = "slice";

/// The engine of evidence about a value inside of a suspect's expression: its place is a part of that.
pub const INNER_VALUES: &str = "inner-values";

/// Something that an engine noticed at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    pub engine: String,
    pub message: String,
    pub place: Option<Span>,
}

/// What to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// As a unified diff.
    pub diff: String,
    pub checked: Checked,
}

/// How well a fix was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Checked {
    None,
    /// The tests pass.
    Tests,
    /// No failure was found within a bound.
    Bounded,
    Proved,
}

impl Checked {
    pub fn name(self) -> &'static str {
        match self {
            Checked::None => "none",
            Checked::Tests => "tests",
            Checked::Bounded => "bounded",
            Checked::Proved => "proved",
        }
    }
}

impl Diagnosis {
    /// Puts the most suspicious first; of equals, the one that comes first in the source.
    pub fn rank(&mut self) {
        let place = |it: &Suspect| it.place.map(|span| (span.file, span.start));
        self.suspects.sort_by(|one, other| other.score.cmp(&one.score).then_with(|| place(one).cmp(&place(other))));
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn a_score_is_a_number() {
        assert_eq!(Score::new(f64::NAN).value(), 0.0);
        assert_eq!(Score::new(7.0).value(), 1.0);
        assert_eq!(Score::new(-1.0), Score::new(0.0));
        assert!(Score::new(0.5) > Score::new(0.25));
    }
}
