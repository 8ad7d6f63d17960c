//! `faultline explain`: the right line first, a patch that holds, and clear answers where there is nothing to explain.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::process::{faultline, finish, root};

/// Lines of an example that say what is wrong in them.
const MARK: &str = "// fault";

fn explain(arguments: &[&str]) -> (i32, String, String) {
    let run = finish(&mut faultline([&["explain"], arguments].concat()), b"");
    (run.status, run.stdout_text(), run.stderr_text())
}

#[test]
fn the_faulty_line_of_an_example_comes_first_with_a_checked_patch() {
    for name in ["queue", "versions"] {
        let file = root().join(format!("examples/{name}.c"));
        let text = fs::read_to_string(&file).expect("the example is there");
        let marked = text.lines().position(|line| line.contains(MARK)).expect("a line says what is wrong") as u64 + 1;
        let (status, document, _) = explain(&[&file.display().to_string(), "--format", "json"]);
        let document: Value = serde_json::from_str(&document).expect("the report is JSON");
        let first = &document["diagnosis"]["suspects"][0];
        assert_eq!((status, first["line"].as_u64()), (1, Some(marked)), "{name}");
        let checked = first["fix"]["checked"].as_str().unwrap_or("no patch");
        assert!(["bounded", "proved"].contains(&checked), "{name}: {checked}");
        assert!(first["engines"].as_array().is_some_and(|engines| engines.len() > 1), "{name}");
    }
}

#[test]
fn a_patch_can_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("versions.c");
    fs::copy(root().join("examples/versions.c"), &copy).expect("the example can be copied");
    let (status, _, words) = explain(&[&copy.display().to_string(), "--apply"]);
    assert!(status == 1 && words.contains("wrote the patch"), "{words}");
    let again = finish(&mut faultline(["check", &copy.display().to_string()]), b"");
    assert_eq!(again.status, 0, "{}", again.stderr_text());
}

/// A string without the byte for its end, by an access and by a function of the library.
#[test]
fn room_for_the_end_of_a_string() {
    const WAYS: [&str; 2] = ["memcpy(copy, text, length);\n    copy[length] = 0;", "strcpy(copy, text);"];
    let folder = tempfile::tempdir().expect("a folder");
    for way in WAYS {
        let file = folder.path().join("copy.c");
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             static char *copied(const char *text)\n{{\n    size_t length = strlen(text);\n\
             \x20   char *copy = malloc(length);\n    if (!copy)\n        return 0;\n    {way}\n    return copy;\n}}\n\
             int main(int argc, char **argv)\n{{\n    for (int i = 1; i < argc; i++) {{\n\
             \x20       char *copy = copied(argv[i]);\n        puts(copy);\n        free(copy);\n    }}\n    return 0;\n}}\n"
        );
        fs::write(&file, &text).expect("the program can be written");
        let name = file.display().to_string();
        let (status, _, words) = explain(&[&name, "--", "one", "three"]);
        assert!(status == 1 && words.contains("suspect 1 of") && words.contains("= malloc(length + 1);"), "{words}");
        let first = words.split("suspect 2 of").next().unwrap_or_default();
        assert!(first.contains("`malloc(length)` becomes `malloc(length + 1)`"), "{words}");
    }
}

/// What somebody forgets who uses it for the first time.
#[test]
fn whoever_gives_nothing_is_told_how() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("count.c");
    fs::write(&file, "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }\n").expect("a file");
    fs::write(folder.path().join("data.txt"), "1\n").expect("a file");
    let name = file.display().to_string();
    let (status, _, words) = explain(&[&name]);
    let ways = [format!("faultline explain {name} -- ARGUMENTS"), format!("faultline explain {name} --stdin FILE")];
    assert!(status == 0 && ways.iter().all(|way| words.contains(way)), "{words}");
    let (_, _, words) = explain(&[&name, "--", "y"]);
    assert!(words.contains("did not fail") && !words.contains("ARGUMENTS"), "{words}");
    let (status, _, words) = explain(&[&name, "y"]);
    assert!(status == 2 && words.contains("behind --, as in -- y"), "{words}");
    let data = folder.path().join("data.txt").display().to_string();
    let (status, _, words) = explain(&[&name, &data]);
    assert!(status == 2 && words.contains(&format!("--stdin {data}")), "{words}");
    let run = finish(&mut faultline([&name]), b"");
    assert!(
        run.status == 2 && run.stderr_text().contains(&format!("faultline explain {name}")),
        "{}",
        run.stderr_text()
    );
    let run = finish(&mut faultline(["check", &name]), b"");
    assert!(run.status == 0 && run.stderr_text().contains("without arguments"), "{}", run.stderr_text());
}

