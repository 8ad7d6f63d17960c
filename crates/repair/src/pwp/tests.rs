//! The paper's worked example: Figure 1, and the evidences of §2.5.

use std::fmt::Display;

use frontend::acsl;
use source::Sources;

use super::*;
use crate::c::Outline;

/// Figure 1(a), with its wrong `>=` in line 4.
const MAX: &str = "\
/*@ requires n > 0 && \\valid_read(a + (0 .. n - 1));
    ensures \\forall integer i; 0 <= i < n ==> \\result >= a[i];
    ensures \\exists integer i; 0 <= i < n && \\result == a[i]; */
int Max(int a[], int n)
{
    int i, s;
    i = 1;
    s = a[0];
    while (i < n) {
        if (s >= a[i])
            s = a[i];
        i = i + 1;
    }
    return s;
}
";

fn slot(name: &str, is_array: bool) -> Slot {
    Slot {
        name: name.to_owned(),
        words: "int".to_owned(),
        is_array,
        is_real: false,
        is_sized: is_array,
        is_shape: !is_array,
        is_global: false,
    }
}

fn shown<T: Display>(items: &[T]) -> String {
    items.iter().map(|it| it.to_string()).collect::<Vec<_>>().join(", ")
}

/// The trace of Figure 1(b), for the input a = (-2, 5, 3), n = 3.
fn figure() -> (Function, Failing) {
    let mut sources = Sources::with_base("/p");
    let file = sources.add("max.c", Some(MAX.to_owned()));
    let outline = Outline::read(&sources.syntax_tree(file).unwrap(), MAX);
    let function = outline.function("Max").unwrap().clone();
    let contract = acsl::read(MAX).unwrap().contract_in(function.before.clone()).unwrap();
    let array = Value::Array([-2_i128, 5, 3].iter().map(|it| *it as u128).collect());
    let case = Case::call("Figure 1".to_owned(), vec![Value::Scalar(3), array]);
    let failing = Failing::new(&function, MAX, &contract, &[slot("n", false), slot("a", true)], &case).unwrap();
    (function, failing)
}

#[test]
fn the_trace_of_figure_1() {
    let (_, failing) = figure();
    let told = |step: &trace::Step| match &step.happened {
        Happened::Assigned { target, value } => format!("{}={value}", predicates::Linear::cell(target.clone())),
        Happened::Decided { held, .. } => shown(held),
    };
    let steps: Vec<String> = failing.trace.steps.iter().map(told).collect();
    let expected = ["i=1", "s=a[0]", "i-n<0", "s-a[i=1]<0", "i=i+1", "i-n<0", "s-a[i=2]<0", "i=i+1", "i-n>=0"];
    assert_eq!(steps, expected);
    let conjunctions: Vec<String> = failing.conjunctions.iter().map(|it| shown(it)).collect();
    let first = "s-a[0]>=0, s-a[1]>=0, s-a[2]>=0, s-a[";
    assert_eq!(conjunctions, [format!("{first}0]=0"), format!("{first}1]=0"), format!("{first}2]=0")]);
}

#[test]
fn the_states_of_figure_1() {
    let (_, failing) = figure();
    let states = failing.states(&failing.conjunctions[0]);
    let same = "s-a[0]>=0, s-a[1]>=0, s-a[2]>=0, s-a[0]=0";
    let top = "0>=0, a[0]-a[1]>=0, a[0]-a[2]>=0, 0=0";
    let hypothesized: Vec<String> = states.hypothesized.iter().map(|it| shown(it)).collect();
    assert_eq!(hypothesized, [top, top, same, same, same, same, same, same, same, same]);
    let forward: Vec<String> = states.forward.iter().take(4).map(|it| shown(it)).collect();
    assert_eq!(forward, ["n>0", "n>0, i-1=0", "n>0, i-1=0, s-a[0]=0", "n>0, i-1=0, s-a[0]=0, i-n<0"]);
    let backward: Vec<String> = states.backward.iter().map(|it| shown(it)).collect();
    assert_eq!(
        backward,
        [
            "-n+1<0, a[0]-a[1]<0, -n+2<0, a[0]-a[2]<0, -n+3>=0",
            "i-n<0, a[0]-a[i=1]<0, i-n+1<0, a[0]-a[i+1=2]<0, i-n+2>=0",
            "i-n<0, s-a[i=1]<0, i-n+1<0, s-a[i+1=2]<0, i-n+2>=0",
            "s-a[i=1]<0, i-n+1<0, s-a[i+1=2]<0, i-n+2>=0",
            "i-n+1<0, s-a[i+1=2]<0, i-n+2>=0",
            "i-n<0, s-a[i=2]<0, i-n+1>=0",
            "s-a[i=2]<0, i-n+1>=0",
            "i-n+1>=0",
            "i-n>=0",
            "",
        ]
    );
}

#[test]
fn the_evidence_of_section_2_5() {
    let (function, failing) = figure();
    let states = failing.states(&failing.conjunctions[0]);
    let found = failing.evidence(&states);
    // E_explicit((s-a[i=2]<0), (s-a[2]>=0), 7) is the first from the end; points count from 0 here.
    let Evidence::Opposed { point, known, wrong } = &found[0] else { panic!("{found:?}") };
    assert_eq!((*point, known.to_string(), wrong.to_string()), (6, "s-a[i=2]<0".to_owned(), "s-a[2]>=0".to_owned()));
    // Both negative predicates at the top have an explicit evidence, so that there is no implicit one.
    assert!(!found.iter().any(|it| matches!(it, Evidence::Implicit { .. })));
    assert!(!found.iter().any(|it| matches!(it, Evidence::Ground { .. })));
    let changes = failing.modifications(&function, MAX);
    assert_eq!(changes[0].replacement, "s < a[i]", "the paper's correction is the first that is tried");
}
