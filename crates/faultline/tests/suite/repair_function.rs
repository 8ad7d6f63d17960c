//! `faultline repair` from the command line: faults of the paper are corrected, and the patch applies; every other
//! outcome has its words and its status.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish, in_parallel, report_all, root};

/// Of the 51, some of each program and each kind; `cargo xtask bench autodebug` does them all.
/// Sum/9 never ends, Sum/11 goes round once too often, Max/4 leaves the array, Arr/7 does not begin.
const SAMPLE: [&str; 10] = ["Sum/4", "Sum/9", "Sum/11", "Sum/12", "Max/2", "Max/4", "Max/7", "Bin/5", "Arr/2", "Arr/7"];

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).expect("a file can be written");
    }
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

fn faulty(row: &str) -> (String, String, String) {
    let programs = root().join("tests/programs/repair");
    let list = fs::read_to_string(programs.join("faults.tsv")).unwrap();
    let line = list.lines().find(|line| line.split('\t').next() == Some(row)).expect("the row is there");
    let cells: Vec<&str> = line.split('\t').collect();
    let text = fs::read_to_string(programs.join(cells[1])).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let number: usize = cells[3].parse().unwrap();
    lines[number - 1] = lines[number - 1].replacen(cells[4], cells[5], 1);
    (cells[1].to_owned(), cells[2].to_owned(), lines.join("\n") + "\n")
}

/// The faulty program is repaired, `patch` applies what is printed, and then nothing is wrong any more.
fn repairs(row: &str) -> Result<(), String> {
    let (file, function, text) = faulty(row);
    let folder = folder(&[(&file, &text)]);
    let arguments = ["repair", &file, "--function", &function, "--format", "json", "--size", "3"];
    let found = run(folder.path(), &arguments);
    let report: serde_json::Value =
        serde_json::from_slice(&found.stdout).map_err(|_| format!("{row}: {}", found.stderr_text()))?;
    let fix = &report["diagnosis"]["suspects"][0]["fix"];
    let (diff, checked) = (fix["diff"].as_str().unwrap_or_default(), fix["checked"].as_str().unwrap_or_default());
    if found.status != 1 || !matches!(checked, "bounded" | "proved") {
        return Err(format!("{row}: status {}, checked {checked}: {}", found.status, report["diagnosis"]));
    }
    let patched = finish(Command::new("patch").args(["-p1", "--quiet"]).current_dir(folder.path()), diff.as_bytes());
    if patched.status != 0 {
        return Err(format!("{row}: the patch does not apply\n{diff}"));
    }
    let again = run(folder.path(), &["repair", &file, "--function", &function, "--size", "3"]);
    match again.status {
        0 => Ok(()),
        _ => Err(format!("{row}: still wrong\n{diff}{}", again.stderr_text())),
    }
}

#[test]
fn faults_of_the_paper_are_corrected() {
    let complaints: Vec<String> =
        in_parallel(&SAMPLE, |row| repairs(row)).into_iter().filter_map(Result::err).collect();
    report_all("faults", SAMPLE.len(), complaints);
}

const TWICE: &str =
    "/*@ requires -1000 < x < 1000; ensures \\result == 2 * x; */\nint twice(int x)\n{\n    return x + 1;\n}\n";

#[test]
fn the_patch_is_shown_and_applied() {
    let folder = folder(&[("twice.c", TWICE)]);
    let arguments = ["repair", "twice.c", "--function", "twice"];
    let shown = run(folder.path(), &arguments);
    expect(
        &shown,
        1,
        &["`twice` fails", "\\result == 2 * x", "proved for all inputs", "+    return x + x;", "--apply"],
    );
    assert_eq!(fs::read_to_string(folder.path().join("twice.c")).unwrap(), TWICE);
    expect(&run(folder.path(), &[&arguments[..], &["--apply"]].concat()), 1, &["wrote the patch into twice.c"]);
    expect(&run(folder.path(), &arguments), 0, &["nothing to repair in `twice`", "proved for all inputs"]);
}

