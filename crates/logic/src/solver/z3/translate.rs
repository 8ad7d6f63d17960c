//! From our terms to Z3's.
//!
//! Each term is translated once, parts before wholes, without recursion. The overflow predicates are spelled
//! out with wider arithmetic, since Z3's own leave out the signed product's underflow.

use std::ffi::{CStr, CString};

use rustc_hash::FxHashMap;
use z3_sys::{self as sys, Z3_ast, Z3_context, Z3_func_decl, Z3_sort, Z3_symbol};

use crate::error::Error;
use crate::sort::{FloatFormat, FunctionId, Rounding, Sort};
use crate::terms::{Op, TermId, Terms};
use crate::value::{BitVector, Float, Value};

use super::NAME;

pub struct Translator {
    context: Z3_context,
    /// By the number of our term.
    known: Vec<Option<Z3_ast>>,
    count: u64,
    sorts: FxHashMap<Sort, Z3_sort>,
    functions: FxHashMap<FunctionId, Z3_func_decl>,
    proxies: u64,
}

/// What Z3 says about its last call, which failed.
pub fn failure(context: Z3_context) -> Error {
    // SAFETY: the context is alive; the string is copied at once.
    let message = unsafe {
        let code = sys::Z3_get_error_code(context);
        CStr::from_ptr(sys::Z3_get_error_msg(context, code)).to_string_lossy().into_owned()
    };
    Error::Failed { solver: NAME, message }
}

type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Rounded = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;

fn unary(op: Op) -> Option<Unary> {
    Some(match op {
        Op::Not => sys::Z3_mk_not,
        Op::BvNot => sys::Z3_mk_bvnot,
        Op::BvNeg => sys::Z3_mk_bvneg,
        Op::FpAbs => sys::Z3_mk_fpa_abs,
        Op::FpNeg => sys::Z3_mk_fpa_neg,
        Op::FpIsNormal => sys::Z3_mk_fpa_is_normal,
        Op::FpIsSubnormal => sys::Z3_mk_fpa_is_subnormal,
        Op::FpIsZero => sys::Z3_mk_fpa_is_zero,
        Op::FpIsInfinite => sys::Z3_mk_fpa_is_infinite,
        Op::FpIsNan => sys::Z3_mk_fpa_is_nan,
        Op::FpIsNegative => sys::Z3_mk_fpa_is_negative,
        Op::FpIsPositive => sys::Z3_mk_fpa_is_positive,
        Op::ArithNeg => sys::Z3_mk_unary_minus,
        Op::IntToReal => sys::Z3_mk_int2real,
        Op::RealToInt => sys::Z3_mk_real2int,
        _ => return None,
    })
}

fn binary(op: Op) -> Option<Binary> {
    Some(match op {
        Op::Equal => sys::Z3_mk_eq,
        Op::BvAdd => sys::Z3_mk_bvadd,
        Op::BvSub => sys::Z3_mk_bvsub,
        Op::BvMul => sys::Z3_mk_bvmul,
        Op::BvUdiv => sys::Z3_mk_bvudiv,
        Op::BvUrem => sys::Z3_mk_bvurem,
        Op::BvSdiv => sys::Z3_mk_bvsdiv,
        Op::BvSrem => sys::Z3_mk_bvsrem,
        Op::BvSmod => sys::Z3_mk_bvsmod,
        Op::BvAnd => sys::Z3_mk_bvand,
        Op::BvOr => sys::Z3_mk_bvor,
        Op::BvXor => sys::Z3_mk_bvxor,
        Op::BvShl => sys::Z3_mk_bvshl,
        Op::BvLshr => sys::Z3_mk_bvlshr,
        Op::BvAshr => sys::Z3_mk_bvashr,
        Op::BvUlt => sys::Z3_mk_bvult,
        Op::BvSlt => sys::Z3_mk_bvslt,
        Op::BvConcat => sys::Z3_mk_concat,
        Op::Select => sys::Z3_mk_select,
        Op::FpRem => sys::Z3_mk_fpa_rem,
        Op::FpMin => sys::Z3_mk_fpa_min,
        Op::FpMax => sys::Z3_mk_fpa_max,
        Op::FpLe => sys::Z3_mk_fpa_leq,
        Op::FpLt => sys::Z3_mk_fpa_lt,
        Op::FpEqual => sys::Z3_mk_fpa_eq,
        Op::ArithLt => sys::Z3_mk_lt,
        Op::IntDiv | Op::RealDiv => sys::Z3_mk_div,
        Op::IntMod => sys::Z3_mk_mod,
        _ => return None,
    })
}

