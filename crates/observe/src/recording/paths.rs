//! What the names of records stand for: paths through regions of code (`instrument/records.cpp`).
//!
//! A region is a list of parts, each with segments that run one after the other and the parts before it that control can
//! come from. Every way from the first part to another has a number: part by part, and for each part those that come from
//! the first of its list, then those from the second.
//!
//! ```text
//! regions = count { parts { segments { segment } from { distance back } words { word } } }
//! word    = 0 | key<<2|1 constant | key<<2|2 constant | 3 constant
//! ```
//! The words are all that the segments have. In a record is (0), or (1) is with a key that others have, too: those (2) are as far
//! from the last one with the key, along the path, as their constants are. Others (3) are constants.

use rustc_hash::FxHashMap;

use super::cursor::Cursor;

/// What the pass keeps to.
const MOST_PATHS: u32 = 512;
const NONE: u32 = u32::MAX;
/// More than a path has.
const MOST_WORDS: usize = 2047;

/// How a word of a part is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Written,
    WrittenFor { key: u32, constant: i64 },
    Follows { key: u32, constant: i64 },
    Constant(i64),
}

/// What a record of a path tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipe {
    /// Segments of the unit in the order of execution, each with the number of words of those before it.
    pub segments: Vec<(u32, u32)>,
    /// Where each word of the segments is from.
    pub sources: Vec<Source>,
    /// How many words the record has behind its name.
    pub written: u32,
}

/// A word from one of the record, by how far it is from it; or a constant, if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub word: Option<u32>,
    pub distance: i64,
    /// The word is that of the record as it is, and no other was before.
    pub is_itself: bool,
}

/// The paths of a unit by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Of each path the part that it ends with, and the path without it.
    steps: Vec<(u32, u32)>,
    /// Of each part the end of its segments.
    ends: Vec<u32>,
    segments: Vec<u32>,
    /// The same for words.
    word_ends: Vec<u32>,
    words: Vec<Word>,
}

fn read_word(cursor: &mut Cursor<'_>) -> Result<Word, String> {
    let head = cursor.number()?;
    let key = u32::try_from(head >> 2).map_err(|_| "a word has a key that is too large")?;
    Ok(match head & 3 {
        0 => Word::Written,
        1 => Word::WrittenFor { key, constant: cursor.signed()? },
        2 => Word::Follows { key, constant: cursor.signed()? },
        _ => Word::Constant(cursor.signed()?),
    })
}

impl Paths {
    pub fn read(cursor: &mut Cursor<'_>, segment_count: u32) -> Result<Paths, String> {
        let mut paths = Paths::default();
        for _ in 0..cursor.count("regions")? {
            paths.read_region(cursor, segment_count)?;
        }
        Ok(paths)
    }

    fn read_region(&mut self, cursor: &mut Cursor<'_>, segment_count: u32) -> Result<(), String> {
        let begin = self.steps.len();
        // Of each part the range of its paths.
        let mut known: Vec<(u32, u32)> = Vec::new();
        for index in 0..cursor.count("parts")? {
            for _ in 0..cursor.count("segments")? {
                self.segments.push(cursor.index(segment_count as usize, "segment")? as u32);
            }
            let (part, first) = (self.ends.len() as u32, self.steps.len() as u32);
            self.ends.push(self.segments.len() as u32);
            let from = cursor.count("parts before")?;
            if (from == 0) != (index == 0) {
                return Err("a region has other ways in than its first part".into());
            }
            if from == 0 {
                self.steps.push((part, NONE));
            }
            for _ in 0..from {
                let distance = cursor.index(index + 1, "part")?;
                let before = distance.checked_sub(1).and_then(|_| known.get(index - distance));
                let &(first, end) = before.ok_or("a part comes before itself")?;
                self.steps.extend((first..end).map(|path| (part, path)));
                if self.steps.len() - begin > MOST_PATHS as usize {
                    return Err("a region has more paths than this version of faultline writes".into());
                }
            }
            for _ in 0..cursor.count("words")? {
                self.words.push(read_word(cursor)?);
            }
            self.word_ends.push(self.words.len() as u32);
            known.push((first, self.steps.len() as u32));
        }
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// What a path is, given how many words each segment of the unit has.
    pub fn recipe(&self, path: u32, words_of: &[u32]) -> Result<Recipe, String> {
        let first = *self.steps.get(path as usize).ok_or("a record names a path that does not exist")?;
        let before = |step: &(u32, u32)| self.steps.get(step.1 as usize).copied();
        let mut parts: Vec<u32> = std::iter::successors(Some(first), before).map(|(part, _)| part).collect();
        parts.reverse();
        let mut recipe = Recipe::default();
        // Of each key the word that was written last, and its constant.
        let mut known = FxHashMap::default();
        for part in parts {
            let range = |ends: &[u32]| {
                part.checked_sub(1).map_or(0, |it| ends[it as usize]) as usize..ends[part as usize] as usize
            };
            let mut words = recipe.sources.len() as u32;
            for &segment in &self.segments[range(&self.ends)] {
                recipe.segments.push((segment, words));
                words = words.saturating_add(words_of[segment as usize]);
            }
            for &word in &self.words[range(&self.word_ends)] {
                let source = recipe.source(word, &mut known)?;
                recipe.sources.push(source);
            }
            if words as usize != recipe.sources.len() || words as usize > MOST_WORDS {
                return Err("a path has other words than its segments".into());
            }
        }
        Ok(recipe)
    }
}

impl Recipe {
    fn source(&mut self, word: Word, known: &mut FxHashMap<u32, (u32, i64)>) -> Result<Source, String> {
        match word {
            Word::Constant(distance) => return Ok(Source { word: None, distance, is_itself: false }),
            Word::Follows { key, constant } => {
                let (word, before) = *known.get(&key).ok_or("a word follows from none")?;
                return Ok(Source { word: Some(word), distance: constant.wrapping_sub(before), is_itself: false });
            }
            Word::WrittenFor { key, constant } => {
                known.insert(key, (self.written, constant));
            }
            Word::Written => {}
        }
        self.written += 1;
        Ok(Source { word: Some(self.written - 1), distance: 0, is_itself: true })
    }
}

impl Source {
    /// The word, from those of a record behind its name. What was not reached is zero.
    pub fn value(&self, written: &[u64]) -> u64 {
        match self.word.map(|it| written[it as usize]) {
            None => self.distance as u64,
            Some(0) => 0,
            Some(word) => word.wrapping_add(self.distance as u64),
        }
    }
}

/// The words of a segment of a record; the first one is number 1.
#[derive(Clone, Copy, Debug)]
pub struct Words<'r> {
    sources: &'r [Source],
    /// Those of the whole record, behind its name.
    pub written: &'r [u64],
}

