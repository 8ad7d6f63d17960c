//! The alternatives that the annotation library has for the commands of a program.
//!
//! Commands → [`Alternative`]s: an edit of the source, and the change of the program that it means. One that has no
//! edit, because the text is a macro's or is not there, is none. Whether an alternative compiles and helps is for
//! others to find out.

mod rewritten;
mod room;

use std::collections::{BTreeMap, BTreeSet};

use program::exec::memory::ObjectKind;
use program::exec::{CommandRef, Detail, Violation, ViolationKind};
use program::{
    Argument, BinaryOp, Body, CommandKind, ExprId, ExprKind, FunctionId, NodeRef, Object, OperatorToken, Program, Role,
    SpanIndex, TerminatorKind, Type, VarId,
};
use source::annotations::Annotations;
use source::{Edit, Place, Span, replace_expression, replace_operator};

use super::changes::{Change, Joined, Tested, respelled};

/// Variables that are tried in the place of one.
const MOST_VARIABLES: usize = 8;
/// The most that a patch weighs after which an operation does nothing, as in `x + 0`: it hides a fault rather than mends
/// it.
const IDLE: u32 = 3;

/// Something else in the place of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    pub at: CommandRef,
    /// Of a call, the argument that it is in.
    pub argument: Option<u32>,
    pub weight: u32,
    pub edit: Edit,
    pub change: Change,
    /// `` `<=` becomes `<` ``
    pub words: String,
}

impl Alternative {
    /// What it does to a run can be computed.
    pub fn has_formula(&self) -> bool {
        self.change != Change::TextOnly
    }

    pub fn apply(&self, program: &mut Program) {
        if let Some(body) = program.functions[self.at.function.index()].body.as_mut() {
            self.change.apply(body);
        }
    }
}

/// The array that a failing access is outside of.
#[derive(Clone, Copy, Debug)]
struct Accessed {
    function: FunctionId,
    object: ObjectKind,
    bytes: u64,
    /// Bytes of an element.
    stride: u64,
    tested: Option<ExprId>,
    is_index: bool,
}

/// Looks alternatives up.
pub struct Finder<'p> {
    program: &'p Program,
    spans: &'p SpanIndex<'p>,
    annotations: &'p Annotations,
    accessed: Option<Accessed>,
    /// What failed.
    kind: ViolationKind,
    /// Constants, and the values with which the operation around them does nothing.
    idle: BTreeMap<ExprId, u128>,
    found: Vec<Alternative>,
}

/// The alternatives for commands, in their order.
pub fn find<'p>(
    program: &'p Program,
    spans: &'p SpanIndex<'p>,
    annotations: &'p Annotations,
    commands: &BTreeSet<CommandRef>,
    violation: &Violation,
) -> Vec<Alternative> {
    let mut finder = Finder::new(program, spans, annotations, violation);
    for &at in commands {
        finder.command(at);
    }
    finder.missing(violation);
    finder.found.retain(|it| it.weight > 0);
    finder.found
}

fn accessed(program: &Program, violation: &Violation) -> Option<Accessed> {
    let function = violation.at.function;
    let body = program.function(function).body.as_ref()?;
    let stored = match body.block(violation.at.block).commands.get(violation.at.index as usize).map(|it| &it.kind) {
        Some(CommandKind::Store { address, .. }) => Some(*address),
        _ => None,
    };
    let mut node = violation.expr.or(stored)?;
    if let ExprKind::Load(load) = &body.expr(node).kind {
        node = load.address;
    }
    let index = match &body.expr(node).kind {
        ExprKind::Index(index) => Some(*index),
        _ => None,
    };
    let base = index.and_then(|index| match body.expr(index.base).kind {
        ExprKind::Address(object) => Some(object),
        _ => None,
    });
    let (object, bytes, stride) = match (&violation.detail, index, base) {
        (Detail::Memory(fault), ..) => (fault.object?.kind, fault.object?.size, fault.length.max(1)),
        (Detail::Index { count, .. }, Some(index), Some(Object::Local(local))) => {
            (ObjectKind::Local { function, local }, count * index.stride, index.stride.max(1))
        }
        (Detail::Index { count, .. }, Some(index), Some(Object::Global(global))) => {
            (ObjectKind::Global(global), count * index.stride, index.stride.max(1))
        }
        _ => return None,
    };
    let tested = index.filter(|_| base.is_some()).map_or(node, |index| index.index);
    let tested = is_pure(body, tested).then_some(tested);
    Some(Accessed { function, object, bytes, stride, tested, is_index: base.is_some() })
}

