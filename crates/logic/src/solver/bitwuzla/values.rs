//! From Bitwuzla's values to ours.

use std::ffi::{CStr, c_char};

use bitwuzla_sys as sys;

use crate::error::Error;
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::{ArrayValue, BitVector, Float, Value};

use super::NAME;

fn failed(message: impl Into<String>) -> Error {
    Error::Failed { solver: NAME, message: message.into() }
}

/// Copies a string out of Bitwuzla's buffer.
///
/// # Safety
/// The pointer is null or a C string.
unsafe fn text(pointer: *const c_char) -> Result<String, Error> {
    if pointer.is_null() {
        return Err(failed("a value was refused"));
    }
    Ok(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

fn bits(digits: &str) -> Result<BitVector, Error> {
    BitVector::from_binary(digits).ok_or_else(|| failed(format!("`{digits}` is no bit-vector")))
}

/// Reads a value that Bitwuzla computed for a term of this sort.
pub fn read(terms: &Terms, value: sys::BitwuzlaTerm, sort: Sort) -> Result<Value, Error> {
    if value == 0 {
        return Err(failed("a term has no value"));
    }
    // SAFETY: the handle is one that Bitwuzla returned, and the accessors fit its sort.
    unsafe {
        match sort {
            Sort::Array(_) => read_array(terms, value, sort),
            _ if !sys::bitwuzla_term_is_value(value) => {
                Err(failed("a term under a quantifier has no value in this model"))
            }
            Sort::Bool => Ok(Value::Bool(sys::bitwuzla_term_value_get_bool(value))),
            Sort::BitVector(_) => Ok(Value::BitVector(bits(&text(sys::bitwuzla_term_value_get_str_fmt(value, 2))?)?)),
            Sort::Float(format) => {
                let (mut sign, mut exponent, mut significand) = (std::ptr::null(), std::ptr::null(), std::ptr::null());
                sys::bitwuzla_term_value_get_fp_ieee(value, &mut sign, &mut exponent, &mut significand, 2);
                let digits = text(sign)? + &text(exponent)? + &text(significand)?;
                Ok(Value::Float(Float::from_bits(format, bits(&digits)?)))
            }
            Sort::Int | Sort::Real | Sort::Uninterpreted(_) => Err(failed("a value of a sort that is not supported")),
        }
    }
}

/// Arrays come as writes to a constant array.
fn read_array(terms: &Terms, value: sys::BitwuzlaTerm, sort: Sort) -> Result<Value, Error> {
    let (index_sort, element_sort) = terms.array_parts(sort);
    let mut writes = Vec::new();
    let mut current = value;
    loop {
        let mut count = 0;
        // SAFETY: the handle is alive; the children are copied before the next call reuses their buffer.
        let children = unsafe {
            let children = sys::bitwuzla_term_get_children(current, &mut count);
            std::slice::from_raw_parts(children, count).to_vec()
        };
        match children[..] {
            [array, index, element] => {
                writes.push((read(terms, index, index_sort)?, read(terms, element, element_sort)?));
                current = array;
            }
            [element] => {
                let mut array = ArrayValue::constant(read(terms, element, element_sort)?);
                for (index, element) in writes.into_iter().rev() {
                    array.store(index, element);
                }
                return Ok(Value::Array(Box::new(array)));
            }
            _ => return Err(failed("an array's value is neither a write nor constant")),
        }
    }
}
