//! Token specifications: what an input consists of, and what may stand there instead.
//!
//! TOML → [`Specification`], with the place of what is wrong. The format is described in `tokens/words.toml`, which is the
//! specification where none is named; others are built in for JSON, HTTP, SQL and C. [`Specification::tokens`] cuts an
//! input into tokens: at each place the longest one, of equals the one that stands first in the file; what no token
//! matches is left as it is.

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;
use toml::Spanned;

use super::reduction::characters;
use crate::Error;

/// Those that are built in, with their names.
pub const BUILT_IN: [(&str, &str); 5] = [
    ("words", include_str!("tokens/words.toml")),
    ("json", include_str!("tokens/json.toml")),
    ("http", include_str!("tokens/http.toml")),
    ("sql", include_str!("tokens/sql.toml")),
    ("c", include_str!("tokens/c.toml")),
];

/// What sort of token it is, which says how it is varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    String,
    Integer,
    Float,
    /// One of these may stand for another; without any, those of the same sort that occur in the input may.
    Symbol(Vec<String>),
    /// Stays as it is.
    Fixed,
}

#[derive(Clone, Debug)]
struct Rule {
    kind: Kind,
    pattern: Regex,
}

/// What an input consists of.
#[derive(Clone, Debug)]
pub struct Specification {
    rules: Vec<Rule>,
    pub ignores_case: bool,
}

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The part that may be changed.
    pub range: Range<usize>,
    /// Which rule it is of.
    pub rule: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    ignore_case: bool,
    token: Option<Vec<Spanned<Entry>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: Spanned<String>,
    pattern: Option<Spanned<String>>,
    alternatives: Option<Spanned<Vec<String>>>,
}

impl Specification {
    /// The one of that name.
    pub fn built_in(name: &str) -> Option<Specification> {
        let (name, text) = BUILT_IN.iter().find(|(it, _)| *it == name)?;
        let read = Specification::parse(name, text);
        Some(read.unwrap_or_else(|error| unreachable!("what is built in is tested: {error}")))
    }

    /// Reads a specification; `name` is what errors call it.
    pub fn parse(name: &str, text: &str) -> Result<Specification, Error> {
        let reading = Reading { name, text };
        let file: File = toml::from_str(text)
            .map_err(|error| reading.error(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        let entries = file.token.unwrap_or_default();
        if entries.is_empty() {
            return Err(reading.error(0, "there are no tokens: write at least one [[token]]".to_owned()));
        }
        let rules = entries.iter().map(|entry| reading.rule(entry, file.ignore_case)).collect::<Result<_, _>>()?;
        Ok(Specification { rules, ignores_case: file.ignore_case })
    }

    pub fn kind(&self, token: &Token) -> &Kind {
        &self.rules[token.rule].kind
    }

    /// The tokens of an input that may be varied, from front to end.
    pub fn tokens(&self, input: &[u8]) -> Vec<Token> {
        let varied = |it: &(Range<usize>, Token)| self.rules[it.1.rule].kind != Kind::Fixed;
        self.whole(input).into_iter().filter(varied).map(|(_, token)| token).collect()
    }

    /// All of an input, cut up: its tokens as they stand, with what is around the part that may be varied, and what no
    /// token matches, character by character.
    pub fn pieces(&self, input: &[u8]) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut at = 0;
        let between = |gap: Range<usize>| {
            let of_gap = characters(&input[gap.clone()]).into_iter();
            of_gap.map(move |it| gap.start + it.start..gap.start + it.end)
        };
        for (whole, _) in self.whole(input) {
            pieces.extend(between(at..whole.start));
            at = whole.end;
            pieces.push(whole);
        }
        pieces.extend(between(at..input.len()));
        pieces
    }

    /// All tokens, with the places that they take.
    fn whole(&self, input: &[u8]) -> Vec<(Range<usize>, Token)> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < input.len() {
            let matches = self.rules.iter().enumerate().filter_map(|(rule, it)| {
                let found = it.pattern.captures(&input[at..])?;
                let part = found.get(1).or(found.get(0))?;
                Some((found.get(0)?.end(), rule, at + part.start()..at + part.end()))
            });
            // The first of the longest.
            match matches
                .filter(|(length, ..)| *length > 0)
                .max_by_key(|(length, rule, _)| (*length, usize::MAX - rule))
            {
                None => at += 1,
                Some((length, rule, range)) => {
                    tokens.push((at..at + length, Token { range, rule }));
                    at += length;
                }
            }
        }
        tokens
    }
}

struct Reading<'t> {
    name: &'t str,
    text: &'t str,
}

