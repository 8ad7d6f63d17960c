//! What accesses of a record do to the memory that is needed.

use super::Dependence;
use super::flat::PathAccess;
use super::marks::Marks;
use super::memory::Memory;

/// A node, by its number among all, needs what an access reads.
pub fn need(access: &PathAccess, consumer: u32, written: &[u64], memory: &mut Memory) {
    let address = access.address(written);
    if address != 0 {
        memory.need(address, access.length(written), consumer);
    }
}

/// Whether one of a node's accesses wrote what was needed. Who needed it depends on the node now, and a copy needs what it
/// read for it.
pub fn write(
    accesses: impl Iterator<Item = PathAccess>,
    number: u32,
    written: &[u64],
    memory: &mut Memory,
    marks: &mut Marks,
) -> bool {
    let mut source = None;
    let mut hit = false;
    for access in accesses {
        let address = access.address(written);
        if access.reads() {
            source = Some(address);
            continue;
        }
        if access.kind.print || address == 0 {
            continue;
        }
        let source = source.filter(|_| access.kind.copy);
        let mut copied = Vec::new();
        let told = |consumer| marks.edge((consumer, number, Dependence::Data));
        memory.write(address, access.length(written), number, told, |at, length| {
            hit = true;
            if let Some(source) = source {
                copied.push((source.wrapping_add(at - address), length));
            }
        });
        for (at, length) in copied {
            memory.need(at, length, number);
        }
    }
    hit
}
