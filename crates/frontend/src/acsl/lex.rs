//! ACSL's tokens: the inside of an annotation comment → tokens with their places in the file.
//!
//! Blanks, nested `//` comments and the `@` that may begin a line of an annotation are left out. Words with a
//! backslash (`\forall`) keep it.

use crate::boogie::{Diagnostic, Extent, Kind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    /// With its suffix.
    Integer(String),
    Real(String),
    /// With its quotes.
    Character(String),
    Symbol(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub struct Lexeme {
    pub token: Token,
    pub extent: Extent,
}

/// Longest first, so that the first that fits is the right one.
const SYMBOLS: &[&str] = &[
    "<==>", "==>", "...", "..", "==", "!=", "<=", ">=", "&&", "||", "^^", "->", "<<", ">>", "(", ")", "[", "]", "{",
    "}", ",", ";", ":", "<", ">", "=", "+", "-", "*", "/", "%", "!", "&", "|", "^", "~", "?", ".",
];

/// Signs that ACSL also has as characters.
const SIGNS: &[(char, &str)] = &[
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('≡', "=="),
    ('⇒', "==>"),
    ('⇔', "<==>"),
    ('∧', "&&"),
    ('∨', "||"),
    ('¬', "!"),
];

/// Reads the tokens of `text[start..end]`; extents count from the beginning of `text`.
pub fn lex(text: &str, start: usize, end: usize) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexer = Lexer { text: &text[..end], at: start, lexemes: Vec::new() };
    while lexer.at < end {
        lexer.next()?;
    }
    lexer.push(end, Token::End);
    Ok(lexer.lexemes)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    lexemes: Vec<Lexeme>,
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, start: usize, token: Token) {
        self.lexemes.push(Lexeme { token, extent: Extent::new(start, self.at) });
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) {
        let length = self.rest().find(|c| !fits(c)).unwrap_or(self.rest().len());
        self.at += length;
    }

    fn next(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(()) };
        if first.is_whitespace() || first == '@' {
            self.at += first.len_utf8();
        } else if self.rest().starts_with("//") {
            self.take_while(|c| c != '\n');
        } else if first.is_ascii_digit() {
            self.number(start);
        } else if first == '\'' {
            self.character(start)?;
        } else if first == '\\' || first.is_ascii_alphabetic() || first == '_' {
            self.at += 1;
            self.take_while(is_word);
            self.push(start, Token::Word(self.text[start..self.at].to_owned()));
        } else {
            self.symbol(start, first)?;
        }
        Ok(())
    }

    fn number(&mut self, start: usize) {
        self.take_while(|c| c.is_ascii_alphanumeric());
        // `0..n` is a range, `0.5` a number.
        let rest = self.rest();
        let is_real = rest.starts_with('.') && !rest.starts_with("..");
        if is_real {
            self.at += 1;
            self.take_while(|c| c.is_ascii_alphanumeric());
        }
        let text = self.text[start..self.at].to_owned();
        self.push(start, if is_real { Token::Real(text) } else { Token::Integer(text) });
    }

    fn character(&mut self, start: usize) -> Result<(), Diagnostic> {
        let escaped = self.rest()[1..].starts_with('\\');
        let from = if escaped { 3 } else { 2 };
        let end = self.rest().char_indices().find(|(index, c)| *index >= from && *c == '\'');
        let Some((length, _)) = end.filter(|(length, _)| *length <= 6) else {
            let extent = Extent::new(start, start + 1);
            return Err(Diagnostic::new(Kind::Syntax, extent, "this character constant does not end"));
        };
        self.at += length + 1;
        self.push(start, Token::Character(self.text[start..self.at].to_owned()));
        Ok(())
    }

    fn symbol(&mut self, start: usize, first: char) -> Result<(), Diagnostic> {
        if let Some(&symbol) = SYMBOLS.iter().find(|it| self.rest().starts_with(**it)) {
            self.at += symbol.len();
            self.push(start, Token::Symbol(symbol));
            return Ok(());
        }
        self.at += first.len_utf8();
        let word = match first {
            '∀' => Some("\\forall"),
            '∃' => Some("\\exists"),
            'ℤ' => Some("integer"),
            _ => None,
        };
        let sign = SIGNS.iter().find(|(sign, _)| *sign == first).map(|(_, spelled)| Token::Symbol(spelled));
        match word.map(|word| Token::Word(word.to_owned())).or(sign) {
            Some(token) => {
                self.push(start, token);
                Ok(())
            }
            None => {
                let message = format!("`{}` begins nothing that ACSL knows", first.escape_debug());
                Err(Diagnostic::new(Kind::Syntax, Extent::new(start, self.at), message))
            }
        }
    }
}
