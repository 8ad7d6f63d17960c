//! How operators, casts, builtins and types are spelled: one table for printing and parsing.
//!
//! The rule for infix operators: C's own symbol where C's meaning on `int` is meant; `%` behind it
//! where the result wraps (`+%`), `u` where operands are read as unsigned (`<u`), `.` on floats
//! (`+.`). Precedence is C's. Every [`BinaryOp`] is in exactly one of [`INFIX`] and [`CALLED`].

use crate::{
    Arithmetic, BinaryOp, Builtin, CastOp, Comparison, Float, FloatComparison, FloatOp, FloatRelation, Overflow, Sign,
    Type, UnaryOp,
};

/// How tightly an operator binds its operands; C's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Select,
    Or,
    Xor,
    And,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Prefix,
}

impl Level {
    /// The level that a right operand must have to stand without parentheses.
    pub(super) fn tighter(self) -> Level {
        match self {
            Level::Select => Level::Or,
            Level::Or => Level::Xor,
            Level::Xor => Level::And,
            Level::And => Level::Equality,
            Level::Equality => Level::Relation,
            Level::Relation => Level::Shift,
            Level::Shift => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product | Level::Prefix => Level::Prefix,
        }
    }
}

const fn ordered(relation: FloatRelation) -> BinaryOp {
    BinaryOp::FloatCompare(FloatComparison { relation, unordered: false })
}

const fn unordered(relation: FloatRelation) -> BinaryOp {
    BinaryOp::FloatCompare(FloatComparison { relation, unordered: true })
}

/// Binary operators between their operands.
pub(super) const INFIX: &[(&str, BinaryOp, Level)] = &[
    ("*", BinaryOp::Mul(Overflow::Violates), Level::Product),
    ("*%", BinaryOp::Mul(Overflow::Wraps), Level::Product),
    ("*.", BinaryOp::Float(FloatOp::Mul), Level::Product),
    ("/", BinaryOp::Div(Sign::Signed), Level::Product),
    ("/u", BinaryOp::Div(Sign::Unsigned), Level::Product),
    ("/.", BinaryOp::Float(FloatOp::Div), Level::Product),
    ("%", BinaryOp::Rem(Sign::Signed), Level::Product),
    ("%u", BinaryOp::Rem(Sign::Unsigned), Level::Product),
    ("%.", BinaryOp::Float(FloatOp::Rem), Level::Product),
    ("+", BinaryOp::Add(Overflow::Violates), Level::Sum),
    ("+%", BinaryOp::Add(Overflow::Wraps), Level::Sum),
    ("+.", BinaryOp::Float(FloatOp::Add), Level::Sum),
    ("-", BinaryOp::Sub(Overflow::Violates), Level::Sum),
    ("-%", BinaryOp::Sub(Overflow::Wraps), Level::Sum),
    ("-.", BinaryOp::Float(FloatOp::Sub), Level::Sum),
    ("<<", BinaryOp::ShiftLeft, Level::Shift),
    (">>", BinaryOp::ShiftRight(Sign::Signed), Level::Shift),
    (">>u", BinaryOp::ShiftRight(Sign::Unsigned), Level::Shift),
    ("<", BinaryOp::Compare(Comparison::Less(Sign::Signed)), Level::Relation),
    ("<u", BinaryOp::Compare(Comparison::Less(Sign::Unsigned)), Level::Relation),
    ("<.", ordered(FloatRelation::Less), Level::Relation),
    ("<=", BinaryOp::Compare(Comparison::LessEqual(Sign::Signed)), Level::Relation),
    ("<=u", BinaryOp::Compare(Comparison::LessEqual(Sign::Unsigned)), Level::Relation),
    ("<=.", ordered(FloatRelation::LessEqual), Level::Relation),
    (">", BinaryOp::Compare(Comparison::Greater(Sign::Signed)), Level::Relation),
    (">u", BinaryOp::Compare(Comparison::Greater(Sign::Unsigned)), Level::Relation),
    (">.", ordered(FloatRelation::Greater), Level::Relation),
    (">=", BinaryOp::Compare(Comparison::GreaterEqual(Sign::Signed)), Level::Relation),
    (">=u", BinaryOp::Compare(Comparison::GreaterEqual(Sign::Unsigned)), Level::Relation),
    (">=.", ordered(FloatRelation::GreaterEqual), Level::Relation),
    ("==", BinaryOp::Compare(Comparison::Equal), Level::Equality),
    ("==.", ordered(FloatRelation::Equal), Level::Equality),
    ("!=", BinaryOp::Compare(Comparison::NotEqual), Level::Equality),
    ("!=.", unordered(FloatRelation::NotEqual), Level::Equality),
    ("&", BinaryOp::And, Level::And),
    ("^", BinaryOp::Xor, Level::Xor),
    ("|", BinaryOp::Or, Level::Or),
];

