//! The walk over a trace from its end: what is needed, where it came from, and what that needs.
//!
//! A node is in the slice when its value was needed, when it wrote memory that was needed, or when it decided that
//! something in the slice runs. The nodes of a record are looked at from last to first, but only those that matter:
//! needed ones, and accesses that write.

use rustc_hash::{FxHashMap, FxHashSet};

use super::flat::{Flat, FlatAccess, FlatSegment};
use super::frames::{Frame, Need, Stack};
use super::memory::Memory;
use super::postdominators::Control;
use super::symptom::{Criterion, symptom};
use super::{Dependence, NodeId, Slice, Stats};
use crate::recording::NodeKind;

pub struct Walk<'a> {
    flat: &'a Flat<'a>,
    criterion: &'a Criterion,
    /// What the process could not access.
    address: Option<u64>,
    stacks: Vec<Stack>,
    memory: Memory,
    marks: Marks,
    control: FxHashMap<u32, Control>,
    roots: Option<Vec<u32>>,
    /// Segments that calls had come to when the trace ended.
    unfinished: Vec<u32>,
    stats: Stats,
}

/// The static result.
struct Marks {
    /// A bit for each node.
    nodes: Vec<u64>,
    edges: FxHashSet<Edge>,
    /// Edges of late, since loops give the same ones again and again.
    recent: Vec<Edge>,
}

type Edge = (u32, u32, Dependence);

const RECENT: usize = 1 << 12;

impl Marks {
    fn new(nodes: u32) -> Marks {
        let recent = vec![(u32::MAX, u32::MAX, Dependence::Data); RECENT];
        Marks { nodes: vec![0; nodes as usize / 64 + 1], edges: FxHashSet::default(), recent }
    }

    fn node(&mut self, node: u32) {
        self.nodes[node as usize / 64] |= 1 << (node % 64);
    }

    fn edge(&mut self, edge: Edge) {
        let slot = edge.0.wrapping_mul(0x9e37_79b9).wrapping_add(edge.1.wrapping_mul(0x85eb_ca6b)) as usize >> 8;
        let recent = &mut self.recent[slot % RECENT];
        if *recent != edge {
            *recent = edge;
            self.edges.insert(edge);
        }
    }

    /// The nodes in order.
    fn numbers(&self) -> Vec<u32> {
        let bits = |(index, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index as u32 * 64 + bit)
        };
        self.nodes.iter().enumerate().flat_map(bits).collect()
    }
}

/// One record, while it is looked at.
struct Here<'a, 'w> {
    flat: &'a Flat<'a>,
    segment: &'w FlatSegment,
    words: &'w [u64],
    frame: &'w mut Frame,
    memory: &'w mut Memory,
    marks: &'w mut Marks,
    control: &'w Control,
    /// Arguments of the function that are needed, at its beginning.
    arguments: Vec<Need>,
    /// Nodes from here on do not matter: the symptom is before them.
    end: u32,
}

