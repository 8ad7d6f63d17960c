//! How much patches leave of what a program does.

use std::fs;
use std::time::Duration;

use program::exec::{self, Checks, Discard, Inputs, Limits, NondetValue, Unobserved};
use repair::conduct::Conduct;
use repair::validation::{FailingRun, Outcome, Setting, Trials};
use source::{Edit, FileId, Patch, Position, Span};

/// Tries out what each replacement does to a program that fails on an input.
fn conducts(text: &str, input: Option<u128>, changes: &[(&str, &str)]) -> Vec<Result<Conduct, Outcome>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.c");
    fs::write(&file, text).unwrap();
    let reading = frontend::Options { files: vec![file], ..frontend::Options::default() };
    let program = frontend::read(&reading).unwrap();
    let nondet = input.map(|bits| NondetValue { source: None, bits }).into_iter().collect();
    let inputs = Inputs { nondet, ..Inputs::default() };
    let limits = Limits::default();
    let run = exec::run(&program, &inputs, &limits, Checks::default(), &mut Discard, &mut Unobserved);
    assert!(run.violation().is_some(), "{:?}", run.outcome);
    let failing = FailingRun::new(inputs, run.steps);
    let time = Duration::from_secs(20);
    let mut trials =
        Trials::new(&program, Setting { reading, checks: Checks::default(), failing, bound: 8, time, interrupt: None });
    let mut tried = |(old, new): &(&str, &str)| {
        let (number, line) = (1..).zip(text.lines()).find(|(_, line)| line.contains(old)).unwrap();
        let column = line.find(old).unwrap() as u32 + 1;
        let start = Position { line: number, column };
        let end = Position { line: number, column: column + old.len() as u32 };
        let edit = Edit { span: Span { file: FileId(0), start, end }, replacement: (*new).to_owned() };
        trials.try_out(&Patch::new(vec![edit]).unwrap())
    };
    changes.iter().map(&mut tried).collect()
}

/// In a loop that goes one round too far, leaving out all rounds also helps.
#[test]
fn a_loop_that_does_nothing_is_not_what_was_meant() {
    let text =
        "int main(void)\n{\n    int a[4];\n    for (int i = 0; i <= 4; i++)\n        a[i] = i;\n    return 0;\n}\n";
    let found = conducts(text, None, &[("i <= 4", "i < 4"), ("i <= 4", "i > 4"), ("i = 0", "i = 1"), ("[i]", "[i ]]")]);
    let [Ok(right), Ok(idle), Err(Outcome::Fails(_)), Err(Outcome::DoesNotCompile(_))] = &found[..] else {
        panic!("{found:?}");
    };
    assert!(right.value() > 0.9 && idle.value() < 0.2, "{found:?}");
}

/// On inputs that nothing is wrong with, a right patch changes nothing.
#[test]
fn passing_runs_stay_as_they_are() {
    let text = "#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int parts = __VERIFIER_nondet_int();
    if (parts >= 0)
        printf(\"%d\\n\", 100 / parts);
    return 0;
}
";
    let found = conducts(text, Some(0), &[(">= 0", "> 0"), (">= 0", "< 0"), (">= 0", "!= 0"), ("100 /", "100 *")]);
    let [Ok(right), Ok(opposite), Ok(more), Err(Outcome::Fails(_))] = &found[..] else { panic!("{found:?}") };
    assert!(right.runs > 4 && right.passing == 1.0, "{found:?}");
    assert!(opposite.passing < 0.7 && more.passing < 1.0, "{found:?}");
    assert!(right.value() > opposite.value() && right.value() > more.value(), "{found:?}");
}

/// Lines that a patch adds do not count as others.
#[test]
fn added_lines_move_no_other_line() {
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int parts = __VERIFIER_nondet_int();
    int each = 100 / parts;
    return each == 3;
}
";
    let added = "    int each = parts == 0 ? 0 :\n        100 / parts;\n";
    let found = conducts(text, Some(0), &[("    int each = 100 / parts;", added.trim_end())]);
    let Ok(conduct) = &found[0] else { panic!("{found:?}") };
    assert!(conduct.value() == 1.0 && conduct.runs > 0, "{found:?}");
}
