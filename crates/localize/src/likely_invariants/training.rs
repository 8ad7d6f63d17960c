//! What good runs have in common, and where a failing run leaves it (§3.1).

use observe::recording::{BlockId, BranchId, Invariants, Range, SiteId, Value, Ways};

/// What was seen in all good runs.
#[derive(Clone, Debug, Default)]
pub struct Training {
    pub runs: usize,
    /// By the number of the site: the least and the greatest value. `None` where no good run came.
    ranges: Vec<Option<(Value, Value)>>,
    /// The most often that each way of a branch was taken in a run.
    ways: Ways,
    /// By the number of the block: whether one of them executed it.
    executed: Vec<bool>,
}

/// Why an invariant fails in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A value outside the range of good runs.
    Value { good: (Value, Value), here: Range },
    /// A way that no good run took, though they came to the branch: which of its ways, and how often.
    Way { way: usize, times: u64 },
    /// A way that was taken more often than in any good run.
    Often { way: usize, most: u64, times: u64 },
    /// Nothing but where it stopped: the symptom.
    Symptom,
    /// Nothing but that the memory was made here that was not enough.
    Allocated,
    /// Nothing but that the memory was freed here that was used later.
    Freed,
    /// No invariant: some good runs do it, too, but less often.
    Tends { what: Tendency, failing: Share, good: Share },
}

/// What runs may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tendency {
    /// They take a way of a branch.
    Way(usize),
    /// A value is as great as this; and the greatest here.
    AtLeast { bound: Value, here: Value },
    /// A value is as small as this; and the least here.
    AtMost { bound: Value, here: Value },
    /// They execute it.
    Runs,
}

/// So many of so many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub some: u32,
    pub all: u32,
}

impl Reason {
    /// Says less than the others: runs of different inputs differ in how often they go round.
    pub fn is_weak(&self) -> bool {
        matches!(self, Reason::Often { .. })
    }

    /// Nothing but where it is.
    pub fn is_place(&self) -> bool {
        self.is_of_memory() || matches!(self, Reason::Symptom)
    }

    /// Nothing but what was done to the memory that the failure is about.
    pub fn is_of_memory(&self) -> bool {
        matches!(self, Reason::Allocated | Reason::Freed)
    }
}

/// An invariant that fails in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    Site(SiteId, Reason),
    Branch(BranchId, Reason),
}

/// The invariants of good runs, all of one program.
pub fn train(runs: &[Invariants]) -> Training {
    let Some(first) = runs.first() else { return Training::default() };
    let mut training = Training {
        runs: runs.len(),
        ranges: vec![None; first.ranges.len()],
        ways: first.coverage.ways.clone(),
        executed: vec![false; first.coverage.blocks.len()],
    };
    for run in runs {
        for (executed, count) in training.executed.iter_mut().zip(&run.coverage.blocks) {
            *executed |= *count > 0;
        }
        for (known, seen) in training.ranges.iter_mut().zip(&run.ranges) {
            if let Some(seen) = seen {
                *known = Some(known.map_or((seen.min, seen.max), |(min, max)| (min.min(seen.min), max.max(seen.max))));
            }
        }
        training.ways.raise(&run.coverage.ways);
    }
    training
}

