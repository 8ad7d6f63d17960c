//! What proofs cost: programs of more and more lines whose checks are all proved by abstract interpretation.
//!
//! Output: lines, checks, seconds, and seconds for a thousand lines, which should stay about the same.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::process::{self, Limits};
use super::table::Table;

const SIZES: [usize; 4] = [1_000, 2_500, 5_000, 10_000];
/// The aims: seconds for the largest program, and how much more a line may cost there than in the smallest.
const MOST_SECONDS: f64 = 60.0;
const MOST_GROWTH: f64 = 1.5;

pub fn run(results: &Path, faultline: &Path) -> Result<bool> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut table = Table::new(&["lines", "verdict", "proved", "checks", "seconds", "seconds per 1000 lines"]);
    let mut costs = Vec::new();
    let mut proved = true;
    for size in SIZES {
        let text = program(size);
        let lines = text.lines().count();
        let file = folder.path().join(format!("lines{size}.c"));
        std::fs::write(&file, text).context("cannot write a program")?;
        let answer = folder.path().join("answer.json");
        let arguments =
            ["check".into(), file.into_os_string(), "--format=json".into(), "--output".into(), answer.clone().into()];
        let limits = Limits { time: Duration::from_secs(300), memory: 8 << 30 };
        let finished = process::run(Path::new("."), faultline, &arguments, limits)?;
        let report = std::fs::read(&answer).unwrap_or_default();
        let report: Value = serde_json::from_slice(&report).unwrap_or_default();
        let seconds = finished.time.as_secs_f64();
        let each = 1000.0 * seconds / lines as f64;
        let everything = report["proved"]["everything"] == true;
        proved &= everything;
        costs.push((seconds, each));
        table.row([
            lines.to_string(),
            report["verdict"].as_str().unwrap_or("none").to_owned(),
            report["proved"]["checks"].as_array().map_or(0, Vec::len).to_string(),
            report["proved"]["of"].as_u64().unwrap_or(0).to_string(),
            format!("{seconds:.2}"),
            format!("{each:.3}"),
        ]);
    }
    print!("{table}");
    table.write_tsv(&results.join("proofs.tsv"))?;
    let (Some(first), Some(last)) = (costs.first(), costs.last()) else { return Ok(false) };
    let growth = last.1 / first.1;
    println!("a line costs {growth:.2} times as much in the largest program as in the smallest");
    Ok(proved && last.0 <= MOST_SECONDS && growth <= MOST_GROWTH)
}

/// A program of about so many lines: functions with loops over their own and over shared arrays, strings, and calls.
fn program(lines: usize) -> String {
    let mut text = String::from("int __VERIFIER_nondet_int(void);\nstatic int shared[64];\nstatic int total;\n");
    let count = lines / 20;
    for number in 0..count {
        let size = 8 + number % 24;
        let _ = write!(
            text,
            "\nstatic int work{number}(int limit, const int *from, int length)\n{{\n    int own[{size}];\n    \
             int index, sum = 0;\n    char name[{size}];\n    if (limit < 0 || limit > {size})\n        \
             limit = {size};\n    for (index = 0; index < {size}; index++)\n        own[index] = index;\n    \
             for (index = 0; index < limit; index++) {{\n        if (index < length)\n            \
             own[index] = from[index] % 100;\n        sum = (sum + own[index]) % 1000;\n    }}\n    \
             for (index = 0; index + 1 < {size}; index++)\n        name[index] = 'a';\n    \
             name[index] = 0;\n    shared[sum & 63] = sum;\n    return name[0] == 'a' ? sum : 0;\n}}\n"
        );
    }
    text.push_str(
        "\nint main(void)\n{\n    int values[16];\n    for (int i = 0; i < 16; i++)\n        values[i] = i;\n",
    );
    for number in 0..count {
        let _ = writeln!(text, "    total = (total + work{number}(__VERIFIER_nondet_int(), values, 16)) % 1000;");
    }
    text.push_str("    return total == 1000;\n}\n");
    text
}
