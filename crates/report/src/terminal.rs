//! Reports for a terminal, in rustc's manner: the sentence, the source with marks, notes below.
//!
//! Fits 80 columns where the source does. Yields strings; colours are ANSI sequences in them.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use source::{FileId, Sources, Span};

use crate::checked::{Answer, Checked, Proofs};
use crate::finding::{Finding, Frame, Input, Mark, NamedValue, Place, Report, Severity, Unsupported};

/// Inputs that are listed one by one.
const SHOWN_INPUTS: usize = 8;
/// Unsupported constructs that are listed one by one.
const SHOWN_UNSUPPORTED: usize = 10;

/// The kind of a finding that is a suspect.
pub const SUSPECT: &str = "suspect";

/// How the text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Look {
        Look { colour: false, width: 80 }
    }
}

impl Look {
    fn renderer(self) -> Renderer {
        let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(self.width)
    }
}

/// A whole report; `quiet` leaves notes out that change no verdict.
pub fn report(sources: &Sources, report: &Report, look: Look, quiet: bool) -> String {
    let mut text = String::new();
    for (index, it) in report.findings.iter().enumerate() {
        if quiet && it.severity == Severity::Note {
            continue;
        }
        let notes = if index == 0 && it.severity == Severity::Fault { inputs(sources, report) } else { Vec::new() };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&finding(sources, it, &notes, look));
    }
    text
}

/// One finding, with further notes below it.
pub fn finding(sources: &Sources, finding: &Finding, more_notes: &[String], look: Look) -> String {
    let level = match finding.severity {
        Severity::Fault => Level::ERROR,
        Severity::Inconclusive => Level::WARNING.with_name(Some("inconclusive")),
        // In another colour than remarks: it is the answer.
        Severity::Note if finding.kind == SUSPECT => Level::WARNING.with_name(Some("note")),
        Severity::Note => Level::NOTE,
    };
    let mut title = level.primary_title(finding.title.as_str());
    if finding.severity != Severity::Note {
        title = title.id(finding.kind.as_ref());
    }
    let notes: Vec<String> = calls(sources, &finding.stack)
        .into_iter()
        .chain(values(finding))
        .chain(finding.notes.iter().cloned())
        .chain(more_notes.iter().cloned())
        .map(|note| wrapped(&note, look.width))
        .collect();
    let mut group = Group::with_title(title).elements(snippets(sources, finding));
    group = group.elements(notes.iter().map(|note| Level::NOTE.message(note.as_str())));
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut text = look.renderer().render(&[group]);
    text.push('\n');
    text
}

/// The answers of a check, a line each.
pub fn answers(checked: &Checked) -> String {
    let mut text = String::new();
    let width = checked.properties.iter().map(|it| it.property.len()).max().unwrap_or(0);
    for it in &checked.properties {
        text.push_str(&format!("{:width$}  {}\n", it.property, short_answer(&it.answer)));
    }
    text.push_str(&answer(&checked.answer));
    text.push('\n');
    text.push_str(&proofs(&checked.answer, &checked.proved));
    text
}

/// By which means what is proved.
fn proofs(answer: &Answer, proved: &Proofs) -> String {
    let (count, of) = (proved.checks.len(), proved.of);
    match answer {
        Answer::Proved if proved.everything => "by abstract interpretation, whatever loops do\n".to_owned(),
        Answer::Violated | Answer::Unknown(_) => String::new(),
        _ if count == 0 => String::new(),
        Answer::Proved => {
            format!("{count} of {of} checks by abstract interpretation, the others by following all paths\n")
        }
        Answer::Bounded(_) => {
            format!("{count} of {of} checks are proved for every bound, by abstract interpretation\n")
        }
    }
}

/// The checks that are proved, a line each.
pub fn proved(sources: &Sources, proofs: &Proofs) -> String {
    let mut text = String::new();
    for it in &proofs.checks {
        let place = it.place.map_or_else(String::new, |place| format!("{}: ", point(sources, place)));
        text.push_str(&format!("{place}{} is proved\n", it.kind));
    }
    text
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Proved => "proved: no input makes the program fail".to_owned(),
        Answer::Violated => "violated".to_owned(),
        Answer::Bounded(bound) => {
            let times = if *bound == 1 { "once".to_owned() } else { format!("{bound} times") };
            format!("bounded: no input makes the program fail while no loop goes back more than {times}")
        }
        Answer::Unknown(why) => format!("unknown: {why}"),
    }
}

fn short_answer(answer: &Answer) -> String {
    match answer {
        Answer::Proved | Answer::Violated => answer.name().to_owned(),
        Answer::Bounded(bound) => format!("holds up to bound {bound}"),
        Answer::Unknown(why) => format!("unknown: {why}"),
    }
}