/// Without reads of memory, so that it can be computed elsewhere without being followed there.
fn is_pure(body: &Body, id: ExprId) -> bool {
    let kind = &body.expr(id).kind;
    let mut pure = !matches!(kind, ExprKind::Load(_) | ExprKind::Apply(..));
    kind.operands(|operand| pure &= is_pure(body, *operand));
    pure
}

impl<'p> Finder<'p> {
    fn new(
        program: &'p Program,
        spans: &'p SpanIndex<'p>,
        annotations: &'p Annotations,
        violation: &Violation,
    ) -> Finder<'p> {
        let accessed = accessed(program, violation);
        Finder { program, spans, annotations, accessed, kind: violation.kind, idle: BTreeMap::new(), found: Vec::new() }
    }

    fn command(&mut self, at: CommandRef) {
        let program = self.program;
        let Some(body) = program.functions.get(at.function.index()).and_then(|it| it.body.as_ref()) else { return };
        let block = body.block(at.block);
        let mut roots: Vec<(ExprId, Option<u32>)> = Vec::new();
        match block.commands.get(at.index as usize).map(|command| &command.kind) {
            Some(CommandKind::Call(call)) => {
                for (position, argument) in call.arguments.iter().enumerate() {
                    if let Argument::Scalar(id) = argument {
                        roots.push((*id, Some(position as u32)));
                    }
                }
                self.swapped(at, body, call, block.commands[at.index as usize].site);
            }
            Some(kind) => kind.operands(|id| roots.push((*id, None))),
            None => {
                block.terminator.kind.operands(|id| roots.push((*id, None)));
                if let TerminatorKind::Branch { condition, .. } = &block.terminator.kind {
                    self.condition(at, body, *condition);
                }
            }
        }
        self.idle.clear();
        for &(root, argument) in &roots {
            self.tree(at, argument, body, root);
        }
        self.bytes_for_elements(at, body, &roots);
    }

    fn tree(&mut self, at: CommandRef, argument: Option<u32>, body: &Body, id: ExprId) {
        let node = body.expr(id);
        let first = self.found.len();
        match &node.kind {
            ExprKind::Binary(op, _, right) => {
                self.operator(at, body, id);
                self.midpoint(at, body, id);
                if let Some(value) = idle_operand(*op) {
                    self.idle.insert(*right, value);
                }
                if matches!(op, BinaryOp::Compare(_)) {
                    self.right_side(at, body, *right);
                }
            }
            ExprKind::Constant(bits) if matches!(node.ty, Type::Int(width) if width > 1) => {
                self.constant(at, id, *bits, node.ty);
            }
            ExprKind::Variable(variable) => self.variable(at, body, id, *variable),
            ExprKind::Address(Object::Local(local)) => self.object(at, body, id, *local),
            _ => {}
        }
        for found in &mut self.found[first..] {
            found.argument = argument;
        }
        node.kind.operands(|operand| self.tree(at, argument, body, *operand));
    }

    fn add(&mut self, at: CommandRef, weight: u32, edit: Option<Edit>, change: Change, words: String) {
        let Some(edit) = edit else { return };
        if !self.found.iter().any(|it| it.at == at && it.edit == edit) {
            self.found.push(Alternative { at, argument: None, weight, edit, change, words });
        }
    }

    fn span(&self, at: CommandRef, id: ExprId) -> Option<(Span, &str)> {
        let span = self.spans.original(NodeRef::Expr(at.function, id))?.ok()?;
        Some((span, self.program.sources.text_of(span)?))
    }

    fn replaced(&self, span: Span, text: &str) -> Option<Edit> {
        replace_expression(&self.program.sources, span, text).ok()
    }

    fn operator(&mut self, at: CommandRef, body: &Body, id: ExprId) {
        let OperatorToken::Found { token, text } = self.spans.operator_token(at.function, id) else { return };
        let node = body.expr(id);
        let Ok(token) = self.spans.original_part(node.site, token) else { return };
        let place = Place { file: token.file, position: token.start };
        let Some(operator) = self.program.sources.operator_at(place) else { return };
        let (base, tail) = match text.as_str() {
            "++" | "--" => (&text[..1], &text[..1]),
            "<=" | ">=" | "==" | "!=" => (text.as_str(), ""),
            _ => (text.trim_end_matches('='), if text.ends_with('=') { "=" } else { "" }),
        };
        let alternatives: Vec<(String, u32)> =
            self.annotations.operator(base).map(|(to, weight)| (to.to_owned(), weight)).collect();
        for (to, weight) in alternatives {
            let spelling = match text.as_str() {
                "++" | "--" if to != "+" && to != "-" => continue,
                "++" | "--" => format!("{to}{to}"),
                _ => format!("{to}{tail}"),
            };
            // `x--` adds -1: its opposite subtracts it.
            let added = text == "--" && matches!(node.kind, ExprKind::Binary(BinaryOp::Add(_), ..));
            let Some(kind) = respelled(&node.kind, if added { "-" } else { &to }) else { continue };
            let edit = replace_operator(&self.program.sources, &operator, &spelling).ok();
            self.add(at, weight, edit, Change::Node(id, kind), format!("`{text}` becomes `{spelling}`"));
        }
    }

    fn constant(&mut self, at: CommandRef, id: ExprId, bits: u128, ty: Type) {
        let Some((span, text)) = self.span(at, id) else { return };
        let text = text.to_owned();
        // Characters, truth values and null are no numbers that one could be off by.
        if text.starts_with(['\'', '"']) || ["true", "false", "NULL"].contains(&text.as_str()) {
            return;
        }
        let defined = self.defined(span.start_place(), &text);
        let number = text.parse::<i64>().ok().or(defined.map(|it| it.1));
        for (offset, weight) in self.offsets(number) {
            let value = bits.wrapping_add(offset as i128 as u128) & ty.mask();
            let new = match number {
                Some(number) => (number + offset).to_string(),
                None => sum(&text, offset),
            };
            let edit = match defined {
                Some((span, _)) => Some(Edit { span, replacement: new.clone() }),
                None => self.replaced(span, &new),
            };
            let weight = if self.idle.get(&id) == Some(&value) { weight.min(IDLE) } else { weight };
            self.add(
                at,
                weight,
                edit,
                Change::Node(id, ExprKind::Constant(value)),
                format!("`{text}` becomes `{new}`"),
            );
        }
        let stride = u128::from(self.accessed.map_or(1, |it| it.stride));
        if let Some(name) = sized_name(&text).filter(|_| stride > 1 && bits.is_multiple_of(stride)) {
            let new = format!("{text} / sizeof({name}[0])");
            let edit = self.replaced(span, &new);
            let change = Change::Node(id, ExprKind::Constant(bits / stride));
            self.add(at, self.annotations.elements, edit, change, format!("`{text}` becomes `{new}`"));
        }
    }

    /// What is added to a constant: the library's offsets, and what makes it so many times larger or smaller.
    fn offsets(&self, number: Option<i64>) -> Vec<(i64, u32)> {
        let known = self.annotations.constants.iter();
        let mut offsets: Vec<(i64, u32)> = known.map(|(&offset, &weight)| (offset, weight)).collect();
        for (&factor, &weight) in &self.annotations.scales {
            let Some(number) = number.filter(|it| it.unsigned_abs() > 1) else { continue };
            let larger = number.checked_mul(factor).filter(|it| i32::try_from(*it).is_ok());
            let smaller = (number % factor == 0).then_some(number / factor);
            offsets.extend([larger, smaller].into_iter().flatten().map(|it| (it - number, weight)));
        }
        offsets
    }

    /// `sizeof(a)` where a number of elements is meant: clang leaves only its value, so its text is looked for.
    fn bytes_for_elements(&mut self, at: CommandRef, body: &Body, roots: &[(ExprId, Option<u32>)]) {
        let Some(stride) = self.accessed.map(|it| it.stride).filter(|stride| *stride > 1) else { return };
        let node = match (at.index as usize) < body.block(at.block).commands.len() {
            true => NodeRef::Command(at.function, at.block, at.index),
            false => NodeRef::Terminator(at.function, at.block),
        };
        let Some(Ok(span)) = self.spans.original(node) else { return };
        let sources = &self.program.sources;
        let (Some(text), Some(range)) = (sources.text(span.file), sources.range(span)) else { return };
        let end = text[range.start..].find(';').map_or(range.end, |length| (range.start + length).max(range.end));
        let statement = &text[range.start..end];
        let mut found = Vec::new();
        for (offset, _) in statement.match_indices("sizeof") {
            let Some((length, name)) = sized_operand(&statement[offset..]) else { continue };
            let start = range.start + offset;
            let divided = text[start + length..].trim_start().starts_with('/');
            if divided || text[..start].trim_end().ends_with(['/', '%']) {
                continue;
            }
            let Some(size) = self.size_of(body, name).filter(|size| size % stride == 0 && *size > stride) else {
                continue;
            };
            let positions = (sources.position(span.file, start), sources.position(span.file, start + length));
            if let (Some(start), Some(end)) = positions {
                let old = statement[offset..offset + length].to_owned();
                found.push((Span { file: span.file, start, end }, old, name.to_owned(), size));
            }
        }
        for (span, old, name, size) in found {
            let constants: Vec<ExprId> =
                roots.iter().flat_map(|(root, _)| constants(body, *root, u128::from(size))).collect();
            let change = match constants[..] {
                [only] => Change::Node(only, ExprKind::Constant(u128::from(size / stride))),
                _ => Change::TextOnly,
            };
            let new = format!("{old} / sizeof({name}[0])");
            // No expression of its own for a parser that does not know whether the name is a type.
            let edit = Some(Edit { span, replacement: new.clone() });
            self.add(at, self.annotations.elements, edit, change, format!("`{old}` becomes `{new}`"));
        }
    }

    /// The bytes of an object of this name that the function sees.
    fn size_of(&self, body: &Body, name: &str) -> Option<u64> {
        let local = body.locals.iter().find(|local| local.name == name).map(|local| local.size);
        local.or_else(|| self.program.globals.iter().find(|global| global.name == name).map(|global| global.size))
    }

    /// The right side of a comparison.
    fn right_side(&mut self, at: CommandRef, body: &Body, id: ExprId) {
        let node = body.expr(id);
        let Type::Int(width) = node.ty else { return };
        let Some((span, text)) = self.span(at, id) else { return };
        let text = text.to_owned();
        if width > 1 && !matches!(node.kind, ExprKind::Constant(_)) {
            let offsets: Vec<(i64, u32)> =
                self.annotations.bounds.iter().map(|(&offset, &weight)| (offset, weight)).collect();
            for (offset, weight) in offsets {
                let new = sum(&text, offset);
                let edit = self.replaced(span, &new);
                self.add(at, weight, edit, Change::Offset(id, offset), format!("`{text}` becomes `{new}`"));
            }
        }
        let Some(accessed) = self.accessed.filter(|it| width > 1 && it.bytes % it.stride == 0 && it.bytes > 0) else {
            return;
        };
        let count = accessed.bytes / accessed.stride;
        if node.kind != ExprKind::Constant(u128::from(count)) && is_pure(body, id) {
            let Some(new) = self.count_text(&accessed, at.function) else { return };
            let edit = self.replaced(span, &new);
            let change = Change::Node(id, ExprKind::Constant(u128::from(count)));
            self.add(at, self.annotations.count, edit, change, format!("`{text}` becomes `{new}`"));
        }
    }

    /// How a function writes the number of elements, if it can see the array.
    fn count_text(&self, accessed: &Accessed, function: FunctionId) -> Option<String> {
        let (name, _) = self.object_name(accessed, function)?;
        Some(match accessed.stride {
            1 => format!("(int)sizeof({name})"),
            _ => format!("(int)(sizeof({name}) / sizeof({name}[0]))"),
        })
    }

    fn object_name(&self, accessed: &Accessed, function: FunctionId) -> Option<(String, Object)> {
        match accessed.object {
            ObjectKind::Global(global) => {
                let name = self.program.global(global).name.clone();
                let is_named =
                    name.starts_with(|first: char| first.is_alphabetic() || first == '_') && !name.contains('.');
                is_named.then_some((name, Object::Global(global)))
            }
            ObjectKind::Local { function: owner, local } if owner == function => {
                let body = self.program.function(owner).body.as_ref()?;
                let name = body.locals.get(local.index())?.name.clone();
                (!name.contains(['.', '%'])).then_some((name, Object::Local(local)))
            }
            _ => None,
        }
    }

    fn variable(&mut self, at: CommandRef, body: &Body, id: ExprId, variable: VarId) {
        if self.annotations.same_type == 0 {
            return;
        }
        let Some((span, text)) = self.span(at, id) else { return };
        let declared = body.variable(variable);
        let text = text.to_owned();
        if declared.name != text || self.is_written(span) {
            return;
        }
        let fits = |(index, it): (usize, &program::Variable)| {
            let same = it.ty == declared.ty && it.ctype == declared.ctype && index != variable.index();
            let named = it.role != Role::Temporary && !it.name.contains(['.', '%']);
            (same && named).then(|| (VarId(index as u32), it.name.clone()))
        };
        let others: Vec<_> = body.variables.iter().enumerate().filter_map(fits).take(MOST_VARIABLES).collect();
        for (other, name) in others {
            let edit = self.replaced(span, &name);
            let change = Change::Node(id, ExprKind::Variable(other));
            self.add(at, self.annotations.same_type, edit, change, format!("`{text}` becomes `{name}`"));
        }
    }

    /// Whether the text around says that the variable is also written: `x++`, `x += 1`.
    fn is_written(&self, span: Span) -> bool {
        let sources = &self.program.sources;
        let (Some(text), Some(range)) = (sources.text(span.file), sources.range(span)) else { return true };
        let (before, after) = (text[..range.start].trim_end(), text[range.end..].trim_start());
        let step = |it: &str| it == "++" || it == "--";
        let assigned = after.find('=').is_some_and(|at| {
            let operator = &after[..at];
            operator.chars().all(|it| "+-*/%&|^<>".contains(it))
                && !after[at + 1..].starts_with('=')
                && !matches!(operator, "<" | ">")
        });
        assigned || before.get(before.len().saturating_sub(2)..).is_some_and(step) || after.get(..2).is_some_and(step)
    }

    fn condition(&mut self, at: CommandRef, body: &Body, condition: ExprId) {
        let Some((span, text)) = self.span(at, condition) else { return };
        let text = text.to_owned();
        let compares = matches!(body.expr(condition).kind, ExprKind::Binary(BinaryOp::Compare(_), ..))
            && matches!(self.spans.operator_token(at.function, condition), OperatorToken::Found { ref text, .. } if text != "!");
        if !compares && body.expr(condition).ty == Type::BOOL {
            let new = text.strip_prefix('!').map_or_else(|| format!("!({text})"), str::to_owned);
            let edit = self.replaced(span, &new);
            self.add(
                at,
                self.annotations.negated,
                edit,
                Change::Negated(condition),
                format!("`{text}` becomes `{new}`"),
            );
        }
        self.logical(at, span);
        self.tested(at, body, condition, span, &text);
    }

    /// `&&` and `||` beside a condition: in the program they are branches.
    fn logical(&mut self, at: CommandRef, span: Span) {
        let sources = &self.program.sources;
        let (Some(text), Some(range)) = (sources.text(span.file), sources.range(span)) else { return };
        let after = text[range.end..].find(|it: char| !it.is_whitespace() && it != ')').map(|skip| range.end + skip);
        let before =
            text[..range.start].trim_end_matches(|it: char| it.is_whitespace() || it == '(' || it == '!').len();
        for offset in [after, before.checked_sub(2)].into_iter().flatten() {
            let Some(token) = text.get(offset..offset + 2).filter(|it| ["&&", "||"].contains(it)) else { continue };
            let Some(position) = sources.position(span.file, offset) else { continue };
            let Some(operator) = sources.operator_at(Place { file: span.file, position }) else { continue };
            let alternatives: Vec<(String, u32)> =
                self.annotations.operator(token).map(|(to, weight)| (to.to_owned(), weight)).collect();
            for (to, weight) in alternatives {
                let edit = replace_operator(&self.program.sources, &operator, &to).ok();
                self.add(at, weight, edit, Change::TextOnly, format!("`{token}` becomes `{to}`"));
            }
        }
    }

    /// The condition should also test what the failing access is made with.
    fn tested(&mut self, at: CommandRef, body: &Body, condition: ExprId, span: Span, text: &str) {
        let Some(accessed) = self.accessed.filter(|it| it.function == at.function && it.bytes % it.stride == 0) else {
            return;
        };
        let Some(id) = accessed.tested else { return };
        let Some((_, index)) = self.span(at, id) else { return };
        let index = index.to_owned();
        if index.contains("++") || index.contains("--") || index.contains('=') || body.expr(condition).ty != Type::BOOL
        {
            return;
        }
        let Some(count) = self.count_text(&accessed, at.function) else { return };
        let (weights, elements) = (self.annotations, accessed.bytes / accessed.stride);
        for (free, weight) in [(0, weights.tested), (1, weights.terminated)].into_iter().filter(|it| it.0 < elements) {
            let (tested, limit) = match (accessed.is_index, self.object_name(&accessed, at.function)) {
                (true, _) => (Tested::Index(id, elements - free), count.clone()),
                (false, Some((name, object))) if body.expr(id).ty == Type::Pointer => {
                    let bytes = accessed.bytes - free * accessed.stride;
                    (Tested::Pointer(id, object, bytes), format!("{name} + {count}"))
                }
                _ => return,
            };
            let limit = if free > 0 { sum(&limit, -1) } else { limit };
            for (joined, new) in [
                (Joined::And, format!("({text}) && {index} < {limit}")),
                (Joined::Or, format!("({text}) || {index} >= {limit}")),
            ] {
                let edit = self.replaced(span, &new);
                let change = Change::Tested { condition, tested, joined };
                self.add(at, weight, edit, change, format!("`{text}` becomes `{new}`"));
            }
        }
    }
}