/// Binary operators that C has no symbol for, written as functions. Float comparisons have
/// LLVM's names: `u` is true and `o` is false when an operand is NaN.
pub(super) const CALLED: &[(&str, BinaryOp)] = &[
    ("fcmp.false", ordered(FloatRelation::Never)),
    ("fcmp.uno", unordered(FloatRelation::Never)),
    ("fcmp.ueq", unordered(FloatRelation::Equal)),
    ("fcmp.one", ordered(FloatRelation::NotEqual)),
    ("fcmp.ult", unordered(FloatRelation::Less)),
    ("fcmp.ule", unordered(FloatRelation::LessEqual)),
    ("fcmp.ugt", unordered(FloatRelation::Greater)),
    ("fcmp.uge", unordered(FloatRelation::GreaterEqual)),
    ("fcmp.ord", ordered(FloatRelation::Always)),
    ("fcmp.true", unordered(FloatRelation::Always)),
    ("overflows.sadd", BinaryOp::Overflows(Arithmetic::Add, Sign::Signed)),
    ("overflows.uadd", BinaryOp::Overflows(Arithmetic::Add, Sign::Unsigned)),
    ("overflows.ssub", BinaryOp::Overflows(Arithmetic::Sub, Sign::Signed)),
    ("overflows.usub", BinaryOp::Overflows(Arithmetic::Sub, Sign::Unsigned)),
    ("overflows.smul", BinaryOp::Overflows(Arithmetic::Mul, Sign::Signed)),
    ("overflows.umul", BinaryOp::Overflows(Arithmetic::Mul, Sign::Unsigned)),
];

/// Prefix operators. `~` is spelled `!` on conditions. Those that end in `%` or `.` are followed
/// by a blank, so that they do not swallow the first character of a name.
pub(super) const PREFIX: &[(&str, UnaryOp)] = &[
    ("-", UnaryOp::Negate(Overflow::Violates)),
    ("-%", UnaryOp::Negate(Overflow::Wraps)),
    ("-.", UnaryOp::FloatNegate),
    ("~", UnaryOp::Not),
    ("!", UnaryOp::Not),
];

/// Casts, written `name.type(operand)`.
pub(super) const CASTS: &[(&str, CastOp)] = &[
    ("trunc", CastOp::Truncate),
    ("zext", CastOp::ZeroExtend),
    ("sext", CastOp::SignExtend),
    ("ftosi", CastOp::FloatToInt(Sign::Signed)),
    ("ftoui", CastOp::FloatToInt(Sign::Unsigned)),
    ("sitof", CastOp::IntToFloat(Sign::Signed)),
    ("uitof", CastOp::IntToFloat(Sign::Unsigned)),
    ("ftof", CastOp::FloatConvert),
    ("reinterpret", CastOp::Reinterpret),
];

/// Builtins, written as functions. `IsClass` is not here: its mask is a part of its name.
const BUILTINS: &[(&str, Builtin)] = &[
    ("bswap", Builtin::ByteSwap),
    ("bitreverse", Builtin::BitReverse),
    ("popcount", Builtin::PopCount),
    ("clz", Builtin::LeadingZeros { zero_violates: true }),
    ("clz.total", Builtin::LeadingZeros { zero_violates: false }),
    ("ctz", Builtin::TrailingZeros { zero_violates: true }),
    ("ctz.total", Builtin::TrailingZeros { zero_violates: false }),
    ("funnel.left", Builtin::FunnelLeft),
    ("funnel.right", Builtin::FunnelRight),
    ("abs", Builtin::Absolute),
    ("min", Builtin::Min(Sign::Signed)),
    ("umin", Builtin::Min(Sign::Unsigned)),
    ("max", Builtin::Max(Sign::Signed)),
    ("umax", Builtin::Max(Sign::Unsigned)),
    ("add.saturating", Builtin::SaturatingAdd(Sign::Signed)),
    ("uadd.saturating", Builtin::SaturatingAdd(Sign::Unsigned)),
    ("sub.saturating", Builtin::SaturatingSub(Sign::Signed)),
    ("usub.saturating", Builtin::SaturatingSub(Sign::Unsigned)),
    ("fabs", Builtin::FloatAbsolute),
    ("sqrt", Builtin::SquareRoot),
    ("floor", Builtin::Floor),
    ("ceil", Builtin::Ceiling),
    ("ftrunc", Builtin::Truncate),
    ("round", Builtin::Round),
    ("roundeven", Builtin::RoundEven),
    ("nearbyint", Builtin::NearbyInt),
    ("copysign", Builtin::CopySign),
    ("fmin", Builtin::MinNumber),
    ("fmax", Builtin::MaxNumber),
    ("fma", Builtin::FusedMultiplyAdd),
    ("pow", Builtin::Power),
    ("powi", Builtin::PowerInt),
    ("exp", Builtin::Exp),
    ("exp2", Builtin::Exp2),
    ("log", Builtin::Log),
    ("log2", Builtin::Log2),
    ("log10", Builtin::Log10),
    ("sin", Builtin::Sin),
    ("cos", Builtin::Cos),
];

