//! States: the values of variables and memory under a guard.
//!
//! All parts are persistent maps: a copy costs nothing, and merging looks only at what differs. A variable
//! that is not in the map was not assigned yet; an object that is not in it does not exist.

use std::rc::Rc;

use imbl::OrdMap;
use logic::terms::TermId;
use program::FunctionId;

use super::log::Log;

/// A variable of a call: the call's context and the variable's number.
pub type VariableKey = (u32, u32);

/// A value and which of its bits were never written (a term of the same sort; zero: all were).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub term: TermId,
    pub unwritten: TermId,
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub bytes: u32,
    /// A bit-vector of so many bytes, the first byte lowest.
    pub value: Scalar,
}

/// An object's life and what was written to it; other bytes are as they began.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    pub alive: TermId,
    /// By offset; they do not overlap.
    pub cells: OrdMap<u32, Cell>,
    /// Writes that came after the cells.
    pub log: Log,
}

/// How an object's bytes begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    Unwritten,
    Zero,
    Bytes(Rc<[u8]>),
    /// Defined elsewhere: zero, with a note when it is read.
    Unknown(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Null,
    Function(FunctionId),
    Global,
    Local,
    Heap,
    Library,
}

/// What does not change during an object's life.
#[derive(Clone, Debug)]
pub struct ObjectMeta {
    pub kind: ObjectKind,
    /// A 64-bit term.
    pub size: TermId,
    /// The size is at most this.
    pub most: u64,
    pub constant: bool,
    pub initial: Initial,
    /// The call and the number of an allocation of computed size.
    pub computed: Option<(u32, u64)>,
    /// It is a variable-length array or the like, beside the frames.
    pub on_stack: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    pub guard: TermId,
    pub variables: OrdMap<VariableKey, Scalar>,
    pub objects: OrdMap<u32, Contents>,
}
