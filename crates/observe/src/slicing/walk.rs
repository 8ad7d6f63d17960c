//! The walk over a trace from its end: what is needed, where it came from, and what that needs.
//!
//! Records are taken from the last to the first. Most of them are like others before, and what they have as consequences was
//! learned from those (`learned.rs`); others are looked at segment by segment (`segment.rs`).

use super::decisions::Decisions;
use super::flat::{Flat, FlatSegment};
use super::frames::{Need, Resting, Stack};
use super::learned::{Learned, Lesson, Situation};
use super::marks::Marks;
use super::memory::Memory;
use super::postdominators::Control;
use super::segment::{Here, Scratch};
use super::states::States;
use super::symptom::{Criterion, PrintedByte, Printing, SourceLine, Told, may_begin, symptom};
use super::{Dependence, NodeId, Slice, Stats};
use crate::recording::{NodeKind, Recipe, Words};

/// Bytes of what was learned: more is forgotten, and learned anew where it is still of use.
const MOST_LEARNED: usize = 16 << 20;

pub struct Walk<'a> {
    flat: &'a Flat<'a>,
    criterion: &'a Criterion,
    /// What the process could not access.
    address: Option<u64>,
    /// Of each thread.
    resting: Vec<Resting>,
    /// What the record that is looked at touches.
    stack: Stack,
    states: States,
    learned: Learned,
    lesson: Lesson,
    memory: Memory,
    marks: Marks,
    /// Of each function that was looked at.
    control: Vec<Option<Control>>,
    scratch: Scratch,
    /// Of each path that a record had.
    facts: Vec<Option<Facts>>,
    roots: Option<Vec<u32>>,
    /// Until the call is found that printed a byte.
    printing: Option<Printing>,
    /// What is needed of a call, a node of all, that printed it.
    printer: Option<(u32, PrintedByte)>,
    /// Until the decisions are found not to print something.
    decisions: Option<Decisions>,
    /// Until it is found what freed the memory, and then that.
    freed: Option<&'a SourceLine>,
    freeing: Vec<u32>,
    /// Segments that calls had come to when the trace ended.
    unfinished: Vec<u32>,
    stats: Stats,
}

/// What holds for all records of a path.
#[derive(Clone, Copy)]
struct Facts {
    /// How many segments and accesses it has.
    records: u32,
    /// A slice can begin here.
    may_begin: bool,
}

/// A record of a thread.
#[derive(Clone, Copy)]
pub struct Taken<'r> {
    pub thread: usize,
    /// The number of its path among all.
    pub path: u32,
    pub recipe: &'r Recipe,
    /// Its words behind its name.
    pub written: &'r [u64],
    /// How many segments were reached, if it is the last one.
    pub reached: Option<usize>,
    /// Its thread is the one with the symptom.
    pub may_be_symptom: bool,
}

