//! Boogie programs that are refused: each mistake is told at its line, and nothing else is.

use std::path::Path;

use frontend::boogie::{Error, Options, translate};

/// The lines with their messages, as `12: message`.
fn told(text: &str) -> Vec<(usize, String)> {
    let Err(Error::Wrong(diagnostics)) = translate(text, &Options::default()) else { return Vec::new() };
    let line = |offset: u32| text[..offset as usize].matches('\n').count() + 1;
    diagnostics.into_iter().map(|it| (line(it.extent.start), it.message)).collect()
}

#[track_caller]
fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boogie/wrong").join(name);
    let text = std::fs::read_to_string(&path).expect("the program is there");
    let mut found = told(&text);
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for expected in line.split("//~").skip(1).map(str::trim) {
            let fits = |(at, message): &(usize, String)| *at == index + 1 && message.starts_with(expected);
            match found.iter().position(fits) {
                Some(position) => drop(found.remove(position)),
                None => problems.push(format!("{}: nobody told: {expected}", index + 1)),
            }
        }
    }
    problems.extend(found.into_iter().map(|(line, message)| format!("{line}: unexpected: {message}")));
    assert!(problems.is_empty(), "{name}\n{}", problems.join("\n"));
}

#[test]
fn syntax() {
    check("syntax.bpl");
}

#[test]
fn names() {
    check("names.bpl");
}

#[test]
fn types() {
    check("types.bpl");
}

#[test]
fn the_entry_is_named_if_it_is_open() {
    let text = "procedure a() { } procedure b() { }";
    assert_eq!(told(text)[0].1, "it is open where executions begin: no procedure is called `main`");
    let options = Options { procedure: Some("b".to_owned()), ..Options::default() };
    assert_eq!(translate(text, &options).map(|it| it.entry).ok(), Some("b".to_owned()));
    let missing = Options { procedure: Some("c".to_owned()), ..Options::default() };
    assert!(translate(text, &missing).is_err());
}

#[test]
fn a_map_is_assigned_by_one_cell() {
    let text = "procedure p() { var m: [int, int]int; m[1, 2] := 3; }";
    let translation = translate(text, &Options::default()).expect("it is a program");
    let part = translation.graph.edges().iter().find_map(|edge| edge.statement.part).expect("a part is written");
    assert_eq!(logic::smtlib::term(&translation.terms, part.written), "3");
    assert_eq!(logic::smtlib::term(&translation.terms, part.whole), "(store m 1 (store (select m 1) 2 written!1))");
}

#[test]
fn any_text_has_an_answer() {
    let mut text = include_str!("../../../../tests/programs/boogie/calls.bpl").to_owned();
    while !text.is_empty() {
        let _ = translate(&text, &Options::default());
        text.pop();
    }
}
