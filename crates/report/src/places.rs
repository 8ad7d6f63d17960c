//! From an operation of the program to the range of source text that stands for it.
//!
//! The compiler gives a point for each operation: an operator's own token, the start of a variable, a
//! call or a subscript, a member's name. Several expressions can begin at that point; which one is meant
//! follows from what the operation does. Inside a macro's expansion the point is the macro's name, and
//! then that name, with its arguments if it has some, is all that can be shown.

use program::exec::{CommandRef, Violation};
use program::{
    BinaryOp, Body, Command, CommandKind, ExprId, ExprKind, FloatOp, Overflow, Program, Site, TerminatorKind, UnaryOp,
};
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
}

/// Source text that fits into a sentence: in one line and not too long.
fn short_text(sources: &Sources, span: Span) -> Option<String> {
    const LONGEST: usize = 44;
    let text: Vec<&str> = sources.text_of(span)?.split_whitespace().collect();
    let text = text.join(" ");
    (!text.is_empty() && text.chars().count() <= LONGEST).then_some(text)
}

/// Where a violation happened.
pub fn of_violation(program: &Program, violation: &Violation) -> Option<Located> {
    let body = program.function(violation.at.function).body.as_ref()?;
    let of_expr = violation.expr.filter(|expr| expr.index() < body.exprs.len());
    let by_expr = of_expr.and_then(|expr| of_expr_in(program, body, expr));
    by_expr
        .or_else(|| of_command(program, body, violation.at, violation.site))
        .or_else(|| of_site(program, violation.site))
}

/// A place without anything known about the operation: the smallest expression there, else the token.
pub fn of_site(program: &Program, site: Site) -> Option<Located> {
    locate(program, site, &[Hint::Call, Hint::Any])
}

/// Only the place of a site.
pub fn place(program: &Program, site: Site) -> Option<Place> {
    of_site(program, site).map(|located| located.place())
}

/// The name that is declared at a site, without what follows it.
pub fn declaration(program: &Program, site: Site) -> Option<Place> {
    let place = program.place(site)?;
    let span = program.sources.token_at(place).map_or_else(|| point(program, place), |token| token.span);
    Some(Place { span })
}

fn of_expr_in(program: &Program, body: &Body, id: ExprId) -> Option<Located> {
    let expr = body.expr(id);
    match &expr.kind {
        ExprKind::Load(load) => memory(program, body, load.address, expr.site),
        ExprKind::Index(_) | ExprKind::Field(_) => memory(program, body, id, expr.site),
        ExprKind::Binary(operation, ..) => operator(program, expr.site, spellings(*operation)),
        ExprKind::Unary(operation, _) => {
            let spelling: &[&str] = match operation {
                UnaryOp::Negate(_) | UnaryOp::FloatNegate => &["-"],
                UnaryOp::Not => &["~", "!"],
            };
            operator(program, expr.site, spelling)
        }
        ExprKind::Cast(..) => locate(program, expr.site, &[Hint::Cast, Hint::Call, Hint::Any]),
        ExprKind::Apply(..) => locate(program, expr.site, &[Hint::Call, Hint::Any]),
        ExprKind::Select { .. } => locate(program, expr.site, &[Hint::Conditional, Hint::Any]),
        _ => locate(program, expr.site, &[Hint::Variable, Hint::Any]),
    }
}

/// The access to what stands at an address: `a[i]`, `p->f`, `*p`, `x`.
fn memory(program: &Program, body: &Body, address: ExprId, site: Site) -> Option<Located> {
    let at = body.expr(address);
    let site = if site == Site::NONE { at.site } else { site };
    let place = program.place(site)?;
    let subscripts = subscripts_at(program, body, address, place);
    if subscripts > 0 {
        let found = program.sources.expressions_at(place);
        let mut nested = found.into_iter().filter(|it| it.kind == ExpressionKind::Subscript);
        if let Some(expression) = nested.nth(subscripts - 1) {
            return Some(Located { span: expression.span, expression: Some(expression) });
        }
    }
    let hints = match at.kind {
        ExprKind::Field(_) => [Hint::Member, Hint::Dereference, Hint::Variable, Hint::Any],
        _ => [Hint::Dereference, Hint::Member, Hint::Variable, Hint::Any],
    };
    locate(program, site, &hints)
}

