//! Specifications: contracts and assertions in the ACSL comments of a C file.
//!
//! Text of a C file → [`Specifications`]: the contract of each function that has one, assertions between
//! statements, predicates and logic functions. [`checking`] gives them their meaning, which is C: each predicate
//! becomes an expression with loops over the quantifiers' ranges, compiled with the user's file. So the executor,
//! the model checker and replay need not know ACSL, and what is checked at run time and what is verified is one
//! and the same. Integers of the specification are computed in 64 bits; where they overflow, that is a violation,
//! never a wrong answer.
//!
//! Not here: where the inputs of a function come from. What is outside the subset is a [`Diagnostic`] with its
//! place.

pub mod checking;
mod lex;
mod parse;
mod quantifiers;
pub mod syntax;
mod terms;

use std::ops::Range;

use crate::boogie::Extent;
pub use crate::boogie::{Diagnostic, Kind};
use syntax::{Annotation, Clause, Contract, Definition};

/// What the annotations of a file say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Specifications {
    /// With the range of the comment; a contract belongs to the function that follows it.
    pub contracts: Vec<(Contract, Extent)>,
    pub assertions: Vec<(Clause, Extent)>,
    pub definitions: Vec<Definition>,
}

/// Reads all annotations of a file.
pub fn read(text: &str) -> Result<Specifications, Diagnostic> {
    let mut found = Specifications::default();
    for comment in comments(text) {
        let lexemes = lex::lex(text, comment.inside.start, comment.inside.end)?;
        let extent = Extent::new(comment.whole.start, comment.whole.end);
        match parse::annotation(lexemes)? {
            Some(Annotation::Contract(contract)) => found.contracts.push((contract, extent)),
            Some(Annotation::Assert(clause)) => found.assertions.push((clause, extent)),
            Some(Annotation::Definitions(definitions)) => found.definitions.extend(definitions),
            Some(Annotation::Loop) | None => {}
        }
    }
    Ok(found)
}

impl Specifications {
    /// The contracts between the end of what precedes a function and its beginning, as one.
    pub fn contract_in(&self, range: Range<usize>) -> Option<Contract> {
        let inside = |extent: &Extent| range.contains(&(extent.start as usize)) && extent.end as usize <= range.end;
        let mut contracts = self.contracts.iter().filter(|(_, extent)| inside(extent)).map(|(it, _)| it.clone());
        let mut whole = contracts.next()?;
        for more in contracts {
            whole.requires.extend(more.requires);
            whole.ensures.extend(more.ensures);
            if let Some(assigns) = more.assigns {
                whole.assigns.get_or_insert_default().extend(assigns);
            }
        }
        Some(whole)
    }
}

struct Comment {
    whole: Range<usize>,
    /// Without `/*@` and `*/`.
    inside: Range<usize>,
}

/// Annotation comments, not those in strings or in other comments.
fn comments(text: &str) -> Vec<Comment> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                let line = bytes[at + 1] == b'/';
                let rest = &text[at + 2..];
                let (length, close) = match line {
                    true => (rest.find('\n').unwrap_or(rest.len()), 0),
                    false => rest.find("*/").map_or((rest.len(), 0), |it| (it, 2)),
                };
                let (start, end) = (at, at + 2 + length);
                if rest.starts_with('@') {
                    found.push(Comment { whole: start..end + close, inside: start + 3..end });
                }
                at = end + close;
            }
            _ => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests;
