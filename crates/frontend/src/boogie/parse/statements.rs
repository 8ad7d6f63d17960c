//! Statements and bodies.

use super::super::diagnostic::{Diagnostic, Kind};
use super::super::syntax::{Argument, Body, Condition, Guard, If, Name, Statement, StatementKind, Target};
use super::{Parsed, Parser, Reported, Token};

/// Statements of dialects that have no meaning here; they end at a semicolon or with a block.
const FOREIGN: &[&str] =
    &["yield", "par", "async", "fork", "join", "atomic", "hide", "reveal", "pop", "push", "unpack", "exec"];

impl Parser {
    /// After the opening brace, up to and with the closing one.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        let mut body = Body::default();
        while self.is_word("var") {
            self.advance();
            let read = self.attributes().and_then(|_| self.bindings("a variable's name", true));
            match read.and_then(|bindings| self.expect(";").map(|_| bindings)) {
                Ok(bindings) => body.locals.extend(bindings),
                Err(Reported) => self.skip_statement(),
            }
        }
        body.statements = self.statements();
        body.end = self.expect("}")?;
        Ok(body)
    }

    /// Up to a closing brace, which is left. A statement that cannot be read is told and skipped.
    fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.is("}") && *self.token() != Token::End {
            let start = self.at;
            match self.nested(Parser::statement) {
                Ok(statement) => statements.push(statement),
                Err(Reported) => {
                    self.skip_statement();
                    if self.at == start {
                        self.advance();
                    }
                }
            }
        }
        statements
    }

    /// Goes behind the next semicolon, or to the brace that closes the block.
    fn skip_statement(&mut self) {
        let mut depth = 0;
        loop {
            match self.token() {
                Token::End => return,
                Token::Symbol("}") if depth == 0 => return,
                Token::Symbol(";") if depth == 0 => {
                    self.advance();
                    return;
                }
                Token::Symbol("{") => depth += 1,
                Token::Symbol("}") => {
                    depth -= 1;
                    if depth == 0 {
                        self.advance();
                        return;
                    }
                }
                _ => {}
            }
            self.advance();
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.extent();
        let word = match self.token() {
            Token::Word { text, escaped: false } => text.clone(),
            _ => String::new(),
        };
        let kind = match word.as_str() {
            "assert" | "assume" => {
                self.advance();
                self.attributes()?;
                let condition = self.expression()?;
                self.expect(";")?;
                if word == "assert" { StatementKind::Assert(condition) } else { StatementKind::Assume(condition) }
            }
            "havoc" => self.names_after_keyword("a variable's name").map(StatementKind::Havoc)?,
            "goto" => self.names_after_keyword("a label").map(StatementKind::Goto)?,
            "return" => {
                self.advance();
                self.expect(";")?;
                StatementKind::Return
            }
            "break" => {
                self.advance();
                let label = if self.is_name() { Some(self.name("a label")?) } else { None };
                self.expect(";")?;
                StatementKind::Break(label)
            }
            "call" => self.call()?,
            "if" => StatementKind::If(self.if_statement()?),
            "while" => self.while_statement()?,
            "var" => {
                let extent = self.extent();
                return self.fail(
                    Diagnostic::new(Kind::Syntax, extent, "a variable is declared behind statements")
                        .with_help("declare it at the beginning of the procedure's body"),
                );
            }
            _ if FOREIGN.contains(&word.as_str()) && !matches!(self.ahead(1), Token::Symbol(":" | ":=" | "[")) => {
                self.skip_statement();
                StatementKind::Unsupported(format!("the statement `{word}`"))
            }
            _ => self.assignment_or_label()?,
        };
        let end = self.last_extent();
        Ok(Statement { extent: start.to(end), kind })
    }

    fn names_after_keyword(&mut self, what: &str) -> Parsed<Vec<Name>> {
        self.advance();
        self.attributes()?;
        let names = self.list(|it| it.name(what))?;
        self.expect(";")?;
        Ok(names)
    }

    fn assignment_or_label(&mut self) -> Parsed<StatementKind> {
        let name = self.name("a statement")?;
        if self.accept(":") {
            return Ok(StatementKind::Label(name.text));
        }
        let mut targets = vec![self.target(name)?];
        while self.accept(",") {
            let name = self.name("a variable's name")?;
            targets.push(self.target(name)?);
        }
        if self.is("->") {
            self.skip_statement();
            return Ok(StatementKind::Unsupported("an assignment to a datatype's field".to_owned()));
        }
        if !self.accept(":=") {
            return self.expected("`:=`, `:` or `[`");
        }
        if self.is_word("call") {
            let extent = self.extent();
            return self.fail(
                Diagnostic::new(Kind::Syntax, extent, "`call` stands in front of the results")
                    .with_help("write `call x := P(…);`"),
            );
        }
        let values = self.list(Parser::expression)?;
        self.expect(";")?;
        Ok(StatementKind::Assign { targets, values })
    }

    fn target(&mut self, name: Name) -> Parsed<Target> {
        let mut indices = Vec::new();
        let start = name.extent;
        while self.accept("[") {
            indices.push(if self.is("]") { Vec::new() } else { self.list(Parser::expression)? });
            self.expect("]")?;
        }
        Ok(Target { name, indices, extent: start.to(self.last_extent()) })
    }

    fn call(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.attributes()?;
        if self.is_word("forall") {
            self.skip_statement();
            return Ok(StatementKind::Unsupported("`call forall`".to_owned()));
        }
        let mut names = self.list(|it| it.name("a procedure's or a variable's name"))?;
        let results = if self.accept(":=") {
            let results = std::mem::take(&mut names);
            names.push(self.name("a procedure's name")?);
            results
        } else {
            Vec::new()
        };
        if names.len() > 1 {
            return self.expected("`:=`");
        }
        self.expect("(")?;
        let arguments = if self.is(")") { Vec::new() } else { self.list(Parser::argument)? };
        self.expect(")")?;
        self.expect(";")?;
        Ok(StatementKind::Call { procedure: names.remove(0), arguments, results })
    }

    fn argument(&mut self) -> Parsed<Argument> {
        if self.is("*") && matches!(self.ahead(1), Token::Symbol("," | ")")) {
            return Ok(Argument::Any(self.advance()));
        }
        self.expression().map(Argument::Expression)
    }

    fn guard(&mut self) -> Parsed<Guard> {
        self.expect("(")?;
        let guard = match self.is("*") && matches!(self.ahead(1), Token::Symbol(")")) {
            true => Guard::Any(self.advance()),
            false => Guard::Condition(self.expression()?),
        };
        self.expect(")")?;
        Ok(guard)
    }

    fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        let statements = self.statements();
        self.expect("}")?;
        Ok(statements)
    }

    fn if_statement(&mut self) -> Parsed<If> {
        let mut branches = Vec::new();
        loop {
            self.advance();
            let condition = self.guard()?;
            branches.push((condition, self.block()?));
            if !self.accept_word("else") {
                return Ok(If { branches, otherwise: Vec::new() });
            }
            if !self.is_word("if") {
                return Ok(If { branches, otherwise: self.block()? });
            }
        }
    }

    fn while_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let condition = self.guard()?;
        let mut invariants = Vec::new();
        while self.is_word("invariant") || self.is_word("free") {
            let free = self.accept_word("free");
            if !self.accept_word("invariant") {
                return self.expected("`invariant`");
            }
            invariants.push(self.condition(free)?);
        }
        let body = self.block()?;
        Ok(StatementKind::While { condition, invariants, body })
    }

    /// After the keyword of a clause.
    pub(super) fn condition(&mut self, free: bool) -> Parsed<Condition> {
        self.attributes()?;
        let expression = self.expression()?;
        self.expect(";")?;
        Ok(Condition { free, expression, extent: self.extent_of(expression) })
    }
}
