//! Variations of strings and characters: what a test expects to be printed, another conversion, a blank or a line's end.

use super::Hints;

/// Conversions that are mixed up.
const CONVERSIONS: [(&str, &[&str]); 12] = [
    ("%d", &["%lld", "%ld", "%1d", "%02d", "%u", "%d ", " %d", "%d\\n", "%c"]),
    ("%lld", &["%d", "%llu"]),
    ("%ld", &["%d", "%lld"]),
    ("%I64d", &["%lld"]),
    ("%i", &["%d", "%lld"]),
    ("%f", &["%lf", "%.6f", "%.10f", "%.0f", "%.1f", "%.2f"]),
    ("%lf", &["%f", "%.6lf", "%.10lf", "%.0lf"]),
    ("%c", &[" %c", "%c ", "%s", "%d"]),
    ("%s", &["%s ", " %s", "%s\\n", "%c"]),
    ("%u", &["%d", "%llu"]),
    ("%.1f", &["%.2f", "%.0f"]),
    ("%.2f", &["%.1f", "%.6f"]),
];

/// Other texts for a literal as it is written, with costs. `known` are the function's own literals.
pub fn alternatives(literal: &str, known: &[String], hints: &Hints) -> Vec<(String, u32)> {
    match (literal.strip_prefix('"').and_then(|it| it.strip_suffix('"')), literal.strip_prefix('\'')) {
        (Some(content), _) => strings(content, known, hints),
        (None, Some(rest)) => characters(rest.strip_suffix('\'').unwrap_or(rest), known),
        (None, None) => Vec::new(),
    }
}

fn strings(content: &str, known: &[String], hints: &Hints) -> Vec<(String, u32)> {
    let mut found: Vec<(String, u32)> = Vec::new();
    let mut push = |new: String, cost: u32| {
        if new != content {
            found.push((format!("\"{new}\""), cost));
        }
    };
    let (body, end) = match content.strip_suffix("\\n") {
        Some(body) => (body, "\\n"),
        None => (content, ""),
    };
    if !content.contains('%') {
        for word in &hints.expected {
            push(format!("{word}{end}"), 90);
        }
        let mut capital = body.to_lowercase();
        if let Some(first) = capital.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        if !content.contains('\\') || !end.is_empty() && !body.contains('\\') {
            for changed in [body.to_uppercase(), body.to_lowercase(), capital] {
                push(format!("{changed}{end}"), 82);
            }
        }
    }
    match end.is_empty() {
        true => push(format!("{content}\\n"), 86),
        false => push(body.to_owned(), 90),
    }
    push(format!("{content} "), 86);
    push(format!(" {content}"), 89);
    push(body.trim_end().to_owned() + end, 88);
    for (old, others) in CONVERSIONS {
        for (at, _) in content.match_indices(old).take(4) {
            for (order, other) in others.iter().enumerate() {
                let new = format!("{}{other}{}", &content[..at], &content[at + old.len()..]);
                push(new, 88 + order as u32);
            }
        }
    }
    if content.contains('%') {
        push(conversions_alone(body) + end, 91);
        push(conversions_alone(body), 92);
    }
    for other in known.iter().filter_map(|it| it.strip_prefix('"')?.strip_suffix('"')) {
        push(other.to_owned(), 95);
    }
    found
}

/// The format without what is printed around its conversions.
fn conversions_alone(format: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for character in format.chars() {
        if character == '%' {
            inside = true;
        }
        if inside || character == ' ' {
            kept.push(character);
        }
        inside &= !character.is_ascii_alphabetic() || matches!(character, 'l' | 'h' | 'I');
    }
    kept.trim().to_owned()
}

fn characters(content: &str, known: &[String]) -> Vec<(String, u32)> {
    let mut found: Vec<(String, u32)> = Vec::new();
    for other in known.iter().filter(|it| it.starts_with('\'')) {
        found.push((other.clone(), 94));
    }
    if let [one] = content.as_bytes()
        && one.is_ascii_alphanumeric()
    {
        for near in [one - 1, one + 1] {
            if near.is_ascii_alphanumeric() {
                found.push((format!("'{}'", near as char), 92));
            }
        }
        let other = if one.is_ascii_lowercase() { one.to_ascii_uppercase() } else { one.to_ascii_lowercase() };
        found.push((format!("'{}'", other as char), 92));
    }
    for usual in ["' '", "'\\n'", "'\\0'", "'0'", "'1'", "'a'", "'z'", "'9'"] {
        found.push((usual.to_owned(), 96));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(literal: &str, wanted: &[&str]) {
        let hints = Hints { expected: vec!["NO WAY".to_owned()], ..Hints::default() };
        let found = alternatives(literal, &["'x'".to_owned(), "\"ok\"".to_owned()], &hints);
        for wanted in wanted {
            assert!(found.iter().any(|it| it.0 == *wanted), "{wanted} is not among {found:?}");
        }
        assert!(found.iter().all(|it| it.0 != literal));
    }

    #[test]
    fn what_is_printed() {
        check("\"No\\n\"", &["\"NO\\n\"", "\"NO WAY\\n\"", "\"No\"", "\"ok\""]);
        check("\"sum: %d\\n\"", &["\"%d\\n\"", "\"sum: %lld\\n\""]);
        check("\"%c\"", &["\" %c\""]);
        check("'b'", &["'a'", "'c'", "'B'", "'x'", "' '"]);
    }
}