impl<'a> Walk<'a> {
    pub fn new(flat: &'a Flat<'a>, criterion: &'a Criterion, address: Option<u64>, threads: usize) -> Walk<'a> {
        Walk {
            flat,
            criterion,
            address,
            stacks: (0..threads).map(|_| Stack::default()).collect(),
            memory: Memory::default(),
            marks: Marks::new(flat.node_count),
            control: FxHashMap::default(),
            roots: None,
            unfinished: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Nothing before can matter.
    pub fn is_done(&self) -> bool {
        self.roots.is_some() && self.memory.is_empty() && self.stacks.iter().all(Stack::is_idle)
    }

    /// Takes the record before the one that was taken last, of this thread.
    pub fn step(&mut self, thread: usize, number: u32, words: &[u64], may_be_symptom: bool) {
        let flat = self.flat;
        let segment = &flat.segments[number as usize];
        self.stats.segments += 1;
        self.stats.records += 1 + u64::from(segment.end_access - segment.first_access);
        let stack = &mut self.stacks[thread];
        let finished = stack.take_finished();
        if stack.enter(flat, number, segment) {
            begin_frame(flat, stack, segment);
            if !segment.returns {
                self.unfinished.push(number);
            }
        }
        let roots = match &self.roots {
            None if may_be_symptom => symptom(self.criterion, self.address, flat, segment, words),
            _ => Vec::new(),
        };
        let is_symptom = !roots.is_empty();
        let frame = stack.top();
        let has_duties = frame.may_need(segment)
            || !frame.phis.is_empty()
            || (!frame.control.is_empty() && flat.successors(segment).len() > 1)
            || finished.as_ref().is_some_and(|it| !it.arguments.is_empty() || !it.call_consumers.is_empty());
        // Most records of a long trace end here.
        if is_symptom || has_duties || writes_needed(flat, segment, words, &self.memory) {
            let control = self.control.entry(segment.function);
            let control = control.or_insert_with(|| Control::of(flat.function(segment.function)));
            let (memory, marks) = (&mut self.memory, &mut self.marks);
            let frame = stack.top();
            let end = roots.iter().max().map_or(segment.end_node, |it| it + 1);
            let mut here = Here { flat, segment, words, frame, memory, marks, control, arguments: Vec::new(), end };
            here.resolve_phis();
            here.resolve_control();
            if let Some(finished) = finished {
                here.receive(finished.function, finished.arguments, finished.call_consumers);
            }
            for &node in &roots {
                here.include(node);
            }
            here.look();
            let arguments = here.arguments;
            self.stats.most_memory = self.stats.most_memory.max(self.memory.len());
            end_record(stack, segment, arguments);
        } else {
            end_record(stack, segment, Vec::new());
        }
        if is_symptom {
            self.roots = Some(roots.iter().map(|it| flat.node(segment.function, *it)).collect());
        }
    }

    /// `None` if the symptom was not found.
    pub fn finish(self, lost_beginning: bool) -> Option<Slice> {
        let roots = self.roots?;
        let numbers = self.marks.numbers();
        let index = |node: u32| numbers.binary_search(&node).ok().map(|it| it as u32);
        let mut edges: Vec<(u32, u32, Dependence)> =
            self.marks.edges.iter().filter_map(|(from, to, kind)| Some((index(*from)?, index(*to)?, *kind))).collect();
        edges.sort_unstable();
        let symptom = roots.into_iter().filter_map(index).collect();
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
        Some(Slice { nodes, edges, symptom, unfinished, stats: Stats { lost_beginning, ..self.stats } })
    }
}

/// A callee gives its caller the value of the call, if that is needed.
fn begin_frame(flat: &Flat<'_>, stack: &mut Stack, segment: &FlatSegment) {
    let Some(caller) = stack.caller() else { return };
    let Some(call) = flat.segments[caller.segment as usize].call_before else { return };
    let function = flat.function(caller.function);
    let is_callee = match &function.nodes[call as usize].kind {
        NodeKind::Call { callee: Some(name), .. } => **name == *flat.function(segment.function).symbol,
        _ => true,
    };
    // A library function that calls back is none of ours.
    if is_callee {
        caller.callee = Some(segment.function);
    }
    let wanted = caller.values().iter().any(|it| it.node == call);
    let consumer = flat.node(caller.function, call);
    if wanted && segment.returns {
        stack.top().need(flat, Need { node: segment.end_node - 1, consumer });
    }
}

fn end_record(stack: &mut Stack, segment: &FlatSegment, arguments: Vec<Need>) {
    let frame = stack.top();
    if segment.call.is_some() {
        frame.callee = None;
    }
    if segment.index == 0 {
        // What no branch in the function decided, its call did.
        for need in std::mem::take(&mut frame.control) {
            add(&mut frame.call_consumers, need.consumer);
        }
        stack.leave(arguments);
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn writes_needed(flat: &Flat<'_>, segment: &FlatSegment, words: &[u64], memory: &Memory) -> bool {
    if memory.is_empty() {
        return false;
    }
    flat.accesses(segment).iter().any(|access| {
        access.kind.write && {
            let address = access.address(words);
            address != 0 && memory.may_need(address, access.length(words))
        }
    })
}

impl<'a> Here<'a, '_> {
    fn number(&self, node: u32) -> u32 {
        self.flat.node(self.segment.function, node)
    }

    fn edge(&mut self, consumer: u32, node: u32, kind: Dependence) {
        let number = self.number(node);
        self.marks.edge((consumer, number, kind));
    }

    /// Control came from here to the segment with these phi nodes.
    fn resolve_phis(&mut self) {
        let function = self.flat.function(self.segment.function);
        for Need { node, .. } in std::mem::take(&mut self.frame.phis) {
            let NodeKind::Phi { incoming } = &function.nodes[node as usize].kind else { continue };
            let way = incoming.iter().find(|(from, _)| *from == self.segment.index);
            let Some((from, value)) = way else { continue };
            let consumer = self.number(node);
            match value {
                Some(value) => self.frame.need(self.flat, Need { node: *value, consumer }),
                // The false of `a && b`, where `a` was false: that control came this way is all there is.
                None if function.segments[*from as usize].successors.len() > 1 => {
                    let branch = self.segment.end_node - 1;
                    self.edge(consumer, branch, Dependence::Control);
                    self.include(branch);
                }
                None => add(&mut self.frame.control, Need { node: *from, consumer }),
            }
        }
    }

    /// The branch here may have decided what is waiting for one.
    fn resolve_control(&mut self) {
        if self.frame.control.is_empty() || self.flat.successors(self.segment).len() < 2 {
            return;
        }
        let branch = self.segment.end_node.wrapping_sub(1);
        let waiting = std::mem::take(&mut self.frame.control);
        let mut decided = false;
        for need in waiting {
            if self.control.decides(self.segment.index, need.node) {
                self.edge(need.consumer, branch, Dependence::Control);
                decided = true;
            } else {
                self.frame.control.push(need);
            }
        }
        if decided {
            self.include(branch);
        }
    }

    /// A callee has ended, read backwards: its arguments are those of the call here.
    fn receive(&mut self, callee: u32, arguments: Vec<Need>, consumers: Vec<u32>) {
        let Some(call) = self.segment.call else { return };
        if arguments.is_empty() && consumers.is_empty() {
            return;
        }
        let function = self.flat.function(self.segment.function);
        let NodeKind::Call { callee: name, arguments: given, .. } = &function.nodes[call as usize].kind else { return };
        let is_callee = name.as_ref().is_none_or(|it| **it == *self.flat.function(callee).symbol);
        for need in arguments {
            if is_callee {
                if let Some(Some(value)) = given.get(need.node as usize) {
                    self.frame.need(self.flat, Need { node: *value, consumer: need.consumer });
                }
            } else {
                self.edge(need.consumer, call, Dependence::Data);
                self.frame.callee = None;
                self.include(call);
            }
        }
        for consumer in consumers {
            self.edge(consumer, call, Dependence::Control);
            self.include_call(call, true);
        }
    }

    /// From the last node to the first: what is needed, and what writes.
    fn look(&mut self) {
        let accesses = self.flat.accesses(self.segment);
        let mut open = accesses.len();
        let mut bound = self.end;
        loop {
            let first = self.segment.first_node;
            let inside = |it: &&Need| (first..bound).contains(&it.node);
            let needed = self.frame.values().iter().filter(inside).map(|it| it.node).max();
            while open > 0 && (accesses[open - 1].node >= bound || !accesses[open - 1].kind.write) {
                open -= 1;
            }
            let writer = open.checked_sub(1).map(|it| accesses[it].node);
            let Some(node) = needed.max(writer) else { return };
            let mut taken = false;
            if writer == Some(node) {
                let own = accesses[..open].iter().rev().take_while(|it| it.node == node).count();
                taken = self.write(node, &accesses[open - own..open]);
                open -= own;
            }
            if needed == Some(node) {
                self.take_values(node);
                taken = true;
            }
            if taken {
                self.include(node);
            }
            bound = node;
        }
    }

    /// Whoever needed the value of a node has it now.
    fn take_values(&mut self, node: u32) {
        let number = self.number(node);
        let marks = &mut self.marks;
        self.frame.take(self.flat, node, |consumer| marks.edge((consumer, number, Dependence::Data)));
    }

    /// Whether one of the accesses wrote what was needed.
    fn write(&mut self, node: u32, accesses: &[FlatAccess]) -> bool {
        let number = self.number(node);
        let mut source = None;
        let mut hit = false;
        for access in accesses {
            let (address, length) = (access.address(self.words), access.length(self.words));
            if !access.kind.write {
                source = Some(address);
                continue;
            }
            if address == 0 || !self.memory.may_need(address, length) {
                continue;
            }
            let mut told = Vec::new();
            self.memory.write(address, length, |consumer, at, length| told.push((consumer, at, length)));
            for (consumer, at, length) in told {
                hit = true;
                self.marks.edge((consumer, number, Dependence::Data));
                if let (true, Some(source)) = (access.kind.copy, source) {
                    self.memory.need(source.wrapping_add(at - address), length, number);
                }
            }
        }
        hit
    }

    /// Puts a node into the slice, with what it depends on.
    fn include(&mut self, node: u32) {
        let function = self.flat.function(self.segment.function);
        let kind = &function.nodes[node as usize].kind;
        if let NodeKind::Phi { .. } = kind {
            // Nothing runs here: a value that came by another way is not decided by how control came to this place.
            let consumer = self.number(node);
            self.marks.node(consumer);
            add(&mut self.frame.phis, Need { node, consumer });
            return;
        }
        let consumer = self.mark(node);
        match kind {
            NodeKind::Argument(_) => self.arguments.push(Need { node, consumer }),
            NodeKind::Call { .. } => self.include_call(node, false),
            NodeKind::Load { .. } => {
                self.need_operands(node, consumer);
                self.need_reads(node, consumer);
            }
            _ => self.need_operands(node, consumer),
        }
    }

    fn mark(&mut self, node: u32) -> u32 {
        let number = self.number(node);
        self.marks.node(number);
        if self.control.is_unconditional(self.segment.index) {
            add(&mut self.frame.call_consumers, number);
        } else {
            add(&mut self.frame.control, Need { node: self.segment.index, consumer: number });
        }
        number
    }

    /// A call that ran observed code has its value from there, and one that is needed only since it ran code has no
    /// use for its arguments. All other results depend on all arguments and on what the call reads.
    fn include_call(&mut self, node: u32, only_for_control: bool) {
        let consumer = self.mark(node);
        if self.frame.callee.is_none() && !only_for_control {
            self.need_operands(node, consumer);
            if !self.is_copy(node) {
                self.need_reads(node, consumer);
            }
            return;
        }
        let function = self.flat.function(self.segment.function);
        let NodeKind::Call { callee: None, arguments, .. } = &function.nodes[node as usize].kind else { return };
        // The function's address comes behind the arguments.
        let given = arguments.iter().flatten().count();
        for &pointer in &function.nodes[node as usize].operands[given..] {
            self.frame.need(self.flat, Need { node: pointer, consumer });
        }
    }

    fn need_operands(&mut self, node: u32, consumer: u32) {
        let function = self.flat.function(self.segment.function);
        for &operand in &function.nodes[node as usize].operands {
            self.frame.need(self.flat, Need { node: operand, consumer });
        }
    }

    fn need_reads(&mut self, node: u32, consumer: u32) {
        let accesses = self.flat.accesses(self.segment);
        for access in accesses.iter().filter(|it| it.node == node && !it.kind.write) {
            let (address, length) = (access.address(self.words), access.length(self.words));
            if address != 0 {
                self.memory.need(address, length, consumer);
            }
        }
    }

    /// What a copy reads is needed byte for byte, when it is known which bytes.
    fn is_copy(&self, node: u32) -> bool {
        let accesses = self.flat.accesses(self.segment);
        accesses.iter().any(|it| it.node == node && it.kind.copy)
    }
}