/// The list of what the front end could not translate.
pub fn unsupported(sources: &Sources, constructs: &[Unsupported], look: Look) -> String {
    let mut text = String::new();
    for it in constructs.iter().take(SHOWN_UNSUPPORTED) {
        let place = it.place.map_or_else(String::new, |place| format!(" at {}", point(sources, place)));
        let title = format!("not supported: {}{place}", it.what);
        text.push_str(&look.renderer().render(&[Group::with_title(Level::NOTE.primary_title(title))]));
        text.push('\n');
    }
    if constructs.len() > SHOWN_UNSUPPORTED {
        let title = format!("{} more constructs are not supported", constructs.len() - SHOWN_UNSUPPORTED);
        text.push_str(&look.renderer().render(&[Group::with_title(Level::NOTE.primary_title(title))]));
        text.push('\n');
    }
    text
}

/// A short message of the tool itself: `error: …`, `note: …`.
pub fn message(severity: Severity, words: &str, look: Look) -> String {
    let level = match severity {
        Severity::Fault => Level::ERROR,
        Severity::Inconclusive => Level::WARNING.with_name(Some("inconclusive")),
        Severity::Note => Level::NOTE,
    };
    // What compilers say has several lines; only the first one is a title.
    let (first, rest) = words.split_once('\n').unwrap_or((words, ""));
    let mut text = look.renderer().render(&[Group::with_title(level.primary_title(first))]);
    text.push('\n');
    if !rest.trim().is_empty() {
        text.push_str(rest.trim_end());
        text.push('\n');
    }
    text
}

/// How long the run was.
pub fn steps(report: &Report) -> String {
    crate::numbers::count(report.steps, "step")
}

/// One snippet per file, the primary mark's file first.
fn snippets<'a>(sources: &'a Sources, finding: &'a Finding) -> Vec<Snippet<'a, Annotation<'a>>> {
    let primary = finding.primary.iter().map(|mark| (AnnotationKind::Primary, mark));
    let marks: Vec<(AnnotationKind, &Mark)> =
        primary.chain(finding.related.iter().map(|mark| (AnnotationKind::Context, mark))).collect();
    let mut files: Vec<FileId> = Vec::new();
    for (_, mark) in &marks {
        if !files.contains(&mark.place.span.file) {
            files.push(mark.place.span.file);
        }
    }
    files.into_iter().map(|file| snippet(sources, file, &marks)).collect()
}

fn snippet<'a>(
    sources: &'a Sources,
    file: FileId,
    marks: &[(AnnotationKind, &'a Mark)],
) -> Snippet<'a, Annotation<'a>> {
    let here = marks.iter().filter(|(_, mark)| mark.place.span.file == file);
    let Some(text) = sources.text(file) else {
        // Nothing to show but where it is.
        let first = here.map(|(_, mark)| mark.place).next();
        let path = first.map_or_else(|| sources.path(file).to_owned(), |place| point(sources, place));
        return Snippet::source("").path(path).line_numbering(false);
    };
    let annotations = here.filter_map(|(kind, mark)| {
        let range = first_line(sources, mark.place.span)?;
        let label = (!mark.label.is_empty()).then_some(mark.label.as_str());
        Some(kind.span(range).label(label))
    });
    Snippet::source(text).path(sources.path(file)).fold(true).annotations(annotations)
}

/// The range of a span, cut at the end of its first line: a mark over many lines hides the source.
fn first_line(sources: &Sources, span: Span) -> Option<std::ops::Range<usize>> {
    let range = sources.range(span)?;
    let text = sources.text(span.file)?;
    let line = text.get(range.clone())?.lines().next().unwrap_or_default();
    Some(range.start..range.start + line.trim_end().len())
}

/// A place as editors and compilers write it.
pub fn point(sources: &Sources, place: Place) -> String {
    format!("{}:{}", sources.path(place.span.file), place.span.start)
}

/// `in drop, called from main at average.c:39:13`, a line for each call.
fn calls(sources: &Sources, stack: &[Frame]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, frame) in stack.iter().enumerate().skip(1) {
        let at = frame.place.map_or_else(String::new, |place| format!(" at {}", point(sources, place)));
        if frame.function.starts_with('(') {
            lines.push(format!("… {}", frame.function.trim_matches(['(', ')'])));
        } else if index == 1 {
            lines.push(format!("in `{}`, called from `{}`{at}", stack[0].function, frame.function));
        } else {
            lines.push(format!("called from `{}`{at}", frame.function));
        }
    }
    // One note with a line for each call reads as one stack.
    if lines.is_empty() { Vec::new() } else { vec![lines.join("\n")] }
}

/// The values that the label does not tell.
fn values(finding: &Finding) -> Option<String> {
    let label = finding.primary.as_ref().map_or("", |mark| mark.label.as_str());
    let told = |value: &NamedValue| {
        let words = label.split([' ', ',', '`']);
        label.contains(&format!("`{}`", value.expression)) || words.into_iter().any(|word| word == value.value)
    };
    let untold = finding.values.iter().filter(|value| !told(value));
    let list: Vec<String> = untold.map(|it| format!("`{}` is {}", it.expression, it.value)).collect();
    match list.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
    }
}

