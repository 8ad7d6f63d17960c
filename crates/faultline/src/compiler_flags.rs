//! Compiler options among our own: `faultline run a.c -Iinclude -std=c99 -- args`.
//!
//! They look like nothing that an argument parser knows (`-std=c99` is one option, not three), so they
//! are taken out first. What only matters to the optimizer, the linker or a debugger is dropped: the
//! executor runs unoptimized code and has its own library.

use std::ffi::OsString;

use anyhow::{Context, Result};

/// Options whose value may be the next argument.
const WITH_VALUE: [&str; 11] = [
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-Xclang",
    "--sysroot",
];
/// Beginnings of options that are one argument.
const JOINED: [&str; 8] = ["-std=", "-f", "-m", "-W", "-pthread", "-ansi", "-pedantic", "-nostdinc"];
/// What makes no difference here.
const WITHOUT_EFFECT: [&str; 4] = ["-O", "-g", "-l", "-L"];

/// Separates the compiler's options from ours; those behind `--` belong to the program.
pub fn split(arguments: impl IntoIterator<Item = OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let (mut ours, mut flags) = (Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let bytes = argument.as_encoded_bytes();
        if bytes == b"--" {
            ours.push(argument);
            ours.extend(arguments.by_ref());
        } else if bytes == b"--cflags" {
            // Its value looks like an option of the compiler, but comes apart later.
            ours.push(argument);
            ours.extend(arguments.next());
        } else if let Some(option) = WITH_VALUE.iter().find(|option| bytes.starts_with(option.as_bytes())) {
            let needs_value = bytes == option.as_bytes();
            flags.push(argument);
            flags.extend(needs_value.then(|| arguments.next()).flatten());
        } else if JOINED.iter().any(|beginning| bytes.starts_with(beginning.as_bytes())) || bytes == b"-w" {
            flags.push(argument);
        } else if !WITHOUT_EFFECT.iter().any(|beginning| bytes.starts_with(beginning.as_bytes())) {
            ours.push(argument);
        }
    }
    (ours, flags)
}

/// The flags as the frontend takes them.
pub fn texts(flags: Vec<OsString>) -> Result<Vec<String>> {
    let text = |flag: OsString| {
        flag.into_string().map_err(|flag| anyhow::anyhow!("the compiler option {flag:?} is not valid UTF-8"))
    };
    flags.into_iter().map(text).collect()
}

/// Takes `--cflags` apart as a shell would.
pub fn from_option(options: &[String]) -> Result<Vec<String>> {
    let mut flags = Vec::new();
    for option in options {
        flags.extend(shlex::split(option).with_context(|| format!("a quote is not closed in --cflags {option:?}"))?);
    }
    Ok(flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &str, ours: &str, flags: &str) {
        let words = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(split(words(arguments)), (words(ours), words(flags)), "{arguments}");
    }

    #[test]
    fn options_of_the_compiler_are_taken_out() {
        check("f run a.c -Iinc -D X=1 -std=c99 -q", "f run a.c -q", "-Iinc -D X=1 -std=c99");
        check("f run a.c -O2 -g -lm -Wall -w", "f run a.c", "-Wall -w");
        check("f run a.c -isystem inc --nondet -1", "f run a.c --nondet -1", "-isystem inc");
        check("f run a.c -I", "f run a.c", "-I");
        check("f run a.c --cflags -DX -DY", "f run a.c --cflags -DX", "-DY");
    }

    #[test]
    fn options_of_the_program_are_not() {
        check("f run a.c -- -Iinc -O2", "f run a.c -- -Iinc -O2", "");
    }

    #[test]
    fn quoted_options() {
        let flags = from_option(&["-DNAME='a b' -Iinc".to_owned()]).unwrap();
        assert_eq!(flags, ["-DNAME=a b", "-Iinc"]);
        assert!(from_option(&["'".to_owned()]).is_err());
    }
}
