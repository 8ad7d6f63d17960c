//! Dependence filtering (§5.1): of failed invariants that follow from one another, the first remain.
//!
//! Beyond the paper, which warns that this may drop the cause: what is much further outside its range than all that it
//! follows from remains, too. An input that differs a little is carried through the program as such a little difference; where
//! that grows, something goes wrong.

/// What is known about a node of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// No invariant is here: whatever is wrong goes through.
    Open,
    /// An invariant holds here, so what comes from here is taken to be right.
    Holds,
    Fails,
    /// An invariant fails that says little: it explains nothing, and whatever fails before it explains it.
    FailsFaintly,
}

/// Says for each node that fails on which other one it depends that is as surprising, with nothing between that holds; `None`
/// if on none, or if that one depends on it as well. `producers` has for each node what it depends on.
pub fn explained_by(producers: &[Vec<u32>], status: &[Status], surprise: &[u32]) -> Vec<Option<u32>> {
    let failing: Vec<u32> = (0..status.len() as u32).filter(|it| status[*it as usize] == Status::Fails).collect();
    let mut direct = vec![Vec::new(); status.len()];
    for &node in &failing {
        direct[node as usize] = failing_before(node, producers, status);
    }
    let mut answers = vec![None; status.len()];
    for node in (0..status.len() as u32).filter(|it| status[*it as usize] == Status::FailsFaintly) {
        answers[node as usize] = failing_before(node, producers, status).first().copied();
    }
    for &node in &failing {
        let reached = closure(node, &direct);
        // One that leads back is no explanation: neither came first.
        let is_enough = |it: &&u32| surprise[**it as usize] >= surprise[node as usize];
        let earlier = reached.iter().filter(is_enough).find(|it| !closure(**it, &direct).contains(&node));
        answers[node as usize] = earlier.copied();
    }
    answers
}

/// The failing nodes that one depends on through open ones, in order.
fn failing_before(node: u32, producers: &[Vec<u32>], status: &[Status]) -> Vec<u32> {
    let mut seen = vec![false; status.len()];
    let mut open = vec![node];
    let mut found = Vec::new();
    seen[node as usize] = true;
    while let Some(at) = open.pop() {
        for &before in &producers[at as usize] {
            if std::mem::replace(&mut seen[before as usize], true) {
                continue;
            }
            match status[before as usize] {
                Status::Open | Status::FailsFaintly => open.push(before),
                Status::Fails => found.push(before),
                Status::Holds => {}
            }
        }
    }
    found.sort_unstable();
    found
}

/// All that can be reached, without the start unless it is on a circle.
fn closure(start: u32, direct: &[Vec<u32>]) -> Vec<u32> {
    let mut reached = Vec::new();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for &next in &direct[at as usize] {
            if !reached.contains(&next) {
                reached.push(next);
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use Status::*;

    fn check(edges: &[(u32, u32)], status: &[Status], expected: &[Option<u32>]) {
        let mut producers = vec![Vec::new(); status.len()];
        for (consumer, producer) in edges {
            producers[*consumer as usize].push(*producer);
        }
        assert_eq!(explained_by(&producers, status, &vec![0; status.len()]), expected);
    }

    #[test]
    fn what_grows_remains() {
        let producers = [vec![1], vec![2], vec![]];
        assert_eq!(explained_by(&producers, &[Fails; 3], &[9, 9, 1]), [Some(1), None, None]);
        assert_eq!(explained_by(&producers, &[Fails; 3], &[1, 9, 1]), [Some(1), None, None]);
    }

    #[test]
    fn the_first_failure_remains() {
        check(&[(0, 1), (1, 2)], &[Fails, Open, Fails], &[Some(2), None, None]);
    }

    #[test]
    fn what_holds_stands_between() {
        check(&[(0, 1), (1, 2)], &[Fails, Holds, Fails], &[None, None, None]);
        // But not if there is another way.
        check(&[(0, 1), (1, 2), (0, 3), (3, 2)], &[Fails, Holds, Fails, Open], &[Some(2), None, None, None]);
    }

    #[test]
    fn what_fails_faintly_is_explained_and_explains_nothing() {
        check(&[(0, 1), (1, 2)], &[FailsFaintly, Open, Fails], &[Some(2), None, None]);
        check(&[(0, 1)], &[Fails, FailsFaintly], &[None, None]);
        check(&[(0, 1), (1, 2)], &[Fails, FailsFaintly, Fails], &[Some(2), Some(2), None]);
        check(&[(0, 1), (1, 0)], &[FailsFaintly, Fails], &[Some(1), None]);
        check(&[(0, 1)], &[FailsFaintly, FailsFaintly], &[None, None]);
    }

    #[test]
    fn circles_stay_together() {
        check(&[(0, 1), (1, 0)], &[Fails, Fails], &[None, None]);
        // Unless something outside explains them.
        check(&[(0, 1), (1, 0), (1, 2)], &[Fails, Fails, Fails], &[Some(2), Some(2), None]);
        check(&[(0, 0)], &[Fails], &[None]);
    }
}
