//! Names and quoted text: which names stand bare, and how all others are escaped.
//!
//! A bare name is a C identifier, possibly with numbers behind dots (`i.2`), so that a dot in front
//! of a letter is a member access: `s.next`. A name that begins with `%` or `.` may have dots
//! anywhere (`%call.result`, `.str.3`). Where no member can follow (blocks, functions, builtins),
//! names have dots everywhere: `while.body`. All other names stand in backquotes.

use std::fmt::{self, Write};

/// Names that mean a constant.
pub(super) const RESERVED: &[&str] = &["true", "false", "null"];

/// A character that a name can go on with.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || (!c.is_ascii() && c.is_alphanumeric())
}

fn is_name_start(c: char) -> bool {
    is_name_char(c) && !c.is_ascii_digit() && c != '$'
}

/// The length of the bare name at the start of the text, 0 if there is none.
pub(super) fn scan_name(text: &str) -> usize {
    let free_dots = text.starts_with(['%', '.']);
    let mut length = usize::from(free_dots);
    let starts = if free_dots { |c| is_name_char(c) || c == '.' } else { is_name_start };
    if !text[length..].starts_with(starts) {
        return 0;
    }
    // "%.": a dot alone is no name.
    if free_dots && !text[length..].trim_start_matches('.').starts_with(is_name_char) {
        return 0;
    }
    loop {
        let rest = &text[length..];
        length += rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        let rest = &text[length..];
        let dots = rest.len() - rest.trim_start_matches('.').len();
        let goes_on = match rest[dots..].chars().next() {
            Some(next) if free_dots => is_name_char(next),
            Some(next) => dots == 1 && next.is_ascii_digit(),
            None => false,
        };
        if dots == 0 || !goes_on {
            return length;
        }
        length += dots;
    }
}

fn is_bare(name: &str) -> bool {
    !name.is_empty() && scan_name(name) == name.len() && !RESERVED.contains(&name)
}

/// Whether a member access cannot follow the bare name, because its dot would belong to the name.
fn swallows_dots(name: &str) -> bool {
    name.starts_with(['%', '.'])
}

/// Writes the name of a variable, an object or a member.
pub(super) fn write_name(out: &mut String, name: &str) {
    if is_bare(name) {
        out.push_str(name);
    } else {
        write_quoted(out, name);
    }
}

/// Writes the name of an object behind which `.member` may follow.
pub(super) fn write_base_name(out: &mut String, name: &str) {
    if swallows_dots(name) {
        write_quoted(out, name);
    } else {
        write_name(out, name);
    }
}

/// Writes the name of a block or a function, where dots stand for themselves.
pub(super) fn write_dotted_name(out: &mut String, name: &str) {
    // No constant can stand here either: `cond.true` is a name.
    let bare = |part: &str| !part.is_empty() && scan_name(part) == part.len();
    if bare(name) || name.split('.').all(|part| !swallows_dots(part) && bare(part)) {
        out.push_str(name);
    } else {
        write_quoted(out, name);
    }
}

fn write_quoted(out: &mut String, name: &str) {
    out.push('`');
    for c in name.chars() {
        write_escaped(out, c, '`');
    }
    out.push('`');
}

/// Writes a message or a path.
pub(super) fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        write_escaped(out, c, '"');
    }
    out.push('"');
}

/// Writes the bytes of a global.
pub(super) fn write_bytes(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for &byte in bytes {
        match byte {
            b'\0' => out.push_str("\\0"),
            b'\x20'..=b'\x7e' | b'\n' | b'\r' | b'\t' => write_escaped(out, char::from(byte), '"'),
            _ => write_or_ignore(write!(out, "\\x{byte:02x}")),
        }
    }
    out.push('"');
}

fn write_escaped(out: &mut String, c: char, quote: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        _ if c == quote => {
            out.push('\\');
            out.push(c);
        }
        // Control characters would disturb terminals; separators would look like line ends.
        _ if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
            write_or_ignore(write!(out, "\\u{{{:x}}}", u32::from(c)));
        }
        _ => out.push(c),
    }
}

/// Writing to a `String` cannot fail.
fn write_or_ignore(result: fmt::Result) {
    debug_assert!(result.is_ok());
}

/// What is wrong with a quoted text, and at which byte of it.
#[derive(Debug)]
pub(super) struct BadEscape {
    pub(super) offset: usize,
}

/// The bytes that the inside of a quoted text stands for.
pub(super) fn unescape(inside: &str) -> Result<Vec<u8>, BadEscape> {
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let bad = || BadEscape { offset: inside.len() - rest.len() + at };
        let escape = &rest[at + 1..];
        let first = escape.chars().next().ok_or_else(bad)?;
        let mut length = first.len_utf8();
        match first {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            '0' => bytes.push(0),
            '\\' | '"' | '`' => bytes.push(first as u8),
            'x' => {
                let digits = escape.get(1..3).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()));
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                bytes.push(byte.ok_or_else(bad)?);
                length = 3;
            }
            'u' => {
                let digits =
                    escape[1..].strip_prefix('{').and_then(|after| after.split_once('}')).map(|(inner, _)| inner);
                let c = digits.and_then(parse_code_point).ok_or_else(bad)?;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                length = digits.map_or(length, |digits| digits.len() + 3);
            }
            _ => return Err(bad()),
        }
        rest = &escape[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

fn parse_code_point(digits: &str) -> Option<char> {
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|d| d.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, plain: &str, base: &str, dotted: &str) {
        let written = |write: fn(&mut String, &str)| {
            let mut out = String::new();
            write(&mut out, name);
            out
        };
        let all = [written(write_name), written(write_base_name), written(write_dotted_name)];
        assert_eq!(all, [plain, base, dotted]);
    }

    #[test]
    fn names_are_quoted_where_they_would_read_otherwise() {
        check("i", "i", "i", "i");
        check("i.2", "i.2", "i.2", "i.2");
        check("while.body", "`while.body`", "`while.body`", "while.body");
        check("%t.x", "%t.x", "`%t.x`", "%t.x");
        check("%", "`%`", "`%`", "`%`");
        check(".str.3", ".str.3", "`.str.3`", ".str.3");
        check("null", "`null`", "`null`", "null");
        check("cond.true", "`cond.true`", "`cond.true`", "cond.true");
        check("", "``", "``", "``");
        check("größe", "größe", "größe", "größe");
        check("a`\n", "`a\\`\\n`", "`a\\`\\n`", "`a\\`\\n`");
        check("a..b", "`a..b`", "`a..b`", "`a..b`");
        check("a.%b", "`a.%b`", "`a.%b`", "`a.%b`");
        check("x.", "`x.`", "`x.`", "`x.`");
    }

    #[test]
    fn escapes_come_back() {
        let text = "a\"\\\n\u{7}ü\u{2028}`";
        let mut out = String::new();
        write_text(&mut out, text);
        assert_eq!(unescape(&out[1..out.len() - 1]).unwrap(), text.as_bytes());
        let bytes: Vec<u8> = (0..=255).collect();
        out.clear();
        write_bytes(&mut out, &bytes);
        assert_eq!(unescape(&out[1..out.len() - 1]).unwrap(), bytes);
    }

    #[test]
    fn bad_escapes_are_errors() {
        for text in ["\\", "\\q", "\\x1", "\\xg1", "\\x+1", "\\u{}", "\\u{d800}", "\\u{12", "\\u1", "\\ü", "\\xü1"] {
            assert!(unescape(text).is_err(), "{text}");
        }
    }
}
