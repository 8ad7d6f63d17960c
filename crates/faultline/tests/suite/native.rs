//! `faultline reduce`, `inputs` and `diagnose` from the command line, on native programs that behave well and badly; and the
//! commands of `docs/diagnose.md`.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish, root};

/// A folder with `calendar` compiled in it, and the input on which it fails.
fn calendar() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let programs = root().join("tests/programs/observe");
    let binary = folder.path().join("calendar");
    let mut compiler = Command::new("clang-19");
    compiler.args(["-g", "-O1", "-o"]).arg(&binary).arg(programs.join("calendar.c"));
    assert_eq!(finish(&mut compiler, b"").status, 0);
    fs::copy(programs.join("calendar.txt"), folder.path().join("calendar.txt")).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Finished {
    finish(faultline(arguments).current_dir(folder), b"")
}

#[track_caller]
fn expect(run: &Finished, status: i32, parts: &[&str]) {
    let stderr = run.stderr_text();
    assert_eq!(run.status, status, "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
    }
}

/// Runs a shell command as the failing program.
#[track_caller]
fn check(line: &str, options: &[&str], status: i32, parts: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input"), "one\ntwo\nthree\n").unwrap();
    let arguments = [&["inputs", "--failing", "input", "--runs", "60"], options, &["--", "sh", "-c", line]].concat();
    expect(&run(folder.path(), &arguments), status, parts);
}

#[test]
fn a_failing_input_becomes_small() {
    let folder = calendar();
    let small = run(folder.path(), &["reduce", "--failing", "calendar.txt", "--", "./calendar"]);
    expect(&small, 0, &["killed by SIGABRT", "44 bytes became 5", "no single character of them can go"]);
    assert_eq!(small.stdout_text(), "0-1-1");
    let arguments = ["reduce", "--failing", "calendar.txt", "--output", "small", "--runs", "3", "--", "./calendar"];
    let stopped = run(folder.path(), &arguments);
    expect(&stopped, 3, &["allow more with --timeout and --runs"]);
    assert!(fs::metadata(folder.path().join("small")).unwrap().len() < 44);
    // The tip is a command that goes on from there, as it is printed.
    let stderr = stopped.stderr_text();
    let tip = stderr.lines().find_map(|it| it.strip_prefix("faultline ")).unwrap();
    expect(&run(folder.path(), &tip.split(' ').collect::<Vec<_>>()), 3, &["at most 6 runs"]);
    let tip = tip.replace("--runs 6", "--runs 600");
    expect(&run(folder.path(), &tip.split(' ').collect::<Vec<_>>()), 0, &["bytes became 5"]);
}

#[test]
fn tokens_stay_whole_in_a_smaller_input() {
    let folder = calendar();
    let small = run(folder.path(), &["reduce", "--failing", "calendar.txt", "--tokens", "words", "--", "./calendar"]);
    expect(&small, 0, &["44 bytes became 10", "no single token of them can go"]);
    assert_eq!(small.stdout_text(), "0000-01-01");
    let wrong = run(folder.path(), &["reduce", "--failing", "calendar.txt", "--frobnicate", "--", "./calendar"]);
    expect(&wrong, 2, &["unexpected argument '--frobnicate'"]);
    assert!(!wrong.stderr_text().contains("as a value"), "{}", wrong.stderr_text());
}

