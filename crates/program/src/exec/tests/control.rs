//! Control flow, inputs, notes.

use super::{check, check_with, in_main, run_text, summary};
use crate::exec::{Checks, Discard, Executor, Exhausted, Inputs, Limits, NondetValue, Note, Unobserved};

#[test]
fn loops() {
    check(
        "x := 0\n y := 0\n goto cond\ncond:\n if x < 10 then body else done\nbody:\n y := y + x\n goto inc\ninc:\n x := x + 1\n goto cond\ndone:\n return y",
        "exited 45",
    );
}

#[test]
fn branches_on_every_comparison() {
    for (operator, expect) in [
        ("<", 0b0010),
        ("<=", 0b0110),
        (">", 0b1001),
        (">=", 0b1101),
        ("<u", 0b1010),
        ("<=u", 0b1110),
        (">u", 0b0001),
        (">=u", 0b0101),
        ("==", 0b0100),
        ("!=", 0b1011),
    ] {
        // -1 against 1, 1 against 1, 1 against 2, 2 against 1 in bits 0 (reversed order of tests).
        for (bit, (left, right)) in [(2, 1), (1, 2), (1, 1), (1, -1)].into_iter().enumerate() {
            let holds = expect >> bit & 1;
            for setup in ["x", "l"] {
                let body = format!(
                    "{setup} := {left}\n if {setup} {operator} {right} then yes else no\nyes:\n return 1\nno:\n return 0"
                );
                check(&body, &format!("exited {holds}"));
                let body = format!("{setup} := {left}\n %b := {setup} {operator} {right}\n return zext.i32(%b)");
                check(&body, &format!("exited {holds}"));
            }
            let body = format!(
                "x := {left}\n y := {right}\n if !(x {operator} y) then yes else no\nyes:\n return 0\nno:\n return 1"
            );
            check(&body, &format!("exited {holds}"));
        }
    }
}

#[test]
fn switches() {
    for (value, expect) in [(1, 10), (3, 30), (2, 99), (-1, 40), (1000, 99)] {
        let cases = "case 1: one\n case 3: three\n case -1: minus\n else other";
        let blocks = "one:\n return 10\nthree:\n return 30\nminus:\n return 40\nother:\n return 99";
        check(&format!("x := {value}\n switch x\n {cases}\n{blocks}"), &format!("exited {expect}"));
        check(&format!("w := {value}\n switch w\n {cases}\n{blocks}"), &format!("exited {expect}"));
    }
    check(
        "x := 4\n switch x\n case 3: a3\n case 4: a4\n case 5: a5\n else a3\na3:\n return 3\na4:\n return 4\na5:\n return 5",
        "exited 4",
    );
}

#[test]
fn computed_gotos() {
    let goto = "goto *p [first, second]\nfirst:\n return 1\nsecond:\n return 2";
    check(&format!("p := &&second\n {goto}"), "exited 2");
    check(&format!("p := &a\n {goto}"), "violated bad-call");
}

#[test]
fn variables_as_target_and_operand() {
    check("x := 5\n y := 7\n x := argc > 5 ? x : x + y\n return x", "exited 12");
    check("%b := argc == 1\n %b := %b ? !%b : %b\n return zext.i32(%b)", "exited 0");
}

#[test]
fn inputs_are_recorded_and_replayed() {
    let text = in_main(
        "",
        "havoc x from \"__VERIFIER_nondet_int\"\n havoc c from \"__VERIFIER_nondet_bool\"\n return x & 127",
    );
    let random = Inputs { exhausted: Exhausted::Random { seed: 7 }, ..Inputs::default() };
    let (first, _) = run_text(&text, &random, &Limits::default(), Checks::default());
    assert_eq!(first.consumed.len(), 2);
    assert!(first.consumed[1].bits <= 1, "a bool is 0 or 1");
    let nondet = first.consumed.iter().map(|consumed| consumed.replay()).collect();
    let replay = Inputs { nondet, exhausted: Exhausted::Stop, ..Inputs::default() };
    let (second, _) = run_text(&text, &replay, &Limits::default(), Checks::default());
    assert_eq!(first.outcome, second.outcome);
    assert_eq!(first.consumed, second.consumed);
    let stop = Inputs { exhausted: Exhausted::Stop, ..Inputs::default() };
    let (stopped, _) = run_text(&text, &stop, &Limits::default(), Checks::default());
    assert_eq!(summary(&stopped.outcome), "input exhausted");
}

#[test]
fn inputs_for_another_function_are_noticed() {
    let text = in_main("", "havoc x from \"__VERIFIER_nondet_int\"\n return x");
    let value = |source: &str| NondetValue { source: Some(source.into()), bits: 5 };
    for (source, fits) in [("int", true), ("__VERIFIER_nondet_int", true), ("__VERIFIER_nondet_char", false)] {
        let inputs = Inputs { nondet: vec![value(source)], ..Inputs::default() };
        let (run, _) = run_text(&text, &inputs, &Limits::default(), Checks::default());
        assert_eq!(run.mismatch.is_none(), fits, "{source}");
        assert_eq!(summary(&run.outcome), "exited 5");
    }
}

#[test]
fn unknown_functions_are_noted() {
    let text = in_main("", "x := call unknown(1)\n x := call unknown(2)\n return x");
    let inputs = Inputs { nondet: vec![NondetValue { source: None, bits: 3 }], ..Inputs::default() };
    let (run, _) = run_text(&text, &inputs, &Limits::default(), Checks::default());
    assert_eq!(summary(&run.outcome), "exited 0");
    assert!(run.inconclusive());
    assert!(matches!(&run.notes[..], [Note::UnmodelledFunction { name, .. }] if name == "unknown"));
    assert_eq!(run.consumed.len(), 2);
}

#[test]
fn arguments_of_main() {
    let text =
        in_main("", "p := argv[1]:ptr\n r := argv[2]:ptr\n return sext.i32(p[1]:i8) + argc + (r == null ? 1 : 0)");
    let inputs = Inputs { arguments: vec![b"prog".to_vec(), b"A\x05".to_vec()], ..Inputs::default() };
    let (run, _) = run_text(&text, &inputs, &Limits::default(), Checks::default());
    assert_eq!(summary(&run.outcome), "exited 8");
}

#[test]
fn unsupported_constructs_end_a_run() {
    let text = format!("unsupported 0 = \"inline assembly\"\n{}", in_main("", "unsupported 0\n return 0"));
    let (run, _) = run_text(&text, &Inputs::default(), &Limits::default(), Checks::default());
    assert_eq!(summary(&run.outcome), "unsupported");
    assert!(run.inconclusive());
}

#[test]
fn long_blocks_count_their_steps() {
    let commands = "x := 1\n".repeat(70_000);
    let text = in_main("", &format!("{commands} return 0"));
    let (run, _) = run_text(&text, &Inputs::default(), &Limits::default(), Checks::default());
    assert_eq!(run.steps, 70_001);
    check_with("", "x := 1\n goto next\nnext:\n return x", Checks::default(), "exited 1");
}

#[test]
fn runs_share_a_program_and_nothing_else() {
    let program = super::program(&in_main("", "havoc x from \"n\"\n table:i32 := table + x\n return table"));
    let executor = Executor::new(&program, Checks::default());
    for bits in [1, 5, 1] {
        let inputs = Inputs { nondet: vec![NondetValue { source: None, bits }], ..Inputs::default() };
        let run = executor.run(&inputs, &Limits::default(), &mut Discard, &mut Unobserved);
        assert_eq!(summary(&run.outcome), format!("exited {}", bits + 1));
    }
}
