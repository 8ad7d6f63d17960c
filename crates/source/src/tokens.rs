//! The preprocessing tokens of a text, in order, and the macros that it defines.
//!
//! Text → ranges of tokens (C11 6.4: identifiers, numbers, quoted literals, punctuators), each
//! with the knowledge whether it stands in a directive. This exists beside the parser because
//! comparing two texts token by token must not depend on how a parser recovers from macros it
//! does not know, and because the parser sees a `#define`'s body as one opaque token.
//!
//! Tokens cover all text but blanks and comments. A token that is broken by a backslash and a
//! newline comes out as two; texts that differ in that compare as different, which is the safe
//! side. There are no trigraphs or digraphs.

use std::collections::BTreeMap;
use std::ops::Range;

/// Punctuators of more than one character, longer ones first.
const PUNCTUATORS: [&str; 23] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=",
    "-=", "&=", "^=", "|=", "##",
];

/// One token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    start: u32,
    end: u32,
    /// Whether it is part of a line like `#define`.
    pub(crate) in_directive: bool,
}

impl Lexeme {
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A file's tokens and macro definitions.
#[derive(Debug)]
pub(crate) struct Tokens {
    all: Vec<Lexeme>,
    /// For each macro name, the offsets of the name in its definitions, in order.
    definitions: BTreeMap<String, Vec<usize>>,
}

impl Tokens {
    /// Lexes a text; anything is accepted.
    pub(crate) fn lex(text: &str) -> Tokens {
        let mut lexer = Lexer { text: text.as_bytes(), at: 0, in_directive: false, all: vec![] };
        lexer.run();
        let definitions = definitions(text, &lexer.all);
        Tokens { all: lexer.all, definitions }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<Lexeme> {
        self.all.get(index).copied()
    }

    /// The text of a token; empty beyond the last.
    pub(crate) fn spelling<'t>(&self, text: &'t str, index: usize) -> &'t str {
        self.get(index).and_then(|token| text.get(token.range())).unwrap_or_default()
    }

    /// The index of the token that starts at an offset.
    pub(crate) fn starting_at(&self, offset: usize) -> Option<usize> {
        self.all.binary_search_by_key(&offset, |token| token.start as usize).ok()
    }

    /// The indices of the tokens that make up a range exactly.
    pub(crate) fn within(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let first = self.starting_at(range.start)?;
        let last = self.all.binary_search_by_key(&range.end, |token| token.end as usize).ok()?;
        (first <= last).then_some(first..last + 1)
    }

    /// Where the macro is defined, at or before the offset if possible.
    pub(crate) fn definition(&self, name: &str, before: usize) -> Option<usize> {
        let offsets = self.definitions.get(name)?;
        offsets.iter().rev().find(|&&offset| offset <= before).or(offsets.first()).copied()
    }
}

/// Whether a token is an identifier or a keyword.
pub(crate) fn is_name(spelling: &str) -> bool {
    spelling.bytes().next().is_some_and(|first| is_word(first) && !first.is_ascii_digit())
}

/// Whether a name is a keyword of C11, or one of GNU's that stands where they stand.
pub(crate) fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Alignas"
            | "_Alignof"
            | "_Atomic"
            | "_Bool"
            | "_Complex"
            | "_Generic"
            | "_Imaginary"
            | "_Noreturn"
            | "_Static_assert"
            | "_Thread_local"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__extension__"
            | "__attribute__"
            | "__inline"
            | "__inline__"
            | "__restrict"
            | "__const"
            | "__volatile__"
            | "asm"
            | "__asm__"
            | "__asm"
    )
}

