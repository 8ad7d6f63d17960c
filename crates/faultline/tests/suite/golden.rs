//! Reports as users see them: beside the programs as `NAME.stderr`, and in the README.
//!
//! With `FAULTLINE_BLESS=1` in the environment the files are written instead of compared; `git diff` then
//! shows what has changed.

use std::fs;

use similar::TextDiff;

use crate::expectations::violating;
use crate::process::{faultline, finish, in_parallel, report_all, root};

/// Programs whose reports together show each sort of message once.
const SELECTED: &[&str] = &[
    "array_index_cube",
    "assert_sorted",
    "bad_call_wrong_type",
    "const_write_literal",
    "div_zero_nondet",
    "double_free_realloc",
    "error_call_assert_helper",
    "invalid_free_inside",
    "leak_list_tail",
    "null_list_end",
    "oob_above_heap",
    "oob_above_memcpy",
    "overflow_add",
    "shift_width_64",
    "strfn_unterminated_strlen",
    "uaf_list_free",
    "uas_return_local",
    "uninit_field",
    "unreachable_default",
];

pub fn blessing() -> bool {
    std::env::var_os("FAULTLINE_BLESS").is_some_and(|value| value == "1")
}

#[test]
fn reports_are_the_expected_ones() {
    let root = root();
    let complaints = in_parallel(SELECTED, |name| {
        let file = root.join("tests/programs/fail").join(name).with_extension("c");
        let (case, _) = violating(&root, &file);
        let found = finish(&mut faultline(case.command_line()), &case.stdin).stderr_text();
        let golden = file.with_extension("stderr");
        if blessing() {
            fs::write(&golden, found).expect("the golden file can be written");
            return None;
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        let difference = TextDiff::from_lines(&expected, &found).unified_diff().to_string();
        (found != expected).then(|| format!("== {name}\n{difference}"))
    });
    report_all("reports", SELECTED.len(), complaints.into_iter().flatten().collect());
}

/// The sessions in the README are what a user gets to see.
#[test]
fn the_readme_shows_real_sessions() {
    // One after the other: all may be renewed.
    session(&["explain", "examples/queue.c"]);
    session(&["run", "examples/average.c", "--", "71", "64", "88"]);
    session(&["check", "examples/queue.c"]);
}

fn session(arguments: &[&str]) {
    const END: &str = "```\n<!-- end of session -->";
    let begin = format!("$ faultline {}\n", arguments.join(" "));
    let file = root().join("README.md");
    let text = fs::read_to_string(&file).expect("the README is there");
    let (before, rest) = text.split_once(&begin).expect("the README has the session");
    let (shown, after) = rest.split_once(END).expect("the session has an end");
    let run = finish(&mut faultline(arguments), b"");
    // A program's own output is not what the session is about.
    let answer = if arguments[0] == "check" { run.stdout_text() } else { String::new() };
    let found = format!("{}{answer}", run.stderr_text());
    if blessing() {
        fs::write(&file, format!("{before}{begin}{found}{END}{after}")).expect("the README can be written");
    } else {
        assert_eq!(shown, found);
    }
}
