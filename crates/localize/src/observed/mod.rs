//! What was found in runs of an observed program, in the words of its source: a [`Diagnosis`].
//!
//! The candidates of [`likely_invariants`](crate::likely_invariants), grouped by line, the best first, each with the values,
//! why every filter kept it, the chain to the symptom, and where [`spectrum`](crate::spectrum) ranks the line. Those that a
//! filter dropped come after, in the order of the paper's §2.4, as far as they are asked for.

mod macros;
mod notes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnosis::{Diagnosis, EXPRESSION, Evidence, INNER_VALUES, SLICE, Score, Suspect};
use observe::recording::{Invariants, NodeKind, Order, Sites};
use observe::slicing::NodeId;
use source::{Expression, ExpressionKind, FileId, Hint, Place, Position, Sources, Span};

use macros::Macros;

use crate::likely_invariants::{self, Candidate, Candidates, Inside, Reason, Stage, Tendency};
use crate::spectrum::lines::Line;
use crate::spectrum::{Formula, Matrix, Rank, ranks};

pub const ENGINE: &str = "likely-invariants";
/// Ranks at which coverage speaks against a line.
const HIGH: usize = 10;
/// Lines of a function's head.
const HEAD: u32 = 8;
/// A file and a line of it.
type At = (Arc<str>, u32);

/// Steps of a chain that are told: those that come first, and those that come last.
const FIRST_STEPS: usize = 3;
const LAST_STEPS: usize = 6;

/// The lines that were executed, with their ranks by each formula.
#[derive(Debug, Default)]
pub struct Spectra {
    pub lines: Vec<Line>,
    pub ranks: BTreeMap<Formula, Vec<Rank>>,
}

impl Spectra {
    pub fn new(lines: Vec<Line>, matrix: &Matrix) -> Spectra {
        let ranks = Formula::ALL.map(|formula| (formula, ranks(&matrix.scores(formula))));
        Spectra { lines, ranks: BTreeMap::from(ranks) }
    }

    fn find(&self, file: &str, line: u32) -> Option<usize> {
        self.lines.binary_search_by(|it| (&*it.file, it.line).cmp(&(file, line))).ok()
    }

    /// Lines by a formula, the most suspicious first.
    pub fn best(&self, formula: Formula) -> Vec<(&Line, Rank)> {
        let Some(ranks) = self.ranks.get(&formula) else { return Vec::new() };
        let mut lines: Vec<(&Line, Rank)> = self.lines.iter().zip(ranks.iter().copied()).collect();
        lines.sort_by(|one, other| one.1.worst.cmp(&other.1.worst).then_with(|| one.0.cmp(other.0)));
        lines
    }
}

/// What a diagnosis rests on.
pub struct Findings<'a> {
    pub sites: &'a Sites,
    /// The failing run that is explained.
    pub failing: Option<&'a Invariants>,
    pub candidates: &'a Candidates,
    pub spectra: &'a Spectra,
    /// The least stage of what becomes a suspect.
    pub least: Stage,
    /// The most lines that become suspects.
    pub most: usize,
    pub good_runs: usize,
    /// Good runs that were recorded, too, but are not compared with.
    pub other_good_runs: usize,
    pub failing_runs: usize,
}

impl Findings<'_> {
    /// How many lines have a candidate that came so far.
    fn lines(&self, stage: Stage) -> usize {
        let is_invariant = |it: &&Candidate| !matches!(it.reason, Reason::Tends { .. });
        let candidates = self.candidates.list.iter().filter(is_invariant).filter(|it| it.stage >= stage);
        let lines = candidates.map(|it| {
            let (file, line, _) = place_of(self.sites, it.node);
            (file, line)
        });
        lines.collect::<BTreeSet<At>>().len()
    }
}

/// Where a node stands: file, line and column.
pub fn place_of(sites: &Sites, id: NodeId) -> (Arc<str>, u32, u32) {
    let function = &sites.units[id.unit as usize].functions[id.function as usize];
    let node = &function.nodes[id.node as usize];
    (node.file.clone().unwrap_or_else(|| function.file.clone()), node.line, node.column)
}

fn function_of(sites: &Sites, id: NodeId) -> String {
    sites.units[id.unit as usize].functions[id.function as usize].name.to_string()
}

