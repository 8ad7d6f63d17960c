//! What the documents show is what users get: every `faultline` command in a console block of the README and of `docs/`
//! is run, page by page, in a copy of the examples.
//!
//! A command with output below it must print just that; one without must not be refused. With `FAULTLINE_BLESS=1` in
//! the environment the outputs are written instead of compared.

use std::fs;
use std::path::Path;
use std::process::Command;

use similar::TextDiff;

use crate::golden::blessing;
use crate::process::{finish, in_parallel, report_all, root};

/// What the commands may name.
const COPIED: [&str; 2] = ["examples", "tests/programs"];
/// Where shells and `man` look.
const HOME_FOLDERS: [&str; 4] =
    [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions", ".local/share/man/man1"];
const BLOCK: &str = "```console\n";
const END: &str = "```\n";
const PROMPT: &str = "$ ";
/// The status with which a command is refused.
const REFUSED: i32 = 2;

#[test]
fn documents_show_real_sessions() {
    let root = root();
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs", "docs/engines"] {
        let files = fs::read_dir(root.join(folder)).expect("the folder is there");
        pages.extend(files.map(|file| file.expect("it can be listed").path()));
    }
    pages.retain(|page| page.extension().is_some_and(|it| it == "md"));
    pages.sort();
    let complaints = in_parallel(&pages, |page| check(&root, page.as_path()));
    report_all("documents", pages.len(), complaints.into_iter().flatten().collect());
}

/// Runs the commands of one page, in their order and in one folder.
fn check(root: &Path, page: &Path) -> Option<String> {
    let text = fs::read_to_string(page).expect("the page can be read");
    if !text.contains(BLOCK) {
        return None;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    prepare(root, folder.path());
    let mut found = String::new();
    let mut refused = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, block)) = rest.split_once(BLOCK) {
        let (block, after) = block.split_once(END).expect("the block has an end");
        found.push_str(&format!("{before}{BLOCK}{}{END}", session(folder.path(), block, &mut refused)));
        rest = after;
    }
    found.push_str(rest);
    if !refused.is_empty() {
        return Some(format!("{}:\n{}", page.display(), refused.join("\n")));
    }
    if blessing() {
        fs::write(page, found).expect("the page can be written");
        return None;
    }
    let diff = TextDiff::from_lines(&text, &found);
    (text != found).then(|| format!("{}\n{}", page.display(), diff.unified_diff()))
}

fn prepare(root: &Path, folder: &Path) {
    for name in COPIED {
        let to = folder.join(name);
        fs::create_dir_all(to.parent().expect("it is below the folder")).expect("a folder can be made");
        let status = Command::new("cp").arg("-r").arg(root.join(name)).arg(to).status();
        assert!(status.is_ok_and(|status| status.success()), "{name} can be copied");
    }
    for name in HOME_FOLDERS {
        fs::create_dir_all(folder.join(name)).expect("a folder can be made");
    }
}

/// A block as it should be: with what its commands print, where something is shown.
fn session(folder: &Path, block: &str, refused: &mut Vec<String>) -> String {
    let mut lines = block.split_inclusive('\n').peekable();
    let mut text = String::new();
    while let Some(line) = lines.next() {
        text.push_str(line);
        let Some(command) = line.strip_prefix(PROMPT).filter(|command| command.starts_with("faultline ")) else {
            continue;
        };
        let mut shows = false;
        while lines.next_if(|line| !line.starts_with(PROMPT)).is_some() {
            shows = true;
        }
        let (status, output) = run(folder, command);
        if status == REFUSED {
            refused.push(format!("{command}{output}"));
        }
        if shows {
            text.push_str(&output);
        }
    }
    text
}

/// Both streams together, as on a terminal.
fn run(folder: &Path, command: &str) -> (i32, String) {
    let ours = Path::new(env!("CARGO_BIN_EXE_faultline")).parent().expect("the binary is in a folder");
    let path = format!("{}:{}", ours.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{{ {}\n}} 2>&1", command.trim_end())).current_dir(folder);
    shell.env("PATH", path).env("HOME", folder).env_remove("NO_COLOR").env_remove("FAULTLINE_CLANG");
    let run = finish(&mut shell, b"");
    (run.status, run.stdout_text())
}
