//! The command line: exit statuses, messages for input that is none, limits, what goes where.

use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish};

/// A folder with files in it; commands start there.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

fn run_in(folder: &Path, arguments: &[&str], stdin: &str) -> Finished {
    finish(faultline(arguments).current_dir(folder), stdin.as_bytes())
}

/// Runs a program that is one file.
fn run(program: &str, options: &[&str], stdin: &str) -> Finished {
    let folder = folder(&[("program.c", program)]);
    run_in(folder.path(), &[&["run", "program.c"], options].concat(), stdin)
}

/// The exit status, and parts of what is said on standard error.
#[track_caller]
fn expect(run: &Finished, status: i32, parts: &[&str]) {
    let stderr = run.stderr_text();
    assert_eq!(run.status, status, "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
    }
    assert!(!stderr.contains("panicked") && !stderr.contains("bug in faultline"), "{stderr}");
}

const FINE: &str = "int main(void) { return 0; }\n";
const ENDLESS: &str = "int main(void) { for (;;) ; }\n";

#[test]
fn statuses() {
    expect(&run(FINE, &[], ""), 0, &[]);
    expect(&run("int main(void) { int a[2] = {0}, i = 2; return a[i]; }", &[], ""), 1, &["error["]);
    expect(&run("int main(void) { return 3; }", &[], ""), 0, &["note: the program exited with status 3"]);
    expect(&run("int main(void) { return 3; }", &["--exit-status"], ""), 3, &[]);
    let quiet = run("int main(void) { return 3; }", &["-q"], "");
    expect(&quiet, 0, &[]);
    assert_eq!(quiet.stderr_text(), "");
    expect(&run("void abort(void); int main(void) { abort(); }", &["--exit-status"], ""), 134, &["aborted"]);
}

