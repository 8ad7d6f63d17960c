//! `faultline diagnose` on programs with one large expression: which value inside first left its range.

use std::fs;

use tempfile::TempDir;

use crate::process::{Finished, faultline, finish, root};

/// A diagnosis of a program, with the inputs that are given.
fn diagnose(source: &str, failing: &str, good: &[&str], options: &[&str]) -> (TempDir, Finished) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("main.c"), source).unwrap();
    fs::write(path("failing"), failing).unwrap();
    fs::create_dir(path("good")).unwrap();
    for (index, input) in good.iter().enumerate() {
        fs::write(path("good").join(index.to_string()), input).unwrap();
    }
    let run = |arguments: &[&str]| finish(faultline(arguments).current_dir(folder.path()), b"");
    let built = run(&["cc", "-g", "-O1", "main.c", "-o", "main"]);
    assert_eq!(built.status, 0, "{}", built.stderr_text());
    let arguments = [&["diagnose", "--failing", "failing", "--good", "good"], options, &["--", "./main"]].concat();
    let found = run(&arguments);
    (folder, found)
}

fn picture() -> String {
    fs::read_to_string(root().join("tests/programs/observe/picture.c")).unwrap()
}

const PICTURES: [&str; 3] = ["100 50 24\n", "2500 9 8\n", "2000 60 1\n"];

#[test]
fn the_operation_that_goes_wrong_is_named() {
    let (_folder, found) = diagnose(&picture(), "2000 50 24\n", &PICTURES, &[]);
    assert_eq!(found.status, 1, "{}", found.stderr_text());
    let text = found.stderr_text();
    let line = text.lines().find(|it| it.contains("inside:")).unwrap_or_else(|| panic!("nothing inside:\n{text}"));
    assert!(line.contains("inside: `it->width * it->bits` gives"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "gives 2000 to 20000 in good runs, 48000 here (line 12, columns 40–59)";
    assert!(words.contains(expected), "{text}");
}

#[test]
fn other_formats_have_it() {
    let (_folder, found) = diagnose(&picture(), "2000 50 24\n", &PICTURES, &["--format", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    let suspects = document["diagnosis"]["suspects"].as_array().unwrap();
    let evidence = suspects.iter().flat_map(|it| it["evidence"].as_array().unwrap());
    let inner: Vec<_> = evidence.filter(|it| it["engine"] == "inner-values").collect();
    assert!(!inner.is_empty(), "{document:#}");
    assert_eq!((&inner[0]["line"], &inner[0]["column"]), (&12.into(), &40.into()));
}

#[test]
fn nothing_is_said_where_nothing_inside_differs() {
    // What goes in is what is out of its range, and all that follows is as far out.
    let source = "#include <stdio.h>\n#include <stdlib.h>\nint a, b, c;\nint main(void) {\n\
                  if (scanf(\"%d %d %d\", &a, &b, &c) != 3)\nreturn 1;\n\
                  int sum = a * 2 + b * 3 + c * 5;\nif (sum > 1000000)\nabort();\nreturn 0;\n}\n";
    let (_folder, found) = diagnose(source, "900000 2 3\n", &["100 2 3\n", "200 3 4\n", "150 1 1\n"], &[]);
    assert_eq!(found.status, 1, "{}", found.stderr_text());
    assert!(!found.stderr_text().contains("inside:"), "{}", found.stderr_text());
}
