//! Expressions → text.
//!
//! Works off a stack of pieces instead of recursing, so that no tree is too deep to be printed.
//! Shows what [`super::elaborate`] could not fill in by itself, and nothing else; in full style,
//! also all sites and all types of reads. Ids that lead nowhere are shown as such: printing must
//! help to see what is wrong with an invalid program.

use std::collections::HashSet;
use std::fmt::Write;

use crate::validate::{builtin_argument, memory_size};
use crate::{
    BinaryOp, BitField, Body, CastOp, Expr, ExprId, ExprKind, Field, FunctionId, Index, Load, Object, Overflow,
    Program, Site, Type, UnaryOp, VarId,
};

use super::elaborate::left_expectation;
use super::names::{write_base_name, write_dotted_name, write_name};
use super::numbers::write_constant;
use super::operators::{Level, builtin_name, called_name, cast_name, infix_symbol, prefix_symbol};
use super::print::Style;

/// What names mean inside a function.
pub(super) struct FunctionScope<'p> {
    pub(super) program: &'p Program,
    pub(super) function: FunctionId,
    pub(super) body: &'p Body,
    variables: HashSet<&'p str>,
    locals: HashSet<&'p str>,
}

impl<'p> FunctionScope<'p> {
    pub(super) fn new(program: &'p Program, function: FunctionId, body: &'p Body) -> Self {
        let variables = body.variables.iter().map(|variable| variable.name.as_str()).collect();
        let locals = body.locals.iter().map(|local| local.name.as_str()).collect();
        FunctionScope { program, function, body, variables, locals }
    }

    pub(super) fn type_of(&self, id: ExprId) -> Option<Type> {
        self.body.exprs.get(id.index()).map(|expr| expr.ty)
    }

    pub(super) fn write_variable(&self, out: &mut String, id: VarId) {
        match self.body.variables.get(id.index()) {
            Some(variable) => write_name(out, &variable.name),
            None => write_missing(out, "variable", id.0),
        }
    }

    /// Writes an object's name so that it is found from inside the function.
    fn write_object(&self, out: &mut String, object: Object, write: fn(&mut String, &str)) {
        let hidden = |name: &str| self.variables.contains(name) || self.locals.contains(name);
        let global = |name: Option<&'p String>| name.map(|name| (if hidden(name) { "::" } else { "" }, name));
        let (found, what, id) = match object {
            Object::Local(id) => {
                let name = self.body.locals.get(id.index()).map(|local| &local.name);
                let found =
                    name.map(|name| (if self.variables.contains(name.as_str()) { "local::" } else { "" }, name));
                (found, "object", id.0)
            }
            Object::Global(id) => {
                (global(self.program.globals.get(id.index()).map(|global| &global.name)), "global", id.0)
            }
            Object::Function(id) | Object::Label(id, _) => {
                (global(self.program.functions.get(id.index()).map(|function| &function.name)), "function", id.0)
            }
        };
        match found {
            Some((scope, name)) => {
                out.push_str(scope);
                write(out, name);
            }
            None => write_missing(out, what, id),
        }
    }
}

/// Marks an id that leads nowhere; no text that has it can be read.
pub(super) fn write_missing(out: &mut String, what: &str, id: u32) {
    let result = write!(out, "<no {what} {id}>");
    debug_assert!(result.is_ok(), "writing to a string does not fail");
}

/// Writes `&&label` or `&&function::label`.
pub(super) fn write_label(out: &mut String, program: &Program, within: Option<FunctionId>, object: Object) {
    let Object::Label(function, block) = object else { return };
    let Some(owner) = program.functions.get(function.index()) else {
        return write_missing(out, "function", function.0);
    };
    out.push_str("&&");
    if within != Some(function) {
        write_dotted_name(out, &owner.name);
        out.push_str("::");
    }
    match owner.body.as_ref().and_then(|body| body.blocks.get(block.index())) {
        Some(block) => write_dotted_name(out, &block.name),
        None => write_missing(out, "block", block.0),
    }
}

/// Something that is still to be written.
enum Piece<'p> {
    Text(&'static str),
    Site(Site),
    /// A value, in parentheses if it binds less tightly than its place.
    Value {
        id: ExprId,
        expected: Option<Type>,
        level: Level,
    },
    /// The memory at an address, which is read or written as the type.
    Memory {
        address: ExprId,
        accessed: Option<Type>,
    },
    /// What stands in front of `[`.
    Indexed(ExprId),
    /// What stands in front of a member's name, with `.` or `->`.
    HasMembers(ExprId),
    /// `of 10 by 4]@5`.
    IndexEnd {
        index: &'p Index,
        accessed: Option<Type>,
        site: Site,
    },
    /// `next#8@5`.
    Member {
        field: &'p Field,
        site: Site,
    },
    /// `:i32{3+2}@5`.
    Read {
        ty: Type,
        load: &'p Load,
        site: Site,
    },
}

