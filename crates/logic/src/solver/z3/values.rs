//! From Z3's values to ours.

use std::ffi::CStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use z3_sys::{self as sys, Z3_ast, Z3_context, Z3_model};

use crate::error::Error;
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::{ArrayValue, BitVector, Float, Value};

use super::NAME;
use super::translate::failure;

fn failed(message: impl Into<String>) -> Error {
    Error::Failed { solver: NAME, message: message.into() }
}

/// The value of a term in a model.
pub fn read(terms: &Terms, context: Z3_context, model: Z3_model, term: Z3_ast, sort: Sort) -> Result<Value, Error> {
    Reader { terms, context, model }.read(term, sort)
}

struct Reader<'a> {
    terms: &'a Terms,
    context: Z3_context,
    model: Z3_model,
}

// SAFETY of the calls below: context and model are alive, terms belong to the context, strings are copied
// before the next call.
impl Reader<'_> {
    fn evaluate(&self, term: Z3_ast) -> Result<Z3_ast, Error> {
        let mut value = term;
        let evaluated = unsafe { sys::Z3_model_eval(self.context, self.model, term, true, &mut value) };
        if evaluated { Ok(value) } else { Err(failure(self.context)) }
    }

    fn numeral(&self, value: Z3_ast) -> Result<String, Error> {
        unsafe {
            if !sys::Z3_is_numeral_ast(self.context, value) {
                return Err(failed(format!("`{}` is no number", self.text(value))));
            }
            Ok(CStr::from_ptr(sys::Z3_get_numeral_string(self.context, value)).to_string_lossy().into_owned())
        }
    }

    fn text(&self, value: Z3_ast) -> String {
        unsafe { CStr::from_ptr(sys::Z3_ast_to_string(self.context, value)).to_string_lossy().into_owned() }
    }

    fn read(&self, term: Z3_ast, sort: Sort) -> Result<Value, Error> {
        match sort {
            Sort::Bool => {
                let value = self.evaluate(term)?;
                match unsafe { sys::Z3_get_bool_value(self.context, value) } {
                    sys::Z3_L_TRUE => Ok(Value::Bool(true)),
                    sys::Z3_L_FALSE => Ok(Value::Bool(false)),
                    _ => Err(failed(format!("`{}` is no truth value", self.text(value)))),
                }
            }
            Sort::BitVector(width) => self.bits(term, width).map(Value::BitVector),
            Sort::Float(format) => {
                let value = self.evaluate(term)?;
                let bits = unsafe { sys::Z3_mk_fpa_to_ieee_bv(self.context, value) };
                let bits = bits.ok_or_else(|| failure(self.context))?;
                // The bits of NaN are open; only zero times any of them would be no NaN.
                if self.is_nan(value)? {
                    return Ok(Value::Float(Float::nan(format)));
                }
                Ok(Value::Float(Float::from_bits(format, self.bits(bits, format.width())?)))
            }
            Sort::Int | Sort::Real => self.number(term, sort),
            Sort::Array(_) => self.array(self.evaluate(term)?, sort),
            Sort::Uninterpreted(_) => self.element(term),
        }
    }

    fn is_nan(&self, value: Z3_ast) -> Result<bool, Error> {
        let is_nan = unsafe { sys::Z3_mk_fpa_is_nan(self.context, value) };
        let is_nan = self.evaluate(is_nan.ok_or_else(|| failure(self.context))?)?;
        Ok(unsafe { sys::Z3_get_bool_value(self.context, is_nan) } == sys::Z3_L_TRUE)
    }

    fn bits(&self, term: Z3_ast, width: u32) -> Result<BitVector, Error> {
        let digits = self.numeral(self.evaluate(term)?)?;
        let value: BigInt = digits.parse().map_err(|_| failed(format!("`{digits}` is no number")))?;
        Ok(BitVector::from_bigint(width, &value))
    }

    fn number(&self, term: Z3_ast, sort: Sort) -> Result<Value, Error> {
        let digits = self.numeral(self.evaluate(term)?)?;
        let value = match sort {
            Sort::Int => digits.parse().ok().map(Value::Int),
            // An integer among the reals comes without a denominator.
            _ => digits.parse::<BigRational>().ok().map(Value::Real),
        };
        value.ok_or_else(|| failed(format!("`{digits}` is no number")))
    }

    /// Arrays come as writes to a constant array, or as a function of the model.
    fn array(&self, value: Z3_ast, sort: Sort) -> Result<Value, Error> {
        let (index_sort, element_sort) = self.terms.array_parts(sort);
        let mut writes = Vec::new();
        let mut current = value;
        loop {
            if unsafe { sys::Z3_is_as_array(self.context, current) } {
                let mut array = self.function_array(current, sort)?;
                writes.into_iter().rev().for_each(|(index, element)| array.store(index, element));
                return Ok(Value::Array(Box::new(array)));
            }
            match self.application(current)?[..] {
                [array, index, element] => {
                    writes.push((self.read(index, index_sort)?, self.read(element, element_sort)?));
                    current = array;
                }
                [element] => {
                    let mut array = ArrayValue::constant(self.read(element, element_sort)?);
                    writes.into_iter().rev().for_each(|(index, element)| array.store(index, element));
                    return Ok(Value::Array(Box::new(array)));
                }
                _ => return Err(failed(format!("`{}` is no array", self.text(current)))),
            }
        }
    }

    /// The arguments of an application. Z3 also answers with `lambda`, which is none, and asking it for its parts would
    /// read foreign memory.
    fn application(&self, term: Z3_ast) -> Result<Vec<Z3_ast>, Error> {
        unsafe {
            if sys::Z3_get_ast_kind(self.context, term) != sys::AstKind::App {
                return Err(failed(format!("`{}` is no finite array", self.text(term))));
            }
            let application = sys::Z3_to_app(self.context, term).ok_or_else(|| failure(self.context))?;
            let count = sys::Z3_get_app_num_args(self.context, application);
            Ok((0..count).filter_map(|index| sys::Z3_get_app_arg(self.context, application, index)).collect())
        }
    }

    fn function_array(&self, value: Z3_ast, sort: Sort) -> Result<ArrayValue, Error> {
        let (index_sort, element_sort) = self.terms.array_parts(sort);
        let context = self.context;
        let missing = || failure(context);
        unsafe {
            let function = sys::Z3_get_as_array_func_decl(context, value).ok_or_else(missing)?;
            let table = sys::Z3_model_get_func_interp(context, self.model, function).ok_or_else(missing)?;
            sys::Z3_func_interp_inc_ref(context, table);
            let default = sys::Z3_func_interp_get_else(context, table).ok_or_else(missing)?;
            let mut array = ArrayValue::constant(self.read(default, element_sort)?);
            for number in 0..sys::Z3_func_interp_get_num_entries(context, table) {
                let entry = sys::Z3_func_interp_get_entry(context, table, number).ok_or_else(missing)?;
                sys::Z3_func_entry_inc_ref(context, entry);
                let index = sys::Z3_func_entry_get_arg(context, entry, 0).ok_or_else(missing)?;
                let element = sys::Z3_func_entry_get_value(context, entry).ok_or_else(missing)?;
                array.store(self.read(index, index_sort)?, self.read(element, element_sort)?);
                sys::Z3_func_entry_dec_ref(context, entry);
            }
            sys::Z3_func_interp_dec_ref(context, table);
            Ok(array)
        }
    }

    /// Elements of an uninterpreted sort are told apart by the number at the end of their name.
    fn element(&self, term: Z3_ast) -> Result<Value, Error> {
        let name = self.text(self.evaluate(term)?);
        let number = name.rsplit('!').next().and_then(|it| it.trim_end_matches('|').parse().ok());
        number.map(Value::Element).ok_or_else(|| failed(format!("`{name}` is no element")))
    }
}
