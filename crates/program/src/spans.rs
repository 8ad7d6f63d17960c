//! From nodes of the program to ranges of the source, and back.
//!
//! A node's site is a point: an operator's token, the start of a name. [`SpanIndex`] finds the range
//! of the expression that the node was made from, by laying the node's tree over the C syntax tree
//! (see [`align`]): constants and conversions, which have no place, get theirs from where they stand.
//! Where a node has a place in the preprocessed text, that text is used, so that ranges inside of
//! macros are exact; [`SpanIndex::original`] then finds the same range in the user's file, or says why
//! there is none.
//!
//! What holds: a range is an expression of the text it is in, never a part of one. A node without
//! range is one that the source does not show, or whose file cannot be read.

mod align;
mod operators;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use source::{ExactPart, FileId, Patchability, Place, Refusal, Span, patchable};

use crate::{Block, BlockId, Body, ExprId, Function, FunctionId, Program, Site};

pub use operators::OperatorToken;

/// A node, a command or a terminator of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeRef {
    Expr(FunctionId, ExprId),
    /// A command, by its index in its block.
    Command(FunctionId, BlockId, u32),
    Terminator(FunctionId, BlockId),
}

/// A range of text, and the site whose token led there: the node's own or that of the expression
/// around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Located {
    span: Span,
    site: Site,
}

/// The range of a command or a terminator, and those of the nodes that it evaluates; both are found when first asked
/// for, since most are asked for alone.
#[derive(Debug, Default)]
struct Aligned {
    whole: OnceLock<Option<Located>>,
    exprs: OnceLock<BTreeMap<ExprId, Located>>,
}

/// A block, and the index of one of its commands; the terminator's comes after the last of them.
type Position = (BlockId, usize);

/// The ranges of a function's nodes.
#[derive(Debug, Default)]
struct FunctionSpans {
    /// What evaluates a node.
    position_of: Vec<Option<Position>>,
    blocks: Vec<Vec<Aligned>>,
}

impl FunctionSpans {
    fn new(body: &Body) -> FunctionSpans {
        let mut position_of = vec![None; body.exprs.len()];
        for (id, block) in body.blocks.iter().enumerate() {
            let mut note = |roots: Vec<ExprId>, index: usize| {
                let mut pending = roots;
                while let Some(expr) = pending.pop() {
                    position_of[expr.index()] = Some((BlockId(id as u32), index));
                    body.expr(expr).kind.operands(|operand| pending.push(*operand));
                }
            };
            for (index, command) in block.commands.iter().enumerate() {
                let mut roots = Vec::new();
                command.kind.operands(|id| roots.push(*id));
                note(roots, index);
            }
            let mut roots = Vec::new();
            block.terminator.kind.operands(|id| roots.push(*id));
            note(roots, block.commands.len());
        }
        let unknown = |block: &Block| (0..=block.commands.len()).map(|_| Aligned::default()).collect();
        FunctionSpans { position_of, blocks: body.blocks.iter().map(unknown).collect() }
    }
}

/// The first and last line that a function's sites name in a file.
type Lines = (u32, u32);

/// Ranges for all nodes of a program. Each is found when it is first asked for, with the others of its command.
#[derive(Debug)]
pub struct SpanIndex<'p> {
    program: &'p Program,
    functions: Vec<OnceLock<FunctionSpans>>,
    extents: OnceLock<Vec<BTreeMap<FileId, Lines>>>,
}

impl<'p> SpanIndex<'p> {
    pub fn new(program: &'p Program) -> Self {
        let functions = program.functions.iter().map(|_| OnceLock::new()).collect();
        SpanIndex { program, functions, extents: OnceLock::new() }
    }

    /// The range of the expression that a node was made from. In the preprocessed text, where the
    /// node has a place there.
    pub fn expr(&self, function: FunctionId, expr: ExprId) -> Option<Span> {
        self.span(NodeRef::Expr(function, expr))
    }

    /// The range of a node's expression, of a command's assignment, call or declaration, or of what
    /// decides a branch.
    pub fn span(&self, node: NodeRef) -> Option<Span> {
        self.located(node).map(|located| located.span)
    }

    /// The same range in the user's file. `None` if the node has no range.
    pub fn original(&self, node: NodeRef) -> Option<Result<Span, Refusal>> {
        let located = self.located(node)?;
        Some(self.original_part(located.site, located.span))
    }

    /// The range in the user's file that a part of an expression comes from; `site` is the place of
    /// the expression's token.
    pub fn original_part(&self, site: Site, part: Span) -> Result<Span, Refusal> {
        let info = self.program.site(site);
        match (info.exact, info.place) {
            (Some(anchor), Some(place)) if anchor.file == part.file && anchor.file != place.file => {
                match patchable(&self.program.sources, ExactPart { part, anchor }, place) {
                    Patchability::Patchable { span } => Ok(span),
                    Patchability::Refused(refusal) => Err(refusal),
                }
            }
            _ => Ok(part),
        }
    }

    /// The token of an arithmetic or comparing node's operator.
    pub fn operator_token(&self, function: FunctionId, expr: ExprId) -> OperatorToken {
        let Some(body) = self.body(function) else { return OperatorToken::NotFound };
        match body.exprs.get(expr.index()) {
            Some(node) => operators::token_of(self.program, body, node),
            None => OperatorToken::NotFound,
        }
    }