#[test]
fn tests_say_what_is_meant() {
    let text = "int last(int *a, int n)\n{\n    return a[0];\n}\n";
    let table = "a\tn\tresult\n[1,2,3]\t3\t3\n[7]\t1\t7\n[4,5]\t2\t5\n[1,9,0,0]\t2\t9\n";
    let folder = folder(&[("last.c", text), ("t.tsv", table)]);
    let run = run(folder.path(), &["repair", "last.c", "--function", "last", "--tests", "t.tsv"]);
    expect(&run, 1, &["+    return a[n - 1];", "all 4 tests pass"]);
}

/// Each array has its own elements.
#[test]
fn tests_may_have_several_arrays() {
    let text =
        "void copy(int *a, int *b, int n)\n{\n    int i;\n    for (i = 1; i < n; i++)\n        a[i] = b[i];\n}\n";
    let table = "a\tb\tn\ta'\n[5,6]\t[7,8]\t2\t[7,8]\n[1]\t[2]\t1\t[2]\n[3,1,4]\t[0,9,5]\t3\t[0,9,5]\n";
    let folder = folder(&[("copy.c", text), ("copy.tsv", table)]);
    let found = run(folder.path(), &["repair", "copy.c", "--function", "copy", "--tests", "copy.tsv"]);
    expect(&found, 1, &["+    for (i = 0; i < n; i++)"]);
}

#[test]
fn whole_programs_have_folders_of_tests() {
    let text = "#include <stdio.h>\nint main(void)\n{\n    int a, b;\n    scanf(\"%d%d\", &a, &b);\n    printf(\"%d\\n\", a > b ? b : a);\n    return 0;\n}\n";
    let tests = [
        ("t/1.in", "1 2"),
        ("t/1.out", "2\n"),
        ("t/2.in", "5 3"),
        ("t/2.out", "5\n"),
        ("t/3.in", "4 4"),
        ("t/3.out", "4"),
    ];
    let folder = folder(&[&[("larger.c", text)][..], &tests].concat());
    let run = run(folder.path(), &["repair", "larger.c", "--function", "main", "--tests", "t"]);
    expect(&run, 1, &["tests pass", "+    printf("]);
}

#[test]
fn a_command_judges() {
    let text = "int half(int n)\n{\n    return n * 2;\n}\n";
    let main = "int half(int);\nint main(void) { return half(8) != 4 || half(2) != 1; }\n";
    let folder = folder(&[("half.c", text), ("main.c", main)]);
    let command = ["--test-command", "cc -o t half.c main.c && ./t"];
    let arguments = [&["repair", "half.c", "--function", "half"][..], &command].concat();
    expect(&run(folder.path(), &arguments), 1, &["+    return n / 2;", "succeeds"]);
    assert!(!folder.path().join("t").exists(), "the user's folder is not touched");
    expect(&run(folder.path(), &[&arguments[..], &["--apply"]].concat()), 1, &["wrote the patch into half.c"]);
    expect(&run(folder.path(), &arguments), 0, &["nothing to repair in `half`"]);
}

#[test]
fn two_changes_where_one_is_not_enough() {
    let text = "/*@ requires -100 < x < 100 && \\valid(p) && \\valid(q);\n    ensures *p == x + 1 && *q == x - 1; */\n\
                void around(int *p, int *q, int x)\n{\n    *p = x + 2;\n    *q = x - 2;\n}\n";
    let folder = folder(&[("around.c", text)]);
    let arguments = ["repair", "around.c", "--function", "around"];
    let both = run(folder.path(), &arguments);
    expect(&both, 1, &["+    *p = x + 1;", "+    *q = x - 1;", "proved for all inputs"]);
    let single = run(folder.path(), &[&arguments[..], &["--changes", "1"]].concat());
    expect(&single, 1, &["no change of one statement was found"]);
}

