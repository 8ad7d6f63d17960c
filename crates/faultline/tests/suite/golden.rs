//! Reports as users see them, beside the programs as `NAME.stderr`.
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
