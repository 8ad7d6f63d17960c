//! The program's text form, which people read beside their source and tests read back.
//!
//! [`print`] and [`read`] are inverse. In [`Style::Full`], the text has everything: reading it back
//! gives the same program up to the numbering of expression nodes ([`canonical`] fixes that too).
//! In [`Style::Readable`], places are shown for declarations, commands and terminators only, and
//! nodes lose theirs; so do places in preprocessed text. Source files are listed by path; their
//! contents are no part of the text.
//!
//! ```text
//! file 0 "average.c"
//! type 0 = integer "int" 4 bytes signed
//! global table: 40 bytes align 16 $2 = "\x01\0" {8: &other + 4}   @ 0:1:5
//! extern fn printf(ptr, ...) -> i32
//!
//! fn average(a: ptr, n: i32) -> i32 {                             @ 0:3:5
//!   param a $1                                                    @ 3:17
//!   var s: i32 $0                                                 @ 4:7
//!   temp %ok: i1
//!   object buffer: 16 bytes align 16 scoped $3
//! entry:
//!     s := 0                                                      @ 4:7
//!     if s < n then while.body else while.end                     @ 5:12
//! while.body:
//!     s := s + a[i]                                               @ 6:9
//!     p->next#8:ptr := null
//!     x, y := call f(s, copied(&buffer, 16 align 8))              @ 7:5
//! ```
//!
//! - A line is an item, a declaration, a label, a command or a terminator. `//` and `;` begin
//!   comments. A place is `line:column` in the function's file, or `file:line:column`.
//! - **Values**: C's operators and precedence, with the suffixes of [`operators`]; casts, builtins and
//!   the remaining comparisons as functions (`sext.i64(x)`, `clz(x)`, `fcmp.ult(x, y)`).
//! - **Memory**: an object's name, `p[i]`, `p->f`, `s.f` and `*p` stand for memory. `&` takes their
//!   address, `:type` reads them. `a[i of 10 by 24]` says how many elements there are and their bytes;
//!   without `by`, elements are as large as what is read. `p->f#8` says the member's offset. Behind the
//!   type, `{3+2 signed}` reads bits 3 and 4, `{copy}` is a read that keeps unwritten bytes.
//! - **What context tells is left out**: the type of a constant or a read that is the expected one
//!   (that of the assigned variable, the parameter, the left operand), reading the pointer in front
//!   of `->`, the sign extension of an index.
//! - A name that a nearer one hides is written `local::x` (an object behind a variable) or `::x`.
//! - In full style, `@12` behind a node's own token is its site, an entry of the table of
//!   `site 12 = 0:6:9 exact 1:40:9`.

mod body;
mod canonical;
mod cursor;
mod elaborate;
mod expressions;
mod lex;
mod names;
mod numbers;
mod operators;
mod print;
mod print_body;
mod print_expr;
mod read;
mod syntax;
#[cfg(test)]
mod tests;
mod types;

pub use canonical::{canonical, same, without_node_sites};
pub use print::{Layout, Style, body_lines, print, to_text};
pub use read::read;

use source::Position;

use crate::Type;
use crate::validate::Invalid;

/// Why a text is no program.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReadError {
    /// The text does not follow the grammar, or names something that it does not declare.
    #[error("{at}: {problem}")]
    Text {
        /// Where in the text.
        at: Position,
        problem: Problem,
    },
    /// The text is larger than offsets into it can tell.
    #[error("the text has 4 GiB or more; split the program")]
    TooLong,
    /// The text follows the grammar, but the program that it describes makes no sense.
    #[error("the program is not well-formed: {0}")]
    Invalid(#[from] Invalid),
}

/// What is wrong at a place of the text.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Problem {
    /// Another token is needed here.
    #[error("expected {expected}, found {found}")]
    Expected { expected: String, found: String },
    /// No token begins with this character.
    #[error("unexpected character {0:?}; quote names that have it in backquotes")]
    Character(char),
    /// A quoted name or text does not end.
    #[error("no closing `{0}` on this line")]
    Unclosed(char),
    /// A backslash is followed by nothing that has a meaning.
    #[error(r"unknown escape; known are \n \r \t \0 \\ \` \x41 \u{{e9}}")]
    Escape,
    /// A text that must be UTF-8 is not.
    #[error("this text is not UTF-8")]
    Encoding,
    /// A number is not written as one.
    #[error("malformed number")]
    Number,
    /// A number does not fit what it counts.
    #[error("number too large: at most {max}")]
    NumberRange { max: u128 },
    /// A constant does not fit its type.
    #[error("the constant does not fit {0}")]
    ConstantRange(Type),
    /// An integer where a float is needed, or the other way round.
    #[error("{}", constant_kind(*.0))]
    ConstantKind(Type),
    /// A name after a type's place names none.
    #[error("unknown type `{0}`; types are i1 to i128, f16, f32, f64, f128, x87 and ptr")]
    Type(String),
    /// A name was never declared.
    #[error("no {what} is named `{name}`")]
    Unknown { what: &'static str, name: String },
    /// A name was declared before.
    #[error("{what} `{name}` is declared twice")]
    Duplicate { what: &'static str, name: String },
    /// Entries of a table are numbered from 0 without gaps.
    #[error("this must be {what} number {next}: entries are numbered in order")]
    Order { what: &'static str, next: usize },
    /// Expressions are nested too deeply to be read safely.
    #[error("nested more than {0} deep; use variables for parts of the expression")]
    Depth(u32),
    /// A read whose type the context does not tell.
    #[error("the type that is read here is not known from the context; add it, as in `x:i32`")]
    LoadType,
    /// An element whose size the context does not tell.
    #[error("the size of the elements is not known from the context; add it, as in `a[i by 4]`")]
    Stride,
    /// `.` behind something that is no memory.
    #[error("`.` needs memory on its left; write `->` behind a pointer")]
    Dot,
    /// `&` or a type behind something that is no memory.
    #[error("this is a value and has no address; memory is an object, `*p`, `p[i]`, `p->f` or `s.f`")]
    NotMemory,
    /// Something else than a variable on the left of `:=`.
    #[error("only a variable, or memory with a type (`*p:i32`), can be assigned")]
    NotAssignable,
    /// A builtin or operator function with too few or too many arguments.
    #[error("`{name}` takes {count} argument(s)")]
    Arguments { name: String, count: usize },
    /// A place without a file, outside of functions that have one.
    #[error("the file is not known from the context; write `file:line:column`")]
    NoFile,
}

fn constant_kind(ty: Type) -> String {
    if ty.is_float() {
        format!("a constant of type {ty} needs a point or an exponent, as in `1.0`")
    } else {
        format!("a constant of type {ty} has no point and no exponent")
    }
}

impl ReadError {
    fn at(text: &str, offset: usize, problem: Problem) -> ReadError {
        ReadError::Text { at: lex::position(text, offset), problem }
    }
}
