//! Branches and their ways: where each leads, how it is known how often it was taken, and how that is told.

use std::fmt;
use std::sync::Arc;

use super::sites::BlockId;
use super::table::{Function, Node, NodeKind, Segment};

/// The number of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchId(pub u32);

/// A branch: an `if`, a loop's condition, `&&`, `||`, `?:`, or a `switch`.
#[derive(Clone, Debug)]
pub struct Branch {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
    pub function: Arc<str>,
    pub block: BlockId,
    /// Two at least. Of a condition, the first is that of true.
    pub ways: Vec<Way>,
    pub unit: u32,
    pub function_index: u32,
    pub node: u32,
}

/// A way out of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub label: Label,
    pub(super) taken: Taken,
}

/// What a way is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    True,
    False,
    /// Of a `switch`: the values that lead there, whether all others do, and the first line there, zero if nothing in the source
    /// stands for it.
    Case {
        values: Vec<i64>,
        default: bool,
        line: u32,
    },
}

/// How often a way was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// As often as the block there ran, which has no other way to it.
    AsOften(BlockId),
    /// By a counter of the unit.
    Counted(u32),
    /// As often as the others leave.
    Rest,
}

/// How often the ways of all branches were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    counts: Vec<u64>,
    /// Behind the last way of each branch.
    ends: Vec<usize>,
}

/// Values of a `switch` that are named.
const MOST_VALUES: usize = 4;

impl Branch {
    /// How often each way was taken, given how often blocks ran and what counters of the unit say.
    pub(super) fn counts(&self, blocks: &[u64], counters: &[u64]) -> Vec<u64> {
        let known = |way: &Way| match way.taken {
            Taken::AsOften(block) => Some(blocks[block.0 as usize]),
            Taken::Counted(counter) => Some(counters.get(counter as usize).copied().unwrap_or(0)),
            Taken::Rest => None,
        };
        let others = self.ways.iter().filter_map(known).fold(0, u64::saturating_add);
        let rest = blocks[self.block.0 as usize].saturating_sub(others);
        self.ways.iter().map(|it| known(it).unwrap_or(rest)).collect()
    }

    /// The way that is known by what the others leave.
    pub(super) fn rest(&self) -> Option<usize> {
        self.ways.iter().position(|it| it.taken == Taken::Rest)
    }
}

impl Ways {
    pub fn add(&mut self, counts: impl IntoIterator<Item = u64>) {
        self.counts.extend(counts);
        self.ends.push(self.counts.len());
    }

    pub fn of(&self, id: BranchId) -> &[u64] {
        let index = id.0 as usize;
        &self.counts[self.begin(index)..self.ends[index]]
    }

    pub(super) fn of_mut(&mut self, id: BranchId) -> &mut [u64] {
        let (begin, index) = (self.begin(id.0 as usize), id.0 as usize);
        &mut self.counts[begin..self.ends[index]]
    }

    /// The greater of two, way by way.
    pub fn raise(&mut self, other: &Ways) {
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            *count = (*count).max(*other);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.ends.len() as u32).map(|it| self.of(BranchId(it)))
    }

    fn begin(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (values, default, line) = match self {
            Label::True => return f.write_str("true"),
            Label::False => return f.write_str("false"),
            Label::Case { values, default, line } => (values, *default, *line),
        };
        let named = values.iter().take(MOST_VALUES).map(i64::to_string).collect::<Vec<_>>().join(", ");
        let others = values.len().saturating_sub(MOST_VALUES);
        match (values.is_empty(), default) {
            (true, true) => f.write_str("default")?,
            (true, false) => return write!(f, "to line {line}"),
            (false, _) if others > 0 => write!(f, "case {named} and {others} others")?,
            (false, _) => write!(f, "case {named}")?,
        }
        if !values.is_empty() && default {
            f.write_str(" or default")?;
        }
        if line > 0 { write!(f, " (line {line})") } else { Ok(()) }
    }
}