#[test]
fn where_nothing_fails_nothing_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("fine.c");
    fs::write(&file, "int main(void) { return 0; }\n").expect("the program can be written");
    let file = file.display().to_string();
    let (status, _, words) = explain(&[&file]);
    assert!(status == 0 && words.contains("did not fail"), "{words}");
    let (status, _, words) = explain(&[&file, "--timeout", "0s"]);
    assert!(status == 2 && words.contains("no time"), "{words}");
}

const FIRST_OF: &str = "/*@ requires n > 0 && \\valid_read(a + (0 .. n - 1));
    ensures \\forall integer k; 0 <= k < n ==> \\result >= a[k];
    ensures \\exists integer k; 0 <= k < n && \\result == a[k]; */
int largest(int a[], int n)
{
    int best = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] < best)
            best = a[i];
    return best;
}
";

/// Without a run that fails, contracts and tests say what is wrong.
#[test]
fn a_contract_or_a_table_of_tests_is_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("largest.c");
    let tests = folder.path().join("largest.tsv");
    fs::write(&file, FIRST_OF).expect("the program can be written");
    fs::write(&tests, "a\tn\tresult\n[1,2,3]\t3\t3\n[4]\t1\t4\n[2,9,1]\t3\t9\n").expect("the tests can be written");
    let (file, tests) = (file.display().to_string(), tests.display().to_string());
    for arguments in [&[file.as_str()][..], &[&file, "--function", "largest", "--tests", &tests]] {
        let (status, _, words) = explain(arguments);
        assert!(status == 1 && words.contains("+        if (a[i] > best)"), "{arguments:?}\n{words}");
    }
    fs::write(folder.path().join("largest.c"), FIRST_OF.replace("< best", "> best")).expect("it can be written");
    let (status, _, words) = explain(&[&file]);
    assert!(status == 0 && words.contains("does what is specified"), "{words}");
    let (status, _, words) = explain(&[&file, "--function", "smallest"]);
    assert!(status == 2 && words.contains("smallest"), "{words}");
}

/// A contract has its say beside the engines that look at the failing run.
#[test]
fn a_contract_of_a_function_in_the_failing_run_is_asked_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("largest.c");
    let main = "#include <assert.h>\nint main(void)\n{\n    int a[] = {2, 9, 1};\n    assert(largest(a, 3) == 9);\n}\n";
    fs::write(&file, format!("{FIRST_OF}{main}")).expect("the program can be written");
    let file = file.display().to_string();
    let (_, document, words) = explain(&[&file, "--timeout", "60s", "--format", "json"]);
    let document: Value = serde_json::from_str(&document).unwrap_or_else(|error| panic!("{error}: {words}"));
    let first = &document["diagnosis"]["suspects"][0];
    assert_eq!(first["line"].as_u64(), Some(8), "{first}");
    let engines = first["engines"].to_string();
    assert!(engines.contains("autodebug") && engines.contains("ped"), "{engines}");
}

/// Whether a process has the folder as its place for temporary files.
fn is_at_work(folder: &Path) -> bool {
    let mark = format!("TMPDIR={}", folder.display()).into_bytes();
    let entries = fs::read_dir("/proc").expect("processes can be listed").flatten();
    let mut environments = entries.filter_map(|entry| fs::read(entry.path().join("environ")).ok());
    environments.any(|it| it.split(|&byte| byte == 0).any(|variable| variable == mark))
}

