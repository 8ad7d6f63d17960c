//! Control dependence inside a function: which branches decide whether a segment is executed.
//!
//! A segment depends on a branch if one way from there always comes to it and another may not (Ferrante, Ottenstein and
//! Warren). Post-dominators by the iteration of Cooper, Harvey and Kennedy over the reversed graph, whose single root
//! is added: every segment without a successor leads to it, and so does one of each part that never ends.

use crate::recording::Function;

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
        let successors: Vec<&[u32]> = function.segments.iter().map(|it| it.successors.as_slice()).collect();
        Control::of_graph(&successors)
    }

    fn of_graph(successors: &[&[u32]]) -> Control {
        let parents = postdominators(successors);
        let mut controlled: Vec<Vec<u32>> = vec![Vec::new(); successors.len()];
        let mut unconditional = vec![true; successors.len()];
        for (branch, ways) in successors.iter().enumerate() {
            if ways.len() < 2 {
                continue;
            }
            for &way in *ways {
                // From the way up to what comes after the branch in any case.
                let mut at = way as usize;
                while at != parents[branch] && at < successors.len() {
                    controlled[branch].push(at as u32);
                    unconditional[at] = false;
                    at = parents[at];
                }
            }
            controlled[branch].sort_unstable();
            controlled[branch].dedup();
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

/// The next post-dominator of each segment; the added root is the number behind the last.
fn postdominators(successors: &[&[u32]]) -> Vec<usize> {
    let root = successors.len();
    let mut predecessors = vec![Vec::new(); root + 1];
    for (from, ways) in successors.iter().enumerate() {
        for &to in *ways {
            predecessors[to as usize].push(from);
        }
        if ways.is_empty() {
            predecessors[root].push(from);
        }
    }
    let order = reversed_order(&mut predecessors, root);
    let mut position = vec![0; root + 1];
    for (index, &segment) in order.iter().enumerate() {
        position[segment] = index;
    }
    let unknown = usize::MAX;
    let mut parents = vec![unknown; root + 1];
    parents[root] = root;
    let mut ends = vec![false; root];
    for &segment in &predecessors[root] {
        ends[segment] = true;
    }
    loop {
        let mut changed = false;
        for &segment in order.iter().skip(1) {
            let after = successors[segment].iter().map(|it| *it as usize).chain(ends[segment].then_some(root));
            let mut parent = unknown;
            for next in after.filter(|it| parents[*it] != unknown) {
                parent = if parent == unknown { next } else { meet(parent, next, &parents, &position) };
            }
            if parent != parents[segment] {
                parents[segment] = parent;
                changed = true;
            }
        }
        if !changed {
            return parents;
        }
    }
}

fn meet(mut one: usize, mut other: usize, parents: &[usize], position: &[usize]) -> usize {
    while one != other {
        while position[one] > position[other] {
            one = parents[one];
        }
        while position[other] > position[one] {
            other = parents[other];
        }
    }
    one
}

/// Reverse postorder from the root against the edges. What cannot end is made to, one segment at a time.
fn reversed_order(predecessors: &mut [Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; root + 1];
    let mut order = Vec::with_capacity(root + 1);
    seen[root] = true;
    visit(root, predecessors, &mut seen, &mut order);
    order.pop();
    for segment in (0..root).rev() {
        if !seen[segment] {
            predecessors[root].push(segment);
            seen[segment] = true;
            visit(segment, predecessors, &mut seen, &mut order);
        }
    }
    order.push(root);
    order.reverse();
    order
}

fn visit(start: usize, predecessors: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    let mut stack = vec![(start, 0)];
    while let Some((segment, next)) = stack.last_mut() {
        match predecessors[*segment].get(*next) {
            Some(&before) => {
                *next += 1;
                if !seen[before] {
                    seen[before] = true;
                    stack.push((before, 0));
                }
            }
            None => {
                order.push(*segment);
                stack.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(successors: &[&[u32]], expected: &[(u32, &[u32])]) {
        let control = Control::of_graph(successors);
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
