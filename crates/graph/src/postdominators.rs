//! Where ways meet again (Cooper, Harvey and Kennedy: *A Simple, Fast Dominance Algorithm*, on the reversed graph).

use crate::{Visits, reversed};

/// The next node that is on all ways from a node to the end, for each node. Nothing for the end, and for a node that does
/// not lead there: such nodes do not count as ways.
pub fn postdominators(successors: &[Vec<usize>], end: usize) -> Vec<Option<usize>> {
    let predecessors = reversed(successors);
    let mut visits = Visits::new(&predecessors);
    visits.visit(end);
    let order = visits.order;
    let mut rank = vec![0; successors.len()];
    for (position, &node) in order.iter().enumerate() {
        rank[node] = position;
    }
    // The end is its own, until all are known.
    let mut next = vec![None; successors.len()];
    next[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|it| **it != end) {
            let known = successors[node].iter().copied().filter(|it| next[*it].is_some());
            let met = known.reduce(|one, other| meet(one, other, &next, &rank));
            changed |= std::mem::replace(&mut next[node], met) != met;
        }
    }
    next[end] = None;
    next
}

/// The nodes from one on to where ways meet, which is not among them: those that a branch decides about, on one of its ways
/// (Ferrante, Ottenstein and Warren: *The Program Dependence Graph and Its Use in Optimization*).
pub fn until(meeting: Option<usize>, from: usize, postdominators: &[Option<usize>]) -> impl Iterator<Item = usize> {
    let inside = move |it: &usize| Some(*it) != meeting;
    std::iter::successors(Some(from).filter(inside), move |it| postdominators[*it].filter(inside))
}

/// The first node that both come to. The rank grows towards the end.
fn meet(mut one: usize, mut other: usize, next: &[Option<usize>], rank: &[usize]) -> usize {
    while one != other {
        let behind = if rank[one] < rank[other] { &mut one } else { &mut other };
        *behind = next[*behind].expect("what is met leads to the end");
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(successors: &[&[usize]], expected: &[Option<usize>]) {
        let successors: Vec<Vec<usize>> = successors.iter().map(|it| it.to_vec()).collect();
        assert_eq!(postdominators(&successors, successors.len() - 1), expected);
    }

    #[test]
    fn ways_meet() {
        check(&[&[1, 2], &[3], &[3], &[]], &[Some(3), Some(3), Some(3), None]);
        check(&[&[1], &[2, 3], &[1], &[]], &[Some(1), Some(3), Some(1), None]);
    }

    #[test]
    fn a_way_that_does_not_end_is_none() {
        check(&[&[1, 2], &[1], &[3], &[]], &[Some(2), None, Some(3), None]);
    }

    /// By the definition: without a node, those that it comes after do not lead to the end.
    fn comes_after(node: usize, before: usize, successors: &[Vec<usize>], end: usize) -> bool {
        let mut without = successors.to_vec();
        without.iter_mut().for_each(|targets| targets.retain(|it| *it != node));
        let mut visits = Visits::new(&without);
        visits.visit(before);
        node != before && !visits.has_seen(end)
    }

    #[test]
    fn random_graphs_as_defined() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let count = random.usize(2..9);
            let mut edges = || (0..random.usize(0..4)).map(|_| random.usize(0..count)).collect();
            let successors: Vec<Vec<usize>> = (0..count).map(|_| edges()).collect();
            let end = count - 1;
            for (node, found) in postdominators(&successors, end).into_iter().enumerate() {
                let mut visits = Visits::new(&successors);
                visits.visit(node);
                let leads = node != end && visits.has_seen(end);
                let after: Vec<usize> =
                    (0..count).filter(|it| leads && comes_after(*it, node, &successors, end)).collect();
                let is_next = |one: usize| after.iter().all(|&it| it == one || comes_after(it, one, &successors, end));
                assert_eq!(found, after.iter().copied().find(|it| is_next(*it)), "{node} in {successors:?}");
            }
        }
    }
}
