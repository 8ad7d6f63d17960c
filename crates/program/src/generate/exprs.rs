//! Random expressions of a wanted type.

use crate::{
    Arithmetic, BinaryOp, BitField, Body, Builtin, CastOp, Comparison, ExprId, ExprKind, Field, FloatComparison,
    FloatOp, FloatRelation, FunctionId, Index, Load, LocalId, Object, Overflow, Program, Sign, Type, UnaryOp, VarId,
};

use super::{Choices, FLOATS, Signature, any_type, site, static_object};

const SIGNS: [Sign; 2] = [Sign::Signed, Sign::Unsigned];
const OVERFLOWS: [Overflow; 2] = [Overflow::Violates, Overflow::Wraps];

const INTEGER_BUILTINS: [Builtin; 11] = [
    Builtin::ByteSwap,
    Builtin::BitReverse,
    Builtin::PopCount,
    Builtin::LeadingZeros { zero_violates: true },
    Builtin::LeadingZeros { zero_violates: false },
    Builtin::TrailingZeros { zero_violates: true },
    Builtin::TrailingZeros { zero_violates: false },
    Builtin::FunnelLeft,
    Builtin::FunnelRight,
    Builtin::Absolute,
    Builtin::Min(Sign::Signed),
];

const FLOAT_BUILTINS: [Builtin; 21] = [
    Builtin::FloatAbsolute,
    Builtin::SquareRoot,
    Builtin::Floor,
    Builtin::Ceiling,
    Builtin::Truncate,
    Builtin::Round,
    Builtin::RoundEven,
    Builtin::NearbyInt,
    Builtin::CopySign,
    Builtin::MinNumber,
    Builtin::MaxNumber,
    Builtin::FusedMultiplyAdd,
    Builtin::Power,
    Builtin::PowerInt,
    Builtin::Exp,
    Builtin::Exp2,
    Builtin::Log,
    Builtin::Log2,
    Builtin::Log10,
    Builtin::Sin,
    Builtin::Cos,
];

const RELATIONS: [FloatRelation; 8] = [
    FloatRelation::Never,
    FloatRelation::Equal,
    FloatRelation::NotEqual,
    FloatRelation::Less,
    FloatRelation::LessEqual,
    FloatRelation::Greater,
    FloatRelation::GreaterEqual,
    FloatRelation::Always,
];

pub(super) struct ExprMaker<'m, 'b> {
    pub(super) choices: &'m mut Choices<'b>,
    pub(super) program: &'m Program,
    pub(super) functions: &'m [Signature],
    pub(super) function: FunctionId,
    pub(super) body: &'m mut Body,
}

impl ExprMaker<'_, '_> {
    /// A tree of the type, at most `depth` nodes deep below its root.
    pub(super) fn expr(&mut self, ty: Type, depth: u32) -> ExprId {
        let kind = match if depth == 0 { self.choices.below(2) } else { self.choices.below(7) } {
            0 => self.constant(ty),
            1 => self.variable(ty),
            2 => self.load(ty, depth - 1),
            3 => self.choice(ty, depth - 1),
            4 => self.cast(ty, depth - 1),
            _ => match ty {
                Type::BOOL => self.condition(depth - 1),
                Type::Int(_) => self.integer(ty, depth - 1),
                Type::Float(_) => self.float(ty, depth - 1),
                Type::Pointer => self.pointer(depth - 1),
            },
        };
        let site = site(self.choices, self.program);
        self.body.add_expr(kind, ty, site)
    }

    fn constant(&mut self, ty: Type) -> ExprKind {
        ExprKind::Constant(self.choices.wide() & ty.mask())
    }

    fn variable(&mut self, ty: Type) -> ExprKind {
        let found: Vec<_> =
            (0..self.body.variables.len() as u32).map(VarId).filter(|id| self.body.variable(*id).ty == ty).collect();
        if found.is_empty() { self.constant(ty) } else { ExprKind::Variable(self.choices.pick(&found)) }
    }

    pub(super) fn bits(&mut self, ty: Type) -> Option<BitField> {
        if !matches!(ty, Type::Int(_)) || !self.choices.flag() {
            return None;
        }
        let offset = self.choices.below(ty.bits() as usize);
        let width = 1 + self.choices.below(ty.bits() as usize - offset);
        Some(BitField { offset: offset as u8, width: width as u8, signed: self.choices.flag() })
    }

    fn load(&mut self, ty: Type, depth: u32) -> ExprKind {
        let address = self.expr(Type::Pointer, depth);
        ExprKind::Load(Load { address, bits: self.bits(ty), copy: self.choices.below(4) == 3 })
    }

    fn choice(&mut self, ty: Type, depth: u32) -> ExprKind {
        ExprKind::Select {
            condition: self.expr(Type::BOOL, depth),
            then: self.expr(ty, depth),
            otherwise: self.expr(ty, depth),
        }
    }

    fn cast(&mut self, ty: Type, depth: u32) -> ExprKind {
        let float = Type::Float(self.choices.pick(&FLOATS));
        let sign = self.choices.pick(&SIGNS);
        let integer = Type::Int(1 + self.choices.below(128) as u16);
        let (op, from) = match (ty, self.choices.below(4)) {
            (Type::Float(_), 0) => (CastOp::FloatConvert, float),
            (Type::Float(_), 1) => (CastOp::IntToFloat(sign), integer),
            (Type::Int(_), 0) => (CastOp::FloatToInt(sign), float),
            (Type::Int(_), 1 | 2) if integer.bits() > ty.bits() => (CastOp::Truncate, integer),
            (Type::Int(_), 1) if integer.bits() < ty.bits() => (CastOp::SignExtend, integer),
            (Type::Int(_), 2) if integer.bits() < ty.bits() => (CastOp::ZeroExtend, integer),
            _ => (CastOp::Reinterpret, Type::Int(ty.bits() as u16)),
        };
        ExprKind::Cast(op, self.expr(from, depth))
    }