/// The ways out of a segment that ends with a branch. None if it has only one, or if there is more than one of which nothing is known.
pub(super) fn ways_of(
    function: &Function,
    segment: &Segment,
    end: &Node,
    before: &[Before],
    block: impl Fn(u32) -> BlockId,
) -> Vec<Way> {
    let mut ways: Vec<(u32, Way)> = Vec::new();
    for (number, &target) in segment.successors.iter().enumerate() {
        if let Some((_, way)) = ways.iter_mut().find(|it| it.0 == target) {
            way.label.add(&end.kind, number);
            continue;
        }
        let counter = segment.ways.iter().find(|it| it.0 as usize == number).map(|it| it.1);
        let taken = match (before[target as usize], counter) {
            (Before::One, _) => Taken::AsOften(block(function.segments[target as usize].counter)),
            (_, Some(counter)) => Taken::Counted(counter),
            _ => Taken::Rest,
        };
        let mut label = match (&end.kind, number) {
            (NodeKind::Switch { .. }, _) => {
                Label::Case { values: Vec::new(), default: false, line: first_line(function, target) }
            }
            (_, 0) => Label::True,
            _ => Label::False,
        };
        label.add(&end.kind, number);
        ways.push((target, Way { label, taken }));
    }
    let unknown = ways.iter().filter(|it| it.1.taken == Taken::Rest).count();
    let is_branch = ways.len() > 1 && unknown <= 1;
    if is_branch { ways.into_iter().map(|it| it.1).collect() } else { Vec::new() }
}

impl Label {
    /// With the value, or all others, for which a `switch` goes to one of its successors.
    fn add(&mut self, kind: &NodeKind, successor: usize) {
        let (Label::Case { values, default, .. }, NodeKind::Switch { cases }) = (self, kind) else { return };
        match successor.checked_sub(1) {
            Some(case) => values.extend(cases.get(case)),
            None => *default |= !cases.is_empty(),
        }
    }
}

fn first_line(function: &Function, segment: u32) -> u32 {
    let segment = &function.segments[segment as usize];
    let nodes = &function.nodes[segment.first_node as usize..segment.end_node as usize];
    nodes.iter().filter(|it| it.file.is_none()).map(|it| it.line).find(|it| *it != 0).unwrap_or(0)
}

/// How many segments control comes from to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    None,
    One,
    Several,
}

/// Of each segment of a function.
pub(super) fn before(function: &Function) -> Vec<Before> {
    let mut before = vec![Before::None; function.segments.len()];
    for segment in &function.segments {
        let mut successors = segment.successors.clone();
        successors.sort_unstable();
        successors.dedup();
        for target in successors {
            let it = &mut before[target as usize];
            *it = if *it == Before::None { Before::One } else { Before::Several };
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_by_branch() {
        let mut ways = Ways::default();
        ways.add([3, 0]);
        ways.add([1, 2, 4]);
        assert_eq!((ways.of(BranchId(0)), ways.of(BranchId(1))), (&[3, 0][..], &[1, 2, 4][..]));
        ways.of_mut(BranchId(1))[0] = 7;
        assert_eq!(ways.iter().map(|it| it[0]).collect::<Vec<_>>(), [3, 7]);
    }

    #[test]
    fn names_of_cases() {
        let case = |values: &[i64], default, line| Label::Case { values: values.to_vec(), default, line }.to_string();
        assert_eq!(case(&[45], false, 12), "case 45 (line 12)");
        assert_eq!(case(&[], true, 0), "default");
        assert_eq!(case(&[1, 2], true, 3), "case 1, 2 or default (line 3)");
        assert_eq!(case(&[1, 2, 3, 4, 5, 6], false, 3), "case 1, 2, 3, 4 and 2 others (line 3)");
        assert_eq!(case(&[], false, 9), "to line 9");
    }
}
