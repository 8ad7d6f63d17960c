//! Specifications as C, mistakes with their places, and where annotations are found.

use super::checking::{Scope, Type};
use super::syntax::TermKind;
use super::*;

fn scope() -> Scope {
    let mut scope = Scope::default();
    scope.bind("n", "n", "old_n", Type::Integer);
    scope.bind("a", "a", "old_a", Type::Pointer(Box::new(Type::Integer)));
    scope.result = Some(("result".to_owned(), Type::Integer));
    scope
}

/// A predicate in `ensures`, as C or as the message about it with what it is about.
#[track_caller]
fn check(predicate: &str, expected: Result<&str, &str>) {
    let text = format!("/*@ ensures {predicate}; */\nint f(int *a, int n);\n");
    let translated = read(&text).and_then(|found| {
        let (contract, _) = &found.contracts[0];
        scope().predicate(&contract.ensures[0].term)
    });
    let told =
        translated.map_err(|it| format!("{}: {}", it.message, &text[it.extent.start as usize..it.extent.end as usize]));
    assert_eq!(told.as_deref().map_err(String::as_str), expected);
}

#[test]
fn predicates_become_c() {
    check("\\result >= 0", Ok("(((long long)result) >= 0LL)"));
    check("\\old(n) == n", Ok("(((long long)old_n) == ((long long)n))"));
    check("a[0] == \\old(a[n - 1])", Ok("(((long long)a[0LL]) == ((long long)old_a[(((long long)old_n) - 1LL)]))"));
    check(
        "n > 0 ==> n > 1 ==> n > 2",
        Ok("(!(((long long)n) > 0LL) || (!(((long long)n) > 1LL) || (((long long)n) > 2LL)))"),
    );
    check("0 < n < 3", Ok("((0LL < ((long long)n)) && (((long long)n) < 3LL))"));
    check(
        "\\forall integer i; 0 <= i < n ==> a[i] <= \\result",
        Ok("({ int faultline_all0 = 1; for (long long faultline_i1 = 0LL, faultline_last2 = (((long long)n) - 1LL); \
            faultline_all0 && faultline_i1 <= faultline_last2; faultline_i1++) \
            faultline_all0 = !!(!((0LL <= ((long long)faultline_i1)) && (((long long)faultline_i1) < ((long long)n))) || \
            (((long long)a[((long long)faultline_i1)]) <= ((long long)result))); faultline_all0; })"),
    );
}

#[test]
fn what_is_outside_has_a_place() {
    check("\\fresh(a)", Err("`\\fresh` is outside the subset of ACSL: \\fresh"));
    check("m > 0", Err("nothing here is called `m`: m"));
    check("n[0] > 0", Err("this is neither an array nor a pointer: n"));
    check("\\forall integer i; a[i] > 0", Err("`i` has no bounds, so that this cannot be executed: a[i] > 0"));
    check("n > ", Err("expected a term or a predicate: ;"));
    check("n > 0)", Err("expected `;`, found `)`: )"));
    check("\\at(n, L) > 0", Err("the label `L` is outside the subset of ACSL: )"));
    check("sorted(a)", Err("there is no predicate or logic function `sorted`: sorted(a)"));
    check("99999999999999999999 > n", Err("`99999999999999999999` is no number of 64 bits: 99999999999999999999"));
}

#[test]
fn bounds_follow_other_variables() {
    let text = "/*@ ensures \\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]; */";
    let found = read(text).unwrap();
    let TermKind::Quantified { binders, body, .. } = &found.contracts[0].0.ensures[0].term.kind else {
        panic!("no quantifier");
    };
    let ranges = quantifiers::bounds(true, binders, body).unwrap();
    let shown: Vec<String> = ranges
        .iter()
        .map(|it| format!("{:?} {:?}", scope_of_binders().predicate(&it.from), scope_of_binders().predicate(&it.to)))
        .collect();
    assert_eq!(
        shown,
        [
            "Ok(\"0LL\") Ok(\"((((long long)n) - 1LL) - 1LL)\")",
            "Ok(\"(((long long)i) + 1LL)\") Ok(\"(((long long)n) - 1LL)\")"
        ]
    );
}

fn scope_of_binders() -> Scope {
    let mut scope = scope();
    scope.bind("i", "i", "i", Type::Integer);
    scope
}

#[test]
fn annotations_are_found() {
    let text = r#"
        char *s = "/*@ ensures nothing; */"; /* an ordinary comment: //@ assert no; */
        /*@ predicate sorted(int *a, integer n) = \forall integer i; 0 < i < n ==> a[i - 1] <= a[i];
            logic integer twice(integer n) = n + n; */
        /*@ requires n > 0;
          @ behavior small: assumes n < 3; ensures \result == 0;
          @ behavior large: assumes n >= 3; ensures \result == 1; assigns \nothing;
          @ complete behaviors;
          @*/
        int f(int n) {
            /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
            //@ assert n > 0;
        }"#;
    let found = read(text).unwrap();
    assert_eq!(found.definitions.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["sorted", "twice"]);
    assert_eq!(found.assertions.len(), 1);
    let (contract, _) = &found.contracts[0];
    assert_eq!((contract.requires.len(), contract.ensures.len()), (1, 2));
    assert_eq!(contract.assigns, Some(Vec::new()));
    let mut scope = scope();
    let definitions = scope.define(&found.definitions).unwrap();
    assert!(definitions.contains("static int faultline_l_sorted(int *faultline_p_a, long long faultline_p_n);"));
    assert_eq!(
        scope.predicate(&contract.ensures[1].term).unwrap(),
        "(!(((long long)old_n) >= 3LL) || (((long long)result) == 1LL))"
    );
}
