//! Random terms and assignments from a list of numbers, so that proptest can shrink them.
//!
//! A list of [`Step`]s builds a growing pool of terms: each step picks arguments among what is there. Every
//! term is built twice, as it stands and simplified.

use logic::evaluate::Model;
use logic::sort::{FloatFormat, Rounding, Sort};
use logic::terms::{Op, TermId, Terms};
use logic::value::{ArrayValue, BitVector, Float, Value};
use proptest::prelude::*;

/// One term to build: which operator, which arguments.
pub type Step = (u16, u16, u16, u16);

pub fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(any::<Step>(), 1..count)
}

/// One term in two forms.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub plain: TermId,
    pub simple: TermId,
}

/// Terms with arguments from the pool; the last one is the whole.
pub struct Pool<'a> {
    terms: &'a mut Terms,
    pairs: Vec<Pair>,
}

pub fn build(terms: &mut Terms, variables: &[TermId], constants: &[TermId], steps: &[Step]) -> Vec<Pair> {
    let leaves = variables.iter().chain(constants);
    let pairs = leaves.map(|&it| Pair { plain: it, simple: it }).collect();
    let mut pool = Pool { terms, pairs };
    for &step in steps {
        pool.add(step);
    }
    pool.pairs
}

const ROUNDINGS: [Rounding; 5] = [
    Rounding::NearestEven,
    Rounding::NearestAway,
    Rounding::TowardPositive,
    Rounding::TowardNegative,
    Rounding::TowardZero,
];

pub const TINY_FLOAT: FloatFormat = FloatFormat { exponent: 4, significand: 4 };
const SMALL_FLOAT: FloatFormat = FloatFormat { exponent: 5, significand: 6 };

impl Pool<'_> {
    fn pick(&self, number: u16, wanted: impl Fn(Sort) -> bool) -> Option<Pair> {
        let fitting: Vec<Pair> = self.pairs.iter().copied().filter(|it| wanted(self.terms.sort(it.plain))).collect();
        // Newer terms are picked more often, for depth.
        let count = fitting.len();
        let number = number as usize;
        (count > 0).then(|| {
            fitting[if number.is_multiple_of(3) { number / 3 % count } else { count - 1 - number / 3 % count.min(4) }]
        })
    }

    fn same(&self, number: u16, sort: Sort) -> Pair {
        self.pick(number, |it| it == sort).expect("the first argument is there")
    }

    fn push(&mut self, op: Op, arguments: &[Pair]) {
        let plain: Vec<TermId> = arguments.iter().map(|it| it.plain).collect();
        let simple: Vec<TermId> = arguments.iter().map(|it| it.simple).collect();
        let plain = self.terms.raw(op, &plain);
        let simple = self.terms.build(op, &simple);
        assert_eq!(self.terms.sort(plain), self.terms.sort(simple), "{op:?} changed its sort");
        self.pairs.push(Pair { plain, simple });
    }

    fn add(&mut self, (choice, first, second, third): Step) {
        let Some(a) = self.pick(first, |_| true) else { return };
        let sort = self.terms.sort(a.plain);
        let b = self.same(second, sort);
        let choice = choice as usize;
        // Operators of every sort come now and then.
        match choice % 8 {
            0 => return self.push(Op::Equal, &[a, b]),
            1 => {
                if let Some(condition) = self.pick(third, |it| it == Sort::Bool) {
                    return self.push(Op::Ite, &[condition, a, b]);
                }
            }
            _ => {}
        }
        match sort {
            Sort::Bool => self.add_boolean(choice, a, b, third),
            Sort::BitVector(width) => self.add_bits(choice, width, a, b, third),
            Sort::Float(format) => self.add_float(choice, format, a, b, third),
            Sort::Int | Sort::Real => self.add_number(choice, sort, a, b),
            Sort::Array(_) => self.add_array(choice, a, second, third),
            Sort::Uninterpreted(_) => {}
        }
    }

    fn add_boolean(&mut self, choice: usize, a: Pair, b: Pair, third: u16) {
        let c = self.same(third, Sort::Bool);
        match choice / 8 % 3 {
            0 => self.push(Op::Not, &[a]),
            1 => self.push(Op::And, &[a, b, c]),
            _ => self.push(Op::Or, &[a, b, c]),
        }
    }

    fn add_bits(&mut self, choice: usize, width: u32, a: Pair, b: Pair, third: u16) {
        const BINARY: [Op; 21] = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvSmod,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::BvUlt,
            Op::BvSlt,
            Op::BvUaddOverflow,
            Op::BvSaddOverflow,
            Op::BvSsubOverflow,
            Op::BvUmulOverflow,
            Op::BvSmulOverflow,
        ];
        let third = u32::from(third);
        match choice / 8 % 30 {
            0 => self.push(Op::BvNot, &[a]),
            1 => self.push(Op::BvNeg, &[a]),
            2 if width < 80 => self.push(Op::BvZeroExtend(third % 9), &[a]),
            3 if width < 80 => self.push(Op::BvSignExtend(third % 9), &[a]),
            4..7 => {
                let low = third % width;
                self.push(Op::BvExtract { high: low + (third / 100) % (width - low), low }, &[a]);
            }
            7..9 => {
                let other = self.pick(third as u16, |it| it.width().is_some_and(|it| it + width < 90));
                if let Some(other) = other {
                    self.push(Op::BvConcat, &[a, other]);
                }
            }
            other => self.push(BINARY[other % BINARY.len()], &[a, b]),
        }
    }

    fn add_float(&mut self, choice: usize, format: FloatFormat, a: Pair, b: Pair, third: u16) {
        let rounding = ROUNDINGS[third as usize % 5];
        let c = self.same(third / 5, Sort::Float(format));
        match choice / 8 % 26 {
            0 => self.push(Op::FpAbs, &[a]),
            1 => self.push(Op::FpNeg, &[a]),
            2 | 3 => self.push(Op::FpAdd(rounding), &[a, b]),
            4 => self.push(Op::FpSub(rounding), &[a, b]),
            5 => self.push(Op::FpMul(rounding), &[a, b]),
            6 => self.push(Op::FpDiv(rounding), &[a, b]),
            7 => self.push(Op::FpFma(rounding), &[a, b, c]),
            8 => self.push(Op::FpSqrt(rounding), &[a]),
            9 => self.push(Op::FpRem, &[a, b]),
            10 => self.push(Op::FpRoundToIntegral(rounding), &[a]),
            11 => self.push(Op::FpMin, &[a, b]),
            12 => self.push(Op::FpMax, &[a, b]),
            13 => self.push(Op::FpLe, &[a, b]),
            14 => self.push(Op::FpLt, &[a, b]),
            15 => self.push(Op::FpEqual, &[a, b]),
            16 => self.push(Op::FpIsNormal, &[a]),
            17 => self.push(Op::FpIsSubnormal, &[a]),
            18 => self.push(Op::FpIsZero, &[a]),
            19 => self.push(Op::FpIsInfinite, &[a]),
            20 => self.push(Op::FpIsNan, &[a]),
            21 => self.push(Op::FpIsNegative, &[a]),
            22 => self.push(Op::FpToBits, &[a]),
            23 => {
                self.push(Op::FpConvert(if third.is_multiple_of(2) { SMALL_FLOAT } else { TINY_FLOAT }, rounding), &[a])
            }
            24 => self.push(Op::FpToSigned(6, rounding), &[a]),
            _ => {
                if let Some(bits) = self.pick(third, |it| it.width() == Some(TINY_FLOAT.width())) {
                    self.push(Op::FpFromBits(TINY_FLOAT), &[bits]);
                    self.push(Op::FpFromSigned(TINY_FLOAT, rounding), &[bits]);
                    self.push(Op::FpFromUnsigned(TINY_FLOAT, rounding), &[bits]);
                }
            }
        }
    }

    fn add_number(&mut self, choice: usize, sort: Sort, a: Pair, b: Pair) {
        match (choice / 8 % 8, sort) {
            (0, _) => self.push(Op::ArithNeg, &[a]),
            (1 | 2, _) => self.push(Op::ArithAdd, &[a, b]),
            (3, _) => self.push(Op::ArithSub, &[a, b]),
            (4, _) => self.push(Op::ArithMul, &[a, b]),
            (5, _) => self.push(Op::ArithLt, &[a, b]),
            (6, Sort::Int) => self.push(Op::IntDiv, &[a, b]),
            (_, Sort::Int) => {
                self.push(Op::IntMod, &[a, b]);
                self.push(Op::IntToReal, &[a]);
            }
            (6, _) => self.push(Op::RealDiv, &[a, b]),
            _ => self.push(Op::RealToInt, &[a]),
        }
    }

    fn add_array(&mut self, choice: usize, a: Pair, second: u16, third: u16) {
        let (index_sort, element_sort) = self.terms.array_parts(self.terms.sort(a.plain));
        let index = self.pick(second, |it| it == index_sort);
        let element = self.pick(third, |it| it == element_sort);
        let (Some(index), Some(element)) = (index, element) else { return };
        match choice / 8 % 3 {
            0 => self.push(Op::Select, &[a, index]),
            _ => self.push(Op::Store, &[a, index, element]),
        }
    }
}

