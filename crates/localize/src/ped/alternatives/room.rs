//! More room where a heap object is too small for what is written: `malloc(length + 1)`, `malloc((n + 1) * sizeof *p)`.
//!
//! One byte is most likely the end of a string, and has a weight of its own. The failing access tells the object and where
//! it was allocated; the text there tells how its size is written. The edit has no formula, since the size of an object is
//! fixed in one: a run with it shows whether it helps.

use program::exec::memory::{FaultKind, ObjectKind};
use program::exec::{CommandRef, Detail, Violation};
use program::{BlockId, CommandKind, FunctionId, Site};
use source::{Edit, SyntaxNode};

use super::super::changes::Change;
use super::Finder;

/// Functions that allocate, and which of their arguments says how much.
const ALLOCATORS: [(&str, u32); 3] = [("malloc", 0), ("calloc", 0), ("realloc", 1)];

impl Finder<'_> {
    /// One more of what an object has one too few of.
    pub(super) fn room(&mut self, violation: &Violation) {
        let Detail::Memory(fault) = &violation.detail else { return };
        let Some(object) = fault.object.filter(|it| it.kind == ObjectKind::Heap) else { return };
        let end = i128::from(object.offset) + i128::from(fault.length);
        let missing = end - i128::from(object.size);
        // What is read there has never been written: more room would not make it right.
        if fault.kind != FaultKind::Above || !fault.write || missing <= 0 {
            return;
        }
        let program = self.program;
        let (Some(at), Some(place)) = (self.call(object.allocated), program.place(object.allocated)) else { return };
        let sources = &program.sources;
        let (Some(tree), Some(start), Some(text)) =
            (sources.syntax_tree(place.file), sources.offset(place), sources.text(place.file))
        else {
            return;
        };
        let is_it = |node: &&SyntaxNode| node.kind == "call_expression" && node.range.start == start;
        let Some(call) = tree.all().into_iter().find(is_it) else { return };
        let name = call.child("function").map_or("", |it| &text[it.range.clone()]);
        let Some(&(_, argument)) = ALLOCATORS.iter().find(|(allocator, _)| *allocator == name) else { return };
        let Some(size) = call.child("arguments").and_then(|it| it.named().nth(argument as usize)) else { return };
        let is_one = missing == 1 || name == "calloc";
        let Some((node, is_factor)) = grown(size, text, is_one) else { return };
        let old = &text[node.range.clone()];
        let sum = format!("{old} + 1");
        let new = if is_factor { format!("({sum})") } else { sum };
        let words = format!(
            "`{}` becomes `{}{new}{}`",
            &text[call.range.clone()],
            &text[call.range.start..node.range.start],
            &text[node.range.end..call.range.end]
        );
        let Some(span) = sources.span(place.file, node.range.clone()) else { return };
        let edit = Edit { span, replacement: new };
        let first = self.found.len();
        let weight = if is_factor || name == "calloc" { self.annotations.room } else { self.annotations.end };
        self.add(at, weight, Some(edit), Change::TextOnly, words);
        self.found[first..].iter_mut().for_each(|it| it.argument = Some(argument));
    }

    /// The call at a site.
    fn call(&self, site: Site) -> Option<CommandRef> {
        for (function, body) in
            self.program.functions.iter().enumerate().filter_map(|(at, it)| Some((at, it.body.as_ref()?)))
        {
            for (block, commands) in body.blocks.iter().map(|it| &it.commands).enumerate() {
                let is_it = |it: &program::Command| it.site == site && matches!(it.kind, CommandKind::Call(_));
                if let Some(index) = commands.iter().position(is_it) {
                    let (function, block) = (FunctionId(function as u32), BlockId(block as u32));
                    return Some(CommandRef { function, block, index: index as u32 });
                }
            }
        }
        None
    }
}

/// The number that grows by one, and whether something else is multiplied with it: the factor beside a `sizeof`, or else
/// the whole size, if one is what it lacks.
fn grown<'t>(size: &'t SyntaxNode, text: &str, is_one: bool) -> Option<(&'t SyntaxNode, bool)> {
    /// What binds at least as much as `+`. A number is no such thing: it is one of the constants.
    const PLAIN: [&str; 5] =
        ["identifier", "call_expression", "field_expression", "subscript_expression", "parenthesized_expression"];
    let operator =
        size.child("operator").map(|it| &text[it.range.clone()]).filter(|_| size.kind == "binary_expression");
    if let (Some("*"), Some(left), Some(right)) = (operator, size.child("left"), size.child("right")) {
        match (left.kind, right.kind) {
            (_, "sizeof_expression") => return Some((left, true)),
            ("sizeof_expression", _) => return Some((right, true)),
            _ => {}
        }
    }
    let is_plain = PLAIN.contains(&size.kind) || matches!(operator, Some("+" | "-" | "*"));
    (is_plain && is_one).then_some((size, false))
}
