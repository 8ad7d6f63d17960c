//! The order in which loops nest.

use crate::{Visits, components, is_cyclic};

/// Where nodes stand when loops are unrolled: an order in which every edge leads forward, except those
/// back to the head of a loop around it (Bourdoncle's weak topological order).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nesting {
    /// The node's number in the order.
    pub position: Vec<usize>,
    /// The heads of the loops around each node, the outermost first; a head is in its own loop.
    pub loops: Vec<Vec<usize>>,
}

/// Finds the order; node 0 is the entry.
pub fn nesting(successors: &[Vec<usize>]) -> Nesting {
    let count = successors.len();
    let mut nesting = Nesting { position: vec![0; count], loops: vec![Vec::new(); count] };
    let rank = rank(successors);
    let mut next = 0;
    let all: Vec<usize> = (0..count).collect();
    nest(successors, &rank, &all, &mut Vec::new(), &mut nesting, &mut next);
    nesting
}

/// Orders some nodes, then the insides of each loop among them without its head.
fn nest(
    successors: &[Vec<usize>],
    rank: &[usize],
    nodes: &[usize],
    heads: &mut Vec<usize>,
    nesting: &mut Nesting,
    next: &mut usize,
) {
    let mut local = vec![usize::MAX; successors.len()];
    for (index, &node) in nodes.iter().enumerate() {
        local[node] = index;
    }
    let inside = |node: &usize| local[*node] != usize::MAX;
    let edges: Vec<Vec<usize>> = nodes
        .iter()
        .map(|&node| successors[node].iter().filter(|to| inside(to)).map(|&to| local[to]).collect())
        .collect();
    for component in components(&edges).into_iter().rev() {
        let cyclic = is_cyclic(&component, &edges);
        let mut members: Vec<usize> = component.into_iter().map(|index| nodes[index]).collect();
        members.sort_by_key(|&node| rank[node]);
        let head = members[0];
        if cyclic {
            heads.push(head);
        }
        nesting.position[head] = *next;
        nesting.loops[head] = heads.clone();
        *next += 1;
        if members.len() > 1 {
            nest(successors, rank, &members[1..], heads, nesting, next);
        }
        if cyclic {
            heads.pop();
        }
    }
}

/// The nodes' numbers in reverse postorder: a loop's entry comes before the rest of it.
fn rank(successors: &[Vec<usize>]) -> Vec<usize> {
    let count = successors.len();
    let mut visits = Visits::new(successors);
    (0..count).for_each(|start| visits.visit(start));
    let mut rank = vec![0; count];
    for (position, &node) in visits.order.iter().rev().enumerate() {
        rank[node] = position;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every edge must lead forward or to the head of a loop around its start.
    fn check(successors: &[Vec<usize>], loops: &[&[usize]]) {
        let nesting = nesting(successors);
        for (from, targets) in successors.iter().enumerate() {
            for &to in targets {
                let back = nesting.loops[from].contains(&to);
                assert!(back || nesting.position[from] < nesting.position[to], "{from} -> {to} in {nesting:?}");
            }
        }
        let found: Vec<&[usize]> = nesting.loops.iter().map(Vec::as_slice).collect();
        assert_eq!(found, loops);
    }

    #[test]
    fn a_line_has_no_loops() {
        check(&[vec![1], vec![2], vec![]], &[&[], &[], &[]]);
    }

    #[test]
    fn loops_nest() {
        check(&[vec![1], vec![2, 5], vec![3], vec![2, 4], vec![1], vec![]], &[&[], &[1], &[1, 2], &[1, 2], &[1], &[]]);
    }

    #[test]
    fn a_node_can_loop_on_itself() {
        check(&[vec![0, 1], vec![]], &[&[0], &[]]);
    }

    #[test]
    fn a_loop_with_two_entries_has_one_head() {
        check(&[vec![1, 2], vec![2], vec![1, 3], vec![]], &[&[], &[1], &[1], &[]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let successors: Vec<Vec<usize>> =
            (0..200_000).map(|node| if node + 1 < 200_000 { vec![node + 1] } else { vec![] }).collect();
        assert_eq!(components(&successors).len(), 200_000);
        assert_eq!(nesting(&successors).position[199_999], 199_999);
    }
}