/// The expression or the statement at a place, or its line.
pub fn span(sources: &mut Sources, file: &str, line: u32, column: u32) -> Option<Span> {
    if line == 0 {
        return None;
    }
    let file = sources.add(file, None);
    let is_one_line = |span: &Span| span.start.line == span.end.line;
    let place = Place::new(file, line, column.max(1));
    if let Some(call) = call_at(sources, place) {
        return Some(call);
    }
    let expression = sources.expression_at(place, Hint::Any).map(|it| it.span).filter(is_one_line);
    if let Some(found) = expression.filter(is_telling) {
        return Some(found);
    }
    sources.statement_at(place).filter(is_one_line).or_else(|| whole_line(sources, file, line))
}

/// A call, or the use of a macro that looks like one, whose name begins there: what is in its first line.
fn call_at(sources: &Sources, place: Place) -> Option<Span> {
    let all = sources.expressions_at(place);
    let call = all.iter().find(|it| it.kind == ExpressionKind::Call && it.span.start == place.position)?.span;
    if call.start.line == call.end.line {
        return Some(call);
    }
    let end = sources.line(place.file, call.start.line)?.trim_end().len() as u32 + 1;
    Some(Span { end: Position { line: call.start.line, column: end }, ..call })
}

/// What a node computes, as it is written: places of debug information are often only where that begins.
pub fn span_of(sites: &Sites, sources: &mut Sources, id: NodeId) -> Option<Span> {
    if let Some(found) = parameter(sites, sources, id) {
        return Some(found);
    }
    let (file, line, column) = place_of(sites, id);
    let found = (line != 0 && column != 0).then(|| {
        let place = Place::new(sources.add(&*file, None), line, column);
        expression_of(sources, place, sort(sites, id)?)
    });
    found.flatten().or_else(|| span(sources, &file, line, column))
}

/// What a node stands for in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Call,
    Condition,
    Element,
}

fn sort(sites: &Sites, id: NodeId) -> Option<Sort> {
    let is_pointer = || {
        let site = sites.site_of_node(id.unit, id.function, id.node);
        site.is_none_or(|it| sites.site(it).ty.order == Order::Pointer)
    };
    match likely_invariants::node_of(sites, id).kind {
        NodeKind::Call { .. } | NodeKind::Effect { .. } => Some(Sort::Call),
        NodeKind::Branch | NodeKind::Switch { .. } => Some(Sort::Condition),
        // A pointer may be the array itself.
        NodeKind::Load { .. } if !is_pointer() => Some(Sort::Element),
        _ => None,
    }
}

/// Of the expressions that begin at a place, the one of such a node, if it is in one line.
fn expression_of(sources: &Sources, place: Place, sort: Sort) -> Option<Span> {
    // In C++ a call of a member has the place of its name.
    let member = sources.expression_at(place, Hint::Member).filter(|it| sort == Sort::Call && it.anchor == place);
    let place = member.map_or(place, |it| it.span.start_place());
    let mut all = sources.expressions_at(place);
    all.retain(|it| it.span.start.line == it.span.end.line);
    let begins = || all.iter().filter(|it| it.span.start == place.position);
    let found = match sort {
        Sort::Call => begins().find(|it| it.kind == ExpressionKind::Call).map(|it| it.span),
        Sort::Element => {
            let part = |it: &&Expression| {
                matches!(it.kind, ExpressionKind::Variable | ExpressionKind::Subscript | ExpressionKind::Member)
            };
            let parts = begins().take_while(part);
            parts.filter(|it| it.kind == ExpressionKind::Subscript).last().map(|it| it.span)
        }
        // Each part of `a && b` has a branch of its own.
        Sort::Condition => {
            let has_token = |it: &&Expression| it.anchor == place && it.span.start != place.position;
            let part = || begins().take_while(|it| !is_decided_later(sources, it)).last();
            all.iter().find(has_token).or_else(part).map(|it| with_negation(sources, it.span))
        }
    };
    found.filter(is_telling)
}

/// Whether its parts decide by themselves where control goes.
fn is_decided_later(sources: &Sources, expression: &Expression) -> bool {
    match expression.kind {
        ExpressionKind::Comma | ExpressionKind::Conditional => true,
        ExpressionKind::Binary => ["&&", "||"].iter().any(|it| from_operator(sources, expression).starts_with(it)),
        _ => false,
    }
}

