//! Partial specifications from proofs (§4.1): projections of what abstract interpretation proves.
//!
//! Program and the commands of a trace → [`Specification`]. For each proved check of a command on the trace, the
//! safety projection after an assignment limits what may be written there, and relevant edges (Equation 1) are
//! trusted. Of a projection only the constraints on the written variable alone are used, as in the paper's example
//! with intervals; over several chains of calls, what holds in any of them.

use std::collections::{BTreeMap, BTreeSet};

use abstraction::numeric::Constraint;
use abstraction::{Analysis, Check, Location, Place, Projections, analyse};
use program::exec::{Checks, CommandRef, ViolationKind};
use program::{CommandKind, Program, VarId};

use super::specification::{Range, Specification};
use super::spots::Key;

/// Checks whose projections are computed.
const MOST_CHECKS: usize = 24;

const ANYTHING: Range = Range { low: i128::MIN, high: i128::MAX };

/// What proofs say about the commands of a trace; the second part says why there are none.
pub fn specification(
    program: &Program,
    checks: Checks,
    commands: &BTreeSet<CommandRef>,
) -> (Specification, Option<String>) {
    let mut analysis = analyse(program, &abstraction::Options { checks, ..abstraction::Options::default() });
    if let Some(why) = analysis.given_up() {
        return (Specification::default(), Some(format!("nothing is proved: {why}")));
    }
    let proved: Vec<Check> = analysis.proved().filter(|check| commands.contains(&check.at)).copied().collect();
    let left_out = proved.len().saturating_sub(MOST_CHECKS);
    let mut specification = Specification::default();
    for check in proved.iter().take(MOST_CHECKS) {
        let reason = reason(program, &analysis, check);
        let mut ranges: BTreeMap<CommandRef, Range> = BTreeMap::new();
        for property in analysis.properties(program, check) {
            let projections = analysis.project(program, &property);
            trust(&analysis, &projections, &reason, &mut specification);
            for (&at, range) in &projected(program, &analysis, &projections, commands) {
                // A state of any chain of calls is allowed.
                let known = ranges.entry(at).or_insert(*range);
                *known = Range { low: known.low.min(range.low), high: known.high.max(range.high) };
            }
        }
        for (at, range) in ranges {
            let known = specification.ranges.entry(at).or_insert(ANYTHING);
            let narrower = Range { low: known.low.max(range.low), high: known.high.min(range.high) };
            if narrower != *known {
                *known = narrower;
                specification.projections.entry(at).or_default().push((range, reason.clone()));
            }
        }
    }
    let note = (left_out > 0).then(|| format!("{left_out} proved checks are not used as specifications"));
    (specification, note)
}

fn command(analysis: &Analysis, at: Location) -> CommandRef {
    let function = analysis.places().context(at.context).function;
    CommandRef { function, block: at.block, index: at.index }
}

/// What is proved, and where: `the lower bound in line 7`.
fn reason(program: &Program, analysis: &Analysis, check: &Check) -> String {
    let what = match check.kind {
        ViolationKind::OutOfBoundsBelow => "the lower bound",
        ViolationKind::OutOfBoundsAbove => "the upper bound",
        ViolationKind::ArrayIndex => "the index",
        ViolationKind::Overflow => "that nothing overflows",
        ViolationKind::DivisionByZero => "that the divisor is not zero",
        ViolationKind::NullDereference => "that the pointer is not null",
        ViolationKind::Assert | ViolationKind::ErrorCall => "the assertion",
        kind => kind.name(),
    };
    let site = analysis.checks().get(check).and_then(|verdict| program.place(verdict.site));
    site.map_or_else(|| what.to_owned(), |place| format!("{what} in line {}", place.position.line))
}

fn trust(analysis: &Analysis, projections: &Projections, reason: &str, specification: &mut Specification) {
    for edge in &projections.relevant {
        let key = Key::Command(command(analysis, edge.from), None);
        specification.trusted.insert(key);
        specification.reasons.entry(key).or_insert_with(|| reason.to_owned());
    }
}

/// The ranges of what assignments write, by the safety projection behind them.
fn projected(
    program: &Program,
    analysis: &Analysis,
    projections: &Projections,
    commands: &BTreeSet<CommandRef>,
) -> BTreeMap<CommandRef, Range> {
    let mut ranges: BTreeMap<CommandRef, Range> = BTreeMap::new();
    for (&after, constraints) in &projections.safety {
        let Some(index) = after.index.checked_sub(1) else { continue };
        let at = CommandRef { index, ..command(analysis, after) };
        let body = program.function(at.function).body.as_ref();
        let assigned = body.and_then(|body| body.block(at.block).commands.get(index as usize));
        let Some(CommandKind::Assign { target, .. }) = assigned.map(|it| &it.kind) else { continue };
        if !commands.contains(&at) || !analysis.places().variable_reading(program, after.context, *target).signed {
            continue;
        }
        let range = range(analysis, after, *target, constraints);
        let known = ranges.entry(at).or_insert(range);
        *known = Range { low: known.low.min(range.low), high: known.high.max(range.high) };
    }
    ranges
}

/// What the constraints on one variable alone say.
fn range(analysis: &Analysis, at: Location, variable: VarId, constraints: &[Constraint]) -> Range {
    let mut range = ANYTHING;
    let Some(wanted) = analysis.places().find(Place::Variable(at.context, variable)) else { return range };
    for constraint in constraints {
        let linear = constraint.linear();
        let [(dimension, coefficient)] = linear.terms[..] else { continue };
        if dimension != wanted || coefficient == 0 {
            continue;
        }
        // coefficient * x + constant <= 0
        let quotient = (-linear.constant).div_euclid(coefficient.abs());
        let exact = linear.constant % coefficient == 0;
        let is_zero = matches!(constraint, Constraint::Zero(_));
        if coefficient > 0 || is_zero {
            let high = if coefficient > 0 { quotient } else { -quotient };
            range.high = range.high.min(high);
        }
        if coefficient < 0 || is_zero {
            let negated = linear.constant.div_euclid(coefficient.abs()) + i128::from(!exact);
            let low = if coefficient < 0 { negated } else { quotient };
            range.low = range.low.max(low);
        }
    }
    range
}
