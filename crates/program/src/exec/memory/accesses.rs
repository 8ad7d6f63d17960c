//! Which bytes were touched, for whoever watches a run: slicing needs to know what a step has read.
//!
//! Off unless asked for. Then every access is noted until it is taken out again, in the order in which
//! they happen; a lookup that changes nothing (the kind of an object, its size) is none.

use std::cell::{Cell, RefCell};

use super::{Address, Memory};
use crate::ExprId;

/// Bytes of one object that were touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub kind: AccessKind,
    pub address: Address,
    pub length: u64,
    /// The load that did it, where it was one of an expression.
    pub expr: Option<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    Write,
    /// As many bytes were copied from there.
    Copy {
        source: Address,
    },
    /// The object begins its life.
    Begin,
    End,
}

#[derive(Debug, Default)]
pub(super) struct Log {
    on: Cell<bool>,
    accesses: RefCell<Vec<Access>>,
}

impl Memory {
    /// From here on, accesses are noted.
    pub fn watch(&self) {
        self.accesses.on.set(true);
    }

    #[inline(always)]
    pub(super) fn note(&self, kind: AccessKind, address: Address, length: u64) {
        if self.accesses.on.get() {
            self.push(Access { kind, address, length, expr: None });
        }
    }

    #[cold]
    fn push(&self, access: Access) {
        self.accesses.accesses.borrow_mut().push(access);
    }

    /// Says which load the latest accesses belong to.
    pub(in crate::exec) fn attribute(&self, expr: ExprId) {
        for access in self.accesses.accesses.borrow_mut().iter_mut().rev() {
            if access.expr.is_some() || access.kind != AccessKind::Read {
                break;
            }
            access.expr = Some(expr);
        }
    }

    /// Takes out what was noted.
    pub(in crate::exec) fn take_accesses(&self) -> Vec<Access> {
        self.accesses.accesses.take()
    }

    /// Gives the buffer back, so that it need not be made again.
    pub(in crate::exec) fn reuse(&self, mut buffer: Vec<Access>) {
        buffer.clear();
        self.accesses.accesses.replace(buffer);
    }
}