/// The rest of the line from an expression's operator on.
fn from_operator<'s>(sources: &'s Sources, expression: &Expression) -> &'s str {
    let line = sources.line(expression.anchor.file, expression.anchor.position.line);
    line.and_then(|line| line.get(expression.anchor.position.column as usize - 1..)).unwrap_or_default()
}

/// Of `!x`, where a branch asks for `x`, the whole.
fn with_negation(sources: &Sources, span: Span) -> Span {
    let Position { line, column } = span.start;
    let before = sources.line(span.file, line).and_then(|it| it.get(..column as usize - 1)).map(str::trim_end);
    let Some(before) = before.and_then(|it| it.strip_suffix('!')) else { return span };
    let all = sources.expressions_at(Place::new(span.file, line, before.len() as u32 + 1));
    let negates = |it: &&Expression| it.kind == ExpressionKind::Unary && it.operands.iter().any(|it| it.whole == span);
    all.iter().find(negates).map_or(span, |it| it.span)
}

/// Whether it is a sum, a product or the like.
fn is_arithmetic(sources: &Sources, span: Span) -> bool {
    let all = sources.expressions_at(span.start_place());
    let Some(found) = all.iter().find(|it| it.span == span) else { return false };
    found.kind == ExpressionKind::Binary && from_operator(sources, found).starts_with(['+', '-', '*', '/', '%'])
}

/// Whether it is more than a short name.
fn is_telling(span: &Span) -> bool {
    span.end.column - span.start.column > 3
}

/// Where a candidate is shown: at its own place, or where a function only ends there, at the last line that its value
/// comes from.
fn shown_at(sites: &Sites, sources: &mut Sources, candidate: &Candidate) -> Option<Span> {
    let (file, line, _) = place_of(sites, candidate.node);
    let id = sources.add(&*file, None);
    let is_brace = |line: u32| sources.line(id, line).is_some_and(|it| matches!(it.trim(), "{" | "}"));
    let other = candidate.expression.iter().rev().find(|(other, at)| *other == file && !is_brace(*at));
    match other {
        Some((file, at)) if line == 0 || is_brace(line) => {
            let (file, at) = (file.clone(), *at);
            span(sources, &file, at, 0)
        }
        _ => span_of(sites, sources, candidate.node),
    }
}

fn whole_line(sources: &Sources, file: FileId, line: u32) -> Option<Span> {
    let Some(text) = sources.line(file, line) else {
        let start = Position { line, column: 1 };
        return Some(Span { file, start, end: start });
    };
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len().max(start);
    let at = |column: usize| Position { line, column: column as u32 + 1 };
    Some(Span { file, start: at(start), end: at(end) })
}

