//! Control dependence inside a function: which branches decide whether a segment is executed.
//!
//! A segment depends on a branch if one way from there always comes to it and another may not (Ferrante, Ottenstein and
//! Warren). A single end is added: every segment without a successor leads to it, and so does one of each part that never ends.
//!
//! A call that may throw decides about what catches, but not about what comes next: otherwise, in C++, all would depend on all calls
//! before it.

use graph::{Visits, reversed, until};
use rustc_hash::FxHashSet;

use crate::recording::{Function, Segment};

/// For each segment with a branch, the segments that depend on it.
pub struct Control {
    controlled: Vec<Controlled>,
    /// Segments that run whenever the function does.
    unconditional: Vec<bool>,
}

/// Segments of a function: bits from a first one, or if these were too many the segments in order.
#[derive(Clone, Default)]
struct Controlled {
    first: u32,
    bits: Vec<u64>,
    far: Vec<u32>,
}

/// Words of bits: so many are no matter, nor so many for each segment.
const FEW: usize = 64;
const FEW_EACH: usize = 8;

impl Controlled {
    /// Of segments in order.
    fn of(segments: Vec<u32>) -> Controlled {
        let (Some(&first), Some(&last)) = (segments.first(), segments.last()) else { return Controlled::default() };
        let words = (last - first) as usize / 64 + 1;
        if words > FEW.max(FEW_EACH * segments.len()) {
            return Controlled { far: segments, ..Controlled::default() };
        }
        let mut bits = vec![0; words];
        for segment in segments {
            bits[(segment - first) as usize / 64] |= 1 << ((segment - first) % 64);
        }
        Controlled { first, bits, far: Vec::new() }
    }

    fn contains(&self, segment: u32) -> bool {
        let at = segment.wrapping_sub(self.first);
        match self.bits.get(at as usize / 64) {
            Some(word) => word >> (at % 64) & 1 != 0,
            None => self.far.binary_search(&segment).is_ok(),
        }
    }
}

impl Control {
    pub fn of(function: &Function) -> Control {
        let numbers = |it: &Segment| it.successors.iter().map(|to| *to as usize).collect();
        let mut successors: Vec<Vec<usize>> = function.segments.iter().map(numbers).collect();
        // Where it goes on comes first.
        let throws = |(_, segment): &(usize, &Segment)| segment.calls && segment.successors.len() == 2;
        let throws = function.segments.iter().enumerate().filter(throws).map(|(index, _)| index);
        let thrown = throws.filter_map(|call| Some((call, successors[call].pop()?))).collect::<Vec<_>>();
        Control::of_graph(&successors, &thrown)
    }

    /// Of a graph with calls that may go on elsewhere, too.
    fn of_graph(successors: &[Vec<usize>], thrown: &[(usize, usize)]) -> Control {
        let count = successors.len();
        let parents = postdominators(successors);
        let mut controlled: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut unconditional = vec![true; count];
        for (branch, ways) in successors.iter().enumerate().filter(|(_, ways)| ways.len() > 1) {
            let decided = ways.iter().flat_map(|&way| until(parents[branch], way, &parents));
            controlled[branch] = decided.map(|it| it as u32).collect();
        }
        for &(call, catches) in thrown {
            let always: FxHashSet<usize> = until(None, call, &parents).collect();
            let decided = until(None, catches, &parents).take_while(|it| !always.contains(it) && *it < count);
            controlled[call].extend(decided.map(|it| it as u32));
        }
        for segments in &mut controlled {
            segments.sort_unstable();
            segments.dedup();
            segments.iter().for_each(|&segment| unconditional[segment as usize] = false);
        }
        Control { controlled: controlled.into_iter().map(Controlled::of).collect(), unconditional }
    }

    pub fn decides(&self, branch: u32, segment: u32) -> bool {
        self.controlled[branch as usize].contains(segment)
    }

    pub fn is_unconditional(&self, segment: u32) -> bool {
        self.unconditional[segment as usize]
    }
}

/// The next post-dominator of each segment; the end is the number behind the last. What cannot end is made to, one segment at a
/// time.
fn postdominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let end = successors.len();
    let predecessors = reversed(successors);
    let mut ending = Visits::new(&predecessors);
    let mut forward = successors.to_vec();
    let last = (0..end).filter(|it| successors[*it].is_empty());
    for segment in last.chain((0..end).rev()) {
        if !ending.has_seen(segment) {
            ending.visit(segment);
            forward[segment].push(end);
        }
    }
    forward.push(Vec::new());
    graph::postdominators(&forward, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(successors: &[&[usize]], expected: &[(u32, &[u32])]) {
        check_thrown(successors, &[], expected);
    }

    fn check_thrown(successors: &[&[usize]], thrown: &[(usize, usize)], expected: &[(u32, &[u32])]) {
        let control = Control::of_graph(&successors.iter().map(|it| it.to_vec()).collect::<Vec<_>>(), thrown);
        for (branch, controlled) in expected {
            let found: Vec<u32> = (0..successors.len() as u32).filter(|it| control.decides(*branch, *it)).collect();
            assert_eq!(found, *controlled, "{branch} in {successors:?}");
        }
    }

    #[test]
    fn an_if_and_a_loop() {
        check(&[&[1, 2], &[3], &[3], &[]], &[(0, &[1, 2])]);
        // The head of a loop decides about its body and about itself.
        check(&[&[1], &[2, 3], &[1], &[]], &[(1, &[1, 2])]);
        // An early return decides about the rest.
        check(&[&[1, 2], &[], &[3], &[]], &[(0, &[1, 2, 3])]);
    }

    /// A call in a `try`, what comes behind it, a `catch`, and what comes behind both; then a cleanup that goes on unwinding.
    #[test]
    fn calls_that_may_throw() {
        check_thrown(&[&[1], &[3], &[3], &[]], &[(0, 2)], &[(0, &[2]), (1, &[])]);
        check_thrown(&[&[1], &[], &[]], &[(0, 2)], &[(0, &[2])]);
    }

    #[test]
    fn segments_near_and_far() {
        for far in [9, 70_000] {
            let controlled = Controlled::of(vec![5, 7, far]);
            let found: Vec<u32> = (0..80_000).filter(|it| controlled.contains(*it)).collect();
            assert_eq!(found, [5, 7, far]);
        }
        assert!(!Controlled::of(Vec::new()).contains(0));
    }

    #[test]
    fn loops_that_never_end() {
        check(&[&[1, 2], &[1], &[]], &[(0, &[1, 2])]);
        check(&[&[1], &[2, 0], &[2]], &[(0, &[])]);
    }
}
