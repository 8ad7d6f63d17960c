//! From an operation of the program to the range of source text that stands for it.
//!
//! Nodes have their ranges from [`SpanIndex`]. What is added here is what to show: of a store not the
//! assignment but what is assigned to, of an update its operand, and where no range is known, the
//! expression or token at the operation's place. Inside a macro's expansion that is the macro's name, with
//! its arguments if it has some.

use program::exec::{CommandRef, Detail, Violation};
use program::{Body, Call, Callee, Command, CommandKind, ExprId, NodeRef, Program, Site, SpanIndex};
use source::{Expression, ExpressionKind, Hint, Sources, Span};

use crate::finding::Place;

/// An operation's place in the source.
#[derive(Clone, Debug)]
pub struct Located {
    pub span: Span,
    /// The expression that has this span, where the text could be parsed.
    pub expression: Option<Expression>,
}

impl Located {
    pub fn place(&self) -> Place {
        Place { span: self.span }
    }

    pub fn text(&self, sources: &Sources) -> Option<String> {
        short_text(sources, self.span)
    }

    /// The text of an expression directly inside.
    pub fn operand(&self, sources: &Sources, index: usize) -> Option<String> {
        let operand = self.expression.as_ref()?.operands.get(index)?;
        short_text(sources, operand.bare)
    }

    pub fn kind(&self) -> Option<ExpressionKind> {
        self.expression.as_ref().map(|expression| expression.kind)
    }

    fn at(program: &Program, span: Span) -> Located {
        Located { span, expression: program.sources.expression_in(span) }
    }
}

/// Source text that fits into a sentence: in one line and not too long.
pub fn short_text(sources: &Sources, span: Span) -> Option<String> {
    const LONGEST: usize = 44;
    let text: Vec<&str> = sources.text_of(span)?.split_whitespace().collect();
    let text = text.join(" ");
    (!text.is_empty() && text.chars().count() <= LONGEST).then_some(text)
}

/// Where a violation happened.
pub fn of_violation(program: &Program, violation: &Violation) -> Option<Located> {
    let body = program.function(violation.at.function).body.as_ref()?;
    let spans = SpanIndex::new(program);
    let is_access = matches!(violation.detail, Detail::Memory(_) | Detail::Variable(_));
    let stored = stored_address(body, violation.at);
    if is_access && stored.is_some() && (violation.expr.is_none() || violation.expr == stored) {
        let target = assigned(program, &spans, violation.at);
        return target.or_else(|| of_site(program, violation.site));
    }
    let by_expr = violation.expr.and_then(|expr| spans.expr(violation.at.function, expr));
    let located = by_expr.map(|span| Located::at(program, span)).or_else(|| of_site(program, violation.site))?;
    Some(if is_access { accessed(program, located) } else { located })
}

/// The address of the store that a command is.
pub fn stored_address(body: &Body, at: CommandRef) -> Option<ExprId> {
    match body.blocks.get(at.block.index())?.commands.get(at.index as usize)? {
        Command { kind: CommandKind::Store { address, .. }, .. } => Some(*address),
        _ => None,
    }
}

/// Whether a command calls a function that the source calls so, or does what clang makes of a call of
/// `memcpy` and the like.
pub fn calls(program: &Program, at: CommandRef, callee: &str) -> bool {
    let body = program.function(at.function).body.as_ref();
    let block = body.and_then(|body| body.blocks.get(at.block.index()));
    let Some(command) = block.and_then(|block| block.commands.get(at.index as usize)) else { return false };
    match &command.kind {
        // Headers rename some functions: `scanf` is `__isoc99_scanf`.
        CommandKind::Call(Call { callee: Callee::Direct(id), .. }) => program.function(*id).name.ends_with(callee),
        CommandKind::Call(_) | CommandKind::Copy { .. } | CommandKind::Fill { .. } => true,
        _ => false,
    }
}

/// What is on the left of the assignment that a command was made from.
fn assigned(program: &Program, spans: &SpanIndex<'_>, at: CommandRef) -> Option<Located> {
    let span = spans.span(NodeRef::Command(at.function, at.block, at.index))?;
    Some(accessed(program, Located::at(program, span)))
}

/// Of `x += 1`, `x = 1` and `x++`, the `x`.
fn accessed(program: &Program, located: Located) -> Located {
    let changes = matches!(located.kind(), Some(ExpressionKind::Assignment | ExpressionKind::Update));
    let target = located.expression.as_ref().and_then(|expression| expression.operands.first());
    match target {
        Some(target) if changes => Located::at(program, target.bare),
        _ => located,
    }
}

/// A place without anything known about the operation: the call or smallest expression there, else the
/// token, else the point.
pub fn of_site(program: &Program, site: Site) -> Option<Located> {
    let place = program.place(site)?;
    let sources = &program.sources;
    let found = [Hint::Call, Hint::Any].into_iter().find_map(|hint| sources.expression_at(place, hint));
    if let Some(expression) = found {
        return Some(Located { span: expression.span, expression: Some(expression) });
    }
    let token = sources.token_at(place).map(|token| token.span);
    Some(Located { span: token.unwrap_or_else(|| point(program, place)), expression: None })
}

/// Only the place of a site.
pub fn place(program: &Program, site: Site) -> Option<Place> {
    of_site(program, site).map(|located| located.place())
}

/// Where a name is declared. Of globals and functions the compiler tells the line only.
pub fn declaration(program: &Program, site: Site, name: &str) -> Option<Place> {
    let place = program.place(site)?;
    let sources = &program.sources;
    let named = |span: &Span| sources.text_of(*span) == Some(name);
    let at_place = sources.token_at(place).map(|token| token.span).filter(named);
    let span = at_place.or_else(|| sources.word_in_line(place, name));
    Some(Place { span: span.unwrap_or_else(|| point(program, place)) })
}

/// An empty range, moved into the text if the file is shorter than the compiler says.
fn point(program: &Program, place: source::Place) -> Span {
    let span = Span { file: place.file, start: place.position, end: place.position };
    program.sources.clamp(span).unwrap_or(span)
}