fn text(sources: &Sources, span: Option<Span>) -> String {
    let text = span.and_then(|it| sources.text_of(it)).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn diagnosis(findings: &Findings<'_>, sources: &mut Sources) -> Diagnosis {
    let mut lines: Vec<(At, Vec<&Candidate>)> = Vec::new();
    for candidate in findings.candidates.list.iter().filter(|it| it.stage >= findings.least) {
        let (file, line, _) = place_of(findings.sites, candidate.node);
        let key = (file, line);
        match lines.iter_mut().find(|(it, _)| *it == key) {
            Some((_, same)) => same.push(candidate),
            None => lines.push((key, vec![candidate])),
        }
    }
    lines.truncate(findings.most);
    let count = lines.len().max(1);
    let mut macros = Macros::default();
    let suspects: Vec<Suspect> = lines
        .iter()
        .enumerate()
        .map(|(index, (key, same))| {
            suspect(findings, sources, &mut macros, key, same, 1.0 - index as f64 / (count + 1) as f64)
        })
        .collect();
    Diagnosis {
        engines: vec![ENGINE.to_owned(), Formula::Ochiai.name().to_owned()],
        suspects,
        cleared: Vec::new(),
        notes: notes::notes(findings, sources),
        input: None,
        statements: findings.spectra.lines.len(),
        blamed: findings.lines(first_shown(&findings.candidates.stages).max(Stage::Independent)),
        undecided: 0,
        narrowing: notes::narrowing(findings),
    }
}

fn suspect(
    findings: &Findings<'_>,
    sources: &mut Sources,
    macros: &mut Macros,
    (file, line): &At,
    same: &[&Candidate],
    score: f64,
) -> Suspect {
    let best = same[0];
    let place = shown_at(findings.sites, sources, best);
    let tell = |message: String, place: Option<Span>| Evidence { engine: ENGINE.to_owned(), message, place };
    let first = |sources: &mut Sources, it: &Candidate| {
        as_written(findings.sites, sources, it.node, it.why.first().cloned().unwrap_or_default())
    };
    let mut evidence: Vec<Evidence> = best.why.iter().skip(1).map(|it| tell(it.clone(), place)).collect();
    if best.expression.len() > 1 {
        let message = format!("{} {}", with_it(best), lines_in_words(&best.expression, file));
        evidence.push(Evidence { engine: EXPRESSION.to_owned(), message, place });
    }
    if let Some((name, (file, line))) = &best.declared {
        let declared = sources.add(&**file, None);
        let place = whole_line(sources, declared, *line);
        evidence.push(tell(format!("the memory is that of `{name}`"), place));
    }
    if best.reason == Reason::Symptom {
        let told = |message: String| Evidence { engine: EXPRESSION.to_owned(), message, place };
        evidence.extend(used(findings, sources, best.node).into_iter().map(told));
    }
    let mut told = BTreeSet::new();
    for inner in same.iter().flat_map(|it| &it.inside).filter(|it| told.insert(it.node)) {
        let (message, place) = inside(findings.sites, sources, inner);
        evidence.push(Evidence { engine: INNER_VALUES.to_owned(), message, place });
    }
    let mut lines = belonging(sources, (file, *line), best);
    for it in macros.used(sources, (file, *line), &best.expression) {
        lines.extend((it.first..=it.last).filter_map(|line| whole_line(sources, it.file, line)));
        let definition = Span { end: whole_line(sources, it.file, it.last).unwrap_or(it.name).end, ..it.name };
        evidence.push(tell(it.told(), Some(definition)));
    }
    for other in &same[1..] {
        let place = span_of(findings.sites, sources, other.node);
        evidence.push(tell(first(sources, other), place));
    }
    let steps = chain(findings.sites, best);
    if let Some(gap) = steps.windows(2).find(|it| it[0].0 + 1 < it[1].0) {
        let (first, last, count) = (gap[0].0 + 1, gap[1].0 - 1, steps[steps.len() - 1].0);
        let message = match first == last {
            true => format!("step {first} of {count} on the way to the failure is left out"),
            false => format!("steps {first} to {last} of {count} on the way to the failure are left out"),
        };
        evidence.push(Evidence { engine: SLICE.to_owned(), message, place: None });
    }
    for (step, node) in steps {
        let place = span_of(findings.sites, sources, node);
        // A branch that a sanitizer has added says nothing of the value that it checks.
        let is_branch = matches!(likely_invariants::node_of(findings.sites, node).kind, NodeKind::Branch);
        let is_check = is_branch && place.is_some_and(|it| is_arithmetic(sources, it));
        let value = value_at(findings, best, node).filter(|_| !is_check);
        let value = value.map_or_else(String::new, |it| format!(": {}", as_written(findings.sites, sources, node, it)));
        let message = format!("step {step} on the way to the failure{value}");
        evidence.push(Evidence { engine: SLICE.to_owned(), message, place });
    }
    let mut engines = vec![ENGINE.to_owned()];
    for formula in [Formula::Ochiai, Formula::Tarantula] {
        let Some(rank) =
            findings.spectra.find(file, *line).and_then(|it| findings.spectra.ranks.get(&formula)?.get(it))
        else {
            continue;
        };
        if formula == Formula::Ochiai && rank.worst <= HIGH {
            engines.push(formula.name().to_owned());
        }
        let message = match rank.best == rank.worst {
            true => {
                format!("the line has rank {} of {} by {}", rank.best, findings.spectra.lines.len(), formula.name())
            }
            false => format!(
                "the line has rank {} to {} of {} by {}",
                rank.best,
                rank.worst,
                findings.spectra.lines.len(),
                formula.name()
            ),
        };
        evidence.push(Evidence { engine: formula.name().to_owned(), message, place });
    }
    let mut text = text(sources, place);
    if text.starts_with('}') && matches!(likely_invariants::node_of(findings.sites, best.node).kind, NodeKind::Return) {
        text = format!("{}(…)", function_of(findings.sites, best.node));
    }
    Suspect {
        place,
        text,
        function: function_of(findings.sites, best.node),
        score: Score::new(score),
        engines,
        why: first(sources, best),
        evidence,
        step: Some(step_of(best).to_owned()),
        lines: if lines.len() > 1 { lines } else { Vec::new() },
        fix: None,
    }
}

/// What a node used that could not be done, such as what a number was divided by: values with a name, and what they were.
fn used(findings: &Findings<'_>, sources: &mut Sources, node: NodeId) -> Vec<String> {
    let Some(run) = findings.failing else { return Vec::new() };
    let sites = findings.sites;
    let mut found = Vec::new();
    for &operand in &likely_invariants::node_of(sites, node).operands {
        let mut id = NodeId { node: operand, ..node };
        // A conversion has one operand.
        while let (NodeKind::Pure, [only]) =
            (&likely_invariants::node_of(sites, id).kind, &likely_invariants::node_of(sites, id).operands[..])
        {
            id.node = *only;
        }
        let is_read = matches!(likely_invariants::node_of(sites, id).kind, NodeKind::Load { .. });
        let told = run.told(sites, id.unit, id.function, id.node).filter(|it| is_read && it != "not null");
        let (file, line, column) = place_of(sites, id);
        let place = Place::new(sources.add(&*file, None), line, column.max(1));
        let name = sources.expression_at(place, Hint::Any).filter(|it| {
            matches!(it.kind, ExpressionKind::Variable | ExpressionKind::Member | ExpressionKind::Subscript)
        });
        if let (Some(told), Some(name)) = (told, name) {
            found.push(format!("`{}` is {told} here", text(sources, Some(name.span))));
        }
    }
    found
}

/// The line of a candidate, and those of its expression and of its variable's declaration.
fn belonging(sources: &mut Sources, own: (&Arc<str>, u32), candidate: &Candidate) -> Vec<Span> {
    let others = candidate.expression.iter().chain(candidate.declared.iter().map(|(_, at)| at));
    let others = others.map(|(file, line)| (file, *line)).filter(|it| *it != own);
    let line = |(file, line): (&Arc<str>, u32)| {
        let file = sources.add(&**file, None);
        whole_line(sources, file, line)
    };
    std::iter::once(own).chain(others).filter_map(line).collect()
}

/// The ways of a branch in terms of its condition as it is written: where that is `!x`, the branch is one on `x`. Values with the
/// name of what has them, where more than that is shown.
fn as_written(sites: &Sites, sources: &mut Sources, node: NodeId, words: String) -> String {
    if let Some(name) = value_in(sites, sources, node) {
        return format!("{name}: {words}");
    }
    let shown = match likely_invariants::node_of(sites, node).kind {
        NodeKind::Branch => span_of(sites, sources, node).and_then(|it| sources.expression_in(it)),
        _ => None,
    };
    let is_negation = |it: &Expression| {
        it.kind == ExpressionKind::Unary && sources.text_of(it.span).is_some_and(|text| text.starts_with('!'))
    };
    if shown.as_ref().is_some_and(is_negation) { turned(&words) } else { words }
}

/// What it is of all that is shown that a node's value is of, if that does not go without saying.
fn value_in(sites: &Sites, sources: &mut Sources, node: NodeId) -> Option<String> {
    let whole = span_of(sites, sources, node)?;
    let (file, line, column) = place_of(sites, node);
    match likely_invariants::node_of(sites, node).kind {
        NodeKind::Argument(_) => {
            let name = argument_of(sites, node)?;
            (text(sources, Some(whole)) != name).then(|| format!("`{name}`"))
        }
        NodeKind::Load { .. } if column != 0 => {
            let place = Place::new(sources.add(&*file, None), line, column);
            let element = sort(sites, node).and_then(|it| expression_of(sources, place, it));
            if let Some(element) = element {
                return (element != whole).then(|| format!("`{}`", text(sources, Some(element))));
            }
            let own = sources.expression_at(place, Hint::Any).filter(|it| it.span != whole)?;
            let all = sources.expressions_at(place);
            match own.kind {
                ExpressionKind::Variable
                    if all.iter().any(|it| it.kind == ExpressionKind::Call && it.span == whole) =>
                {
                    Some("a value in it".to_owned())
                }
                ExpressionKind::Variable => Some(format!("`{}`", text(sources, Some(own.span)))),
                _ => None,
            }
        }
        // Of all `return`s together.
        NodeKind::Return => {
            let file = sources.add(&*file, None);
            let ends = sources.line(file, line).is_some_and(|it| it.trim_start().starts_with('}'));
            ends.then(|| format!("what `{}` returns", function_of(sites, node)))
        }
        _ => None,
    }
}

/// The name of the argument that a node is, or a part of it.
fn argument_of(sites: &Sites, node: NodeId) -> Option<&str> {
    let function = &sites.units[node.unit as usize].functions[node.function as usize];
    let NodeKind::Argument(number) = function.nodes[node.node as usize].kind else { return None };
    let name = function.arguments.get(number as usize)?;
    name.split('.').next().filter(|it| !it.is_empty())
}

/// Where a parameter is declared in its function's head.
fn parameter(sites: &Sites, sources: &mut Sources, node: NodeId) -> Option<Span> {
    let name = argument_of(sites, node)?;
    let function = &sites.units[node.unit as usize].functions[node.function as usize];
    let file = sources.add(&*function.file, None);
    for line in function.line..function.line + HEAD {
        let text = sources.line(file, line)?;
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        let is_it = |at: &usize| {
            let (before, behind) = (&text[..*at], &text[at + name.len()..]);
            let is_inside = line > function.line || before.contains('(');
            is_inside && !before.ends_with(is_part) && !behind.starts_with(is_part)
        };
        let mut found = text.match_indices(name).map(|(at, _)| at);
        if let Some(at) = found.find(is_it) {
            let position = |at: usize| Position { line, column: at as u32 + 1 };
            return Some(Span { file, start: position(at), end: position(at + name.len()) });
        }
        if text.contains('{') {
            return None;
        }
    }
    None
}

/// With true for false, and false for true.
fn turned(words: &str) -> String {
    let turn = |word: &str| match word {
        "true" => "false".to_owned(),
        "true," => "false,".to_owned(),
        "false" => "true".to_owned(),
        "false," => "true,".to_owned(),
        other => other.to_owned(),
    };
    words.split(' ').map(turn).collect::<Vec<_>>().join(" ")
}

/// What first left its range inside of an expression, and where that is computed.
fn inside(sites: &Sites, sources: &mut Sources, inner: &Inside) -> (String, Option<Span>) {
    let (file, line, column) = place_of(sites, inner.node);
    let file = sources.add(&*file, None);
    let found = sources.expression_at(Place::new(file, line, column.max(1)), Hint::Any);
    // What is in a macro has the place of its use.
    let is_part = found.as_ref().is_none_or(|it| matches!(it.kind, ExpressionKind::Call | ExpressionKind::Variable));
    let place = found.map(|it| it.span).or_else(|| whole_line(sources, file, line));
    let words = match (text(sources, place), is_part) {
        (text, _) if text.is_empty() => "a value is".to_owned(),
        (text, true) => format!("a value in `{text}` is"),
        (text, false) => format!("`{text}` gives"),
    };
    (format!("inside: {words} {}", inner.told()), place)
}

/// The last step that a candidate came through, as in [`narrowing`].
fn step_of(candidate: &Candidate) -> &'static str {
    match candidate.stage {
        _ if matches!(candidate.reason, Reason::Tends { .. }) => "tendency",
        Stage::Failed => "broken",
        Stage::InSlice => "in-slice",
        Stage::Independent => "unexplained",
        Stage::InAllInputs => "in-all-inputs",
    }
}

