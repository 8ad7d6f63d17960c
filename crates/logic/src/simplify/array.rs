//! Arrays: reading through writes, writes that overwrite or change nothing.

use crate::sort::Sort;
use crate::terms::{Op, TermId, Terms};

/// How many writes a read looks through.
const WRITES: usize = 256;

impl Terms {
    /// The array of this sort whose every element is `element`.
    pub fn const_array(&mut self, sort: Sort, element: TermId) -> TermId {
        assert_eq!(self.array_parts(sort).1, self.sort(element), "the element of a constant array");
        self.intern(Op::ConstArray, sort, &[element])
    }

    /// Skips writes to indices that certainly differ. Ends at the first write that may be to this index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let mut current = array;
        for _ in 0..WRITES {
            match self.op(current) {
                Op::ConstArray => return self.argument(current, 0),
                Op::Store => {
                    let &[previous, written, value] = self.arguments(current) else { unreachable!("store has three") };
                    if written == index {
                        return value;
                    }
                    if !self.certainly_distinct(written, index) {
                        break;
                    }
                    current = previous;
                }
                _ => break,
            }
        }
        self.raw(Op::Select, &[current, index])
    }

    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        if self.op(value) == Op::Select && self.arguments(value) == [array, index] {
            return array;
        }
        let overwritten = self.op(array) == Op::Store && self.argument(array, 1) == index;
        if overwritten {
            return self.store(self.argument(array, 0), index, value);
        }
        if self.op(array) == Op::ConstArray && self.argument(array, 0) == value {
            return array;
        }
        self.raw(Op::Store, &[array, index, value])
    }
}
