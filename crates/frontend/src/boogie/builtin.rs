//! Functions that are a solver's operators: `{:bvbuiltin "bvadd"}`.
//!
//! A name in SMT-LIB's words, maybe with numbers in it (`(_ sign_extend 8)` or `sign_extend 8`), and
//! arguments → a term; nothing if the name is unknown or the arguments do not fit it.

use logic::sort::{MAX_WIDTH, Sort};
use logic::terms::{Op, TermId, Terms};

pub fn apply(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    let words: Vec<&str> =
        name.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|it| !it.is_empty() && *it != "_").collect();
    let sorts: Vec<Sort> = arguments.iter().map(|&it| terms.sort(it)).collect();
    let numbers: Option<Vec<u32>> = words.iter().skip(1).map(|it| it.parse().ok()).collect();
    match (words.first().copied()?, sorts.as_slice(), numbers?.as_slice()) {
        (name, [Sort::BitVector(one), Sort::BitVector(other)], []) if name == "concat" || one == other => {
            of_bit_vectors(terms, name, arguments[0], arguments[1], *one + *other)
        }
        ("bvnot", [Sort::BitVector(_)], []) => Some(terms.build(Op::BvNot, arguments)),
        ("bvneg", [Sort::BitVector(_)], []) => Some(terms.build(Op::BvNeg, arguments)),
        ("zero_extend", [Sort::BitVector(width)], [by]) if by.checked_add(*width)? <= MAX_WIDTH => {
            Some(terms.bv_zero_extend(*by, arguments[0]))
        }
        ("sign_extend", [Sort::BitVector(width)], [by]) if by.checked_add(*width)? <= MAX_WIDTH => {
            Some(terms.bv_sign_extend(*by, arguments[0]))
        }
        ("extract", [Sort::BitVector(width)], [high, low]) if low <= high && high < width => {
            Some(terms.bv_extract(*high, *low, arguments[0]))
        }
        ("rotate_left", [Sort::BitVector(width)], [by]) => Some(terms.bv_rotate_left(by % width, arguments[0])),
        ("rotate_right", [Sort::BitVector(width)], [by]) => Some(terms.bv_rotate_right(by % width, arguments[0])),
        ("bv2nat" | "bv2int" | "ubv_to_int", [Sort::BitVector(_)], []) => Some(terms.bv_to_int(arguments[0])),
        ("nat2bv" | "int2bv" | "int_to_bv", [Sort::Int], [width]) if (1..=MAX_WIDTH).contains(width) => {
            Some(terms.int_to_bv(*width, arguments[0]))
        }
        ("not", [Sort::Bool], []) => Some(terms.not(arguments[0])),
        ("and", [Sort::Bool, Sort::Bool], []) => Some(terms.and2(arguments[0], arguments[1])),
        ("or", [Sort::Bool, Sort::Bool], []) => Some(terms.or2(arguments[0], arguments[1])),
        ("xor", [Sort::Bool, Sort::Bool], []) => Some(terms.xor(arguments[0], arguments[1])),
        ("=>", [Sort::Bool, Sort::Bool], []) => Some(terms.implies(arguments[0], arguments[1])),
        ("=", [one, other], []) if one == other => Some(terms.eq(arguments[0], arguments[1])),
        ("ite", [Sort::Bool, one, other], []) if one == other => {
            Some(terms.ite(arguments[0], arguments[1], arguments[2]))
        }
        (name, [one @ (Sort::Int | Sort::Real), other], []) if one == other => {
            of_numbers(terms, name, arguments[0], arguments[1])
        }
        ("-", [Sort::Int | Sort::Real], []) => Some(terms.arith_neg(arguments[0])),
        ("to_real", [Sort::Int], []) => Some(terms.int_to_real(arguments[0])),
        ("to_int", [Sort::Real], []) => Some(terms.real_to_int(arguments[0])),
        ("select", [Sort::Array(_), index], []) => {
            (terms.array_parts(sorts[0]).0 == *index).then(|| terms.select(arguments[0], arguments[1]))
        }
        ("store", [Sort::Array(_), index, element], []) => (terms.array_parts(sorts[0]) == (*index, *element))
            .then(|| terms.store(arguments[0], arguments[1], arguments[2])),
        _ => None,
    }
}

fn of_bit_vectors(terms: &mut Terms, name: &str, a: TermId, b: TermId, both: u32) -> Option<TermId> {
    let op = match name {
        "bvadd" => Op::BvAdd,
        "bvsub" => Op::BvSub,
        "bvmul" => Op::BvMul,
        "bvudiv" => Op::BvUdiv,
        "bvurem" => Op::BvUrem,
        "bvsdiv" => Op::BvSdiv,
        "bvsrem" => Op::BvSrem,
        "bvsmod" => Op::BvSmod,
        "bvand" => Op::BvAnd,
        "bvor" => Op::BvOr,
        "bvxor" => Op::BvXor,
        "bvshl" => Op::BvShl,
        "bvlshr" => Op::BvLshr,
        "bvashr" => Op::BvAshr,
        "bvult" => Op::BvUlt,
        "bvslt" => Op::BvSlt,
        _ => return compared(terms, name, a, b, both),
    };
    Some(terms.build(op, &[a, b]))
}

fn compared(terms: &mut Terms, name: &str, a: TermId, b: TermId, both: u32) -> Option<TermId> {
    let negated = |terms: &mut Terms, op: Op| {
        let inner = terms.build(op, &[a, b]);
        terms.build(Op::BvNot, &[inner])
    };
    Some(match name {
        "bvule" => terms.bv_ule(a, b),
        "bvugt" => terms.bv_ugt(a, b),
        "bvuge" => terms.bv_uge(a, b),
        "bvsle" => terms.bv_sle(a, b),
        "bvsgt" => terms.bv_sgt(a, b),
        "bvsge" => terms.bv_sge(a, b),
        "bvnand" => negated(terms, Op::BvAnd),
        "bvnor" => negated(terms, Op::BvOr),
        "bvxnor" => negated(terms, Op::BvXor),
        "concat" if both <= MAX_WIDTH => terms.bv_concat(a, b),
        "=" => terms.eq(a, b),
        _ => return None,
    })
}

fn of_numbers(terms: &mut Terms, name: &str, a: TermId, b: TermId) -> Option<TermId> {
    Some(match name {
        "+" => terms.arith_add(a, b),
        "-" => terms.arith_sub(a, b),
        "*" => terms.arith_mul(a, b),
        "<" => terms.arith_lt(a, b),
        "<=" => terms.arith_le(a, b),
        ">" => terms.arith_lt(b, a),
        ">=" => terms.arith_le(b, a),
        _ => return None,
    })
}
