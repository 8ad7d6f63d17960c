//! What follows from what was observed: ranges that have the values of others, and blocks that ran as often as those behind them.
//!
//! A process that does not record exactly observes as little as it can; the table says where the rest is found.

use super::counters::Seen;
use super::table::{Counted, Function, Source};
use super::value::ValueType;

/// Adds to each range the values that were observed for others. These may have values from others themselves; there are no
/// circles, but in a table that is damaged.
pub(super) fn follow_ranges(sources: &[Source], ranges: &mut [(ValueType, Seen)]) {
    let mut sources = sources.to_vec();
    sources.sort_by_key(|it| it.range);
    let of = |range: u32| {
        let begin = sources.partition_point(|it| it.range < range);
        begin..begin + sources[begin..].partition_point(|it| it.range == range)
    };
    let mut begun = vec![false; ranges.len()];
    for source in &sources {
        let mut open = vec![(source.range, false)];
        while let Some((range, is_ready)) = open.pop() {
            if is_ready {
                for source in &sources[of(range)] {
                    let other = ranges[source.from as usize].1;
                    let (ty, seen) = &mut ranges[range as usize];
                    seen.join(other.moved(source.more, *ty));
                }
            } else if !std::mem::replace(&mut begun[range as usize], true) {
                open.push((range, true));
                open.extend(sources[of(range)].iter().map(|it| (it.from, false)));
            }
        }
    }
}

/// Fills in how often the blocks of a function ran that are not counted themselves.
pub(super) fn sum_up(function: &Function, counters: &mut [u64]) {
    let flow = Flow::new(function);
    let mut begun = vec![false; function.segments.len()];
    for start in 0..function.segments.len() as u32 {
        let mut open = vec![(start, false)];
        while let Some((index, is_ready)) = open.pop() {
            let segment = &function.segments[index as usize];
            let ways = flow.ways(index);
            if is_ready {
                let count =
                    |way: &Way| counters[way.counter.unwrap_or(function.segments[way.like as usize].counter) as usize];
                counters[segment.counter as usize] = ways.iter().map(count).fold(0, u64::saturating_add);
            } else if !ways.is_empty() && !std::mem::replace(&mut begun[index as usize], true) {
                open.push((index, true));
                open.extend(ways.iter().filter(|it| it.counter.is_none()).map(|it| (it.like, false)));
            }
        }
    }
}

/// A way between two blocks: its counter, or the block that runs as often.
struct Way {
    counter: Option<u32>,
    like: u32,
}

/// The ways that blocks are counted on.
struct Flow<'a> {
    function: &'a Function,
    /// Of each segment: where control comes from, and which way it is there.
    before: Vec<Vec<(u32, u32)>>,
}

impl Flow<'_> {
    fn new(function: &Function) -> Flow<'_> {
        let mut before = vec![Vec::new(); function.segments.len()];
        for (from, segment) in function.segments.iter().enumerate() {
            for (way, to) in segment.successors.iter().enumerate() {
                before[*to as usize].push((from as u32, way as u32));
            }
        }
        Flow { function, before }
    }

    /// None for a block that is counted itself.
    fn ways(&self, index: u32) -> Vec<Way> {
        let segment = &self.function.segments[index as usize];
        let counter = |from: u32, way: u32| {
            self.function.segments[from as usize].ways.iter().find(|it| it.0 == way).map(|it| it.1)
        };
        match segment.counted {
            Counted::Itself => Vec::new(),
            Counted::Behind => (0..)
                .zip(&segment.successors)
                .map(|(way, to)| Way { counter: counter(index, way), like: *to })
                .collect(),
            Counted::Before => self.before[index as usize]
                .iter()
                .map(|&(from, way)| Way { counter: counter(from, way), like: from })
                .collect(),
        }
    }
}
