//! From our terms to Bitwuzla's.
//!
//! Each term is translated once, parts before wholes, without recursion. Two things do not exist there:
//! a float's bits, which are named by a fresh bit-vector and a definition that its owner must assert; and
//! binding a free symbol, for which the body is translated with it free and then rewritten.

use std::ffi::CString;

use bitwuzla_sys as sys;
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::sort::{FloatFormat, FunctionId, Rounding, Sort};
use crate::terms::{Op, TermId, Terms};
use crate::value::{BitVector, Float, Value};

use super::NAME;

/// Bitwuzla's handles are pointers; none of them is zero.
const NONE: sys::BitwuzlaTerm = 0;

pub struct Translator {
    manager: *mut sys::BitwuzlaTermManager,
    /// By the number of our term.
    known: Vec<sys::BitwuzlaTerm>,
    count: u64,
    sorts: FxHashMap<Sort, sys::BitwuzlaSort>,
    functions: FxHashMap<FunctionId, sys::BitwuzlaTerm>,
    definitions: Vec<sys::BitwuzlaTerm>,
}

fn unsupported(what: impl Into<String>) -> Error {
    Error::Unsupported { solver: NAME, what: what.into() }
}

fn c_string(name: &str) -> CString {
    CString::new(name.replace('\0', " ")).expect("no NUL is left")
}

fn rounding_mode(rounding: Rounding) -> sys::BitwuzlaRoundingMode {
    match rounding {
        Rounding::NearestEven => sys::BITWUZLA_RM_RNE,
        Rounding::NearestAway => sys::BITWUZLA_RM_RNA,
        Rounding::TowardPositive => sys::BITWUZLA_RM_RTP,
        Rounding::TowardNegative => sys::BITWUZLA_RM_RTN,
        Rounding::TowardZero => sys::BITWUZLA_RM_RTZ,
    }
}

/// The kind of an operator that takes its arguments as they are, in our order and without numbers.
fn plain_kind(op: Op) -> Option<sys::BitwuzlaKind> {
    Some(match op {
        Op::Not => sys::BITWUZLA_KIND_NOT,
        Op::And => sys::BITWUZLA_KIND_AND,
        Op::Or => sys::BITWUZLA_KIND_OR,
        Op::Equal => sys::BITWUZLA_KIND_EQUAL,
        Op::Ite => sys::BITWUZLA_KIND_ITE,
        Op::BvNot => sys::BITWUZLA_KIND_BV_NOT,
        Op::BvNeg => sys::BITWUZLA_KIND_BV_NEG,
        Op::BvAdd => sys::BITWUZLA_KIND_BV_ADD,
        Op::BvSub => sys::BITWUZLA_KIND_BV_SUB,
        Op::BvMul => sys::BITWUZLA_KIND_BV_MUL,
        Op::BvUdiv => sys::BITWUZLA_KIND_BV_UDIV,
        Op::BvUrem => sys::BITWUZLA_KIND_BV_UREM,
        Op::BvSdiv => sys::BITWUZLA_KIND_BV_SDIV,
        Op::BvSrem => sys::BITWUZLA_KIND_BV_SREM,
        Op::BvSmod => sys::BITWUZLA_KIND_BV_SMOD,
        Op::BvAnd => sys::BITWUZLA_KIND_BV_AND,
        Op::BvOr => sys::BITWUZLA_KIND_BV_OR,
        Op::BvXor => sys::BITWUZLA_KIND_BV_XOR,
        Op::BvShl => sys::BITWUZLA_KIND_BV_SHL,
        Op::BvLshr => sys::BITWUZLA_KIND_BV_SHR,
        Op::BvAshr => sys::BITWUZLA_KIND_BV_ASHR,
        Op::BvUlt => sys::BITWUZLA_KIND_BV_ULT,
        Op::BvSlt => sys::BITWUZLA_KIND_BV_SLT,
        Op::BvUaddOverflow => sys::BITWUZLA_KIND_BV_UADD_OVERFLOW,
        Op::BvSaddOverflow => sys::BITWUZLA_KIND_BV_SADD_OVERFLOW,
        Op::BvSsubOverflow => sys::BITWUZLA_KIND_BV_SSUB_OVERFLOW,
        Op::BvUmulOverflow => sys::BITWUZLA_KIND_BV_UMUL_OVERFLOW,
        Op::BvSmulOverflow => sys::BITWUZLA_KIND_BV_SMUL_OVERFLOW,
        Op::BvConcat => sys::BITWUZLA_KIND_BV_CONCAT,
        Op::Select => sys::BITWUZLA_KIND_ARRAY_SELECT,
        Op::Store => sys::BITWUZLA_KIND_ARRAY_STORE,
        Op::FpAbs => sys::BITWUZLA_KIND_FP_ABS,
        Op::FpNeg => sys::BITWUZLA_KIND_FP_NEG,
        Op::FpRem => sys::BITWUZLA_KIND_FP_REM,
        Op::FpMin => sys::BITWUZLA_KIND_FP_MIN,
        Op::FpMax => sys::BITWUZLA_KIND_FP_MAX,
        Op::FpLe => sys::BITWUZLA_KIND_FP_LEQ,
        Op::FpLt => sys::BITWUZLA_KIND_FP_LT,
        Op::FpEqual => sys::BITWUZLA_KIND_FP_EQUAL,
        Op::FpIsNormal => sys::BITWUZLA_KIND_FP_IS_NORMAL,
        Op::FpIsSubnormal => sys::BITWUZLA_KIND_FP_IS_SUBNORMAL,
        Op::FpIsZero => sys::BITWUZLA_KIND_FP_IS_ZERO,
        Op::FpIsInfinite => sys::BITWUZLA_KIND_FP_IS_INF,
        Op::FpIsNan => sys::BITWUZLA_KIND_FP_IS_NAN,
        Op::FpIsNegative => sys::BITWUZLA_KIND_FP_IS_NEG,
        Op::FpIsPositive => sys::BITWUZLA_KIND_FP_IS_POS,
        _ => return None,
    })
}

