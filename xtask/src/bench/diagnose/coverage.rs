//! The ranks that coverage alone gives to lines, from the matrix that `--tcm` writes: computed here once more, from its text.

use anyhow::{Context, Result};

/// Of the best of the lines, with those as suspicious first or last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    pub best: usize,
    pub worst: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByFormula {
    pub tarantula: Option<Ranks>,
    pub ochiai: Option<Ranks>,
}

/// Of the lines that are meant; `None` where no run executes one.
pub fn ranks(matrix: &str, is_meant: impl Fn(&str) -> bool) -> Result<ByFormula> {
    let (tests, rest) = matrix.split_once("\n\n").context("the matrix has no tests")?;
    let (lines, rows) = rest.split_once("\n\n").context("the matrix has no elements")?;
    let lines: Vec<&str> = lines.lines().skip(1).collect();
    let fails = tests.lines().skip(1).map(|it| it.ends_with(" FAILED"));
    let (mut failed, mut passed) = (vec![0.0; lines.len()], vec![0.0; lines.len()]);
    let (mut all_failed, mut all_passed) = (0.0, 0.0);
    for (row, fails) in rows.lines().skip(1).zip(fails) {
        let (counts, all) = if fails { (&mut failed, &mut all_failed) } else { (&mut passed, &mut all_passed) };
        *all += 1.0;
        for element in row.split(' ').step_by(2).filter(|it| !it.is_empty()) {
            let element: usize = element.parse().context("a row of the matrix is no numbers")?;
            *counts.get_mut(element).context("a row of the matrix names no element")? += 1.0;
        }
    }
    let part = |count: f64, all: f64| if all > 0.0 { count / all } else { 0.0 };
    let each = |score: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        let scores = failed.iter().zip(&passed).map(|(failed, passed)| score(*failed, *passed));
        scores.map(|it| if it.is_nan() { 0.0 } else { it }).collect()
    };
    let tarantula = each(&|ef, ep| part(ef, all_failed) / (part(ef, all_failed) + part(ep, all_passed)));
    let ochiai = each(&|ef, ep| ef / (all_failed * (ef + ep)).sqrt());
    let of = |scores: &[f64]| {
        let meant = scores.iter().zip(&lines).filter(|(_, line)| is_meant(line)).map(|(score, _)| *score);
        let best = meant.max_by(f64::total_cmp)?;
        let above = scores.iter().filter(|it| **it > best).count();
        let same = scores.iter().filter(|it| **it == best).count();
        Some(Ranks { best: above + 1, worst: above + same })
    };
    Ok(ByFormula { tarantula: of(&tarantula), ochiai: of(&ochiai) })
}

#[cfg(test)]
mod tests {
    use super::{ByFormula, Ranks, ranks};

    const MATRIX: &str = "#tests\ngood-01 PASSED\ngood-02 PASSED\nbad-01 FAILED\n\n\
                          #uuts\na.c:1\na.c:2\na.c:3\na.c:4\n\n\
                          #matrix\n0 1 1 5\n0 1\n0 1 1 2 2 1 3 1\n";

    #[test]
    fn ties_give_a_range() {
        let same = |best, worst| Some(Ranks { best, worst });
        let of = |line: &str| ranks(MATRIX, |it| it == line).unwrap();
        assert_eq!(of("a.c:3"), ByFormula { tarantula: same(1, 2), ochiai: same(1, 2) });
        assert_eq!(of("a.c:2"), ByFormula { tarantula: same(3, 3), ochiai: same(3, 3) });
        assert_eq!(of("a.c:1"), ByFormula { tarantula: same(4, 4), ochiai: same(4, 4) });
        assert_eq!(of("a.c:9"), ByFormula { tarantula: None, ochiai: None });
    }

    #[test]
    fn what_is_no_matrix_is_an_error() {
        assert!(ranks("", |_| true).is_err());
        assert!(ranks("#tests\n\n#uuts\na.c:1\n\n#matrix\n7 1\n", |_| true).is_ok(), "there is no test for the row");
        assert!(ranks("#tests\nbad FAILED\n\n#uuts\na.c:1\n\n#matrix\n7 1\n", |_| true).is_err());
    }
}
