//! What is observed quickly, and follows from as little as can be, is what is observed exactly, in every run that ends by itself.

use observe::recording::{Invariants, Sites, read_invariants, sites_of};

use crate::building::Project;
use crate::generator::generate;

/// What a run has left, place by place.
fn told(sites: &Sites, run: &Invariants) -> Vec<String> {
    let ranges = sites.sites.iter().zip(&run.ranges).map(|(site, range)| {
        let range = range.map(|it| format!("{} to {}, {}", it.min.shown(site.ty), it.max.shown(site.ty), it.count));
        format!("{:?} {}:{}:{} {range:?}", site.kind, site.function, site.line, site.column)
    });
    let blocks = sites
        .blocks
        .iter()
        .zip(&run.coverage.blocks)
        .map(|(block, count)| format!("block of {} at {:?}: {count}", block.function, block.lines));
    let branches =
        sites.branches.iter().zip(run.coverage.ways.iter()).map(|(branch, ways)| {
            format!("branch of {} at {}:{}: {ways:?}", branch.function, branch.line, branch.column)
        });
    ranges.chain(blocks).chain(branches).collect()
}

#[track_caller]
fn check(text: &str, flags: &str, arguments: &[&str]) {
    let project = Project::program(text, flags);
    let sites = sites_of(&project.path("main")).unwrap();
    let run = |mode: &str| told(&sites, &read_invariants(&project.run(mode, arguments).folder, &sites).unwrap());
    let (quick, exact) = (run("invariants"), run("exact"));
    assert!(exact.iter().any(|it| it.contains("Some")));
    for (quick, exact) in quick.iter().zip(&exact) {
        assert_eq!(quick, exact, "{flags}\n{text}");
    }
}

/// They end with an assertion that fails.
#[test]
fn of_random_programs() {
    for seed in 0..60 {
        check(&generate(seed), ["-O0 -w", "-O1 -w", "-O2 -w"][seed as usize % 3], &[]);
    }
}

#[test]
fn of_programs_that_work() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/observe/bench");
    for name in ["kernels.c", "chasing.c", "parsing.c", "machine.c", "floating.c"] {
        check(&std::fs::read_to_string(folder.join(name)).unwrap(), "-O1 -w -lm", &["1"]);
    }
}