/// How many subscripts of `a[i][j]` have been applied at this place.
fn subscripts_at(program: &Program, body: &Body, mut address: ExprId, place: source::Place) -> usize {
    let mut count = 0;
    loop {
        let expr = body.expr(address);
        match &expr.kind {
            ExprKind::Index(index) => {
                if program.place(expr.site) == Some(place) {
                    count += 1;
                }
                address = index.base;
            }
            ExprKind::Load(load) if count > 0 => address = load.address,
            _ => return count,
        }
    }
}

fn of_command(program: &Program, body: &Body, at: CommandRef, site: Site) -> Option<Located> {
    let block = body.blocks.get(at.block.index())?;
    match block.commands.get(at.index as usize) {
        Some(Command { kind: CommandKind::Store { address, .. }, site: own }) => {
            let target = memory(program, body, *address, Site::NONE);
            target.or_else(|| assigned(program, *own)).or_else(|| of_site(program, site))
        }
        Some(Command { kind: CommandKind::Copy { .. } | CommandKind::Fill { .. }, .. }) => {
            let assignment = assigned(program, site);
            assignment.or_else(|| of_site(program, site))
        }
        Some(_) => of_site(program, site),
        None => match block.terminator.kind {
            TerminatorKind::Return(_) => locate(program, site, &[]),
            _ => of_site(program, site),
        },
    }
}

/// What is on the left of the assignment whose operator stands at the site.
fn assigned(program: &Program, site: Site) -> Option<Located> {
    let place = program.place(site)?;
    let found = program.sources.expressions_at(place);
    let assignment = found.into_iter().find(|it| it.kind == ExpressionKind::Assignment && it.anchor == place)?;
    let target = assignment.operands.first()?.bare;
    Some(Located { span: target, expression: program.sources.expression_in(target) })
}

/// The expression whose operator stands exactly here; in a macro, the macro.
fn operator(program: &Program, site: Site, spellings: &[&str]) -> Option<Located> {
    let place = program.place(site)?;
    let found = program.sources.expression_at(place, Hint::Operator(spellings));
    match found.filter(|expression| expression.anchor == place) {
        Some(expression) => Some(Located { span: expression.span, expression: Some(expression) }),
        None => locate(program, site, &[Hint::Call, Hint::Variable, Hint::Any]),
    }
}

fn locate(program: &Program, site: Site, hints: &[Hint<'_>]) -> Option<Located> {
    let place = program.place(site)?;
    let sources = &program.sources;
    let found = hints.iter().find_map(|&hint| sources.expression_at(place, hint));
    if let Some(expression) = found {
        return Some(Located { span: expression.span, expression: Some(expression) });
    }
    let span = sources.token_at(place).map_or_else(|| point(program, place), |token| token.span);
    Some(Located { span, expression: None })
}

/// An empty range, moved into the text if the file is shorter than the compiler says.
fn point(program: &Program, place: source::Place) -> Span {
    let span = Span { file: place.file, start: place.position, end: place.position };
    program.sources.clamp(span).unwrap_or(span)
}

/// How C spells an operation, alone or with an assignment in it.
fn spellings(operation: BinaryOp) -> &'static [&'static str] {
    match operation {
        BinaryOp::Add(_) | BinaryOp::Float(FloatOp::Add) => &["+", "+=", "++"],
        BinaryOp::Sub(Overflow::Violates | Overflow::Wraps) | BinaryOp::Float(FloatOp::Sub) => &["-", "-=", "--"],
        BinaryOp::Mul(_) | BinaryOp::Float(FloatOp::Mul) => &["*", "*="],
        BinaryOp::Div(_) | BinaryOp::Float(FloatOp::Div) => &["/", "/="],
        BinaryOp::Rem(_) | BinaryOp::Float(FloatOp::Rem) => &["%", "%="],
        BinaryOp::ShiftLeft => &["<<", "<<="],
        BinaryOp::ShiftRight(_) => &[">>", ">>="],
        BinaryOp::And => &["&", "&="],
        BinaryOp::Or => &["|", "|="],
        BinaryOp::Xor => &["^", "^="],
        BinaryOp::Compare(_) | BinaryOp::FloatCompare(_) => &["<", "<=", ">", ">=", "==", "!="],
        BinaryOp::Overflows(..) => &[],
    }
}