fn rounded_binary(op: Op) -> Option<(Rounded, Rounding)> {
    Some(match op {
        Op::FpAdd(rounding) => (sys::Z3_mk_fpa_add, rounding),
        Op::FpSub(rounding) => (sys::Z3_mk_fpa_sub, rounding),
        Op::FpMul(rounding) => (sys::Z3_mk_fpa_mul, rounding),
        Op::FpDiv(rounding) => (sys::Z3_mk_fpa_div, rounding),
        _ => return None,
    })
}

// SAFETY of the calls below: all handles come from this translator's context, which outlives it, and arrays
// are passed with their own length. Z3 returns nothing where it refuses, and that is checked.
impl Translator {
    pub fn new(context: Z3_context) -> Translator {
        Translator {
            context,
            known: Vec::new(),
            count: 0,
            sorts: FxHashMap::default(),
            functions: FxHashMap::default(),
            proxies: 0,
        }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn translate(&mut self, terms: &Terms, root: TermId) -> Result<Z3_ast, Error> {
        if self.known.len() < terms.len() {
            self.known.resize(terms.len(), None);
        }
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known[term.index()].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(terms.arguments(term).iter().filter(|it| self.known[it.index()].is_none()));
            if open.len() > before {
                continue;
            }
            self.known[term.index()] = Some(self.step(terms, term)?);
            self.count += 1;
            open.pop();
        }
        Ok(self.get(root))
    }

    fn get(&self, term: TermId) -> Z3_ast {
        self.known[term.index()].expect("arguments are translated before")
    }

    /// A fresh Boolean constant and the statement that it is equal to the formula.
    pub fn proxy(&mut self, formula: Z3_ast) -> Result<(Z3_ast, Z3_ast), Error> {
        self.proxies += 1;
        let symbol = self.symbol(&format!("assumption!{}", self.proxies))?;
        unsafe {
            let sort = self.present(sys::Z3_mk_bool_sort(self.context))?;
            let proxy = self.present(sys::Z3_mk_const(self.context, symbol, sort))?;
            Ok((proxy, self.present(sys::Z3_mk_eq(self.context, proxy, formula))?))
        }
    }

    fn present<T>(&self, made: Option<T>) -> Result<T, Error> {
        made.ok_or_else(|| failure(self.context))
    }

    fn symbol(&self, name: &str) -> Result<Z3_symbol, Error> {
        let name = CString::new(name.replace('\0', " ")).expect("no NUL is left");
        unsafe { self.present(sys::Z3_mk_string_symbol(self.context, name.as_ptr())) }
    }

