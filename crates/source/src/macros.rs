//! Where a change of the source is safe from macros.
//!
//! Debug info collapses a macro's expansion to the place of its name, so an instruction has two
//! places: one in the file that people edit, and the exact one in the preprocessed text, which
//! was compiled apart. What is to be changed is known as a range of the preprocessed text; this
//! file finds the range of the original that means the same, or says why there is none.
//!
//! The rule, for a part of an expression whose anchor (see [`crate::Expression::anchor`]) is
//! known in both texts:
//!
//! 1. The original place is not in a directive, such as a `#define`.
//! 2. From the anchor to the part's far end, anchor and part included, both texts have the same
//!    tokens; none of them stands in a directive or is the name of a macro that the file
//!    defines. So `<` in `i < N` may be changed although `N` is a macro, but `N` may not.
//! 3. If the anchor is a name, its neighbours are the same too: a macro may expand to more text
//!    that has its own name in it. An operator needs no such proof, because whatever comes from
//!    an expansion has the place of a name.
//! 4. If the anchors differ, and the original place is the name of a macro with arguments, the
//!    part may lie in an argument: that argument's tokens must stand in the preprocessed
//!    statement exactly once, around the part. Then it was not dropped, copied or changed.
//! 5. The range that is found is a token or an expression of the original.
//!
//! Everything else is refused. Not looked at: what the expansion around an argument does to
//! precedence; a macro with an unused argument whose body has the argument's very tokens; and
//! macros of other files whose expansion is their own name among the same neighbours.

use std::ops::Range;

use crate::tokens::{Tokens, is_name};
use crate::{Place, Sources, Span};

/// What is to be changed, in the preprocessed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactPart {
    /// An operator's token, an operand, or a whole expression.
    pub part: Span,
    /// The place that debug info gives in the preprocessed text.
    pub anchor: Place,
}

/// Whether a part of the program may be changed in the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Patchability {
    /// The same part in the original text.
    Patchable {
        span: Span,
    },
    Refused(Refusal),
}

/// Why a part of the program must not be changed in the original text. The texts are for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// One of the places is no token of its file.
    #[error("the source at this place is not what was compiled")]
    NotThere,
    /// The part comes from a macro whose definition is in the same file.
    #[error("`{name}` is a macro: change its definition at {definition} instead")]
    Macro { name: String, definition: String },
    /// The part comes from a macro that is defined elsewhere.
    #[error("`{name}` is a macro that is defined elsewhere: change its definition instead")]
    MacroElsewhere { name: String },
    /// The original place is in a directive.
    #[error("the place is part of a preprocessor directive, and a change may have effects elsewhere")]
    InDirective,
    /// A directive stands between the part's tokens.
    #[error("a preprocessor directive stands inside the expression")]
    AroundDirective,
    /// The texts differ for no reason that can be seen.
    #[error("`{original}` was compiled as `{compiled}`")]
    Differs { original: String, compiled: String },
    /// The tokens agree, but what is around them does not.
    #[error("`{name}` may come from a macro")]
    Uncertain { name: String },
}

/// Finds the part of the original text that a part of the preprocessed text comes from, given
/// the two places of one instruction.
pub fn patchable(sources: &Sources, exact: ExactPart, original: Place) -> Patchability {
    let Some(pair) = Pair::of(sources, exact, original) else {
        return Patchability::Refused(Refusal::NotThere);
    };
    let found = pair.directly().or_else(|refusal| pair.in_argument().ok_or(refusal));
    match found.and_then(|range| pair.span(range)) {
        Ok(span) => Patchability::Patchable { span },
        Err(refusal) => Patchability::Refused(refusal),
    }
}

/// The two texts, and the indices of their anchors.
struct Pair<'s> {
    sources: &'s Sources,
    original: Side<'s>,
    exact: Side<'s>,
    /// The tokens to change, in the exact text.
    part: Range<usize>,
    exact_place: Place,
    original_place: Place,
}

struct Side<'s> {
    text: &'s str,
    tokens: &'s Tokens,
    anchor: usize,
}