fn inputs(sources: &Sources, report: &Report) -> Vec<String> {
    if report.inputs.is_empty() {
        return Vec::new();
    }
    let all = &report.inputs;
    let mut lines = vec!["the program was given these values:".to_owned()];
    let same: Vec<&[Input]> = all.chunk_by(|one, next| one == next).collect();
    for group in same.iter().take(SHOWN_INPUTS) {
        let it = &group[0];
        let place = it.place.map_or_else(String::new, |place| format!(" at {}", point(sources, place)));
        let times = if group.len() > 1 { format!(", {} times in a row", group.len()) } else { String::new() };
        let (name, value) = (&it.function, &it.value);
        match it.indeterminate {
            true => lines.push(format!("  `{name}` happens to be {value}, before it is written{place}{times}")),
            false => lines.push(format!("  `{name}()` = {value}{place}{times}")),
        }
    }
    if same.len() > SHOWN_INPUTS {
        let shown: usize = same[..SHOWN_INPUTS].iter().map(|group| group.len()).sum();
        lines.push(format!("  and {} more", all.len() - shown));
    }
    vec![lines.join("\n")]
}

/// Breaks long lines of a note between words.
fn wrapped(note: &str, width: usize) -> String {
    // `   = note: ` stands before it.
    let limit = width.saturating_sub(14).max(40);
    let mut lines = Vec::new();
    for line in note.lines() {
        let mut current = String::new();
        // A line of a list stays whole.
        if line.starts_with(' ') {
            lines.push(line.to_owned());
            continue;
        }
        for word in line.split_whitespace() {
            if current.is_empty() {
                current = word.to_owned();
            } else if current.chars().count() + 1 + word.chars().count() > limit {
                lines.push(std::mem::replace(&mut current, format!("  {word}")));
            } else {
                current.push(' ');
                current.push_str(word);
            }
        }
        lines.push(current);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::Position;

    fn sources() -> (Sources, FileId) {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some("int a[3];\n\nint f(int i)\n{\n    return a[i + 1];\n}\n".to_owned()));
        (sources, file)
    }

    fn mark(file: FileId, line: u32, columns: std::ops::Range<u32>, label: &str) -> Mark {
        let position = |column| Position { line, column };
        let span = Span { file, start: position(columns.start), end: position(columns.end) };
        Mark { place: Place { span }, label: label.to_owned() }
    }

    #[test]
    fn a_fault_with_marks_calls_and_values() {
        let (sources, file) = sources();
        let mut it = Finding::new(Severity::Fault, "array-index", "index out of bounds in `a[i + 1]`");
        it.primary = Some(mark(file, 5, 12..20, "index 3, but `a` has 3 elements"));
        it.related = vec![mark(file, 1, 5..6, "`a` is declared here")];
        let value = |expression: &str, value: &str| NamedValue { expression: expression.into(), value: value.into() };
        it.values = vec![value("i + 1", "3"), value("i", "2")];
        let call = mark(file, 3, 5..6, "");
        it.stack = vec![
            Frame { function: "f".to_owned(), place: None },
            Frame { function: "main".to_owned(), place: Some(call.place) },
        ];
        let expected = "\
error[array-index]: index out of bounds in `a[i + 1]`
 --> a.c:5:12
  |
1 | int a[3];
  |     - `a` is declared here
...
5 |     return a[i + 1];
  |            ^^^^^^^^ index 3, but `a` has 3 elements
  |
  = note: in `f`, called from `main` at a.c:3:5
  = note: `i` is 2
";
        assert_eq!(finding(&sources, &it, &[], Look::default()), expected);
    }

    #[test]
    fn a_file_that_is_gone() {
        let mut sources = Sources::with_base("/p");
        let file = sources.add("gone.c", None);
        let mut it = Finding::new(Severity::Fault, "overflow", "signed overflow");
        it.primary = Some(mark(file, 5, 12..20, "label"));
        let text = finding(&sources, &it, &[], Look::default());
        assert!(text.starts_with("error[overflow]: signed overflow\n"), "{text}");
        assert!(text.contains("gone.c:5:12"), "{text}");
    }

    #[test]
    fn messages_of_the_tool() {
        let text = message(Severity::Fault, "a.c does not compile\na.c:1:2: error: no", Look::default());
        assert_eq!(text, "error: a.c does not compile\na.c:1:2: error: no\n");
    }

    #[test]
    fn notes_fit_the_width() {
        let note = "word ".repeat(30);
        assert!(wrapped(&note, 80).lines().all(|line| line.len() <= 66));
        assert_eq!(wrapped("a\n  b c", 80), "a\n  b c");
    }
}
