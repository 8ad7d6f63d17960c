//! Sets of the nodes of a function.

/// Nodes of a function, a bit for each.
#[derive(Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    count: u32,
}

impl Bits {
    /// Room for so many nodes.
    pub fn reserve(&mut self, nodes: u32) {
        let words = nodes as usize / 64 + 1;
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn contains(&self, node: u32) -> bool {
        self.words[node as usize / 64] >> (node % 64) & 1 != 0
    }

    pub fn insert(&mut self, node: u32) {
        let (word, bit) = (&mut self.words[node as usize / 64], 1 << (node % 64));
        self.count += u32::from(*word & bit == 0);
        *word |= bit;
    }

    pub fn remove(&mut self, node: u32) {
        let (word, bit) = (&mut self.words[node as usize / 64], 1 << (node % 64));
        self.count -= u32::from(*word & bit != 0);
        *word &= !bit;
    }

    /// The greatest one of a range.
    pub fn last(&self, first: u32, end: u32) -> Option<u32> {
        if self.count == 0 || first >= end {
            return None;
        }
        let (low, mut at) = (first as usize / 64, (end - 1) as usize / 64);
        let mut word = self.words[at] & u64::MAX >> (63 - (end - 1) % 64);
        loop {
            if at == low {
                word &= u64::MAX << (first % 64);
            }
            if word != 0 {
                return Some(at as u32 * 64 + 63 - word.leading_zeros());
            }
            if at == low {
                return None;
            }
            at -= 1;
            word = self.words[at];
        }
    }

    /// Takes those of a range out, from the last to the first.
    pub fn take(&mut self, first: u32, end: u32, mut told: impl FnMut(u32)) {
        let mut end = end;
        while let Some(node) = self.last(first, end) {
            told(node);
            self.remove(node);
            end = node;
        }
    }

    pub fn clear(&mut self) {
        if self.count > 0 {
            self.words.fill(0);
            self.count = 0;
        }
    }

    /// What is not empty of it: where, and the bits there.
    pub fn words(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        let all = if self.count == 0 { &[] } else { self.words.as_slice() };
        all.iter().enumerate().filter(|(_, word)| **word != 0).map(|(at, word)| [at as u64, *word])
    }

    /// Exactly those of words that were taken from others, with room for so many nodes.
    pub fn set(&mut self, words: &[[u64; 2]], nodes: u32) {
        self.clear();
        self.reserve(nodes);
        for [at, word] in words {
            self.words[*at as usize] = *word;
            self.count += word.count_ones();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_a_range() {
        let mut bits = Bits::default();
        bits.reserve(200);
        assert_eq!(bits.last(0, 200), None);
        for node in [0, 63, 64, 130, 199] {
            bits.insert(node);
            bits.insert(node);
        }
        assert_eq!((bits.last(0, 200), bits.last(0, 199), bits.last(65, 130)), (Some(199), Some(130), None));
        assert_eq!((bits.last(64, 65), bits.last(1, 64), bits.last(0, 0)), (Some(64), Some(63), None));
        let mut taken = Vec::new();
        bits.take(63, 131, |node| taken.push(node));
        assert_eq!(taken, [130, 64, 63]);
        assert!(bits.contains(0) && !bits.contains(64) && !bits.is_empty());
        let words: Vec<[u64; 2]> = bits.words().collect();
        assert_eq!(words.len(), 2);
        bits.remove(0);
        bits.remove(0);
        bits.clear();
        assert!(bits.is_empty() && bits.last(0, 200).is_none());
        bits.insert(70);
        bits.set(&words, 200);
        assert!(bits.contains(0) && bits.contains(199) && !bits.contains(70));
    }
}
