//! Strongly connected components.

/// The strongly connected components, each before those that lead to it (Tarjan's algorithm, without
/// recursion).
pub fn components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search::new(successors);
    for start in 0..successors.len() {
        search.visit(start);
    }
    search.found
}

/// Whether control can come back to the component's nodes.
pub fn is_cyclic(component: &[usize], successors: &[Vec<usize>]) -> bool {
    component.len() > 1 || successors[component[0]].contains(&component[0])
}

struct Search<'a> {
    successors: &'a [Vec<usize>],
    order: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    visited: usize,
    found: Vec<Vec<usize>>,
}

impl<'a> Search<'a> {
    fn new(successors: &'a [Vec<usize>]) -> Self {
        let count = successors.len();
        Search {
            successors,
            order: vec![None; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            visited: 0,
            found: Vec::new(),
        }
    }

    fn visit(&mut self, start: usize) {
        if self.order[start].is_some() {
            return;
        }
        self.open(start);
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&successor) = self.successors[node].get(*next) {
                *next += 1;
                match self.order[successor] {
                    None => {
                        self.open(successor);
                        path.push((successor, 0));
                    }
                    Some(order) if self.on_stack[successor] => self.low[node] = self.low[node].min(order),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            self.close(node);
        }
    }

    fn open(&mut self, node: usize) {
        self.order[node] = Some(self.visited);
        self.low[node] = self.visited;
        self.visited += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    /// Takes the component off the stack if this node is the first of it.
    fn close(&mut self, node: usize) {
        if Some(self.low[node]) != self.order[node] {
            return;
        }
        let first = self.stack.iter().rposition(|&one| one == node).expect("an open node is on the stack");
        let component = self.stack.split_off(first);
        for &member in &component {
            self.on_stack[member] = false;
        }
        self.found.push(component);
    }
}
