//! Alternatives that the text says better than an expression: arguments in another order, what is missing.
//!
//! Each is an edit without a formula ([`Change::TextOnly`]): whether it helps, a run with it shows. What is missing, an
//! initializer or a test for null, is looked for only where the failing operation asks for it.

use program::exec::memory::ObjectKind;
use program::exec::{CommandRef, Detail, Violation, ViolationKind};
use program::{
    Argument, BinaryOp, Body, CType, CTypeId, Call, Callee, CommandKind, ExprId, ExprKind, FunctionId, LocalId, Object,
    Site,
};
use source::{Edit, Place, Span, SyntaxNode};

use super::super::changes::Change;
use super::{Finder, MOST_VARIABLES};

impl Finder<'_> {
    /// Two arguments of the same type beside each other, each in the place of the other.
    pub(super) fn swapped(&mut self, at: CommandRef, body: &Body, call: &Call, site: Site) {
        if self.annotations.swapped == 0 || call.arguments.len() < 2 {
            return;
        }
        let Some(place) = self.program.place(site) else { return };
        let sources = &self.program.sources;
        let (Some(tree), Some(offset)) = (sources.syntax_tree(place.file), sources.offset(place)) else { return };
        let is_it = |node: &&SyntaxNode| node.kind == "call_expression" && node.range.start == offset;
        let Some(list) = tree.all().into_iter().find(is_it).and_then(|node| node.child("arguments").cloned()) else {
            return;
        };
        let texts: Vec<_> = list.named().map(|node| node.range.clone()).collect();
        if texts.len() != call.arguments.len() {
            return;
        }
        let Some(whole) = sources.text(place.file) else { return };
        let mut found = Vec::new();
        for left in 0..texts.len() - 1 {
            let (one, other) = (&texts[left], &texts[left + 1]);
            if whole[one.clone()] == whole[other.clone()] || !self.same_type(body, call, left, left + 1) {
                continue;
            }
            let old = &whole[one.start..other.end];
            let new = format!("{}{}{}", &whole[other.clone()], &whole[one.end..other.start], &whole[one.clone()]);
            if let Some(span) = sources.span(place.file, one.start..other.end) {
                let words = format!("`{old}` becomes `{new}`");
                found.push((left as u32, Edit { span, replacement: new }, words));
            }
        }
        for (argument, edit, words) in found {
            let first = self.found.len();
            self.add(at, self.annotations.swapped, Some(edit), Change::TextOnly, words);
            self.found[first..].iter_mut().for_each(|it| it.argument = Some(argument));
        }
    }

    fn same_type(&self, body: &Body, call: &Call, left: usize, right: usize) -> bool {
        if let Callee::Direct(function) = call.callee
            && let Some(CType::Function { parameters, .. }) =
                self.program.function(function).ctype.map(|id| self.program.resolve(id))
            && let (Some(one), Some(other)) = (parameters.get(left), parameters.get(right))
        {
            return self.program.resolve(*one) == self.program.resolve(*other);
        }
        match (call.arguments[left], call.arguments[right]) {
            (Argument::Scalar(one), Argument::Scalar(other)) => body.expr(one).ty == body.expr(other).ty,
            _ => false,
        }
    }

    /// Another object of the same type in the place of one, such as a struct whose member is read.
    pub(super) fn object(&mut self, at: CommandRef, body: &Body, id: ExprId, local: LocalId) {
        if self.annotations.same_type == 0 {
            return;
        }
        let Some((span, text)) = self.span(at, id) else { return };
        let declared = &body.locals[local.index()];
        let text = text.to_owned();
        if declared.name != text || declared.ctype.is_none() {
            return;
        }
        let fits = |it: &&program::LocalObject| {
            it.ctype == declared.ctype && it.name != declared.name && !it.name.contains(['.', '%'])
        };
        let others: Vec<String> =
            body.locals.iter().filter(fits).take(MOST_VARIABLES).map(|it| it.name.clone()).collect();
        for name in others {
            let edit = self.replaced(span, &name);
            let words = format!("`{text}` becomes `{name}`");
            self.add(at, self.annotations.same_type, edit, Change::TextOnly, words);
        }
    }

    /// `(a + b) / 2` that overflows, as `a + (b - a) / 2`.
    pub(super) fn midpoint(&mut self, at: CommandRef, body: &Body, id: ExprId) {
        let ExprKind::Binary(BinaryOp::Div(_) | BinaryOp::ShiftRight(_), sum, divisor) = body.expr(id).kind else {
            return;
        };
        let ExprKind::Binary(BinaryOp::Add(_), left, right) = body.expr(sum).kind else { return };
        if self.kind != ViolationKind::Overflow || !matches!(body.expr(divisor).kind, ExprKind::Constant(1 | 2)) {
            return;
        }
        let (Some((span, text)), Some((_, left)), Some((_, right)), Some((_, divisor))) =
            (self.span(at, id), self.span(at, left), self.span(at, right), self.span(at, divisor))
        else {
            return;
        };
        let operator = if text.contains(">>") { ">>" } else { "/" };
        let difference = format!("({right} - {left}) {operator} {divisor}");
        let new = if operator == "/" { format!("{left} + {difference}") } else { format!("{left} + ({difference})") };
        let words = format!("`{text}` becomes `{new}`");
        let edit = self.replaced(span, &new);
        self.add(at, self.annotations.midpoint, edit, Change::TextOnly, words);
    }

    /// What the failing operation misses.
    pub(super) fn missing(&mut self, violation: &Violation) {
        match violation.kind {
            ViolationKind::Uninitialized => self.initializer(violation),
            ViolationKind::NullDereference => self.null_test(violation),
            ViolationKind::OutOfBoundsAbove => self.room(violation),
            _ => {}
        }
    }

    /// The declaration of what was read before it was written, with a value.
    fn initializer(&mut self, violation: &Violation) {
        let local = |function: FunctionId, local: LocalId| {
            let object = self.program.function(function).body.as_ref()?.locals.get(local.index())?;
            Some((object.site, object.name.clone(), object.ctype))
        };
        let declared = match &violation.detail {
            Detail::Memory(fault) => match fault.object.map(|it| it.kind) {
                Some(ObjectKind::Local { function, local: id }) => local(function, id),
                _ => None,
            },
            Detail::Variable(id) => self.program.function(violation.at.function).body.as_ref().map(|body| {
                let variable = body.variable(*id);
                (variable.site, variable.name.clone(), variable.ctype)
            }),
            _ => None,
        };
        let Some((site, name, ctype)) = declared else { return };
        let Some(place) = self.program.place(site) else { return };
        let sources = &self.program.sources;
        let (Some(text), Some(start)) = (sources.text(place.file), sources.offset(place)) else { return };
        let Some(end) = declarator_end(&text[start..], &name).map(|length| start + length) else { return };
        let value = if ctype.is_some_and(|id| self.is_aggregate(id)) { "{ 0 }" } else { "0" };
        let (old, new) = (&text[start..end], format!("{} = {value}", &text[start..end]));
        let words = format!("`{old}` becomes `{new}`");
        let Some(span) = sources.span(place.file, start..end) else { return };
        let edit = Edit { span, replacement: new };
        self.add(violation.at, self.annotations.initialized, Some(edit), Change::TextOnly, words);
    }

    fn is_aggregate(&self, id: CTypeId) -> bool {
        matches!(self.program.resolve(id), CType::Array { .. } | CType::Record { .. })
    }

    /// A test for null before the statement that follows a pointer.
    fn null_test(&mut self, violation: &Violation) {
        let at = violation.at;
        let program = self.program;
        let Some(body) = program.function(at.function).body.as_ref() else { return };
        let stored = match body.block(at.block).commands.get(at.index as usize).map(|it| &it.kind) {
            Some(CommandKind::Store { address, .. }) => Some(*address),
            _ => None,
        };
        let Some(node) = violation.expr.or(stored) else { return };
        let Some((_, pointer)) = self.span(at, followed(body, node)) else { return };
        let is_plain = pointer.chars().all(|it| it.is_alphanumeric() || "_->.".contains(it));
        let Some(place) = program.place(violation.site).filter(|_| is_plain && !pointer.contains("--")) else { return };
        let sources = &program.sources;
        let Some(statement) = sources.statement_at(place) else { return };
        let (Some(text), Some(range)) = (sources.text(place.file), sources.range(statement)) else { return };
        let line = text[..range.start].rfind('\n').map_or(0, |it| it + 1);
        let indent = &text[line..range.start];
        // Only a statement of a block has room for another one before it.
        let before = text[..line].trim_end();
        let before = before.rsplit('\n').next().map_or("", |last| last.split("//").next().unwrap_or(last)).trim_end();
        if !indent.trim().is_empty() || !before.ends_with([';', '{', '}']) && !before.ends_with("*/") {
            return;
        }
        let function = program.function(at.function);
        let leave = match function.returns.first() {
            None => "return;",
            Some(_) if function.name == "main" => "return 1;",
            Some(_) => "return 0;",
        };
        let test = format!("if (!{pointer})");
        let words = format!("`{test} {leave}` is added before it");
        let span = Span { file: place.file, start: statement.start, end: statement.start };
        let edit = Edit { span, replacement: format!("{test}\n{indent}    {leave}\n{indent}") };
        self.add(at, self.annotations.null_tested, Some(edit), Change::TextOnly, words);
    }

    /// Where a file defines a name as a number, that number.
    pub(super) fn defined(&self, place: Place, name: &str) -> Option<(Span, i64)> {
        let sources = &self.program.sources;
        let text = sources.text(place.file)?;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
            let body = rest.and_then(|it| it.strip_prefix("define")).map(str::trim_start);
            let value = body.and_then(|it| it.strip_prefix(name)).filter(|it| it.starts_with([' ', '\t']));
            let number = value.and_then(|it| it.split_whitespace().next()).unwrap_or_default();
            let is_whole = value.is_some_and(|it| {
                let after = it.trim_start()[number.len()..].trim_start();
                after.is_empty() || after.starts_with("//") || after.starts_with("/*")
            });
            if let (true, Ok(parsed)) = (is_whole, number.parse::<i64>()) {
                let offset = start + (number.as_ptr() as usize - line.as_ptr() as usize);
                return Some((sources.span(place.file, offset..offset + number.len())?, parsed));
            }
            start += line.len();
        }
        None
    }
}

