//! Lays the trees of a command's expressions over the C syntax tree.
//!
//! From the top down: a command's place leads to the assignment, call, declaration, condition or
//! `return` that it was made from, whose parts are the *slots* of the command's operands. A node takes
//! its slot's expression if that can be what it was made from. If not, a node with a place of its own
//! takes the expression there, as long as it lies inside the slot; a node without takes the slot as it
//! is. The operands of the expression are then the slots of the node's operands.
//!
//! Imprecise where the compiler moves code: a value that is kept in a temporary has the range of the
//! expression it is used for, arguments of a call whose structs are passed in pieces have only their
//! own places.

use std::collections::BTreeMap;

use source::{Expression, ExpressionKind, Hint, Place, Span};

use crate::{
    Argument, Block, Body, Callee, Command, CommandKind, ExprId, ExprKind, Object, Program, Site, Terminator,
    TerminatorKind, UnaryOp,
};

use super::operators::{is_implicit, is_operator};
use super::{Located, compiled_place};

/// Finds the range of a block's command, or of its terminator behind the last one.
pub(super) fn whole(program: &Program, body: &Body, block: &Block, index: usize) -> Option<Located> {
    Aligner::new(program, body, false).item(block, index)
}

/// Finds the ranges of the nodes that it evaluates.
pub(super) fn exprs(program: &Program, body: &Body, block: &Block, index: usize) -> BTreeMap<ExprId, Located> {
    let mut aligner = Aligner::new(program, body, true);
    aligner.item(block, index);
    aligner.narrow_implicit();
    aligner.exprs
}

/// Where an operand stands: a range, and the site that led to it.
type Slot = Option<Located>;

struct Aligner<'p> {
    program: &'p Program,
    body: &'p Body,
    /// Whether nodes are looked for, too.
    is_deep: bool,
    exprs: BTreeMap<ExprId, Located>,
    /// Nodes that the source does not show, parents first.
    implicit: Vec<ExprId>,
}

