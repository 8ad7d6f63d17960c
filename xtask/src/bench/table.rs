//! A table of results: aligned columns on the terminal, tab-separated values in a file.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Rows of as many cells as there are columns.
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &[&str]) -> Table {
        Table { columns: columns.iter().map(|it| it.to_string()).collect(), rows: Vec::new() }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        assert_eq!(N, self.columns.len(), "a row has a cell for each column");
        self.rows.push(cells.into());
    }

    pub fn write_tsv(&self, path: &Path) -> Result<()> {
        let lines = std::iter::once(&self.columns).chain(&self.rows);
        let text: String = lines.map(|cells| clean(cells).join("\t") + "\n").collect();
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Numbers stand to the right, words to the left.
    fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row[column].is_empty() || row[column].parse::<f64>().is_ok())
    }
}

/// A tab or a line break in a cell would shift the rest of the table.
fn clean(cells: &[String]) -> Vec<String> {
    cells.iter().map(|cell| cell.replace(['\t', '\n', '\r'], " ")).collect()
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width_of = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]);
            cells.chain([&self.columns[column]]).map(|it| it.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width_of).collect();
        for cells in std::iter::once(&self.columns).chain(&self.rows) {
            let padded = cells.iter().enumerate().map(|(column, cell)| {
                let width = widths[column];
                match self.is_numeric(column) {
                    true => format!("{cell:>width$}"),
                    false => format!("{cell:<width$}"),
                }
            });
            writeln!(f, "{}", padded.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(&["outcome", "programs"]);
        table.row(["agree".into(), "998".into()]);
        table.row(["mismatch".into(), "2".into()]);
        table
    }

    #[test]
    fn columns_are_aligned() {
        let expected = "outcome   programs\n\
                        agree          998\n\
                        mismatch         2\n";
        assert_eq!(sample().to_string(), expected);
    }

    #[test]
    fn tsv_has_one_line_a_row() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tsv");
        let mut table = sample();
        table.row(["two\nlines\tand a tab".into(), "0".into()]);
        table.write_tsv(&path).unwrap();
        let expected = "outcome\tprograms\nagree\t998\nmismatch\t2\ntwo lines and a tab\t0\n";
        assert_eq!(fs::read_to_string(path).unwrap(), expected);
    }
}
