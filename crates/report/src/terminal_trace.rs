//! An error trace for a terminal: a line for each step, with the source on the left and what it did on the
//! right.
//!
//! ```text
//!  12 |   int n = read()        n = 10   ← input
//!   7 |     i <= n              true: i = 0, n = 10
//!     |     … 8 more iterations
//! ```
//!
//! Lines fit the terminal's width: long texts are cut. Calls indent what happens in them.

use diagnosis::trace::Part;
use diagnosis::{Change, ErrorTrace, Happening, TraceStep};
use source::Sources;

use crate::numbers::{count, grouped};
use crate::terminal::Look;

/// Indentation that leaves room for the text.
const DEEPEST: u32 = 8;
/// Columns of the source text, at least and at most.
const NARROWEST: usize = 16;
const WIDEST: usize = 44;

/// The trace in at most about `most` lines.
pub fn trace(sources: &Sources, trace: &ErrorTrace, look: Look, most: usize) -> String {
    let parts = trace.folded(most);
    let steps = || parts.iter().filter_map(|part| if let Part::Step(step) = part { Some(*step) } else { None });
    let line = |step: &TraceStep| step.place.map_or(0, |span| span.start.line);
    let gutter = steps().map(|step| line(step).to_string().len()).max().unwrap_or(1);
    let shown_width = |step: &TraceStep| indent(step.depth) + step.text.chars().count();
    let half = (look.width.saturating_sub(gutter + 4) / 2).clamp(NARROWEST, WIDEST);
    let column = steps().map(shown_width).filter(|&it| it <= half).max().unwrap_or(half).max(NARROWEST);
    let layout = Layout { look, gutter, column };
    let mut text = heading(trace, look);
    let mut file = None;
    let mut depth = 0;
    for part in &parts {
        match part {
            Part::Step(step) => {
                depth = step.depth;
                if let Some(span) = step.place
                    && file != Some(span.file)
                {
                    file = Some(span.file);
                    let arrow = layout.paint(Style::Gutter, "-->");
                    text.push_str(&format!("{:gutter$}{arrow} {}\n", "", sources.path(span.file)));
                }
                text.push_str(&layout.step(step));
            }
            Part::Iterations(hidden) => text.push_str(&layout.hidden(depth, &count(*hidden as u64, "more iteration"))),
            Part::Conditions(hidden) => {
                let words = format!(
                    "{} that {} false, too",
                    count(*hidden as u64, "more condition"),
                    if *hidden == 1 { "is" } else { "are" }
                );
                text.push_str(&layout.hidden(depth, &words));
            }
            Part::Steps(hidden) => text.push_str(&layout.hidden(depth, &count(*hidden as u64, "more step"))),
        }
    }
    text
}

fn heading(trace: &ErrorTrace, look: Look) -> String {
    let (kept, total) = (trace.steps.len() as u64, trace.total);
    let words = match kept == total {
        true => format!("how it gets there, in {}", count(total, "step")),
        false => format!("how it gets there: the {} of {} that matter", grouped(kept), count(total, "step")),
    };
    let layout = Layout { look, gutter: 0, column: 0 };
    format!("{}: {words}\n", layout.paint(Style::Heading, "trace"))
}

fn indent(depth: u32) -> usize {
    2 * depth.min(DEEPEST) as usize
}

#[derive(Clone, Copy)]
enum Style {
    Heading,
    Gutter,
    Value,
    Input,
    Failure,
    Faint,
}

struct Layout {
    look: Look,
    gutter: usize,
    column: usize,
}

