//! Projections and relevant edges, on programs in text form: those of PED's Figures 2 and 6, rewritten.

use std::collections::BTreeMap;

use abstraction::{Analysis, Check, ContextId, Location, Options, Projections, analyse};
use program::Program;
use program::exec::ViolationKind;

fn read(text: &str) -> Program {
    program::text::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The projections of the first check of this kind.
fn project(program: &Program, kind: ViolationKind) -> (Analysis, Check, Projections) {
    let mut analysis = analyse(program, &Options::default());
    let found =
        analysis.checks().iter().find(|(check, _)| check.kind == kind).map(|(check, verdict)| (*check, *verdict));
    let (check, verdict) = found.expect("the program has such a check");
    assert!(verdict.proved, "{kind:?} is not proved");
    let properties = analysis.properties(program, &check);
    let projections = analysis.project(program, &properties[0]);
    (analysis, check, projections)
}

fn show(
    program: &Program,
    analysis: &Analysis,
    sets: &BTreeMap<Location, Vec<abstraction::numeric::Constraint>>,
    at: (ContextId, u32, u32),
) -> String {
    let location = Location { context: at.0, block: program::BlockId(at.1), index: at.2 };
    let Some(constraints) = sets.get(&location) else { return "false".into() };
    let name = |dimension| analysis.places().name(program, dimension);
    let text: Vec<String> = constraints.iter().map(|constraint| constraint.show(&name)).collect();
    if text.is_empty() { "true".into() } else { text.join(", ") }
}

#[test]
fn figure_6() {
    let program = read(
        "fn main() -> i32 {\n  var e: i32\n  var j: i32\nentry:\n    j := 0\n    e := 4\n    e := e - 2\n    e := e - 1\n\
         \x20   j := j + 1\n    assert e <= 2, \"e <= 2\"\n    return 0\n}\n",
    );
    let (analysis, _, projections) = project(&program, ViolationKind::Assert);
    let context = analysis.contexts(program.find_function("main").unwrap())[0];
    let line = |sets: &BTreeMap<_, _>| {
        (1..=5).map(|index| show(&program, &analysis, sets, (context, 0, index))).collect::<Vec<_>>()
    };
    assert_eq!(line(&projections.safety), ["true", "e <= 5", "e <= 3", "e <= 2", "e <= 2"]);
    assert_eq!(line(&projections.error), ["false", "e >= 6", "e >= 4", "e >= 3", "e >= 3"]);
    // n0 -> n1 and n1 -> n2: `e := 4` and `e := e - 2`.
    let relevant: Vec<u32> = projections.relevant.iter().map(|edge| edge.from.index).collect();
    assert_eq!(relevant, [1, 2]);
}

/// Sums ten elements and one more: the lower bound is proved, and `i := 0` is what proves it.
const FIGURE_2: &str = "fn sum(a: ptr, n: i32) -> i32 {\n  var i: i32\n  var s: i32\nentry:\n    s := 0\n    i := 0\n    goto head\n\
     head:\n    if i <= n then body else done\nbody:\n    s := s +% a[sext.i64(i)]:i32\n    i := i + 1\n    goto head\n\
     done:\n    return s\n}\n\
     fn main() -> i32 {\n  temp r: i32\n  object a: 40 bytes align 16\nentry:\n    r := call sum(&a, 10)\n    return 0\n}\n";

#[test]
fn figure_2_needs_the_start_of_the_loop_for_its_lower_bound() {
    let program = read(FIGURE_2);
    let (analysis, check, projections) = project(&program, ViolationKind::OutOfBoundsBelow);
    let sum = program.find_function("sum").unwrap();
    let context = analysis.contexts(sum)[0];
    assert!(!analysis.is_proved(check.at, ViolationKind::OutOfBoundsAbove), "the loop runs one too far");
    let relevant: Vec<(u32, u32)> = projections
        .relevant
        .iter()
        .filter(|edge| edge.from.context == context)
        .map(|edge| (edge.from.block.0, edge.from.index))
        .collect();
    assert!(relevant.contains(&(0, 1)), "`i := 0` is relevant: {relevant:?}");
    // At the check itself the index must not be negative.
    let at_check = show(&program, &analysis, &projections.safety, (context, check.at.block.0, check.at.index));
    assert!(at_check.contains("i >= 0") || at_check.contains("4*i"), "{at_check}");
    // The projection goes on into the caller.
    assert!(projections.safety.keys().any(|location| location.context != context));
}
