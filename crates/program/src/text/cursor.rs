//! A reader's place in the token list, and the small words of the grammar.

use crate::{Site, Type};

use super::lex::{Token, TokenKind, tokens};
use super::names::unescape;
use super::numbers::whole_number;
use super::operators::type_named;
use super::{Problem, ReadError};

type Result<T> = std::result::Result<T, ReadError>;

pub(super) struct Cursor<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    next: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self> {
        Ok(Cursor { text, tokens: tokens(text)?, next: 0 })
    }

    /// The number of the next token, to come back to with [`Cursor::go_to`].
    pub(super) fn mark(&self) -> usize {
        self.next
    }

    pub(super) fn go_to(&mut self, mark: usize) {
        self.next = mark;
    }

    pub(super) fn peek(&self) -> Token {
        self.peek_after(0)
    }

    /// The token `distance` behind the next one; `End` beyond the last.
    pub(super) fn peek_after(&self, distance: usize) -> Token {
        let at = self.next.saturating_add(distance).min(self.tokens.len() - 1);
        self.tokens[at]
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn text_of(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    pub(super) fn at_kind(&self, kind: TokenKind) -> bool {
        self.peek().kind == kind
    }

    /// Whether the next token is this symbol.
    pub(super) fn at(&self, symbol: &str) -> bool {
        self.is_symbol(self.peek(), symbol)
    }

    /// Whether the next token is this symbol and no blank is in front of it.
    pub(super) fn at_glued(&self, symbol: &str) -> bool {
        self.at(symbol) && !self.peek().spaced
    }

    pub(super) fn is_symbol(&self, token: Token, symbol: &str) -> bool {
        token.kind == TokenKind::Symbol && self.text_of(token) == symbol
    }

    /// Whether the next token is this word.
    pub(super) fn at_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Name && self.text_of(token) == word
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Whether the line is at its end.
    pub(super) fn at_line_end(&self) -> bool {
        matches!(self.peek().kind, TokenKind::LineEnd | TokenKind::End)
    }

    pub(super) fn expect_line_end(&mut self) -> Result<()> {
        match self.peek().kind {
            TokenKind::LineEnd => {
                self.bump();
                Ok(())
            }
            TokenKind::End => Ok(()),
            _ => Err(self.expected("the end of the line")),
        }
    }

    pub(super) fn skip_empty_lines(&mut self) {
        while self.at_kind(TokenKind::LineEnd) {
            self.bump();
        }
    }

    pub(super) fn skip_line(&mut self) {
        while !self.at_line_end() {
            self.bump();
        }
    }

    /// That the next token is not what it should be.
    pub(super) fn expected(&self, expected: &str) -> ReadError {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::LineEnd => "the end of the line".to_owned(),
            TokenKind::End => "the end of the text".to_owned(),
            _ => {
                let text = self.text_of(token);
                let shown: String = text.chars().take(40).collect();
                format!("`{shown}{}`", if shown.len() < text.len() { "…" } else { "" })
            }
        };
        self.error(token, Problem::Expected { expected: expected.to_owned(), found })
    }

    pub(super) fn error(&self, token: Token, problem: Problem) -> ReadError {
        self.error_at(token.start, problem)
    }

    pub(super) fn error_at(&self, offset: u32, problem: Problem) -> ReadError {
        ReadError::at(self.text, offset as usize, problem)
    }

    /// The name of a variable, an object or a member.
    pub(super) fn name(&mut self, what: &str) -> Result<String> {
        let token = self.peek();
        let name = match token.kind {
            TokenKind::Name => self.text_of(token).to_owned(),
            TokenKind::QuotedName => self.unquoted_text(token)?,
            _ => return Err(self.expected(what)),
        };
        self.bump();
        Ok(name)
    }

    /// The name of a block, a function or a builtin: a bare one goes on over dots.
    pub(super) fn dotted_name(&mut self, what: &str) -> Result<String> {
        let first = self.peek();
        if first.kind != TokenKind::Name {
            return self.name(what);
        }
        let tokens = self.dotted_length();
        let last = self.peek_after(tokens - 1);
        self.next += tokens;
        Ok(self.text[first.start as usize..last.end as usize].to_owned())
    }

    /// How many tokens make up the dotted name that begins with the next token.
    pub(super) fn dotted_length(&self) -> usize {
        let mut count = 1;
        loop {
            let (dot, part) = (self.peek_after(count), self.peek_after(count + 1));
            let joined = self.is_symbol(dot, ".") && !dot.spaced && part.kind == TokenKind::Name && !part.spaced;
            if !joined {
                return count;
            }
            count += 2;
        }
    }

    fn unquoted(&self, token: Token) -> Result<Vec<u8>> {
        let text = self.text_of(token);
        unescape(&text[1..text.len() - 1])
            .map_err(|bad| self.error_at(token.start + 1 + bad.offset as u32, Problem::Escape))
    }

    fn unquoted_text(&self, token: Token) -> Result<String> {
        let bytes = self.unquoted(token)?;
        String::from_utf8(bytes).map_err(|_| self.error(token, Problem::Encoding))
    }

    /// Text in double quotes.
    pub(super) fn quoted_text(&mut self, what: &str) -> Result<String> {
        if !self.at_kind(TokenKind::Text) {
            return Err(self.expected(what));
        }
        let token = self.bump();
        self.unquoted_text(token)
    }

    /// Bytes in double quotes.
    pub(super) fn quoted_bytes(&mut self) -> Result<Vec<u8>> {
        if !self.at_kind(TokenKind::Text) {
            return Err(self.expected("bytes in double quotes"));
        }
        let token = self.bump();
        self.unquoted(token)
    }

    /// A whole number of at most `max`.
    pub(super) fn number(&mut self, what: &str, max: u128) -> Result<u128> {
        if !self.at_kind(TokenKind::Number) {
            return Err(self.expected(what));
        }
        let token = self.bump();
        let text = self.text_of(token);
        let digits = text.trim_start_matches("0x").bytes().all(|digit| digit.is_ascii_hexdigit());
        match whole_number(text) {
            Some(value) if value <= max => Ok(value),
            None if !digits => Err(self.error(token, Problem::Number)),
            _ => Err(self.error(token, Problem::NumberRange { max })),
        }
    }

    pub(super) fn number_u64(&mut self, what: &str) -> Result<u64> {
        self.number(what, u64::MAX.into()).map(|value| value as u64)
    }

    pub(super) fn number_u32(&mut self, what: &str) -> Result<u32> {
        self.number(what, u32::MAX.into()).map(|value| value as u32)
    }

    pub(super) fn number_u8(&mut self, what: &str) -> Result<u8> {
        self.number(what, u8::MAX.into()).map(|value| value as u8)
    }

    /// A whole number with a sign: whether it is negative, and its magnitude.
    pub(super) fn signed_number(&mut self, what: &str, max: u128) -> Result<(bool, u128)> {
        let negative = self.accept("-");
        Ok((negative, self.number(what, max)?))
    }

    pub(super) fn machine_type(&mut self) -> Result<Type> {
        if !self.at_kind(TokenKind::Name) {
            return Err(self.expected("a type"));
        }
        let token = self.bump();
        let name = self.text_of(token);
        type_named(name).ok_or_else(|| self.error(token, Problem::Type(name.to_owned())))
    }

    /// A node's site, `@12` right behind its token.
    pub(super) fn node_site(&mut self) -> Result<Site> {
        if !self.at_glued("@") {
            return Ok(Site::NONE);
        }
        self.bump();
        self.number_u32("the number of a site").map(Site)
    }
}