/// What the lines are that belong to a candidate.
fn with_it(candidate: &Candidate) -> &'static str {
    match candidate.reason {
        Reason::Value { .. } => "the value is computed in",
        Reason::Way { .. } | Reason::Often { .. } => "it is decided in, and leads to,",
        Reason::Symptom => "what it uses is computed in",
        Reason::Allocated => "the size is computed in",
        Reason::Freed => "the pointer is computed in",
        Reason::Tends { what: Tendency::Way(_), .. } => "it leads to",
        Reason::Tends { what: Tendency::Runs, .. } => "so are",
        Reason::Tends { .. } => "the value is computed in",
    }
}

/// Lines by their numbers, with the file where it is another one: `lines 3–5, 8, other.c:12`.
fn lines_in_words(lines: &[At], own: &str) -> String {
    let mut runs: Vec<(&At, u32)> = Vec::new();
    for at in lines {
        match runs.last_mut() {
            Some((first, last)) if first.0 == at.0 && *last + 1 == at.1 => *last = at.1,
            _ => runs.push((at, at.1)),
        }
    }
    let word = |((file, first), last): &(&At, u32)| {
        let name = if **file == *own { String::new() } else { format!("{}:", file.rsplit('/').next().unwrap_or(file)) };
        match first == last {
            true => format!("{name}{first}"),
            false => format!("{name}{first}–{last}"),
        }
    };
    let (here, elsewhere): (Vec<_>, Vec<_>) = runs.iter().partition(|it| *it.0.0 == *own);
    let words: Vec<String> = here.into_iter().chain(elsewhere).map(word).collect();
    format!("line{} {}", if lines.len() == 1 { "" } else { "s" }, words.join(", "))
}

