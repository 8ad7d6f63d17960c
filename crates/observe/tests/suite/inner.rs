//! Values inside of large expressions: which are observed, in a run that asks for them and in no other.

use observe::recording::{InnerValues, Sites, processes, read_inner, sites_of};

use crate::building::Project;

/// Columns and ranges inside of expressions in a line of `main.c`, as text.
fn inner(sites: &Sites, values: &InnerValues, line: u32) -> Vec<String> {
    let mut found = Vec::new();
    for (unit, it) in sites.units.iter().enumerate() {
        for node in it.functions.iter().flat_map(|it| &it.nodes).filter(|it| it.line == line) {
            let Some(inner) = node.inner else { continue };
            let range = values.range(unit as u32, inner);
            let text = range.map(|(min, max)| format!("{}..{}", min.shown(inner.ty), max.shown(inner.ty)));
            found.push(format!("{}: {}", node.column, text.unwrap_or_else(|| "never".into())));
        }
    }
    found
}

fn check(text: &str, flags: &str, status: i32, expected: &[(u32, &[&str])]) {
    let project = Project::program(text, flags);
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("exact", &["x"]);
    assert_eq!(ran.status, status, "{flags}");
    let values = read_inner(&ran.folder, &sites).unwrap();
    for (line, ranges) in expected {
        assert_eq!(inner(&sites, &values, *line), *ranges, "line {line} with {flags}");
    }
}

const MIX: &str = "__attribute__((noinline)) static int mix(int a, int b, int c) {
    return a * b + c - (b >> 1);
}
__attribute__((noinline)) static int plain(int a, int b) {
    return a + b;
}
int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += plain(mix(argc, i, 10 * i), i);
    return sum == argv[0][0];
}
";

#[test]
fn each_operator_of_a_large_expression() {
    for flags in ["-O0", "-O2", "-O1 -fsanitize=undefined", "-O1 -fsanitize=address"] {
        let ranges: &[&str] = &["14: 0..8", "18: 0..48", "27: 0..2", "22: 0..46"];
        check(MIX, flags, 0, &[(2, ranges), (5, &[])]);
    }
}

#[test]
fn the_end_of_a_run_loses_nothing() {
    let text = "#include <stdlib.h>
volatile int seen[9];
static void fill(int *at, int n) {
    for (int i = 0; i < n; i++)
        at[2 * i + n * 3 - 24] = i;
}
int main(int argc, char **argv) {
    fill((int *)seen, 8);
    abort();
}
";
    check(text, "-O1", 128 + 6, &[(5, &["14: 0..14", "22: 24..24", "18: 24..38", "26: 0..14"])]);
}

#[test]
fn values_are_those_of_the_source() {
    // A distance in elements and not in bytes, a comparison that is a value, floating point, and what a variable holds.
    let text = "__attribute__((noinline)) static long apart(const int *p, const int *q, long n) {
    return (p - q) * n + n / 2;
}
__attribute__((noinline)) static int count(int a, int b, int c) {
    return (a < b) + (b < c) + !c;
}
__attribute__((noinline)) static double mean(double a, double b) {
    return (a + b) / 2 - a * b;
}
__attribute__((noinline)) static unsigned chosen(unsigned year, int before) {
    if (before)
        year--;
    return year / 4 - year / 100;
}
int main(int argc, char **argv) {
    int v[9];
    return (apart(v + 7, v + 2, argc) + count(1, 2, 3) + (int)mean(0.5, 1.5) + (int)chosen(0, argc) == 77) + 5;
}
";
    let ranges: &[(u32, &[&str])] = &[
        (2, &["15: 5..5", "20: 10..10", "28: 1..1", "24: 11..11"]),
        (5, &["15: 1..1", "25: 1..1", "20: 2..2", "32: 0..0", "30: 2..2"]),
        (8, &["15: 2..2", "20: 1..1", "24: 0.25..0.25"]),
        (12, &["13: 4294967295..4294967295"]),
        (13, &["17: 1073741823..1073741823", "28: 42949672..42949672", "21: 1030792151..1030792151"]),
    ];
    check(text, "-O1", 5, ranges);
}

#[test]
fn arguments_of_all_sorts_arrive() {
    let text = "#include <stdarg.h>
struct wide { long values[5]; };
__attribute__((noinline)) static long sum(struct wide it, int by) {
    return it.values[0] * by + it.values[4] * 2 - by;
}
__attribute__((noinline)) static int all(int count, ...) {
    va_list list;
    va_start(list, count);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 2 + va_arg(list, int) * (i + 1);
    va_end(list);
    return sum;
}
int main(void) {
    struct wide it = {{3, 0, 0, 0, 4}};
    return sum(it, 2) == 12 && all(3, 1, 2, 3) == 21 ? 0 : 1;
}
";
    check(text, "-O1", 0, &[(4, &["25: 6..6", "45: 8..8", "30: 14..14", "49: 12..12"])]);
}

#[test]
fn other_runs_record_nothing_of_it() {
    let project = Project::program(MIX, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    for mode in ["coverage", "invariants", "trace"] {
        let ran = project.run(mode, &[]);
        assert_eq!(inner(&sites, &read_inner(&ran.folder, &sites).unwrap(), 2)[0], "14: never");
        assert_eq!(processes(&ran.folder).unwrap()[0].units[0].inner, 4);
    }
}
