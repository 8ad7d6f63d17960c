//! The programs that are measured: a list of them, how each is built, and the command that runs one in each way.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Way;

pub struct Program {
    pub name: String,
    files: Vec<PathBuf>,
    flags: Vec<String>,
    arguments: Vec<String>,
    input: Option<PathBuf>,
    pub rounds: u64,
}

/// The binaries of one program.
pub struct Built {
    pub plain: PathBuf,
    pub observed: PathBuf,
    gcov: PathBuf,
}

/// The programs that a folder's `programs.tsv` lists; it says itself what its columns are.
pub fn programs(folder: &Path) -> Result<Vec<Program>> {
    let path = folder.join("programs.tsv");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let folder = folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(index, line): (usize, &str)| {
        parse(&folder, line).with_context(|| format!("{}:{}: this is no program", path.display(), index + 1))
    };
    lines.map(read).collect()
}

fn parse(folder: &Path, line: &str) -> Result<Program> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [name, files, flags, arguments, input, rounds] = columns[..] else {
        anyhow::bail!("{} columns instead of 6", columns.len());
    };
    let words = |text: &str| text.split_whitespace().filter(|it| *it != "-").map(str::to_owned).collect();
    let rounds = rounds.parse().with_context(|| format!("`{rounds}` is no number of rounds"))?;
    Ok(Program {
        name: name.to_owned(),
        files: files.split_whitespace().map(|it| folder.join(it)).collect(),
        flags: words(flags),
        arguments: words(arguments),
        input: (input != "-").then(|| folder.join(input)),
        rounds,
    })
}

impl Program {
    pub fn input(&self) -> Option<&Path> {
        self.input.as_deref()
    }

    /// Whether it does less with fewer rounds.
    pub fn scales(&self) -> bool {
        self.arguments.iter().any(|it| it.contains("{}"))
    }

    pub fn arguments(&self, rounds: u64) -> Vec<String> {
        self.arguments.iter().map(|it| it.replace("{}", &rounds.to_string())).collect()
    }

    pub fn build(&self, faultline: &Path, folder: &Path) -> Result<Built> {
        let path = |way: &str| folder.join(format!("{}-{way}", self.name));
        let built = Built { plain: path("plain"), observed: path("observed"), gcov: path("gcov") };
        let clang: [OsString; 1] = ["clang-19".into()];
        self.compile(&clang, &[], &built.plain)?;
        self.compile(&[faultline.into(), "cc".into()], &[], &built.observed)?;
        self.compile(&clang, &["--coverage"], &built.gcov)?;
        Ok(built)
    }

    fn compile(&self, compiler: &[OsString], more: &[&str], output: &Path) -> Result<()> {
        let mut command = Command::new(&compiler[0]);
        command.args(&compiler[1..]).args(["-O1", "-g", "-w"]).args(more).args(&self.files).args(["-o"]).arg(output);
        command.args(&self.flags);
        // Where clang leaves what gcov wants.
        command.current_dir(output.parent().unwrap_or(Path::new(".")));
        let status = command.status().with_context(|| format!("cannot start {}", compiler[0].display()))?;
        ensure!(status.success(), "{} does not compile {}", compiler[0].display(), self.name);
        Ok(())
    }

    /// The program in one way; what it records goes into a folder.
    pub fn command(&self, built: &Built, way: Way, folder: &Path, rounds: u64) -> Command {
        let (binary, mode) = match way {
            Way::Plain => (&built.plain, None),
            Way::Idle => (&built.observed, None),
            Way::Exact => (&built.observed, Some("exact")),
            Way::Invariants => (&built.observed, Some("invariants")),
            Way::Trace => (&built.observed, Some("trace")),
            Way::Gcov => (&built.gcov, None),
        };
        let mut command = Command::new(binary);
        command.args(self.arguments(rounds)).current_dir(folder).env_remove("FAULTLINE_OBSERVE");
        command.env("GCOV_PREFIX", folder);
        if let Some(mode) = mode {
            command.env("FAULTLINE_OBSERVE", mode).env("FAULTLINE_OBSERVE_DIR", folder);
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list() {
        let program = parse(Path::new("/suite"), "lua\tonelua.c\t-DMAKE_LUA -lm\ttest.lua {}\t-\t4").unwrap();
        assert_eq!((program.files, program.flags.len()), (vec![PathBuf::from("/suite/onelua.c")], 2));
        assert!(program.input.is_none() && parse(Path::new("/suite"), "lua\tonelua.c").is_err());
        assert_eq!(parse(Path::new("."), "a\ta.c\t-\tx{} y\tin\t4").unwrap().arguments(3), ["x3", "y"]);
    }
}