impl<'r> Words<'r> {
    /// Of a segment that has so many words before it in its path.
    pub fn of(recipe: &'r Recipe, before: u32, written: &'r [u64]) -> Words<'r> {
        Words { sources: &recipe.sources[before as usize..], written }
    }

    pub fn source(&self, word: u32) -> Source {
        self.sources[word as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths, each as its segments and its words.
    fn read(bytes: &[u8]) -> Result<Vec<Recipe>, String> {
        let paths = Paths::read(&mut Cursor::new(bytes), 9)?;
        (0..paths.steps.len() as u32).map(|it| paths.recipe(it, &[0, 0, 0, 0, 0, 0, 1, 2, 3])).collect()
    }

    #[test]
    fn ways_through_a_region() {
        // Two segments, then 3 or not, then 4; and a region of a single part.
        let found = read(&[2, 3, 2, 1, 2, 0, 0, 1, 3, 1, 1, 0, 1, 4, 2, 1, 2, 0, 1, 1, 5, 0, 0]).unwrap();
        let found: Vec<Vec<u32>> = found.iter().map(|it| it.segments.iter().map(|it| it.0).collect()).collect();
        assert_eq!(found, [vec![1, 2], vec![1, 2, 3], vec![1, 2, 3, 4], vec![1, 2, 4], vec![5]]);
        assert!(read(&[1, 1, 1, 9, 0, 0]).is_err());
        assert!(read(&[1, 2, 1, 0, 0, 0, 1, 1, 0, 0]).is_err());
        assert!(read(&[1, 2, 1, 0, 0, 0, 1, 1, 1, 0, 0]).is_err());
        assert!(read(&[1, 1, 1, 0, 1, 1, 0]).is_err());
    }

    #[test]
    fn words_that_follow() {
        // Segment 6 or nothing, then 7; 6 has a word at 4, and 7 one at 1 and a constant.
        let both = [1, 3, 1, 0, 0, 0, 1, 6, 1, 1, 1, 1, 8, 1, 7, 1, 1, 2, 2, 2, 3, 9];
        let found = read(&both).unwrap();
        assert_eq!(found[2].segments, [(0, 0), (6, 0), (7, 1)]);
        assert_eq!(found[2].written, 1);
        let filled = |record: &[u64]| {
            let words = Words::of(&found[2], 0, record);
            [1, 2, 3].map(|it| words.source(it).value(record))
        };
        assert_eq!(filled(&[100]), [100, 97, (-5i64) as u64]);
        assert_eq!(filled(&[0]), [0, 0, (-5i64) as u64]);
        // It follows from none; there are fewer words than the segment has.
        assert!(read(&[1, 1, 1, 6, 0, 1, 2, 2]).is_err());
        assert!(read(&[1, 1, 1, 7, 0, 1, 0]).is_err());
    }

    #[test]
    fn no_more_paths_than_promised() {
        // Each part comes twice from the one before.
        let mut bytes = vec![1, 30, 0, 0, 0];
        bytes.extend([0, 2, 1, 1, 0].repeat(29));
        assert!(read(&bytes).is_err());
    }
}
