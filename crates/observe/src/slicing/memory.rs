//! Bytes of memory whose contents are needed, and who needs them.
//!
//! Bytes are kept in granules of eight, each with a list of needs; lists lie in one vector, so that nothing is allocated
//! for most needs. A filter of one bit for many granules answers most questions about stores.

use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;
const FILTER_BITS: usize = 1 << 16;
/// Granules that may be in the filter without need.
const MOST_STALE: usize = 1 << 12;
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
    needs: Needs,
    filter: Vec<u64>,
    /// Granules that are needed no longer since the filter was new.
    stale: usize,
    most: usize,
}

/// Needs of all granules; those that are over are a list.
struct Needs {
    all: Vec<Need>,
    free: u32,
}

impl Needs {
    fn take(&mut self, need: Need) -> u32 {
        if self.free == NONE {
            self.all.push(need);
            return self.all.len() as u32 - 1;
        }
        let at = self.free;
        self.free = self.all[at as usize].next;
        self.all[at as usize] = need;
        at
    }

    fn give_back(&mut self, at: u32) {
        self.all[at as usize].next = self.free;
        self.free = at;
    }
}

impl Default for Memory {
    fn default() -> Memory {
        let filter = vec![0; FILTER_BITS / 64];
        let needs = Needs { all: Vec::new(), free: NONE };
        Memory { granules: FxHashMap::default(), needs, filter, stale: 0, most: 0 }
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

    /// How many granules were needed at a time, at most.
    pub fn most(&self) -> usize {
        self.most
    }

    pub fn need(&mut self, address: u64, length: u64, consumer: u32) {
        for (granule, mask) in granules(address, length) {
            let (word, bit) = filter_bit(granule);
            self.filter[word] |= bit;
            let head = self.granules.entry(granule).or_insert(NONE);
            let mut at = *head;
            while at != NONE {
                let need = &mut self.needs.all[at as usize];
                if need.consumer == consumer {
                    need.mask |= mask;
                    break;
                }
                at = need.next;
            }
            if at == NONE {
                *head = self.needs.take(Need { mask, consumer, next: *head });
            }
        }
        self.most = self.most.max(self.granules.len());
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
            let Some(head) = self.granules.get_mut(&granule) else { continue };
            let (mut at, mut kept) = (*head, NONE);
            while at != NONE {
                let Need { mask: wanted, consumer, next } = self.needs.all[at as usize];
                let hit = wanted & mask;
                if hit != 0 {
                    let first = u64::from(hit.trailing_zeros());
                    told(consumer, granule * 8 + first, u64::from(8 - hit.leading_zeros()) - first);
                }
                if wanted & !mask == 0 {
                    self.needs.give_back(at);
                } else {
                    self.needs.all[at as usize] = Need { mask: wanted & !mask, consumer, next: kept };
                    kept = at;
                }
                at = next;
            }
            *head = kept;
            if kept == NONE {
                self.granules.remove(&granule);
                self.stale += 1;
            }
        }
        self.renew_filter();
    }

    /// Bits are never cleared one by one: many of them say yes for what is needed no longer, or there is nothing.
    fn renew_filter(&mut self) {
        let is_empty = self.granules.is_empty() && self.stale > 0;
        if is_empty || self.stale > MOST_STALE.max(self.granules.len()) {
            self.stale = 0;
            self.filter.fill(0);
            for &granule in self.granules.keys() {
                let (word, bit) = filter_bit(granule);
                self.filter[word] |= bit;
            }
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
        assert_eq!(memory.most(), 2);
        assert_eq!(write(&mut memory, 16, 8), [(7, 16, 8)]);
        assert_eq!(write(&mut memory, u64::MAX - 3, 100), []);
    }
}
