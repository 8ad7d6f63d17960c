//! Terms and predicates: the expression grammar of ACSL, from weakest to strongest.
//!
//! `? :`, quantifiers and `\let` reach as far as they can; then `<==>`, `==>` (to the right), `||`, `^^`, `&&`,
//! bitwise operators, comparisons (a chain `0 <= i < n` is their conjunction), shifts, sums, products, prefixes, postfixes.

use super::lex::Token;
use super::parse::{Parsed, Parser, is_type_word};
use super::syntax::{Fold, LogicType, Term, TermKind};
use crate::boogie::{Diagnostic, Kind};

const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

impl Parser {
    pub(super) fn term(&mut self) -> Parsed<Term> {
        self.nested(Parser::conditional)
    }

    fn conditional(&mut self) -> Parsed<Term> {
        let start = self.extent();
        let condition = self.equivalence()?;
        if !self.take("?") {
            return Ok(condition);
        }
        let then = self.term()?;
        self.expect(":")?;
        let otherwise = self.term()?;
        let kind = TermKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Term::new(kind, self.since(start)))
    }

    fn equivalence(&mut self) -> Parsed<Term> {
        self.left(&["<==>"], Parser::implication)
    }

    fn implication(&mut self) -> Parsed<Term> {
        let start = self.extent();
        let left = self.left(&["||"], |it| it.left(&["^^"], |it| it.left(&["&&"], Parser::bits)))?;
        if !self.take("==>") {
            return Ok(left);
        }
        let right = self.nested(Parser::implication)?;
        Ok(Term::new(TermKind::Binary("==>", Box::new(left), Box::new(right)), self.since(start)))
    }

    fn bits(&mut self) -> Parsed<Term> {
        self.left(&["|"], |it| it.left(&["^"], |it| it.left(&["&"], Parser::comparison)))
    }

    fn comparison(&mut self) -> Parsed<Term> {
        let start = self.extent();
        let mut left = self.sum_of_shifts()?;
        let mut whole: Option<Term> = None;
        while let Some(operator) = self.operator(&COMPARISONS) {
            let right = self.sum_of_shifts()?;
            let kind = TermKind::Binary(operator, Box::new(left), Box::new(right.clone()));
            let one = Term::new(kind, self.since(start));
            whole = Some(match whole {
                Some(before) => Term::new(TermKind::Binary("&&", Box::new(before), Box::new(one)), self.since(start)),
                None => one,
            });
            left = right;
        }
        Ok(whole.unwrap_or(left))
    }

    fn sum_of_shifts(&mut self) -> Parsed<Term> {
        self.left(&["<<", ">>"], |it| it.left(&["+", "-"], |it| it.left(&["*", "/", "%"], Parser::prefix)))
    }

    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let found = operators.iter().copied().find(|it| self.is(it))?;
        self.advance();
        Some(found)
    }

    fn left(&mut self, operators: &[&'static str], next: impl Fn(&mut Parser) -> Parsed<Term>) -> Parsed<Term> {
        let start = self.extent();
        let mut left = next(self)?;
        while let Some(operator) = self.operator(operators) {
            let right = next(self)?;
            left = Term::new(TermKind::Binary(operator, Box::new(left), Box::new(right)), self.since(start));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Term> {
        let start = self.extent();
        if let Some(operator) = self.operator(&["!", "-", "+", "~", "*", "&"]) {
            let operand = self.nested(Parser::prefix)?;
            return Ok(Term::new(TermKind::Unary(operator, Box::new(operand)), self.since(start)));
        }
        let is_cast = self.is("(")
            && matches!(self.ahead(1), Token::Word(word) if is_type_word(word) || word == "integer" || word == "real");
        if is_cast {
            self.advance();
            let ty = self.logic_type()?;
            self.expect(")")?;
            let operand = self.nested(Parser::prefix)?;
            let name = match ty {
                LogicType::Integer => "long long".to_owned(),
                LogicType::Real => "double".to_owned(),
                LogicType::Boolean => "_Bool".to_owned(),
                LogicType::C(base, stars) => format!("{base}{}", "*".repeat(stars)),
            };
            return Ok(Term::new(TermKind::Cast(name, Box::new(operand)), self.since(start)));
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Parsed<Term> {
        let start = self.extent();
        let mut term = self.primary()?;
        loop {
            let kind = if self.take("[") {
                let index = self.range_or_term()?;
                self.expect("]")?;
                TermKind::Index(Box::new(term), Box::new(index))
            } else if self.take("->") {
                TermKind::Member(Box::new(term), true, self.name()?)
            } else if self.take(".") {
                TermKind::Member(Box::new(term), false, self.name()?)
            } else {
                return Ok(term);
            };
            term = Term::new(kind, self.since(start));
        }
    }

    /// `lo .. hi`, either end open, or a term.
    fn range_or_term(&mut self) -> Parsed<Term> {
        let start = self.extent();
        let from = if self.is("..") { None } else { Some(Box::new(self.term()?)) };
        if !self.take("..") {
            return from.map(|it| *it).ok_or_else(|| self.wrong("expected a term"));
        }
        let closes = self.is(")") || self.is("]");
        let to = if closes { None } else { Some(Box::new(self.term()?)) };
        Ok(Term::new(TermKind::Range(from, to), self.since(start)))
    }

    fn primary(&mut self) -> Parsed<Term> {
        let start = self.extent();
        let kind = match self.advance() {
            Token::Integer(text) | Token::Character(text) => TermKind::Number(text),
            Token::Real(text) => TermKind::Real(text),
            Token::Symbol("(") => {
                let inside = self.range_or_term()?;
                self.expect(")")?;
                inside.kind
            }
            Token::Word(word) if word.starts_with('\\') => self.built_in(&word, start)?,
            Token::Word(word) if self.is("(") => TermKind::Call(word, self.arguments()?),
            Token::Word(word) => TermKind::Name(word),
            _ => {
                return Err(Diagnostic::new(Kind::Syntax, start, "expected a term or a predicate"));
            }
        };
        Ok(Term::new(kind, self.since(start)))
    }

    fn arguments(&mut self) -> Parsed<Vec<Term>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        if !self.is(")") {
            arguments.push(self.term()?);
            while self.take(",") {
                arguments.push(self.term()?);
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn built_in(&mut self, word: &str, start: crate::boogie::Extent) -> Parsed<TermKind> {
        Ok(match word {
            "\\true" => TermKind::True,
            "\\false" => TermKind::False,
            "\\null" => TermKind::Null,
            "\\result" => TermKind::Result,
            "\\nothing" => TermKind::Nothing,
            "\\old" => TermKind::Old(Box::new(self.parenthesized()?)),
            "\\at" => self.at_label()?,
            "\\valid" | "\\valid_read" => {
                self.label()?;
                TermKind::Valid { writable: word == "\\valid", what: Box::new(self.parenthesized()?) }
            }
            "\\separated" => TermKind::Separated(self.arguments()?),
            "\\forall" | "\\exists" => self.quantified(word == "\\forall")?,
            "\\let" => {
                let name = self.name()?;
                self.expect("=")?;
                let value = self.term()?;
                self.expect(";")?;
                TermKind::Let(name, Box::new(value), Box::new(self.term()?))
            }
            "\\sum" => self.folded(Fold::Sum)?,
            "\\product" => self.folded(Fold::Product)?,
            "\\numof" => self.folded(Fold::Count)?,
            "\\min" => self.folded(Fold::Min)?,
            "\\max" => self.folded(Fold::Max)?,
            _ => {
                let message = format!("`{word}` is outside the subset of ACSL");
                let help = "there are \\forall, \\exists, \\result, \\old, \\at, \\valid, \\valid_read, \\separated, \
                            \\sum, \\product, \\numof, \\min, \\max, \\let, \\null, \\true and \\false";
                return Err(Diagnostic::new(Kind::Unsupported, start, message).with_help(help));
            }
        })
    }

    fn parenthesized(&mut self) -> Parsed<Term> {
        self.expect("(")?;
        let inside = self.range_or_term()?;
        self.expect(")")?;
        Ok(inside)
    }

    /// `{Here}` or `{Pre}` after a predicate.
    fn label(&mut self) -> Parsed<()> {
        if self.take("{") {
            self.name()?;
            self.expect("}")?;
        }
        Ok(())
    }

    fn at_label(&mut self) -> Parsed<TermKind> {
        self.expect("(")?;
        let inside = self.term()?;
        self.expect(",")?;
        let label = self.name()?;
        let kind = match label.as_str() {
            "Pre" | "Old" => TermKind::Old(Box::new(inside)),
            "Here" | "Post" => inside.kind,
            _ => {
                return Err(self.unsupported(&format!("the label `{label}`"), "the labels are Pre, Old, Here and Post"));
            }
        };
        self.expect(")")?;
        Ok(kind)
    }

    fn quantified(&mut self, universal: bool) -> Parsed<TermKind> {
        let mut binders = Vec::new();
        loop {
            if binders.is_empty() || !matches!(self.ahead(1), Token::Symbol("," | ";")) {
                self.logic_type_before_name()?;
            }
            binders.push(self.name()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(TermKind::Quantified { universal, binders, body: Box::new(self.term()?) })
    }

    /// `integer` or a type of C; values that are quantified over are computed as integers.
    fn logic_type_before_name(&mut self) -> Parsed<()> {
        let extent = self.extent();
        match self.logic_type()? {
            LogicType::Integer => Ok(()),
            LogicType::C(base, 0) if base != "float" && base != "double" => Ok(()),
            _ => Err(Diagnostic::new(Kind::Unsupported, extent, "only integers can be quantified over")
                .with_help("quantify over an index: \\forall integer i; 0 <= i < n ==> …")),
        }
    }

    fn folded(&mut self, fold: Fold) -> Parsed<TermKind> {
        self.expect("(")?;
        let from = Box::new(self.term()?);
        self.expect(",")?;
        let to = self.term()?;
        if self.is(")") && matches!(fold, Fold::Min | Fold::Max) {
            // Of two numbers.
            self.expect(")")?;
            let operator = if fold == Fold::Min { "<" } else { ">" };
            let test = TermKind::Binary(operator, from.clone(), Box::new(to.clone()));
            let test = Term::new(test, from.extent);
            return Ok(TermKind::Conditional(Box::new(test), from, Box::new(to)));
        }
        self.expect(",")?;
        if !self.take_word("\\lambda") {
            return Err(self.wrong("expected `\\lambda`"));
        }
        self.logic_type_before_name()?;
        let binder = self.name()?;
        self.expect(";")?;
        let body = Box::new(self.term()?);
        self.expect(")")?;
        Ok(TermKind::Folded { fold, from, to: Box::new(to), binder, body })
    }
}