#[test]
fn good_and_bad_inputs_are_made_once() {
    let folder = calendar();
    let arguments = ["inputs", "--failing", "calendar.txt", "--jobs", "1", "--", "./calendar"];
    expect(&run(folder.path(), &arguments), 0, &["good inputs: 8 (1 to", "they are in calendar.txt.inputs"]);
    let made = folder.path().join("calendar.txt.inputs");
    let list = fs::read_to_string(made.join("inputs.tsv")).unwrap();
    assert_eq!(list.lines().count(), 17, "{list}");
    assert_eq!(fs::read_to_string(made.join("small.txt")).unwrap(), "0-1-1");
    for (name, status) in [("good", 0), ("bad", 134)] {
        for entry in fs::read_dir(made.join(name)).unwrap() {
            let input = fs::read(entry.unwrap().path()).unwrap();
            let mut calendar = Command::new(folder.path().join("calendar"));
            assert_eq!(finish(&mut calendar, &input).status, status, "{}", String::from_utf8_lossy(&input));
        }
    }
    // A second call asks nothing again and comes to the same.
    let runs = fs::read_to_string(made.join("runs.tsv")).unwrap();
    expect(&run(folder.path(), &arguments), 0, &["runs of an earlier call are known"]);
    assert_eq!(fs::read_to_string(made.join("runs.tsv")).unwrap(), runs);
}

#[test]
fn programs_that_do_not_fail_as_they_should() {
    check("cat", &[], 2, &["the program does not fail on this input: it exits with status 0", "--bad-output"]);
    check("kill -SEGV $$", &[], 3, &["the program fails on all", "without an input on which it does not"]);
    check("read x; test $x != one", &["--good-status", "0,2"], 0, &["the failure: the program exits with status 1"]);
    check("sleep 77001", &["--run-timeout", "300ms"], 2, &["does not end in time", "--run-timeout", "--hang"]);
    check("grep -q two && sleep 77002", &["--run-timeout", "300ms", "--hang"], 3, &["does not end in time"]);
    let differently = "exit $(head -c 1 /dev/urandom | od -An -tu1 | awk '{print 1 + $1 % 120}')";
    check(differently, &["--repeat", "8"], 2, &["the program fails differently each time", "--script"]);
    let disk = "i=0; while :; do i=$((i+1)); head -c 3M /dev/zero > $i; done";
    check(disk, &["--max-written", "20M"], 2, &["writes too much", "--max-written"]);
    check("yes", &["--max-output", "1M"], 2, &["prints too much", "--max-output"]);
    for word in ["77001", "77002"] {
        let left = finish(Command::new("pgrep").args(["-f", &format!("^sleep {word}$")]), b"");
        assert_eq!(left.status, 1, "sleep {word} still runs");
    }
}

#[test]
fn failures_of_all_sorts() {
    check("cat; echo $(wc -l < /dev/null)", &["--bad-output", "^one"], 0, &["it prints `one`"]);
    check("sed s/two/2/", &["--reference", "cat"], 0, &["line 2 of its output is `2` instead of `two`"]);
    check("cat", &["--script", "grep -q two $FAULTLINE_STDOUT"], 0, &["the script sees the failure"]);
    check("cat", &["--script", "exit 7"], 2, &["the script exited with status 7", "with 125 if the input is invalid"]);
    check("read x; exit 3", &["--status", "4"], 2, &["does not fail on this input as it was said to"]);
}

#[test]
fn wrong_use() {
    let folder = calendar();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    expect(&run(&["reduce", "--failing", "none", "--", "./calendar"]), 2, &["cannot read the failing input none"]);
    expect(
        &run(&["reduce", "--failing", "calendar.txt", "--", "./nothing"]),
        2,
        &["there is no program `./nothing`: was it built"],
    );
    let tokens = ["inputs", "--failing", "calendar.txt", "--tokens", "calendar.txt", "--", "./calendar"];
    expect(&run(&tokens), 2, &["calendar.txt:1:"]);
    let tokens = ["inputs", "--failing", "calendar.txt", "--tokens", "perl", "--", "./calendar"];
    expect(&run(&tokens), 2, &["--tokens perl is neither words, json, http, sql, c nor a file"]);
    let folder = ["inputs", "--failing", "calendar.txt", "--output", ".", "--", "./calendar"];
    expect(&run(&folder), 2, &["has other files in it"]);
}