impl Layout {
    fn paint(&self, style: Style, text: &str) -> String {
        if !self.look.colour || text.is_empty() {
            return text.to_owned();
        }
        let code = match style {
            Style::Heading => "1;92",
            Style::Gutter => "1;94",
            Style::Value => "36",
            Style::Input => "33",
            Style::Failure => "1;91",
            Style::Faint => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    fn step(&self, step: &TraceStep) -> String {
        let line = step.place.map_or_else(String::new, |span| span.start.line.to_string());
        let bar = self.paint(Style::Gutter, &format!("{line:>width$} |", width = self.gutter));
        let indent = indent(step.depth);
        let text = cut(&step.text, self.column.saturating_sub(indent));
        let padding = self.column.saturating_sub(indent + text.chars().count());
        let room = self.look.width.saturating_sub(self.gutter + 2 + 1 + self.column + 2).max(NARROWEST);
        let (what, style) = detail(step);
        // What the text says itself need not be said again.
        let what = if what == step.text { String::new() } else { cut(&what, room) };
        let left = room.saturating_sub(what.chars().count() + 2);
        let input = cut(&inputs(step), left);
        let text =
            if matches!(step.happening, Happening::Failure(_)) { self.paint(Style::Failure, &text) } else { text };
        let gap = if what.is_empty() || input.is_empty() { "" } else { "  " };
        let rest = format!("{}{gap}{}", self.paint(style, &what), self.paint(Style::Input, &input));
        let written = format!("{bar} {:indent$}{text}", "");
        match rest.is_empty() {
            true => format!("{}\n", written.trim_end()),
            false => format!("{written}{:padding$}  {rest}\n", ""),
        }
    }

    fn hidden(&self, depth: u32, words: &str) -> String {
        let bar = self.paint(Style::Gutter, &format!("{:gutter$} |", "", gutter = self.gutter));
        format!("{bar} {:width$}{}\n", "", self.paint(Style::Faint, &format!("… {words}")), width = indent(depth))
    }
}

/// What the step did.
fn detail(step: &TraceStep) -> (String, Style) {
    let list = |changes: &[Change]| {
        let parts: Vec<String> = changes.iter().map(|it| format!("{} = {}", it.place, it.value)).collect();
        parts.join(", ")
    };
    let with = |word: String, changes: &[Change]| match changes.is_empty() {
        true => word,
        false => format!("{word}: {}", list(changes)),
    };
    match &step.happening {
        Happening::Statement => (list(&step.changes), Style::Value),
        Happening::Condition(outcome) => (with(outcome.to_string(), &step.changes), Style::Value),
        Happening::Switch(value) => (format!("is {value}"), Style::Value),
        Happening::Call => (with("call".to_owned(), &step.changes), Style::Value),
        Happening::Return(value) => (format!("returns {value}"), Style::Value),
        Happening::Failure(words) => (with(words.clone(), &step.changes), Style::Failure),
    }
}

/// Where values came from outside.
fn inputs(step: &TraceStep) -> String {
    let one = |input: &Change| {
        let told = matches!(step.happening, Happening::Condition(_))
            || step.changes.iter().any(|change| change.value == input.value);
        let name = if step.text.contains(&input.place) { "input" } else { &input.place };
        if told { format!("← {name}") } else { format!("← {name} = {}", input.value) }
    };
    step.inputs.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// At most so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::{FileId, Position, Span};

    fn step(
        file: FileId,
        line: u32,
        depth: u32,
        text: &str,
        happening: Happening,
        changes: &[(&str, &str)],
    ) -> TraceStep {
        let at = Position { line, column: 1 };
        let change = |(place, value): &(&str, &str)| Change { place: (*place).to_owned(), value: (*value).to_owned() };
        TraceStep {
            number: 1,
            depth,
            function: "f".to_owned(),
            place: Some(Span { file, start: at, end: at }),
            text: text.to_owned(),
            happening,
            changes: changes.iter().map(change).collect(),
            inputs: Vec::new(),
        }
    }

    #[test]
    fn a_line_for_each_step() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", None);
        let mut steps = vec![
            step(file, 12, 0, "n = read()", Happening::Statement, &[("n", "10")]),
            step(file, 13, 0, "sum(n)", Happening::Call, &[("n", "10")]),
        ];
        steps[0].inputs = vec![Change { place: "read()".to_owned(), value: "10".to_owned() }];
        for i in 0..8 {
            let value = i.to_string();
            steps.push(step(file, 7, 1, "i <= n", Happening::Condition(true), &[("i", &value), ("n", "10")]));
            steps.push(step(file, 7, 1, "i++", Happening::Statement, &[("i", &value)]));
        }
        steps.push(step(file, 8, 1, "a[i]", Happening::Failure("out of bounds".to_owned()), &[]));
        let found = trace(&sources, &ErrorTrace { steps, total: 40 }, Look { colour: false, width: 60 }, 14);
        let expected = "\
trace: how it gets there: the 19 of 40 steps that matter
  --> a.c
12 | n = read()        n = 10  ← input
13 | sum(n)            call: n = 10
 7 |   i <= n          true: i = 0, n = 10
 7 |   i++             i = 0
   |   … 5 more iterations
 7 |   i <= n          true: i = 6, n = 10
 7 |   i++             i = 6
 7 |   i <= n          true: i = 7, n = 10
 7 |   i++             i = 7
 8 |   a[i]            out of bounds
";
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_fit_the_width() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", None);
        let long = "word ".repeat(30);
        let steps = vec![step(file, 1, 3, &long, Happening::Statement, &[("x", &long)])];
        let text = trace(&sources, &ErrorTrace { steps, total: 1 }, Look { colour: false, width: 60 }, 14);
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }
}
