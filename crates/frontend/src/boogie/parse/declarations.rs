//! Declarations.

use super::super::diagnostic::Extent;
use super::super::syntax::{Declaration, Function, Implementation, Name, Procedure, Type};
use super::{Parsed, Parser, Token};

/// Words that begin a declaration: where to go on after a mistake.
const BEGINNINGS: &[&str] = &["type", "const", "function", "axiom", "var", "procedure", "implementation"];
/// Declarations of dialects that have no meaning here.
const FOREIGN: &[&str] = &["datatype", "action", "yield", "async", "atomic", "left", "right", "both", "hideable"];

impl Parser {
    pub(super) fn file(&mut self) {
        while *self.token() != Token::End {
            let start = self.at;
            if self.declaration().is_err() || self.at == start {
                self.depth = 0;
                self.skip_declaration();
            }
        }
    }

    /// Goes to the next word that begins a declaration. Within a body, `var` does not.
    fn skip_declaration(&mut self) {
        let first = self.at;
        while *self.token() != Token::End {
            let begins = BEGINNINGS.iter().any(|it| self.is_word(it));
            let follows_end = matches!(self.lexemes[self.at.saturating_sub(1)].token, Token::Symbol("}" | ";"));
            if begins && self.at > first && (follows_end || self.is_word("procedure")) {
                return;
            }
            self.advance();
        }
    }

    fn declaration(&mut self) -> Parsed<()> {
        let start = self.extent();
        let word = match self.token() {
            Token::Word { text, escaped: false } => text.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "type" => self.type_declaration(),
            "const" => self.constant(),
            "function" => self.function(),
            "axiom" => {
                self.advance();
                self.axiom_rest()
            }
            "var" => {
                self.advance();
                self.attributes()?;
                let bindings = self.bindings("a variable's name", true)?;
                self.expect(";")?;
                self.file.declarations.push(Declaration::Variable(bindings));
                Ok(())
            }
            "procedure" => self.procedure(),
            "implementation" => self.implementation(),
            "pure" if self.next_is_word("procedure") => {
                self.advance();
                self.procedure()
            }
            "hideable" if self.next_is_word("axiom") => {
                self.advance();
                self.declaration()
            }
            _ if FOREIGN.contains(&word.as_str()) => {
                self.skip_declaration();
                let (what, extent) = (format!("the declaration `{word}`"), start);
                self.file.declarations.push(Declaration::Unsupported { what, extent, declares: true });
                Ok(())
            }
            _ => self.expected("a declaration"),
        }
    }

    fn next_is_word(&self, word: &str) -> bool {
        matches!(self.ahead(1), Token::Word { text, .. } if text == word)
    }

    fn axiom_rest(&mut self) -> Parsed<()> {
        self.attributes()?;
        let formula = self.expression()?;
        self.expect(";")?;
        self.file.declarations.push(Declaration::Axiom(formula));
        Ok(())
    }

    fn type_declaration(&mut self) -> Parsed<()> {
        self.advance();
        self.attributes()?;
        self.accept_word("finite");
        loop {
            let name = self.name("a type's name")?;
            let mut parameters = Vec::new();
            while self.is_name() {
                parameters.push(self.name("a type parameter")?);
            }
            let synonym = if self.accept("=") { Some(self.ty()?) } else { None };
            self.file.declarations.push(Declaration::Type { name, parameters, synonym });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";").map(drop)
    }

    fn constant(&mut self) -> Parsed<()> {
        self.advance();
        self.attributes()?;
        let unique = self.accept_word("unique");
        let bindings = self.bindings("a constant's name", false)?;
        self.file.declarations.push(Declaration::Constant { unique, bindings });
        if self.is_word("extends") || self.is_word("complete") {
            let extent = self.extent();
            while !self.is(";") && *self.token() != Token::End {
                self.advance();
            }
            let what = "an order of constants (`extends`)".to_owned();
            self.file.declarations.push(Declaration::Unsupported { what, extent, declares: false });
        }
        self.semicolon_or_uses()
    }

    /// The end of a constant or a function, which may come with its axioms.
    fn semicolon_or_uses(&mut self) -> Parsed<()> {
        if !self.accept_word("uses") {
            return self.expect(";").map(drop);
        }
        self.uses()
    }