/// A folder with `calendar` built for observation.
fn observed() -> TempDir {
    let folder = calendar();
    let source = root().join("tests/programs/observe/calendar.c");
    fs::copy(source, folder.path().join("calendar.c")).unwrap();
    expect(&run(folder.path(), &["cc", "-g", "calendar.c", "-o", "calendar"]), 0, &[]);
    folder
}

#[test]
fn the_function_that_goes_wrong_is_found() {
    let folder = observed();
    let found = run(folder.path(), &["diagnose", "--failing", "calendar.txt", "--tcm", "runs.tcm", "--", "./calendar"]);
    let parts = [
        "killed by SIGABRT",
        "the run ends here",
        "here, the program runs on an input of 5 bytes, made smaller from 44 (--inputs DIR keeps it):\n    0-1-1\n",
        "`abort()`",
        "8 good runs of 40 that were recorded have ",
        " invariants, in 24 lines; broken here: ",
        "suspect 1",
        "calendar.c:22",
        "good runs",
        "here -",
        "look at calendar.c:",
    ];
    expect(&found, 1, &parts);
    let matrix = fs::read_to_string(folder.path().join("runs.tcm")).unwrap();
    assert!(matrix.starts_with("#tests\ngood-01 PASSED\n") && matrix.contains("bad-01 FAILED\n"), "{matrix}");
}

/// A folder with `parcels`, built for observation, and tests of it.
fn parcels() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = fs::read_to_string(root().join("tests/programs/observe/parcels.c")).unwrap();
    fs::write(folder.path().join("parcels.c"), source).unwrap();
    expect(&run(folder.path(), &["cc", "-g", "parcels.c", "-o", "parcels"]), 0, &[]);
    fs::create_dir(folder.path().join("tests")).unwrap();
    let sizes = [80, 119, 120, 121, 160].into_iter().flat_map(|length| [10, 60].map(|width| (length, width)));
    for (number, (length, width)) in sizes.enumerate() {
        for (weight, express) in [(500, 0), (500, 1), (1200, 0), (1200, 1)] {
            let bulky = length + 2 * (width + 20) > 300 || length > 120;
            let cents = match express {
                0 => 300 + weight / 100 * 20 + if bulky { 800 } else { 0 },
                _ => 1500,
            };
            let name = folder.path().join(format!("tests/{number}-{weight}-{express}"));
            fs::write(name.with_extension("args"), format!("{length} {width} 20 {weight} {express}\n")).unwrap();
            fs::write(name.with_extension("out"), format!("{}.{:02}\n", cents / 100, cents % 100)).unwrap();
        }
    }
    folder
}

#[test]
fn tests_that_fail_are_compared_with_tests_that_pass() {
    let folder = parcels();
    let found = run(folder.path(), &["diagnose", "--tests", "tests", "--", "./parcels"]);
    let parts = [
        "36 of 40 tests pass, 4 fail; what is explained is tests/4-500-0.args, beside 3 others that fail alike",
        "line 1 of its output is `12.00` instead of `4.00`",
        "this prints what is wrong",
        // No value is wrong by itself, and for express it does no harm.
        "suspect 1 of ",
        "in all 4 failing runs, in ",
        "`return length >= 120;`",
        "which is so in more of the failing runs",
    ];
    expect(&found, 1, &parts);
    let named = ["diagnose", "--tests", "tests", "--failing", "tests/5-1200-0.args", "--", "./parcels", "@args"];
    expect(&run(folder.path(), &named), 1, &["what is explained is tests/5-1200-0.args"]);
    let passing = ["diagnose", "--tests", "tests", "--failing", "tests/0-500-0.args", "--", "./parcels"];
    expect(&run(folder.path(), &passing), 2, &["the test tests/0-500-0.args does not fail"]);
    let other = ["diagnose", "--tests", "tests", "--failing", "parcels.c", "--", "./parcels"];
    expect(&run(folder.path(), &other), 2, &["parcels.c is none of the tests"]);
    let none = ["diagnose", "--tests", ".", "--", "./parcels"];
    expect(&run(folder.path(), &none), 2, &["no tests are here"]);
    expect(&run(folder.path(), &["diagnose", "--", "./parcels"]), 2, &["--failing <FILE>"]);
}

