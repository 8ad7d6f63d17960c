//! Terms as SMT-LIB 2 text: for logs, for other solvers, for bug reports.
//!
//! What occurs more than once is bound by `let`, so that the text is as large as the distinct terms. A
//! quantifier's body is a text of its own: what it shares with its surroundings is written again.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::sort::{FloatFormat, Rounding, Sort};
use crate::terms::{Op, TermId, Terms};
use crate::value::{BitVector, Value};

/// A sort.
pub fn sort(terms: &Terms, of: Sort) -> String {
    match of {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVector(width) => format!("(_ BitVec {width})"),
        Sort::Float(FloatFormat { exponent, significand }) => format!("(_ FloatingPoint {exponent} {significand})"),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::Array(_) => {
            let (index, element) = terms.array_parts(of);
            format!("(Array {} {})", sort(terms, index), sort(terms, element))
        }
        Sort::Uninterpreted(symbol) => quoted(terms.symbol_name(symbol)),
    }
}

/// A term.
pub fn term(terms: &Terms, root: TermId) -> String {
    let mut text = String::new();
    Printer { terms, names: FxHashMap::default() }.print(root, &mut text);
    text
}

/// Declarations and assertions of formulas, ending with `(check-sat)`.
pub fn script(terms: &Terms, assertions: &[TermId]) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    declare_symbols(terms, assertions, &mut text);
    for &assertion in assertions {
        text.push_str("(assert ");
        Printer { terms, names: FxHashMap::default() }.print(assertion, &mut text);
        text.push_str(")\n");
    }
    text.push_str("(check-sat)\n");
    text
}

fn declare_symbols(terms: &Terms, assertions: &[TermId], text: &mut String) {
    let mut sorts: Vec<Sort> = Vec::new();
    let mut functions = Vec::new();
    for term in terms.reachable(assertions) {
        sorts.push(terms.sort(term));
        if let Op::Apply(function) = terms.op(term) {
            functions.push(function);
        }
    }
    sorts.sort_unstable();
    sorts.dedup();
    for &it in sorts.iter().filter(|it| matches!(it, Sort::Uninterpreted(_))) {
        let _ = writeln!(text, "(declare-sort {} 0)", sort(terms, it));
    }
    functions.sort_unstable();
    functions.dedup();
    for function in functions {
        let signature = terms.function_signature(function);
        let parameters: Vec<String> = signature.parameters.iter().map(|&it| sort(terms, it)).collect();
        let name = quoted(terms.symbol_name(signature.name));
        let _ = writeln!(text, "(declare-fun {name} ({}) {})", parameters.join(" "), sort(terms, signature.result));
    }
    for variable in terms.free_variables(assertions) {
        let name = quoted(terms.name(variable).unwrap_or_default());
        let _ = writeln!(text, "(declare-const {name} {})", sort(terms, terms.sort(variable)));
    }
}

/// A symbol as SMT-LIB reads it.
fn quoted(name: &str) -> String {
    let is_simple = |it: char| it.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(it);
    if !name.is_empty() && name.chars().all(is_simple) && !name.starts_with(|it: char| it.is_ascii_digit()) {
        return name.to_owned();
    }
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

struct Printer<'a> {
    terms: &'a Terms,
    /// Terms that a `let` around binds.
    names: FxHashMap<TermId, String>,
}

enum Item {
    Term(TermId),
    Text(&'static str),
}

impl Printer<'_> {
    fn print(&mut self, root: TermId, text: &mut String) {
        let shared = self.shared(root);
        for &term in &shared {
            let name = format!("?{}", term.index());
            let _ = write!(text, "(let (({name} ");
            self.print_unshared(term, text);
            text.push_str(")) ");
            self.names.insert(term, name);
        }
        self.print_unshared(root, text);
        text.extend(std::iter::repeat_n(')', shared.len()));
    }

