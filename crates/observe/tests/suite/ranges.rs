//! Ranges are exactly the least and the greatest value, however values come one after the other.

use observe::recording::SiteKind::{self, Argument, Load, Store};
use observe::recording::{read_invariants, sites_of};

use crate::building::Project;
use crate::recording::ranges;

/// What is expected at the sites of a kind in a line.
type Expected<'a> = (SiteKind, u32, &'a [&'a str]);

/// Builds and runs a program, and compares the ranges in some of its lines.
#[track_caller]
fn check_recorded(text: &str, modes: &[&str], expected: &[Expected]) {
    for flags in ["-O0 -w", "-O1 -w", "-O2 -w"] {
        let project = Project::program(text, flags);
        let sites = sites_of(&project.path("main")).unwrap();
        for mode in modes {
            let run = read_invariants(&project.run(mode, &[]).folder, &sites).unwrap();
            for (kind, line, here) in expected {
                assert_eq!(ranges(&sites, &run, *kind, *line), *here, "line {line}, {flags}, {mode}");
            }
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &[Expected]) {
    check_recorded(text, &["invariants", "exact"], expected);
}

/// For a program that crashes.
#[track_caller]
fn check_crashing(text: &str, expected: &[Expected]) {
    check_recorded(text, &["exact"], expected);
}

/// Growing ones are recorded without a call, from the second on.
#[test]
fn in_any_direction() {
    let text = "int up, down, both, once; char small; short negative; unsigned large; volatile int none;
int main(void) {
    for (int i = 5; i < 900; i++) {
        up = i;
        down = -i;
        both = i % 2 ? i : -i;
        small = i * 7;
        negative = i - 30000;
        large = (4294960000u + i * 8) >> none;
        if (i == 77)
            once = i;
    }
    return 0;
}
";
    let expected: [Expected; 7] = [
        (Store, 4, &["5..899 x895"]),
        (Store, 5, &["-899..-5 x895"]),
        (Store, 6, &["-898..899 x895"]),
        (Store, 7, &["-128..127 x895"]),
        (Store, 8, &["-29995..-29101 x895"]),
        (Store, 9, &["4294960040..4294967192 x895"]),
        (Store, 11, &["77..77 x1"]),
    ];
    check(text, &expected);
}

/// Also numbers that are greater than the one by which a range without any value is known.
#[test]
fn at_the_ends_of_the_largest_types() {
    let text = "#include <stdint.h>
long long sink; unsigned long long other; volatile int none;
static const long long falls[] = {INT64_MAX, 0x7ff95bd1e995a5c4, INT64_MIN}, rises[] = {0x7ff95bd1e995a5c4, INT64_MAX};
static const unsigned long long all[] = {UINT64_MAX, 0, UINT64_MAX - 1}, tops[] = {UINT64_MAX - 1, UINT64_MAX};
int main(void) {
    for (int i = 0; i < 3; i++)
        sink = falls[i];
    for (int i = 0; i < 2; i++)
        sink = rises[i];
    for (int i = 0; i < 3; i++)
        other = all[i] >> none;
    for (int i = 0; i < 2; i++)
        other = tops[i] >> none;
    return 0;
}
";
    let expected: [Expected; 4] = [
        (Store, 7, &["-9223372036854775808..9223372036854775807 x3"]),
        (Store, 9, &["9221502669142992324..9223372036854775807 x2"]),
        (Store, 11, &["0..18446744073709551615 x3"]),
        (Store, 13, &["18446744073709551614..18446744073709551615 x2"]),
    ];
    check(text, &expected);
}

/// What lies beside it in memory, and may never have been written, has no part in the value of a bit-field.
#[test]
fn of_bit_fields() {
    let text = "#include <stdlib.h>
#include <string.h>
struct fields { unsigned small : 3; int sign : 5; unsigned other : 8; unsigned whole : 16; unsigned long long wide : 40; };
int sink; unsigned long long large;
int main(void) {
    struct fields *it = malloc(sizeof *it);
    memset(it, 0xa5, sizeof *it);
    for (int i = 0; i < 6; i++) {
        it->small = i;
        it->sign = i - 3;
        it->whole = 1000 * i;
        it->wide = 3000000000ull * i;
        sink = it->small;
        sink = it->sign;
        sink = it->whole;
        large = it->wide;
        it->sign++;
        it->other = 7;
    }
    free(it);
    return 0;
}
";
    let expected: [Expected; 9] = [
        (Store, 9, &["0..5 x6"]),
        (Store, 11, &["0..5000 x6"]),
        (Store, 12, &["0..15000000000 x6"]),
        (Load, 13, &["0..5 x6"]),
        (Load, 14, &["-3..2 x6"]),
        (Load, 15, &["0..5000 x6"]),
        (Load, 16, &["0..15000000000 x6"]),
        (Load, 17, &["-3..2 x6"]),
        (Store, 18, &[]),
    ];
    check(text, &expected);
}

/// A value that is loaded again behind a branch is observed there, for both; what is written between makes another one.
#[test]
fn of_values_that_are_looked_at_again() {
    let text = "int letters[8] = {1, 2, 3, 4, 5, 2, 1, 9}, other, one = 3, *spots[4] = {&one, 0, &one, 0};
double parts[3] = {0.25, -1.5, 2.5};
static int change(int *it) { return *it += 20; }
static int hand_on(int it) { if (it > 3) return letters[it]; other = it; return 0; }
int main(void) {
    int hits = 0;
    for (int i = 0; i < 8; i++)
        if (letters[i] == 1 || letters[i] == 2 || letters[i] == 9)
            hits++;
    for (int i = 0; i < 4; i++)
        if (spots[i] && *spots[i] == 3 && *spots[i] < 4)
            hits++;
    for (int i = 0; i < 3; i++)
        if (parts[i] > 0.5 || parts[i] < -0.5)
            hits++;
    for (int i = 1; i < 7; i++)
        hits += hand_on(i);
    for (int i = 0; i < 8; i++)
        if (letters[i] > 2) {
            letters[i] -= 10;
            other = letters[i];
        }
    for (int i = 0; i < 8; i++)
        if (letters[i] < 2 && change(&letters[i]) && letters[i] > 15)
            hits++;
    return 0;
}
";
    let expected: [Expected; 9] = [
        (Load, 8, &["1..9 x8", "2..9 x6", "3..9 x4"]),
        (Load, 11, &["null..not null x4", "not null..not null x2", "3..3 x2", "not null..not null x2", "3..3 x2"]),
        (Load, 14, &["-1.5..2.5 x3", "-1.5..0.25 x2"]),
        (Argument, 4, &["1..6 x6"]),
        (Store, 4, &["1..3 x3"]),
        (Load, 19, &["1..9 x8"]),
        (Load, 20, &["3..9 x4"]),
        (Store, 21, &["-7..-1 x4"]),
        (Load, 24, &["-7..2 x8", "13..21 x6"]),
    ];
    check(text, &expected);
}

/// Also in the turn in which a loop is left, and if the place is not where the loop goes on.
#[test]
fn of_loops_that_are_left() {
    let text = "int all[] = {3, 1, 0}, some[] = {3, 1, 5, 7, 0}, sum;
int main(void) {
    for (int i = 0; all[i] != 0; i++)
        if (all[i] == 5)
            break;
    for (int i = 0; some[i] != 0; i++)
        if (some[i] == 5)
            break;
    for (int i = 0; some[i] != 0; i++) {
        if (some[i] & 4 && some[i] > 5)
            continue;
        sum += some[i];
    }
    return 0;
}
";
    let expected: [Expected; 6] = [
        (Load, 3, &["0..3 x3"]),
        (Load, 4, &["1..3 x2"]),
        (Load, 6, &["1..5 x3"]),
        (Load, 7, &["1..5 x3"]),
        (Load, 9, &["0..7 x5"]),
        (Load, 10, &["1..7 x4", "5..7 x2"]),
    ];
    check(text, &expected);
}

/// What leads to a crash has been observed: nothing is put off until behind what can fail.
#[test]
fn of_what_is_looked_at_behind_a_crash() {
    let text = "#include <setjmp.h>
long positions[] = {1, 2, 1L << 40}, numbers[] = {4, 6, 0}; int data[8]; jmp_buf back;
static int leave(long it) { if (it == 6) longjmp(back, 1); return 1; }
int main(void) {
    if (!setjmp(back))
        for (int i = 0; i < 3; i++)
            if (numbers[i] > 3 && leave(numbers[i]) && numbers[i] < 5)
                data[0]++;
    for (int i = 0; i < 3; i++)
        if (positions[i] > 0 && data[positions[i]] >= 0 && positions[i] < 100)
            data[0]++;
    for (int i = 0; i < 3; i++)
        if (numbers[i] > 0 && 12 / numbers[i] > 0)
            data[0]++;
    return 0;
}
";
    let expected: [Expected; 3] = [
        (Load, 7, &["4..6 x2", "4..6 x2", "4..4 x1"]),
        (Load, 10, &["1..1099511627776 x3", "1..1099511627776 x3", "0..0 x3", "1..2 x2"]),
        (Load, 13, &[]),
    ];
    check_crashing(text, &expected);
}

/// Those of one block are compared together, in vectors of their type; some do not fill one.
#[test]
fn of_floating_point_in_one_block() {
    let text = "float few[6] = {1.5f, -2, 0, 3.25f, 8, -7}, many[6]; double wide[6] = {4, -100, 0.5, 0.25, 3, 2}, sum; volatile double zero;
int main(void) {
    for (int i = 1; i < 5; i++) {
        many[i] =
            few[i - 1] * 2
            + few[i] * 2
            + few[i + 1] * 2;
        sum =
            wide[i - 1]
            + wide[i] * 4
            + wide[i + 1];
    }
    for (int i = 0; i < 3; i++) {
        sum = i + 0.5;
        wide[i] =
            i == 1 ? zero * __builtin_inf() : i;
        few[i] = -i;
    }
    return 0;
}
";
    let expected: [Expected; 11] = [
        (Store, 4, &["-1..22.5 x4"]),
        (Load, 5, &["-2..3.25 x4"]),
        (Load, 6, &["-2..8 x4"]),
        (Load, 7, &["-7..8 x4"]),
        (Store, 8, &["-395.5..14.25 x4"]),
        (Load, 9, &["-100..4 x4"]),
        (Load, 10, &["-100..3 x4"]),
        (Load, 11, &["0.25..3 x4"]),
        (Store, 14, &["0.5..2.5 x3"]),
        (Store, 15, &["NaN..2 x3"]),
        (Store, 17, &["-2..0 x3"]),
    ];
    check(text, &expected);
}

/// Also where one of them becomes the place that cannot be accessed, and where none does.
#[test]
fn of_floating_point_that_leads_to_a_crash() {
    let text = "double places[3] = {1, 2, 1e12}, weights[3] = {0.5, 0.25, 0.125}; int data[8];
int main(void) {
    for (int i = 0; i < 3; i++) {
        double both = places[i] + weights[i];
        data[(long)both] = i;
    }
    return 0;
}
";
    let expected: [Expected; 1] = [(Load, 4, &["1..1000000000000 x3", "0.125..0.5 x3"])];
    check_crashing(text, &expected);
    let text = "double parts[3] = {1, 2, 3}, other[3] = {4, 5, 6}, sum; long places[3] = {0, 1, 1L << 40};
int main(void) {
    for (int i = 0; i < 3; i++)
        sum =
            parts[i]
            + other[i]
            + other[places[i]];
    return 0;
}
";
    let expected: [Expected; 3] = [(Load, 5, &["1..3 x3"]), (Load, 6, &["4..6 x3"]), (Store, 4, &["9..12 x3"])];
    check_crashing(text, &expected);
}