#[test]
fn arguments_are_an_input() {
    let folder = parcels();
    let text = fs::read_to_string(folder.path().join("parcels.c")).unwrap();
    fs::write(folder.path().join("right.c"), text.replace("length >= 120", "length > 120")).unwrap();
    let mut compiler = Command::new("clang-19");
    compiler.args(["-o", "right", "right.c"]).current_dir(folder.path());
    assert_eq!(finish(&mut compiler, b"").status, 0);
    let failing =
        ["diagnose", "--failing", "tests/4-500-0.args", "--reference", "./right @args", "--", "./parcels", "@args"];
    expect(&run(folder.path(), &failing), 1, &["instead of", "return length >= 120;"]);
    // What is right may end with another status than 0, and then so must the other program.
    fs::write(folder.path().join("short"), "120 10\n").unwrap();
    let short = ["diagnose", "--failing", "short", "--reference", "./right @args", "--", "./parcels", "@args"];
    expect(&run(folder.path(), &short), 2, &["exits with status 2 on it", "--good-status"]);
    let allowed = [&["diagnose", "--good-status", "0,2"], &short[1..]].concat();
    expect(
        &run(folder.path(), &allowed),
        2,
        &["does not fail on this input as it was said to: it exits with status 2"],
    );
    let wrong = [&["diagnose", "--good-status", "many"], &short[1..]].concat();
    expect(&run(folder.path(), &wrong), 2, &["`many` is no exit status"]);
}

/// What is said about a program whose output is that of another one, but for this input.
fn against_right(name: &str, wrong: &str, right: &str, input: &str) -> Finished {
    let folder = tempfile::tempdir().unwrap();
    let source = format!("{name}.c");
    for (file, text) in [(source.as_str(), wrong), ("right.c", right), ("input", input)] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    expect(&run(folder.path(), &["cc", "-g", &source, "-o", name]), 0, &[]);
    let mut compiler = Command::new("clang-19");
    compiler.args(["-o", "right", "right.c"]).current_dir(folder.path());
    assert_eq!(finish(&mut compiler, b"").status, 0);
    let (reference, program) = (folder.path().join("right"), format!("./{name}"));
    run(folder.path(), &["diagnose", "--failing", "input", "--reference", reference.to_str().unwrap(), "--", &program])
}

#[test]
fn a_wrong_output_is_followed_from_its_first_wrong_byte() {
    let text = fs::read_to_string(root().join("tests/programs/observe/receipt.c")).unwrap();
    let right = text.replace("dozen < 36", "dozen < 24");
    let found = against_right("receipt", &text, &right, "pens 3 20\nnails 25 7\nbooks 2 900\n");
    expect(&found, 1, &["of its output is", "less += price"]);
    // What is printed after it has no part in it.
    assert!(!found.stderr_text().contains("thank you"), "{}", found.stderr_text());
}