    /// Compound terms that occur more than once below the root, outside of quantifiers, parts first.
    fn shared(&self, root: TermId) -> Vec<TermId> {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            let count = uses.entry(term).or_insert(0);
            *count += 1;
            if *count == 1 && !self.terms.op(term).is_quantifier() {
                open.extend(self.terms.arguments(term));
            }
        }
        let is_shared =
            |(term, count): (TermId, u32)| (count > 1 && !self.terms.arguments(term).is_empty()).then_some(term);
        let mut shared: Vec<TermId> = uses.into_iter().filter_map(is_shared).filter(|&it| it != root).collect();
        shared.sort_unstable();
        shared
    }

    fn print_unshared(&self, root: TermId, text: &mut String) {
        let mut open = vec![Item::Term(root)];
        while let Some(item) = open.pop() {
            match item {
                Item::Text(it) => text.push_str(it),
                Item::Term(term) => match self.names.get(&term) {
                    Some(name) => text.push_str(name),
                    None => self.print_head(term, text, &mut open),
                },
            }
        }
    }

    fn print_head(&self, term: TermId, text: &mut String, open: &mut Vec<Item>) {
        let arguments = self.terms.arguments(term);
        let op = self.terms.op(term);
        if let Some(name) = self.terms.name(term) {
            text.push_str(&quoted(name));
        } else if let Some(value) = self.terms.as_value(term) {
            text.push_str(&print_value(&value));
        } else if op.is_quantifier() {
            self.print_quantifier(term, text);
        } else {
            text.push('(');
            text.push_str(&self.head(term, op));
            open.push(Item::Text(")"));
            for &argument in arguments.iter().rev() {
                open.push(Item::Term(argument));
                open.push(Item::Text(" "));
            }
        }
    }

    fn print_quantifier(&self, term: TermId, text: &mut String) {
        let (bound, body) = self.terms.quantifier_parts(term);
        let word = if self.terms.op(term) == Op::Forall { "forall" } else { "exists" };
        let _ = write!(text, "({word} (");
        for &variable in bound {
            let name = quoted(self.terms.name(variable).unwrap_or_default());
            let _ = write!(text, "({name} {})", sort(self.terms, self.terms.sort(variable)));
        }
        text.push_str(") ");
        Printer { terms: self.terms, names: FxHashMap::default() }.print(body, text);
        text.push(')');
    }

    /// What stands in front of the arguments.
    fn head(&self, term: TermId, op: Op) -> String {
        let of_format = |format: FloatFormat| format!("(_ to_fp {} {})", format.exponent, format.significand);
        match op {
            Op::Apply(function) => quoted(self.terms.symbol_name(self.terms.function_signature(function).name)),
            Op::ConstArray => format!("(as const {})", sort(self.terms, self.terms.sort(term))),
            Op::BvExtract { high, low } => format!("(_ extract {high} {low})"),
            Op::BvZeroExtend(by) => format!("(_ zero_extend {by})"),
            Op::BvSignExtend(by) => format!("(_ sign_extend {by})"),
            Op::IntToBv(width) => format!("(_ int2bv {width})"),
            Op::FpAdd(rounding) => format!("fp.add {}", mode(rounding)),
            Op::FpSub(rounding) => format!("fp.sub {}", mode(rounding)),
            Op::FpMul(rounding) => format!("fp.mul {}", mode(rounding)),
            Op::FpDiv(rounding) => format!("fp.div {}", mode(rounding)),
            Op::FpFma(rounding) => format!("fp.fma {}", mode(rounding)),
            Op::FpSqrt(rounding) => format!("fp.sqrt {}", mode(rounding)),
            Op::FpRoundToIntegral(rounding) => format!("fp.roundToIntegral {}", mode(rounding)),
            Op::FpFromBits(format) => of_format(format),
            Op::FpConvert(format, rounding) | Op::FpFromSigned(format, rounding) => {
                format!("{} {}", of_format(format), mode(rounding))
            }
            Op::FpFromUnsigned(FloatFormat { exponent, significand }, rounding) => {
                format!("(_ to_fp_unsigned {exponent} {significand}) {}", mode(rounding))
            }
            Op::FpToSigned(width, rounding) => format!("(_ fp.to_sbv {width}) {}", mode(rounding)),
            Op::FpToUnsigned(width, rounding) => format!("(_ fp.to_ubv {width}) {}", mode(rounding)),
            _ => plain_head(op).to_owned(),
        }
    }
}

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::TowardPositive => "RTP",
        Rounding::TowardNegative => "RTN",
        Rounding::TowardZero => "RTZ",
    }
}

