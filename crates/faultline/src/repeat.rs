//! The command that shows a failure again: `faultline run …` with the values that were found.

use std::path::Path;

use program::exec::{Consumed, Run};
use program::{Program, Type};

use crate::arguments::Check;
use crate::unwritten;

/// The command, as a shell takes it.
pub fn command(program: &Program, run: &Run, arguments: &Check, flags: &[String]) -> String {
    let inputs = &run.consumed;
    let mut words = vec!["faultline".to_owned(), "run".to_owned()];
    words.extend(arguments.reading.files.iter().map(|file| quoted(file)));
    words.extend(flags.iter().map(|flag| quote(flag)));
    for options in &arguments.reading.cflags {
        words.push(quote(&format!("--cflags={options}")));
    }
    if let Some(file) = &arguments.reading.compile_commands {
        words.push("--compile-commands".to_owned());
        words.push(quoted(file));
    }
    for (option, values) in [("--property", &arguments.property), ("--no-property", &arguments.no_property)] {
        if !values.is_empty() {
            words.push(option.to_owned());
            words.push(quote(&values.join(",")));
        }
    }
    if inputs.iter().any(|input| is_indeterminate(program, input)) {
        words.push("--indeterminate".to_owned());
    }
    if !inputs.is_empty() {
        words.push("--nondet".to_owned());
        words.push(inputs.iter().map(value).collect::<Vec<_>>().join(","));
    }
    if !run.unwritten.is_empty() {
        words.push("--unwritten".to_owned());
        words.push(unwritten::text(run.unwritten.iter().map(|given| &given.bytes)));
    }
    words.join(" ")
}

/// Whether it is the value of a variable before its first assignment.
pub fn is_indeterminate(program: &Program, input: &Consumed) -> bool {
    !input.source.contains("nondet") && program.find_function(&input.source).is_none()
}

/// A value that `--nondet` reads back exactly.
fn value(input: &Consumed) -> String {
    match input.ty {
        Type::Int(1) => (input.bits & 1).to_string(),
        Type::Int(_) if input.source.ends_with("bool") => (input.bits & 1).to_string(),
        Type::Int(width) => {
            let unused = 128 - u32::from(width);
            ((input.bits << unused) as i128 >> unused).to_string()
        }
        _ => format!("{:#x}", input.bits),
    }
}

fn quoted(path: &Path) -> String {
    quote(&path.display().to_string())
}

/// As a shell takes it.
pub fn quote(text: &str) -> String {
    // A shell takes these as they are, though `shlex` is careful with commas.
    let plain = |it: char| it.is_ascii_alphanumeric() || "_-+=./,:@%".contains(it);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), |quoted| quoted.into_owned())
}