/// A value of a sort from a number: extreme ones more often.
pub fn value_of(terms: &Terms, sort: Sort, seed: u64) -> Value {
    let scrambled = (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let scrambled = scrambled ^ scrambled >> 29;
    match sort {
        Sort::Bool => Value::Bool(seed % 2 == 1),
        Sort::BitVector(width) => Value::BitVector(bits_of(width, seed, scrambled)),
        Sort::Float(format) => Value::Float(Float::from_bits(format, bits_of(format.width(), seed, scrambled))),
        Sort::Int => Value::Int((scrambled as i64 % 10).into()),
        Sort::Real => {
            Value::Real(num_rational::BigRational::new((scrambled as i64 % 10).into(), (1 + seed % 3).into()))
        }
        Sort::Array(_) => {
            let (index, element) = terms.array_parts(sort);
            let mut array = ArrayValue::constant(value_of(terms, element, scrambled));
            for entry in 0..seed % 4 {
                array.store(value_of(terms, index, scrambled >> entry), value_of(terms, element, seed + entry));
            }
            Value::Array(Box::new(array))
        }
        Sort::Uninterpreted(_) => Value::Element(seed % 3),
    }
}

fn bits_of(width: u32, seed: u64, scrambled: u64) -> BitVector {
    match seed % 7 {
        0 => BitVector::zero(width),
        1 => BitVector::ones(width),
        2 => BitVector::min_signed(width),
        3 => BitVector::max_signed(width),
        4 => BitVector::new(width, u128::from(scrambled % 4)),
        _ => BitVector::new(width, u128::from(scrambled) << 64 | u128::from(scrambled.rotate_left(17))),
    }
}

/// Values for variables from numbers.
pub fn assignment(terms: &Terms, variables: &[TermId], seeds: &[u64]) -> Model {
    let mut model = Model::new();
    for (&variable, &seed) in variables.iter().zip(seeds.iter().cycle()) {
        model.assign(variable, value_of(terms, terms.sort(variable), seed));
    }
    model
}
