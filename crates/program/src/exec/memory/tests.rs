//! Edges of objects, lifetimes, written-masks, strings.

use super::{Address, FaultKind, Life, Memory, ObjectKind};
use crate::Site;
use crate::exec::inputs::Unwritten;

fn memory() -> Memory {
    Memory::new(1 << 20, true)
}

fn heap(memory: &mut Memory, size: u64) -> Address {
    memory.allocate(ObjectKind::Heap, size, Site(1)).expect("small")
}

fn check<T: std::fmt::Debug>(result: super::MemoryResult<T>, kind: FaultKind, offset: Option<i64>) {
    let fault = result.expect_err("a fault");
    assert_eq!(fault.kind, kind);
    assert_eq!(fault.object.map(|object| object.offset), offset);
}

#[test]
fn accesses_beside_an_object_are_told_apart() {
    let mut memory = memory();
    let object = heap(&mut memory, 4);
    memory.store_u32(object, 7).expect("inside");
    assert_eq!(memory.load_u32(object).expect("inside"), 7);
    check(memory.load_u32(object.plus(-1)), FaultKind::Below, Some(-1));
    check(memory.load_u32(object.plus(1)), FaultKind::Above, Some(1));
    check(memory.store_u8(object.plus(4), 0), FaultKind::Above, Some(4));
    check(memory.load_u8(Address::NULL), FaultKind::Null, None);
    check(memory.load_u8(Address(16)), FaultKind::Null, None);
    check(memory.load_u8(Address(0xdead_beef_0000_0000)), FaultKind::Wild, None);
}

#[test]
fn freed_memory_is_remembered() {
    let mut memory = memory();
    let object = heap(&mut memory, 4);
    memory.free(Address::NULL, Site(2)).expect("free(NULL) is fine");
    check(memory.free(object.plus(1), Site(2)), FaultKind::InvalidFree, Some(1));
    memory.free(object, Site(3)).expect("alive");
    check(memory.load_u8(object), FaultKind::Freed, Some(0));
    check(memory.free(object, Site(4)), FaultKind::DoubleFree, Some(0));
    let info = memory.info(object).expect("known");
    assert_eq!((info.allocated, info.ended, info.size), (Site(1), Site(3), 4));
    assert_eq!(memory.live_heap().count(), 0);
}

#[test]
fn a_scope_that_was_left_is_remembered() {
    let mut memory = memory();
    let object = memory.allocate(ObjectKind::Computed(crate::FunctionId(0)), 8, Site(1)).expect("small");
    check(memory.free(object, Site(2)), FaultKind::InvalidFree, Some(0));
    memory.end(object.object(), Life::OutOfScope, Site(2));
    check(memory.store_u8(object, 1), FaultKind::OutOfScope, Some(0));
}

#[test]
fn unwritten_bytes_travel_with_copies() {
    let mut memory = memory();
    let (from, to) = (heap(&mut memory, 8), heap(&mut memory, 8));
    memory.store_u16(from.plus(2), 0x1234).expect("inside");
    memory.fill(to, 9, 8).expect("inside");
    memory.copy(to, from, 8).expect("inside");
    assert_eq!(memory.load_u16(to.plus(2)).expect("written"), 0x1234);
    check(memory.load_u32(to), FaultKind::Uninitialized, Some(0));
    check(memory.load_u16(to.plus(3)), FaultKind::Uninitialized, Some(4));
    memory.copy(to.plus(1), to, 4).expect("overlapping");
    assert_eq!(memory.load_u16(to.plus(3)).expect("moved"), 0x1234);
}

#[test]
fn bits_are_written_one_by_one() {
    let mut memory = memory();
    let object = heap(&mut memory, 4);
    memory.write_bits(object, &[0x05], &[0x0f]).expect("inside");
    check(memory.load_u8(object), FaultKind::Uninitialized, Some(0));
    memory.write_bits(object, &[0x30], &[0xf0]).expect("inside");
    assert_eq!(memory.load_u8(object).expect("written"), 0x35);
}

#[test]
fn constants_cannot_be_written() {
    let mut memory = memory();
    let object = memory.allocate_zeroed(ObjectKind::Library("text"), 4, Site::NONE).expect("small");
    memory.write_c_string(object, b"abc").expect("inside");
    memory.make_constant(object.object());
    check(memory.store_u8(object, b'x'), FaultKind::Constant, Some(0));
    check(memory.write(object.plus(2), b"xyz"), FaultKind::Above, Some(2));
    assert_eq!(memory.c_string(object).expect("terminated"), b"abc");
}

#[test]
fn strings_end_inside_their_object() {
    let mut memory = memory();
    let object = heap(&mut memory, 4);
    check(memory.c_string(object), FaultKind::Uninitialized, Some(0));
    memory.write(object, b"wxyz").expect("inside");
    check(memory.c_string(object.plus(1)), FaultKind::Unterminated, Some(1));
    assert_eq!(memory.c_string_bounded(object, 4).expect("bounded"), b"wxyz");
    check(memory.c_string_bounded(object, 5), FaultKind::Unterminated, Some(0));
    check(memory.c_string(object.plus(4)), FaultKind::Above, Some(4));
    memory.write(object.plus(2), &[0]).expect("inside");
    assert_eq!(memory.c_string(object).expect("terminated"), b"wx");
}

#[test]
fn the_limit_counts_live_bytes() {
    let mut memory = memory();
    let object = heap(&mut memory, 1 << 20);
    assert!(memory.allocate(ObjectKind::Heap, 1, Site::NONE).is_err());
    memory.free(object, Site::NONE).expect("alive");
    assert!(memory.allocate(ObjectKind::Heap, 1 << 20, Site::NONE).is_ok());
    assert!(memory.allocate(ObjectKind::Heap, u64::MAX, Site::NONE).is_err());
}

#[test]
fn objects_begin_with_what_they_are_given() {
    let mut memory = Memory::new(1 << 20, false);
    let bytes = |object, offset, bytes: &[u8]| Unwritten { object, offset, bytes: bytes.to_vec() };
    memory.give(&[bytes(0, 9, &[1]), bytes(1, 2, &[7, 8, 9]), bytes(3, 0, &[9])]);
    let [_, second, _, fourth] =
        [4, 4, 4, 1].map(|size| memory.allocate_open(ObjectKind::Heap, size, Site(1)).unwrap());
    assert_eq!(memory.read(second, 4), Ok(&[0, 0, 7, 8][..]));
    assert_eq!(memory.read(fourth, 1), Ok(&[9][..]));
    let given: Vec<u64> = memory.given().iter().map(|it| it.bytes.object).collect();
    assert_eq!(given, [1, 3], "what does not fit its object is left out");
}