    /// All nodes whose range contains the place, in the user's file or in preprocessed text. The
    /// smallest ranges come first, of equal ones the inner node.
    pub fn nodes_at(&self, place: Place) -> Vec<NodeRef> {
        let point = Span { file: place.file, start: place.position, end: place.position };
        self.nodes(point, |span| span.start <= place.position && place.position < span.end)
    }

    /// All nodes whose range lies inside the span. The smallest ranges come first.
    pub fn nodes_in(&self, wanted: Span) -> Vec<NodeRef> {
        self.nodes(wanted, |span| wanted.start <= span.start && span.end <= wanted.end)
    }

    fn nodes(&self, near: Span, fits: impl Fn(Span) -> bool) -> Vec<NodeRef> {
        let of_function = |function: &Function| extent(self.program, function.body.as_ref());
        let extents = self.extents.get_or_init(|| self.program.functions.iter().map(of_function).collect());
        let mut found = Vec::new();
        for (index, extent) in extents.iter().enumerate() {
            let near_enough = extent.get(&near.file).is_some_and(|(first, last)| {
                // An expression may go on for a while below the last place in it.
                const SLACK: u32 = 50;
                near.start.line <= last.saturating_add(SLACK) && *first <= near.end.line.saturating_add(SLACK)
            });
            if near_enough {
                self.fitting_nodes(FunctionId(index as u32), near.file, &fits, &mut found);
            }
        }
        found.sort_by_key(|(size, node)| (*size, *node));
        found.into_iter().map(|(_, node)| node).collect()
    }

    /// Adds a function's nodes with a range in the file that fits, and its size.
    fn fitting_nodes(
        &self,
        function: FunctionId,
        file: FileId,
        fits: &impl Fn(Span) -> bool,
        found: &mut Vec<((u32, u32), NodeRef)>,
    ) {
        let mut consider = |node: NodeRef, located: Located| {
            let in_file = match located.span.file == file {
                true => Some(located.span),
                false => self.original_part(located.site, located.span).ok().filter(|span| span.file == file),
            };
            if let Some(span) = in_file.filter(|span| fits(*span)) {
                let lines = span.end.line - span.start.line;
                let columns = if lines == 0 { span.end.column - span.start.column } else { span.end.column };
                found.push(((lines, columns), node));
            }
        };
        let Some(body) = self.body(function) else { return };
        for (block, id) in body.blocks.iter().zip((0..).map(BlockId)) {
            for index in 0..=block.commands.len() {
                for (expr, located) in self.exprs(function, (id, index)).into_iter().flatten() {
                    consider(NodeRef::Expr(function, *expr), *located);
                }
                let node = match index == block.commands.len() {
                    true => NodeRef::Terminator(function, id),
                    false => NodeRef::Command(function, id, index as u32),
                };
                self.whole(function, (id, index)).into_iter().for_each(|it| consider(node, it));
            }
        }
    }

    fn located(&self, node: NodeRef) -> Option<Located> {
        match node {
            NodeRef::Expr(function, expr) => {
                let position = *self.function(function)?.position_of.get(expr.index())?;
                self.exprs(function, position?)?.get(&expr).copied()
            }
            NodeRef::Command(function, block, index) => self.whole(function, (block, index as usize)),
            NodeRef::Terminator(function, block) => {
                let last = self.body(function)?.blocks.get(block.index())?.commands.len();
                self.whole(function, (block, last))
            }
        }
    }

    fn body(&self, function: FunctionId) -> Option<&'p Body> {
        self.program.functions.get(function.index())?.body.as_ref()
    }

    fn function(&self, id: FunctionId) -> Option<&FunctionSpans> {
        let body = self.body(id)?;
        Some(self.functions.get(id.index())?.get_or_init(|| FunctionSpans::new(body)))
    }

    fn aligned(&self, function: FunctionId, (block, index): Position) -> Option<&Aligned> {
        self.function(function)?.blocks.get(block.index())?.get(index)
    }

    /// The range of a command or terminator.
    fn whole(&self, function: FunctionId, position: Position) -> Option<Located> {
        let (body, aligned) = (self.body(function)?, self.aligned(function, position)?);
        *aligned.whole.get_or_init(|| align::whole(self.program, body, body.block(position.0), position.1))
    }

    /// The ranges of its nodes.
    fn exprs(&self, function: FunctionId, position: Position) -> Option<&BTreeMap<ExprId, Located>> {
        let (body, aligned) = (self.body(function)?, self.aligned(function, position)?);
        Some(aligned.exprs.get_or_init(|| align::exprs(self.program, body, body.block(position.0), position.1)))
    }
}

/// The place of a site in the text that was compiled: the preprocessed one, where it is known.
fn compiled_place(program: &Program, site: Site) -> Option<Place> {
    let info = program.site(site);
    info.exact.filter(|place| program.sources.text(place.file).is_some()).or(info.place)
}

/// Which lines of which files a body's sites name.
fn extent(program: &Program, body: Option<&Body>) -> BTreeMap<FileId, Lines> {
    let mut extent: BTreeMap<FileId, Lines> = BTreeMap::new();
    let mut note = |site: Site| {
        let info = program.site(site);
        for place in [info.place, info.exact].into_iter().flatten() {
            let line = place.position.line;
            let (first, last) = extent.entry(place.file).or_insert((line, line));
            (*first, *last) = ((*first).min(line), (*last).max(line));
        }
    };
    let Some(body) = body else { return extent };
    body.exprs.iter().for_each(|expr| note(expr.site));
    for block in &body.blocks {
        block.commands.iter().for_each(|command| note(command.site));
        note(block.terminator.site);
    }
    extent
}

#[cfg(test)]
mod tests;