fn plain_head(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Equal => "=",
        Op::Ite => "ite",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvSmod => "bvsmod",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvSlt => "bvslt",
        Op::BvUaddOverflow => "bvuaddo",
        Op::BvSaddOverflow => "bvsaddo",
        Op::BvSsubOverflow => "bvssubo",
        Op::BvUmulOverflow => "bvumulo",
        Op::BvSmulOverflow => "bvsmulo",
        Op::BvConcat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::FpAbs => "fp.abs",
        Op::FpNeg => "fp.neg",
        Op::FpRem => "fp.rem",
        Op::FpMin => "fp.min",
        Op::FpMax => "fp.max",
        Op::FpLe => "fp.leq",
        Op::FpLt => "fp.lt",
        Op::FpEqual => "fp.eq",
        Op::FpIsNormal => "fp.isNormal",
        Op::FpIsSubnormal => "fp.isSubnormal",
        Op::FpIsZero => "fp.isZero",
        Op::FpIsInfinite => "fp.isInfinite",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpIsPositive => "fp.isPositive",
        // No standard name; Z3 and cvc5 read this one.
        Op::FpToBits => "fp.to_ieee_bv",
        Op::ArithNeg | Op::ArithSub => "-",
        Op::ArithAdd => "+",
        Op::ArithMul => "*",
        Op::ArithLt => "<",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::RealDiv => "/",
        Op::IntToReal => "to_real",
        Op::RealToInt => "to_int",
        Op::BvToInt => "bv2nat",
        _ => unreachable!("{op:?} has a head of its own"),
    }
}

fn print_value(value: &Value) -> String {
    let signed = |negative: bool, magnitude: String| if negative { format!("(- {magnitude})") } else { magnitude };
    match value {
        Value::Bool(value) => value.to_string(),
        Value::BitVector(value) => value.to_string(),
        Value::Float(value) => {
            let format = value.format();
            let (width, fraction) = (format.width(), u32::from(format.significand) - 1);
            let binary =
                |part: BitVector| format!("#b{:0>1$}", part.to_biguint().to_str_radix(2), part.width() as usize);
            let bits = value.bits();
            let (sign, exponent) = (bits.extract(width - 1, width - 1), bits.extract(width - 2, fraction));
            format!("(fp {} {} {})", binary(sign), binary(exponent), binary(bits.extract(fraction - 1, 0)))
        }
        Value::Int(value) => signed(value.sign() == num_bigint::Sign::Minus, value.magnitude().to_string()),
        Value::Real(value) => {
            let fraction = format!("(/ {}.0 {}.0)", value.numer().magnitude(), value.denom());
            signed(value.numer().sign() == num_bigint::Sign::Minus, fraction)
        }
        Value::Array(_) | Value::Element(_) => format!("|{value:?}|"),
    }
}

#[cfg(test)]
mod tests {
    use super::{script, term};
    use crate::sort::{Rounding, Sort};
    use crate::terms::Terms;
    use crate::value::Float;

    #[test]
    fn shares_and_quotes() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVector(8));
        let y = terms.variable("an int", Sort::BitVector(8));
        let sum = terms.bv_add(x, y);
        let square = terms.bv_mul(sum, sum);
        assert_eq!(term(&terms, square), format!("(let ((?{0} (bvadd x |an int|))) (bvmul ?{0} ?{0}))", sum.index()));
        let zero = terms.bv(8, 0);
        let is_zero = terms.eq(square, zero);
        let all = terms.forall(&[y], is_zero);
        let text = script(&terms, &[all]);
        assert!(
            text.starts_with(
                "(set-logic ALL)\n(declare-const x (_ BitVec 8))\n(assert (forall ((|an int| (_ BitVec 8))) (let"
            ),
            "{text}"
        );
    }

    #[test]
    fn values() {
        let mut terms = Terms::new();
        let half = terms.float(&Float::from_f32(0.5));
        let x = terms.variable("x", terms.sort(half));
        let sum = terms.fp_add(Rounding::NearestEven, x, half);
        assert_eq!(term(&terms, sum), "(fp.add RNE x (fp #b0 #b01111110 #b00000000000000000000000))");
        let minus = terms.int(-3);
        assert_eq!(term(&terms, minus), "(- 3)");
    }
}
