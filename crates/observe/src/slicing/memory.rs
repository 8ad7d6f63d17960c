//! Bytes of memory whose contents are needed, and who needs them.
//!
//! Each byte has the number of a set of consumers (`sets.rs`), in pages of those; neighbours mostly have the same. Bytes
//! that are read by the same code have the same consumers, so that there are few sets however many bytes are needed.

use rustc_hash::FxHashMap;

use super::sets::{SetId, Sets};

/// Bytes of a page.
const PAGE: usize = 512;
const NONE: u32 = u32::MAX;
/// Pages that were found last.
const RECENT: usize = 512;
/// Pairs of a set and a writer that were told last.
const TOLD: usize = 1 << 12;
/// Pages that nothing is needed of may be kept: there will often be again.
const MOST_EMPTY: usize = 1 << 10;
/// Bytes of sets that may be kept before those are looked for that no byte has any more.
const MANY_SETS: usize = 4 << 20;
/// Longer reads of calls are cut here: what lies behind is not followed.
const LONGEST: u64 = 1 << 16;

struct Page {
    /// Its number in memory.
    number: u64,
    /// Of each byte.
    sets: [SetId; PAGE],
    /// How many bytes are needed.
    needed: usize,
}

/// Needed bytes. Consumers and writers are numbers that mean nothing here.
pub struct Memory {
    /// Where the page of a number is among all.
    numbers: FxHashMap<u64, u32>,
    pages: Vec<Page>,
    /// The number of a page, and where it is, if anywhere.
    recent: Vec<(u64, u32)>,
    sets: Sets,
    told: Vec<(SetId, u32)>,
    /// Sets may take so many bytes.
    most_sets: usize,
    /// Bytes that are needed, and the most that were at a time.
    needed: usize,
    most: usize,
    /// Pages that nothing is needed of.
    empty: usize,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            numbers: FxHashMap::default(),
            pages: Vec::new(),
            recent: vec![(u64::MAX, NONE); RECENT],
            sets: Sets::default(),
            told: vec![(SetId::NOBODY, 0); TOLD],
            most_sets: MANY_SETS,
            needed: 0,
            most: 0,
            empty: 0,
        }
    }
}

/// The pages of a range, each with the part of it.
fn parts(address: u64, length: u64) -> impl Iterator<Item = (u64, usize, usize)> {
    let end = address.saturating_add(length.min(LONGEST));
    let mut at = address;
    std::iter::from_fn(move || {
        let (page, first) = (at / PAGE as u64, at as usize % PAGE);
        let length = (PAGE - first).min((end - at) as usize);
        at += length as u64;
        (length > 0).then_some((page, first, first + length))
    })
}

/// How many of the first ones are the same.
fn run(sets: &[SetId]) -> usize {
    let first = sets[0];
    sets.iter().position(|it| *it != first).unwrap_or(sets.len())
}

impl Memory {
    pub fn is_empty(&self) -> bool {
        self.needed == 0
    }

    /// How many bytes were needed at a time, at most.
    pub fn most(&self) -> usize {
        self.most
    }

    pub fn need(&mut self, address: u64, length: u64, consumer: u32) {
        for (number, first, end) in parts(address, length) {
            let index = match self.find(number) {
                NONE => self.add_page(number),
                index => index,
            };
            let page = &mut self.pages[index as usize];
            let (mut bytes, before) = (&mut page.sets[first..end], page.needed);
            while !bytes.is_empty() {
                let (set, length) = (bytes[0], run(bytes));
                let more = self.sets.with(set, consumer);
                if more != set {
                    bytes[..length].fill(more);
                    page.needed += if set == SetId::NOBODY { length } else { 0 };
                }
                bytes = &mut bytes[length..];
            }
            self.needed += page.needed - before;
            self.empty -= usize::from(before == 0 && page.needed > 0);
        }
        self.most = self.most.max(self.needed);
        if self.sets.size() > self.most_sets {
            self.renew_sets();
        }
    }

    /// Bytes are written, and needed no longer. Each range that was is handed out. Whoever needed one is told to depend on
    /// the writer, unless that was told of late.
    pub fn write(
        &mut self,
        address: u64,
        length: u64,
        writer: u32,
        mut told: impl FnMut(u32),
        mut hit: impl FnMut(u64, u64),
    ) {
        for (number, first, end) in parts(address, length) {
            let index = self.find(number);
            if index == NONE {
                continue;
            }
            let page = &mut self.pages[index as usize];
            let mut at = first;
            let before = page.needed;
            while at < end {
                let (set, length) = (page.sets[at], run(&page.sets[at..end]));
                if set != SetId::NOBODY {
                    hit(number * PAGE as u64 + at as u64, length as u64);
                    let recent = &mut self.told[set.slot(writer, TOLD)];
                    if *recent != (set, writer) {
                        *recent = (set, writer);
                        self.sets.members(set).iter().for_each(|it| told(*it));
                    }
                    page.sets[at..at + length].fill(SetId::NOBODY);
                    page.needed -= length;
                }
                at += length;
            }
            self.needed -= before - page.needed;
            self.empty += usize::from(before > 0 && page.needed == 0);
        }
        if self.empty > MOST_EMPTY.max(self.pages.len() / 2) {
            self.drop_empty();
        }
    }

