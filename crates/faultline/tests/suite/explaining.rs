//! `faultline explain`: the right line first, a patch that holds, and clear answers where there is nothing to explain.

use std::fs;

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
