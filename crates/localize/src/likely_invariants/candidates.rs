//! The stages of the answer: failed invariants, those in the slice, those that nothing explains, those of all inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use observe::detect::Variable;
use observe::recording::{BlockId, BranchId, Function, Invariants, Label, Node, NodeKind, Order, SiteId, Sites, Value};
use observe::slicing::{Dependence, NodeId, Slice};

use super::expression::{
    Below, Dependences, Line, chain, expression, line_of, new_behind, node_of, operands, towards_symptom,
};
use super::filtering::{Status, explained_by};
use super::inside::Inside;
use super::training::{Failed, Reason, Share, Tendency, Training};

/// What one failing run has left.
#[derive(Clone, Copy, Debug)]
pub struct FailingRun<'a> {
    pub observed: &'a Invariants,
    /// The slice of its symptom; without one, what failed is not filtered.
    pub slice: Option<&'a Slice>,
    /// The run ended where it failed, as with errors of memory: then this place remains a candidate (§8), while where a wrong
    /// output is printed is seldom at fault.
    pub ends_there: bool,
    pub memory: &'a Memory,
}

/// What a sanitizer tells of the memory that a failure is about. Places are files, of which the ends are compared, and lines.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The variable, if it is one.
    pub variable: Option<Variable>,
    /// Where it was made; of memory that is no longer there, that says little, and nothing is here.
    pub allocated: Vec<(String, u32)>,
    /// Functions that were under way when it was freed, and are not where it was used.
    pub freeing: Vec<String>,
}

/// Where an invariant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    Site(SiteId),
    Branch(BranchId),
    /// A piece of code.
    Block(BlockId),
    /// Where the failing run stopped, if nothing is observed there.
    Symptom(NodeId),
}

/// How far a candidate came; the last is the smallest set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Its invariant fails.
    Failed,
    /// And the symptom depends on it.
    InSlice,
    /// And no other failed invariant explains it.
    Independent,
    /// And it fails before the symptom of all failing inputs.
    InAllInputs,
}

/// How many were left after each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    pub invariants: usize,
    pub failed: usize,
    pub in_slice: usize,
    pub independent: usize,
    pub in_all_inputs: usize,
}

/// An expression that may be at fault.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub place: Place,
    pub node: NodeId,
    pub reason: Reason,
    pub stage: Stage,
    /// In how many of the failing runs it fails and the symptom depends on it.
    pub runs: usize,
    /// The failed invariant that explains it, if it was filtered for that.
    pub explained_by: Option<NodeId>,
    /// From here to the symptom of the first failing run, both included; empty outside its slice.
    pub chain: Vec<NodeId>,
    /// The source lines of the expression, in order.
    pub expression: Vec<Line>,
    /// Why each filter kept or dropped it, in words.
    pub why: Vec<String>,
    /// The variable whose memory it could not access, and where that is declared.
    pub declared: Option<(String, Line)>,
    /// Values inside of the expression that first left their ranges, as far as these were looked at.
    pub inside: Vec<Inside>,
}

/// The answer, best first: those of the last stage, then wider sets.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    pub stages: Stages,
    pub list: Vec<Candidate>,
}

impl Candidates {
    /// Whether one came through all steps because an invariant fails, and not for where it is.
    pub fn have_invariants_left(&self) -> bool {
        self.list.iter().any(|it| it.stage == Stage::InAllInputs && !it.reason.is_place())
    }
}

/// One failing run after all of its filters.
struct Filtered {
    /// What failed, and how far it came.
    stages: Staged,
    /// The pieces of code with something that fails and that the symptom depends on.
    blocks: BTreeSet<BlockId>,
}

impl Filtered {
    /// Whether something fails here, or beside it in the same piece of code, that the symptom depends on: another failing
    /// input may show the same fault in the next statement.
    fn has(&self, sites: &Sites, place: &Place) -> bool {
        let is_here = self.stages.get(place).is_some_and(|it| it.2 >= Stage::InSlice);
        is_here || block_of(sites, place).is_some_and(|it| self.blocks.contains(&it))
    }
}

fn block_of(sites: &Sites, place: &Place) -> Option<BlockId> {
    match place {
        Place::Site(id) => Some(sites.site(*id).block),
        Place::Branch(id) => Some(sites.branch(*id).block),
        Place::Block(id) => Some(*id),
        Place::Symptom(_) => None,
    }
}

