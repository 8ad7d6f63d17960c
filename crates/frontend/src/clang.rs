//! Running clang: C in, bitcode out.
//!
//! Every file goes through clang, IR files too: what this process then reads was written by the LLVM
//! it is linked with, and a file that makes LLVM abort does so in another process.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::Error;
use crate::inputs::Kind;

/// `-O0` code with all names and places kept. C that compilers used to accept is accepted.
const FLAGS: &[&str] = &[
    "-g",
    "-O0",
    "-fno-discard-value-names",
    "-Xclang",
    "-disable-O0-optnone",
    // Even at -O0 LLVM would inline `always_inline` functions.
    "-Xclang",
    "-disable-llvm-passes",
    "-ffp-contract=off",
    "-fbracket-depth=8192",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-fno-color-diagnostics",
    "-Wno-everything",
    "-Wno-error",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
];

/// With these, bodies of C99's `inline` functions are in the output even if no definition with external linkage
/// was asked for: the program that would not link at `-O0`, and does at `-O2`, has its functions.
pub const KEEP_INLINE: &[&str] = &[
    "-Dinline=inline __attribute__((always_inline))",
    "-D__inline=__inline __attribute__((always_inline))",
    "-D__inline__=__inline__ __attribute__((always_inline))",
];

/// One call of the compiler.
pub struct Job<'a> {
    pub input: &'a Path,
    pub kind: Kind,
    /// The user's flags for this file.
    pub flags: &'a [String],
    /// Where relative paths in the flags start.
    pub directory: Option<&'a Path>,
}

/// The compiler to run: `FAULTLINE_CLANG`, or clang-19 on the path.
pub struct Clang {
    program: OsString,
}

impl Clang {
    /// Finds the compiler and checks its version.
    pub fn find() -> Result<Clang, Error> {
        let program = std::env::var_os("FAULTLINE_CLANG").unwrap_or_else(|| "clang-19".into());
        let name = program.to_string_lossy().into_owned();
        let output = Command::new(&program)
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| Error::NoClang { program: name.clone(), reason: error.to_string() })?;
        let text = String::from_utf8_lossy(&output.stdout);
        let found = text.lines().next().unwrap_or_default();
        if !found.contains("version 19.") {
            let found = if found.is_empty() { "no clang".into() } else { found.to_string() };
            return Err(Error::WrongClang { program: name, found });
        }
        Ok(Clang { program })
    }

    /// Compiles to bitcode at `output`.
    pub fn compile(&self, job: &Job<'_>, output: &Path) -> Result<(), Error> {
        let mut command = self.command(job);
        match job.kind {
            Kind::Ir => command.args(["-x", "ir", "-O0", "-Xclang", "-disable-llvm-passes"]),
            _ => command.args(FLAGS).args(job.flags),
        };
        command.args(["-emit-llvm", "-c"]).arg(job.input).arg("-o").arg(output);
        let result = self.run(&mut command)?;
        if result.status.success() {
            return Ok(());
        }
        let message = message_of(&result);
        let path = job.input.to_path_buf();
        match job.kind {
            Kind::Ir => {
                let version = crate::inputs::bitcode_producer(job.input).unwrap_or_default();
                Err(Error::ForeignBitcode { path, version, message })
            }
            _ => Err(Error::Compile { path, message }),
        }
    }

    /// The lines of a file that the compiler refuses, each once.
    pub fn refused_lines(&self, job: &Job<'_>) -> Result<Vec<u32>, Error> {
        let mut command = self.command(job);
        command.args(FLAGS).args(job.flags);
        command.args(["-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics"]).arg(job.input);
        let result = self.run(&mut command)?;
        let text = String::from_utf8_lossy(&result.stderr);
        let begins = format!("{}:", job.input.display());
        let line = |line: &str| {
            let (place, _) = line.strip_prefix(&begins)?.split_once(": error: ")?;
            place.split(':').next()?.parse::<u32>().ok()
        };
        let mut lines: Vec<u32> = text.lines().filter_map(line).collect();
        lines.dedup();
        Ok(lines)
    }

    /// The text after preprocessing, without line markers: its own lines count.
    pub fn preprocess(&self, job: &Job<'_>) -> Result<Vec<u8>, Error> {
        let mut command = self.command(job);
        command.args(FLAGS).args(job.flags).args(["-E", "-P"]).arg(job.input);
        let result = self.run(&mut command)?;
        match result.status.success() {
            true => Ok(result.stdout),
            false => Err(Error::Compile { path: job.input.into(), message: message_of(&result) }),
        }
    }

    fn command(&self, job: &Job<'_>) -> Command {
        let mut command = Command::new(&self.program);
        command.stdin(Stdio::null());
        // SAFETY: `prctl` may be called between fork and exec. A compiler that nobody waits for should not go on.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            })
        };
        if let Some(directory) = job.directory {
            command.current_dir(directory);
        }
        command
    }

    fn run(&self, command: &mut Command) -> Result<Output, Error> {
        let program = self.program.to_string_lossy().into_owned();
        command.output().map_err(|error| Error::NoClang { program, reason: error.to_string() })
    }
}

fn message_of(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let shown: Vec<&str> =
        text.lines().filter(|line| !line.starts_with("PLEASE submit a bug report")).take(40).collect();
    shown.join("\n")
}

/// An absolute path, for compilers that run in another directory.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.into())
}