fn sum(text: &str, offset: i64) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    format!("{text} {sign} {}", offset.unsigned_abs())
}

/// The right operand with which an operation does nothing.
fn idle_operand(op: BinaryOp) -> Option<u128> {
    match op {
        BinaryOp::Add(_) | BinaryOp::Sub(_) | BinaryOp::ShiftLeft | BinaryOp::ShiftRight(_) | BinaryOp::Or => Some(0),
        BinaryOp::Mul(_) | BinaryOp::Div(_) => Some(1),
        _ => None,
    }
}

/// The constants of this value in an expression.
fn constants(body: &Body, id: ExprId, value: u128) -> Vec<ExprId> {
    let kind = &body.expr(id).kind;
    let mut found = if *kind == ExprKind::Constant(value) { vec![id] } else { Vec::new() };
    kind.operands(|operand| found.extend(constants(body, *operand, value)));
    found
}

/// The length of `sizeof(name)` at the start of a text, and the name.
fn sized_operand(text: &str) -> Option<(usize, &str)> {
    let open = text.find('(')?;
    let close = text.find(')')?;
    let name = sized_name(&text[..close + 1])?;
    (text[..open].trim() == "sizeof").then_some((close + 1, name))
}

/// The name in `sizeof(name)` or `sizeof name`.
fn sized_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix("sizeof")?.trim().trim_start_matches('(').trim_end_matches(')').trim();
    let is_name = !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_');
    is_name.then_some(name)
}