/// Compares failing runs with good ones. The first failing run is the one that is explained.
pub fn diagnose(sites: &Sites, training: &Training, runs: &[FailingRun<'_>]) -> Candidates {
    let Some(first) = runs.first() else { return Candidates::default() };
    let filtered: Vec<Filtered> = runs.iter().map(|run| filter(sites, training, run)).collect();
    let in_runs = |place: &Place| match filtered[0].stages.get(place).is_some_and(|it| it.2 >= Stage::InSlice) {
        true => filtered.iter().filter(|run| run.has(sites, place)).count(),
        false => filtered[1..].iter().filter(|run| run.has(sites, place)).count(),
    };
    let shown = first.slice.map(Shown::new);
    let mut list: Vec<Candidate> = Vec::new();
    for (place, (node, reason, stage, explained_by)) in &filtered[0].stages {
        let count = in_runs(place);
        let is_last = *stage == Stage::Independent && count == runs.len();
        let stage = if is_last { Stage::InAllInputs } else { *stage };
        let index = first.slice.and_then(|slice| slice.index(*node));
        let (mut steps, mut lines): (_, Vec<Line>) = (Vec::new(), line_of(sites, *node).into_iter().collect());
        if let (Some(index), Some(shown)) = (index, &shown) {
            steps = shown.chain(index);
            let below = match reason {
                _ if first.ends_there && shown.slice.symptom.contains(&index) => Below::Access,
                Reason::Way { .. } => Below::Way,
                _ => Below::Value,
            };
            lines = match reason {
                Reason::Allocated | Reason::Freed => operands(sites, *node),
                _ => shown.expression(sites, index, below),
            };
        }
        if matches!(reason, Reason::Way { .. }) {
            let is_new = |it: BlockId| first.observed.coverage.block(it) > 0 && !training.executes(it);
            let mut all = new_behind(sites, *node, is_new);
            all.extend(lines);
            lines = all.into_iter().collect();
        }
        let is_symptom = index.is_some_and(|it| first.slice.is_some_and(|slice| slice.symptom.contains(&it)));
        let variable = first.memory.variable.as_ref().filter(|_| first.ends_there && is_symptom);
        let declared = variable.and_then(|it| Some((it.name.clone(), declaration(sites, it)?)));
        lines.extend(declared.iter().map(|it| it.1.clone()));
        let mut candidate = Candidate {
            place: *place,
            node: *node,
            reason: *reason,
            stage,
            runs: count,
            explained_by: *explained_by,
            chain: steps,
            expression: lines,
            why: Vec::new(),
            declared,
            inside: Vec::new(),
        };
        let decides = first.slice.is_some_and(|it| it.is_of_decisions);
        candidate.why = why(sites, &candidate, runs.len(), decides);
        list.push(candidate);
    }
    list.sort_by(|one, other| rank(sites, other).cmp(&rank(sites, one)).then(one.place.cmp(&other.place)));
    let at_least = |stage: Stage| filtered[0].stages.values().filter(|it| it.2 >= stage).count();
    let stages = Stages {
        invariants: training.len(),
        failed: at_least(Stage::Failed),
        in_slice: at_least(Stage::InSlice),
        independent: at_least(Stage::Independent),
        in_all_inputs: list.iter().filter(|it| it.stage == Stage::InAllInputs).count(),
    };
    Candidates { stages, list }
}

/// The line of a variable's declaration, in a file of the program.
fn declaration(sites: &Sites, variable: &Variable) -> Option<Line> {
    let mut files = sites.units.iter().flat_map(|it| &it.functions).map(|it| &it.file);
    files
        .find(|it| it.ends_with(&*variable.file) || variable.file.ends_with(&***it))
        .map(|it| (it.clone(), variable.line))
}

/// A slice with its edges by the dependent node, and the ways to the symptom.
pub(super) struct Shown<'a> {
    pub slice: &'a Slice,
    producers: Vec<Vec<u32>>,
    next: Vec<Option<u32>>,
}

