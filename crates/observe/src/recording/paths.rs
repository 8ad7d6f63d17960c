//! What the names of records stand for: paths through regions of code (`instrument/records.cpp`).
//!
//! A region is a list of parts, each with segments that run one after the other and the parts before it that control can
//! come from. Every way from the first part to another has a number: part by part, and for each part those that come from
//! the first of its list, then those from the second.
//!
//! ```text
//! regions = count { parts { segments { segment } from { distance back } } }
//! ```

use super::cursor::Cursor;

/// What the pass keeps to.
const MOST_PATHS: u32 = 512;
const NONE: u32 = u32::MAX;

/// The paths of a unit by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Of each path the part that it ends with, and the path without it.
    steps: Vec<(u32, u32)>,
    /// Of each part the end of its segments.
    ends: Vec<u32>,
    segments: Vec<u32>,
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
            known.push((first, self.steps.len() as u32));
        }
        Ok(())
    }

    /// The segments of a path from the last to the first. `None` if there is no such path.
    pub fn backwards(&self, path: u32) -> Option<impl Iterator<Item = u32> + '_> {
        let first = *self.steps.get(path as usize)?;
        let before = |step: &(u32, u32)| self.steps.get(step.1 as usize).copied();
        Some(std::iter::successors(Some(first), before).flat_map(|(part, _)| {
            let begin = part.checked_sub(1).map_or(0, |it| self.ends[it as usize]);
            self.segments[begin as usize..self.ends[part as usize] as usize].iter().rev().copied()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<Vec<u32>>, String> {
        let paths = Paths::read(&mut Cursor::new(bytes), 9)?;
        Ok((0..).map_while(|it| paths.backwards(it).map(|it| it.collect())).collect())
    }

    #[test]
    fn ways_through_a_region() {
        // Two segments, then 3 or not, then 4; and a region of a single part.
        let found = read(&[2, 3, 2, 1, 2, 0, 1, 3, 1, 1, 1, 4, 2, 1, 2, 1, 1, 5, 0]).unwrap();
        assert_eq!(found, [vec![2, 1], vec![3, 2, 1], vec![4, 3, 2, 1], vec![4, 2, 1], vec![5]]);
        assert!(read(&[1, 1, 1, 9, 0]).is_err());
        assert!(read(&[1, 2, 1, 0, 0, 1, 1, 0]).is_err());
        assert!(read(&[1, 2, 1, 0, 0, 1, 1, 1, 0]).is_err());
        assert!(read(&[1, 1, 1, 0, 1, 1]).is_err());
    }

    #[test]
    fn no_more_paths_than_promised() {
        // Each part comes twice from the one before.
        let mut bytes = vec![1, 30, 0, 0];
        bytes.extend([0, 2, 1, 1].repeat(29));
        assert!(read(&bytes).is_err());
    }
}
