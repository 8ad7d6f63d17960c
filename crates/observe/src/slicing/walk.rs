//! The walk over a trace from its end: what is needed, where it came from, and what that needs.
//!
//! A node is in the slice when its value was needed, when it wrote memory that was needed, or when it decided that
//! something in the slice runs. The nodes of a record are looked at from last to first, but only those that matter:
//! needed ones, and accesses that write.

use rustc_hash::FxHashSet;

use super::closures::{Closures, Set};
use super::flat::{Flat, FlatAccess, FlatSegment};
use super::frames::{Finished, Frame, Need, Stack};
use super::memory::Memory;
use super::postdominators::Control;
use super::symptom::{Criterion, PrintedByte, Printing, Told, symptom};
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
    /// Of each function that something was needed in.
    control: Vec<Option<Control>>,
    /// Of each segment that was looked at; `None` inside where nodes must be looked at one by one.
    closures: Vec<Option<Option<Box<Closures>>>>,
    scratch: Scratch,
    roots: Option<Vec<u32>>,
    /// Until the call is found that printed a byte.
    printing: Option<Printing>,
    /// What is needed of a call, a node of all, that printed it.
    printer: Option<(u32, PrintedByte)>,
    /// Segments that calls had come to when the trace ended.
    unfinished: Vec<u32>,
    stats: Stats,
}

/// Lists that are empty between records, kept so that they need not be allocated for each.
#[derive(Default)]
struct Scratch {
    arguments: Vec<Need>,
    phis: Vec<u32>,
    /// Who needed what was written, where, and how many bytes.
    told: Vec<(u32, u64, u64)>,
}

/// The static result.
struct Marks {
    /// A bit for each node.
    nodes: Vec<u64>,
    /// A bit for each node whose edges to all its operands are there.
    operands: Vec<u64>,
    edges: FxHashSet<u64>,
    /// Edges of late, since loops give the same ones again and again.
    recent: Vec<u64>,
}

type Edge = (u32, u32, Dependence);

const RECENT: usize = 1 << 14;

impl Marks {
    fn new(nodes: u32) -> Marks {
        let (words, edges) = (nodes as usize / 64 + 1, FxHashSet::default());
        Marks { nodes: vec![0; words], operands: vec![0; words], edges, recent: vec![u64::MAX; RECENT] }
    }

    fn node(&mut self, node: u32) {
        self.nodes[node as usize / 64] |= 1 << (node % 64);
    }

    /// Whether this is the first time that the operands of a node are needed.
    fn needs_operands(&mut self, node: u32) -> bool {
        let (word, bit) = (&mut self.operands[node as usize / 64], 1 << (node % 64));
        let first = *word & bit == 0;
        *word |= bit;
        first
    }

