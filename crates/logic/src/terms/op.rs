//! The operators of terms, and the sort of what they yield.
//!
//! There are fewer than in SMT-LIB: `a <= b` on bit-vectors, integers and reals is `not (b < a)`, an
//! implication is a disjunction, a rotation is a concatenation. One way to say a thing means that equal
//! formulas are more often the same term, and less to do in every back end.

use crate::sort::{FloatFormat, FunctionId, Rounding, Sort, SymbolId};

use super::{ConstantId, TermId, Terms};

/// What a term does with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A free symbol, or one that a quantifier around it binds.
    Variable(SymbolId),
    /// An uninterpreted function of the arguments.
    Apply(FunctionId),
    True,
    False,
    /// A bit-vector value of at most 64 bits; the sort has the width.
    BitVector(u64),
    /// Any other value: a wide bit-vector, a float, an integer, a real.
    Constant(ConstantId),

    Not,
    /// Of two or more arguments, in ascending order.
    And,
    /// Of two or more arguments, in ascending order.
    Or,
    /// Of two arguments of one sort.
    Equal,
    /// Condition, value if true, value if false.
    Ite,
    /// The bound variables, then the body.
    Forall,
    /// The bound variables, then the body.
    Exists,

    BvNot,
    BvNeg,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    BvAnd,
    BvOr,
    BvXor,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvSlt,
    BvUaddOverflow,
    BvSaddOverflow,
    BvSsubOverflow,
    BvUmulOverflow,
    BvSmulOverflow,
    /// The first argument is the upper part.
    BvConcat,
    /// Both bits included.
    BvExtract {
        high: u32,
        low: u32,
    },
    /// By so many bits.
    BvZeroExtend(u32),
    /// By so many bits.
    BvSignExtend(u32),

    /// Array, index.
    Select,
    /// Array, index, value.
    Store,
    /// Every element is the argument; the term's sort is the array's.
    ConstArray,

    FpAbs,
    FpNeg,
    FpAdd(Rounding),
    FpSub(Rounding),
    FpMul(Rounding),
    FpDiv(Rounding),
    /// `a * b + c`, rounded once.
    FpFma(Rounding),
    FpSqrt(Rounding),
    /// IEEE's remainder, of the quotient that is nearest; not C's `fmod`.
    FpRem,
    FpRoundToIntegral(Rounding),
    /// Which zero is the least of two zeros is not specified.
    FpMin,
    /// Which zero is the greatest of two zeros is not specified.
    FpMax,
    FpLe,
    FpLt,
    /// IEEE's equality: NaN differs from itself, the zeros are equal. `Equal` is identity.
    FpEqual,
    FpIsNormal,
    FpIsSubnormal,
    FpIsZero,
    FpIsInfinite,
    FpIsNan,
    FpIsNegative,
    FpIsPositive,
    /// The float that has these bits.
    FpFromBits(FloatFormat),
    /// The bits of a float, with one pattern for NaN: positive, quiet, empty payload.
    FpToBits,
    /// From another format.
    FpConvert(FloatFormat, Rounding),
    FpFromSigned(FloatFormat, Rounding),
    FpFromUnsigned(FloatFormat, Rounding),
    /// To a bit-vector of that width; not specified where the integer does not fit.
    FpToSigned(u32, Rounding),
    /// To a bit-vector of that width; not specified where the integer does not fit.
    FpToUnsigned(u32, Rounding),

    /// Of integers or reals, as all `Arith` operators.
    ArithNeg,
    ArithAdd,
    ArithSub,
    ArithMul,
    ArithLt,
    /// SMT-LIB's integer division, which leaves a remainder that is not negative; by zero not specified.
    IntDiv,
    /// The remainder that is not negative; by zero not specified.
    IntMod,
    /// By zero not specified.
    RealDiv,
    IntToReal,
    /// The greatest integer that is not above.
    RealToInt,
    /// The unsigned value.
    BvToInt,
    /// Modulo two to this width.
    IntToBv(u32),
}

impl Op {
    /// Whether the term is a value.
    pub fn is_constant(self) -> bool {
        matches!(self, Op::True | Op::False | Op::BitVector(_) | Op::Constant(_))
    }

    /// Whether the term binds variables.
    pub fn is_quantifier(self) -> bool {
        matches!(self, Op::Forall | Op::Exists)
    }

    /// Whether two arguments may change places.
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::And
                | Op::Or
                | Op::Equal
                | Op::BvAdd
                | Op::BvMul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvUaddOverflow
                | Op::BvSaddOverflow
                | Op::BvUmulOverflow
                | Op::BvSmulOverflow
                | Op::FpEqual
                | Op::ArithAdd
                | Op::ArithMul
        )
    }
}