impl Training {
    /// How many invariants there are.
    pub fn len(&self) -> usize {
        let branches = self.ways.iter().filter(|it| is_reached(it)).count();
        self.ranges.iter().flatten().count() + branches
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a good run executed a block.
    pub fn executes(&self, block: BlockId) -> bool {
        self.executed.get(block.0 as usize).copied().unwrap_or(false)
    }

    pub fn range(&self, site: SiteId) -> Option<(Value, Value)> {
        self.ranges.get(site.0 as usize).copied().flatten()
    }

    /// Whether a failing run keeps to the range at a site that both came to. `None` where it has no say.
    pub fn holds(&self, site: SiteId, run: &Invariants) -> Option<bool> {
        let (min, max) = self.range(site)?;
        let here = run.ranges.get(site.0 as usize).copied().flatten()?;
        Some(min <= here.min && here.max <= max)
    }

    /// Everything that a run does otherwise than good runs, in the order of places.
    pub fn failed(&self, run: &Invariants) -> Vec<Failed> {
        let mut failed = Vec::new();
        for (index, (known, here)) in self.ranges.iter().zip(&run.ranges).enumerate() {
            let (Some(good), Some(here)) = (*known, *here) else { continue };
            if here.min < good.0 || good.1 < here.max {
                failed.push(Failed::Site(SiteId(index as u32), Reason::Value { good, here }));
            }
        }
        for (id, (most, here)) in (0..).map(BranchId).zip(self.ways.iter().zip(run.coverage.ways.iter())) {
            let mut broken = if is_reached(most) { more_often(most, here) } else { Vec::new() };
            // New ways first, which say more.
            broken.sort_by_key(Reason::is_weak);
            failed.extend(broken.into_iter().map(|reason| Failed::Branch(id, reason)));
        }
        failed
    }
}

/// Whether a good run came to a branch.
fn is_reached(most: &[u64]) -> bool {
    most.iter().any(|it| *it > 0)
}

/// The ways of a branch that were taken more often than ever.
fn more_often(most: &[u64], here: &[u64]) -> Vec<Reason> {
    let ways = most.iter().zip(here).enumerate().filter(|(_, (most, times))| times > most);
    ways.map(|(way, (&most, &times))| match most {
        0 => Reason::Way { way, times },
        _ => Reason::Often { way, most, times },
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::recording::Coverage;

    fn run(ranges: &[Option<(i64, i64)>], branches: &[&[u64]]) -> Invariants {
        let range = |it: &Option<(i64, i64)>| it.map(|(min, max)| Range { min: Value(min), max: Value(max), count: 1 });
        let mut ways = Ways::default();
        branches.iter().for_each(|it| ways.add(it.iter().copied()));
        Invariants { ranges: ranges.iter().map(range).collect(), coverage: Coverage { blocks: Vec::new(), ways } }
    }

    #[test]
    fn values_outside_the_range() {
        let good = [run(&[Some((1, 4)), None, Some((0, 0))], &[]), run(&[Some((3, 9)), None, None], &[])];
        let training = train(&good);
        assert_eq!(training.len(), 2);
        let failed = training.failed(&run(&[Some((2, 10)), Some((5, 5)), Some((0, 0))], &[]));
        let [Failed::Site(SiteId(0), Reason::Value { good, here })] = failed[..] else { panic!("{failed:?}") };
        assert_eq!((good, here.max), ((Value(1), Value(9)), Value(10)));
        // Where no good run came, there is no invariant.
        assert_eq!(training.holds(SiteId(1), &run(&[None, Some((5, 5))], &[])), None);
    }

    #[test]
    fn ways_that_no_good_run_took() {
        let training = train(&[run(&[], &[&[3, 0], &[0, 0], &[2, 2], &[1, 0, 4]])]);
        let failed = training.failed(&run(&[], &[&[3, 1], &[1, 1], &[9, 1], &[2, 1, 4]]));
        let expected = [
            Failed::Branch(BranchId(0), Reason::Way { way: 1, times: 1 }),
            Failed::Branch(BranchId(2), Reason::Often { way: 0, most: 2, times: 9 }),
            Failed::Branch(BranchId(3), Reason::Way { way: 1, times: 1 }),
            Failed::Branch(BranchId(3), Reason::Often { way: 0, most: 1, times: 2 }),
        ];
        assert_eq!(failed, expected);
    }

    #[test]
    fn no_runs_no_invariants() {
        assert!(train(&[]).is_empty());
        assert_eq!(train(&[]).failed(&run(&[Some((1, 2))], &[&[1, 0]])), []);
    }
}
