//! Depth-first search, without recursion.

/// What has been visited, from however many starts.
pub struct Visits<'a> {
    successors: &'a [Vec<usize>],
    seen: Vec<bool>,
    /// In postorder: a node comes behind all that were first seen from it.
    pub order: Vec<usize>,
}

impl<'a> Visits<'a> {
    pub fn new(successors: &'a [Vec<usize>]) -> Visits<'a> {
        Visits { successors, seen: vec![false; successors.len()], order: Vec::with_capacity(successors.len()) }
    }

    pub fn has_seen(&self, node: usize) -> bool {
        self.seen[node]
    }

    /// Visits a node and all that it leads to, but for those that were seen before.
    pub fn visit(&mut self, start: usize) {
        if std::mem::replace(&mut self.seen[start], true) {
            return;
        }
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            match self.successors[*node].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut self.seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => {
                    self.order.push(*node);
                    path.pop();
                }
            }
        }
    }
}

/// The same edges, each the other way.
pub fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        for &to in targets {
            predecessors[to].push(from);
        }
    }
    predecessors
}