/// Collects `# define NAME`.
fn definitions(text: &str, all: &[Lexeme]) -> BTreeMap<String, Vec<usize>> {
    let spelling = |token: &Lexeme| text.get(token.range()).unwrap_or_default();
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for triple in all.windows(3).filter(|triple| triple.iter().all(|token| token.in_directive)) {
        if spelling(&triple[0]) == "#" && spelling(&triple[1]) == "define" {
            let name = &triple[2];
            found.entry(spelling(name).to_owned()).or_default().push(name.range().start);
        }
    }
    found
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    in_directive: bool,
    all: Vec<Lexeme>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        let mut line_is_empty = true;
        while let Some(&byte) = self.text.get(self.at) {
            if self.skip_blank(byte, &mut line_is_empty) {
                continue;
            }
            if byte == b'#' && line_is_empty {
                self.in_directive = true;
            }
            line_is_empty = false;
            let start = self.at;
            self.at += self.token_length(byte);
            self.all.push(Lexeme { start: start as u32, end: self.at as u32, in_directive: self.in_directive });
        }
    }

    /// Passes over one blank, newline, spliced newline or comment, if one is here.
    fn skip_blank(&mut self, byte: u8, line_is_empty: &mut bool) -> bool {
        let rest = &self.text[self.at..];
        let length = match byte {
            b'\n' | b'\r' => {
                // In `\r\n` each byte ends the directive; twice does no harm.
                self.in_directive = false;
                *line_is_empty = true;
                1
            }
            b'\\' if rest.starts_with(b"\\\r\n") => 3,
            b'\\' if rest.starts_with(b"\\\n") => 2,
            b'/' if rest.starts_with(b"/*") => {
                let end = rest[2..].windows(2).position(|pair| pair == b"*/");
                end.map_or(rest.len(), |inside| inside + 4)
            }
            b'/' if rest.starts_with(b"//") => line_comment(rest),
            _ if byte.is_ascii_whitespace() || byte == 0x0b => 1,
            _ => return false,
        };
        self.at += length;
        true
    }

    fn token_length(&self, byte: u8) -> usize {
        let rest = &self.text[self.at..];
        let next_is_digit = rest.get(1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'"' | b'\'' => quoted(rest, byte),
            b'0'..=b'9' => number(rest),
            b'.' if next_is_digit => number(rest),
            _ if is_word(byte) => rest.iter().take_while(|&&byte| is_word(byte)).count(),
            _ => {
                let long = PUNCTUATORS.iter().find(|longer| rest.starts_with(longer.as_bytes()));
                long.map_or(1, |longer| longer.len())
            }
        }
    }
}

/// Bytes of identifiers; all that is not ASCII counts, as clang accepts letters of any script.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

fn line_comment(rest: &[u8]) -> usize {
    let mut at = 2;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' if rest[at..].starts_with(b"\\\r\n") => at += 3,
            b'\\' if rest[at..].starts_with(b"\\\n") => at += 2,
            b'\n' | b'\r' => break,
            _ => at += 1,
        }
    }
    at
}

/// The length of a literal, which ends at its quote or, if that is missing, at the line's end.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' if rest[at..].starts_with(b"\\\r\n") => at += 3,
            b'\\' if at + 1 < rest.len() => at += 2,
            b'\n' | b'\r' => break,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// The length of a preprocessing number: `1e+5`, `0x1.8p-3`, `10UL`.
fn number(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        // By this rule `0xE+1` is one preprocessing number too, and so says the standard.
        let after_exponent = matches!(rest[at - 1], b'e' | b'E' | b'p' | b'P');
        let signed = matches!(byte, b'+' | b'-') && after_exponent;
        if !(is_word(byte) || byte == b'.' || signed) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a text, separated by blanks; those in directives are in brackets.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let tokens = Tokens::lex(text);
        let shown: Vec<_> = tokens
            .all
            .iter()
            .map(|token| {
                let spelling = &text[token.range()];
                if token.in_directive { format!("[{spelling}]") } else { spelling.to_owned() }
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn punctuators_are_as_long_as_possible() {
        check("a+++b", "a ++ + b");
        check("a<<=b>>c->d...", "a <<= b >> c -> d ...");
        check("x=-1", "x = - 1");
        check("a/ *b", "a / * b");
    }

    #[test]
    fn numbers_and_literals_are_single_tokens() {
        check("1e+5-.5f*0x1.8p-3UL", "1e+5 - .5f * 0x1.8p-3UL");
        check(r#""a + \"b\"" 'x' L"w" '\''"#, r#""a + \"b\"" 'x' L "w" '\''"#);
        check("'unclosed\nx", "'unclosed x");
        check("\"end\\", "\"end\\");
    }

    #[test]
    fn blanks_and_comments_vanish() {
        check("a /* + */ + // b\\\n still\nc", "a + c");
        check("a \\\n + b /* open", "a + b");
        check("caf\u{e9} = 1;\r\n", "caf\u{e9} = 1 ;");
    }

    #[test]
    fn directives_are_marked_to_their_end() {
        check("#define N \\\n 10\nx # y", "[#] [define] [N] [10] x # y");
        check("  /* c */ # if A\r\nb", "[#] [if] [A] b");
    }

    #[test]
    fn definitions_are_found_by_name_and_place() {
        let text = "#define N 1\nint x = N;\n# define N(y) 2\n#undef N\n";
        let tokens = Tokens::lex(text);
        assert_eq!(tokens.definition("N", 20), Some(8));
        assert_eq!(tokens.definition("N", text.len()), Some(32));
        assert_eq!(tokens.definition("N", 0), Some(8));
        assert_eq!(tokens.definition("x", 20), None);
    }
}