/// Puts `receipt` in a folder, built for observation, with an order that it sums up wrongly and orders that it does not.
fn receipt(folder: &Path) {
    let text = fs::read_to_string(root().join("tests/programs/observe/receipt.c")).unwrap();
    let files = [
        ("receipt.c", text.as_str()),
        ("order.txt", "nails 25 7\n"),
        ("order.out", "nails       168\n1 lines\nthank you\n"),
        ("orders/1", "nails 5 7\n"),
        ("orders/2", "nails 12 3\nbooks 2 900\n"),
        ("orders/3", "pens 23 1\n"),
        ("refused/1", "nails\n"),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    expect(&run(folder, &["cc", "-g", "receipt.c", "-o", "receipt"]), 0, &[]);
}

/// It says nothing about others, so these must be there.
#[test]
fn what_is_expected_on_one_input() {
    let folder = tempfile::tempdir().unwrap();
    receipt(folder.path());
    let with = |command: &str, options: &[&str]| {
        let expected = [command, "--failing", "order.txt", "--expected", "order.out"];
        run(folder.path(), &[&expected, options, &["--", "./receipt"]].concat())
    };
    let found = with("diagnose", &["--good", "orders"]);
    let parts =
        ["is `nails       161` instead of `nails       168`", "suspect 1", "less += price", "3 good runs have "];
    expect(&found, 1, &parts);
    for command in ["reduce", "inputs", "diagnose"] {
        expect(&with(command, &[]), 2, &["on order.txt, and nothing about other inputs", "--good DIR", "--reference"]);
    }
    expect(&with("diagnose", &["--good", "orders", "--bad", "orders"]), 2, &["leave out --bad", "--tests DIR"]);
    let refused = with("diagnose", &["--good", "refused"]);
    expect(&refused, 2, &["none of the good inputs is good", "exits with status 2", "--good-status"]);
}

#[test]
fn what_is_expected_on_all_inputs() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input"), "one\nfox\n").unwrap();
    fs::write(folder.path().join("right"), "right\n").unwrap();
    let line = "grep -q x && echo wrong || echo right";
    let small = run(folder.path(), &["reduce", "--failing", "input", "--expected", "right", "--", "sh", "-c", line]);
    expect(&small, 0, &["8 bytes became 1"]);
    assert_eq!(small.stdout_text(), "x");
}

/// The commands beside the program run where the user is, and find what is there.
#[test]
fn a_server_and_its_client() {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("tests/programs/observe/shelf.c");
    fs::write(folder.path().join("shelf.c"), fs::read(source).unwrap()).unwrap();
    fs::write(folder.path().join("input"), "put 2\ntake 1\ntake 20\nput 1\n").unwrap();
    expect(&run(folder.path(), &["cc", "-g", "shelf.c", "-o", "shelf"]), 0, &[]);
    // Nobody else gets it that soon.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let client = format!("./shelf send {port}");
    let options = ["diagnose", "--failing", "input", "--server-ready", "output:ready", "--client", &client, "--"];
    let found = run(folder.path(), &[&options[..], &["./shelf", "serve", &port]].concat());
    expect(&found, 1, &["assertion `on_shelf >= 0` failed", "`on_shelf -= number`", "on an input of "]);
}

/// The rest of a program can be observed nevertheless.
#[test]
fn a_source_that_clang_cannot_compile_with_hooks() {
    let folder = tempfile::tempdir().unwrap();
    let clang =
        "case \"$*\" in *twice*) exec clang-19 \"$@\";; *'-x ir'*) echo 'error in backend: sorry' >&2; exit 70;; esac
exec clang-19 \"$@\"";
    let files = [
        ("clang", format!("#!/bin/sh\n{clang}\n").as_str()),
        ("once.c", "int twice(int); int main(void) { return twice(3) - 6; }"),
        ("twice.c", "int twice(int it) { return 2 * it; }"),
        ("wrong.c", "int main(void) { return it; }"),
    ]
    .map(|(name, text)| fs::write(folder.path().join(name), text));
    assert!(files.iter().all(Result::is_ok));
    let mut executable = Command::new("chmod");
    assert_eq!(finish(executable.args(["+x", "clang"]).current_dir(folder.path()), b"").status, 0);
    let compile = |arguments: &[&str]| {
        let arguments = [&["cc"], arguments].concat();
        let clang = folder.path().join("clang");
        finish(faultline(arguments).current_dir(folder.path()).env("FAULTLINE_CLANG", clang), b"")
    };
    let told = "once.c is not observed, since clang cannot compile it with hooks: error in backend: sorry";
    expect(&compile(&["-c", "once.c"]), 0, &[told]);
    expect(&compile(&["-c", "twice.c", "-o", "twice.o"]), 0, &[]);
    expect(&compile(&["once.o", "twice.o", "-o", "main"]), 0, &[]);
    assert_eq!(finish(&mut Command::new(folder.path().join("main")), b"").status, 0);
    expect(&compile(&["-c", "wrong.c"]), 1, &["use of undeclared identifier 'it'"]);
}

