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
    Slot { is_sized: is_array, is_shape: !is_array, ..Slot::new(name, "int", is_array) }
}

fn shown<T: Display>(items: &[T]) -> String {
    items.iter().map(|it| it.to_string()).collect::<Vec<_>>().join(", ")
}

fn array(elements: &[i128]) -> Value {
    Value::Array(elements.iter().map(|it| *it as u128).collect())
}

fn failing(text: &str, name: &str, slots: &[Slot], values: Vec<Value>) -> (Function, Failing) {
    let mut sources = Sources::with_base("/p");
    let file = sources.add("max.c", Some(text.to_owned()));
    let outline = Outline::read(&sources.syntax_tree(file).unwrap(), text);
    let function = outline.function(name).unwrap().clone();
    let contract = acsl::read(text).unwrap().contract_in(function.before.clone()).unwrap();
    let case = Case::call("a test".to_owned(), values);
    let called = Called { function: &function, outline: &outline, text };
    let failing = Failing::new(&called, &contract, slots, &case).expect("there is a trace");
    (function, failing)
}

/// The trace of Figure 1(b), for the input a = (-2, 5, 3), n = 3.
fn figure() -> (Function, Failing) {
    failing(MAX, "Max", &[slot("n", false), slot("a", true)], vec![Value::Scalar(3), array(&[-2, 5, 3])])
}

fn told(step: &trace::Step) -> String {
    match &step.happened {
        Happened::Assigned { target, value } => format!("{}={value}", predicates::Linear::cell(target.clone())),
        Happened::Decided { held, .. } => shown(held),
    }
}

#[test]
fn the_trace_of_figure_1() {
    let (_, failing) = figure();
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

/// The same fault in a function that leaves the comparison and the exchange to others.
const CALLING: &str = "\
int larger(int x, int y)
{
    if (x > y)
        return x;
    return y;
}
void put(int *to, int value)
{
    *to = value;
}
/*@ requires n > 0 && \\valid(a + (0 .. n - 1)) && \\valid(out);
    ensures \\forall integer i; 0 <= i < n ==> *out >= a[i]; */
void Max(int a[], int n, int *out)
{
    int i = 1, s = a[0];
    while (i < n - 1) {
        s = larger(s, a[i]);
        i = i + 1;
    }
    put(out, s);
}
";

#[test]
fn a_trace_goes_through_calls() {
    let slots = [slot("n", false), slot("a", true), slot("out", true)];
    let values = vec![Value::Scalar(3), array(&[-2, 5, 7]), array(&[0])];
    let (function, failing) = failing(CALLING, "Max", &slots, values);
    let steps: Vec<String> = failing.trace.steps.iter().map(told).collect();
    let expected = [
        "i=1",
        "s=a[0]",
        "i-n+1<0",
        "larger#1.x=s",
        "larger#1.y=a[i=1]",
        "larger#1.x-larger#1.y<=0",
        "larger#1.result=larger#1.y",
        "s=larger#1.result",
        "i=i+1",
        "i-n+1>=0",
        "put#2.value=s",
        "out[0]=put#2.value",
    ];
    assert_eq!(steps, expected);
    // What the postcondition needs before the calls speaks of the caller's cells alone.
    let states = failing.states(&failing.conjunctions[0]);
    assert_eq!(shown(&states.hypothesized[0]), "a[1]-a[0]>=0, 0>=0, a[1]-a[2]>=0");
    let changes = failing.modifications(&function, CALLING);
    assert!(changes.iter().any(|it| it.replacement == "i <= n - 1"), "{changes:?}");
    assert!(changes.iter().all(|it| !it.replacement.contains('#')), "{changes:?}");
}

#[test]
fn a_function_may_call_itself() {
    let text = "/*@ requires 0 <= n; ensures \\result == n; */\nint count(int n)\n{\n    int r;\n    if (n <= 0)\n        return 1;\n    r = count(n - 1) + 1;\n    return r;\n}\n";
    let (_, failing) = failing(text, "count", &[slot("n", false)], vec![Value::Scalar(1)]);
    let steps: Vec<String> = failing.trace.steps.iter().map(told).collect();
    let expected = ["n>0", "count#1.n=n-1", "count#1.n<=0", "count#1.result=1", "r=count#1.result+1"];
    assert_eq!(steps, expected);
    // Both instances of the condition are the same place.
    assert_eq!(failing.trace.steps[0].place, failing.trace.steps[2].place);
    assert!(!failing.evidence(&failing.states(&failing.conjunctions[0])).is_empty());
}