impl Reading<'_> {
    fn error(&self, at: usize, message: String) -> Error {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = before.iter().filter(|&&it| it == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&it| it != b'\n').count() + 1;
        Error::Malformed {
            place: format!("{}:{line}:{column}", self.name),
            message: message.trim().replace('\n', ", "),
        }
    }

    fn rule(&self, entry: &Spanned<Entry>, ignores_case: bool) -> Result<Rule, Error> {
        let Entry { kind, pattern, alternatives } = entry.get_ref();
        let (words, at) = match alternatives {
            Some(it) => (it.get_ref().clone(), it.span().start),
            None => (Vec::new(), kind.span().start),
        };
        let name = kind.get_ref().as_str();
        let is_symbol = name == "symbol";
        let kind = match name {
            "string" => Kind::String,
            "integer" => Kind::Integer,
            "float" => Kind::Float,
            "symbol" => Kind::Symbol(words.clone()),
            "fixed" => Kind::Fixed,
            name => {
                let message = format!("`{name}` is no kind of token: use string, integer, float, symbol or fixed");
                return Err(self.error(kind.span().start, message));
            }
        };
        if alternatives.is_some() && !is_symbol {
            return Err(self.error(at, format!("a {name} has no alternatives: only a symbol does")));
        }
        if alternatives.is_some() && (words.len() < 2 || words.iter().any(String::is_empty)) {
            return Err(self.error(at, "alternatives are two or more words that are not empty".to_owned()));
        }
        let pattern = match (pattern, words.is_empty()) {
            (Some(pattern), true) => self.pattern(pattern.get_ref(), pattern.span().start, ignores_case)?,
            (None, false) => {
                let mut words: Vec<String> = words.iter().map(|it| regex::escape(it)).collect();
                // Of two that begin alike, the longer.
                words.sort_by_key(|it| std::cmp::Reverse(it.len()));
                self.pattern(&words.join("|"), at, ignores_case)?
            }
            (None, true) => return Err(self.error(at, format!("a {name} needs a pattern"))),
            (Some(pattern), false) => {
                let message = "a symbol has a pattern or alternatives, not both".to_owned();
                return Err(self.error(pattern.span().start, message));
            }
        };
        Ok(Rule { kind, pattern })
    }

    fn pattern(&self, text: &str, at: usize, ignores_case: bool) -> Result<Regex, Error> {
        let built =
            RegexBuilder::new(&format!(r"\A(?:{text})")).case_insensitive(ignores_case).size_limit(1 << 20).build();
        let pattern = built.map_err(|error| {
            let words = error.to_string();
            let reason = words.lines().last().unwrap_or(&words).trim_start_matches("error: ");
            self.error(at, format!("the pattern cannot be used: {reason}"))
        })?;
        match pattern.is_match(b"") {
            true => {
                Err(self.error(at, "the pattern matches nothing at all, so that it would match everywhere".to_owned()))
            }
            false => Ok(pattern),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, input: &str, expected: &[&str]) {
        let specification = Specification::built_in(name).unwrap();
        let show = |token: &Token| {
            let letter = match specification.kind(token) {
                Kind::String => 's',
                Kind::Integer => 'i',
                Kind::Float => 'f',
                Kind::Symbol(_) => 'w',
                Kind::Fixed => '-',
            };
            format!("{letter}:{}", &input[token.range.clone()])
        };
        let found: Vec<String> = specification.tokens(input.as_bytes()).iter().map(show).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_built_in() {
        check("words", "add 12 -3.5 'x y'\n", &["w:add", "i:12", "f:-3.5", "w:x", "w:y"]);
        check("json", r#"{"a": [1, -2.5e3, true, "x\"y"]}"#, &["s:a", "i:1", "f:-2.5e3", "w:true", r#"s:x\"y"#]);
        check(
            "http",
            "GET /a?b=7 HTTP/1.1\r\nHost: x.org\r\nContent-Length: 3\r\n\r\nabc",
            &["w:GET", "s:a", "s:b", "i:7", "w:HTTP/1.1", "w:Host", "s:x", "s:org", "w:Content-Length", "i:3", "s:abc"],
        );
        check(
            "sql",
            "select Max(a) from t where b < 'x''y'",
            &["w:select", "w:Max", "w:a", "w:from", "w:t", "w:where", "w:b", "w:<", "s:x''y"],
        );
        check("c", "int a = 0x1F + b; /* 3 */ \"s\"", &["w:int", "w:a", "i:0x1F", "w:+", "w:b", "s:s"]);
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str) {
        let error = Specification::parse("mine.toml", text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn errors_have_a_place() {
        refuses("", "mine.toml:1:1: there are no tokens");
        refuses("[[token]]\nkind = \"number\"\n", "mine.toml:2:8: `number` is no kind of token");
        refuses("[[token]]\nkind = \"string\"\n", "mine.toml:2:8: a string needs a pattern");
        refuses("[[token]]\nkind = \"string\"\npattern = \"(\"\n", "mine.toml:3:11: the pattern cannot be used");
        refuses("[[token]]\nkind = \"string\"\npattern = \"a*\"\n", "mine.toml:3:11: the pattern matches nothing");
        refuses("[[token]]\nkind = \"symbol\"\nalternatives = [\"a\"]\n", "mine.toml:3:16: alternatives are two");
        refuses("[[token]]\nkind = \"float\"\nalternatives = [\"a\", \"b\"]\n", "mine.toml:3:16: a float has no");
        refuses(
            "[[token]]\nkind = \"symbol\"\npattern = \"x\"\nalternatives = [\"a\", \"b\"]\n",
            "mine.toml:3:11: a symbol has",
        );
        refuses("[[token]]\nkin = \"string\"\n", "mine.toml:2:1: unknown field `kin`");
        refuses("[[token]\n", "mine.toml:1:");
    }
}
