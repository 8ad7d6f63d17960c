//! All candidates in one program: each place becomes a switch over its texts, compiled once.
//!
//! [`Subject`] and [`Candidate`]s → [`Instrumented`]: a program in which two values, read first, say which change is
//! made where; none of them is the program as it is. Each text stands on its own line, so that those which the
//! compiler refuses are known by their line; they are taken out and the rest is compiled again. Text 1 of each
//! place ends the run, by which it is known who reaches the place.

use std::fmt::Write;
use std::ops::Range;

use program::Program;

use crate::c::{Place, PlaceKind};
use crate::candidates::{Candidate, one_line};
use crate::driver::{Driver, REACHED, scope_of, type_of};
use crate::error::Error;
use crate::subject::{Subject, edited};

/// Texts are numbered from here; below are the program as it is, and the end of the run.
const FIRST: u32 = 2;
/// The choice that ends the run where it is.
pub const STOP: u32 = 1;

pub struct Instrumented {
    pub program: Program,
    /// What is left of the candidates, each with its place from 1 and its number there.
    pub candidates: Vec<(Candidate, (u32, u32))>,
}

type Edits = Vec<(Range<usize>, String)>;

/// Compiles the function with all candidates.
pub fn instrument(subject: &Subject, driver: &Driver, mut candidates: Vec<Candidate>) -> Result<Instrumented, Error> {
    let folder = tempfile::tempdir()?;
    let mut is_checked = false;
    loop {
        let (text, numbered) = layout(subject, driver, &candidates)?;
        let reading = subject.placed(&text, folder.path())?;
        if !is_checked && !candidates.is_empty() {
            let refused = frontend::refused_lines(&subject.copy_in(&reading), &reading.flags)?;
            let lines: Vec<&str> = text.lines().collect();
            let marks: Vec<&str> =
                refused.iter().filter_map(|line| lines.get(*line as usize - 1)?.split("/*faultline ").nth(1)).collect();
            let refused: Vec<usize> = marks.iter().filter_map(|it| it.split("*/").next()?.parse().ok()).collect();
            is_checked = true;
            if !refused.is_empty() {
                let mut index = 0;
                candidates.retain(|_| {
                    index += 1;
                    !refused.contains(&(index - 1))
                });
                continue;
            }
        }
        let program = frontend::read(&reading)?;
        return Ok(Instrumented { program, candidates: candidates.into_iter().zip(numbered).collect() });
    }
}

/// The program with a change made, without choices; nothing if it does not compile.
pub fn changed(subject: &Subject, driver: &Driver, edits: &[(Range<usize>, String)]) -> Result<Option<Program>, Error> {
    let folder = tempfile::tempdir()?;
    let head = "static int faultline_choices[1];\n".to_owned();
    let text = head + &edited(subject.text(), edits) + &driver.text;
    let reading = subject.placed(&text, folder.path())?;
    match frontend::read(&reading) {
        Ok(program) => Ok(Some(program)),
        Err(frontend::Error::Compile { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn layout(subject: &Subject, driver: &Driver, candidates: &[Candidate]) -> Result<(String, Vec<(u32, u32)>), Error> {
    let places = &subject.function.places;
    let mut numbered = vec![(0, 0); candidates.len()];
    let mut edits = assertions(subject)?;
    for (index, place) in places.iter().enumerate().filter(|(_, it)| !it.is_declaration()) {
        let mut texts = Vec::new();
        for (position, candidate) in candidates.iter().enumerate().filter(|(_, it)| it.place == index) {
            numbered[position] = (index as u32 + 1, FIRST + texts.len() as u32);
            texts.push((position, candidate.text.as_str()));
        }
        edits.push((place.range.clone(), switch(subject, index, place, &texts)));
    }
    let head =
        format!("static int faultline_choices[{}];\nvoid exit(int) __attribute__((noreturn));\n", places.len().max(1));
    Ok((head + &edited(subject.text(), &edits) + &driver.text, numbered))
}

/// A place as a choice of texts.
fn switch(subject: &Subject, index: usize, place: &Place, texts: &[(usize, &str)]) -> String {
    let original = one_line(&subject.text()[place.range.clone()]);
    let of_value = |text: &str| match &place.kind {
        PlaceKind::Condition { .. } => format!("faultline_v = !!({text});"),
        PlaceKind::Initializer(_) => format!("faultline_v = ({text});"),
        PlaceKind::Effect => format!("(void)({text});"),
        PlaceKind::Statement | PlaceKind::Return | PlaceKind::Declaration(_) => text.to_owned(),
    };
    let (open, close) = match &place.kind {
        PlaceKind::Statement | PlaceKind::Return | PlaceKind::Declaration(_) => (String::new(), ""),
        PlaceKind::Condition { .. } => ("({ int faultline_v; ".to_owned(), " faultline_v; })"),
        PlaceKind::Effect => ("({ ".to_owned(), " 0; })"),
        PlaceKind::Initializer(name) => (format!("({{ __typeof__({name}) faultline_v; "), " faultline_v; })"),
    };
    let mut text = format!("{open}switch (faultline_choices[{index}]) {{ case {STOP}: exit({REACHED});");
    for (number, (position, candidate)) in texts.iter().enumerate() {
        let _ =
            write!(text, "\ncase {}: /*faultline {position}*/ {} break;", FIRST + number as u32, of_value(candidate));
    }
    let _ = write!(text, "\ndefault: {} }}{close}", of_value(&original));
    text
}

/// Assertions of the specification as code, on their lines.
pub fn assertions(subject: &Subject) -> Result<Edits, Error> {
    let mut edits = Vec::new();
    let function = &subject.function;
    for (clause, extent) in &subject.specifications.assertions {
        let range = extent.start as usize..extent.end as usize;
        if !function.body.contains(&range.start) {
            continue;
        }
        let mut scope = scope_of(&subject.outline);
        for variable in function.visible(range.start) {
            scope.bind(&variable.name, &variable.name, &variable.name, type_of(variable, &subject.outline));
        }
        let condition = scope.predicate(&clause.term)?;
        let written = one_line(&subject.text()[clause.extent.start as usize..clause.extent.end as usize]);
        let lines = "\n".repeat(subject.text()[range.clone()].matches('\n').count());
        let fail = "extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn))";
        let code =
            format!("{{ {fail}; if (!{condition}) __assert_fail({written:?}, \"\", 0, {:?}); }}{lines}", function.name);
        edits.push((range, code));
    }
    Ok(edits)
}