/// The kind and rounding of an operator whose first argument there is a rounding mode.
fn rounded_kind(op: Op) -> Option<(sys::BitwuzlaKind, Rounding)> {
    Some(match op {
        Op::FpAdd(rounding) => (sys::BITWUZLA_KIND_FP_ADD, rounding),
        Op::FpSub(rounding) => (sys::BITWUZLA_KIND_FP_SUB, rounding),
        Op::FpMul(rounding) => (sys::BITWUZLA_KIND_FP_MUL, rounding),
        Op::FpDiv(rounding) => (sys::BITWUZLA_KIND_FP_DIV, rounding),
        Op::FpFma(rounding) => (sys::BITWUZLA_KIND_FP_FMA, rounding),
        Op::FpSqrt(rounding) => (sys::BITWUZLA_KIND_FP_SQRT, rounding),
        Op::FpRoundToIntegral(rounding) => (sys::BITWUZLA_KIND_FP_RTI, rounding),
        _ => return None,
    })
}

// SAFETY of the calls below: all handles come from this translator's manager, which lives as long as it,
// and arrays are passed with their own length. Wrong sorts cannot come from well-sorted terms; if they did,
// Bitwuzla would report it and return no term.
impl Translator {
    pub fn new(manager: *mut sys::BitwuzlaTermManager) -> Translator {
        Translator {
            manager,
            known: Vec::new(),
            count: 0,
            sorts: FxHashMap::default(),
            functions: FxHashMap::default(),
            definitions: Vec::new(),
        }
    }

    pub fn manager(&self) -> *mut sys::BitwuzlaTermManager {
        self.manager
    }