#[test]
fn a_script_judges() {
    let script = "grep -q three \"$FAULTLINE_STDOUT\"";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("input"), "one\ntwo\nthree\n").unwrap();
    fs::write(folder.path().join("judge"), script).unwrap();
    let small = run(folder.path(), &["reduce", "--failing", "input", "--script", "sh judge", "--", "cat"]);
    expect(&small, 0, &["the script sees the failure", "14 bytes became 5"]);
    assert_eq!(small.stdout_text(), "three");
}

#[test]
fn values_are_told_by_the_names_and_the_types_that_they_have() {
    let text = "#include <stdio.h>
#include <stdlib.h>
struct shelf { unsigned short width; } shelf;
typedef struct { short row, column; } place;
__attribute__((noinline)) static int put(place place, size_t size, int count)
{
    if (size > 1000)
        abort();
    if (count == 9)
        return 0;
    return place.row + count;
}
int main(void)
{
    int n;
    if (scanf(\"%d\", &n) != 1)
        return 2;
    shelf.width = n;
    printf(\"%d\\n\", put((place){ n, 2 }, (size_t)n, shelf.width > 40000));
    return 0;
}
";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shelf.c"), text).unwrap();
    fs::write(folder.path().join("input"), "-5\n").unwrap();
    expect(&run(folder.path(), &["cc", "-g", "-O1", "shelf.c", "-o", "shelf"]), 0, &[]);
    let found = run(folder.path(), &["diagnose", "--verbose", "--failing", "input", "--", "./shelf"]);
    let parts = ["`size`", "here 184467440737095516", "shelf.width = n", "here 65531", "`n`: good runs"];
    expect(&found, 1, &parts);
    // All of the place in one number says nothing.
    assert!(!found.stderr_text().contains("`place`: "), "{}", found.stderr_text());
}

/// A folder with `accounts` in C++, built for observation, and the same without its first fault; and an input.
fn accounts(input: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(root().join("tests/programs/observe/accounts.cpp")).unwrap();
    let right = text.replace("(short)(fee", "(long)(fee");
    for (name, text) in [("accounts.cpp", &*text), ("right.cpp", &*right), ("input", input)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    expect(&run(folder.path(), &["c++", "-g", "-O1", "accounts.cpp", "-o", "accounts"]), 0, &[]);
    let mut compiler = Command::new("clang++-19");
    compiler.args(["-O1", "right.cpp", "-o", "right"]).current_dir(folder.path());
    assert_eq!(finish(&mut compiler, b"").status, 0);
    folder
}

#[test]
fn what_streams_of_cxx_print_is_followed() {
    let folder =
        accounts("deposit ann 1000000\ndeposit bob 500\ntransfer ann bob 2000\ntransfer ann carl 700000\nprint\n");
    let arguments = ["diagnose", "--failing", "input", "--reference", "./right", "--", "./accounts"];
    let found = run(folder.path(), &arguments);
    let parts = ["of its output is `ann ", "this prints what is wrong", "found->second -= cents + (short)(fee * 100)"];
    expect(&found, 1, &parts);
    assert!(!found.stderr_text().contains("/usr/"), "{}", found.stderr_text());
}

#[test]
fn exceptions_that_nobody_catches() {
    let folder = accounts("deposit ann 1000\ndeposit bob 500\nlast 2\nlast 4\n");
    let found = run(folder.path(), &["diagnose", "--failing", "input", "--", "./accounts"]);
    let parts = [
        "error[uncaught-std::out_of_range]: nobody catches `std::out_of_range`: vector::_M_range_check",
        "history.at(history.size() - i)",
        "the run ends here",
    ];
    expect(&found, 1, &parts);
    assert!(!found.stderr_text().contains("/usr/"), "{}", found.stderr_text());
}

#[test]
fn a_missing_line_is_followed_from_the_decision_not_to_print_it() {
    let text = fs::read_to_string(root().join("tests/programs/observe/words.c")).unwrap();
    let (wrong, right) = ("            return NULL; /* of", "            { at = end; continue; } /* of");
    assert!(text.contains(wrong));
    let found = against_right("words", &text, &text.replace(wrong, right), "green tea\nthe teas and tea here\nwater\n");
    expect(&found, 1, &["of its output is", "suspect 1", "--> words.c:15:"]);
}

#[test]
fn a_negated_condition_is_told_as_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            char line[64];
            while (fgets(line, sizeof line, stdin))
                if (!strcmp(line, \"stop\\n\"))
                    abort();
            return 0;
        }";
    fs::write(folder.path().join("stop.c"), text).unwrap();
    fs::write(folder.path().join("input"), "go\nstop\nwait\n").unwrap();
    expect(&run(folder.path(), &["cc", "-g", "stop.c", "-o", "stop"]), 0, &[]);
    let found = run(folder.path(), &["diagnose", "--failing", "input", "--", "./stop"]);
    expect(&found, 1, &["`!strcmp(line, \"stop\\n\")`", "true here once, in good runs never"]);
}

#[test]
fn a_case_that_no_good_run_takes() {
    let text = "#include <stdio.h>
        int main(void) {
            int sum = 0, term = 0, sign = 1, c;
            while ((c = getchar()) != EOF) {
                switch (c) {
                case '+':
                case '-':
                    sum += sign * term;
                    sign = c == '+' ? 1 : -1;
                    term = 0;
                    break;
                case '\\n':
                    sum += sign * term;
                    break;
                default:
                    term = term * 10 + c - '0';
                    break;
                case '(':
                    WRONG
                }
            }
            printf(\"%d\\n\", sum);
            return 0;
        }";
    let (wrong, right) = (text.replace("WRONG", "sum = 1000;"), text.replace("WRONG", ";"));
    let found = against_right("terms", &wrong, &right, "12+(30-4\n");
    expect(&found, 1, &["--> terms.c:5:", "case 40 (line 19) here once, in good runs never"]);
}

#[test]
fn a_diagnosis_has_all_formats() {
    let folder = observed();
    fs::create_dir(folder.path().join("good")).unwrap();
    for (name, text) in [("1", "0-3-1"), ("2", "1-1-1"), ("3", "4-2-9")] {
        fs::write(folder.path().join("good").join(name), text).unwrap();
    }
    let diagnose = |format: &str| {
        let options = ["diagnose", "--failing", "calendar.txt", "--good", "good", "--quiet", "--format", format];
        run(folder.path(), &[&options[..], &["--", "./calendar"]].concat())
    };
    let json = diagnose("json");
    assert_eq!(json.status, 1, "{}", json.stderr_text());
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["verdict"], "fault");
    let suspects = report["diagnosis"]["suspects"].as_array().unwrap();
    assert!(suspects.iter().any(|it| it["function"] == "day_number"), "{suspects:#?}");
    // It is as it was given.
    let input = &report["diagnosis"]["input"];
    assert_eq!((&input["path"], &input["bytes"]), (&"calendar.txt".into(), &44.into()));
    assert!(input.get("given_bytes").is_none() && input["text"].as_str().unwrap().lines().count() == 4, "{input}");
    assert!(diagnose("sarif").stdout_text().contains("\"version\": \"2.1.0\""));
    assert!(diagnose("html").stdout_text().to_lowercase().starts_with("<!doctype html>"));
    assert!(diagnose("gcc").stdout_text().contains("calendar.c:48:"));
}

#[test]
fn the_input_that_is_explained_is_kept() {
    let folder = observed();
    let options = ["diagnose", "--failing", "calendar.txt", "--inputs", "near", "--quiet", "--format"];
    let diagnose = |format: &str| run(folder.path(), &[&options[..], &[format, "--", "./calendar"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&diagnose("json").stdout).unwrap();
    let input = serde_json::json!({
        "path": "near/small.txt", "bytes": 5, "given_bytes": 44, "text": "0-1-1", "is_cut": false
    });
    assert_eq!(report["diagnosis"]["input"], input);
    assert_eq!(fs::read_to_string(folder.path().join("near/small.txt")).unwrap(), "0-1-1");
    assert!(diagnose("html").stdout_text().contains("\"given_bytes\""));
    let shown = "here, the program runs on an input of 5 bytes, made smaller from 44 (near/small.txt): 0-1-1";
    assert!(diagnose("sarif").stdout_text().contains(shown));
}

#[test]
fn programs_that_cannot_be_diagnosed() {
    let folder = calendar();
    let diagnose =
        |command: &[&str]| run(folder.path(), &[&["diagnose", "--failing", "calendar.txt"], command].concat());
    expect(&diagnose(&["--", "./calendar"]), 2, &["was not built with `faultline cc`"]);
    expect(&diagnose(&["--", "sort"]), 2, &["the program does not fail on this input"]);
    expect(&diagnose(&["--symptom", "here", "--", "./calendar"]), 2, &["--symptom here is not FILE:LINE"]);
    expect(&diagnose(&["--good", "none", "--", "./calendar"]), 2, &["calendar"]);
}

#[test]
fn a_failure_that_is_another_one_while_it_is_traced() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            char line[64];
            const char *mode = getenv(\"FAULTLINE_OBSERVE\");
            while (fgets(line, sizeof line, stdin))
                if (!strcmp(line, \"stop\\n\")) {
                    if (mode && !strcmp(mode, \"trace\"))
                        return 3;
                    abort();
                }
            return 0;
        }";
    fs::write(folder.path().join("stop.c"), text).unwrap();
    fs::write(folder.path().join("input"), "go\nstop\nwait\n").unwrap();
    expect(&run(folder.path(), &["cc", "-g", "stop.c", "-o", "stop"]), 0, &[]);
    let found = run(folder.path(), &["diagnose", "--failing", "input", "--", "./stop"]);
    let parts = [
        "another one while the program is recorded: the program exits with status 3, instead of",
        "killed by SIGABRT",
        "-ftrivial-auto-var-init=pattern",
        "-fsanitize=memory",
    ];
    expect(&found, 2, &parts);
    // It was noticed before inputs were made.
    assert!(!found.stderr_text().contains("good inputs:"), "{}", found.stderr_text());
}

/// Every line after `$ ` in a block of the page is run, in a folder with the page's program.
#[test]
fn the_commands_of_the_page_work() {
    let page = fs::read_to_string(root().join("docs/diagnose.md")).unwrap();
    let folder = parcels();
    for file in ["calendar.c", "calendar.txt"] {
        fs::copy(root().join("tests/programs/observe").join(file), folder.path().join(file)).unwrap();
    }
    receipt(folder.path());
    let binary = Path::new(env!("CARGO_BIN_EXE_faultline")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let commands: Vec<&str> = page.lines().filter_map(|line| line.trim_start().strip_prefix("$ ")).collect();
    assert!(commands.len() >= 5, "{commands:?}");
    for command in commands {
        let mut shell = Command::new("sh");
        let run = finish(shell.args(["-c", command]).current_dir(folder.path()).env("PATH", &path), b"");
        assert!(matches!(run.status, 0 | 1), "{command}: {} {}", run.status, run.stderr_text());
    }
}