impl<'s> Side<'s> {
    fn at(sources: &'s Sources, place: Place) -> Option<Side<'s>> {
        let tokens = sources.tokens(place.file)?;
        let anchor = tokens.starting_at(sources.offset(place)?)?;
        Some(Side { text: sources.text(place.file)?, tokens, anchor })
    }

    fn spelling(&self, index: usize) -> &'s str {
        self.tokens.spelling(self.text, index)
    }

    fn in_directive(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.in_directive)
    }

    /// The spelling of the last token before an index that is not in a directive.
    fn before(&self, index: usize) -> &'s str {
        (0..index).rev().find(|&index| !self.in_directive(index)).map_or("", |index| self.spelling(index))
    }

    /// The same for the first token from an index on.
    fn from(&self, index: usize) -> &'s str {
        let found = (index..self.tokens.len()).find(|&index| !self.in_directive(index));
        found.map_or("", |index| self.spelling(index))
    }

    /// The name of the call or invocation that a token ends or is inside of.
    fn invoked_around(&self, inside: usize) -> Option<&'s str> {
        let mut depth = usize::from(self.spelling(inside) != ")");
        for index in (0..=inside).rev() {
            match self.spelling(index) {
                ")" => depth += 1,
                "(" => depth -= 1,
                ";" | "{" | "}" => return None,
                _ => {}
            }
            if depth == 0 {
                match self.before(index) {
                    name if is_name(name) => return Some(name),
                    // Plain parentheses: the call may be around them.
                    _ => depth = 1,
                }
            }
        }
        None
    }

    fn spells_same(&self, range: Range<usize>, other: &Side, other_range: Range<usize>) -> bool {
        range.len() == other_range.len()
            && range.zip(other_range).all(|(mine, theirs)| self.spelling(mine) == other.spelling(theirs))
    }
}

