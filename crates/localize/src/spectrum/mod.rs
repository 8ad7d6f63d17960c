//! Spectrum-based localization: what failing runs execute and passing runs do not.
//!
//! A coverage matrix (which run executed which element) → how suspicious each element is, by one of the formulas that the
//! literature compares ([`Formula`]), and its rank with all ties shown. The formulas are those of Jones and Harrold
//! (Tarantula), Abreu and others (Ochiai, Jaccard, Barinel in its form for single faults), Wong and others (D* with 2), and
//! Naish and others (Op2). An element that nothing executed is never suspicious. [`tcm`] writes the matrix for other tools.
//!
//! Nothing here looks at values or at the order of events: see `likely_invariants` for that.

pub mod lines;
pub mod tcm;

/// Which run executed which element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// How many elements there are.
    pub elements: usize,
    /// A row for each run.
    pub runs: Vec<Row>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub fails: bool,
    /// How often each element was executed.
    pub counts: Vec<u64>,
}

/// In how many runs an element was and was not executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub executed_failing: u32,
    pub executed_passing: u32,
    pub other_failing: u32,
    pub other_passing: u32,
}

/// How suspicious an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    Tarantula,
    Ochiai,
    DStar,
    Op2,
    Barinel,
    Jaccard,
}

impl Formula {
    pub const ALL: [Formula; 6] =
        [Formula::Tarantula, Formula::Ochiai, Formula::DStar, Formula::Op2, Formula::Barinel, Formula::Jaccard];

    pub fn name(self) -> &'static str {
        match self {
            Formula::Tarantula => "tarantula",
            Formula::Ochiai => "ochiai",
            Formula::DStar => "dstar",
            Formula::Op2 => "op2",
            Formula::Barinel => "barinel",
            Formula::Jaccard => "jaccard",
        }
    }

    /// Never NaN; D* is infinite for what all failing runs and no passing run executes.
    pub fn suspiciousness(self, counts: Counts) -> f64 {
        let [ef, ep, nf, np] =
            [counts.executed_failing, counts.executed_passing, counts.other_failing, counts.other_passing]
                .map(f64::from);
        // What does not occur in failing runs is out, and a part of nothing is nothing.
        let part = |above: f64, below: f64| if above == 0.0 { 0.0 } else { above / below };
        match self {
            Formula::Tarantula => {
                let (failing, passing) = (part(ef, ef + nf), part(ep, ep + np));
                part(failing, failing + passing)
            }
            Formula::Ochiai => part(ef, ((ef + nf) * (ef + ep)).sqrt()),
            Formula::DStar => part(ef * ef, ep + nf),
            Formula::Op2 => ef - part(ep, ep + np + 1.0),
            Formula::Barinel => part(ef, ep + ef),
            Formula::Jaccard => part(ef, ef + nf + ep),
        }
    }
}

/// Where an element stands among all, from 1: if it came first among its equals, last, and between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    pub best: usize,
    pub average: f64,
    pub worst: usize,
}

impl Matrix {
    pub fn counts(&self, element: usize) -> Counts {
        let mut counts = Counts::default();
        for run in &self.runs {
            let cell = match (run.counts.get(element).copied().unwrap_or(0) > 0, run.fails) {
                (true, true) => &mut counts.executed_failing,
                (true, false) => &mut counts.executed_passing,
                (false, true) => &mut counts.other_failing,
                (false, false) => &mut counts.other_passing,
            };
            *cell += 1;
        }
        counts
    }

    pub fn scores(&self, formula: Formula) -> Vec<f64> {
        (0..self.elements).map(|element| formula.suspiciousness(self.counts(element))).collect()
    }
}

/// The rank of each element by its score, the highest first.
pub fn ranks(scores: &[f64]) -> Vec<Rank> {
    let mut sorted: Vec<f64> = scores.to_vec();
    sorted.sort_by(|one, other| other.total_cmp(one));
    let rank = |score: &f64| {
        let before = sorted.partition_point(|it| it.total_cmp(score).is_gt());
        let until = sorted.partition_point(|it| it.total_cmp(score).is_ge());
        Rank { best: before + 1, average: (before + 1 + until) as f64 / 2.0, worst: until }
    };
    scores.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The program `mid` of Jones and Harrold (2005), Figure 1: six tests, the last fails, the fault is in statement 7.
    fn mid() -> Matrix {
        let rows =
            ["1111100001111", "1110100000001", "1111000110001", "1111001000001", "1111000110001", "1111110000001"];
        let runs = rows.iter().enumerate().map(|(index, row)| Row {
            name: format!("t{index}"),
            fails: index == 5,
            counts: row.bytes().map(|it| u64::from(it - b'0')).collect(),
        });
        Matrix { elements: 13, runs: runs.collect() }
    }

    #[test]
    fn formulas() {
        let counts = Counts { executed_failing: 2, executed_passing: 1, other_failing: 1, other_passing: 4 };
        let expected = [
            (Formula::Tarantula, (2.0 / 3.0) / (2.0 / 3.0 + 1.0 / 5.0)),
            (Formula::Ochiai, 2.0 / 3.0),
            (Formula::DStar, 2.0),
            (Formula::Op2, 2.0 - 1.0 / 6.0),
            (Formula::Barinel, 2.0 / 3.0),
            (Formula::Jaccard, 0.5),
        ];
        for (formula, expected) in expected {
            let found = formula.suspiciousness(counts);
            assert!((found - expected).abs() < 1e-12, "{}: {found}", formula.name());
        }
    }

    #[test]
    fn what_only_the_failing_run_executes_comes_first() {
        let matrix = mid();
        for formula in Formula::ALL {
            let ranks = ranks(&matrix.scores(formula));
            assert_eq!((ranks[5].best, ranks[5].worst), (1, 1), "{}", formula.name());
        }
    }

    #[test]
    fn ties_are_shown() {
        let found = ranks(&[0.5, 1.0, 0.5, f64::INFINITY, 0.5]);
        assert_eq!(found[0], Rank { best: 3, average: 4.0, worst: 5 });
        assert_eq!(found[3], Rank { best: 1, average: 1.0, worst: 1 });
        assert!(ranks(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn scores_are_numbers_and_ranks_agree(cells in proptest::collection::vec((0..9u32, 0..9u32, 0..9u32, 0..9u32), 1..30)) {
            let counts = cells.iter().map(|&(executed_failing, executed_passing, other_failing, other_passing)| {
                Counts { executed_failing, executed_passing, other_failing, other_passing }
            });
            let counts: Vec<Counts> = counts.collect();
            for formula in Formula::ALL {
                let scores: Vec<f64> = counts.iter().map(|it| formula.suspiciousness(*it)).collect();
                prop_assert!(scores.iter().all(|it| !it.is_nan()));
                let ranks = ranks(&scores);
                for (one, rank) in scores.iter().zip(&ranks) {
                    prop_assert_eq!(scores.iter().filter(|it| *it > one).count() + 1, rank.best);
                    prop_assert_eq!(scores.iter().filter(|it| *it >= one).count(), rank.worst);
                }
            }
        }
    }
}
