//! From the tokens of an annotation to what it says.
//!
//! Recursive descent with ACSL's precedences. What is ACSL but outside the subset is an error of the kind
//! `Unsupported`, at its place and with a remedy where there is one; loop annotations are read and left out.

use super::lex::{Lexeme, Token};
use super::syntax::{Annotation, Clause, Contract, Definition, LogicType, Term, TermKind};
use crate::boogie::{Diagnostic, Extent, Kind};

/// Nested deeper than this is a mistake, or made to end the parser.
const DEEPEST: u32 = 200;

pub(super) type Parsed<T> = Result<T, Diagnostic>;

pub struct Parser {
    lexemes: Vec<Lexeme>,
    at: usize,
    pub(super) depth: u32,
}

/// Reads one annotation.
pub fn annotation(lexemes: Vec<Lexeme>) -> Parsed<Option<Annotation>> {
    Parser { lexemes, at: 0, depth: 0 }.annotation()
}

impl Parser {
    pub(super) fn peek(&self) -> &Token {
        &self.lexemes[self.at.min(self.lexemes.len() - 1)].token
    }

    pub(super) fn ahead(&self, count: usize) -> &Token {
        &self.lexemes[(self.at + count).min(self.lexemes.len() - 1)].token
    }

    pub(super) fn extent(&self) -> Extent {
        self.lexemes[self.at.min(self.lexemes.len() - 1)].extent
    }

