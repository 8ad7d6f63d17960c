//! From a violation to a finding: the sentence, the marks, the calls, the values.
//!
//! Each kind of violation has its words in one of three files: accesses to memory in [`access`],
//! operations on values in [`arithmetic`], the rest here.
//!
//! [`access`]: crate::access
//! [`arithmetic`]: crate::arithmetic

use program::exec::{Detail, StackEntry, Violation, ViolationKind};
use program::{FunctionId, Program};

use crate::finding::{Finding, Frame, Mark, NamedValue, Place, Severity};
use crate::names;
use crate::numbers::{self, count};
use crate::places::{self, Located};
use crate::{access, arithmetic};

/// Calls shown at either end of a long stack.
const SHOWN_FRAMES: usize = 4;

/// What the files with the words work on.
pub struct Subject<'a> {
    pub program: &'a Program,
    pub violation: &'a Violation,
    pub located: Option<&'a Located>,
}

/// The words for a violation.
#[derive(Debug, Default)]
pub struct Words {
    pub title: String,
    /// Beside the marked source.
    pub label: String,
    /// Marked instead of the violation's own place.
    pub primary: Option<Mark>,
    pub related: Vec<Mark>,
    pub values: Vec<NamedValue>,
    pub notes: Vec<String>,
}

impl Words {
    pub fn new(title: impl Into<String>, label: impl Into<String>) -> Words {
        Words { title: title.into(), label: label.into(), ..Words::default() }
    }
}

impl Subject<'_> {
    /// The marked source in quotes, or other words where it is too long or unknown.
    pub fn quoted_or(&self, otherwise: &str) -> String {
        self.quoted().unwrap_or_else(|| otherwise.to_owned())
    }

    pub fn quoted(&self) -> Option<String> {
        self.located?.text(&self.program.sources).map(|text| format!("`{text}`"))
    }

    pub fn operand(&self, index: usize) -> Option<String> {
        self.located?.operand(&self.program.sources, index)
    }
}

pub fn finding(program: &Program, violation: &Violation) -> Finding {
    let located = places::of_violation(program, violation);
    let subject = Subject { program, violation, located: located.as_ref() };
    let words = words(&subject);
    let mut primary = located.as_ref().map(|located| Mark { place: located.place(), label: words.label });
    if words.primary.is_some() {
        primary = words.primary;
    }
    let mut finding = Finding::new(Severity::Fault, violation.kind.name(), words.title);
    finding.property = Some(violation.kind.property().into());
    finding.related = words.related.into_iter().filter(|mark| Some(mark.place) != place_of(&primary)).collect();
    finding.primary = primary;
    finding.values = words.values;
    finding.notes = words.notes;
    finding.stack = frames(program, &violation.stack);
    finding
}

fn place_of(mark: &Option<Mark>) -> Option<Place> {
    mark.as_ref().map(|mark| mark.place)
}

fn words(subject: &Subject<'_>) -> Words {
    match &subject.violation.detail {
        Detail::Memory(fault) => access::memory(subject, fault),
        Detail::Variable(variable) => access::unassigned(subject, *variable),
        Detail::Index { index, count, .. } => access::index(subject, *index, *count),
        Detail::Leaked { objects } => access::leak(subject, objects),
        Detail::Unary { operand } => arithmetic::unary(subject, *operand),
        Detail::Binary { operation, left, right, sign } => {
            arithmetic::binary(subject, *operation, *left, *right, *sign)
        }
        Detail::Conversion { operand, target, sign } => arithmetic::conversion(subject, *operand, *target, *sign),
        Detail::Call { function, problem } => call(subject, *function, problem),
        Detail::Message(message) => message_words(subject, message),
        Detail::StackOverflow { depth, bytes } => stack_overflow(subject, *depth, *bytes),
        Detail::None => bare(subject),
    }
}

fn message_words(subject: &Subject<'_>, message: &str) -> Words {
    match subject.violation.kind {
        ViolationKind::Assert if message.is_empty() => Words::new("an assertion failed", "this condition is false"),
        ViolationKind::Assert => Words::new(format!("assertion `{message}` failed"), "this condition is false"),
        ViolationKind::ErrorCall => {
            Words::new(format!("`{message}` is called"), "this call says that something failed")
        }
        _ => Words::new(message, ""),
    }
}

fn call(subject: &Subject<'_>, function: Option<FunctionId>, problem: &str) -> Words {
    let program = subject.program;
    let problem = numbers::in_c_types(problem);
    let title = match function {
        Some(id) => format!("bad call of `{}`: {problem}", names::function(program, id)),
        None => format!("bad call: {problem}"),
    };
    let mut words = Words::new(title, "");
    if let Some(id) = function
        && let Some(place) = places::declaration(program, program.function(id).site, names::function(program, id))
    {
        words.related.push(Mark { place, label: "the function that is called".to_owned() });
    }
    words
}

fn stack_overflow(subject: &Subject<'_>, depth: u32, bytes: u64) -> Words {
    let function = names::function(subject.program, subject.violation.at.function);
    let label = format!("{} under way, with {} of stack", count(u64::from(depth), "call"), count(bytes, "byte"));
    Words::new(format!("the calls need more stack than there is, in `{function}`"), label)
}

fn bare(subject: &Subject<'_>) -> Words {
    let function = names::function(subject.program, subject.violation.at.function);
    match subject.violation.kind {
        ViolationKind::Unreachable => {
            let title = format!("control reaches a place in `{function}` that was never to be reached");
            Words::new(title, "the program says that this is never reached")
        }
        ViolationKind::BitCountOfZero => {
            let what = subject.quoted_or("the builtin");
            Words::new(format!("{what} counts the bits before the first one of 0"), "undefined for 0")
        }
        ViolationKind::DivisionByZero => {
            Words::new(format!("division by zero in {}", subject.quoted_or("an expression")), "")
        }
        ViolationKind::Assert => Words::new("an assertion failed", "this condition is false"),
        kind => {
            let what = kind.name().replace('-', " ");
            Words::new(format!("{what} in {}", subject.quoted_or(&format!("`{function}`"))), "")
        }
    }
}

/// The calls under way, innermost first; of a deep recursion only the ends.
fn frames(program: &Program, stack: &[StackEntry]) -> Vec<Frame> {
    let frame = |entry: &StackEntry| Frame {
        function: names::function(program, entry.function).to_owned(),
        place: places::place(program, entry.site),
    };
    if stack.len() <= 2 * SHOWN_FRAMES + 1 {
        return stack.iter().rev().map(frame).collect();
    }
    let mut frames: Vec<Frame> = stack.iter().rev().take(SHOWN_FRAMES).map(frame).collect();
    let left_out = stack.len() - 2 * SHOWN_FRAMES;
    frames.push(Frame { function: format!("({} more calls)", numbers::grouped(left_out as u64)), place: None });
    frames.extend(stack[..SHOWN_FRAMES].iter().rev().map(frame));
    frames
}
