//! The programs in `examples/`: each has one fault, which a comment on its line names, and `faultline explain` must
//! find it. `docs/gallery.md` shows what it says; it is written by this test when blessing, and checked else: what the
//! page says of a program must be what is found, unless a busy machine left no time for the patch.

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::golden::blessing;
use crate::process::{faultline, finish, root};

/// Lines that say what is wrong in them: `// fault: off by one, >=`.
const MARK: &str = "// fault: ";
/// Where a program says how it is explained.
const COMMAND: &str = "faultline explain ";
/// The right line first in so many of the ten, and a checked patch for it in so many.
const FIRST: usize = 8;
const PATCHED: usize = 7;
/// The longest that one may take; more than it does, for a busy machine.
const LONGEST: Duration = Duration::from_secs(40);

const HEAD: &str = "# Gallery

Ten programs with one fault each, from [examples/](../examples), and what `faultline explain` says about them. The page is
written and checked by a test (`crates/faultline/tests/suite/gallery.rs`), which also demands that the faulty line, which a
comment in each program marks, is the first suspect in at least eight of them and among the first three in all.

";

/// A program with a fault.
struct Example {
    name: String,
    /// Off by one, wrong operator, and so on.
    kind: String,
    line: u64,
    arguments: Vec<String>,
}

impl Example {
    fn all() -> Vec<Example> {
        let folder = fs::read_dir(root().join("examples")).expect("the examples are there");
        let mut files: Vec<_> = folder.map(|it| it.expect("a folder can be read").path()).collect();
        files.retain(|it| it.extension().is_some_and(|extension| extension == "c"));
        files.sort();
        files.iter().map(|file| Example::read(&file.file_stem().unwrap_or_default().to_string_lossy())).collect()
    }

    fn read(name: &str) -> Example {
        let text = fs::read_to_string(root().join(format!("examples/{name}.c"))).expect("the example can be read");
        let marks: Vec<(u64, &str)> =
            (1..).zip(text.lines()).filter_map(|(line, text)| Some((line, text.split_once(MARK)?.1))).collect();
        let [(line, mark)] = marks[..] else { panic!("{name} has one fault") };
        let command = text.lines().find_map(|line| Some(line.split_once(COMMAND)?.1)).expect("it says how to run it");
        Example {
            name: name.to_owned(),
            kind: mark.split(',').next().unwrap_or(mark).to_owned(),
            line,
            arguments: command.split_whitespace().map(str::to_owned).collect(),
        }
    }

    fn explain(&self) -> (Vec<Value>, Duration) {
        let mut arguments = vec!["explain".to_owned(), "--format".to_owned(), "json".to_owned()];
        arguments.extend(self.arguments.iter().cloned());
        let started = Instant::now();
        let run = finish(&mut faultline(arguments), b"");
        let spent = started.elapsed();
        let document: Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
        (document["diagnosis"]["suspects"].as_array().cloned().unwrap_or_default(), spent)
    }

    /// What the page says about it.
    fn show(&self, suspects: &[Value], rank: usize) -> String {
        let mut page = String::new();
        let mut kind = self.kind.clone();
        kind[..1].make_ascii_uppercase();
        let suspect = &suspects[rank - 1];
        let (text, why) = (suspect["text"].as_str().unwrap_or_default(), suspect["why"].as_str().unwrap_or_default());
        let file = format!("examples/{}.c", self.name);
        writeln!(page, "## {kind}: [{}.c](../{file})\n", self.name).expect("a string can be written");
        let place = if rank == 1 { "the first suspect".to_owned() } else { format!("suspect {rank}") };
        let command = self.arguments.join(" ");
        writeln!(page, "With `faultline explain {command}`, {place} is line {}, `{text}`: {why}.\n", self.line)
            .expect("the same");
        if let Some(diff) = suspect["fix"]["diff"].as_str() {
            let checked = suspect["fix"]["checked"].as_str().unwrap_or_default();
            // Empty lines of the context are shown without their mark.
            let diff = diff.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
            writeln!(page, "The patch (checked: {checked}):\n\n```diff\n{}\n```\n", diff.trim_end()).expect("the same");
        }
        page
    }
}

/// Without how far loops were followed, which is as far as the time allowed.
fn unbounded(text: &str) -> String {
    const BEFORE: &str = "no loop goes back more than ";
    let mut parts = text.split(BEFORE);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, part| told + BEFORE + part.trim_start_matches(|it: char| it.is_ascii_digit()))
}

#[test]
fn the_fault_of_each_example_is_found() {
    let examples = Example::all();
    assert_eq!(examples.len(), 10);
    let mut kinds: Vec<&str> = examples.iter().map(|it| it.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 10, "each has its own kind of fault: {kinds:?}");
    let file = root().join("docs/gallery.md");
    let known = fs::read_to_string(&file).unwrap_or_default();
    let (mut page, mut told) = (HEAD.to_owned(), String::new());
    let (mut first, mut patched) = (0, 0);
    // One after the other, as a user runs them: each may use all cores.
    for example in &examples {
        let (suspects, spent) = example.explain();
        let rank =
            1 + suspects.iter().position(|it| it["line"].as_u64() == Some(example.line)).unwrap_or(usize::MAX - 1);
        let lines: Vec<&Value> = suspects.iter().map(|it| &it["line"]).take(5).collect();
        writeln!(told, "{}: line {} has rank {rank} in {lines:?}, {spent:.1?}", example.name, example.line)
            .expect("a string can be written");
        assert!(rank <= 3, "{told}");
        assert!(spent < LONGEST, "{told}");
        first += usize::from(rank == 1);
        let is_patched = rank == 1 && suspects[0]["fix"]["checked"].as_str().is_some_and(|it| it != "none");
        patched += usize::from(is_patched);
        let shown = example.show(&suspects, rank);
        let is_known = unbounded(&known).contains(unbounded(shown.trim_end()).as_str());
        let is_known = is_known || !is_patched && known.contains(&example.name);
        assert!(blessing() || is_known, "docs/gallery.md does not show this:\n{shown}");
        page.push_str(&shown);
    }
    println!("{told}");
    assert!(first >= FIRST && patched >= PATCHED, "{first} first, {patched} with a checked patch\n{told}");
    if blessing() {
        fs::write(&file, format!("{}\n", page.trim_end())).expect("the page can be written");
    }
}