    /// What must hold for the translated terms to mean what ours mean.
    pub fn definitions(&self) -> &[sys::BitwuzlaTerm] {
        &self.definitions
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// The translation of a term that was translated before.
    pub fn known(&self, term: TermId) -> Option<sys::BitwuzlaTerm> {
        self.known.get(term.index()).copied().filter(|&it| it != NONE)
    }

    pub fn translate(&mut self, terms: &Terms, root: TermId) -> Result<sys::BitwuzlaTerm, Error> {
        if self.known.len() < terms.len() {
            self.known.resize(terms.len(), NONE);
        }
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known[term.index()] != NONE {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(terms.arguments(term).iter().filter(|it| self.known[it.index()] == NONE));
            if open.len() > before {
                continue;
            }
            self.known[term.index()] = self.step(terms, term)?;
            self.count += 1;
            open.pop();
        }
        Ok(self.known[root.index()])
    }

    /// Translates a term whose arguments are translated.
    fn step(&mut self, terms: &Terms, term: TermId) -> Result<sys::BitwuzlaTerm, Error> {
        let op = terms.op(term);
        let mut arguments: Vec<_> = terms.arguments(term).iter().map(|it| self.known[it.index()]).collect();
        if let Some(kind) = plain_kind(op) {
            return self.make(kind, &mut arguments);
        }
        if let Some((kind, rounding)) = rounded_kind(op) {
            self.check_root(terms, term)?;
            arguments.insert(0, self.rounding(rounding));
            return self.make(kind, &mut arguments);
        }
        match op {
            Op::Variable(_) => {
                let sort = self.sort(terms, terms.sort(term))?;
                let name = c_string(terms.name(term).unwrap_or_default());
                unsafe { self.present(sys::bitwuzla_mk_const(self.manager, sort, name.as_ptr())) }
            }
            Op::True => unsafe { Ok(sys::bitwuzla_mk_true(self.manager)) },
            Op::False => unsafe { Ok(sys::bitwuzla_mk_false(self.manager)) },
            Op::BitVector(value) => {
                let sort = self.sort(terms, terms.sort(term))?;
                unsafe { self.present(sys::bitwuzla_mk_bv_value_uint64(self.manager, sort, value)) }
            }
            Op::Constant(_) => self.constant(terms, term),
            Op::Apply(function) => {
                arguments.insert(0, self.function(terms, function)?);
                self.make(sys::BITWUZLA_KIND_APPLY, &mut arguments)
            }
            Op::Forall | Op::Exists => self.quantifier(terms, term),
            Op::ConstArray => {
                let sort = self.sort(terms, terms.sort(term))?;
                unsafe { self.present(sys::bitwuzla_mk_const_array(self.manager, sort, arguments[0])) }
            }
            Op::FpToBits => self.float_bits(terms, term),
            _ => self.indexed(op, arguments),
        }
    }

    /// SymFPU rounds square roots as if they were never subnormal. So it is in every format in use, but in
    /// tiny ones they can be.
    fn check_root(&self, terms: &Terms, term: TermId) -> Result<(), Error> {
        match (terms.op(term), terms.sort(term)) {
            (Op::FpSqrt(_), Sort::Float(format)) if format.bias() < format.significand.into() => {
                Err(unsupported(format!("square roots of the format {format:?}")))
            }
            _ => Ok(()),
        }
    }

    /// A handle that Bitwuzla returned; none means that it has reported an error.
    fn present(&self, term: sys::BitwuzlaTerm) -> Result<sys::BitwuzlaTerm, Error> {
        let failed = || Error::Failed { solver: NAME, message: "a term was refused".to_owned() };
        if term == NONE { Err(failed()) } else { Ok(term) }
    }

    fn make(&self, kind: sys::BitwuzlaKind, arguments: &mut [sys::BitwuzlaTerm]) -> Result<sys::BitwuzlaTerm, Error> {
        let count = arguments.len() as u32;
        unsafe { self.present(sys::bitwuzla_mk_term(self.manager, kind, count, arguments.as_mut_ptr())) }
    }

    fn rounding(&self, rounding: Rounding) -> sys::BitwuzlaTerm {
        unsafe { sys::bitwuzla_mk_rm_value(self.manager, rounding_mode(rounding)) }
    }

    /// Operators with numbers or a format, and those that Bitwuzla does not have.
    fn indexed(&self, op: Op, mut arguments: Vec<sys::BitwuzlaTerm>) -> Result<sys::BitwuzlaTerm, Error> {
        let of_format = |format: FloatFormat| vec![u64::from(format.exponent), u64::from(format.significand)];
        let (kind, rounding, numbers) = match op {
            Op::BvExtract { high, low } => (sys::BITWUZLA_KIND_BV_EXTRACT, None, vec![high.into(), low.into()]),
            Op::BvZeroExtend(by) => (sys::BITWUZLA_KIND_BV_ZERO_EXTEND, None, vec![by.into()]),
            Op::BvSignExtend(by) => (sys::BITWUZLA_KIND_BV_SIGN_EXTEND, None, vec![by.into()]),
            Op::FpFromBits(format) => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_BV, None, of_format(format)),
            Op::FpConvert(format, rounding) => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_FP, Some(rounding), of_format(format)),
            Op::FpFromSigned(format, rounding) => {
                (sys::BITWUZLA_KIND_FP_TO_FP_FROM_SBV, Some(rounding), of_format(format))
            }
            Op::FpFromUnsigned(format, rounding) => {
                (sys::BITWUZLA_KIND_FP_TO_FP_FROM_UBV, Some(rounding), of_format(format))
            }
            Op::FpToSigned(width, rounding) => (sys::BITWUZLA_KIND_FP_TO_SBV, Some(rounding), vec![width.into()]),
            Op::FpToUnsigned(width, rounding) => (sys::BITWUZLA_KIND_FP_TO_UBV, Some(rounding), vec![width.into()]),
            _ => return Err(unsupported(format!("the operator {op:?}"))),
        };
        if let Some(rounding) = rounding {
            arguments.insert(0, self.rounding(rounding));
        }
        let (count, numbers_count) = (arguments.len() as u32, numbers.len() as u32);
        unsafe {
            let made = sys::bitwuzla_mk_term_indexed(
                self.manager,
                kind,
                count,
                arguments.as_mut_ptr(),
                numbers_count,
                numbers.as_ptr(),
            );
            self.present(made)
        }
    }

    pub fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<sys::BitwuzlaSort, Error> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let manager = self.manager;
        let made = match sort {
            Sort::Bool => unsafe { sys::bitwuzla_mk_bool_sort(manager) },
            Sort::BitVector(width) => unsafe { sys::bitwuzla_mk_bv_sort(manager, width.into()) },
            Sort::Float(FloatFormat { exponent, significand }) => unsafe {
                sys::bitwuzla_mk_fp_sort(manager, exponent.into(), significand.into())
            },
            Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                if [index, element].iter().any(|it| matches!(it, Sort::Array(_))) {
                    return Err(unsupported("arrays of arrays"));
                }
                let (index, element) = (self.sort(terms, index)?, self.sort(terms, element)?);
                unsafe { sys::bitwuzla_mk_array_sort(manager, index, element) }
            }
            // It has such sorts, but neither equality nor anything else on them.
            Sort::Uninterpreted(_) => return Err(unsupported("uninterpreted sorts")),
            Sort::Int => return Err(unsupported("unbounded integers")),
            Sort::Real => return Err(unsupported("reals")),
        };
        self.sorts.insert(sort, made);
        Ok(made)
    }

    fn function(&mut self, terms: &Terms, function: FunctionId) -> Result<sys::BitwuzlaTerm, Error> {
        if let Some(&known) = self.functions.get(&function) {
            return Ok(known);
        }
        let signature = terms.function_signature(function);
        let parameters: Result<Vec<_>, _> = signature.parameters.iter().map(|&it| self.sort(terms, it)).collect();
        let mut parameters = parameters?;
        let result = self.sort(terms, signature.result)?;
        let name = c_string(terms.symbol_name(signature.name));
        let made = unsafe {
            let count = parameters.len() as u64;
            let sort = sys::bitwuzla_mk_fun_sort(self.manager, count, parameters.as_mut_ptr(), result);
            sys::bitwuzla_mk_const(self.manager, sort, name.as_ptr())
        };
        let made = self.present(made)?;
        self.functions.insert(function, made);
        Ok(made)
    }

    fn constant(&mut self, terms: &Terms, term: TermId) -> Result<sys::BitwuzlaTerm, Error> {
        self.sort(terms, terms.sort(term))?;
        match terms.as_value(term) {
            Some(Value::BitVector(value)) => self.wide_value(terms, &value),
            Some(Value::Float(value)) => {
                let bits = self.wide_value(terms, value.bits())?;
                self.indexed(Op::FpFromBits(value.format()), vec![bits])
            }
            _ => Err(unsupported(format!("values of the sort {:?}", terms.sort(term)))),
        }
    }

    fn wide_value(&mut self, terms: &Terms, value: &BitVector) -> Result<sys::BitwuzlaTerm, Error> {
        let sort = self.sort(terms, Sort::BitVector(value.width()))?;
        let digits = c_string(&value.to_biguint().to_str_radix(16));
        unsafe { self.present(sys::bitwuzla_mk_bv_value(self.manager, sort, digits.as_ptr(), 16)) }
    }

    /// Names the bits of a float: the float that has them is the one, and NaN has the canonical ones.
    fn float_bits(&mut self, terms: &Terms, term: TermId) -> Result<sys::BitwuzlaTerm, Error> {
        let argument = terms.arguments(term)[0];
        let format = terms.float_format(argument);
        let float = self.known[argument.index()];
        let sort = self.sort(terms, Sort::BitVector(format.width()))?;
        let bits = unsafe { self.present(sys::bitwuzla_mk_const(self.manager, sort, c"float.bits".as_ptr()))? };
        let has_bits = self.indexed(Op::FpFromBits(format), vec![bits])?;
        let same = self.make(sys::BITWUZLA_KIND_EQUAL, &mut [has_bits, float])?;
        let is_nan = self.make(sys::BITWUZLA_KIND_FP_IS_NAN, &mut [float])?;
        let canonical = self.wide_value(terms, Float::nan(format).bits())?;
        let is_canonical = self.make(sys::BITWUZLA_KIND_EQUAL, &mut [bits, canonical])?;
        let nan_is_canonical = self.make(sys::BITWUZLA_KIND_IMPLIES, &mut [is_nan, is_canonical])?;
        let definition = self.make(sys::BITWUZLA_KIND_AND, &mut [same, nan_is_canonical])?;
        self.definitions.push(definition);
        Ok(bits)
    }

    fn quantifier(&mut self, terms: &Terms, term: TermId) -> Result<sys::BitwuzlaTerm, Error> {
        let (bound, body) = terms.quantifier_parts(term);
        if terms.reachable(&[body]).into_iter().any(|it| terms.op(it) == Op::FpToBits) {
            return Err(unsupported("the bits of a float under a quantifier"));
        }
        let mut free: Vec<_> = bound.iter().map(|it| self.known[it.index()]).collect();
        let mut variables = Vec::with_capacity(bound.len() + 1);
        for &variable in bound {
            let sort = self.sort(terms, terms.sort(variable))?;
            let name = c_string(terms.name(variable).unwrap_or_default());
            variables.push(unsafe { self.present(sys::bitwuzla_mk_var(self.manager, sort, name.as_ptr()))? });
        }
        let body = self.known[body.index()];
        let count = bound.len();
        let body = unsafe {
            self.present(sys::bitwuzla_substitute_term(body, count, free.as_mut_ptr(), variables.as_mut_ptr()))?
        };
        variables.push(body);
        let kind = if terms.op(term) == Op::Forall { sys::BITWUZLA_KIND_FORALL } else { sys::BITWUZLA_KIND_EXISTS };
        self.make(kind, &mut variables)
    }
}