/// The pointer that an access follows.
fn followed(body: &Body, mut node: ExprId) -> ExprId {
    if let ExprKind::Load(load) = &body.expr(node).kind {
        node = load.address;
    }
    loop {
        node = match &body.expr(node).kind {
            ExprKind::Field(field) => field.base,
            ExprKind::Index(index) if !matches!(body.expr(index.base).kind, ExprKind::Address(Object::Local(_))) => {
                index.base
            }
            _ => return node,
        };
    }
}

/// The length of a declarator without an initializer: the name, and the brackets behind it.
fn declarator_end(text: &str, name: &str) -> Option<usize> {
    let name = name.split('.').next()?;
    let mut rest = text.strip_prefix(name)?;
    let mut end = name.len();
    loop {
        let space = rest.len() - rest.trim_start().len();
        match rest.trim_start().chars().next()? {
            '[' => {
                let length = space + rest.trim_start().find(']')? + 1;
                end += length;
                rest = &rest[length..];
            }
            ';' | ',' => return Some(end),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::declarator_end;

    #[test]
    fn declarators_without_a_value() {
        assert_eq!(declarator_end("count[10];", "count"), Some(9));
        assert_eq!(declarator_end("table [2][3] , b", "table.1"), Some(12));
        assert_eq!(declarator_end("sum = 0;", "sum"), None);
        assert_eq!(declarator_end("other;", "sum"), None);
    }
}
