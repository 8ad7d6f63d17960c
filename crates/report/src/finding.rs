//! What a report says, as data: every format shows these and nothing else.
//!
//! Strings are for people and in terms of the source: C's names, C's types, values as C writes them.

use std::borrow::Cow;

use source::Span;

/// What is known after an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub verdict: Verdict,
    /// What ended the run, if that is worth a word; the fault first.
    pub findings: Vec<Finding>,
    /// The program's own status, where it came to its end.
    pub exit_status: Option<i32>,
    /// The values that the program left open, in order.
    pub inputs: Vec<Input>,
    /// Constructs without a meaning here, whether they were reached or not.
    pub unsupported: Vec<Unsupported>,
    pub steps: u64,
}

/// The answer in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing wrong was found.
    NoFault,
    Fault,
    /// The run could not be followed to its end, or not exactly.
    Inconclusive,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::NoFault => "no-fault",
            Verdict::Fault => "fault",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// C's rules or the program's own assertions are violated.
    Fault,
    /// Because of this, nothing can be said for sure.
    Inconclusive,
    /// Good to know.
    Note,
}

/// Something to tell, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub severity: Severity,
    /// What sort of finding it is: a check's name, `limit`, `unsupported` and the like.
    pub kind: Cow<'static, str>,
    /// The violated property, for a fault.
    pub property: Option<Cow<'static, str>>,
    /// One sentence without a final period.
    pub title: String,
    pub primary: Option<Mark>,
    /// Other places that belong to it: where the object was allocated, where it was freed.
    pub related: Vec<Mark>,
    /// Calls that were under way, innermost first.
    pub stack: Vec<Frame>,
    /// Operands and their values.
    pub values: Vec<NamedValue>,
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Finding {
    pub fn new(severity: Severity, kind: impl Into<Cow<'static, str>>, title: impl Into<String>) -> Finding {
        Finding {
            severity,
            kind: kind.into(),
            property: None,
            title: title.into(),
            primary: None,
            related: Vec::new(),
            stack: Vec::new(),
            values: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }
}

/// A marked range of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub place: Place,
    pub label: String,
}

/// Where something stands: a range, or only a point where the text is not at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub span: Span,
}

/// A call that was under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub function: String,
    /// The call, or for the innermost frame the fault.
    pub place: Option<Place>,
}

/// An expression of the source and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    pub expression: String,
    pub value: String,
}

/// A value that the program left open and got.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The C function that returned it.
    pub function: String,
    /// As `--nondet` takes it.
    pub value: String,
    /// It is no function's result but what a variable or memory holds before it is written; of memory, the bytes in
    /// hexadecimal, as `--unwritten` takes them.
    pub indeterminate: bool,
    pub place: Option<Place>,
}

/// A construct without a meaning here.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    pub what: String,
    pub place: Option<Place>,
}
