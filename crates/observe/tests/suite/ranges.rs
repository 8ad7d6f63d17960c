//! Ranges are exactly the least and the greatest value, however values come one after the other.

use observe::recording::{SiteKind, read_invariants, sites_of};

use crate::building::Project;
use crate::recording::ranges;

/// Builds and runs a program, and compares the ranges of what is stored in some of its lines.
#[track_caller]
fn check(text: &str, expected: &[(u32, &[&str])]) {
    for flags in ["-O0 -w", "-O1 -w", "-O2 -w"] {
        let project = Project::program(text, flags);
        let sites = sites_of(&project.path("main")).unwrap();
        let ran = project.run("invariants", &[]);
        let run = read_invariants(&ran.folder, &sites).unwrap();
        for (line, here) in expected {
            assert_eq!(ranges(&sites, &run, SiteKind::Store, *line), *here, "line {line}, {flags}");
        }
    }
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
    let expected: [(u32, &[&str]); 7] = [
        (4, &["5..899 x895"]),
        (5, &["-899..-5 x895"]),
        (6, &["-898..899 x895"]),
        (7, &["-128..127 x895"]),
        (8, &["-29995..-29101 x895"]),
        (9, &["4294960040..4294967192 x895"]),
        (11, &["77..77 x1"]),
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
    let expected: [(u32, &[&str]); 4] = [
        (7, &["-9223372036854775808..9223372036854775807 x3"]),
        (9, &["9221502669142992324..9223372036854775807 x2"]),
        (11, &["0..18446744073709551615 x3"]),
        (13, &["18446744073709551614..18446744073709551615 x2"]),
    ];
    check(text, &expected);
}
