//! Addresses: how 64-bit pointers name objects and bytes in them.
//!
//! Every object has a slot of 4 GiB: byte `o` of object `k` is at `k << 32 | o`. Reading an address
//! back, offsets count as signed 32-bit numbers, so that a pointer below an object still belongs to
//! that object. Pointer arithmetic, casts to integers and tags in low bits are thus plain integer
//! arithmetic, and an access beside one object never hits another: [`Address::element`] keeps even
//! the wildest index inside the slot. Slot 0 is null's.

use std::fmt;

/// A pointer's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

/// An object of a run. Numbers of dead objects are used again only after a long quarantine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// Objects are smaller than this, so that offsets of either sign fit their slot.
pub const OBJECT_SIZE_LIMIT: u64 = 1 << 31;

impl Address {
    pub const NULL: Address = Address(0);

    pub fn new(object: ObjectId, offset: i64) -> Address {
        Address((u64::from(object.0) << 32).wrapping_add(offset as u64))
    }

    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The object whose slot the address lies in; it need not exist.
    #[inline(always)]
    pub fn object(self) -> ObjectId {
        ObjectId((self.0.wrapping_add(1 << 31) >> 32) as u32)
    }

    /// Bytes from the object's start, of either sign.
    #[inline(always)]
    pub fn offset(self) -> i64 {
        i64::from(self.0 as u32 as i32)
    }

    /// The address of an array's element. A distance that leads out of the object's slot ends at the
    /// slot's edge: beside the object, and never in another.
    #[inline(always)]
    pub fn element(self, index: i64, stride: u64) -> Address {
        let distance = index.wrapping_mul(stride as i64);
        let is_near = index as i32 as i64 == index && stride <= 1 << 16 && distance as i32 as i64 == distance;
        if is_near { self.plus(distance) } else { self.far_element(index, stride) }
    }

    #[cold]
    fn far_element(self, index: i64, stride: u64) -> Address {
        let distance = i128::from(index) * i128::from(stride);
        let offset = i128::from(self.offset()) + distance;
        let limit = i128::from(OBJECT_SIZE_LIMIT);
        // What counts from null is an integer in disguise.
        if self.object().0 == 0 || (-limit..limit).contains(&offset) {
            return self.plus(distance as i64);
        }
        Address::new(self.object(), offset.clamp(-limit, limit - 1) as i64)
    }

    /// The address so many bytes further on, as the machine adds.
    #[inline(always)]
    pub fn plus(self, bytes: i64) -> Address {
        Address(self.0.wrapping_add(bytes as u64))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#x}", self.0)
    }
}