    fn find(&mut self, number: u64) -> u32 {
        let slot = &mut self.recent[number as usize % RECENT];
        if slot.0 != number {
            *slot = (number, self.numbers.get(&number).copied().unwrap_or(NONE));
        }
        slot.1
    }

    fn add_page(&mut self, number: u64) -> u32 {
        let index = self.pages.len() as u32;
        self.pages.push(Page { number, sets: [SetId::NOBODY; PAGE], needed: 0 });
        self.empty += 1;
        self.numbers.insert(number, index);
        self.recent[number as usize % RECENT] = (number, index);
        index
    }

    fn drop_empty(&mut self) {
        self.pages.retain(|it| it.needed > 0);
        self.numbers = self.pages.iter().zip(0..).map(|(page, index)| (page.number, index)).collect();
        self.empty = 0;
        self.recent.fill((u64::MAX, NONE));
    }

    /// Leaves sets behind that no byte has.
    fn renew_sets(&mut self) {
        let mut sets = Sets::default();
        let mut renewed: FxHashMap<SetId, SetId> = FxHashMap::default();
        for set in self.pages.iter_mut().flat_map(|it| &mut it.sets).filter(|it| **it != SetId::NOBODY) {
            *set = *renewed.entry(*set).or_insert_with(|| sets.number(self.sets.members(*set)));
        }
        self.sets = sets;
        self.told.fill((SetId::NOBODY, 0));
        self.most_sets = MANY_SETS.max(2 * self.sets.size());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is told, and the ranges.
    fn write(memory: &mut Memory, address: u64, length: u64, writer: u32) -> (Vec<u32>, Vec<(u64, u64)>) {
        let (mut told, mut ranges) = (Vec::new(), Vec::new());
        memory.write(address, length, writer, |it| told.push(it), |at, length| ranges.push((at, length)));
        (told, ranges)
    }

    #[test]
    fn bytes_are_needed_until_written() {
        let mut memory = Memory::default();
        memory.need(510, 4, 1);
        memory.need(512, 1, 2);
        assert_eq!(memory.most(), 4);
        assert_eq!(write(&mut memory, 513, 1, 9), (vec![1], vec![(513, 1)]));
        assert_eq!(write(&mut memory, 0, 511, 8), (vec![1], vec![(510, 1)]));
        assert_eq!(write(&mut memory, 0, 1024, 7), (vec![1, 1, 2], vec![(511, 1), (512, 1)]));
        assert!(memory.is_empty());
        assert_eq!(write(&mut memory, 0, 1024, 7), (vec![], vec![]));
        memory.need(512, 1, 2);
        memory.need(512, 1, 1);
        // The same set, the same writer: that is known.
        assert_eq!(write(&mut memory, 0, 1024, 7), (vec![], vec![(512, 1)]));
    }

    #[test]
    fn the_ends_of_memory() {
        let mut memory = Memory::default();
        memory.need(u64::MAX - 3, 100, 1);
        assert_eq!(write(&mut memory, u64::MAX - 3, 100, 2), (vec![1], vec![(u64::MAX - 3, 3)]));
        memory.need(5, 0, 1);
        assert!(memory.is_empty());
    }

    /// Pages and sets that are over are dropped, and the others stay as they were.
    #[test]
    fn what_is_over_is_dropped() {
        let mut memory = Memory { most_sets: 100, ..Memory::default() };
        let places: Vec<u64> = (0..5000).map(|it| it * 700).collect();
        for (consumer, at) in places.iter().enumerate() {
            memory.need(*at, 2, consumer as u32);
            memory.need(*at + 1, 1, consumer as u32 + 1);
            if consumer % 100 != 0 {
                write(&mut memory, *at, 2, 1_000_000);
            }
        }
        assert!(memory.pages.len() < 3000 && memory.sets.size() < MANY_SETS, "{}", memory.pages.len());
        memory.drop_empty();
        memory.renew_sets();
        assert_eq!((memory.pages.len(), memory.needed), (50, 100));
        for (consumer, at) in places.iter().enumerate().step_by(100) {
            let consumer = consumer as u32;
            let expected = (vec![consumer, consumer, consumer + 1], vec![(*at, 1), (*at + 1, 1)]);
            assert_eq!(write(&mut memory, *at, 2, 1_000_001), expected);
        }
    }
}
