//! What could stand in a function instead of what stands there.
//!
//! A [`Function`] → [`Candidate`]s: one change of one place each, with a cost that is small for what programmers
//! often mean. Alternatives come from the annotation library (operators, constants), from the variables and elements
//! in scope, and from the shape of the expression: a term too few or too many, another variable, another left
//! side, another comparison; from what tests expect to be printed ([`literals`]); from declarations ([`declarations`]) and the
//! arrangement of statements ([`structure`]); and statements that are missing ([`insertions`]). Types are guessed from the
//! declarations; what does not compile is taken out later.

mod declarations;
pub mod insertions;
mod literals;
mod structure;
mod variations;

use std::collections::BTreeSet;
use std::ops::Range;

use source::annotations::Annotations;

use crate::c::{ExprKind, Function, Place, PlaceKind};
use variations::{Surroundings, Variation};

/// Changes up to this cost are tried first.
pub const NEAR: u32 = 105;
/// What it costs to decide nothing any more.
const CONSTANT: u32 = 118;
/// Changes of one place.
const MOST: usize = 2500;

/// A change of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Index of the place in its function.
    pub place: usize,
    /// What is written where, in the file.
    pub range: Range<usize>,
    pub replacement: String,
    /// The place as it is then, on one line.
    pub text: String,
    pub cost: u32,
    /// What speaks for it, if anything did before it was tried.
    pub evidence: Option<String>,
    /// It cannot be chosen at run time: it is compiled by itself.
    pub is_alone: bool,
}

/// What failing tests say before anything is tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Texts that they expect to be printed.
    pub expected: Vec<String>,
    pub out_of_bounds: bool,
    pub overflow: bool,
    pub uninitialized: bool,
}

/// All changes of all places that can be chosen at run time, the likeliest first.
pub fn all(function: &Function, text: &str, annotations: &Annotations, hints: &Hints) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for (index, place) in function.places.iter().enumerate().filter(|(_, it)| !it.is_declaration()) {
        found.extend(of_place(function, index, place, text, annotations, hints));
    }
    found.sort_by_key(|it| (it.cost, it.place));
    found
}

/// Conditions that always hold and that never do, to know what decides nothing any more.
pub fn constant(function: &Function) -> Vec<Candidate> {
    let conditions =
        function.places.iter().enumerate().filter(|(_, it)| matches!(it.kind, PlaceKind::Condition { .. }));
    let one = |(place, it): (usize, &Place), text: &str| Candidate {
        place,
        range: it.range.clone(),
        replacement: text.to_owned(),
        text: text.to_owned(),
        cost: CONSTANT,
        evidence: None,
        is_alone: false,
    };
    conditions.flat_map(|it| ["0", "1"].map(|text| one(it, text))).collect()
}

/// Changes that are compiled one by one.
pub fn alone(function: &Function, text: &str, hints: &Hints) -> Vec<Candidate> {
    let mut found = declarations::all(function, text, hints);
    found.extend(structure::all(function, text));
    found.sort_by_key(|it| (it.cost, it.place));
    found
}

fn of_place(
    function: &Function,
    index: usize,
    place: &Place,
    text: &str,
    annotations: &Annotations,
    hints: &Hints,
) -> Vec<Candidate> {
    let surroundings = Surroundings::new(function, place, text, annotations, hints);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let original = one_line(&text[place.range.clone()]);
    seen.insert(squeezed(&original));
    let mut variations = surroundings.variations();
    variations.sort_by_key(|it| it.cost);
    let mut found = Vec::new();
    for Variation { range, text: replacement, cost } in variations {
        if found.len() >= MOST {
            break;
        }
        let whole =
            format!("{}{replacement}{}", &text[place.range.start..range.start], &text[range.end..place.range.end]);
        let whole = one_line(&whole);
        if seen.insert(squeezed(&whole)) {
            let candidate =
                Candidate { place: index, range, replacement, text: whole, cost, evidence: None, is_alone: false };
            found.push(candidate);
        }
    }
    if place.kind == PlaceKind::Statement && !matches!(place.expr.kind, ExprKind::Other(_)) {
        // Tests that see all that is printed see what should not be.
        let is_output = matches!(place.expr.kind, ExprKind::Call(..)) && !hints.expected.is_empty();
        let (replacement, text) = (";".to_owned(), ";".to_owned());
        let (range, cost) = (place.range.clone(), if is_output { 92 } else { 125 });
        found.push(Candidate { place: index, range, replacement, text, cost, evidence: None, is_alone: false });
    }
    found
}