impl<'a> Walk<'a> {
    /// For so many threads and paths.
    pub fn new(
        flat: &'a Flat<'a>,
        criterion: &'a Criterion,
        address: Option<u64>,
        threads: usize,
        paths: usize,
    ) -> Walk<'a> {
        Walk {
            flat,
            criterion,
            address,
            resting: (0..threads).map(|_| Resting::default()).collect(),
            stack: Stack::default(),
            states: States::default(),
            learned: Learned::default(),
            lesson: Lesson::default(),
            memory: Memory::default(),
            marks: Marks::new(flat.node_count),
            control: (0..flat.functions.len()).map(|_| None).collect(),
            scratch: Scratch::default(),
            facts: vec![None; paths],
            roots: None,
            printing: match criterion {
                Criterion::Output(byte) => Some(Printing::new(*byte)),
                _ => None,
            },
            printer: None,
            decisions: match criterion {
                Criterion::Missing(missing) => Some(Decisions::new(flat, missing)),
                _ => None,
            },
            freed: match criterion {
                Criterion::Freed { freed, .. } => Some(freed),
                _ => None,
            },
            freeing: Vec::new(),
            unfinished: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Nothing before can matter.
    pub fn is_done(&self) -> bool {
        let is_idle = self.memory.is_empty() && self.resting.iter().all(|it| it.is_idle(&self.states));
        !self.is_looking() && is_idle
    }

    /// Not all is known that the slice begins with.
    fn is_looking(&self) -> bool {
        self.roots.is_none() || self.freed.is_some() || self.decisions.as_ref().is_some_and(|it| !it.is_over())
    }

    /// Takes the record before the one that was taken last, of its thread.
    pub fn record(&mut self, taken: Taken<'_>) {
        let facts = self.facts(taken.path, taken.recipe);
        self.stats.records += u64::from(facts.records);
        self.stats.segments += taken.recipe.segments.len() as u64;
        let may_be_symptom = facts.may_begin && self.is_looking();
        if taken.reached.is_some() || may_be_symptom || self.printer.is_some() {
            self.lesson.forget();
            self.look(taken);
            return;
        }
        let resting = &mut self.resting[taken.thread];
        let situation = Situation { path: taken.path, top: resting.below(0), finished: resting.finished };
        let (memory, marks) = (&mut self.memory, &mut self.marks);
        let is_known = self.learned.play(situation, taken.written, resting, memory, marks, &mut self.lesson);
        if is_known {
            return;
        }
        self.lesson.restart();
        let unfinished = self.unfinished.len();
        let first = self.look(taken);
        if self.unfinished.len() == unfinished {
            let resting = &self.resting[taken.thread];
            self.learned.learn(situation, &self.lesson, &resting.frames[first..], resting.finished);
        }
        if self.learned.size() + self.states.size() > MOST_LEARNED {
            self.forget();
        }
    }

    fn facts(&mut self, path: u32, recipe: &Recipe) -> Facts {
        let (flat, criterion, decisions) = (self.flat, self.criterion, &self.decisions);
        *self.facts[path as usize].get_or_insert_with(|| {
            let segments = || recipe.segments.iter().map(|it| (it.0, &flat.segments[it.0 as usize]));
            let decides = |number| decisions.as_ref().is_some_and(|it| it.may_find(flat, number));
            Facts {
                records: segments().map(|(_, it)| 1 + it.end_access - it.first_access).sum(),
                may_begin: segments().any(|(number, it)| decides(number) || may_begin(criterion, flat, it)),
            }
        })
    }

    fn forget(&mut self) {
        self.learned = Learned::default();
        let mut states = States::default();
        self.resting.iter_mut().for_each(|it| it.carry(&self.states, &mut states));
        self.states = states;
    }

    /// Segment by segment. The number of frames that the record did not touch.
    fn look(&mut self, taken: Taken<'_>) -> usize {
        let Taken { thread, recipe, written, reached, may_be_symptom, .. } = taken;
        let segments = &recipe.segments[..reached.unwrap_or(recipe.segments.len())];
        self.stack.begin(&self.states, &self.resting[thread]);
        for &(number, before) in segments.iter().rev() {
            let told = Told { words: Words::of(recipe, before, written), is_last: reached.is_some() };
            self.step(thread, number, told, may_be_symptom);
        }
        let resting = &mut self.resting[thread];
        let untouched = resting.frames.len();
        self.stack.rest(&mut self.states, resting);
        untouched
    }

    fn step(&mut self, thread: usize, number: u32, told: Told<'_>, may_be_symptom: bool) {
        let (flat, words) = (self.flat, told.words);
        let segment = &flat.segments[number as usize];
        let stack = &mut self.stack;
        let entered = stack.enter(flat, number, segment, &self.states, &mut self.resting[thread]);
        if let Some(state) = entered.woken {
            self.lesson.wake(state);
        }
        if entered.is_new {
            begin_frame(flat, stack, segment, &mut self.marks);
            if !segment.returns {
                self.unfinished.push(number);
            }
        }
        let printed = self.printing.as_mut().and_then(|it| it.find(flat.accesses(segment), words));
        if let Some(byte) = printed {
            self.printing = None;
            if let NodeKind::Effect { call, .. } = flat.function(segment.function).nodes[byte.effect as usize].kind {
                self.printer = call.map(|it| (flat.node(segment.function, it), byte));
            }
        }
        let decided = may_be_symptom && self.decisions.as_mut().is_some_and(|it| it.find(flat, number, words));
        let roots = match &self.roots {
            _ if decided => vec![segment.end_node - 1],
            None if printed.is_some() => printed.iter().map(|it| it.effect).collect(),
            None if may_be_symptom => symptom(self.criterion, self.address, flat, segment, told),
            Some(_) if may_be_symptom => self.freed.map_or_else(Vec::new, |it| it.calls(flat, segment)),
            _ => Vec::new(),
        };
        let freed = self.freed.take_if(|_| self.roots.is_some() && !roots.is_empty());
        // Behind a symptom, nothing was executed.
        let end = roots.iter().max().filter(|_| freed.is_none()).map_or(segment.end_node, |it| it + 1);
        let control =
            self.control[segment.function as usize].get_or_insert_with(|| Control::of(flat.function(segment.function)));
        let (frame, finished) = stack.top_and_finished();
        let mut here = Here {
            flat,
            segment,
            first_segment: number - segment.index,
            words,
            frame,
            memory: &mut self.memory,
            marks: &mut self.marks,
            lesson: &mut self.lesson,
            control,
            printer: &mut self.printer,
            scratch: &mut self.scratch,
            end,
        };
        here.pass(finished, &roots);
        end_segment(flat, stack, segment, &self.scratch.arguments);
        self.scratch.arguments.clear();
        for root in roots {
            let root = flat.node(segment.function, root);
            let all = if freed.is_some() { &mut self.freeing } else { self.roots.get_or_insert_default() };
            if !all.contains(&root) {
                all.push(root);
            }
        }
    }

    /// `None` if the symptom was not found.
    pub fn finish(self, lost_beginning: bool) -> Option<Slice> {
        let roots = self.roots?;
        let numbers = self.marks.numbers();
        let index = |node: u32| numbers.binary_search(&node).ok().map(|it| it as u32);
        let mut edges: Vec<(u32, u32, Dependence)> =
            self.marks.edges().filter_map(|(from, to, kind)| Some((index(from)?, index(to)?, kind))).collect();
        edges.sort_unstable();
        let symptom = roots.into_iter().filter_map(index).collect();
        let freed = self.freeing.into_iter().filter_map(index).collect();
        let id = |number: &u32| {
            let (function, node) = self.flat.place(*number);
            let function = &self.flat.functions[function as usize];
            NodeId { unit: function.unit, function: function.index, node }
        };
        let nodes = numbers.iter().map(id).collect();
        let counter = |number: &u32| {
            let segment = &self.flat.segments[*number as usize];
            let function = self.flat.function(segment.function);
            (self.flat.functions[segment.function as usize].unit, function.segments[segment.index as usize].counter)
        };
        let unfinished = self.unfinished.iter().map(counter).collect();
        Some(Slice {
            nodes,
            edges,
            symptom,
            freed,
            is_of_decisions: self.decisions.is_some(),
            unfinished,
            stats: Stats { lost_beginning, most_memory: self.memory.most(), ..self.stats },
        })
    }
}

/// A callee gives its caller the value of the call, if that is needed.
fn begin_frame(flat: &Flat<'_>, stack: &mut Stack, segment: &FlatSegment, marks: &mut Marks) {
    let Some(caller) = stack.caller() else { return };
    let Some(call) = flat.segments[caller.segment as usize].call_before else { return };
    let function = flat.function(caller.function);
    let is_callee = match &function.nodes[call as usize].kind {
        NodeKind::Call { callee: Some(name), .. } => **name == *flat.function(segment.function).symbol,
        _ => true,
    };
    // A library function that calls back is none of ours.
    if is_callee {
        caller.has_callee = true;
    }
    let consumer = flat.node(caller.function, call);
    if caller.values.contains(call) && segment.returns {
        let result = segment.end_node - 1;
        marks.edge((consumer, flat.node(segment.function, result), Dependence::Data));
        stack.top().values.insert(result);
    }
}

fn end_segment(flat: &Flat<'_>, stack: &mut Stack, segment: &FlatSegment, arguments: &[Need]) {
    if segment.call.is_some() {
        stack.top().has_callee = false;
    }
    if segment.index == 0 {
        stack.leave(flat, arguments);
    }
}