pub(super) struct ExprPrinter<'p, 'o> {
    scope: &'o FunctionScope<'p>,
    style: Style,
    out: &'o mut String,
    pending: Vec<Piece<'p>>,
}

impl<'p, 'o> ExprPrinter<'p, 'o> {
    pub(super) fn new(scope: &'o FunctionScope<'p>, style: Style, out: &'o mut String) -> Self {
        ExprPrinter { scope, style, out, pending: Vec::new() }
    }

    /// Writes a value in a context that expects this type.
    pub(super) fn value(mut self, id: ExprId, expected: Option<Type>) {
        self.pending.push(Piece::Value { id, expected, level: Level::Select });
        self.work();
    }

    /// Writes the left side of a store.
    pub(super) fn stored(mut self, address: ExprId, ty: Option<Type>, bits: Option<BitField>) {
        self.pending.push(Piece::Memory { address, accessed: ty });
        self.work();
        match ty {
            Some(ty) => write_access(self.out, ty, bits, false),
            None => write_missing(self.out, "type", 0),
        }
    }

    fn work(&mut self) {
        while let Some(piece) = self.pending.pop() {
            let first_new = self.pending.len();
            self.step(piece);
            self.pending[first_new..].reverse();
        }
    }

    fn push(&mut self, piece: Piece<'p>) {
        self.pending.push(piece);
    }

    fn text(&mut self, text: &'static str) {
        self.pending.push(Piece::Text(text));
    }