impl Terms {
    /// The sort of a term with this operator and these arguments.
    ///
    /// Not for variables, values and constant arrays, whose sort their operator does not tell. Arguments of
    /// wrong sorts are a bug of the caller.
    pub(crate) fn result_sort(&self, op: Op, arguments: &[TermId]) -> Sort {
        let sort = |index: usize| self.sort(arguments[index]);
        let width = |index: usize| self.width(arguments[index]);
        self.assert_well_sorted(op, arguments);
        match op {
            Op::Variable(_) | Op::BitVector(_) | Op::Constant(_) | Op::ConstArray => {
                panic!("the sort of {op:?} does not follow from its arguments")
            }
            Op::Apply(function) => self.function_signature(function).result,
            Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Equal | Op::Forall | Op::Exists => Sort::Bool,
            Op::BvUlt | Op::BvSlt | Op::BvUaddOverflow | Op::BvSaddOverflow | Op::BvSsubOverflow => Sort::Bool,
            Op::BvUmulOverflow | Op::BvSmulOverflow | Op::ArithLt => Sort::Bool,
            Op::FpLe | Op::FpLt | Op::FpEqual | Op::FpIsNormal | Op::FpIsSubnormal | Op::FpIsZero => Sort::Bool,
            Op::FpIsInfinite | Op::FpIsNan | Op::FpIsNegative | Op::FpIsPositive => Sort::Bool,
            Op::Ite => sort(1),
            Op::BvConcat => Sort::BitVector(width(0) + width(1)),
            Op::BvExtract { high, low } => Sort::BitVector(high - low + 1),
            Op::BvZeroExtend(by) | Op::BvSignExtend(by) => Sort::BitVector(width(0) + by),
            Op::Select => self.array_parts(sort(0)).1,
            Op::FpFromBits(format)
            | Op::FpConvert(format, _)
            | Op::FpFromSigned(format, _)
            | Op::FpFromUnsigned(format, _) => Sort::Float(format),
            Op::FpToBits => Sort::BitVector(self.float_format(arguments[0]).width()),
            Op::FpToSigned(width, _) | Op::FpToUnsigned(width, _) | Op::IntToBv(width) => Sort::BitVector(width),
            Op::RealDiv | Op::IntToReal => Sort::Real,
            Op::RealToInt | Op::BvToInt | Op::IntDiv | Op::IntMod => Sort::Int,
            _ => sort(0),
        }
    }

    fn assert_well_sorted(&self, op: Op, arguments: &[TermId]) {
        let sort = |index: usize| arguments.get(index).map(|&it| self.sort(it));
        let all = |expected: fn(Sort) -> bool| arguments.iter().all(|&it| expected(self.sort(it)));
        let same = || arguments.iter().all(|&it| Some(self.sort(it)) == sort(0));
        let fits = match op {
            Op::Not => arguments.len() == 1 && all(|it| it == Sort::Bool),
            Op::And | Op::Or => all(|it| it == Sort::Bool),
            Op::Equal => arguments.len() == 2 && same(),
            Op::Ite => arguments.len() == 3 && sort(0) == Some(Sort::Bool) && sort(1) == sort(2),
            Op::Forall | Op::Exists => arguments.last().is_some_and(|&it| self.sort(it) == Sort::Bool),
            Op::Apply(function) => self
                .function_signature(function)
                .parameters
                .iter()
                .copied()
                .eq(arguments.iter().map(|&it| self.sort(it))),
            Op::BvConcat => arguments.len() == 2 && all(|it| it.width().is_some()),
            Op::BvExtract { high, low } => {
                low <= high && sort(0).and_then(Sort::width).is_some_and(|width| high < width)
            }
            Op::BvNot | Op::BvNeg | Op::BvZeroExtend(_) | Op::BvSignExtend(_) => all(|it| it.width().is_some()),
            Op::Select => self.array_parts(self.sort(arguments[0])).0 == self.sort(arguments[1]),
            Op::Store => {
                self.array_parts(self.sort(arguments[0])) == (self.sort(arguments[1]), self.sort(arguments[2]))
            }
            Op::FpFromBits(format) => sort(0) == Some(Sort::BitVector(format.width())),
            Op::FpFromSigned(..) | Op::FpFromUnsigned(..) | Op::BvToInt => all(|it| it.width().is_some()),
            Op::IntDiv | Op::IntMod | Op::IntToReal | Op::IntToBv(_) => all(|it| it == Sort::Int),
            Op::RealDiv | Op::RealToInt => all(|it| it == Sort::Real),
            Op::ArithNeg | Op::ArithAdd | Op::ArithSub | Op::ArithMul | Op::ArithLt => {
                same() && all(|it| matches!(it, Sort::Int | Sort::Real))
            }
            Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvSlt
            | Op::BvUaddOverflow
            | Op::BvSaddOverflow
            | Op::BvSsubOverflow
            | Op::BvUmulOverflow
            | Op::BvSmulOverflow => arguments.len() == 2 && same() && all(|it| it.width().is_some()),
            Op::FpConvert(..) | Op::FpToSigned(..) | Op::FpToUnsigned(..) => all(|it| matches!(it, Sort::Float(_))),
            _ => same() && (arguments.is_empty() || all(|it| matches!(it, Sort::Float(_)))),
        };
        assert!(
            fits,
            "{op:?} of arguments with sorts {:?}",
            arguments.iter().map(|&it| self.sort(it)).collect::<Vec<_>>()
        );
    }
}
