//! The text form's tokens.
//!
//! Text → tokens with their byte ranges. Lines matter (a command ends with its line), so a line end
//! is a token; comments (`//` and `;` to the end of the line) are not. A token knows whether a blank
//! stands in front of it: `x:i32` is a load, `c ? x : y` a choice, `x@3` a node's site, ` @3` a
//! command's.

use source::Position;

use super::names::{is_name_char, scan_name};
use super::numbers::decimal_length;
use super::{Problem, ReadError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A bare name; also the operator `%u`, which looks like one.
    Name,
    /// A name in backquotes.
    QuotedName,
    Number,
    /// Text in double quotes.
    Text,
    Symbol,
    LineEnd,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// A blank or a line's start is in front of it.
    pub(super) spaced: bool,
}

/// All symbols, the longer ones first.
const SYMBOLS: &[&str] = &[
    "...", "<=u", "<=.", ">=u", ">=.", ">>u", "==.", "!=.", ":=", "::", "->", "<=", ">=", "<<", ">>", "==", "!=", "&&",
    "<u", "<.", ">u", ">.", "/u", "/.", "%.", "+%", "+.", "-%", "-.", "*%", "*.", "+", "-", "*", "/", "%", "&", "|",
    "^", "~", "!", "<", ">", "?", ":", ",", ".", "(", ")", "[", "]", "{", "}", "@", "#", "$", "=",
];

/// Splits the whole text, the last token being `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ReadError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ReadError::TooLong);
    }
    let mut lexer = Lexer { text, at: 0, tokens: Vec::with_capacity(text.len() / 4) };
    while lexer.step()? {}
    Ok(lexer.tokens)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Takes one token; false after the last.
    fn step(&mut self) -> Result<bool, ReadError> {
        let spaced = self.skip_blanks();
        let rest = &self.text[self.at..];
        let (kind, length) = match rest.chars().next() {
            None => (TokenKind::End, 0),
            Some('\n') => (TokenKind::LineEnd, 1),
            Some('"') => (TokenKind::Text, self.quoted('"')?),
            Some('`') => (TokenKind::QuotedName, self.quoted('`')?),
            Some(c) if c.is_ascii_digit() => (TokenKind::Number, number_length(rest)),
            Some(_) => self.name_or_symbol()?,
        };
        let end = self.at + length;
        self.tokens.push(Token { kind, start: self.at as u32, end: end as u32, spaced });
        self.at = end;
        Ok(kind != TokenKind::End)
    }

    /// Skips blanks and comments; whether the next token stands apart from the one before.
    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
            let comment = rest[blanks..].starts_with("//") || rest[blanks..].starts_with(';');
            self.at += blanks;
            if comment {
                let rest = &self.text[self.at..];
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if blanks == 0 {
                break;
            }
        }
        self.at > start || self.tokens.last().is_none_or(|last| last.kind == TokenKind::LineEnd)
    }

    /// The length of a quoted text with its quotes, which must close on the same line.
    fn quoted(&self, quote: char) -> Result<usize, ReadError> {
        let rest = &self.text[self.at..];
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == quote => return Ok(at + 1),
                _ => {}
            }
        }
        Err(ReadError::at(self.text, self.at, Problem::Unclosed(quote)))
    }

    fn name_or_symbol(&self) -> Result<(TokenKind, usize), ReadError> {
        let rest = &self.text[self.at..];
        // Behind a name or a bracket, a dot accesses a member.
        let accesses = rest.starts_with('.') && {
            let before = self.text[..self.at].chars().next_back();
            before.is_some_and(|c| is_name_char(c) || matches!(c, ')' | ']' | '`'))
        };
        let name = if accesses { 0 } else { scan_name(rest) };
        if name > 0 {
            return Ok((TokenKind::Name, name));
        }
        let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol) && !cuts_name(symbol, rest));
        match (symbol, rest.chars().next()) {
            (Some(symbol), _) => Ok((TokenKind::Symbol, symbol.len())),
            (None, Some(c)) => Err(ReadError::at(self.text, self.at, Problem::Character(c))),
            (None, None) => Ok((TokenKind::End, 0)),
        }
    }
}

/// Whether the symbol's last character belongs to a name: in `*%t` the `%` does.
fn cuts_name(symbol: &str, rest: &str) -> bool {
    let suffixed = symbol.len() > 1 && symbol.ends_with(['u', '%', '.']) && symbol != "...";
    suffixed && scan_name(&rest[symbol.len() - 1..]) > 1
}

fn number_length(text: &str) -> usize {
    let start = if text.starts_with("0x") { 2 } else { decimal_length(text) };
    let rest = &text[start..];
    start + rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())
}

/// The line and column of a byte offset.
pub(super) fn position(text: &str, offset: usize) -> Position {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    Position { line: line as u32, column: column as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens = tokens(text).unwrap();
        let texts: Vec<_> = tokens.iter().map(|token| &text[token.start as usize..token.end as usize]).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn names_numbers_and_symbols() {
        check("s := s +% a.2[i]:i32 // 6:9", &["s", ":=", "s", "+%", "a.2", "[", "i", "]", ":", "i32", ""]);
        check("*%t.x", &["*", "%t.x", ""]);
        check("a *% b %u c % d", &["a", "*%", "b", "%u", "c", "%", "d", ""]);
        check("a <u b <up", &["a", "<u", "b", "<", "up", ""]);
        check("-. x - .str.3 -.y", &["-.", "x", "-", ".str.3", "-", ".y", ""]);
        check(
            "s.f.g(s[1].f `x.y`.z",
            &["s", ".", "f", ".", "g", "(", "s", "[", "1", "]", ".", "f", "`x.y`", ".", "z", ""],
        );
        check("1.5e-3f32 0x1fi 7i64 1:2", &["1.5e-3f32", "0x1fi", "7i64", "1", ":", "2", ""]);
        check("\"a\\\"b\" ;; 6 | x\n}", &["\"a\\\"b\"", "\n", "}", ""]);
        check("(ptr, ...)", &["(", "ptr", ",", "...", ")", ""]);
    }

    #[test]
    fn what_is_no_token_is_an_error_with_its_place() {
        let error = tokens("a\n  \"x").unwrap_err().to_string();
        assert_eq!(error, "2:3: no closing `\"` on this line");
        assert!(tokens("\0").is_err());
    }
}
