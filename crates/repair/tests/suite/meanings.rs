//! A specification has two uses and one meaning: what the executor finds on all inputs of a small domain, the model
//! checker finds, too.

use std::fs;

use program::exec::Checks;
use repair::cases::generate;
use repair::search::{self, Answer, Options};
use repair::subject::Subject;
use repair::verification::{Verified, Verifier};
use source::annotations::Annotations;

/// Whether the function meets its contract, by both.
#[track_caller]
fn check(text: &str, meets: bool) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    fs::write(&file, text).unwrap();
    let reading = frontend::Options { files: vec![file], ..frontend::Options::default() };
    let subject = Subject::open(reading, Some("f")).unwrap();
    let verifier = Verifier::new(&subject, 2, Checks::default(), None).unwrap();
    let verified = verifier.verify(&[], std::time::Duration::from_secs(60));
    assert_eq!(matches!(verified, Verified::Proved { .. }), meets, "the model checker: {verified:?}\n{text}");
    assert_eq!(matches!(verified, Verified::Fails(_)), !meets, "the model checker: {verified:?}\n{text}");
    let cases = generate::generate(&subject, &verifier, Checks::default()).unwrap();
    assert!(!cases.is_empty());
    let options = Options {
        tests: None,
        annotations: Annotations::default(),
        checks: Checks::default(),
        size: 2,
        time: std::time::Duration::from_secs(60),
        changes: 1,
        fixes: 1,
        interrupt: None,
    };
    let found = search::search(&subject, &options).unwrap();
    assert_eq!(found.failing.is_none(), meets, "the executor: {:?}\n{text}", found.failing);
    assert_eq!(matches!(found.answer, Answer::Met { .. }), meets);
}

const ARRAY: &str = "requires 0 <= n <= 2 && \\valid(a + (0 .. n - 1));\n\
                     requires \\forall integer k; 0 <= k < n ==> 0 <= a[k] <= 2;\n";

#[test]
fn quantifiers() {
    let body = "int f(int *a, int n) { int i; for (i = 0; i < n; i++) if (a[i] == 2) return 1; return 0; }\n";
    check(
        &format!("/*@ {ARRAY} ensures \\result == 1 <==> (\\exists integer k; 0 <= k < n && a[k] == 2); */\n{body}"),
        true,
    );
    check(
        &format!("/*@ {ARRAY} ensures \\result == 1 <==> (\\exists integer k; 0 <= k < n && a[k] == 1); */\n{body}"),
        false,
    );
    check(
        &format!("/*@ {ARRAY} ensures \\result == 0 ==> \\forall integer k; 0 <= k < n ==> a[k] < 2; */\n{body}"),
        true,
    );
}

#[test]
fn the_state_before() {
    let body = "void f(int *a, int n) { int i; for (i = 0; i < n; i++) a[i] = a[i] + 1; }\n";
    check(&format!("/*@ {ARRAY} ensures \\forall integer k; 0 <= k < n ==> a[k] == \\old(a[k]) + 1; */\n{body}"), true);
    check(&format!("/*@ {ARRAY} ensures \\forall integer k; 0 <= k < n ==> a[k] == \\old(a[k]); */\n{body}"), false);
    check(&format!("/*@ {ARRAY} assigns a[0]; ensures \\true; */\n{body}"), false);
    check(&format!("/*@ {ARRAY} assigns a[0 .. n - 1]; ensures \\true; */\n{body}"), true);
}

#[test]
fn sums_behaviors_and_definitions() {
    let body = "int f(int x) { return x < 0 ? -x : x; }\n";
    let behaviors = "requires -2 <= x <= 2;\nbehavior below: assumes x < 0; ensures \\result == -x;\nbehavior above: assumes x >= 0; ensures \\result == x;";
    check(&format!("/*@ {behaviors} */\n{body}"), true);
    let wrong = behaviors.replace("== -x", "== x");
    check(&format!("/*@ {wrong} */\n{body}"), false);
    let defined = "/*@ logic integer twice(integer y) = y + y; predicate even(integer y) = y % 2 == 0; */\n";
    let twice = "int f(int x) { return x * 2; }\n";
    check(
        &format!("{defined}/*@ requires -2 <= x <= 2; ensures \\result == twice(x) && even(\\result); */\n{twice}"),
        true,
    );
    check(&format!("{defined}/*@ requires -2 <= x <= 2; ensures !even(\\result); */\n{twice}"), false);
}

#[test]
fn structures_and_rows() {
    let account = "struct account { int balance; int limits[2]; };\n";
    let range = "requires \\valid(p) && 0 <= p->balance <= 2 && 0 <= n <= 2;\n";
    let body = "void f(struct account *p, int n) { p->balance += n; p->limits[1] = 0; }\n";
    let check_account = |clauses: &str, meets| check(&format!("{account}/*@ {range} {clauses} */\n{body}"), meets);
    check_account("ensures p->balance == \\old(p->balance) + n && p->limits[1] == 0;", true);
    check_account("ensures p->balance == \\old(p->balance);", false);
    check_account("assigns p->balance, p->limits[1]; ensures \\true;", true);
    check_account("assigns p->balance; ensures \\true;", false);
    let list = "typedef struct { int *items; int count; } list;\n\
                /*@ requires 0 <= l.count <= 2 && \\valid(l.items + (0 .. l.count - 1));\n\
                    requires \\forall integer k; 0 <= k < l.count ==> 0 <= l.items[k] <= 2;\n";
    let body = "int f(list l) { int i, s = 0; for (i = 0; i < l.count; i++) s += l.items[i]; return s; }\n";
    check(
        &format!("{list} ensures \\result == \\sum(0, l.count - 1, \\lambda integer k; l.items[k]); */\n{body}"),
        true,
    );
    check(&format!("{list} ensures \\result == l.count; */\n{body}"), false);
    let rows = "/*@ requires 1 <= n <= 2 && \\valid(m + (0 .. n - 1));\n\
                    requires \\forall integer i; 0 <= i < n ==> \\valid(m[i] + (0 .. n - 1));\n\
                    requires \\forall integer i, j; 0 <= i < n && 0 <= j < n ==> 0 <= m[i][j] <= 2;\n";
    let body = "int f(int **m, int n) { int i, s = 0; for (i = 0; i < n; i++) s += m[i][i]; return s; }\n";
    check(&format!("{rows} ensures \\result == \\sum(0, n - 1, \\lambda integer k; m[k][k]); */\n{body}"), true);
    check(&format!("{rows} ensures \\result == m[0][0]; */\n{body}"), false);
}