impl<'a> Shown<'a> {
    pub fn new(slice: &'a Slice) -> Shown<'a> {
        let producers = producers(slice);
        let ends: Vec<u32> = slice.symptom.iter().chain(&slice.freed).copied().collect();
        let next = towards_symptom(&producers, &ends);
        Shown { slice, producers, next }
    }

    /// The lines of the expression below a node.
    pub fn expression(&self, sites: &Sites, node: u32, below: Below) -> Vec<Line> {
        expression(sites, &Dependences { slice: self.slice, producers: &self.producers }, node, below)
    }

    /// The nodes from one to the symptom, both included.
    pub fn chain(&self, from: u32) -> Vec<NodeId> {
        chain(&self.next, from).into_iter().map(|it| self.slice.nodes[it as usize]).collect()
    }
}

fn producers(slice: &Slice) -> Vec<Vec<u32>> {
    let mut producers = vec![Vec::new(); slice.nodes.len()];
    for (consumer, producer, _) in &slice.edges {
        producers[*consumer as usize].push(*producer);
    }
    producers
}

/// What each node depends on, where a call stands for its result only: what runs because of a call does not depend on
/// what it returns. That it was made is a node of its own behind those of the slice, which has no invariant.
fn without_calls(sites: &Sites, slice: &Slice) -> Vec<Vec<u32>> {
    let call_of = |index: u32| {
        let id = slice.nodes[index as usize];
        match &sites.units[id.unit as usize].functions[id.function as usize].nodes[id.node as usize].kind {
            NodeKind::Call { callee, .. } => Some(callee.is_none()),
            _ => None,
        }
    };
    let count = slice.nodes.len() as u32;
    let calls: Vec<u32> = (0..count).filter(|it| call_of(*it).is_some()).collect();
    let made = |call: u32| calls.binary_search(&call).ok().map(|it| count + it as u32);
    let is_near = |one: u32, other: u32| {
        let (one, other) = (slice.nodes[one as usize], slice.nodes[other as usize]);
        (one.unit, one.function) == (other.unit, other.function)
    };
    let mut producers = vec![Vec::new(); slice.nodes.len() + calls.len()];
    for (consumer, producer, kind) in &slice.edges {
        let is_control = *kind == Dependence::Control;
        let before = made(*producer).filter(|_| is_control).unwrap_or(*producer);
        producers[*consumer as usize].push(before);
        // It is made because of a branch or another call, and where it leads may be a value.
        let leads = call_of(*consumer) == Some(true) && is_near(*consumer, *producer);
        if let (Some(consumer), true) = (made(*consumer), is_control || leads) {
            producers[consumer as usize].push(before);
        }
    }
    producers
}

fn filter(sites: &Sites, training: &Training, run: &FailingRun<'_>) -> Filtered {
    let mut stages = BTreeMap::new();
    for failed in training.failed(run.observed) {
        let (place, node, reason) = match failed {
            Failed::Site(id, reason) => {
                let site = sites.site(id);
                let node = NodeId { unit: site.unit, function: site.function_index, node: site.node };
                (Place::Site(id), node, reason)
            }
            Failed::Branch(id, reason) => {
                let branch = sites.branch(id);
                let node = NodeId { unit: branch.unit, function: branch.function_index, node: branch.node };
                (Place::Branch(id), node, reason)
            }
        };
        stages.entry(place).or_insert((node, reason, Stage::Failed, None));
    }
    if let Some(slice) = run.slice {
        if !slice.is_of_decisions {
            add_symptom(sites, slice, &mut stages);
        }
        add_allocations(sites, &run.memory.allocated, slice, &mut stages);
        filter_by_slice(sites, training, run, slice, &mut stages);
        keep_ways_of_freeing(sites, &run.memory.freeing, &mut stages);
    }
    let strong = stages.iter().filter(|(_, (_, reason, stage, _))| *stage >= Stage::InSlice && !reason.is_weak());
    let blocks = strong.filter_map(|(place, _)| block_of(sites, place)).collect();
    Filtered { stages, blocks }
}

type Staged = BTreeMap<Place, (NodeId, Reason, Stage, Option<NodeId>)>;

/// Where the run stopped is a candidate in any case (§8), and so is where the memory was freed that it used.
fn add_symptom(sites: &Sites, slice: &Slice, stages: &mut Staged) {
    let symptom = slice.symptom.iter().map(|it| (it, Reason::Symptom));
    for (&index, reason) in symptom.chain(slice.freed.iter().map(|it| (it, Reason::Freed))) {
        let node = slice.nodes[index as usize];
        let site = sites.site_of_node(node.unit, node.function, node.node);
        let place = site.map_or(Place::Symptom(node), Place::Site);
        stages.entry(place).or_insert((node, reason, Stage::Failed, None));
    }
}

/// So are the calls that made the memory: their size may be what is wrong.
fn add_allocations(sites: &Sites, allocated: &[(String, u32)], slice: &Slice, stages: &mut Staged) {
    for &node in &slice.nodes {
        let is_call = matches!(node_of(sites, node).kind, NodeKind::Call { .. });
        let is_there =
            |(file, line): &(Arc<str>, u32)| allocated.iter().any(|it| file.ends_with(&it.0) && *line == it.1);
        if is_call && line_of(sites, node).is_some_and(|it| is_there(&it)) {
            let place =
                sites.site_of_node(node.unit, node.function, node.node).map_or(Place::Symptom(node), Place::Site);
            stages.entry(place).or_insert((node, Reason::Allocated, Stage::Failed, None));
        }
    }
}

/// What is missing where memory is freed, as to forget a pointer to it, is in no slice: ways that no good run took stay there, and in
/// what is called from there.
fn keep_ways_of_freeing(sites: &Sites, freeing: &[String], stages: &mut Staged) {
    let frees = |function: &Function| freeing.iter().any(|it| **it == *function.name);
    let callee = |node: &Node| match &node.kind {
        NodeKind::Call { callee: Some(name), .. } => Some(name.clone()),
        _ => None,
    };
    let functions = sites.units.iter().flat_map(|it| &it.functions).filter(|it| frees(it));
    let called: BTreeSet<Arc<str>> = functions.flat_map(|it| it.nodes.iter().filter_map(callee)).collect();
    for (node, reason, stage, _) in stages.values_mut() {
        let function = &sites.units[node.unit as usize].functions[node.function as usize];
        let is_there = frees(function) || called.contains(&function.symbol);
        if is_there && *stage == Stage::Failed && matches!(reason, Reason::Way { .. }) {
            *stage = Stage::Independent;
        }
    }
}

fn filter_by_slice(sites: &Sites, training: &Training, run: &FailingRun<'_>, slice: &Slice, stages: &mut Staged) {
    let mut status = vec![Status::Open; slice.nodes.len()];
    let mut surprises = vec![0; slice.nodes.len()];
    for (state, node) in status.iter_mut().zip(&slice.nodes) {
        // Of a pointer it is known only that it is not null, which says nothing about what passes through it.
        let site = sites.site_of_node(node.unit, node.function, node.node);
        let site = site.filter(|it| sites.site(*it).ty.order != Order::Pointer);
        if site.and_then(|it| training.holds(it, run.observed)) == Some(true) {
            *state = Status::Holds;
        }
    }
    for (place, (node, reason, stage, _)) in stages.iter_mut() {
        if let Some(index) = slice.index(*node) {
            *stage = Stage::InSlice;
            if reason.is_weak() {
                // How often a loop went round explains nothing that went wrong in it.
                if status[index as usize] != Status::Fails {
                    status[index as usize] = Status::FailsFaintly;
                }
            } else if !reason.is_of_memory() {
                status[index as usize] = Status::Fails;
                surprises[index as usize] = surprise(sites, *place, *reason).max(surprises[index as usize]);
            }
        }
    }
    let graph = without_calls(sites, slice);
    status.resize(graph.len(), Status::Open);
    surprises.resize(graph.len(), 0);
    let answers = explained_by(&graph, &status, &surprises);
    for (node, reason, stage, explanation) in stages.values_mut() {
        let Some(index) = slice.index(*node) else { continue };
        let stays = reason.is_of_memory() || run.ends_there && slice.symptom.contains(&index);
        match answers[index as usize].filter(|_| !stays) {
            Some(earlier) => *explanation = Some(slice.nodes[earlier as usize]),
            None => *stage = Stage::Independent,
        }
    }
}

/// Those of the last stage first, then by how many of the failing inputs agree, then by the stage; then values far from what
/// was usual, then near the symptom.
fn rank(sites: &Sites, candidate: &Candidate) -> (bool, usize, Stage, bool, u32, std::cmp::Reverse<usize>) {
    let is_outside = candidate.stage < Stage::InSlice;
    let length = if is_outside { usize::MAX } else { candidate.chain.len() };
    let surprise = match candidate.reason {
        // As telling as a way that was never taken.
        reason if reason.is_place() => NEVER,
        reason => surprise(sites, candidate.place, reason),
    };
    let is_strong = !candidate.reason.is_weak();
    let is_last = candidate.stage == Stage::InAllInputs;
    (is_last, candidate.runs, candidate.stage, is_strong, surprise, std::cmp::Reverse(length))
}

/// How far from what was usual a way is that no good run took.
const NEVER: u32 = 8;

/// How far it is from what was usual: how many times the width of the range a value is away from it, as a power of two.
fn surprise(sites: &Sites, place: Place, reason: Reason) -> u32 {
    let (good, here) = match reason {
        Reason::Value { good, here } => (good, here),
        Reason::Way { .. } => return NEVER,
        Reason::Often { .. } | Reason::Symptom | Reason::Allocated | Reason::Freed | Reason::Tends { .. } => return 0,
    };
    if let Place::Site(id) = place
        && sites.site(id).ty.order == Order::Pointer
    {
        return 16;
    }
    distance(good, (here.min, here.max))
}

/// How many times its width a range is away from another one, as a power of two; zero if it is inside.
pub(super) fn distance(good: (Value, Value), here: (Value, Value)) -> u32 {
    let width = good.1.0.abs_diff(good.0.0);
    let below = if here.0 < good.0 { good.0.0.abs_diff(here.0.0) } else { 0 };
    let above = if here.1 > good.1 { here.1.0.abs_diff(good.1.0) } else { 0 };
    (below.max(above) / (width / 4 + 1)).checked_ilog2().map_or(0, |it| it + 1)
}

fn why(sites: &Sites, candidate: &Candidate, runs: usize, decides: bool) -> Vec<String> {
    let mut why = vec![in_words(sites, candidate.place, candidate.reason)];
    if candidate.stage >= Stage::InSlice {
        why.push(match candidate.chain.len() {
            0 | 1 if decides => "it decides about the output that is missing".to_string(),
            0 => "it is where the memory is freed, or called from there".to_string(),
            1 => "it is the symptom".to_string(),
            2 => "the symptom depends on it, one step further".to_string(),
            length => format!("the symptom depends on it, {} steps further", length - 1),
        });
    }
    match candidate.explained_by.and_then(|it| line_of(sites, it)) {
        Some((file, line)) => {
            let is_own = line_of(sites, candidate.node).is_some_and(|it| it.0 == file);
            let name = file.rsplit('/').next().filter(|_| !is_own);
            let place = name.map_or_else(|| format!("in line {line}"), |name| format!("at {name}:{line}"));
            why.push(format!("it follows from what is already wrong {place}"));
        }
        None if candidate.stage >= Stage::Independent && !candidate.reason.is_place() => {
            why.push("nothing before it is as far out of its range".into());
        }
        None => {}
    }
    if runs > 1 {
        why.push(format!("it fails before the symptom of {} of {runs} failing inputs", candidate.runs));
    }
    why
}

/// What a run did otherwise.
pub(super) fn in_words(sites: &Sites, place: Place, reason: Reason) -> String {
    match reason {
        Reason::Value { good, here } => {
            let Place::Site(id) = place else { unreachable!("only sites have values") };
            let ty = sites.site(id).ty;
            let range = |min: Value, max: Value| {
                if min == max { min.shown(ty).to_string() } else { format!("{}..{}", min.shown(ty), max.shown(ty)) }
            };
            format!("good runs {}, here {}", range(good.0, good.1), range(here.min, here.max))
        }
        Reason::Way { way, times } => {
            format!("{} here {}, in good runs never", label(sites, place, way), count(times))
        }
        Reason::Often { way, most, times } => {
            let way = label(sites, place, way);
            format!("{way} here {}, in good runs at most {}", count(times), count(most))
        }
        Reason::Symptom => "here the run failed".to_string(),
        Reason::Allocated => "here the memory was made that the failure is about".to_string(),
        Reason::Freed => "here the memory was freed that is used later".to_string(),
        Reason::Tends { what, failing, good } => {
            let shown = |value: Value| match place {
                Place::Site(id) => value.shown(sites.site(id).ty).to_string(),
                _ => unreachable!("only sites have values"),
            };
            let is_pointer = matches!(place, Place::Site(id) if sites.site(id).ty.order == Order::Pointer);
            let (does, here) = match what {
                Tendency::Way(way) => (label(sites, place, way).to_string(), None),
                Tendency::AtLeast { bound, .. } | Tendency::AtMost { bound, .. } if is_pointer => (shown(bound), None),
                Tendency::AtLeast { bound, here } => (format!("{} or more", shown(bound)), Some((here, bound))),
                Tendency::AtMost { bound, here } => (format!("{} or less", shown(bound)), Some((here, bound))),
                Tendency::Runs => ("executed".to_owned(), None),
            };
            let here = here.filter(|(here, bound)| here != bound);
            let here = here.map_or_else(String::new, |(here, _)| format!(", here {}", shown(here)));
            let failing = match failing {
                Share { some: 1, all: 1 } => "the failing run".to_owned(),
                Share { some, all } if some == all => format!("all {all} failing runs"),
                Share { some, all } => format!("{some} of {all} failing runs"),
            };
            let good = match good.some {
                0 => format!("none of {} good ones", good.all),
                some => format!("{some} of {} good ones", good.all),
            };
            format!("{does} in {failing}{here}, in {good}")
        }
    }
}

fn label(sites: &Sites, place: Place, way: usize) -> &Label {
    let Place::Branch(id) = place else { unreachable!("only branches have ways") };
    &sites.branch(id).ways[way].label
}

fn count(times: u64) -> String {
    match times {
        0 => "never".into(),
        1 => "once".into(),
        times => format!("{times} times"),
    }
}
