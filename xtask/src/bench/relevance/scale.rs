//! What a statement costs to localize on, from 100 to 10,000 statements.
//!
//! Input: loops that fail after their last round: one that adds up a number, one that fills an array, and one that
//! fills it and adds it up. Output: a row per engine, kind and length with milliseconds for each statement, and
//! `relevance-scale.tsv`. True if relevance answers on all of them, and if its cost for a statement grows by less than
//! `MOST_GROWTH` on the way.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::super::table::Table;
use super::measure;

/// Rounds of the loops: each has three statements, six for the last kind.
const ROUNDS: [u32; 3] = [32, 330, 3330];
const ENGINES: [&str; 4] = ["relevance", "error-invariants", "flow-sensitive", "max-sat"];
const MOST_GROWTH: f64 = 4.0;

/// The name of each kind, and its body with the number of rounds.
fn programs(rounds: u32) -> [(&'static str, String); 3] {
    let sum = format!(
        "#include <assert.h>\nint main(void) {{\n  int sum = 0;\n  int i = 0;\n  while (i < {rounds}) {{\n    \
         sum = sum + i;\n    i = i + 1;\n  }}\n  assert(sum < 0);\n  return 0;\n}}\n"
    );
    let array = format!(
        "#include <assert.h>\nint a[{rounds}];\nint main(void) {{\n  int i = 0;\n  while (i < {rounds}) {{\n    \
         a[i] = i;\n    i = i + 1;\n  }}\n  assert(a[{}] == 7);\n  return 0;\n}}\n",
        rounds / 2
    );
    let both = format!(
        "#include <assert.h>\nint a[{rounds}];\nint main(void) {{\n  int sum = 0;\n  int i = 0;\n  \
         while (i < {rounds}) {{\n    a[i] = i % 10;\n    i = i + 1;\n  }}\n  i = 0;\n  while (i < {rounds}) {{\n    \
         sum = sum + a[i];\n    i = i + 1;\n  }}\n  assert(sum == 7);\n  return 0;\n}}\n"
    );
    [("sum", sum), ("array", array), ("sum of an array", both)]
}

pub fn run(results: &Path, faultline: &Path, timeout: u64) -> Result<bool> {
    let folder = results.join("relevance-scale");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut table = Table::new(&["engine", "kind", "statements", "undecided", "localized s", "ms a statement"]);
    let mut is_flat = true;
    for engine in ENGINES {
        let mut first: [Option<f64>; 3] = [None; 3];
        for rounds in ROUNDS {
            for (number, (kind, text)) in programs(rounds).into_iter().enumerate() {
                let file = folder.join(format!("{}-{rounds}.c", kind.replace(' ', "-")));
                fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
                let measured = measure(faultline, &file, &["--engine", engine], timeout)?;
                let each = measured.localized.zip(measured.statements).map(|(time, count)| 1000.0 * time / count);
                let undecided = measured.undecided.unwrap_or(f64::INFINITY);
                if engine == "relevance" {
                    let known = first[number].or(each);
                    let grown = each.zip(known).map_or(f64::INFINITY, |(each, known)| each / known);
                    is_flat &= grown < MOST_GROWTH && undecided == 0.0;
                    first[number] = known;
                }
                let cell = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.3}"));
                table.row([
                    engine.to_owned(),
                    kind.to_owned(),
                    measured.statements.map_or_else(String::new, |it| it.to_string()),
                    measured.undecided.map_or_else(String::new, |it| it.to_string()),
                    cell(measured.localized),
                    cell(each),
                ]);
            }
        }
    }
    print!("{table}");
    println!("relevance costs less than {MOST_GROWTH} times as much for a statement of the longest loops: {is_flat}");
    table.write_tsv(&results.join("relevance-scale.tsv"))?;
    Ok(is_flat)
}
