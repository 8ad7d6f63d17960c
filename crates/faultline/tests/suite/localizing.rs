//! Where the failing run comes from: arguments, standard input, values for what is open, or a search.

use std::fs;

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish};

const ARGUMENTS: &str = "\
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int sum = 1;
  for (int i = 1; i < argc; i++)
    sum += atoi(argv[i]);
  assert(sum != 6);
  return 0;
}
";

const READS: &str = "\
#include <assert.h>
#include <stdio.h>
int main(void) {
  int lines = 1, c;
  while ((c = getchar()) != EOF)
    if (c == '\\n')
      lines++;
  assert(lines != 3);
  return 0;
}
";

const BOTH: &str = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) {
  int limit = 3;
  int x = __VERIFIER_nondet_int();
  assert(argc < limit);
  assert(x != 77);
  return 0;
}
";

fn localize(program: &str, options: &[&str], stdin: &[u8]) -> Finished {
    let folder: TempDir = tempfile::tempdir().expect("a temporary folder can be made");
    fs::write(folder.path().join("p.c"), program).expect("a file can be written");
    finish(faultline([&["localize", "p.c"], options].concat()).current_dir(folder.path()), stdin)
}

#[track_caller]
fn expect(run: &Finished, status: i32, parts: &[&str]) {
    let text = format!("{}{}", run.stderr_text(), run.stdout_text());
    assert_eq!(run.status, status, "{text}");
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn the_run_with_the_given_arguments_is_localized() {
    expect(&localize(ARGUMENTS, &["--", "2", "3"], b""), 1, &["sum = 1", "p.c:4"]);
    expect(&localize(ARGUMENTS, &["--", "2", "4"], b""), 0, &["did not fail"]);
}

#[test]
fn the_run_on_the_given_standard_input_is_localized() {
    expect(&localize(READS, &[], b"a\nb\n"), 1, &["lines = 1", "p.c:4"]);
    expect(&localize(READS, &[], b"a\n"), 0, &["did not fail"]);
}

#[test]
fn what_is_given_comes_before_what_is_searched_for() {
    // With two arguments it fails whatever `x` is; with one it takes an `x` that is searched for.
    expect(&localize(BOTH, &["--", "1", "2"], b""), 1, &["p.c:4", "argc < limit"]);
    expect(&localize(BOTH, &["--", "1"], b""), 1, &["p.c:5", "x != 77"]);
    expect(&localize(BOTH, &["--nondet", "77"], b""), 1, &["p.c:5", "x != 77"]);
    expect(&localize(BOTH, &["--nondet", "78"], b""), 0, &["did not fail"]);
}