    /// From a beginning to the end of what was read last.
    pub(super) fn since(&self, start: Extent) -> Extent {
        start.to(self.lexemes[self.at.saturating_sub(1).min(self.lexemes.len() - 1)].extent)
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(found) if *found == symbol)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.take(symbol) {
            return Ok(());
        }
        Err(self.wrong(&format!("expected `{symbol}`")))
    }

    pub(super) fn name(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Token::Word(word) if !word.starts_with('\\') => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.wrong("expected a name")),
        }
    }

    pub(super) fn wrong(&self, expected: &str) -> Diagnostic {
        let found = match self.peek() {
            Token::Word(text) | Token::Integer(text) | Token::Real(text) | Token::Character(text) => {
                format!("found `{text}`")
            }
            Token::Symbol(text) => format!("found `{text}`"),
            Token::End => "the annotation ends".to_owned(),
        };
        Diagnostic::new(Kind::Syntax, self.extent(), format!("{expected}, {found}"))
    }

    pub(super) fn unsupported(&self, what: &str, help: &str) -> Diagnostic {
        Diagnostic::new(Kind::Unsupported, self.extent(), format!("{what} is outside the subset of ACSL"))
            .with_help(help)
    }

    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Diagnostic::new(Kind::Syntax, self.extent(), "this is nested too deeply"));
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn annotation(&mut self) -> Parsed<Option<Annotation>> {
        let Token::Word(first) = self.peek().clone() else {
            return match self.peek() {
                Token::End => Ok(None),
                _ => Err(self.wrong("expected a clause such as `requires` or `ensures`")),
            };
        };
        match first.as_str() {
            "loop" | "for" => Ok(Some(self.loop_annotations()?)),
            "assert" | "check" => {
                self.at += 1;
                Ok(Some(Annotation::Assert(self.clause()?)))
            }
            "predicate" | "logic" => Ok(Some(Annotation::Definitions(self.definitions()?))),
            "requires" | "ensures" | "assigns" | "behavior" | "assumes" | "terminates" | "decreases" | "complete"
            | "disjoint" | "admit" => Ok(Some(Annotation::Contract(self.contract()?))),
            _ => Err(self.unsupported(
                &format!("`{first}`"),
                "use requires, ensures, assigns, behavior, assert, predicate, logic or loop annotations",
            )),
        }
    }

    /// Reads loop annotations; they are hints for other tools.
    fn loop_annotations(&mut self) -> Parsed<Annotation> {
        while *self.peek() != Token::End {
            if self.take_word("for") {
                self.name()?;
                while self.take(",") {
                    self.name()?;
                }
                self.expect(":")?;
            }
            self.take_word("loop");
            if self.take_word("invariant") || self.take_word("variant") {
                self.clause()?;
            } else if self.take_word("assigns") {
                self.locations()?;
                self.expect(";")?;
            } else {
                return Err(self.wrong("expected `loop invariant`, `loop assigns` or `loop variant`"));
            }
        }
        Ok(Annotation::Loop)
    }

    /// A predicate up to its semicolon, with a name before it or not.
    fn clause(&mut self) -> Parsed<Clause> {
        let start = self.extent();
        let named = matches!((self.peek(), self.ahead(1)), (Token::Word(_), Token::Symbol(":")));
        if named {
            self.at += 2;
        }
        let term = self.term()?;
        let extent = self.since(start);
        self.expect(";")?;
        Ok(Clause { term, extent })
    }

    fn contract(&mut self) -> Parsed<Contract> {
        let mut contract = Contract::default();
        let mut assumes: Option<Term> = None;
        while *self.peek() != Token::End {
            if self.take_word("requires") {
                let clause = self.clause()?;
                contract.requires.push(under(assumes.as_ref(), clause, false));
            } else if self.take_word("ensures") {
                let clause = self.clause()?;
                contract.ensures.push(under(assumes.as_ref(), clause, true));
            } else if self.take_word("assumes") {
                let more = self.clause()?.term;
                let extent = more.extent;
                assumes = Some(match assumes {
                    Some(known) => Term::new(TermKind::Binary("&&", Box::new(known), Box::new(more)), extent),
                    None => more,
                });
            } else if self.take_word("assigns") {
                let locations = self.locations()?;
                self.expect(";")?;
                contract.assigns.get_or_insert_default().extend(locations);
            } else if self.take_word("behavior") {
                self.name()?;
                self.expect(":")?;
                assumes = None;
            } else if self.take_word("terminates") || self.take_word("decreases") {
                self.clause()?;
            } else if self.take_word("complete") || self.take_word("disjoint") {
                while !self.take(";") {
                    if *self.peek() == Token::End {
                        return Err(self.wrong("expected `;`"));
                    }
                    self.at += 1;
                }
            } else {
                let Token::Word(word) = self.peek() else { return Err(self.wrong("expected a clause")) };
                let word = format!("the clause `{word}`");
                return Err(self.unsupported(&word, "use requires, ensures, assigns and behavior"));
            }
        }
        Ok(contract)
    }

    /// What may be assigned.
    fn locations(&mut self) -> Parsed<Vec<Term>> {
        if self.take_word("\\nothing") {
            return Ok(Vec::new());
        }
        let mut locations = vec![self.term()?];
        while self.take(",") {
            locations.push(self.term()?);
        }
        Ok(locations)
    }

    fn definitions(&mut self) -> Parsed<Vec<Definition>> {
        let mut definitions = Vec::new();
        while *self.peek() != Token::End {
            definitions.push(self.definition()?);
        }
        Ok(definitions)
    }

    fn definition(&mut self) -> Parsed<Definition> {
        let start = self.extent();
        let result = if self.take_word("predicate") {
            None
        } else if self.take_word("logic") {
            Some(self.logic_type()?)
        } else {
            return Err(self.wrong("expected `predicate` or `logic`"));
        };
        let name = self.name()?;
        if self.is("{") {
            return Err(self.unsupported("a definition with labels", "give what it needs as parameters"));
        }
        let mut parameters = Vec::new();
        if self.take("(") {
            loop {
                let ty = self.logic_type()?;
                let parameter = self.name()?;
                let ty = match (self.take("["), ty) {
                    (true, LogicType::C(base, stars)) => {
                        self.expect("]")?;
                        LogicType::C(base, stars + 1)
                    }
                    (_, ty) => ty,
                };
                parameters.push((parameter, ty));
                if !self.take(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        if !self.is("=") {
            return Err(self.unsupported("a definition without a body", "write `= …` and what it means"));
        }
        self.expect("=")?;
        let body = self.term()?;
        self.expect(";")?;
        Ok(Definition { name, parameters, result, body, extent: self.since(start) })
    }

    pub(super) fn logic_type(&mut self) -> Parsed<LogicType> {
        let mut words = Vec::new();
        loop {
            match self.peek() {
                Token::Word(word) if is_type_word(word) => words.push(word.clone()),
                // A name of a type, where another name follows.
                Token::Word(word) if words.is_empty() && !word.starts_with('\\') => words.push(word.clone()),
                _ => break,
            }
            self.at += 1;
        }
        let mut stars = 0;
        while self.take("*") {
            stars += 1;
        }
        match (words.join(" ").as_str(), stars) {
            ("", _) => Err(self.wrong("expected a type")),
            ("integer", 0) => Ok(LogicType::Integer),
            ("real", 0) => Ok(LogicType::Real),
            ("boolean", 0) => Ok(LogicType::Boolean),
            (base, stars) => Ok(LogicType::C(base.to_owned(), stars)),
        }
    }
}

pub(super) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "char" | "short" | "int" | "long" | "signed" | "unsigned" | "float" | "double" | "_Bool" | "const" | "struct"
    )
}

/// A behavior's clause holds where its assumptions held before.
fn under(assumes: Option<&Term>, clause: Clause, after: bool) -> Clause {
    let Some(assumed) = assumes else { return clause };
    let (extent, mut condition) = (clause.term.extent, assumed.clone());
    if after {
        condition = Term::new(TermKind::Old(Box::new(condition)), extent);
    }
    let term = Term::new(TermKind::Binary("==>", Box::new(condition), Box::new(clause.term)), extent);
    Clause { term, extent: clause.extent }
}