    fn binary(&mut self, op: BinaryOp, operands: Type, depth: u32) -> ExprKind {
        ExprKind::Binary(op, self.expr(operands, depth), self.expr(operands, depth))
    }

    fn apply(&mut self, builtin: Builtin, first: Type, depth: u32) -> ExprKind {
        let count = crate::validate::builtin_arity(builtin);
        let ty = |index| if builtin == Builtin::PowerInt && index == 1 { Type::I32 } else { first };
        ExprKind::Apply(builtin, (0..count).map(|index| self.expr(ty(index), depth)).collect())
    }

    fn condition(&mut self, depth: u32) -> ExprKind {
        let sign = self.choices.pick(&SIGNS);
        match self.choices.below(6) {
            0 | 1 => {
                let all = [
                    Comparison::Equal,
                    Comparison::NotEqual,
                    Comparison::Less(sign),
                    Comparison::LessEqual(sign),
                    Comparison::Greater(sign),
                    Comparison::GreaterEqual(sign),
                ];
                let op = BinaryOp::Compare(self.choices.pick(&all));
                let operands = match any_type(self.choices) {
                    Type::Float(_) => Type::Pointer,
                    ty => ty,
                };
                self.binary(op, operands, depth)
            }
            2 => {
                let comparison =
                    FloatComparison { relation: self.choices.pick(&RELATIONS), unordered: self.choices.flag() };
                let operands = Type::Float(self.choices.pick(&FLOATS));
                self.binary(BinaryOp::FloatCompare(comparison), operands, depth)
            }
            3 => {
                let all = [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul];
                let op = BinaryOp::Overflows(self.choices.pick(&all), sign);
                let operands = Type::Int(1 + self.choices.below(128) as u16);
                self.binary(op, operands, depth)
            }
            4 => {
                let builtin = Builtin::IsClass(self.choices.below(1024) as u16);
                let operand = Type::Float(self.choices.pick(&FLOATS));
                self.apply(builtin, operand, depth)
            }
            _ => self.integer(Type::BOOL, depth),
        }
    }

    fn integer(&mut self, ty: Type, depth: u32) -> ExprKind {
        let (sign, overflow) = (self.choices.pick(&SIGNS), self.choices.pick(&OVERFLOWS));
        match self.choices.below(7) {
            0 => ExprKind::Unary(UnaryOp::Negate(overflow), self.expr(ty, depth)),
            1 => ExprKind::Unary(UnaryOp::Not, self.expr(ty, depth)),
            2 => {
                let more = [
                    Builtin::Min(sign),
                    Builtin::Max(sign),
                    Builtin::SaturatingAdd(sign),
                    Builtin::SaturatingSub(sign),
                ];
                let builtin =
                    if self.choices.flag() { self.choices.pick(&INTEGER_BUILTINS) } else { self.choices.pick(&more) };
                self.apply(builtin, ty, depth)
            }
            _ => {
                let all = [
                    BinaryOp::Add(overflow),
                    BinaryOp::Sub(overflow),
                    BinaryOp::Mul(overflow),
                    BinaryOp::Div(sign),
                    BinaryOp::Rem(sign),
                    BinaryOp::ShiftLeft,
                    BinaryOp::ShiftRight(sign),
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::Xor,
                ];
                let op = self.choices.pick(&all);
                self.binary(op, ty, depth)
            }
        }
    }

    fn float(&mut self, ty: Type, depth: u32) -> ExprKind {
        match self.choices.below(3) {
            0 => ExprKind::Unary(UnaryOp::FloatNegate, self.expr(ty, depth)),
            1 => {
                let builtin = self.choices.pick(&FLOAT_BUILTINS);
                self.apply(builtin, ty, depth)
            }
            _ => {
                let all = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem];
                let op = BinaryOp::Float(self.choices.pick(&all));
                self.binary(op, ty, depth)
            }
        }
    }

    fn pointer(&mut self, depth: u32) -> ExprKind {
        match self.choices.below(4) {
            0 => ExprKind::Address(self.object()),
            1 => {
                let base = self.expr(Type::Pointer, depth);
                let index = self.expr(Type::I64, depth);
                let stride = self.choices.pick(&[4, 8, 1, 0, 24, u64::MAX]);
                ExprKind::Index(Index {
                    base,
                    index,
                    stride,
                    count: self.choices.flag().then(|| self.choices.wide() as u64),
                })
            }
            2 => {
                let base = self.expr(Type::Pointer, depth);
                let offset = self.choices.pick(&[0, 8, 12, u64::MAX]);
                let name = self.choices.flag().then(|| self.choices.name().into());
                ExprKind::Field(Field { base, offset, name })
            }
            _ => self.cast(Type::Pointer, depth),
        }
    }

    fn object(&mut self) -> Object {
        let locals = self.body.locals.len();
        if locals > 0 && self.choices.flag() {
            return Object::Local(LocalId(self.choices.below(locals) as u32));
        }
        if self.choices.below(4) == 3 {
            let block = self.choices.below(self.functions[self.function.index()].blocks);
            return Object::Label(self.function, crate::BlockId(block as u32));
        }
        static_object(self.choices, self.functions, self.program.globals.len())
    }
}
