//! Expressions of C with their ranges in the text, and how strongly their operators bind.

use std::ops::Range;

use source::SyntaxNode;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Without parentheses around it.
    pub range: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Name(String),
    Number(String),
    /// A string or a character.
    Literal,
    Index(Box<Expr>, Box<Expr>),
    /// `-` `!` `~` `+` `*` `&`
    Unary(String, Box<Expr>),
    /// `++` and `--`, before or after.
    Update(String, Box<Expr>),
    Binary(String, Box<Expr>, Box<Expr>),
    /// `=` and its like.
    Assign(String, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Member(Box<Expr>),
    Cast(Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// Anything else, with the expressions inside.
    Other(Vec<Expr>),
}

impl Expr {
    pub fn read(node: &SyntaxNode, text: &str) -> Expr {
        let spelled = |node: &SyntaxNode| text[node.range.clone()].to_owned();
        let inside = |field: &str| node.child(field).map(|it| Box::new(Expr::read(it, text)));
        let operator = || node.child("operator").map(spelled).unwrap_or_default();
        let kind = match node.kind {
            "parenthesized_expression" => {
                let mut named = node.named();
                match (named.next(), named.next()) {
                    (Some(only), None) if only.kind != "compound_statement" => return Expr::read(only, text),
                    _ => None,
                }
            }
            "identifier" => Some(ExprKind::Name(spelled(node))),
            "number_literal" => Some(ExprKind::Number(spelled(node))),
            "char_literal" | "string_literal" | "concatenated_string" | "true" | "false" | "null" => {
                Some(ExprKind::Literal)
            }
            "subscript_expression" => both(inside("argument"), inside("index"), ExprKind::Index),
            "pointer_expression" | "unary_expression" => {
                inside("argument").map(|operand| ExprKind::Unary(operator(), operand))
            }
            "update_expression" => inside("argument").map(|operand| ExprKind::Update(operator(), operand)),
            "binary_expression" => {
                both(inside("left"), inside("right"), |left, right| ExprKind::Binary(operator(), left, right))
            }
            "assignment_expression" => {
                both(inside("left"), inside("right"), |left, right| ExprKind::Assign(operator(), left, right))
            }
            "comma_expression" => both(inside("left"), inside("right"), ExprKind::Comma),
            "conditional_expression" => match (inside("condition"), inside("consequence"), inside("alternative")) {
                (Some(one), Some(two), Some(three)) => Some(ExprKind::Conditional(one, two, three)),
                _ => None,
            },
            "call_expression" => inside("function").map(|function| {
                let list = node.child("arguments").into_iter().flat_map(|it| it.named());
                ExprKind::Call(function, list.map(|it| Expr::read(it, text)).collect())
            }),
            "field_expression" => inside("argument").map(ExprKind::Member),
            "cast_expression" => inside("value").map(ExprKind::Cast),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| ExprKind::Other(parts(node, text)));
        Expr { kind, range: node.range.clone() }
    }

    /// The expressions directly inside, in their order.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Literal => Vec::new(),
            ExprKind::Unary(_, one) | ExprKind::Update(_, one) | ExprKind::Member(one) | ExprKind::Cast(one) => {
                vec![one]
            }
            ExprKind::Index(one, other)
            | ExprKind::Binary(_, one, other)
            | ExprKind::Assign(_, one, other)
            | ExprKind::Comma(one, other) => vec![one, other],
            ExprKind::Conditional(one, two, three) => vec![one, two, three],
            ExprKind::Call(function, arguments) => std::iter::once(function.as_ref()).chain(arguments).collect(),
            ExprKind::Other(all) => all.iter().collect(),
        }
    }

    pub fn all(&self) -> Vec<&Expr> {
        let mut found = vec![self];
        found.extend(self.parts().into_iter().flat_map(Expr::all));
        found
    }

    /// How strongly it binds: text of at least this strength can stand in its place without parentheses.
    pub fn strength(&self) -> u8 {
        match &self.kind {
            ExprKind::Comma(..) => 0,
            ExprKind::Assign(..) => 1,
            ExprKind::Conditional(..) => 2,
            ExprKind::Binary(operator, ..) => precedence(operator),
            ExprKind::Unary(..) | ExprKind::Cast(_) => 13,
            ExprKind::Update(..) | ExprKind::Index(..) | ExprKind::Call(..) | ExprKind::Member(_) => 14,
            ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Literal => 15,
            ExprKind::Other(_) => 0,
        }
    }
}

/// Of a binary operator; more binds more strongly.
pub fn precedence(operator: &str) -> u8 {
    match operator {
        "||" => 3,
        "&&" => 4,
        "|" => 5,
        "^" => 6,
        "&" => 7,
        "==" | "!=" => 8,
        "<" | "<=" | ">" | ">=" => 9,
        "<<" | ">>" => 10,
        "+" | "-" => 11,
        _ => 12,
    }
}

fn both(
    one: Option<Box<Expr>>,
    other: Option<Box<Expr>>,
    make: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
) -> Option<ExprKind> {
    Some(make(one?, other?))
}

fn parts(node: &SyntaxNode, text: &str) -> Vec<Expr> {
    let is_expression = |it: &&SyntaxNode| {
        it.kind.ends_with("_expression") || matches!(it.kind, "identifier" | "number_literal" | "initializer_list")
    };
    node.named().filter(is_expression).map(|it| Expr::read(it, text)).collect()
}
