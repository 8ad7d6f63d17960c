//! Boogie's grammar: tokens → [`File`], by recursive descent, and what does not fit it.
//!
//! After a mistake the parser goes on at the next statement or declaration, so that one run tells several.
//! Both Boogie's own dialect and Ultimate's are read: blanks within `{ :name }`, `&&` beside `||`.
//! Nesting is limited, so that no text makes the parser run out of stack.

mod declarations;
mod expressions;
mod statements;
mod types;

use super::diagnostic::{Diagnostic, Extent, Kind};
use super::lex::{self, Lexeme, Token};
use super::syntax::{Attribute, Expression, ExpressionId, ExpressionKind, File, Name};

/// Deeper nesting of expressions, types and statements is refused.
const DEEPEST: u32 = 200;
/// More mistakes than this are of no use to anybody.
const MOST_DIAGNOSTICS: usize = 50;

/// Words that cannot be names.
const KEYWORDS: &[&str] = &[
    "type",
    "const",
    "function",
    "axiom",
    "var",
    "procedure",
    "implementation",
    "where",
    "requires",
    "modifies",
    "ensures",
    "free",
    "returns",
    "unique",
    "extends",
    "complete",
    "assert",
    "assume",
    "havoc",
    "call",
    "goto",
    "return",
    "if",
    "then",
    "else",
    "while",
    "invariant",
    "break",
    "old",
    "forall",
    "exists",
    "lambda",
    "true",
    "false",
    "div",
    "mod",
    "finite",
];

/// The parser has said what is wrong; whoever gets this looks for a place to go on.
pub(super) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

/// Reads a file. Without diagnostics, what is returned is the whole file.
pub fn parse(text: &str) -> (File, Vec<Diagnostic>) {
    let (lexemes, diagnostics) = lex::lex(text);
    let mut parser = Parser { lexemes, at: 0, file: File::default(), diagnostics, depth: 0 };
    parser.file();
    parser.diagnostics.sort();
    parser.diagnostics.truncate(MOST_DIAGNOSTICS);
    (parser.file, parser.diagnostics)
}

struct Parser {
    /// Ends with [`Token::End`].
    lexemes: Vec<Lexeme>,
    at: usize,
    file: File,
    diagnostics: Vec<Diagnostic>,
    depth: u32,
}

impl Parser {
    fn token(&self) -> &Token {
        &self.lexemes[self.at].token
    }

    /// The token after this many others.
    fn ahead(&self, count: usize) -> &Token {
        &self.lexemes[(self.at + count).min(self.lexemes.len() - 1)].token
    }

    fn extent(&self) -> Extent {
        self.lexemes[self.at].extent
    }

    /// The token before this one.
    fn last_extent(&self) -> Extent {
        self.lexemes[self.at.saturating_sub(1)].extent
    }