impl<'p> Aligner<'p> {
    fn new(program: &'p Program, body: &'p Body, is_deep: bool) -> Aligner<'p> {
        Aligner { program, body, is_deep, exprs: BTreeMap::new(), implicit: Vec::new() }
    }

    fn item(&mut self, block: &Block, index: usize) -> Slot {
        match block.commands.get(index) {
            Some(command) => self.command(block, command),
            None => self.terminator(&block.terminator),
        }
    }

    fn place(&self, site: Site) -> Option<Place> {
        compiled_place(self.program, site)
    }

    /// The command's own range; its operands' ranges are found on the way.
    fn command(&mut self, block: &Block, command: &Command) -> Slot {
        let site = command.site;
        let place = self.place(site);
        let at = |span: Span| Some(Located { span, site });
        match &command.kind {
            CommandKind::Assign { value, .. } => {
                let (whole, _, right) = self.assignment(block, place, *value);
                self.tree(*value, right.and_then(at));
                whole.and_then(at)
            }
            CommandKind::Store { address, value, .. } => {
                let (whole, left, right) = self.assignment(block, place, *value);
                self.tree(*address, left.and_then(|left| self.address_slot(*address, left)).and_then(at));
                self.tree(*value, right.and_then(at));
                whole.and_then(at)
            }
            CommandKind::Call(call) => {
                let found = place.and_then(|place| self.program.sources.expression_at(place, Hint::Call));
                let slots = found.as_ref().map_or(Vec::new(), |found| call_slots(found, call.arguments.len()));
                if let Callee::Indirect(callee) = call.callee {
                    let slot = found.as_ref().and_then(|found| found.operands.first());
                    self.tree(callee, slot.and_then(|slot| at(slot.bare)));
                }
                for (index, argument) in call.arguments.iter().enumerate() {
                    let (Argument::Scalar(id) | Argument::Copied { address: id, .. }) = argument;
                    self.tree(*id, slots.get(index).and_then(|slot| at(*slot)));
                }
                found.and_then(|found| at(found.span))
            }
            CommandKind::Copy { destination, source, size, .. } => {
                let (whole, left, right) = self.assignment(block, place, *source);
                let (whole, slots) = self.call_or(place, whole, [left, right, None]);
                for (id, slot) in [destination, source, size].into_iter().zip(slots) {
                    self.tree(*id, slot.and_then(at));
                }
                whole.and_then(at)
            }
            kind => {
                let (whole, slots) = self.call_or(place, None, [None; 3]);
                let mut slots = slots.into_iter();
                kind.operands(|id| self.tree(*id, slots.next().flatten().and_then(at)));
                whole.or_else(|| self.program.sources.statement_at(place?)).and_then(at)
            }
        }
    }

    /// Where the address of the memory that an expression names stands: in `*p` that is `p`, and in
    /// `p[0]` too, if the compiler left the index out.
    fn address_slot(&self, address: ExprId, memory: Span) -> Option<Span> {
        if !self.is_deep {
            return None;
        }
        let Some(found) = self.program.sources.expression_in(memory) else { return Some(memory) };
        let indexes =
            matches!(self.body.expr(address).kind, ExprKind::Index(_) | ExprKind::Field(_) | ExprKind::Address(_));
        match found.kind {
            ExpressionKind::Dereference => found.operands.first().map(|operand| operand.bare),
            ExpressionKind::Subscript if !indexes => found.operands.first().map(|operand| operand.bare),
            _ => Some(memory),
        }
    }

    /// The call at a place and its first arguments, or else what is known already.
    fn call_or(
        &self,
        place: Option<Place>,
        whole: Option<Span>,
        slots: [Option<Span>; 3],
    ) -> (Option<Span>, [Option<Span>; 3]) {
        let call = place.and_then(|place| self.program.sources.expression_at(place, Hint::Call));
        match call {
            Some(call) if whole.is_none() => {
                let argument = |index: usize| call.operands.get(index + 1).map(|operand| operand.bare);
                (Some(call.span), [argument(0), argument(1), argument(2)])
            }
            _ => (whole, slots),
        }
    }

    /// What an assignment, an initialization, a `return` or a `?:` at a place consists of: all of it,
    /// what is written to, and the value.
    fn assignment(
        &self,
        block: &Block,
        place: Option<Place>,
        value: ExprId,
    ) -> (Option<Span>, Option<Span>, Option<Span>) {
        let Some(place) = place else { return (None, None, None) };
        let sources = &self.program.sources;
        if let Some(initializer) = sources.initializer_at(place) {
            let name = sources.token_at(place).map(|token| token.span);
            return (sources.statement_at(place), name, Some(initializer.bare));
        }
        if let Some(returned) = sources.returned_at(place) {
            return (sources.statement_at(place), None, Some(returned.bare));
        }
        let expressions = sources.expressions_at(place);
        let anchored = expressions.iter().find(|found| {
            found.anchor == place && matches!(found.kind, ExpressionKind::Assignment | ExpressionKind::Update)
        });
        if let Some(found) = anchored {
            let left = found.operands.first().map(|operand| operand.bare);
            let plain = sources.operator_at(place).is_some_and(|operator| operator.text == "=");
            let right = if plain { found.operands.get(1).map(|operand| operand.bare) } else { Some(found.span) };
            return (Some(found.span), left, right);
        }
        if let Some(found) = self.assigned_from(place) {
            let [left, right] = found.operands[..] else { return (None, None, None) };
            return (Some(found.span), Some(left.bare), Some(right.bare));
        }
        let conditional = expressions.iter().find(|found| found.kind == ExpressionKind::Conditional);
        match conditional.and_then(|found| self.chosen(block, found, value)) {
            Some(chosen) => (conditional.map(|found| found.span), None, Some(chosen)),
            None => (None, None, None),
        }
    }

    /// The statement `x = y;` whose right side begins at the place, which is where clang puts the copy
    /// of a struct.
    fn assigned_from(&self, place: Place) -> Option<Expression> {
        let sources = &self.program.sources;
        let statement = sources.range(sources.statement_at(place)?)?;
        let text = sources.text(place.file)?.get(statement.clone())?;
        let inside = statement.start..statement.start + text.trim_end_matches(';').trim_end().len();
        let found = sources.expression_in(sources.span(place.file, inside)?)?;
        let plain = sources.operator_at(found.anchor).is_some_and(|operator| operator.text == "=");
        let right = found.operands.get(1).filter(|_| plain)?;
        (right.whole.start == place.position || right.bare.start == place.position).then_some(found)
    }

    /// Which side of a `?:` a value is: the one that has its place or, for a constant, the one that
    /// clang's name of the block tells.
    fn chosen(&self, block: &Block, conditional: &Expression, value: ExprId) -> Option<Span> {
        let [_, then, otherwise] = conditional.operands[..] else { return None };
        if let Some(place) = self.first_place(value) {
            return [then.bare, otherwise.bare].into_iter().find(|side| contains_place(*side, place));
        }
        match block.name.as_str() {
            name if name.starts_with("cond.true") => Some(then.bare),
            name if name.starts_with("cond.false") => Some(otherwise.bare),
            _ => None,
        }
    }

    /// The place of the topmost node that has one, along first operands.
    fn first_place(&self, mut id: ExprId) -> Option<Place> {
        loop {
            let expr = self.body.expr(id);
            if let Some(place) = self.place(expr.site) {
                return Some(place);
            }
            let mut first = None;
            expr.kind.operands(|operand| first = first.or(Some(*operand)));
            id = first?;
        }
    }

    fn terminator(&mut self, terminator: &Terminator) -> Slot {
        let site = terminator.site;
        let place = self.place(site);
        let sources = &self.program.sources;
        let at = |span: Span| Some(Located { span, site });
        let (whole, slot) = match &terminator.kind {
            TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. } => {
                let slot = place.and_then(|place| self.deciding(place));
                (slot, slot)
            }
            TerminatorKind::Return(_) => {
                let slot = place.and_then(|place| sources.returned_at(place)).map(|returned| returned.bare);
                let keyword = place.filter(|_| slot.is_some());
                (keyword.and_then(|place| sources.statement_at(place)), slot)
            }
            _ => (None, None),
        };
        let mut first = true;
        terminator.kind.operands(|id| {
            // A struct that is returned in pieces has no expression for each.
            self.tree(*id, if std::mem::take(&mut first) { slot.and_then(at) } else { None });
        });
        whole.and_then(at)
    }

    /// The condition of the branch at a place: the left side of `&&` or `||`, the condition of a `?:`,
    /// or that of a statement.
    fn deciding(&self, place: Place) -> Option<Span> {
        let sources = &self.program.sources;
        if let Some(operator) =
            sources.operator_at(place).filter(|operator| matches!(operator.text.as_str(), "&&" | "||"))
        {
            return operator.operands.first().map(|operand| operand.bare);
        }
        let conditional = || {
            let found = sources.expression_at(place, Hint::Conditional)?;
            found.operands.first().map(|operand| operand.bare)
        };
        sources.condition_at(place).map(|condition| condition.bare).or_else(conditional)
    }

    /// Finds the ranges of a tree whose root stands in the slot.
    fn tree(&mut self, root: ExprId, slot: Slot) {
        if !self.is_deep {
            return;
        }
        let mut pending = vec![(root, slot)];
        while let Some((id, slot)) = pending.pop() {
            let found = self.expression(id, slot);
            if found.is_none() {
                self.implicit.push(id);
            }
            let site = match &found {
                Some(found) if found.own => self.body.expr(id).site,
                _ => slot.map_or(Site::NONE, |slot| slot.site),
            };
            let span = found
                .as_ref()
                .map(|found| found.span)
                .or_else(|| slot.filter(|_| self.may_fill(id)).map(|slot| slot.span));
            match span {
                Some(span) => self.exprs.insert(id, Located { span, site }),
                None => self.exprs.remove(&id),
            };
            let slots = self.operand_slots(id, found.as_ref(), slot);
            let mut slots = slots.into_iter();
            self.body.expr(id).kind.operands(|operand| {
                let slot = slots.next().flatten();
                pending.push((*operand, slot.map(|span| Located { span, site })));
            });
        }
    }

    /// Whether a node without an expression of its own may take its slot as it is. A name that has a
    /// place, but not its own text there, is hidden by a macro.
    fn may_fill(&self, id: ExprId) -> bool {
        let expr = self.body.expr(id);
        let names = matches!(expr.kind, ExprKind::Variable(_) | ExprKind::Address(_) | ExprKind::Load(_));
        !names || self.place(expr.site).is_none()
    }

    /// A conversion or a test for zero has the range of what it is about, if it has no other or if
    /// its place is there: in `a && b`, the test of `b` is not about all of it.
    fn narrow_implicit(&mut self) {
        for id in std::mem::take(&mut self.implicit).into_iter().rev() {
            let expr = self.body.expr(id);
            let (ExprKind::Cast(_, operand) | ExprKind::Unary(_, operand) | ExprKind::Binary(_, operand, _)) =
                expr.kind
            else {
                continue;
            };
            let Some(&inner) = self.exprs.get(&operand) else { continue };
            let place = self.place(expr.site);
            if !self.exprs.contains_key(&id) || place.is_some_and(|place| contains_place(inner.span, place)) {
                self.exprs.insert(id, inner);
            }
        }
    }

    /// The expression that a node was made from.
    fn expression(&self, id: ExprId, slot: Slot) -> Option<Found> {
        let expr = self.body.expr(id);
        let place = self.place(expr.site);
        let in_slot = slot.and_then(|slot| self.program.sources.expression_in(slot.span));
        let in_slot = in_slot.and_then(|found| self.before_update(&expr.kind, found));
        if let Some(found) = in_slot.filter(|found| self.fits(id, found, place)) {
            let own = place == Some(found.anchor);
            return Some(Found::new(found, own));
        }
        if let (ExprKind::Address(_), Some(slot)) = (&expr.kind, slot) {
            return self.base_name(id, slot.span).map(|found| Found::new(found, false));
        }
        let found = self.own_expression(id, place?)?;
        let inside = slot.is_none_or(|slot| slot.span.file != found.span.file || contains(slot.span, found.span));
        inside.then(|| Found::new(found, true))
    }

    /// The value of `x++` is read before the update: from `x`.
    fn before_update(&self, kind: &ExprKind, found: Expression) -> Option<Expression> {
        let reads = matches!(kind, ExprKind::Variable(_) | ExprKind::Load(_));
        if !reads || found.kind != ExpressionKind::Update {
            return Some(found);
        }
        self.program.sources.expression_in(found.operands.first()?.bare)
    }

    /// The name of an object at the bottom of subscripts and members that the compiler has folded.
    fn base_name(&self, id: ExprId, slot: Span) -> Option<Expression> {
        use ExpressionKind as Kind;
        let mut found = self.program.sources.expression_in(slot)?;
        while matches!(found.kind, Kind::Subscript | Kind::Member | Kind::AddressOf | Kind::Dereference | Kind::Cast) {
            found = self.program.sources.expression_in(found.operands.first()?.bare)?;
        }
        (found.kind == Kind::Variable && self.is_named(id, &found)).then_some(found)
    }

    /// Whether a node can have been made from the expression in its slot.
    fn fits(&self, id: ExprId, found: &Expression, place: Option<Place>) -> bool {
        use ExpressionKind as Kind;
        let here = place.is_none_or(|place| place == found.anchor);
        match &self.body.expr(id).kind {
            ExprKind::Constant(_) => true,
            ExprKind::Variable(_) => found.kind == Kind::Variable && self.is_named(id, found),
            ExprKind::Address(_) => match found.kind {
                Kind::Variable => self.is_named(id, found),
                Kind::Literal | Kind::AddressOf | Kind::Other => true,
                _ => false,
            },
            ExprKind::Load(load) => match found.kind {
                Kind::Variable => self.is_named(load.address, found),
                Kind::Member => self.is_member(load.address, found),
                Kind::Subscript => self.is_indexed(load.address, found),
                kind => kind == Kind::Dereference,
            },
            kind @ (ExprKind::Unary(..) | ExprKind::Binary(..)) => here && self.has_operator(kind, found),
            ExprKind::Cast(..) => found.kind == Kind::Cast && here,
            ExprKind::Select { .. } => found.kind == Kind::Conditional,
            ExprKind::Index(_) => match found.kind {
                Kind::Subscript => self.is_indexed(id, found),
                Kind::AddressOf | Kind::Update => true,
                Kind::Binary | Kind::Assignment => here,
                _ => false,
            },
            ExprKind::Field(_) => match found.kind {
                Kind::Member => self.is_named(id, found),
                kind => kind == Kind::AddressOf,
            },
            ExprKind::Apply(..) => found.kind == Kind::Call,
        }
    }

    /// Whether the name at an expression's anchor is that of the node's variable, object or member.
    /// Where macros hide the true text, some other name stands there.
    fn is_named(&self, id: ExprId, found: &Expression) -> bool {
        let Some(token) = self.program.sources.token_at(found.anchor) else { return false };
        let name = match &self.body.expr(id).kind {
            ExprKind::Variable(variable) => self.body.variable(*variable).name.as_str(),
            ExprKind::Address(Object::Local(local)) => self.body.locals[local.index()].name.as_str(),
            ExprKind::Address(Object::Global(global)) => self.program.global(*global).name.as_str(),
            ExprKind::Address(Object::Function(function)) => self.program.function(*function).name.as_str(),
            ExprKind::Field(field) => match &field.name {
                Some(name) => name,
                None => return true,
            },
            // `s.first.x`: the first member has its struct's address.
            _ => return found.kind == ExpressionKind::Member,
        };
        // Names that occur twice have numbers (`i.2`), static variables their function's name (`f.count`).
        name.split('.').any(|part| part == token.text)
    }

    /// Whether an address can be that of a member. The first member of a struct has its struct's
    /// address, which the compiler may use as it is.
    fn is_member(&self, address: ExprId, member: &Expression) -> bool {
        match &self.body.expr(address).kind {
            ExprKind::Address(_) => self.base_name(address, member.span).is_some(),
            _ => self.is_named(address, member),
        }
    }

    /// Whether a node's index can be the one of this subscript: of `a[i][0]` the compiler may have
    /// left only `a[i]`.
    fn is_indexed(&self, address: ExprId, subscript: &Expression) -> bool {
        let ExprKind::Index(index) = &self.body.expr(address).kind else { return true };
        let place = self.first_place(index.index);
        let written = subscript.operands.get(1);
        place.is_none_or(|place| written.is_some_and(|written| contains_place(written.whole, place)))
    }

    fn has_operator(&self, kind: &ExprKind, found: &Expression) -> bool {
        let operator = self.program.sources.operator_at(found.anchor);
        operator.is_some_and(|operator| operator.whole == found.span && is_operator(kind, &operator.text))
    }

    /// The expression at a node's own place.
    fn own_expression(&self, id: ExprId, place: Place) -> Option<Expression> {
        let sources = &self.program.sources;
        let at = |hint| sources.expression_at(place, hint);
        let named = |id, hint| at(hint).filter(|found| self.is_named(id, found));
        match &self.body.expr(id).kind {
            ExprKind::Constant(_) => at(Hint::Literal),
            ExprKind::Address(Object::Label(..)) => None,
            ExprKind::Variable(_) | ExprKind::Address(_) => named(id, Hint::Variable),
            ExprKind::Load(load) => match self.body.expr(load.address).kind {
                ExprKind::Address(_) => named(load.address, Hint::Variable)
                    .or_else(|| at(Hint::Member).filter(|found| self.is_member(load.address, found))),
                ExprKind::Index(_) => self.subscript(load.address, place).or_else(|| at(Hint::Dereference)),
                ExprKind::Field(_) => named(load.address, Hint::Member),
                _ => at(Hint::Dereference).or_else(|| at(Hint::Subscript)),
            },
            kind @ (ExprKind::Unary(..) | ExprKind::Binary(..)) => {
                let operator = sources.operator_at(place).filter(|operator| is_operator(kind, &operator.text))?;
                sources.expression_in(operator.whole)
            }
            ExprKind::Cast(..) => at(Hint::Cast).filter(|found| found.anchor == place),
            ExprKind::Select { .. } => at(Hint::Conditional),
            ExprKind::Index(_) => {
                self.subscript(id, place).or_else(|| at(Hint::Operator(&["+", "-", "+=", "-=", "++", "--"])))
            }
            ExprKind::Field(_) => named(id, Hint::Member),
            ExprKind::Apply(..) => at(Hint::Call),
        }
    }

    /// The subscript at a place: of `a[i][j]`, both have one place.
    fn subscript(&self, mut id: ExprId, place: Place) -> Option<Expression> {
        let mut inner = 0;
        while let ExprKind::Index(index) = &self.body.expr(id).kind {
            id = index.base;
            if matches!(self.body.expr(id).kind, ExprKind::Index(_)) {
                inner += 1;
            }
        }
        let all = self.program.sources.expressions_at(place);
        let mut subscripts: Vec<_> = all.into_iter().filter(|found| found.kind == ExpressionKind::Subscript).collect();
        if subscripts.is_empty() { None } else { Some(subscripts.swap_remove(inner.min(subscripts.len() - 1))) }
    }

    /// The slots of a node's operands, from the expression that it was made from.
    fn operand_slots(&self, id: ExprId, found: Option<&Found>, slot: Slot) -> Vec<Option<Span>> {
        let expr = self.body.expr(id);
        let Some(found) = found else {
            return vec![slot.filter(|_| self.keeps_meaning(id)).map(|slot| slot.span)];
        };
        let operand = |index: usize| found.operands.get(index).copied();
        match &expr.kind {
            ExprKind::Load(load) => vec![self.address_slot(load.address, found.span)],
            ExprKind::Index(index) => self.index_slots(found, index.base),
            ExprKind::Field(_) if found.kind == ExpressionKind::AddressOf => {
                let member = operand(0).and_then(|span| self.program.sources.expression_in(span));
                vec![member.and_then(|member| member.operands.first().map(|operand| operand.bare))]
            }
            ExprKind::Apply(_, arguments) => (0..arguments.len()).map(|index| operand(index + 1)).collect(),
            ExprKind::Cast(..) => vec![found.operands.last().copied()],
            _ => found.operands.iter().map(|span| Some(*span)).collect(),
        }
    }

    /// Whether a node that the source does not show is about the same expression as its first operand:
    /// a conversion, a test for zero, the scaling in a difference of pointers, an array's first element.
    fn keeps_meaning(&self, id: ExprId) -> bool {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Cast(..) | ExprKind::Index(_) | ExprKind::Field(_) | ExprKind::Load(_) => true,
            ExprKind::Unary(UnaryOp::Not, _) => true,
            kind => is_implicit(self.program, self.body, kind, self.place(expr.site)),
        }
    }

    /// The slots of a base and an index: of `a[i]`, `&a[i]`, `p + i`, `i + p`, `p += i` or `p++`.
    fn index_slots(&self, found: &Found, base: ExprId) -> Vec<Option<Span>> {
        let mut operands = found.operands.clone();
        if found.kind == ExpressionKind::AddressOf {
            let inner = operands.first().and_then(|span| self.program.sources.expression_in(*span));
            operands = inner.map_or(Vec::new(), |inner| inner.operands.iter().map(|operand| operand.bare).collect());
        }
        let base_place = self.first_place(base);
        let in_second = |place: Place| operands.get(1).is_some_and(|second| contains_place(*second, place));
        if base_place.is_some_and(in_second) && operands.len() == 2 {
            operands.swap(0, 1);
        }
        vec![operands.first().copied(), operands.get(1).copied()]
    }
}

/// An expression that a node was made from.
struct Found {
    kind: ExpressionKind,
    span: Span,
    operands: Vec<Span>,
    /// The node's own place led to it.
    own: bool,
}

impl Found {
    fn new(expression: Expression, own: bool) -> Found {
        let operands = expression.operands.iter().map(|operand| operand.bare).collect();
        Found { kind: expression.kind, span: expression.span, operands, own }
    }
}

/// The slots of a call's arguments. A struct that is returned in memory adds one in front; with any
/// other difference, which is which is not known.
fn call_slots(call: &Expression, count: usize) -> Vec<Span> {
    let written: Vec<_> = call.operands.iter().skip(1).map(|operand| operand.bare).collect();
    if written.len() == count { written } else { Vec::new() }
}

fn contains_place(span: Span, place: Place) -> bool {
    span.file == place.file && span.start <= place.position && place.position < span.end
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