/// A place of the function changed to this text as a whole, where that is a change.
pub fn suggested(
    function: &Function,
    index: usize,
    range: Range<usize>,
    replacement: &str,
    text: &str,
    why: String,
) -> Option<Candidate> {
    let place = &function.places[index];
    let whole = format!("{}{replacement}{}", &text[place.range.start..range.start], &text[range.end..place.range.end]);
    let whole = one_line(&whole);
    let differs = squeezed(&whole) != squeezed(&one_line(&text[place.range.clone()]));
    differs.then(|| Candidate {
        place: index,
        range,
        replacement: replacement.to_owned(),
        text: whole,
        cost: 0,
        evidence: Some(why),
        is_alone: false,
    })
}

/// Comments and line breaks taken out.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
            line.push(' ');
        } else if first == '"' || first == '\'' {
            let mut escaped = false;
            let end = rest[1..].find(|c: char| {
                let ends = c == first && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let length = end.map_or(rest.len(), |end| end + 2);
            line.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            line.push(if first == '\n' || first == '\r' { ' ' } else { first });
            rest = &rest[first.len_utf8()..];
        }
    }
    line
}

/// Without blanks, to compare.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use source::Sources;

    use super::*;
    use crate::c::Outline;

    /// Whether a text is among the candidates for a function's body, and with which cost.
    #[track_caller]
    fn check(body: &str, wanted: &[&str]) {
        let text = format!("int f(int *a, int *b, int n, int x) {{ int i, s, t; {body} return s; }}\n");
        let mut sources = Sources::with_base("/p");
        let file = sources.add("a.c", Some(text.clone()));
        let outline = Outline::read(&sources.syntax_tree(file).unwrap(), &text);
        let function = outline.function("f").unwrap();
        let found = all(function, &text, &Annotations::default(), &Hints::default());
        for wanted in wanted {
            let is_there = found.iter().any(|it| squeezed(&it.text) == squeezed(wanted));
            assert!(is_there, "{wanted} is not among {} candidates", found.len());
        }
        let mut texts: Vec<(usize, String)> = found.iter().map(|it| (it.place, squeezed(&it.text))).collect();
        let count = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), count, "a candidate is there twice");
    }

    #[test]
    fn constants_variables_and_terms() {
        check("i = 1;", &["i = 0;", "i = 2;", "i = n;", "s = 1;", "i = a[i];", ";"]);
        check("s = a[i];", &["s = s + a[i];", "s = a[0];", "s = b[i];", "s = i;", "t = a[i];"]);
        check("s = i + n;", &["s = (i + n) / 2;", "s = i - n;", "s = i;", "s = i * n;", "s = i + x;"]);
        check("a[0] = b[i];", &["a[i] = b[i];", "b[0] = b[i];", "a[0] = b[i + 1];", "a[0] = a[i];"]);
        check("i = i;", &["i = i + 1;", "i = i - 1;"]);
        check("i++;", &["i--;", "s++;"]);
    }

    #[test]
    fn conditions() {
        check("while (i + n) i++;", &["i < n", "i + n < 0", "i <= n"]);
        check("if (i < x) i++;", &["a[s] <= x", "i >= x", "!(i < x)", "i < x - 1"]);
        check("for (i = 0; i < n; i++) s = 1;", &["i = 1", "i <= n", "i--"]);
        check("if (i < n && s) i++;", &["i < n || s", "i <= n && s", "i < n"]);
    }

    #[test]
    fn precedence_is_kept() {
        check("s = 2 * i;", &["s = 2 * (i + 1);", "s = 2 + i;"]);
        check("s = (i + n) * 2;", &["s = (i + n) / 2;", "s = (i - n) * 2;"]);
    }
}