    fn advance(&mut self) -> Extent {
        let extent = self.extent();
        if *self.token() != Token::End {
            self.at += 1;
        }
        extent
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Symbol(it) if *it == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word { text, escaped: false } if text == word)
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.at += 1;
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.at += 1;
        }
        found
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Reported)
    }

    fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = self.shown();
        let missing_end = matches!(what, "`;`" | "`)`" | "`]`" | "`}`");
        let mut diagnostic =
            Diagnostic::new(Kind::Syntax, self.extent(), format!("expected {what}, but found {found}"));
        if missing_end && self.at > 0 {
            diagnostic.help = Some(format!("write {what} before it, or take it away"));
        }
        self.fail(diagnostic)
    }

    fn shown(&self) -> String {
        match self.token() {
            Token::Word { text, .. } => format!("`{text}`"),
            Token::Integer(digits) | Token::Decimal(digits) => format!("`{digits}`"),
            Token::BitVector { digits, width } => format!("`{digits}bv{width}`"),
            Token::Float => "a floating-point number".to_owned(),
            Token::Text(_) => "a string".to_owned(),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }

    fn expect(&mut self, symbol: &str) -> Parsed<Extent> {
        if self.is(symbol) {
            return Ok(self.advance());
        }
        if symbol == ";" && self.at > 0 && self.lexemes[self.at].begins_line {
            // Most likely it was forgotten, and what follows is all right.
            let before = self.last_extent();
            let diagnostic = Diagnostic::new(Kind::Syntax, before, "expected `;` after this");
            self.diagnostics.push(diagnostic.with_help("write `;` at the end of the line"));
            return Ok(before);
        }
        self.expected(&format!("`{symbol}`"))
    }

    fn is_name(&self) -> bool {
        matches!(self.token(), Token::Word { text, escaped } if *escaped || !KEYWORDS.contains(&text.as_str()))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.token() {
            Token::Word { text, .. } if self.is_name() => {
                let text = text.clone();
                Ok(Name { text, extent: self.advance() })
            }
            Token::Word { text, .. } => {
                let message = format!("expected {what}, but `{text}` is a keyword");
                let help = format!("write `\\{text}` to use it as a name");
                let extent = self.extent();
                self.fail(Diagnostic::new(Kind::Syntax, extent, message).with_help(help))
            }
            _ => self.expected(what),
        }
    }

    /// One or more, separated by commas.
    fn list<T>(&mut self, one: impl Fn(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![one(self)?];
        while self.accept(",") {
            items.push(one(self)?);
        }
        Ok(items)
    }

    /// Goes one level down; a text that is nested too deeply is refused.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let extent = self.extent();
            let diagnostic =
                Diagnostic::new(Kind::Unsupported, extent, format!("this is nested more than {DEEPEST} levels deep"))
                    .with_help("name parts of it with functions or variables");
            return self.fail(diagnostic);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn add(&mut self, extent: Extent, kind: ExpressionKind) -> ExpressionId {
        self.file.expressions.push(Expression { extent, kind });
        ExpressionId(self.file.expressions.len() as u32 - 1)
    }

    fn extent_of(&self, expression: ExpressionId) -> Extent {
        self.file.expression(expression).extent
    }

    /// `{:name …}`, any number of them.
    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.is("{") && matches!(self.ahead(1), Token::Symbol(":")) {
            self.at += 2;
            let name = match self.token() {
                Token::Word { text, .. } => text.clone(),
                _ => return self.expected("an attribute's name"),
            };
            self.advance();
            let (mut texts, mut numbers) = (Vec::new(), Vec::new());
            while !self.is("}") {
                if let Token::Text(text) = self.token() {
                    texts.push(text.clone());
                    self.advance();
                } else {
                    if let Token::Integer(digits) = self.token() {
                        numbers.push(digits.clone());
                    }
                    self.expression()?;
                }
                if !self.accept(",") {
                    break;
                }
            }
            self.expect("}")?;
            attributes.push(Attribute { name, texts, numbers });
        }
        Ok(attributes)
    }

    /// `<a, b>`
    fn type_parameters(&mut self) -> Parsed<Vec<Name>> {
        if !self.accept("<") {
            return Ok(Vec::new());
        }
        let names = self.list(|it| it.name("a type parameter"))?;
        self.expect(">")?;
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// The diagnostics of a text as `start: message`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let (_, diagnostics) = parse(text);
        let shown: Vec<String> = diagnostics.iter().map(|it| format!("{}: {}", it.extent.start, it.message)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_whole_program_is_read() {
        check(
            "type T; const unique c: T; function f(x: int) returns (int) { x + 1 } axiom (forall x: int :: {f(x)} f(x) > x);
             var g: [int]int where g[0] == 0;
             procedure P(a: int) returns (r: int) requires a > 0; modifies g; ensures r == old(g)[a];
             { var i: int; i, g[a] := 0, 1; while (*) invariant i >= 0; { if (i > 3) { break; } else if (*) { goto L; }
               call r := P(i); L: havoc i; } assert r[2:0] == 1bv2; return; }",
            &[],
        );
    }

    #[test]
    fn mistakes_are_told_together() {
        check(
            "procedure P() { var x: int; x := ; y = 2; assert (x; } procedure Q( { } var z int;",
            &[
                "33: expected an expression, but found `;`",
                "37: expected `:=`, `:` or `[`, but found `=`",
                "51: expected `)`, but found `;`",
                "68: expected a parameter's name, but found `{`",
                "78: expected `:`, but found `int`",
            ],
        );
    }

    #[test]
    fn deep_nesting_is_refused() {
        let text = format!("axiom {}true{};", "(".repeat(5000), ")".repeat(5000));
        assert!(parse(&text).1[0].message.contains("levels deep"));
        let text = format!("axiom true{};", " && true".repeat(50_000));
        assert!(parse(&text).1.is_empty());
    }
}
