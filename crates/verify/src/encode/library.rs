//! Library functions whose meaning a formula can say.

use logic::terms::{TermId, Terms};
use program::Type;

/// The bytes that an allocating function was asked for.
pub fn allocated_size(terms: &mut Terms, name: &str, arguments: &[(TermId, Type)]) -> Option<TermId> {
    let bytes = |terms: &mut Terms, position: usize| {
        let (value, ty) = *arguments.get(position)?;
        (ty != Type::BOOL && !ty.is_float()).then(|| terms.bv_resize(64, false, value))
    };
    match name {
        "malloc" | "alloca" | "valloc" => bytes(terms, 0),
        "realloc" | "aligned_alloc" | "memalign" => bytes(terms, 1),
        "calloc" => {
            let (count, size) = (bytes(terms, 0)?, bytes(terms, 1)?);
            Some(terms.bv_mul(count, size))
        }
        _ => None,
    }
}

/// The result of a function that only computes.
pub fn result(terms: &mut Terms, name: &str, arguments: &[(TermId, Type)], ty: Type) -> Option<TermId> {
    let (value, given) = *arguments.first()?;
    if given != ty || ty == Type::BOOL || ty.is_float() {
        return None;
    }
    let width = ty.bits();
    let between = |terms: &mut Terms, low: u8, high: u8| {
        let (low, high) = (terms.bv(width, low.into()), terms.bv(width, high.into()));
        let (above, below) = (terms.bv_sle(low, value), terms.bv_sle(value, high));
        terms.and2(above, below)
    };
    match name {
        "abs" | "labs" | "llabs" => {
            let zero = terms.bv(width, 0);
            let negative = terms.bv_slt(value, zero);
            let negated = terms.bv_neg(value);
            Some(terms.ite(negative, negated, value))
        }
        "toupper" | "tolower" => {
            let (first, last) = if name == "toupper" { (b'a', b'z') } else { (b'A', b'Z') };
            let letter = between(terms, first, last);
            let case = terms.bv(width, 0x20);
            let other = terms.bv_xor(value, case);
            Some(terms.ite(letter, other, value))
        }
        _ => None,
    }
}

/// Functions whose result nobody means when they look for a fault.
pub fn is_output(name: &str) -> bool {
    matches!(name, "printf" | "puts" | "putchar" | "fprintf" | "fputs" | "putc" | "fputc" | "fflush" | "free")
}