/// A run that does not end is a failing test like others.
#[test]
fn tests_may_not_end() {
    let text = "int down(int n)\n{\n    while (n > 0)\n        n = n;\n    return n;\n}\n";
    let table = "n\tresult\n3\t0\n0\t0\n1\t0\n-4\t-4\n";
    let folder = folder(&[("down.c", text), ("t.tsv", table)]);
    let found = run(folder.path(), &["repair", "down.c", "--function", "down", "--tests", "t.tsv"]);
    expect(&found, 1, &["it does not end", "+        n = n - 1;"]);
}

#[test]
fn structures_are_inputs() {
    let text = "struct account { int balance; int limit; };\n\
                /*@ requires \\valid(a) && 0 <= n < 1000 && 0 <= a->balance < 1000;\n    assigns a->balance;\n\
                    ensures a->balance == \\old(a->balance) + n; */\n\
                void deposit(struct account *a, int n)\n{\n    a->balance = a->balance - n;\n}\n";
    let table = "a.balance\ta.limit\tn\ta.balance'\ta.limit'\n5\t1\t2\t7\t1\n0\t9\t3\t3\t9\n4\t0\t0\t4\t0\n";
    let shapes = "typedef struct { int x, y; } point;\nint area(point p, point q)\n{\n    return (q.x - p.x) * (q.y + p.y);\n}\n";
    let points = "p.x\tp.y\tq.x\tq.y\tresult\n0\t0\t2\t3\t6\n1\t1\t3\t5\t8\n-1\t2\t4\t3\t5\n";
    let folder = folder(&[("account.c", text), ("t.tsv", table), ("area.c", shapes), ("p.tsv", points)]);
    let change = "+    a->balance = a->balance + n;";
    let arguments = ["repair", "account.c", "--function", "deposit"];
    expect(&run(folder.path(), &arguments), 1, &[change, "proved for all inputs"]);
    let by_table = [&arguments[..], &["--tests", "t.tsv"]].concat();
    expect(&run(folder.path(), &by_table), 1, &[change]);
    let found = run(folder.path(), &["repair", "area.c", "--function", "area", "--tests", "p.tsv"]);
    expect(&found, 1, &["+    return (q.x - p.x) * (q.y - p.y);", "all 3 tests pass"]);
}

#[test]
fn rows_are_inputs() {
    let text = "int diagonal(int **m, int n)\n{\n    int i, s = 0;\n    for (i = 0; i < n; i++)\n        s = s + m[i][0];\n    return s;\n}\n";
    let table = "m\tn\tresult\n[[1,2],[3,4]]\t2\t5\n[[7]]\t1\t7\n[[0,0,5],[0,2,0],[1,0,3]]\t3\t5\n";
    let folder = folder(&[("m.c", text), ("t.tsv", table)]);
    let found = run(folder.path(), &["repair", "m.c", "--function", "diagonal", "--tests", "t.tsv"]);
    expect(&found, 1, &["+        s = s + m[i][i];", "all 3 tests pass"]);
}

