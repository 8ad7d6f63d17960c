//! Expressions, by precedence: `<==>`, `==>` and `<==`, `||`, `&&`, comparisons, `++`, sums, products, `**`,
//! signs, brackets.
//!
//! `&&` beside `||` is not Boogie's but Ultimate's; it binds tighter there, and so it does here.

use super::super::diagnostic::Extent;
use super::super::syntax::{BinaryOperator, ExpressionId, ExpressionKind, Name, UnaryOperator};
use super::{Parsed, Parser, Token};

/// How operators bind: the level, and whether chains lean to the right.
const COMPARISON: u8 = 5;
const LEVELS: &[(&str, BinaryOperator, u8)] = &[
    ("<==>", BinaryOperator::Iff, 1),
    ("==>", BinaryOperator::Implies, 2),
    ("<==", BinaryOperator::Explies, 2),
    ("||", BinaryOperator::Or, 3),
    ("&&", BinaryOperator::And, 4),
    ("==", BinaryOperator::Equal, COMPARISON),
    ("!=", BinaryOperator::NotEqual, COMPARISON),
    ("<", BinaryOperator::Less, COMPARISON),
    ("<=", BinaryOperator::LessEqual, COMPARISON),
    (">", BinaryOperator::Greater, COMPARISON),
    (">=", BinaryOperator::GreaterEqual, COMPARISON),
    ("<:", BinaryOperator::Extends, COMPARISON),
    ("++", BinaryOperator::Concat, 6),
    ("+", BinaryOperator::Add, 7),
    ("-", BinaryOperator::Subtract, 7),
    ("*", BinaryOperator::Multiply, 8),
    ("/", BinaryOperator::RealDivide, 8),
    ("div", BinaryOperator::IntDivide, 8),
    ("mod", BinaryOperator::Modulo, 8),
    // Ultimate's.
    ("%", BinaryOperator::Modulo, 8),
    ("**", BinaryOperator::Power, 9),
];

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<ExpressionId> {
        self.nested(|it| it.binary(1))
    }

    fn operator(&self) -> Option<(BinaryOperator, u8)> {
        let text = match self.token() {
            Token::Symbol(symbol) => symbol,
            Token::Word { text, escaped: false } if text == "div" || text == "mod" => text.as_str(),
            _ => return None,
        };
        LEVELS.iter().find(|(it, ..)| *it == text).map(|&(_, operator, level)| (operator, level))
    }

    /// An expression whose operators bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<ExpressionId> {
        let mut left = self.unary()?;
        while let Some((operator, level)) = self.operator() {
            if level < least {
                break;
            }
            let at = self.advance();
            let leans_right = matches!(operator, BinaryOperator::Implies | BinaryOperator::Power);
            let right = match leans_right {
                true => self.nested(|it| it.binary(level))?,
                false => self.binary(level + 1)?,
            };
            let extent = self.extent_of(left).to(self.extent_of(right));
            left = self.add(extent, ExpressionKind::Binary { operator, at, left, right });
            if level == COMPARISON && self.operator().is_some_and(|(_, next)| next == COMPARISON) {
                return self.expected("`&&` between two comparisons");
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<ExpressionId> {
        let operator = match self.token() {
            Token::Symbol("!") => UnaryOperator::Not,
            Token::Symbol("-") => UnaryOperator::Negate,
            _ => return self.postfix(),
        };
        let start = self.advance();
        let operand = self.nested(Parser::unary)?;
        let extent = start.to(self.extent_of(operand));
        Ok(self.add(extent, ExpressionKind::Unary { operator, operand }))
    }

    fn postfix(&mut self) -> Parsed<ExpressionId> {
        let mut left = self.atom()?;
        loop {
            let start = self.extent_of(left);
            if self.accept("[") {
                let kind = self.brackets(left)?;
                let end = self.expect("]")?;
                left = self.add(start.to(end), kind);
            } else if self.is("->") {
                self.advance();
                self.name("a field")?;
                let extent = start.to(self.last_extent());
                left = self.add(extent, ExpressionKind::Unsupported("a datatype's field".to_owned()));
            } else {
                return Ok(left);
            }
        }
    }

    /// What stands between the brackets after an expression.
    fn brackets(&mut self, map: ExpressionId) -> Parsed<ExpressionKind> {
        if let (Token::Integer(high), Token::Symbol(":"), Token::Integer(low)) =
            (self.token().clone(), self.ahead(1), self.ahead(2).clone())
        {
            self.at += 3;
            return Ok(ExpressionKind::Extract { operand: map, high, low });
        }
        let indices = if self.is("]") || self.is(":=") { Vec::new() } else { self.list(Parser::expression)? };
        if self.accept(":=") {
            let value = self.expression()?;
            return Ok(ExpressionKind::Update { map, indices, value });
        }
        Ok(ExpressionKind::Select { map, indices })
    }

    fn atom(&mut self) -> Parsed<ExpressionId> {
        let start = self.extent();
        let kind = match self.token().clone() {
            Token::Integer(digits) => self.literal(ExpressionKind::Integer(digits)),
            Token::Decimal(digits) => self.literal(ExpressionKind::Decimal(digits)),
            Token::BitVector { digits, width } => self.literal(ExpressionKind::BitVector { digits, width }),
            Token::Float => self.literal(ExpressionKind::Unsupported("a floating-point number".to_owned())),
            Token::Text(_) => self.literal(ExpressionKind::Unsupported("a string".to_owned())),
            Token::Symbol("(") => {
                self.advance();
                return self.parenthesized(start);
            }
            Token::Symbol("|{") => return self.code_expression(start),
            Token::Word { text, escaped: false } => match text.as_str() {
                "true" | "false" => self.literal(ExpressionKind::Bool(text == "true")),
                "forall" | "exists" | "lambda" => return self.quantifier(start),
                "if" => return self.if_then_else(start),
                "old" => self.old()?,
                _ => self.named()?,
            },
            Token::Word { .. } => self.named()?,
            _ => return self.expected("an expression"),
        };
        let extent = start.to(self.last_extent());
        Ok(self.add(extent, kind))
    }

    fn literal(&mut self, kind: ExpressionKind) -> ExpressionKind {
        self.advance();
        kind
    }

    fn old(&mut self) -> Parsed<ExpressionKind> {
        self.advance();
        self.expect("(")?;
        let inner = self.expression()?;
        self.expect(")")?;
        Ok(ExpressionKind::Old(inner))
    }

    fn named(&mut self) -> Parsed<ExpressionKind> {
        let function: Name = self.name("an expression")?;
        if !self.accept("(") {
            return Ok(ExpressionKind::Name(function.text));
        }
        let arguments = if self.is(")") { Vec::new() } else { self.list(Parser::expression)? };
        self.expect(")")?;
        Ok(ExpressionKind::Apply { function, arguments })
    }

    /// After the opening parenthesis.
    fn parenthesized(&mut self, start: Extent) -> Parsed<ExpressionId> {
        let inner = self.expression()?;
        if self.accept(":") {
            let to = self.ty()?;
            let end = self.expect(")")?;
            return Ok(self.add(start.to(end), ExpressionKind::Coercion { operand: inner, to }));
        }
        self.expect(")")?;
        Ok(inner)
    }

    fn if_then_else(&mut self, start: Extent) -> Parsed<ExpressionId> {
        self.advance();
        let condition = self.expression()?;
        if !self.accept_word("then") {
            return self.expected("`then`");
        }
        let then = self.expression()?;
        if !self.accept_word("else") {
            return self.expected("`else`");
        }
        let otherwise = self.expression()?;
        let extent = start.to(self.last_extent());
        Ok(self.add(extent, ExpressionKind::IfThenElse { condition, then, otherwise }))
    }

    fn quantifier(&mut self, start: Extent) -> Parsed<ExpressionId> {
        let lambda = self.is_word("lambda");
        let forall = self.is_word("forall");
        self.advance();
        let type_parameters = self.type_parameters()?;
        let bound = if self.is("::") { Vec::new() } else { self.bindings("a bound variable's name", false)? };
        self.expect("::")?;
        loop {
            if !self.attributes()?.is_empty() {
                continue;
            }
            if !self.accept("{") {
                break;
            }
            self.list(Parser::expression)?;
            self.expect("}")?;
            self.file.triggers += 1;
        }
        let body = self.expression()?;
        let extent = start.to(self.last_extent());
        let kind = match lambda {
            true => ExpressionKind::Unsupported("a lambda expression".to_owned()),
            false => ExpressionKind::Quantifier { forall, type_parameters, bound, body },
        };
        Ok(self.add(extent, kind))
    }

    /// `|{ … }|`, which is skipped.
    fn code_expression(&mut self, start: Extent) -> Parsed<ExpressionId> {
        while !self.is("}|") {
            if *self.token() == Token::End {
                return self.expected("`}|`");
            }
            self.advance();
        }
        let end = self.advance();
        Ok(self.add(start.to(end), ExpressionKind::Unsupported("a code expression".to_owned())))
    }
}
