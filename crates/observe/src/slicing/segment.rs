//! A segment of a record, looked at node by node: what is needed of it, and what that needs.
//!
//! A node is in the slice when its value was needed, when it wrote memory that was needed, or when it decided that
//! something in the slice runs. Nodes are looked at from last to first, but only those that matter:
//! needed ones, and accesses that write.

use super::Dependence;
use super::flat::{Flat, FlatAccess, FlatSegment};
use super::frames::{Finished, Frame, Need};
use super::learned::Lesson;
use super::marks::Marks;
use super::memory::Memory;
use super::postdominators::Control;
use super::symptom::PrintedByte;
use crate::recording::{NodeKind, Words};

/// Lists that are empty between segments, kept so that they need not be allocated for each.
#[derive(Default)]
pub struct Scratch {
    /// Arguments of the function that are needed, at its beginning.
    pub arguments: Vec<Need>,
    phis: Vec<u32>,
}

/// A segment while it is looked at.
pub struct Here<'a, 'w> {
    pub flat: &'a Flat<'a>,
    pub segment: &'w FlatSegment,
    /// The number among all of the function's first segment.
    pub first_segment: u32,
    pub words: Words<'w>,
    pub frame: &'w mut Frame,
    pub memory: &'w mut Memory,
    pub marks: &'w mut Marks,
    pub lesson: &'w mut Lesson,
    pub control: &'w Control,
    /// What is needed of a call, a node of all, that printed something.
    pub printer: &'w mut Option<(u32, PrintedByte)>,
    pub scratch: &'w mut Scratch,
    /// Nodes from here on do not matter: the symptom is before them.
    pub end: u32,
}

/// Which argument of a function that prints bytes as they are has them.
fn printed_argument(name: &str) -> Option<usize> {
    match name.trim_end_matches("_unlocked") {
        "fwrite" | "puts" | "fputs" => Some(0),
        "write" => Some(1),
        name if name.starts_with("_ZStls") && name.contains("PKc") => Some(1),
        _ => None,
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

impl Here<'_, '_> {
    /// With what the callee has left that was read before, and the nodes that the slice begins with.
    pub fn pass(&mut self, finished: &mut Finished, roots: &[u32]) {
        self.resolve_phis();
        self.resolve_control();
        self.receive(finished);
        for &node in roots {
            self.include(node);
        }
        self.look();
    }

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
            let FlatSegment { first_node, end_node, .. } = self.flat.segments[(self.first_segment + segment) as usize];
            let edge = |node: u32| marks.edge((first + node, first + branch, Dependence::Control));
            waiting.take(first_node, end_node, edge);
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
            finished.clear();
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
                self.frame.has_callee = false;
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

    /// What is needed, and what writes, from the last node to the first.
    fn look(&mut self) {
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

    /// Whether one of a node's accesses wrote what was needed.
    fn write(&mut self, node: u32, accesses: &[FlatAccess]) -> bool {
        let (number, words) = (self.number(node), self.words);
        let accesses = accesses.iter().map(|it| it.of_path(words));
        self.lesson.write(accesses, number, words.written, self.memory, self.marks)
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

    /// A call that ran observed code has its value from there, unless it is known what it reads, and one that is needed only since it
    /// ran code has no use for its arguments. All other results depend on all arguments and on what the call reads.
    fn include_call(&mut self, node: u32, only_for_control: bool) {
        let consumer = self.mark(node);
        if let Some((_, byte)) = self.printer.take_if(|it| it.0 == consumer && !only_for_control) {
            self.include_printer(node, consumer, byte);
            return;
        }
        let is_known = !self.frame.has_callee || self.is_modelled(node);
        if is_known && !only_for_control {
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
            self.lesson.need(access.of_path(self.words), consumer, self.words.written, self.memory);
        }
    }

    /// Whether it is known what a call does, though it ran observed code: of C++'s strings.
    fn is_modelled(&self, node: u32) -> bool {
        let function = self.flat.function(self.segment.function);
        matches!(&function.nodes[node as usize].kind, NodeKind::Call { accesses, .. } if !accesses.is_empty())
    }

    /// What a copy reads is needed byte for byte, when it is known which bytes.
    fn is_copy(&self, node: u32) -> bool {
        let accesses = self.flat.accesses(self.segment);
        accesses.iter().any(|it| it.node == node && it.kind.copy)
    }
}