    /// There are fewer than two billion nodes, so that a bit is left for the kind.
    fn edge(&mut self, (from, to, kind): Edge) {
        let edge = u64::from(from) << 32 | u64::from(to) << 1 | u64::from(kind == Dependence::Control);
        let slot = (edge.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        let recent = &mut self.recent[slot % RECENT];
        if *recent != edge {
            *recent = edge;
            self.edges.insert(edge);
        }
    }

    fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.edges.iter().map(|edge| {
            let kind = if edge & 1 != 0 { Dependence::Control } else { Dependence::Data };
            ((edge >> 32) as u32, (*edge as u32) >> 1, kind)
        })
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
    /// The number among all of the function's first segment.
    first_segment: u32,
    words: &'w [u64],
    frame: &'w mut Frame,
    memory: &'w mut Memory,
    marks: &'w mut Marks,
    control: &'w Control,
    printer: &'w mut Option<(u32, PrintedByte)>,
    closures: &'w mut [Option<Option<Box<Closures>>>],
    /// With the arguments of the function that are needed, at its beginning.
    scratch: &'w mut Scratch,
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
            control: (0..flat.functions.len()).map(|_| None).collect(),
            closures: (0..flat.segments.len()).map(|_| None).collect(),
            scratch: Scratch::default(),
            roots: None,
            printing: match criterion {
                Criterion::Output(byte) => Some(Printing::new(*byte)),
                _ => None,
            },
            printer: None,
            unfinished: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Nothing before can matter.
    pub fn is_done(&self) -> bool {
        self.roots.is_some() && self.memory.is_empty() && self.stacks.iter().all(Stack::is_idle)
    }

    /// Takes the record before the one that was taken last, of this thread.
    pub fn step(&mut self, thread: usize, number: u32, told: Told<'_>, may_be_symptom: bool) {
        let (flat, words) = (self.flat, told.words);
        let segment = &flat.segments[number as usize];
        self.stats.segments += 1;
        self.stats.records += 1 + u64::from(segment.end_access - segment.first_access);
        let stack = &mut self.stacks[thread];
        if stack.enter(flat, number, segment) {
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
        let roots = match &self.roots {
            None if printed.is_some() => printed.iter().map(|it| it.effect).collect(),
            None if may_be_symptom => symptom(self.criterion, self.address, flat, segment, told),
            _ => Vec::new(),
        };
        let is_symptom = !roots.is_empty();
        let frame = stack.top();
        let waits = !frame.control.is_empty() || !frame.ways.is_empty();
        let has_duties = frame.values.has_any(segment.first_node, segment.end_node)
            || !frame.phis.is_empty()
            || (waits && flat.successors(segment).len() > 1)
            || !stack.finished.is_empty();
        // Most records of a long trace end here.
        if is_symptom || has_duties || writes_needed(flat, segment, words, &self.memory) {
            let control = self.control[segment.function as usize]
                .get_or_insert_with(|| Control::of(flat.function(segment.function)));
            let (memory, marks, scratch) = (&mut self.memory, &mut self.marks, &mut self.scratch);
            let (frame, finished) = stack.top_and_finished();
            let end = roots.iter().max().map_or(segment.end_node, |it| it + 1);
            let (first_segment, printer) = (number - segment.index, &mut self.printer);
            let closures = &mut self.closures;
            let mut here = Here {
                flat,
                segment,
                first_segment,
                words,
                frame,
                memory,
                marks,
                control,
                printer,
                closures,
                scratch,
                end,
            };
            here.resolve_phis();
            here.resolve_control();
            here.receive(finished);
            for &node in &roots {
                here.include(node);
            }
            here.look();
            self.stats.most_memory = self.stats.most_memory.max(self.memory.len());
        }
        end_record(flat, stack, segment, &self.scratch.arguments);
        self.scratch.arguments.clear();
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
            self.marks.edges().filter_map(|(from, to, kind)| Some((index(from)?, index(to)?, kind))).collect();
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

/// Which argument of a function that prints bytes as they are has them.
fn printed_argument(name: &str) -> Option<usize> {
    match name.trim_end_matches("_unlocked") {
        "fwrite" | "puts" | "fputs" => Some(0),
        "write" => Some(1),
        _ => None,
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
        caller.callee = Some(segment.function);
    }
    let consumer = flat.node(caller.function, call);
    if caller.values.contains(call) && segment.returns {
        let result = segment.end_node - 1;
        marks.edge((consumer, flat.node(segment.function, result), Dependence::Data));
        stack.top().values.insert(result);
    }
}

fn end_record(flat: &Flat<'_>, stack: &mut Stack, segment: &FlatSegment, arguments: &[Need]) {
    if segment.call.is_some() {
        stack.top().callee = None;
    }
    if segment.index == 0 {
        stack.leave(flat, arguments);
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

    /// The value of a node is needed. By its call, it has been computed before.
    fn need(&mut self, node: u32, consumer: u32) {
        self.edge(consumer, node, Dependence::Data);
        self.frame.values.insert(node);
    }

    /// Control came from here to the segment with these phi nodes.
    fn resolve_phis(&mut self) {
        if self.frame.phis.is_empty() {
            return;
        }
        let function = self.flat.function(self.segment.function);
        let mut phis = std::mem::replace(&mut self.frame.phis, std::mem::take(&mut self.scratch.phis));
        for node in phis.drain(..) {
            let NodeKind::Phi { incoming } = &function.nodes[node as usize].kind else { continue };
            let way = incoming.iter().find(|(from, _)| *from == self.segment.index);
            let Some((from, value)) = way else { continue };
            let consumer = self.number(node);
            match value {
                Some(value) => self.need(*value, consumer),
                // The false of `a && b`, where `a` was false: that control came this way is all there is.
                None if function.segments[*from as usize].successors.len() > 1 => {
                    let branch = self.segment.end_node - 1;
                    self.edge(consumer, branch, Dependence::Control);
                    self.include(branch);
                }
                None => add(&mut self.frame.ways, Need { node: *from, consumer }),
            }
        }
        self.scratch.phis = phis;
    }

    /// The branch here may have decided what is waiting for one.
    fn resolve_control(&mut self) {
        let frame = &mut *self.frame;
        if (frame.control.is_empty() && frame.ways.is_empty()) || self.flat.successors(self.segment).len() < 2 {
            return;
        }
        let branch = self.segment.end_node.wrapping_sub(1);
        let (control, index, marks) = (self.control, self.segment.index, &mut *self.marks);
        let first = self.flat.node(self.segment.function, 0);
        let mut decided = false;
        let waiting = &mut frame.waiting;
        frame.control.retain(|segment| {
            if !control.decides(index, *segment) {
                return true;
            }
            decided = true;
            let number = (self.first_segment + segment) as usize;
            let FlatSegment { first_node, end_node, .. } = self.flat.segments[number];
            let mut edge = |node: u32| marks.edge((first + node, first + branch, Dependence::Control));
            match &mut self.closures[number] {
                Some(Some(closures)) if first_node < end_node => {
                    let ran = waiting.word(first_node, end_node);
                    waiting.remove_word(first_node, ran);
                    let fresh = closures.tell(branch, ran);
                    (0..64).filter(|it| fresh >> it & 1 != 0).for_each(|it| edge(first_node + it));
                }
                _ => waiting.take(first_node, end_node, edge),
            }
            false
        });
        frame.ways.retain(|need| {
            let is_decided = control.decides(index, need.node);
            if is_decided {
                marks.edge((need.consumer, first + branch, Dependence::Control));
                decided = true;
            }
            !is_decided
        });
        if decided {
            self.include(branch);
        }
    }

    /// A callee has ended, read backwards: its arguments are those of the call here.
    fn receive(&mut self, finished: &mut Finished) {
        if !finished.is_empty() {
            self.take_over(finished);
            finished.arguments.clear();
            finished.call_consumers.clear();
        }
    }

    fn take_over(&mut self, finished: &Finished) {
        let Some(call) = self.segment.call else { return };
        let function = self.flat.function(self.segment.function);
        let NodeKind::Call { callee: name, arguments: given, .. } = &function.nodes[call as usize].kind else { return };
        let is_callee = name.as_ref().is_none_or(|it| **it == *self.flat.function(finished.function).symbol);
        for need in &finished.arguments {
            if is_callee {
                if let Some(Some(value)) = given.get(need.node as usize) {
                    self.need(*value, need.consumer);
                }
            } else {
                self.edge(need.consumer, call, Dependence::Data);
                self.frame.callee = None;
                self.include(call);
            }
        }
        for consumer in &finished.call_consumers {
            self.edge(*consumer, call, Dependence::Control);
        }
        if !finished.call_consumers.is_empty() {
            self.include_call(call, true);
        }
    }

    /// What is needed, and what writes.
    fn look(&mut self) {
        let number = (self.first_segment + self.segment.index) as usize;
        let closures = self.closures[number].take();
        let mut closures = closures.unwrap_or_else(|| Closures::of(self.flat, self.segment).map(Box::new));
        let done = match &mut closures {
            Some(closures) if self.end == self.segment.end_node => self.look_at_once(closures),
            _ => false,
        };
        self.closures[number] = Some(closures);
        if !done {
            self.look_one_by_one();
        }
    }

    /// By what is known of the segment. Only memory is looked at from the last access to the first.
    fn look_at_once(&mut self, closures: &mut Closures) -> bool {
        let (first, end) = (self.segment.first_node, self.segment.end_node);
        let needed = if first < end { self.frame.values.word(first, end) } else { 0 };
        let Some(mut included) = closures.closure(needed) else { return false };
        self.frame.values.remove_word(first, needed);
        for access in self.flat.accesses(self.segment).iter().rev() {
            let node = access.node - first;
            if access.kind.write {
                if self.write(access.node, std::slice::from_ref(access)) {
                    included |= closures.of_node(node);
                }
            } else if included >> node & 1 != 0 {
                let (address, length) = (access.address(self.words), access.length(self.words));
                if address != 0 {
                    self.memory.need(address, length, self.number(access.node));
                }
            }
        }
        if included != 0 {
            self.include_all(closures, included);
        }
        true
    }

    /// Puts nodes into the slice, with what they depend on before the segment.
    fn include_all(&mut self, closures: &mut Closures, included: Set) {
        let first = self.segment.first_node;
        let (found, is_new) = closures.consequences(self.flat, self.segment, included);
        for &node in &found.outside {
            self.frame.values.insert(node);
        }
        for &node in &found.phis {
            add(&mut self.frame.phis, node);
        }
        for &node in &found.arguments {
            let consumer = self.flat.node(self.segment.function, node);
            self.scratch.arguments.push(Need { node, consumer });
        }
        if found.run != 0 {
            self.frame.waiting.insert_word(first, found.run);
            if !self.control.is_unconditional(self.segment.index) {
                add(&mut self.frame.control, self.segment.index);
            }
        }
        if is_new {
            let function = self.flat.function(self.segment.function);
            for node in (0..64).filter(|it| included >> it & 1 != 0).map(|it| first + it) {
                let consumer = self.number(node);
                self.marks.node(consumer);
                let node = &function.nodes[node as usize];
                let depends = !matches!(node.kind, NodeKind::Phi { .. } | NodeKind::Argument(_));
                if depends && self.marks.needs_operands(consumer) {
                    for &operand in &node.operands {
                        self.edge(consumer, operand, Dependence::Data);
                    }
                }
            }
        }
    }

    /// From the last node to the first.
    fn look_one_by_one(&mut self) {
        let accesses = self.flat.accesses(self.segment);
        let mut open = accesses.len();
        let mut bound = self.end;
        loop {
            let first = self.segment.first_node;
            let needed = self.frame.values.last(first, bound);
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
                self.frame.values.remove(node);
                taken = true;
            }
            if taken {
                self.include(node);
            }
            bound = node;
        }
    }

    /// Whether one of the accesses wrote what was needed.
    fn write(&mut self, node: u32, accesses: &[FlatAccess]) -> bool {
        let number = self.number(node);
        let mut source = None;
        let mut hit = false;
        for access in accesses {
            let (address, length) = (access.address(self.words), access.length(self.words));
            if access.reads() {
                source = Some(address);
                continue;
            }
            if access.kind.print || address == 0 || !self.memory.may_need(address, length) {
                continue;
            }
            let told = &mut self.scratch.told;
            self.memory.write(address, length, |consumer, at, length| told.push((consumer, at, length)));
            for (consumer, at, length) in told.drain(..) {
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
            add(&mut self.frame.phis, node);
            return;
        }
        let consumer = self.mark(node);
        match kind {
            NodeKind::Argument(_) => self.scratch.arguments.push(Need { node, consumer }),
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
        self.frame.waiting.insert(node);
        if !self.control.is_unconditional(self.segment.index) {
            add(&mut self.frame.control, self.segment.index);
        }
        number
    }

    /// A call that ran observed code has its value from there, and one that is needed only since it ran code has no
    /// use for its arguments. All other results depend on all arguments and on what the call reads.
    fn include_call(&mut self, node: u32, only_for_control: bool) {
        let consumer = self.mark(node);
        if let Some((_, byte)) = self.printer.take_if(|it| it.0 == consumer && !only_for_control) {
            self.include_printer(node, consumer, byte);
            return;
        }
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
            self.need(pointer, consumer);
        }
    }

    /// Of the call that printed a byte, where the byte was read, if it is known.
    fn include_printer(&mut self, node: u32, consumer: u32, byte: PrintedByte) {
        let accesses = self.flat.accesses(self.segment);
        let read = accesses.iter().find(|it| it.node == node && it.reads());
        let function = self.flat.function(self.segment.function);
        let NodeKind::Call { callee, arguments, .. } = &function.nodes[node as usize].kind else { return };
        let data = callee.as_deref().and_then(printed_argument).and_then(|it| arguments.get(it));
        let Some((read, data)) = read.zip(data).filter(|it| byte.offset < it.0.length(self.words)) else {
            self.need_operands(node, consumer);
            self.need_reads(node, consumer);
            return;
        };
        self.memory.need(read.address(self.words).wrapping_add(byte.offset), 1, consumer);
        match byte.length_matters {
            true => self.need_operands(node, consumer),
            false => {
                if let Some(node) = *data {
                    self.edge(consumer, node, Dependence::Data);
                    self.frame.values.insert(node);
                }
            }
        }
    }

    fn need_operands(&mut self, node: u32, consumer: u32) {
        let function = self.flat.function(self.segment.function);
        let is_first = self.marks.needs_operands(consumer);
        for &operand in &function.nodes[node as usize].operands {
            if is_first {
                self.edge(consumer, operand, Dependence::Data);
            }
            self.frame.values.insert(operand);
        }
    }

    fn need_reads(&mut self, node: u32, consumer: u32) {
        let accesses = self.flat.accesses(self.segment);
        for access in accesses.iter().filter(|it| it.node == node && it.reads()) {
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
