//! Bytes of memory whose contents are needed, and who needs them.
//!
//! Bytes are kept in granules of eight, each with a list of needs; lists lie in one vector, so that nothing is allocated
//! for most needs. A filter of one bit for many granules answers most questions about stores.

use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;
const FILTER_BITS: usize = 1 << 16;
/// Longer reads of calls are cut here: what lies behind is not followed.
const LONGEST: u64 = 1 << 16;

#[derive(Clone, Copy)]
struct Need {
    mask: u8,
    consumer: u32,
    next: u32,
}

/// Needed bytes. Consumers are numbers that mean nothing here.
pub struct Memory {
    granules: FxHashMap<u64, u32>,
    needs: Vec<Need>,
    free: u32,
    filter: Vec<u64>,
}

impl Default for Memory {
    fn default() -> Memory {
        let filter = vec![0; FILTER_BITS / 64];
        Memory { granules: FxHashMap::default(), needs: Vec::new(), free: NONE, filter }
    }
}

/// The granules of a range, each with the mask of its bytes.
fn granules(address: u64, length: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = address.saturating_add(length.min(LONGEST));
    let last = if end == address { address / 8 } else { end.div_ceil(8) };
    (address / 8..last).map(move |granule| {
        let first = address.saturating_sub(granule * 8).min(8);
        let behind = (end - granule * 8).min(8);
        let mask = ((1u16 << behind) - 1) as u8 & !(((1u16 << first) - 1) as u8);
        (granule, mask)
    })
}

fn filter_bit(granule: u64) -> (usize, u64) {
    let bit = (granule.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % FILTER_BITS;
    (bit / 64, 1 << (bit % 64))
}

impl Memory {
    pub fn is_empty(&self) -> bool {
        self.granules.is_empty()
    }

    /// How many granules are needed.
    pub fn len(&self) -> usize {
        self.granules.len()
    }

    pub fn need(&mut self, address: u64, length: u64, consumer: u32) {
        for (granule, mask) in granules(address, length) {
            let (word, bit) = filter_bit(granule);
            self.filter[word] |= bit;
            let head = self.granules.get(&granule).copied().unwrap_or(NONE);
            let mut at = head;
            while at != NONE {
                let need = &mut self.needs[at as usize];
                if need.consumer == consumer {
                    need.mask |= mask;
                    break;
                }
                at = need.next;
            }
            if at == NONE {
                let head = self.take(Need { mask, consumer, next: head });
                self.granules.insert(granule, head);
            }
        }
    }

    fn take(&mut self, need: Need) -> u32 {
        if self.free == NONE {
            self.needs.push(need);
            return self.needs.len() as u32 - 1;
        }
        let at = self.free;
        self.free = self.needs[at as usize].next;
        self.needs[at as usize] = need;
        at
    }

    /// Quick, and wrong only in saying yes.
    pub fn may_need(&self, address: u64, length: u64) -> bool {
        granules(address, length).any(|(granule, _)| {
            let (word, bit) = filter_bit(granule);
            self.filter[word] & bit != 0
        })
    }

    /// Bytes are written: whoever needed them is told with the bytes, and they are needed no longer.
    pub fn write(&mut self, address: u64, length: u64, mut told: impl FnMut(u32, u64, u64)) {
        for (granule, mask) in granules(address, length) {
            let Some(&head) = self.granules.get(&granule) else { continue };
            let (mut at, mut kept) = (head, NONE);
            while at != NONE {
                let Need { mask: wanted, consumer, next } = self.needs[at as usize];
                let hit = wanted & mask;
                if hit != 0 {
                    let first = u64::from(hit.trailing_zeros());
                    told(consumer, granule * 8 + first, u64::from(8 - hit.leading_zeros()) - first);
                }
                if wanted & !mask == 0 {
                    self.needs[at as usize].next = self.free;
                    self.free = at;
                } else {
                    self.needs[at as usize] = Need { mask: wanted & !mask, consumer, next: kept };
                    kept = at;
                }
                at = next;
            }
            if kept == NONE {
                self.granules.remove(&granule);
            } else {
                self.granules.insert(granule, kept);
            }
        }
        self.renew_filter();
    }

    /// Bits are never cleared one by one; an empty memory has none.
    fn renew_filter(&mut self) {
        if self.granules.is_empty() {
            self.filter.fill(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(memory: &mut Memory, address: u64, length: u64) -> Vec<(u32, u64, u64)> {
        let mut told = Vec::new();
        memory.write(address, length, |consumer, at, length| told.push((consumer, at, length)));
        told.sort_unstable();
        told
    }

    #[test]
    fn bytes_are_needed_until_written() {
        let mut memory = Memory::default();
        memory.need(6, 4, 1);
        memory.need(8, 1, 2);
        assert_eq!(write(&mut memory, 9, 1), [(1, 9, 1)]);
        assert_eq!(write(&mut memory, 0, 7), [(1, 6, 1)]);
        assert_eq!(write(&mut memory, 0, 16), [(1, 7, 1), (1, 8, 1), (2, 8, 1)]);
        assert!(memory.is_empty());
        assert!(!memory.may_need(0, 16));
    }

    #[test]
    fn whole_granules() {
        let mut memory = Memory::default();
        memory.need(16, 16, 7);
        assert!(memory.may_need(24, 8));
        assert_eq!(memory.len(), 2);
        assert_eq!(write(&mut memory, 16, 8), [(7, 16, 8)]);
        assert_eq!(write(&mut memory, u64::MAX - 3, 100), []);
    }
}