    fn expr(&self, id: ExprId) -> Option<&'p Expr> {
        self.scope.body.exprs.get(id.index())
    }

    fn is_full(&self) -> bool {
        self.style == Style::Full
    }

    /// Writes a piece, or replaces it by smaller ones.
    fn step(&mut self, piece: Piece<'p>) {
        match piece {
            Piece::Text(text) => self.out.push_str(text),
            Piece::Site(site) => self.write_site(site),
            Piece::Value { id, expected, level } => match self.expr(id) {
                Some(expr) => self.step_value(expr, id, expected, level),
                None => write_missing(self.out, "expression", id.0),
            },
            Piece::Memory { address, accessed } => self.step_memory(address, accessed),
            Piece::Indexed(base) => self.step_indexed(base),
            Piece::HasMembers(base) => self.step_has_members(base),
            Piece::IndexEnd { index, accessed, site } => self.step_index_end(index, accessed, site),
            Piece::Member { field, site } => self.step_member(field, site),
            Piece::Read { ty, load, site } => {
                write_access(self.out, ty, load.bits, load.copy);
                self.write_site(site);
            }
        }
    }

    fn write_site(&mut self, site: Site) {
        if self.is_full() && site != Site::NONE {
            self.write(format_args!("@{}", site.0));
        }
    }

    fn write(&mut self, arguments: std::fmt::Arguments) {
        let result = self.out.write_fmt(arguments);
        debug_assert!(result.is_ok(), "writing to a string does not fail");
    }

    fn step_value(&mut self, expr: &'p Expr, id: ExprId, expected: Option<Type>, level: Level) {
        match &expr.kind {
            ExprKind::Constant(bits) => {
                write_constant(self.out, *bits, expr.ty, expected);
                self.write_site(expr.site);
            }
            ExprKind::Variable(variable) => {
                self.scope.write_variable(self.out, *variable);
                self.write_site(expr.site);
            }
            ExprKind::Address(object @ Object::Label(..)) => {
                write_label(self.out, self.scope.program, Some(self.scope.function), *object);
                self.write_site(expr.site);
            }
            ExprKind::Address(_) | ExprKind::Index(_) | ExprKind::Field(_) => {
                self.text("&");
                self.push(Piece::Memory { address: id, accessed: None });
            }
            ExprKind::Load(load) => {
                self.push(Piece::Memory { address: load.address, accessed: Some(expr.ty) });
                let told = !self.is_full() && load.bits.is_none() && !load.copy && expected == Some(expr.ty);
                if !told {
                    self.push(Piece::Read { ty: expr.ty, load, site: expr.site });
                }
            }
            ExprKind::Unary(op, operand) => self.step_unary(expr, *op, *operand, expected),
            ExprKind::Binary(op, left, right) => self.step_binary(expr, *op, (*left, *right), expected, level),
            ExprKind::Cast(op, operand) => {
                self.write(format_args!("{}.{}", cast_name(*op), expr.ty));
                self.write_site(expr.site);
                self.arguments(&[(*operand, None)]);
            }
            ExprKind::Select { condition, then, otherwise } => {
                self.open(level > Level::Select);
                self.push(Piece::Value { id: *condition, expected: Some(Type::BOOL), level: Level::Or });
                self.text(" ?");
                self.push(Piece::Site(expr.site));
                self.text(" ");
                self.push(Piece::Value { id: *then, expected, level: Level::Select });
                self.text(" : ");
                let ty = self.scope.type_of(*then);
                self.push(Piece::Value { id: *otherwise, expected: ty, level: Level::Select });
                self.close(level > Level::Select);
            }
            ExprKind::Apply(builtin, arguments) => {
                let name = builtin_name(*builtin);
                self.out.push_str(&name);
                self.write_site(expr.site);
                let first = arguments.first().and_then(|first| self.scope.type_of(*first));
                let context = |index| builtin_argument(*builtin, index, if index == 0 { expected } else { first });
                let arguments: Vec<_> =
                    arguments.iter().enumerate().map(|(index, argument)| (*argument, context(index))).collect();
                self.arguments(&arguments);
            }
        }
    }

    fn open(&mut self, parentheses: bool) {
        if parentheses {
            self.text("(");
        }
    }

    fn close(&mut self, parentheses: bool) {
        if parentheses {
            self.text(")");
        }
    }

    /// Values in parentheses, with what their places expect.
    fn arguments(&mut self, values: &[(ExprId, Option<Type>)]) {
        for (index, (id, expected)) in values.iter().enumerate() {
            self.text(if index == 0 { "(" } else { ", " });
            self.push(Piece::Value { id: *id, expected: *expected, level: Level::Select });
        }
        self.text(")");
    }

    fn step_unary(&mut self, expr: &'p Expr, op: UnaryOp, operand: ExprId, expected: Option<Type>) {
        let symbol = prefix_symbol(op, expr.ty);
        self.text(symbol);
        self.push(Piece::Site(expr.site));
        let site_shown = self.is_full() && expr.site != Site::NONE;
        if symbol.len() > 1 || site_shown {
            self.text(" ");
        }
        // `-5` is a constant.
        let constant = matches!(self.expr(operand), Some(Expr { kind: ExprKind::Constant(_), .. }));
        let parentheses = op == UnaryOp::Negate(Overflow::Violates) && constant;
        self.open(parentheses);
        self.push(Piece::Value { id: operand, expected, level: Level::Prefix });
        self.close(parentheses);
    }

    fn step_binary(
        &mut self,
        expr: &'p Expr,
        op: BinaryOp,
        (left, right): (ExprId, ExprId),
        expected: Option<Type>,
        level: Level,
    ) {
        let left_expected = left_expectation(op, expected);
        let right_expected = self.scope.type_of(left);
        let Some((symbol, own)) = infix_symbol(op) else {
            self.out.push_str(called_name(op));
            self.write_site(expr.site);
            return self.arguments(&[(left, left_expected), (right, right_expected)]);
        };
        self.open(own < level);
        self.push(Piece::Value { id: left, expected: left_expected, level: own });
        self.text(" ");
        self.text(symbol);
        self.push(Piece::Site(expr.site));
        self.text(" ");
        self.push(Piece::Value { id: right, expected: right_expected, level: own.tighter() });
        self.close(own < level);
    }

    fn step_memory(&mut self, address: ExprId, accessed: Option<Type>) {
        let Some(expr) = self.expr(address) else {
            return write_missing(self.out, "expression", address.0);
        };
        match &expr.kind {
            ExprKind::Address(object) if !matches!(object, Object::Label(..)) => {
                self.scope.write_object(self.out, *object, write_name);
                self.write_site(expr.site);
            }
            ExprKind::Index(index) => {
                self.push(Piece::Indexed(index.base));
                self.text("[");
                let shown = self.shown_index(index.index);
                self.push(Piece::Value { id: shown, expected: Some(Type::I64), level: Level::Select });
                self.push(Piece::IndexEnd { index, accessed, site: expr.site });
            }
            ExprKind::Field(field) => {
                self.push(Piece::HasMembers(field.base));
                self.push(Piece::Member { field, site: expr.site });
            }
            _ => {
                self.text("*");
                self.push_primary(address, Some(Type::Pointer));
            }
        }
    }

    /// An index without the sign extension that goes without saying.
    fn shown_index(&self, id: ExprId) -> ExprId {
        match self.expr(id) {
            Some(Expr { kind: ExprKind::Cast(CastOp::SignExtend, operand), ty: Type::I64, .. }) if !self.is_full() => {
                *operand
            }
            _ => id,
        }
    }

    /// A value that no operator in front of it or behind it can tear apart.
    fn push_primary(&mut self, id: ExprId, expected: Option<Type>) {
        let primary = match self.expr(id).map(|expr| &expr.kind) {
            Some(ExprKind::Variable(_) | ExprKind::Cast(..) | ExprKind::Apply(..)) | None => true,
            // A minus sign in front would become a part of another constant.
            Some(ExprKind::Constant(bits)) => *bits == 0,
            _ => false,
        };
        self.open(!primary);
        self.push(Piece::Value { id, expected, level: Level::Select });
        self.close(!primary);
    }

    fn step_indexed(&mut self, base: ExprId) {
        match self.expr(base).map(|expr| (&expr.kind, expr.ty, expr.site)) {
            Some((ExprKind::Address(Object::Label(..)), ..)) => self.push_primary(base, Some(Type::Pointer)),
            Some((ExprKind::Address(_) | ExprKind::Index(_) | ExprKind::Field(_), ..)) => {
                self.push(Piece::Memory { address: base, accessed: None });
            }
            Some((ExprKind::Load(load), ty, site)) => self.push_read_pointer(base, load, ty, site),
            _ => self.push_primary(base, Some(Type::Pointer)),
        }
    }

    /// A pointer that is read from memory, with its type: without it, the memory itself is meant.
    fn push_read_pointer(&mut self, id: ExprId, load: &'p Load, ty: Type, site: Site) {
        if self.is_named_memory(load.address) {
            self.push(Piece::Memory { address: load.address, accessed: Some(ty) });
            self.push(Piece::Read { ty, load, site });
        } else {
            self.push_primary(id, None);
        }
    }

    /// Whether the memory at an address is written without a `*`.
    fn is_named_memory(&self, address: ExprId) -> bool {
        match self.expr(address).map(|expr| &expr.kind) {
            Some(ExprKind::Address(object)) => !matches!(object, Object::Label(..)),
            Some(ExprKind::Index(_) | ExprKind::Field(_)) => true,
            _ => false,
        }
    }

    fn step_has_members(&mut self, base: ExprId) {
        match self.expr(base).map(|expr| (&expr.kind, expr.ty, expr.site)) {
            Some((ExprKind::Address(object), _, site)) if !matches!(object, Object::Label(..)) => {
                self.scope.write_object(self.out, *object, write_base_name);
                self.push(Piece::Site(site));
                self.text(".");
            }
            Some((ExprKind::Index(_) | ExprKind::Field(_), ..)) => {
                self.push(Piece::Memory { address: base, accessed: None });
                self.text(".");
            }
            Some((ExprKind::Load(load), ty, site)) => {
                let plain = load.bits.is_none() && !load.copy && ty == Type::Pointer && !self.is_full();
                if plain {
                    let parentheses = !self.is_named_memory(load.address);
                    self.open(parentheses);
                    self.push(Piece::Memory { address: load.address, accessed: Some(ty) });
                    self.close(parentheses);
                } else {
                    self.push_read_pointer(base, load, ty, site);
                }
                self.text("->");
            }
            _ => {
                self.push_primary(base, Some(Type::Pointer));
                self.text("->");
            }
        }
    }

    fn step_index_end(&mut self, index: &Index, accessed: Option<Type>, site: Site) {
        if let Some(count) = index.count {
            self.write(format_args!(" of {count}"));
        }
        if accessed.map(memory_size) != Some(index.stride) {
            self.write(format_args!(" by {}", index.stride));
        }
        self.out.push(']');
        self.write_site(site);
    }

    fn step_member(&mut self, field: &Field, site: Site) {
        if let Some(name) = &field.name {
            write_base_name(self.out, name);
        }
        if field.offset != 0 || field.name.is_none() {
            self.write(format_args!("#{}", field.offset));
        }
        self.write_site(site);
    }
}

/// Writes `:i32{3+2 signed, copy}`.
fn write_access(out: &mut String, ty: Type, bits: Option<BitField>, copy: bool) {
    let sign = |bits: BitField| if bits.signed { " signed" } else { "" };
    let result = match (bits, copy) {
        (None, false) => write!(out, ":{ty}"),
        (None, true) => write!(out, ":{ty}{{copy}}"),
        (Some(bits), false) => write!(out, ":{ty}{{{}+{}{}}}", bits.offset, bits.width, sign(bits)),
        (Some(bits), true) => write!(out, ":{ty}{{{}+{}{}, copy}}", bits.offset, bits.width, sign(bits)),
    };
    debug_assert!(result.is_ok(), "writing to a string does not fail");
}