    fn uses(&mut self) -> Parsed<()> {
        self.expect("{")?;
        while !self.accept("}") {
            self.accept_word("hideable");
            if !self.accept_word("axiom") {
                return self.expected("`axiom`");
            }
            self.axiom_rest()?;
        }
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.advance();
        let attributes = self.attributes()?;
        let name = self.name("a function's name")?;
        let type_parameters = self.type_parameters()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.is(")") {
            parameters.extend(self.function_parameters()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        let result = self.function_result()?;
        let mut body = None;
        let mut uses = false;
        if self.accept("{") {
            body = Some(self.expression()?);
            self.expect("}")?;
            uses = self.accept_word("uses");
        } else if self.accept_word("uses") {
            uses = true;
        } else {
            self.expect(";")?;
        }
        let function = Function { name, attributes, type_parameters, parameters, result, body };
        self.file.declarations.push(Declaration::Function(function));
        if uses { self.uses() } else { Ok(()) }
    }

    /// `x, y: T`, or types alone. `x, y` without a type behind are two types.
    fn function_parameters(&mut self) -> Parsed<Vec<(Option<Name>, Type)>> {
        self.attributes()?;
        let mut count = 0;
        while matches!(self.ahead(2 * count), Token::Word { .. })
            && matches!(self.ahead(2 * count + 1), Token::Symbol(","))
        {
            count += 1;
        }
        let named = matches!(self.ahead(2 * count), Token::Word { .. })
            && matches!(self.ahead(2 * count + 1), Token::Symbol(":"));
        if !named {
            return Ok(vec![(None, self.ty()?)]);
        }
        let names = self.list(|it| it.name("a parameter's name"))?;
        self.expect(":")?;
        let ty = self.ty()?;
        Ok(names.into_iter().map(|name| (Some(name), ty.clone())).collect())
    }

    fn function_result(&mut self) -> Parsed<Type> {
        if self.accept(":") {
            return self.ty();
        }
        if !self.accept_word("returns") {
            return self.expected("`:` or `returns`");
        }
        self.expect("(")?;
        if self.is_binding() {
            self.at += 2;
        }
        let result = self.ty()?;
        self.expect(")")?;
        Ok(result)
    }

    fn results(&mut self) -> Parsed<Vec<super::super::syntax::Binding>> {
        if self.accept_word("returns") { self.parameters() } else { Ok(Vec::new()) }
    }

    fn procedure(&mut self) -> Parsed<()> {
        self.advance();
        let attributes = self.attributes()?;
        let name = self.name("a procedure's name")?;
        let type_parameters = self.type_parameters()?;
        let parameters = self.parameters()?;
        let results = self.results()?;
        let ends = self.accept(";");
        let mut procedure = Procedure {
            name,
            attributes,
            type_parameters,
            parameters,
            results,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            body: None,
        };
        self.contract(&mut procedure)?;
        if !ends {
            self.expect("{")?;
            procedure.body = Some(self.body()?);
        }
        self.file.declarations.push(Declaration::Procedure(procedure));
        Ok(())
    }

    fn contract(&mut self, procedure: &mut Procedure) -> Parsed<()> {
        loop {
            let free = self.accept_word("free");
            if self.accept_word("requires") {
                procedure.requires.push(self.condition(free)?);
            } else if self.accept_word("ensures") {
                procedure.ensures.push(self.condition(free)?);
            } else if self.accept_word("modifies") {
                self.attributes()?;
                if !self.is(";") {
                    procedure.modifies.extend(self.list(|it| it.name("a variable's name"))?);
                }
                self.expect(";")?;
            } else if free {
                return self.expected("`requires` or `ensures`");
            } else if self.is_word("preserves") || self.is_word("refines") || self.is_word("decreases") {
                return self.foreign_clause();
            } else {
                return Ok(());
            }
        }
    }

    fn foreign_clause(&mut self) -> Parsed<()> {
        let extent: Extent = self.extent();
        let what = format!("the clause {}", self.shown());
        self.fail(super::Diagnostic::new(super::Kind::Unsupported, extent, format!("{what} is not supported")))
    }

    fn implementation(&mut self) -> Parsed<()> {
        self.advance();
        self.attributes()?;
        let name = self.name("a procedure's name")?;
        self.type_parameters()?;
        let parameters = self.parameters()?;
        let results = self.results()?;
        loop {
            self.expect("{")?;
            let body = self.body()?;
            let implementation =
                Implementation { name: name.clone(), parameters: parameters.clone(), results: results.clone(), body };
            self.file.declarations.push(Declaration::Implementation(implementation));
            if !self.is("{") {
                return Ok(());
            }
        }
    }
}
