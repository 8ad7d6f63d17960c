//! What the rules say: for each check its name, what it finds, what to do, and its number in the CWE list.

use serde_json::json;
use serde_sarif::sarif::{MultiformatMessageString, PropertyBag, ReportingConfiguration, ReportingDescriptor};

/// The rule of a place that may be to blame.
pub const SUSPECT: &str = "suspect";

struct Rule {
    id: &'static str,
    finds: &'static str,
    advice: &'static str,
    cwe: Option<u32>,
    /// It can be a way in for an attacker.
    is_security: bool,
}

const fn rule(
    id: &'static str,
    cwe: Option<u32>,
    is_security: bool,
    finds: &'static str,
    advice: &'static str,
) -> Rule {
    Rule { id, finds, advice, cwe, is_security }
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    rule("assert", Some(617), false, "An assertion of the program does not hold",
        "Either the values that it speaks of are computed wrongly before it, or it asks too much. The trace shows how they came about."),
    rule("error-call", None, false, "The program calls the function that says that something failed",
        "The conditions on the way to the call hold on this input. The trace shows the values that made them true."),
    rule("out-of-bounds-below", Some(786), true, "An access before the start of an object",
        "Check the index or the pointer against the start of the object before the access."),
    rule("out-of-bounds-above", Some(788), true, "An access past the end of an object",
        "Check the index or the length against the size of the object; off by one, `<=` in place of `<` is the usual reason."),
    rule("null-dereference", Some(476), false, "An access through a null pointer",
        "Check the pointer before it is used, or see to it that it never is null here."),
    rule("use-after-free", Some(416), true, "An access to memory that was freed",
        "Take what is needed before the memory is freed, or free it later."),
    rule("use-after-scope", Some(825), true, "An access to a variable after the end of its life",
        "Do not keep or return the address of a local variable: allocate it, make it static, or let the caller give the memory."),
    rule("wild-pointer", Some(822), true, "An access through a number that is no object's address",
        "The pointer was computed or read wrongly, or never set. The trace shows where its value comes from."),
    rule("write-to-constant", None, false, "A write to an object that must not change",
        "String literals and `const` objects must not be written to: copy them first."),
    rule("array-index", Some(129), true, "An index outside the bounds of its array",
        "Check the index against the number of elements before the access."),
    rule("double-free", Some(415), true, "Memory is freed a second time",
        "Let one owner free it, and set the pointer to null after that."),
    rule("invalid-free", Some(763), true, "Something is freed that was not allocated",
        "Only the pointer that `malloc` and its relatives returned can be freed, not one into the object or to a variable."),
    rule("uninitialized", Some(457), false, "A value is read that was never assigned",
        "Give the variable a value where it is declared, or on every path to this place."),
    rule("string-function", Some(170), true, "A library function gets a string without an end, or memory that does not suit it",
        "See to it that strings end in a null character within their array, and that buffers do not overlap."),
    rule("division-by-zero", Some(369), false, "A division by zero",
        "Check the divisor before the division."),
    rule("overflow", Some(190), false, "A signed number does not fit its type",
        "Use a wider type, or check the operands before the operation: signed overflow is undefined in C."),
    rule("shift", Some(1335), false, "A shift by a negative number, or by the width of the type or more",
        "Check the distance before the shift: C leaves the result undefined."),
    rule("float-conversion", Some(681), false, "A floating-point number does not fit the integer type that it is converted to",
        "Check the range before the conversion: C leaves the result undefined."),
    rule("conversion-overflow", Some(197), false, "A number does not fit the narrower type that it is converted to",
        "Use a wider type, or check the value before the conversion."),
    rule("bit-count-of-zero", None, false, "The bits before the first one of 0 are counted",
        "`__builtin_clz` and `__builtin_ctz` are undefined for 0: check for it first."),
    rule("unreachable", None, false, "Control reaches a place that was never to be reached",
        "A case is missing before it. The trace shows the values that led here."),
    rule("bad-call", Some(628), false, "A call that its function cannot take",
        "The type, the number of the arguments or the pointer does not fit the function that is called."),
    rule("leak", Some(401), false, "Memory is never freed",
        "Free it before the last pointer to it is lost."),
    rule("stack-overflow", Some(674), false, "The calls need more stack than there is",
        "The recursion does not end or goes too deep: look at its condition."),
    rule(SUSPECT, None, false, "A place that may be to blame for a failure",
        "Another value or another statement here could have kept the program from failing. The most suspicious has rank 1; a fix, where there is one, says how it was checked."),
];

const OTHER: Rule =
    rule("", None, false, "What the program checks does not hold", "The trace shows how it came about.");

pub fn descriptor(id: &str) -> ReportingDescriptor {
    let rule = RULES.iter().find(|rule| rule.id == id).unwrap_or(&OTHER);
    let cwe = rule.cwe.map(|number| format!("CWE-{number}"));
    let known = cwe.as_ref().map_or_else(String::new, |cwe| format!(" ({cwe})"));
    let help = MultiformatMessageString {
        markdown: Some(format!("**{}**{known}\n\n{}", rule.finds, rule.advice)),
        ..multiformat(&format!("{}{known}. {}", rule.finds, rule.advice))
    };
    let mut tags = vec![if id == SUSPECT { "fault-localization" } else { "correctness" }.to_owned()];
    if rule.is_security {
        tags.push("security".to_owned());
    }
    tags.extend(rule.cwe.map(|number| format!("external/cwe/cwe-{number:03}")));
    let level = if id == SUSPECT { "warning" } else { "error" };
    let mut properties = PropertyBag { tags: Some(tags), additional_properties: Default::default() };
    let mut set = |name: &str, value: &str| properties.additional_properties.insert(name.to_owned(), json!(value));
    // Failures have been replayed; a suspect is a conjecture.
    set("precision", if id == SUSPECT { "medium" } else { "very-high" });
    set("problem.severity", level);
    if rule.is_security {
        set("security-severity", "7.5");
    }
    ReportingDescriptor {
        // A name that only repeats the id is noise.
        name: Some(pascal_case(id)).filter(|name| !name.eq_ignore_ascii_case(id)),
        short_description: Some(multiformat(rule.finds)),
        full_description: Some(multiformat(&format!("{}. {}", rule.finds, rule.advice))),
        help: Some(help),
        default_configuration: Some(ReportingConfiguration { level: Some(json!(level)), ..Default::default() }),
        properties: Some(properties),
        ..ReportingDescriptor::builder().id(id).build()
    }
}

pub fn multiformat(words: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(words).build()
}

/// `use-after-free` → `UseAfterFree`.
fn pascal_case(id: &str) -> String {
    let part = |part: &str| {
        let mut characters = part.chars();
        characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
    };
    id.split(['-', ' ']).map(part).collect()
}

#[cfg(test)]
mod tests {
    use program::exec::ViolationKind;

    use super::*;

    #[test]
    fn every_check_has_a_rule() {
        for kind in ViolationKind::ALL {
            assert!(RULES.iter().any(|rule| rule.id == kind.name()), "{}", kind.name());
        }
        assert_eq!(RULES.len(), ViolationKind::ALL.len() + 1);
        assert_eq!(descriptor("use-after-free").name.as_deref(), Some("UseAfterFree"));
        assert!(descriptor("postcondition").short_description.is_some());
    }
}