/// A program with `input` and `output` pairs, repaired without a word about where; the first patch has the line.
#[track_caller]
fn program_becomes(text: &str, tests: &[(&str, &str)], line: &str) {
    let mut files = vec![("p.c".to_owned(), text.to_owned())];
    for (number, (input, output)) in tests.iter().enumerate() {
        files.push((format!("t/{number}.in"), (*input).to_owned()));
        files.push((format!("t/{number}.out"), (*output).to_owned()));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    expect(&run(folder.path(), &["repair", "p.c", "--tests", "t", "--changes", "1"]), 1, &[line, "tests pass"]);
}

#[test]
fn without_a_name_every_function_may_be_wrong() {
    let text = "#include <stdio.h>\nint larger(int a, int b)\n{\n    return a < b ? a : b;\n}\nint main(void)\n{\n    int a, b;\n    scanf(\"%d%d\", &a, &b);\n    printf(\"%d\\n\", larger(a, b) + larger(a, 0));\n    return 0;\n}\n";
    let tests = [("1 2", "3"), ("5 3", "10"), ("-4 -6", "-4"), ("-7 2", "2"), ("9 9", "18")];
    program_becomes(text, &tests, "+    return a > b ? a : b;");
}

#[test]
fn arrays_become_longer_and_types_wider() {
    let text = "#include <stdio.h>\nint a[5];\nint main(void)\n{\n    int n, i;\n    scanf(\"%d\", &n);\n    for (i = 0; i < n; i++) scanf(\"%d\", &a[i]);\n    for (i = n - 1; i >= 0; i--) printf(\"%d \", a[i]);\n    return 0;\n}\n";
    program_becomes(text, &[("2 1 2", "2 1"), ("7 1 2 3 4 5 6 7", "7 6 5 4 3 2 1")], "+int a[50];");
    let text = "#include <stdio.h>\nint main(void)\n{\n    int n, i;\n    scanf(\"%d\", &n);\n    int p = 1;\n    for (i = 0; i < n; i++) p = p * 10;\n    printf(\"%lld\\n\", (long long)p);\n    return 0;\n}\n";
    program_becomes(text, &[("2", "100"), ("12", "1000000000000"), ("1", "10")], "+    long long p = 1;");
}

#[test]
fn what_is_printed_and_where_branches_end() {
    let text = "#include <stdio.h>\nint main(void)\n{\n    int n;\n    scanf(\"%d\", &n);\n    if (n % 2) printf(\"odd\\n\");\n    if (n > 100) printf(\"large\\n\");\n    else printf(\"Even\\n\");\n    return 0;\n}\n";
    let tests = [("3", "odd\n"), ("103", "odd\n"), ("5", "odd\n"), ("4", "Even\n"), ("104", "large\n")];
    program_becomes(text, &tests, "else if (n > 100)");
    let text = text.replace("    if (n > 100)", "    else if (n > 100)").replace("Even", "Equal");
    program_becomes(&text, &tests, "else printf(\"Even\\n\");");
}

#[test]
fn a_missing_statement_is_added() {
    let text = "/*@ requires \\valid(p) && \\valid(q); ensures *p == \\old(*q) && *q == \\old(*p); */\nvoid swap(int *p, int *q)\n{\n    int t = *p;\n    *p = *q;\n}\n";
    let folder = folder(&[("swap.c", text)]);
    let run = run(folder.path(), &["repair", "swap.c", "--function", "swap", "--changes", "1"]);
    expect(&run, 1, &["+    *q = t;", "is added", "proved for all inputs"]);
}

#[test]
fn every_other_outcome_has_its_words() {
    let contract = "/*@ requires n > 0; ensures \\result == n; */\nint same(int n)\n{\n    return n;\n}\n";
    let files = [
        ("same.c", contract),
        ("plain.c", "int f(int n)\n{\n    return n;\n}\n"),
        ("wrong.c", "/*@ ensures \\fresh(n); */\nint f(int n)\n{\n    return n;\n}\n"),
        ("none.c", "/*@ requires n > 0 && n < 0; ensures \\result == 1; */\nint f(int n)\n{\n    return n;\n}\n"),
        (
            "hard.c",
            "/*@ requires 0 <= n < 100; ensures \\result == n * n * n + 17; */\nint f(int n)\n{\n    return 0;\n}\n",
        ),
        ("pointer.c", "/*@ ensures \\result == 0; */\nint f(int *p)\n{\n    return *p;\n}\n"),
        ("two.tsv", "n\tresult\n1\t1\n1\t2\n"),
        ("bad.tsv", "n\tresult\none\t1\n"),
        ("p.tsv", "p\tresult\n[]\t1\n"),
        (
            "many.c",
            "/*@ requires \\forall integer k; k > 0 ==> n > k; ensures \\result == n; */\nint f(int n)\n{\n    return n;\n}\n",
        ),
        ("list.c", "struct n { int v; struct n *next; };\nint f(struct n *l)\n{\n    return l->v;\n}\n"),
        ("union.c", "union u { int i; float f; };\nint f(union u *u)\n{\n    return u->i;\n}\n"),
        ("call.c", "int f(int (*g)(int))\n{\n    return g(1);\n}\n"),
        ("file.c", "#include <stdio.h>\nint f(FILE *p)\n{\n    return p == 0;\n}\n"),
        ("far.c", "struct s { int m[100]; };\nint f(struct s *p)\n{\n    return p->m[0];\n}\n"),
        ("void.c", "int f(void *p)\n{\n    return p == 0;\n}\n"),
        ("open.c", "/*@ ensures \\result == (n; */\nint f(int n)\n{\n    return n;\n}\n"),
        ("unknown.c", "/*@ ensures \\result == m; */\nint f(int n)\n{\n    return n;\n}\n"),
        ("wide.c", "/*@ ensures \\result == x + 1; */\nunsigned f(unsigned x)\n{\n    return x + 1u;\n}\n"),
        ("empty/readme", "no test"),
        ("same/1.in", "1"),
        ("same/1.out", "1"),
        ("same/2.in", "1"),
        ("same/2.out", "2"),
        ("main.c", "int main(void)\n{\n    return 0;\n}\n"),
    ];
    let folder = folder(&files);
    let check = |arguments: &[&str], status: i32, parts: &[&str]| {
        expect(&run(folder.path(), &[&["repair"], arguments].concat()), status, parts);
    };
    check(&["same.c", "--function", "same"], 0, &["nothing to repair in `same`: proved for all inputs"]);
    check(&["same.c", "--function", "other"], 2, &["same.c defines no function `other`: there are `same`"]);
    check(&["wide.c", "--function", "f"], 1, &["with x = 4294967295\n", "no change"]);
    check(&["plain.c", "--function", "f"], 2, &["nothing says what `f` is to do", "--tests"]);
    check(&["wrong.c", "--function", "f"], 2, &["`\\fresh` is outside the subset of ACSL", "wrong.c:1:13"]);
    check(&["hard.c", "--function", "f", "--changes", "1"], 1, &["no change of one statement was found"]);
    check(&["pointer.c", "--function", "f"], 2, &["inputs for `p` of `f` cannot be made", "\\valid"]);
    check(
        &["plain.c", "--function", "f", "--tests", "two.tsv"],
        2,
        &["the tests contradict each other: two.tsv:2 and two.tsv:3"],
    );
    check(&["plain.c", "--function", "f", "--tests", "bad.tsv"], 2, &["bad.tsv:2: `one` is no number for `n`"]);
    check(&["plain.c", "--function", "f", "--tests", "none.tsv"], 2, &["cannot read none.tsv"]);
    for (file, reason) in [
        ("list.c", "its member `next` leads to other structures; lists and trees cannot be made"),
        ("union.c", "it is a union"),
        ("call.c", "it is a function"),
        ("void.c", "nothing says what it points to"),
        ("far.c", "its member `m` has more than 64 elements"),
    ] {
        check(&[file, "--function", "f", "--tests", "two.tsv"], 2, &["of `f` cannot be made", reason]);
    }
    let reason = "inputs for `p` of `f` cannot be made: `FILE` is neither a number nor a structure of this file";
    check(&["file.c", "--function", "f", "--tests", "p.tsv"], 2, &[reason]);
    check(&["none.c", "--function", "f"], 2, &["no input", "meets what `f` requires"]);
    check(&["many.c", "--function", "f"], 2, &["many.c:1:", "bound"]);
    check(&["open.c", "--function", "f"], 2, &["open.c:1:"]);
    check(&["unknown.c", "--function", "f"], 2, &["unknown.c:1:24", "`m`"]);
    check(&["main.c", "--function", "main", "--tests", "empty"], 2, &["no tests are here", "NAME.in"]);
    check(&["main.c", "--tests", "same"], 2, &["the tests contradict each other: same/1.in and same/2.in"]);
    check(&["plain.c"], 2, &["--function is needed"]);
    check(&["main.c", "--tests", "nowhere"], 2, &["cannot read nowhere: there is no such file or folder"]);
    check(&["plain.c", "--tests", "same"], 2, &["defines no function `main`"]);
}
