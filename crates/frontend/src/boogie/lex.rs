//! Boogie's tokens: text → tokens with their places, and what could not be read as one.
//!
//! Comments (`//`, and `/* */` nested) and blanks are left out. Boogie's mathematical signs are read as the
//! ASCII operators that they stand for. A character that begins no token is reported and skipped.

use super::diagnostic::{Diagnostic, Extent, Kind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// An identifier or a keyword; without the backslash that makes an identifier of a keyword.
    Word {
        text: String,
        escaped: bool,
    },
    /// Decimal digits.
    Integer(String),
    /// Digits and the width of a bit-vector.
    BitVector {
        digits: String,
        width: String,
    },
    /// A decimal number with a fraction or an exponent.
    Decimal(String),
    /// A floating-point literal, which has no meaning here.
    Float,
    Text(String),
    Symbol(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub struct Lexeme {
    pub token: Token,
    pub extent: Extent,
    /// The first on its line.
    pub begins_line: bool,
}

/// Longest first, so that the first that fits is the right one.
const SYMBOLS: &[&str] = &[
    "<==>", "===", "!==", "==>", "<==", ":=", "::", "==", "!=", "<=", ">=", "&&", "||", "**", "++", "<:", "->", "|{",
    "}|", "(", ")", "[", "]", "{", "}", ",", ";", ":", "<", ">", "=", "+", "-", "*", "/", "!", "|", "&", "%",
];

const SIGNS: &[(char, Token)] = &[
    ('∧', Token::Symbol("&&")),
    ('∨', Token::Symbol("||")),
    ('¬', Token::Symbol("!")),
    ('⇒', Token::Symbol("==>")),
    ('⇐', Token::Symbol("<==")),
    ('⇔', Token::Symbol("<==>")),
    ('≤', Token::Symbol("<=")),
    ('≥', Token::Symbol(">=")),
    ('≠', Token::Symbol("!=")),
    ('•', Token::Symbol("::")),
];

pub fn lex(text: &str) -> (Vec<Lexeme>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, at: 0, lexemes: Vec::new(), diagnostics: Vec::new() };
    while lexer.at < text.len() {
        lexer.next();
    }
    lexer.push(text.len(), Token::End);
    (lexer.lexemes, lexer.diagnostics)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    lexemes: Vec<Lexeme>,
    diagnostics: Vec<Diagnostic>,
}

fn begins_word(c: char) -> bool {
    c.is_ascii_alphabetic() || "'~#$^_.?`@".contains(c)
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, start: usize, token: Token) {
        let before = self.lexemes.last().map_or(0, |it| it.extent.end as usize);
        let begins_line = self.text[before..start].contains('\n');
        self.lexemes.push(Lexeme { token, extent: Extent::new(start, self.at), begins_line });
    }

    /// Goes on while the characters fit, and yields what they are.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let length = self.rest().find(|c| !fits(c)).unwrap_or(self.rest().len());
        let taken = self.rest()[..length].to_owned();
        self.at += length;
        taken
    }

    fn next(&mut self) {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return };
        if first.is_whitespace() || first == '\u{feff}' {
            self.at += first.len_utf8();
        } else if self.rest().starts_with("//") {
            self.take_while(|c| c != '\n');
        } else if self.rest().starts_with("/*") {
            self.comment(start);
        } else if first == '"' {
            self.string(start);
        } else if first.is_ascii_digit() {
            self.number(start);
        } else if first == '\\' && self.rest()[1..].starts_with(begins_word) {
            self.at += 1;
            let text = self.take_while(|c| begins_word(c) || c.is_ascii_digit());
            self.push(start, Token::Word { text, escaped: true });
        } else if begins_word(first) {
            let text = self.take_while(|c| begins_word(c) || c.is_ascii_digit());
            self.push(start, Token::Word { text, escaped: false });
        } else {
            self.symbol(start, first);
        }
    }

    fn symbol(&mut self, start: usize, first: char) {
        if let Some(&symbol) = SYMBOLS.iter().find(|it| self.rest().starts_with(**it)) {
            self.at += symbol.len();
            self.push(start, Token::Symbol(symbol));
            return;
        }
        self.at += first.len_utf8();
        let word = match first {
            '∀' => Some("forall"),
            '∃' => Some("exists"),
            'λ' => Some("lambda"),
            _ => None,
        };
        let sign = SIGNS.iter().find(|(sign, _)| *sign == first).map(|(_, token)| token.clone());
        match word.map(|word| Token::Word { text: word.to_owned(), escaped: false }).or(sign) {
            Some(token) => self.push(start, token),
            None => self.report(start, format!("`{}` begins nothing that Boogie knows", first.escape_debug())),
        }
    }

    fn report(&mut self, start: usize, message: String) {
        self.diagnostics.push(Diagnostic::new(Kind::Syntax, Extent::new(start, self.at), message));
    }

    fn comment(&mut self, start: usize) {
        self.at += 2;
        let mut depth = 1;
        while depth > 0 {
            let open = self.rest().find("/*").unwrap_or(usize::MAX);
            let Some(close) = self.rest().find("*/") else {
                self.at = start + 2;
                self.report(start, "the comment that begins here does not end".to_owned());
                self.at = self.text.len();
                return;
            };
            depth = if open < close { depth + 1 } else { depth - 1 };
            self.at += open.min(close) + 2;
        }
    }

    fn string(&mut self, start: usize) {
        self.at += 1;
        let mut value = String::new();
        loop {
            match self.rest().chars().next() {
                Some('"') => break,
                Some('\\') if self.rest()[1..].starts_with('"') => {
                    value.push('"');
                    self.at += 2;
                }
                Some(c) if c != '\n' => {
                    value.push(c);
                    self.at += c.len_utf8();
                }
                _ => {
                    self.report(start, "the string that begins here does not end on its line".to_owned());
                    return;
                }
            }
        }
        self.at += 1;
        self.push(start, Token::Text(value));
    }

    fn number(&mut self, start: usize) {
        if self.rest().starts_with("0x") {
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '.');
            self.push(start, Token::Float);
            return;
        }
        let mut digits = self.take_while(|c| c.is_ascii_digit());
        let digit_at = |rest: &str, at: usize| rest.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        if self.rest().starts_with("bv") && digit_at(self.rest(), 2) {
            self.at += 2;
            let width = self.take_while(|c| c.is_ascii_digit());
            self.push(start, Token::BitVector { digits, width });
            return;
        }
        let mut decimal = false;
        if self.rest().starts_with('.') && digit_at(self.rest(), 1) {
            decimal = true;
            self.at += 1;
            digits.push('.');
            digits += &self.take_while(|c| c.is_ascii_digit());
        }
        let exponent = self.rest().starts_with('e')
            && (digit_at(self.rest(), 1) || (self.rest()[1..].starts_with('-') && digit_at(self.rest(), 2)));
        if exponent {
            decimal = true;
            self.at += 1;
            digits.push('e');
            if self.rest().starts_with('-') {
                self.at += 1;
                digits.push('-');
            }
            digits += &self.take_while(|c| c.is_ascii_digit());
        }
        self.push(start, if decimal { Token::Decimal(digits) } else { Token::Integer(digits) });
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, lex};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (lexemes, diagnostics) = lex(text);
        let shown: Vec<String> = lexemes
            .iter()
            .map(|it| match &it.token {
                Token::Word { text, escaped } => format!("{}{text}", if *escaped { "\\" } else { "" }),
                Token::Integer(digits) | Token::Decimal(digits) => digits.clone(),
                Token::BitVector { digits, width } => format!("{digits}bv{width}"),
                Token::Float => "float".to_owned(),
                Token::Text(text) => format!("{text:?}"),
                Token::Symbol(symbol) => (*symbol).to_owned(),
                Token::End => "end".to_owned(),
            })
            .chain(diagnostics.iter().map(|it| it.message.clone()))
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn words_have_signs_in_them() {
        check("#t~ret0.x ULTIMATE.start $M'^?`@ \\old", "#t~ret0.x ULTIMATE.start $M'^?`@ \\old end");
    }

    #[test]
    fn numbers() {
        check("12 255bv8 1.50 2e-3 3e x[1:0]", "12 255bv8 1.50 2e-3 3 e x [ 1 : 0 ] end");
    }

    #[test]
    fn operators_are_as_long_as_they_can_be() {
        check("a<==>b<==c==>d<=e:=f::g", "a <==> b <== c ==> d <= e := f :: g end");
        check("∀ x • ¬x ⇒ y", "forall x :: ! x ==> y end");
    }

    #[test]
    fn comments_are_nested() {
        check("a /* b /* c */ d */ e // f", "a e end");
        check("a /* b", "a end the comment that begins here does not end");
        check(
            "a \u{1} \"b",
            "a end `\\u{1}` begins nothing that Boogie knows the string that begins here does not end on its line",
        );
    }
}