/// Killed at any moment, it leaves no half-written report and no process.
#[test]
fn nothing_is_left_of_one_that_was_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, input) = (folder.path().join("report.html"), folder.path().join("input.txt"));
    fs::write(folder.path().join("repeated.c"), REPEATED).expect("the program can be written");
    fs::write(&input, "9 abcdef\n").expect("the input can be written");
    for milliseconds in [20, 150, 600, 1500, 4000] {
        let _ = fs::remove_file(&report);
        let options = ["explain", "repeated.c", "--stdin", "input.txt", "--format", "html", "--output", "report.html"];
        let mut command = faultline(options);
        command.current_dir(&folder).env("TMPDIR", folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it can be started");
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().and_then(|()| child.wait()).expect("it can be killed");
        let written = fs::read_to_string(&report).unwrap_or_default();
        assert!(written.is_empty() || written.trim_end().ends_with("</html>"), "after {milliseconds} ms");
        let patience = Instant::now() + Duration::from_secs(30);
        while is_at_work(folder.path()) {
            assert!(Instant::now() < patience, "after {milliseconds} ms a process is left");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Reads a number and a word, and writes the word so often into a buffer that may be too small.
const REPEATED: &str = "#include <stdio.h>
#include <string.h>
int main(void)
{
    char word[16], all[32] = \"\";
    int count;
    if (scanf(\"%d %15s\", &count, word) != 2)
        return 2;
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        memcpy(all + used, word, strlen(word));
        used += strlen(word);
    }
    fwrite(all, 1, used, stdout);
    return 0;
}
";

/// With a failing input, native runs near it are asked, too; and a build alone is enough.
#[test]
fn a_failing_input_brings_likely_invariants() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, input) = (folder.path().join("repeated.c"), folder.path().join("input.txt"));
    fs::write(&file, REPEATED).expect("the program can be written");
    fs::write(&input, "9 abcdef\n").expect("the input can be written");
    let (file, input) = (file.display().to_string(), input.display().to_string());
    let (status, document, words) = explain(&[&file, "--stdin", &input, "--timeout", "60s", "--format", "json"]);
    assert_eq!(status, 1, "{words}");
    let document: Value = serde_json::from_str(&document).expect("the report is JSON");
    let engines = document["diagnosis"]["engines"].to_string();
    assert!(engines.contains("likely-invariants") && engines.contains("relevance"), "{engines}");

    let build = folder.path().join("repeated").display().to_string();
    let compiled = finish(&mut faultline(["cc", "-g", "-O1", "-fsanitize=address", &file, "-o", &build]), b"");
    assert_eq!(compiled.status, 0, "{}", compiled.stderr_text());
    let (status, _, words) = explain(&[&build, "--stdin", &input]);
    assert!(status == 1 && words.contains("suspect 1"), "{words}");
    let (status, _, words) = explain(&[&build]);
    assert!(status == 2 && words.contains("--stdin"), "{words}");
    let (status, _, words) = explain(&[&build, "--stdin", &input, "--apply"]);
    assert!(status == 2 && words.contains("no source"), "{words}");
}

/// Programs that read the report get one, also where nothing fails.
#[test]
fn machines_are_told_that_nothing_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("the program can be written");
        file.display().to_string()
    };
    let met = FIRST_OF.replace("< best", "> best");
    let closed = write("closed.c", "int main(void) { return 0; }\n");
    let open = write("open.c", "extern int nondet_int(void);\nint main(void) { return nondet_int() / 2 > 7; }\n");
    let specified = write("specified.c", &format!("{met}int main(void) {{ return 0; }}\n"));
    for file in [&closed, &open, &specified] {
        let (status, document, words) = explain(&[file, "--format", "json"]);
        let document: Value =
            serde_json::from_str(&document).unwrap_or_else(|error| panic!("{file}: {error}\n{words}"));
        assert_eq!((status, document["verdict"].as_str()), (0, Some("no-fault")), "{file}: {words}");
        assert_eq!(document["diagnosis"]["suspects"].as_array().map(Vec::len), Some(0));
    }
}