const IS_CLASS: &str = "isclass.";

/// The spelling of an infix operator; `None` for one that is written as a function.
pub(super) fn infix_symbol(op: BinaryOp) -> Option<(&'static str, Level)> {
    INFIX.iter().find(|(_, known, _)| *known == op).map(|(symbol, _, level)| (*symbol, *level))
}

pub(super) fn infix_operator(symbol: &str) -> Option<(BinaryOp, Level)> {
    INFIX.iter().find(|(known, ..)| *known == symbol).map(|(_, op, level)| (*op, *level))
}

pub(super) fn called_name(op: BinaryOp) -> &'static str {
    let found = CALLED.iter().find(|(_, known)| *known == op);
    found.expect("a binary operator is in INFIX or in CALLED").0
}

pub(super) fn called_operator(name: &str) -> Option<BinaryOp> {
    CALLED.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}

pub(super) fn prefix_symbol(op: UnaryOp, ty: Type) -> &'static str {
    if op == UnaryOp::Not && ty == Type::BOOL {
        return "!";
    }
    let found = PREFIX.iter().find(|(_, known)| *known == op);
    found.expect("a unary operator is in PREFIX").0
}

pub(super) fn prefix_operator(symbol: &str) -> Option<UnaryOp> {
    PREFIX.iter().find(|(known, _)| *known == symbol).map(|(_, op)| *op)
}

pub(super) fn cast_name(op: CastOp) -> &'static str {
    let found = CASTS.iter().find(|(_, known)| *known == op);
    found.expect("a cast is in CASTS").0
}

/// Reads `sext.i64`.
pub(super) fn cast_operator(name: &str) -> Option<(CastOp, Type)> {
    let (name, ty) = name.rsplit_once('.')?;
    let (_, op) = CASTS.iter().find(|(known, _)| *known == name)?;
    Some((*op, type_named(ty)?))
}

pub(super) fn builtin_name(builtin: Builtin) -> String {
    if let Builtin::IsClass(mask) = builtin {
        return format!("{IS_CLASS}{mask}");
    }
    let found = BUILTINS.iter().find(|(_, known)| *known == builtin);
    found.expect("a builtin is in BUILTINS").0.to_owned()
}

pub(super) fn builtin_named(name: &str) -> Option<Builtin> {
    if let Some(mask) = name.strip_prefix(IS_CLASS) {
        return mask.parse().ok().map(Builtin::IsClass);
    }
    BUILTINS.iter().find(|(known, _)| *known == name).map(|(_, builtin)| *builtin)
}

/// Reads a machine type: `i32`, `f64`, `x87`, `ptr`.
pub(super) fn type_named(name: &str) -> Option<Type> {
    match name {
        "ptr" => Some(Type::Pointer),
        "x87" => Some(Type::Float(Float::X87)),
        "f16" => Some(Type::Float(Float::F16)),
        "f32" => Some(Type::F32),
        "f64" => Some(Type::F64),
        "f128" => Some(Type::Float(Float::F128)),
        _ => {
            let width: u16 = name.strip_prefix('i')?.parse().ok()?;
            // `i032` would be a second spelling of `i32`.
            let canonical = !name[1..].starts_with(['0', '+']);
            (canonical && (1..=128).contains(&width)).then_some(Type::Int(width))
        }
    }
}
