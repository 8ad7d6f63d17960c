//! The test coverage matrix as text, which FLITSR reads, and GZoltar's converters.
//!
//! ```text
//! #tests
//! NAME PASSED|FAILED
//!
//! #uuts
//! ELEMENT
//!
//! #matrix
//! NUMBER COUNT NUMBER COUNT …
//! ```
//! A row of the matrix belongs to the test of the same place, and names the elements that it executed, from 0, and how often.
//! Names have no blanks.

use super::Matrix;

/// The elements' names stand in the order of the matrix.
pub fn text(matrix: &Matrix, elements: &[String]) -> String {
    let name = |text: &str| text.replace(char::is_whitespace, "_");
    let mut text = String::from("#tests\n");
    for run in &matrix.runs {
        text.push_str(&format!("{} {}\n", name(&run.name), if run.fails { "FAILED" } else { "PASSED" }));
    }
    text.push_str("\n#uuts\n");
    for element in elements {
        text.push_str(&name(element));
        text.push('\n');
    }
    text.push_str("\n#matrix\n");
    for run in &matrix.runs {
        let cells = run.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let cells: Vec<String> = cells.map(|(element, count)| format!("{element} {count}")).collect();
        text.push_str(&cells.join(" "));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Matrix, Row};

    #[test]
    fn a_small_matrix() {
        let row = |name: &str, fails, counts: &[u64]| Row { name: name.to_owned(), fails, counts: counts.to_vec() };
        let matrix = Matrix { elements: 2, runs: vec![row("bad 1", true, &[3, 1]), row("good", false, &[0, 1])] };
        let text = super::text(&matrix, &["a.c:1".to_owned(), "b c.c:2".to_owned()]);
        let expected = "#tests\nbad_1 FAILED\ngood PASSED\n\n#uuts\na.c:1\nb_c.c:2\n\n#matrix\n0 3 1 1\n1 1\n";
        assert_eq!(text, expected);
    }
}
