//! What an observer sees, and that a trace gives it back.

use super::{in_main, program};
use crate::exec::{Checks, Discard, Effect, Inputs, Limits, Observer, Step, TraceRecorder, Unobserved, run};

#[derive(Default)]
struct Collected(Vec<Step>);

impl Observer for Collected {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        self.0.push(step);
    }
}

const CALLEE: &str = "fn twice(n: i32) -> i32 {\nentry:\n a := n *% 2\n return a\n}";
const BODY: &str = "x := -3\n goto cond\ncond:\n if x < 0 then body else done\nbody:\n a[1]:i32 := x\n x := x + 1\n fill(&a, 0, 4)\n w := 1\n w := w << 100\n x := call twice(x)\n switch x\n case -4: cond\n case 3: done\n else cond\ndone:\n call free(null)\n return x";

fn text() -> String {
    in_main(&CALLEE.replace("entry:", " var a: i32\nentry:"), BODY)
}

#[test]
fn steps_are_seen_in_their_order() {
    let program = program(&text());
    let mut seen = Collected::default();
    let run = run(&program, &Inputs::default(), &Limits::default(), Checks::default(), &mut Discard, &mut seen);
    let effects: Vec<_> = seen.0.iter().map(|step| step.effect).take(16).collect();
    let Effect::Stored { address, value: 0xffff_fffd } = effects[3] else { panic!("{effects:?}") };
    assert_eq!(
        effects,
        [
            Effect::Assigned(0xffff_fffd),
            Effect::None,
            Effect::Guard(0),
            Effect::Stored { address, value: 0xffff_fffd },
            Effect::Assigned(0xffff_fffe),
            Effect::Wrote { address: address.plus(-4), length: 4 },
            Effect::Assigned(1),
            Effect::Assigned(1 << 100),
            Effect::Called,
            Effect::Assigned(0xffff_fffc),
            Effect::Returned(0xffff_fffc),
            Effect::Returned(0xffff_fffc),
            Effect::Guard(0),
            Effect::Guard(0),
            Effect::Stored { address, value: 0xffff_fffc },
            Effect::Assigned(0xffff_fffd),
        ]
    );
    let calls = seen.0.iter().filter(|step| step.effect == Effect::Called).count() as u64;
    assert_eq!(run.steps, seen.0.len() as u64 - calls, "a call is told twice");
    assert_eq!(seen.0.iter().map(|step| step.depth).max(), Some(1));
}

#[test]
fn observing_changes_nothing() {
    let program = program(&text());
    let (inputs, limits) = (Inputs::default(), Limits::default());
    let plain = run(&program, &inputs, &limits, Checks::default(), &mut Discard, &mut Unobserved);
    let observed = run(&program, &inputs, &limits, Checks::default(), &mut Discard, &mut Collected::default());
    assert_eq!(plain.outcome, observed.outcome);
    assert_eq!(plain.steps, observed.steps);
}

#[test]
fn a_trace_gives_back_every_step() {
    let program = program(&text());
    let (inputs, limits) = (Inputs::default(), Limits::default());
    let mut seen = Collected::default();
    run(&program, &inputs, &limits, Checks::default(), &mut Discard, &mut seen);
    let mut recorder = TraceRecorder::default();
    run(&program, &inputs, &limits, Checks::default(), &mut Discard, &mut recorder);
    let trace = recorder.finish();
    assert!(trace.steps().eq(seen.0.iter().copied()));
    assert_eq!(trace.len(), seen.0.len() as u64);
    assert!(!trace.is_truncated());

    let mut bounded = TraceRecorder::bounded(50);
    run(&program, &inputs, &limits, Checks::default(), &mut Discard, &mut bounded);
    let prefix = bounded.finish();
    assert!(prefix.is_truncated() && prefix.size() < 100);
    assert!(prefix.steps().eq(seen.0.iter().copied().take(prefix.len() as usize)));
}