/// Nodes on the way to the symptom with their numbers, one a line; where there are many, the first and those nearest to the symptom.
fn chain(sites: &Sites, candidate: &Candidate) -> Vec<(usize, NodeId)> {
    let mut steps: Vec<NodeId> = Vec::new();
    for node in candidate.chain.iter().skip(1) {
        let line = |id: NodeId| {
            let (file, line, _) = place_of(sites, id);
            (file, line)
        };
        let here = line(*node);
        if here.1 != 0 && here != line(candidate.node) && steps.last().is_none_or(|last| line(*last) != here) {
            steps.push(*node);
        }
    }
    let count = steps.len();
    let numbered = (1..).zip(steps);
    numbered.filter(|(number, _)| *number <= FIRST_STEPS || number + LAST_STEPS > count).collect()
}

/// What a step of the chain did in the failing run: of the nodes in its line, the first of which that is known.
fn value_at(findings: &Findings<'_>, candidate: &Candidate, step: NodeId) -> Option<String> {
    let run = findings.failing?;
    let line = |id: NodeId| {
        let (file, line, _) = place_of(findings.sites, id);
        (file, line)
    };
    let here = line(step);
    let same = candidate.chain.iter().filter(|it| line(**it) == here);
    same.into_iter().find_map(|it| run.told(findings.sites, it.unit, it.function, it.node))
}

