//! The examples of *Static fault localization for simple bugs* and of its draft, as guarded commands.

use localize::relevance::{self, Finding, Options};
use logic::control_flow::{Check, ErrorTrace, Origin, Statement};
use logic::sort::Sort;
use logic::terms::{TermId, Terms};

/// Traces over 32-bit variables.
#[derive(Default)]
struct Writer {
    terms: Terms,
    trace: ErrorTrace,
}

impl Writer {
    fn variable(&mut self, name: &str) -> TermId {
        self.terms.variable(name, Sort::BitVector(32))
    }

    fn number(&mut self, value: i64) -> TermId {
        self.terms.bv_signed(32, value)
    }

    fn assign(&mut self, name: &str, value: TermId) {
        let variable = self.variable(name);
        self.trace.statements.push(Statement::assign(variable, value, Origin(0)));
    }

    fn set(&mut self, name: &str, value: i64) {
        let value = self.number(value);
        self.assign(name, value);
    }

    fn havoc(&mut self, name: &str) {
        let variable = self.variable(name);
        self.trace.statements.push(Statement::havoc(variable, Origin(0)));
    }

    fn assume(&mut self, condition: TermId) {
        self.trace.statements.push(Statement::assume(condition, Origin(0)));
    }

    /// `name < value`, signed.
    fn less(&mut self, name: &str, value: i64) -> TermId {
        let (variable, value) = (self.variable(name), self.number(value));
        self.terms.bv_slt(variable, value)
    }

    fn equal(&mut self, name: &str, value: i64) -> TermId {
        let (variable, value) = (self.variable(name), self.number(value));
        self.terms.eq(variable, value)
    }

    fn not(&mut self, condition: TermId) -> TermId {
        self.terms.not(condition)
    }

    fn or(&mut self, left: TermId, right: TermId) -> TermId {
        self.terms.or2(left, right)
    }

    fn sum(&mut self, left: &str, right: &str) -> TermId {
        let (left, right) = (self.variable(left), self.variable(right));
        self.terms.bv_add(left, right)
    }

    /// The numbers of the relevant statements.
    fn relevant(mut self) -> Vec<usize> {
        let candidates = relevance::assigning(&self.trace);
        let found = relevance::judge(&mut self.terms, &self.trace, &candidates, &Options::default()).unwrap();
        let relevant = found.into_iter().filter(|(_, finding)| matches!(finding, Finding::Relevant(_)));
        relevant.map(|it| it.0).collect()
    }
}

/// Figure 1, up to the failing assertion.
fn pointers(writer: &mut Writer) {
    writer.set("p1", 0);
    writer.set("p2", 0);
    writer.set("i", 1);
    let small = writer.less("i", 10);
    writer.assume(small);
    let zero = writer.equal("i", 0);
    let other = writer.not(zero);
    writer.assume(other);
}

fn fail(writer: &mut Writer) {
    let (first, second) = (writer.equal("p1", 0), writer.equal("p2", 0));
    let null = writer.or(first, second);
    writer.assume(null);
}

#[test]
fn figure_1() {
    let mut writer = Writer::default();
    pointers(&mut writer);
    fail(&mut writer);
    assert_eq!(writer.relevant(), [2]);
}

#[test]
fn figure_2() {
    for requested in [true, false] {
        let mut writer = Writer::default();
        pointers(&mut writer);
        writer.set("stopOnRequest", 0);
        writer.havoc("stopRequested");
        let not = writer.equal("stopRequested", 0);
        let yes = writer.not(not);
        writer.assume(if requested { yes } else { not });
        if requested {
            let off = writer.equal("stopOnRequest", 0);
            writer.assume(off);
        }
        fail(&mut writer);
        // The flag is relevant on one of the two traces only, hence not in the program.
        let expected: &[usize] = if requested { &[2, 5, 6] } else { &[2, 6] };
        assert_eq!(writer.relevant(), expected);
    }
}

#[test]
fn draft_2_1() {
    let mut writer = Writer::default();
    writer.set("x", 1);
    writer.set("y", 2);
    writer.set("z", 3);
    writer.havoc("z");
    let small = writer.less("z", 11);
    writer.assume(small);
    assert_eq!(writer.relevant(), [3]);

    let mut writer = Writer::default();
    writer.set("y", 7);
    writer.havoc("x");
    let (x, y) = (writer.less("x", 0), writer.less("y", 0));
    let fails = writer.or(x, y);
    writer.assume(fails);
    assert_eq!(writer.relevant(), [1]);
}

#[test]
fn draft_3_1() {
    let mut writer = Writer::default();
    writer.set("x", 7);
    writer.set("x", 7);
    let small = writer.less("x", 11);
    writer.assume(small);
    assert_eq!(writer.relevant(), [1]);

    let mut writer = Writer::default();
    let sum = writer.sum("x", "y");
    writer.assign("x", sum);
    let sum = writer.sum("x", "z");
    writer.assign("x", sum);
    let sum = writer.sum("y", "z");
    writer.assign("y", sum);
    let negative = writer.less("x", 0);
    writer.assume(negative);
    // By the definition, the state fixes z: the first assignment is relevant, too.
    assert_eq!(writer.relevant(), [0, 1]);
}

#[test]
fn draft_3_2() {
    let mut writer = Writer::default();
    writer.set("x", 1);
    let (input, shift) = (writer.variable("input"), writer.number(42));
    let difference = writer.terms.bv_sub(input, shift);
    writer.assign("y", difference);
    let negative = writer.less("y", 0);
    writer.assume(negative);
    writer.set("x", 0);
    let zero = writer.equal("x", 0);
    writer.assume(zero);
    assert_eq!(writer.relevant(), [1, 3]);
}

#[test]
fn draft_4() {
    let mut writer = Writer::default();
    writer.set("x", 1);
    writer.set("y", 2);
    writer.set("z", 3);
    let small = writer.less("z", 11);
    writer.assume(small);
    assert_eq!(writer.relevant(), [2]);

    let mut writer = Writer::default();
    writer.set("y", 42);
    writer.havoc("x");
    let (negative, small) = (writer.less("x", 0), writer.less("y", 23));
    let bad = writer.or(negative, small);
    let good = writer.not(bad);
    writer.assume(good);
    assert_eq!(writer.relevant(), [0, 1]);

    let mut writer = Writer::default();
    writer.set("y", 10);
    writer.havoc("x");
    let small = writer.less("x", 1);
    let positive = writer.not(small);
    writer.assume(positive);
    assert_eq!(writer.relevant(), [1]);
}

/// `x := 1; check x < 5; assume x < 10`: a value that blocks breaks the check before.
#[test]
fn failing_elsewhere_saves_nothing() {
    let mut writer = Writer::default();
    writer.set("x", 1);
    let holds = writer.less("x", 5);
    writer.trace.checks.push(Check { before: 1, holds, origin: Origin(0) });
    let small = writer.less("x", 10);
    writer.assume(small);
    assert_eq!(writer.relevant(), [0; 0]);
}

/// A loop of 3,000 rounds: each statement costs about the same however long the trace is.
#[test]
fn long_traces_are_no_trouble() {
    let mut writer = Writer::default();
    writer.set("i", 0);
    for _ in 0..3000 {
        let small = writer.less("i", 3000);
        writer.assume(small);
        let (i, one) = (writer.variable("i"), writer.number(1));
        let next = writer.terms.bv_add(i, one);
        writer.assign("i", next);
    }
    let end = writer.equal("i", 3000);
    writer.assume(end);
    assert_eq!(writer.relevant().len(), 3001);
}