/// Which number a comparison gives depends on how it is compiled.
#[test]
fn of_comparisons() {
    let text = "#include <string.h>
static const char mark[3] = {(char)0xef, (char)0xbb, (char)0xbf};
int main(int count, char **words) {
  return count > 1 && (memcmp(words[1], mark, 3) == 0 || strcmp(words[1], \"no\") == 0 || strncmp(words[1], \"yes\", 2) > 0);
}";
    check(text, "-O1 -w", &["#two"]);
    check(text, "-O2 -w", &["no"]);
}

/// Arguments that come from calls, some with what was just observed, others with constants, nulls, or what they were themselves.
#[test]
fn of_arguments() {
    let text = "#include <stddef.h>
int values[] = {5, -3, 8, 12, 0}, sum, *where; long wide; unsigned char small = 200;
static int twice(int it) { if (it > 100) return 100; return it * 2; }
static void add(int *to, int by) { if (!to) { sum--; return; } if (by < 0) sum -= by; else *to += by; }
static int down(int n, int step) { return n <= 0 ? sum : down(n - step, step) + 1; }
static long widen(long it, unsigned short other) { sum += it != 0; return it + other; }
static int *second(int *it) { if (values[1] > 1000) return NULL; return it + 1; }
static double half(double it, float by) { if (it < 0) return by; return it / 2; }
int main(void) {
    for (int i = 0; i < 4; i++) {
        add(&sum, values[i]);
        add(where, values[i] + 1);
        add(where = second(values + i), 7);
        sum += twice(values[i]) + twice(values[i] + 40) + twice(3);
        wide = widen(values[i], small) + widen(small, i);
        wide += (long)half(values[i] * 0.5, 3) + (long)half(wide, small);
        values[i]++;
        small -= 150;
    }
    return down(9, 2) & 1;
}
";
    for flags in ["-O0 -w", "-O1 -w", "-O2 -w"] {
        check(text, flags, &[]);
    }
}

/// Results of which only a part is used, or none, in some of the bodies.
#[test]
fn of_results_that_nobody_needs() {
    let text = "#include <stdarg.h>
struct pair { long first; void *second; }; long data[4], sum;
static struct pair make(long it) { struct pair made = {it + 1, data + it}; if (it > 2) made.second = 0; data[it & 3] = it; return made; }
static int all(int count, ...) { va_list list; va_start(list, count); while (count--) sum += va_arg(list, int); va_end(list); return sum; }
static long *where(long it) { return make(it).second; }
static int note(int it) { data[0] = it; return it * 3; }
int main(void) {
    for (int i = 0; i < 4; i++) { if (where(i)) sum += *where(i); note(i); all(2, i, 3); }
    return 0;
}
";
    for flags in ["-O0 -w", "-O1 -w", "-O2 -w", "-O3 -w"] {
        check(text, flags, &[]);
    }
}

/// Ways that leave in the middle: out of loops, functions and the program.
#[test]
fn of_ways_out() {
    let text = "#include <setjmp.h>
#include <stdlib.h>
int data[] = {3, 9, 4, 4, 7, 1}, seen, most; unsigned turns; jmp_buf back; struct list { struct list *next; int it; } *first;
static void leave(int it) { if (it == 7) longjmp(back, it); if (it == 1) exit(seen & 3); }
static int find(int it) {
    int at = 0;
    do {
        if (data[at] == it)
            return at;
        if (data[at] > most && data[at] != 7)
            most = data[at];
    } while (++at < 6);
    return -1;
}
static int state(int it) {
    switch (it) {
    case 3: case 9: seen += it;
    case 4: if (it != 4) break; seen++; return 1;
    case 1: goto out;
    default: leave(it); seen--;
    }
    return 2;
out:
    return it && seen > 2 || most > 4 ? 3 : 4;
}
int main(int argc, char **argv) {
    for (int i = 0; i < 6; i++) {
        struct list *it = malloc(sizeof *it);
        it->next = first; it->it = data[i]; first = it;
    }
    for (struct list *it = first; it; it = it->next)
        if (it->it == 4 && it->next) { turns++; continue; } else if (it->it == 9) break;
    while (turns--) seen += 2;
    int from = setjmp(back);
    for (int i = from ? 5 : 0; i < 6; i++) {
        find(data[i]); find(i);
        seen += state(data[i]);
        if (i == 5) leave(data[i]);
    }
    for (;;) leave(seen);
}
";
    for flags in ["-O0 -w", "-O1 -w", "-O2 -w"] {
        check(text, flags, &[]);
    }
}

/// Bytes with a sign and without, to the ends of their ranges, and parts of conditions that meet.
#[test]
fn of_bytes_in_conditions() {
    let text = "#include <stdio.h>
#define LIKELY(it) __builtin_expect(!!(it), 1)
typedef unsigned char byte; signed char low = -128, high, steps[300]; byte text[] = \"a \\tbc\\n, \\xff\\x80 z\", last; int blanks; _Bool odd;
static int is_blank(char it) { return it == ' ' || it == '\\t' || (it == '\\n' && blanks > 1); }
static signed char below(signed char it, byte by) { return it - by; }
static void skip(const byte *at, unsigned *from) { while (at[*from] && (is_blank(at[*from]) || at[*from] == ',')) { ++*from; ++blanks; } }
static byte next(const byte *at, unsigned from) { skip(at, &from); return at[from]; }
static void fill(void) { for (int i = 0; i < 300; i++) { steps[i] = below(i, i & 3); odd ^= steps[i] & 1; if (!(steps[i] > high || i > 290)) continue; high = steps[i]; } }
int main(int argc, char **argv) {
    unsigned from = 0;
    while (from + 1 < sizeof text && !(is_blank(text[from]) && text[from + 1] == 'b') && LIKELY(text[from] || from > 3))
        from += next(text + from, 0) != 0;
    do { last = next(text, from); low++; } while (++from < sizeof text && (last != 'z' || (odd && !LIKELY(low < 0 && last > 200))));
    fill();
    int all = (from > 3 && high) || low == 3;
    return all + (blanks && (odd || high < 0) ? 2 : 4) & 1;
}
";
    for flags in ["-O0 -w", "-O1 -w", "-O2 -w"] {
        check(text, flags, &[]);
    }
}
