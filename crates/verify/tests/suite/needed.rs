//! What is left out of a search, and that nothing else is.

use std::time::Duration;

use crate::running::compile;
use program::exec::{Checks, ViolationKind};
use verify::bmc::{Options, Report, Verdict};

const ONLY_ERRORS: Checks = Checks::NONE.with(ViolationKind::ErrorCall);

fn search(text: &str, checks: Checks) -> Report {
    let options = Options { checks, max_bound: 4, time: Some(Duration::from_secs(60)), ..Options::default() };
    verify::pruning::check(&compile(text), &options).0
}

#[test]
fn loops_that_no_check_depends_on_are_not_unrolled() {
    let loops = [
        "for (int i = 0; i < n; i++) sum += i;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) table[j] = i;",
        "while (n > 0) { n--; if (n == 5) continue; count(); }",
        "do { sum = step(sum); } while (sum < n);",
        "switch (n) { case 1: for (int i = 0; i < n; i++) sum++; break; default: sum = 2; }",
    ];
    for text in loops {
        let text = format!(
            "int sum, calls, table[100]; void count(void) {{ calls++; }}
            int step(int from) {{ if (from > 3) return from * 2; return from + 1; }}
            int main(void) {{ int n = nondet(), x = nondet(); {text} if (x > 3 && x < 3) error(); return 0; }}"
        );
        assert_eq!(search(&text, ONLY_ERRORS).verdict, Verdict::Proved, "{text}");
    }
}

#[test]
fn loops_that_a_check_depends_on_are_unrolled() {
    let loops = [
        "for (int i = 0; i < n; i++) sum += i; if (sum == 3)",
        "for (int i = 0; i < n; i++) *at = i; if (sum == 2)",
        "for (int i = 0; i < n; i++) count(); if (calls == 3)",
        "for (int i = 0; i < n; i++) table[i] = 7; if (table[2])",
        "for (int i = 0; i < n; i++) sum = step(sum); if (sum == 3)",
        "int i = 0; while (i < n) { i++; if (i == 3) goto out; } return 0; out:",
        "for (int i = 0; i < n; i++) pair = make(i); if (pair.b == 4)",
        "for (int i = 0; i < n; i++) memcpy(table + i, &n, sizeof n); if (table[1] == 3)",
        "for (int i = 0; i < n; i++) call(&sum); if (sum == 3)",
        "for (int i = 0; i < n; i++) if (i == 3) exit(0); if (n > 2 && n < 4)",
    ];
    for text in loops {
        let text = format!(
            "int sum, calls, table[100], *at = &sum; void count(void) {{ calls++; }}
            int step(int from) {{ if (from > 3) return from * 2; return from + 1; }}
            struct pair {{ int a, b; }} pair; struct pair make(int i) {{ struct pair p = {{ i, i + 2 }}; return p; }}
            void add(int *to) {{ ++*to; }} void (*call)(int *) = add;
            int main(void) {{ int n = nondet(); assume(n < 8); {text} error(); return 0; }}"
        );
        assert_eq!(search(&text, ONLY_ERRORS).verdict, Verdict::Violated, "{text}");
    }
}

/// The violation behind it is none, and it is not reported.
#[test]
fn a_loop_that_never_ends_is_seen_in_the_end() {
    let text = "int main(void) { unsigned i = 0; while (i < 10) { i = i & 7; } error(); return 0; }";
    let report = search(text, ONLY_ERRORS);
    assert!(!matches!(report.verdict, Verdict::Violated), "{:?}", report.verdict);
    assert_eq!(report.statistics.left_out, 0);
}

/// What abstract interpretation proves need not be searched, nor what it depends on.
#[test]
fn proved_checks_need_nothing() {
    let text = "int main(void) { int n = nondet(), x = nondet(); int table[10];
        for (int i = 0; i < 10; i++) table[i] = i; return 10 / x; }";
    let report = search(text, Checks::default());
    assert_eq!(report.verdict, Verdict::Violated);
    assert!(report.statistics.left_out > 0);
}