impl<'s> Pair<'s> {
    fn of(sources: &'s Sources, exact: ExactPart, original: Place) -> Option<Pair<'s>> {
        let exact_side = Side::at(sources, exact.anchor)?;
        let part = exact_side.tokens.within(&sources.range(exact.part)?)?;
        let original_side = Side::at(sources, original)?;
        Some(Pair {
            sources,
            original: original_side,
            exact: exact_side,
            part,
            exact_place: exact.anchor,
            original_place: original,
        })
    }

    /// Rules 1 to 3: the part's tokens in the original, where no macro is involved.
    fn directly(&self) -> Result<Range<usize>, Refusal> {
        let (exact, original) = (&self.exact, &self.original);
        if original.in_directive(original.anchor) {
            return Err(Refusal::InDirective);
        }
        let compared = self.part.start.min(exact.anchor)..self.part.end.max(exact.anchor + 1);
        let counterpart = |index: usize| (index + original.anchor).checked_sub(exact.anchor);
        self.check_token(exact.anchor, original.anchor)?;
        // Away from the anchor on both sides: the first difference is the macro's own.
        for index in (compared.start..exact.anchor).rev().chain(exact.anchor..compared.end) {
            self.check_token(index, counterpart(index).ok_or(Refusal::NotThere)?)?;
        }
        let (Some(start), Some(end)) = (counterpart(compared.start), counterpart(compared.end)) else {
            return Err(Refusal::NotThere);
        };
        self.check_neighbours(compared, start..end)?;
        let part = (counterpart(self.part.start), counterpart(self.part.end));
        part.0.zip(part.1).map(|(start, end)| start..end).ok_or(Refusal::NotThere)
    }

    fn check_token(&self, exact: usize, original: usize) -> Result<(), Refusal> {
        let (written, compiled) = (self.original.spelling(original), self.exact.spelling(exact));
        if self.original.in_directive(original) {
            return Err(Refusal::AroundDirective);
        }
        if is_name(written) && (written != compiled || self.definition(written).is_some()) {
            return Err(self.macro_refusal(written));
        }
        if written != compiled {
            if let Some(name) = self.original.invoked_around(original) {
                return Err(self.macro_refusal(name));
            }
            let (original, compiled) = (written.to_owned(), compiled.to_owned());
            return Err(Refusal::Differs { original, compiled });
        }
        Ok(())
    }

    fn check_neighbours(&self, exact: Range<usize>, original: Range<usize>) -> Result<(), Refusal> {
        let last = self.original.spelling(original.end - 1);
        let next = (self.exact.from(exact.end), self.original.from(original.end));
        if is_name(last) && next.1 == "(" && next.0 != "(" {
            return Err(self.macro_refusal(last));
        }
        let anchor = self.original.spelling(self.original.anchor);
        let previous = (self.exact.before(exact.start), self.original.before(original.start));
        if is_name(anchor) && (next.0 != next.1 || previous.0 != previous.1) {
            return Err(Refusal::Uncertain { name: anchor.to_owned() });
        }
        Ok(())
    }

    /// Rule 4: the part's tokens in an argument of the macro at the original place.
    fn in_argument(&self) -> Option<Range<usize>> {
        let name = self.original.spelling(self.original.anchor);
        if !is_name(name) || name == self.exact.spelling(self.exact.anchor) {
            return None;
        }
        let statement = self.sources.statement_at(self.exact_place)?;
        let window = self.exact.tokens.within(&self.sources.range(statement)?)?;
        let found = arguments(&self.original).into_iter().find_map(|argument| {
            let copy = self.only_copy(&argument, &window)?;
            let holds_part = copy.start <= self.part.start && self.part.end <= copy.end;
            let start = argument.start + self.part.start.checked_sub(copy.start)?;
            holds_part.then_some(start..start + self.part.len())
        })?;
        let is_plain = |index| !self.original.in_directive(index) && self.is_no_macro(self.original.spelling(index));
        found.clone().all(is_plain).then_some(found)
    }

    /// Where the argument's tokens are in the window, if that is in one place only.
    fn only_copy(&self, argument: &Range<usize>, window: &Range<usize>) -> Option<Range<usize>> {
        let last_start = window.end.checked_sub(argument.len())?;
        let mut copies = (window.start..=last_start)
            .map(|start| start..start + argument.len())
            .filter(|copy| self.exact.spells_same(copy.clone(), &self.original, argument.clone()));
        let first = copies.next()?;
        copies.next().is_none().then_some(first)
    }

    fn is_no_macro(&self, spelling: &str) -> bool {
        !is_name(spelling) || self.definition(spelling).is_none()
    }

    fn definition(&self, name: &str) -> Option<usize> {
        let before = self.original.tokens.get(self.original.anchor)?.range().start;
        self.original.tokens.definition(name, before)
    }

    fn macro_refusal(&self, name: &str) -> Refusal {
        let file = self.original_place.file;
        let definition = self.definition(name).and_then(|offset| self.sources.position(file, offset));
        let name = name.to_owned();
        match definition {
            Some(position) => Refusal::Macro { name, definition: format!("{}:{position}", self.sources.path(file)) },
            None => Refusal::MacroElsewhere { name },
        }
    }

    /// Rule 5, and the way from tokens to a span.
    fn span(&self, tokens: Range<usize>) -> Result<Span, Refusal> {
        let edge = |index: usize| self.original.tokens.get(index).map(|token| token.range());
        let (Some(first), Some(last)) = (edge(tokens.start), edge(tokens.end - 1)) else {
            return Err(Refusal::NotThere);
        };
        let span = self.sources.span(self.original_place.file, first.start..last.end).ok_or(Refusal::NotThere)?;
        if tokens.len() > 1 && self.sources.expression_in(span).is_none() {
            return Err(Refusal::Uncertain { name: self.original.spelling(tokens.start).to_owned() });
        }
        Ok(span)
    }
}

/// The tokens of each argument of the invocation at the anchor, without empty ones.
fn arguments(side: &Side) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let first = side.anchor + 2;
    let (mut start, mut depth) = (first, 0usize);
    if side.spelling(side.anchor + 1) != "(" {
        return found;
    }
    for index in first..side.tokens.len() {
        match side.spelling(index) {
            "(" | "[" | "{" => depth += 1,
            ")" if depth == 0 => {
                found.push(start..index);
                found.retain(|argument| !argument.is_empty());
                return found;
            }
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                found.push(start..index);
                start = index + 1;
            }
            _ => {}
        }
    }
    // Never closed: not an invocation that was compiled.
    Vec::new()
}

#[cfg(test)]
mod tests;