    /// Translates a term whose arguments are translated.
    fn step(&mut self, terms: &Terms, term: TermId) -> Result<Z3_ast, Error> {
        let op = terms.op(term);
        let context = self.context;
        let arguments: Vec<Z3_ast> = terms.arguments(term).iter().map(|&it| self.get(it)).collect();
        let count = arguments.len() as u32;
        let list = arguments.as_ptr();
        if let (Some(make), &[a]) = (unary(op), &arguments[..]) {
            return unsafe { self.present(make(context, a)) };
        }
        if let (Some(make), &[a, b]) = (binary(op), &arguments[..]) {
            return unsafe { self.present(make(context, a, b)) };
        }
        if let (Some((make, rounding)), &[a, b]) = (rounded_binary(op), &arguments[..]) {
            let rounding = self.rounding(rounding)?;
            return unsafe { self.present(make(context, rounding, a, b)) };
        }
        match op {
            Op::Variable(_) => {
                let symbol = self.symbol(terms.name(term).unwrap_or_default())?;
                let sort = self.sort(terms, terms.sort(term))?;
                unsafe { self.present(sys::Z3_mk_const(context, symbol, sort)) }
            }
            Op::True => unsafe { self.present(sys::Z3_mk_true(context)) },
            Op::False => unsafe { self.present(sys::Z3_mk_false(context)) },
            Op::BitVector(_) | Op::Constant(_) => self.constant(terms, term),
            Op::And => unsafe { self.present(sys::Z3_mk_and(context, count, list)) },
            Op::Or => unsafe { self.present(sys::Z3_mk_or(context, count, list)) },
            Op::ArithAdd => unsafe { self.present(sys::Z3_mk_add(context, count, list)) },
            Op::ArithSub => unsafe { self.present(sys::Z3_mk_sub(context, count, list)) },
            Op::ArithMul => unsafe { self.present(sys::Z3_mk_mul(context, count, list)) },
            Op::Ite => unsafe { self.present(sys::Z3_mk_ite(context, arguments[0], arguments[1], arguments[2])) },
            Op::Store => unsafe { self.present(sys::Z3_mk_store(context, arguments[0], arguments[1], arguments[2])) },
            Op::ConstArray => {
                let index = self.sort(terms, terms.array_parts(terms.sort(term)).0)?;
                unsafe { self.present(sys::Z3_mk_const_array(context, index, arguments[0])) }
            }
            Op::Apply(function) => {
                let function = self.function(terms, function)?;
                unsafe { self.present(sys::Z3_mk_app(context, function, count, list)) }
            }
            Op::Forall | Op::Exists => self.quantifier(terms, term),
            Op::BvUaddOverflow | Op::BvSaddOverflow | Op::BvSsubOverflow | Op::BvUmulOverflow | Op::BvSmulOverflow => {
                self.overflow(op, terms.width(terms.arguments(term)[0]), arguments[0], arguments[1])
            }
            _ => self.indexed(terms, term, op, &arguments),
        }
    }

    /// Operators with numbers, a format or a rounding.
    fn indexed(&mut self, terms: &Terms, term: TermId, op: Op, arguments: &[Z3_ast]) -> Result<Z3_ast, Error> {
        let context = self.context;
        let a = arguments[0];
        let made = match op {
            Op::BvExtract { high, low } => unsafe { sys::Z3_mk_extract(context, high, low, a) },
            Op::BvZeroExtend(by) => unsafe { sys::Z3_mk_zero_ext(context, by, a) },
            Op::BvSignExtend(by) => unsafe { sys::Z3_mk_sign_ext(context, by, a) },
            Op::IntToBv(width) => unsafe { sys::Z3_mk_int2bv(context, width, a) },
            Op::BvToInt => unsafe { sys::Z3_mk_bv2int(context, a, false) },
            Op::FpToBits => return self.float_bits(terms, terms.arguments(term)[0], a),
            Op::FpFromBits(format) => {
                let sort = self.sort(terms, Sort::Float(format))?;
                unsafe { sys::Z3_mk_fpa_to_fp_bv(context, a, sort) }
            }
            Op::FpFma(rounding) => {
                let rounding = self.rounding(rounding)?;
                unsafe { sys::Z3_mk_fpa_fma(context, rounding, a, arguments[1], arguments[2]) }
            }
            Op::FpSqrt(rounding) => {
                let rounding = self.rounding(rounding)?;
                unsafe { sys::Z3_mk_fpa_sqrt(context, rounding, a) }
            }
            Op::FpRoundToIntegral(rounding) => {
                let rounding = self.rounding(rounding)?;
                unsafe { sys::Z3_mk_fpa_round_to_integral(context, rounding, a) }
            }
            Op::FpConvert(format, rounding) => {
                let (rounding, sort) = (self.rounding(rounding)?, self.sort(terms, Sort::Float(format))?);
                unsafe { sys::Z3_mk_fpa_to_fp_float(context, rounding, a, sort) }
            }
            Op::FpFromSigned(format, rounding) => {
                let (rounding, sort) = (self.rounding(rounding)?, self.sort(terms, Sort::Float(format))?);
                unsafe { sys::Z3_mk_fpa_to_fp_signed(context, rounding, a, sort) }
            }
            Op::FpFromUnsigned(format, rounding) => {
                let (rounding, sort) = (self.rounding(rounding)?, self.sort(terms, Sort::Float(format))?);
                unsafe { sys::Z3_mk_fpa_to_fp_unsigned(context, rounding, a, sort) }
            }
            Op::FpToSigned(width, rounding) => {
                let rounding = self.rounding(rounding)?;
                unsafe { sys::Z3_mk_fpa_to_sbv(context, rounding, a, width) }
            }
            Op::FpToUnsigned(width, rounding) => {
                let rounding = self.rounding(rounding)?;
                unsafe { sys::Z3_mk_fpa_to_ubv(context, rounding, a, width) }
            }
            _ => unreachable!("{op:?} was translated before"),
        };
        self.present(made)
    }

