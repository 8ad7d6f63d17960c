//! Expressions as they are written, before names and types are known.
//!
//! Nodes live in an arena that is emptied after every command, and know how deep they are: left
//! operands of infix operators cost no depth, since they are worked off in a loop.

use crate::{BinaryOp, BitField, Builtin, CastOp, Site, Type, UnaryOp};

/// A node of the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) u32);

#[derive(Debug)]
pub(super) struct Node {
    pub(super) form: Form,
    pub(super) site: Site,
    /// Where it begins in the text.
    pub(super) start: u32,
    pub(super) depth: u32,
}

/// Where a name is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// From the variables outwards.
    Nearest,
    /// `local::x`: among the function's objects.
    Local,
    /// `::x`: among globals and functions.
    Global,
}

#[derive(Debug)]
pub(super) enum Form {
    /// A number token, by its range in the text.
    Number {
        start: u32,
        end: u32,
        negative: bool,
    },
    Constant {
        bits: u128,
        ty: Type,
    },
    Name {
        scope: Scope,
        name: String,
    },
    Label {
        function: Option<String>,
        block: String,
    },
    /// `place:type`; only a bare place has no type.
    Load {
        place: NodeId,
        ty: Type,
        bits: Option<BitField>,
        copy: bool,
    },
    Deref(NodeId),
    Index {
        base: NodeId,
        index: NodeId,
        count: Option<u64>,
        stride: Option<u64>,
    },
    /// `base->name` and, with `dot`, `base.name`.
    Member {
        base: NodeId,
        dot: bool,
        name: Option<String>,
        offset: u64,
    },
    AddressOf(NodeId),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    Cast(CastOp, Type, NodeId),
    Select(NodeId, NodeId, NodeId),
    Apply(Builtin, Vec<NodeId>),
}