#[test]
fn usage() {
    let here = folder(&[("program.c", FINE)]);
    let run = |arguments: &[&str]| run_in(here.path(), arguments, "");
    expect(&run(&[]), 2, &["Usage"]);
    expect(&run(&["run"]), 2, &["FILE"]);
    expect(&run(&["prove", "program.c"]), 2, &["prove"]);
    expect(&run(&["run", "program.c", "--frobnicate"]), 2, &["--frobnicate"]);
    expect(&run(&["run", "program.c", "--nondet", "abc"]), 2, &["--nondet", "`abc` is no value"]);
    expect(&run(&["run", "program.c", "--timeout", "soon"]), 2, &["--timeout", "10s"]);
    expect(&run(&["run", "program.c", "--memory", "1Q"]), 2, &["--memory", "unknown unit"]);
    expect(&run(&["run", "program.c", "--property", "beauty"]), 2, &["no check `beauty`", "overflow"]);
    expect(&run(&["run", "program.c", "--file", "name"]), 2, &["NAME=PATH"]);
    expect(&run(&["run", "program.c", "--stdin", "none.txt"]), 2, &["cannot read none.txt"]);
    expect(&run(&["run", "program.c", "--cflags", "'"]), 2, &["quote"]);
    let help = run(&["--help"]);
    expect(&help, 0, &[]);
    assert!(help.stdout_text().contains("Examples:"));
    let version = run(&["--version"]);
    assert_eq!(version.stdout_text(), format!("faultline {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn files_that_are_no_programs() {
    let here = folder(&[
        ("empty.c", ""),
        ("broken.c", "int main(void) { return x; }\n"),
        ("library.c", "int twice(int x) { return 2 * x; }\n"),
        ("nothing.c", "typedef int number;\n"),
        ("text.bc", "no bitcode"),
        ("notes.txt", "hello"),
        ("fine.c", FINE),
        ("main2.c", FINE),
    ]);
    fs::create_dir(here.path().join("folder")).unwrap();
    fs::write(here.path().join("binary.c"), b"\x7fELF\x02\x01\x01\0\0").unwrap();
    let run = |file: &str| run_in(here.path(), &["run", file], "");
    expect(&run("missing.c"), 2, &["error: cannot read missing.c"]);
    expect(&run("empty.c"), 2, &["empty.c is empty"]);
    expect(&run("folder"), 2, &["is a directory"]);
    expect(&run("binary.c"), 2, &["binary.c is an ELF binary"]);
    expect(&run("notes.txt"), 2, &["unknown ending"]);
    expect(&run("text.bc"), 2, &["no LLVM bitcode"]);
    expect(&run("broken.c"), 2, &["does not compile", "undeclared identifier 'x'", "broken.c:1:25"]);
    expect(&run("library.c"), 2, &["no `main`", "`twice`"]);
    expect(&run("nothing.c"), 2, &["no `main`", "no function at all"]);
    expect(&run_in(here.path(), &["run", "fine.c", "main2.c"], ""), 2, &["cannot link main2.c"]);
}

#[test]
fn bitcode() {
    let here = folder(&[("fine.c", "int main(void) { return 7; }\n")]);
    let arguments = ["-g", "-c", "-emit-llvm", "fine.c", "-o", "fine.bc"];
    assert_eq!(finish(Command::new("clang-19").args(arguments).current_dir(here.path()), b"").status, 0);
    expect(&run_in(here.path(), &["run", "fine.bc"], ""), 0, &["status 7"]);

    let bytes = fs::read(here.path().join("fine.bc")).unwrap();
    fs::write(here.path().join("short.bc"), &bytes[..bytes.len() / 2]).unwrap();
    expect(&run_in(here.path(), &["run", "short.bc"], ""), 2, &["short.bc"]);
    // Another version's bitcode has another epoch and other records; to the reader both are damage.
    let mut foreign = bytes.clone();
    for byte in foreign.iter_mut().skip(40).take(200) {
        *byte ^= 0x55;
    }
    fs::write(here.path().join("foreign.bc"), foreign).unwrap();
    expect(&run_in(here.path(), &["run", "foreign.bc"], ""), 2, &["foreign.bc", "compile it again with clang 19"]);
}

#[test]
fn compilers_that_are_none() {
    let here = folder(&[("fine.c", FINE)]);
    let run =
        |clang: &Path| finish(faultline(["run", "fine.c"]).current_dir(here.path()).env("FAULTLINE_CLANG", clang), b"");
    expect(&run(Path::new("/nonexistent/clang")), 2, &["cannot run /nonexistent/clang", "FAULTLINE_CLANG"]);
    let old = here.path().join("old-clang");
    fs::write(&old, "#!/bin/sh\necho clang version 14.0.6\n").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    expect(&run(&old), 2, &["clang version 14.0.6", "version 19 is needed"]);
}

#[test]
fn limits() {
    expect(&run(ENDLESS, &["--max-steps", "1e5"], ""), 3, &["after 100,000 steps", "--max-steps", "program.c:1"]);
    expect(&run(ENDLESS, &["--timeout", "200ms"], ""), 3, &["after 0.2 s", "--timeout"]);
    let hog = "int main(void) { for (int n = 1; n < 100000; n++) { volatile char a[n]; a[0] = 1; } for (;;) ; }";
    expect(&run(hog, &["--memory", "64K", "--timeout", "20s"], ""), 3, &["--memory"]);
    let flood = "int puts(const char *); int main(void) { for (;;) puts(\"flood\"); }";
    let flooded = run(flood, &["--max-output", "1M"], "");
    expect(&flooded, 3, &["prints more than", "--max-output"]);
    assert!(flooded.stdout.len() <= 1 << 20 && flooded.stdout.len() > 1 << 19, "{}", flooded.stdout.len());
    let deep = "int f(int n) { return n ? f(n + 1) + 1 : 0; } int main(void) { return f(1); }";
    expect(&run(deep, &[], ""), 1, &["error[stack-overflow]", "more calls"]);
}

#[test]
fn what_is_not_known_is_inconclusive() {
    let unknown = "int mystery(int); int main(void) { return mystery(1); }";
    expect(&run(unknown, &[], ""), 3, &["inconclusive[unknown-function]", "`mystery`", "program.c:1:43"]);
    let assembly = "int main(void) { __asm__ volatile(\"cpuid\"); return 0; }";
    expect(&run(assembly, &[], ""), 3, &["inconclusive[unsupported]"]);
}

#[test]
fn inputs() {
    let echo = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }";
    assert_eq!(run(echo, &[], "a\0b\n").stdout, b"a\0b\n");
    assert_eq!(run(echo, &[], "").stdout, b"");
    let here = folder(&[("program.c", echo), ("input.txt", "from a file\n")]);
    let from_file = run_in(here.path(), &["run", "program.c", "--stdin", "input.txt"], "not this");
    assert_eq!(from_file.stdout, b"from a file\n");

    let arguments =
        "#include <stdio.h>\nint main(int n, char **v) { for (int i = 1; i < n; i++) puts(v[i]); return 0; }";
    let here = folder(&[("program.c", arguments)]);
    let mut command = faultline(["run", "program.c", "--", "-q"]);
    command.arg(std::ffi::OsString::from_vec(vec![b'x', 0xff])).current_dir(here.path());
    assert_eq!(finish(&mut command, b"").stdout, b"-q\nx\xff\n");

    let nondet = "#include <stdio.h>\nint __VERIFIER_nondet_int(void);\n\
                  int main(void) { for (int i = 0; i < 3; i++) printf(\"%d \", __VERIFIER_nondet_int()); return 0; }";
    assert_eq!(run(nondet, &["--nondet", "7,-1"], "").stdout_text(), "7 -1 0 ");
    let random = run(nondet, &["--seed", "5"], "").stdout_text();
    assert_eq!(random, run(nondet, &["--seed", "5"], "").stdout_text());
}

#[test]
fn files_of_the_program() {
    let copy = "#include <stdio.h>\n\
                int main(void) {\n\
                FILE *in = fopen(\"in.txt\", \"r\"), *out = fopen(\"out.txt\", \"w\");\n\
                if (!in || !out) return 1;\n\
                int c; while ((c = getc(in)) != EOF) putc(c + 1, out);\n\
                fclose(in); return fclose(out); }";
    let here = folder(&[("program.c", copy), ("real.txt", "HAL")]);
    let run = |options: &[&str]| run_in(here.path(), &[&["run", "program.c", "--exit-status"], options].concat(), "");
    expect(&run(&[]), 1, &["status 1"]);
    let saved = run(&["--file", "in.txt=real.txt", "--save-files", "saved"]);
    expect(&saved, 0, &[]);
    assert_eq!(fs::read(here.path().join("saved/out.txt")).unwrap(), b"IBM");
    assert!(!here.path().join("out.txt").exists());
}

#[test]
fn checks_can_be_chosen() {
    let leaky = "#include <stdlib.h>\nint main(void) { char *p = malloc(3); return p == 0; }";
    expect(&run(leaky, &[], ""), 0, &[]);
    expect(&run(leaky, &["--property", "leaks"], ""), 1, &["error[leak]", "3 bytes"]);
    let overflow = "#include <limits.h>\nint main(void) { int x = INT_MAX; x = x + 1; return x > 0; }";
    expect(
        &run(overflow, &[], ""),
        1,
        &["error[overflow]: signed overflow in `x + 1`", "2147483647 + 1 does not fit in `int`"],
    );
    expect(&run(overflow, &["--no-property", "overflow"], ""), 0, &[]);
    expect(&run(overflow, &["--property", "none,shift"], ""), 0, &[]);
}

#[test]
fn compiler_options_reach_the_compiler() {
    let program = "int main(void) { return STATUS; }";
    expect(&run(program, &["-DSTATUS=4", "-std=c99", "-O2", "-lm"], ""), 0, &["status 4"]);
    expect(&run(program, &["--cflags", "-DSTATUS='4 + 1'"], ""), 0, &["status 5"]);
}

#[test]
fn reports_go_where_they_are_sent() {
    let here = folder(&[("program.c", "int main(void) { int z = 0; return 1 / z; }")]);
    let sent = run_in(here.path(), &["run", "program.c", "--output", "report.txt"], "");
    expect(&sent, 1, &[]);
    assert_eq!(sent.stderr_text(), "");
    let report = fs::read_to_string(here.path().join("report.txt")).unwrap();
    assert!(report.starts_with("error[division-by-zero]"), "{report}");
    expect(&run_in(here.path(), &["run", "program.c", "--output", "no/such/folder"], ""), 2, &["cannot write"]);
    expect(&run_in(here.path(), &["run", "program.c", "--output", "/dev/null"], ""), 1, &[]);

    let traced = run_in(here.path(), &["run", "program.c", "--trace", "trace.txt"], "");
    expect(&traced, 1, &[]);
    let trace = fs::read_to_string(here.path().join("trace.txt")).unwrap();
    assert!(trace.contains("z := 0  → 0"), "{trace}");

    let coloured = run_in(here.path(), &["run", "program.c", "--color", "always"], "");
    assert!(coloured.stderr_text().contains("\x1b["));
    let plain = run_in(here.path(), &["run", "program.c"], "");
    assert!(!plain.stderr_text().contains('\x1b'));
}

#[test]
fn printed_programs_can_be_read_back() {
    let here = folder(&[("program.c", "int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += i; return s; }")]);
    let printed = run_in(here.path(), &["ir", "--full", "program.c", "--output", "program.fir"], "");
    expect(&printed, 0, &[]);
    let again = run_in(here.path(), &["ir", "--full", "--parse", "program.fir"], "");
    expect(&again, 0, &[]);
    assert_eq!(again.stdout, fs::read(here.path().join("program.fir")).unwrap());
    expect(&run_in(here.path(), &["run", "program.fir"], ""), 0, &["status 6"]);
    fs::write(here.path().join("damaged.fir"), "fn main( {").unwrap();
    expect(&run_in(here.path(), &["ir", "damaged.fir"], ""), 2, &["damaged.fir:1:"]);
}

#[test]
fn a_reader_that_goes_away_is_no_accident() {
    let here = folder(&[("program.c", "int puts(const char *); int main(void) { for (;;) puts(\"more\"); }")]);
    let mut child = faultline(["run", "program.c"])
        .current_dir(here.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 5];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"more\n");
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), stderr.as_str()), (Some(3), ""));
}

#[test]
fn an_interrupt_ends_the_run_with_what_is_known() {
    let here =
        folder(&[("program.c", "#include <stdio.h>\nint main(void) { puts(\"on\"); fflush(stdout); for (;;) ; }")]);
    let mut child = faultline(["run", "program.c", "--trace", "/dev/null"])
        .current_dir(here.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{stderr}");
    assert!(stderr.contains("the run was interrupted"), "{stderr}");
}

#[test]
fn a_closed_standard_input_is_empty() {
    let here = folder(&[("program.c", "#include <stdio.h>\nint main(void) { return getchar() == EOF ? 5 : 6; }")]);
    let line = format!("{} run program.c <&-", env!("CARGO_BIN_EXE_faultline"));
    let run = finish(Command::new("sh").args(["-c", &line]).current_dir(here.path()), b"");
    expect(&run, 0, &["status 5"]);
}