    fn rounding(&self, rounding: Rounding) -> Result<Z3_ast, Error> {
        let context = self.context;
        let mode = unsafe {
            match rounding {
                Rounding::NearestEven => sys::Z3_mk_fpa_rne(context),
                Rounding::NearestAway => sys::Z3_mk_fpa_rna(context),
                Rounding::TowardPositive => sys::Z3_mk_fpa_rtp(context),
                Rounding::TowardNegative => sys::Z3_mk_fpa_rtn(context),
                Rounding::TowardZero => sys::Z3_mk_fpa_rtz(context),
            }
        };
        self.present(mode)
    }

    /// Computes without loss at a greater width and asks whether the narrow result, extended again, is it.
    fn overflow(&self, op: Op, width: u32, a: Z3_ast, b: Z3_ast) -> Result<Z3_ast, Error> {
        let context = self.context;
        let signed = matches!(op, Op::BvSaddOverflow | Op::BvSsubOverflow | Op::BvSmulOverflow);
        let by = if matches!(op, Op::BvUmulOverflow | Op::BvSmulOverflow) { width } else { 1 };
        let extend = |it: Z3_ast| unsafe {
            let extension = if signed { sys::Z3_mk_sign_ext } else { sys::Z3_mk_zero_ext };
            self.present(extension(context, by, it))
        };
        let (a, b) = (extend(a)?, extend(b)?);
        let exact = unsafe {
            match op {
                Op::BvUaddOverflow | Op::BvSaddOverflow => sys::Z3_mk_bvadd(context, a, b),
                Op::BvSsubOverflow => sys::Z3_mk_bvsub(context, a, b),
                _ => sys::Z3_mk_bvmul(context, a, b),
            }
        };
        let exact = self.present(exact)?;
        let narrow = unsafe { self.present(sys::Z3_mk_extract(context, width - 1, 0, exact))? };
        let fits = unsafe { self.present(sys::Z3_mk_eq(context, exact, extend(narrow)?))? };
        unsafe { self.present(sys::Z3_mk_not(context, fits)) }
    }

    /// NaN's bits are open in Z3; ours are the canonical ones.
    fn float_bits(&mut self, terms: &Terms, float: TermId, translated: Z3_ast) -> Result<Z3_ast, Error> {
        let canonical = Float::nan(terms.float_format(float));
        let canonical = self.bits(terms, canonical.bits())?;
        unsafe {
            let is_nan = self.present(sys::Z3_mk_fpa_is_nan(self.context, translated))?;
            let bits = self.present(sys::Z3_mk_fpa_to_ieee_bv(self.context, translated))?;
            self.present(sys::Z3_mk_ite(self.context, is_nan, canonical, bits))
        }
    }

    fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<Z3_sort, Error> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let context = self.context;
        let made = match sort {
            Sort::Bool => unsafe { sys::Z3_mk_bool_sort(context) },
            Sort::BitVector(width) => unsafe { sys::Z3_mk_bv_sort(context, width) },
            Sort::Float(FloatFormat { exponent, significand }) => unsafe {
                sys::Z3_mk_fpa_sort(context, exponent.into(), significand.into())
            },
            Sort::Int => unsafe { sys::Z3_mk_int_sort(context) },
            Sort::Real => unsafe { sys::Z3_mk_real_sort(context) },
            Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                let (index, element) = (self.sort(terms, index)?, self.sort(terms, element)?);
                unsafe { sys::Z3_mk_array_sort(context, index, element) }
            }
            Sort::Uninterpreted(symbol) => {
                let symbol = self.symbol(terms.symbol_name(symbol))?;
                unsafe { sys::Z3_mk_uninterpreted_sort(context, symbol) }
            }
        };
        let made = self.present(made)?;
        self.sorts.insert(sort, made);
        Ok(made)
    }

    fn function(&mut self, terms: &Terms, function: FunctionId) -> Result<Z3_func_decl, Error> {
        if let Some(&known) = self.functions.get(&function) {
            return Ok(known);
        }
        let signature = terms.function_signature(function);
        let parameters: Result<Vec<Z3_sort>, Error> =
            signature.parameters.iter().map(|&it| self.sort(terms, it)).collect();
        let parameters = parameters?;
        let result = self.sort(terms, signature.result)?;
        let symbol = self.symbol(terms.symbol_name(signature.name))?;
        let count = parameters.len() as u32;
        let made = unsafe { sys::Z3_mk_func_decl(self.context, symbol, count, parameters.as_ptr(), result) };
        let made = self.present(made)?;
        self.functions.insert(function, made);
        Ok(made)
    }

    fn bits(&mut self, terms: &Terms, value: &BitVector) -> Result<Z3_ast, Error> {
        self.numeral(terms, &value.to_biguint().to_string(), Sort::BitVector(value.width()))
    }

    fn numeral(&mut self, terms: &Terms, digits: &str, sort: Sort) -> Result<Z3_ast, Error> {
        let sort = self.sort(terms, sort)?;
        let digits = CString::new(digits).expect("digits contain no NUL");
        unsafe { self.present(sys::Z3_mk_numeral(self.context, digits.as_ptr(), sort)) }
    }

    fn constant(&mut self, terms: &Terms, term: TermId) -> Result<Z3_ast, Error> {
        match terms.as_value(term) {
            Some(Value::BitVector(value)) => self.bits(terms, &value),
            Some(Value::Int(value)) => self.numeral(terms, &value.to_string(), Sort::Int),
            Some(Value::Real(value)) => {
                self.numeral(terms, &format!("{}/{}", value.numer(), value.denom()), Sort::Real)
            }
            Some(Value::Float(value)) => {
                let bits = self.bits(terms, value.bits())?;
                let sort = self.sort(terms, terms.sort(term))?;
                unsafe { self.present(sys::Z3_mk_fpa_to_fp_bv(self.context, bits, sort)) }
            }
            _ => {
                let what = format!("values of the sort {:?}", terms.sort(term));
                Err(Error::Unsupported { solver: NAME, what })
            }
        }
    }

    fn quantifier(&mut self, terms: &Terms, term: TermId) -> Result<Z3_ast, Error> {
        let (bound, body) = terms.quantifier_parts(term);
        let body = self.get(body);
        let context = self.context;
        let variables: Result<Vec<_>, Error> =
            bound.iter().map(|&it| unsafe { self.present(sys::Z3_to_app(context, self.get(it))) }).collect();
        let variables = variables?;
        let make = if terms.op(term) == Op::Forall { sys::Z3_mk_forall_const } else { sys::Z3_mk_exists_const };
        let count = variables.len() as u32;
        unsafe { self.present(make(context, 0, count, variables.as_ptr(), 0, std::ptr::null(), body)) }
    }
}