/// The stage that is shown first: the last one that has candidates (§2.4).
pub fn first_shown(stages: &likely_invariants::Stages) -> Stage {
    match () {
        () if stages.in_all_inputs > 0 => Stage::InAllInputs,
        () if stages.independent > 0 => Stage::Independent,
        () if stages.in_slice > 0 => Stage::InSlice,
        () => Stage::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sort: Sort, line: &str, at: &str, expected: Option<&str>) {
        let mut sources = Sources::new();
        let text = format!("void f(void)\n{{\n{line}\n}}\n");
        let file = sources.add("a.c", Some(text));
        let column = line.find(at).unwrap() as u32 + 1;
        let found = expression_of(&sources, Place::new(file, 3, column), sort);
        assert_eq!(found.and_then(|it| sources.text_of(it)), expected, "{line}");
    }

    #[test]
    fn a_node_is_shown_with_its_operands() {
        check(Sort::Call, "    x = malloc(n + 1);", "malloc", Some("malloc(n + 1)"));
        check(Sort::Condition, "    if (depth >= LIMIT)", "depth", Some("depth >= LIMIT"));
        check(Sort::Condition, "    if (depth >= LIMIT && p) return;", "depth", Some("depth >= LIMIT"));
        check(Sort::Condition, "    if (is_digit(c) || p) return;", "is_digit", Some("is_digit(c)"));
        check(Sort::Element, "    x = text[at + 1] + 3;", "text", Some("text[at + 1]"));
        check(Sort::Element, "    x = table[i][j] + 3;", "table", Some("table[i][j]"));
        check(Sort::Element, "    x = length + 3;", "length", None);
        check(Sort::Call, "    x = length + 3;", "length", None);
        check(Sort::Call, "    x = items.at(n).name + 3;", "at", Some("items.at(n)"));
    }
}
