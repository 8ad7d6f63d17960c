//! The command that the user gave, once more with other options: a tip that works as it is printed.

use std::ffi::OsString;
use std::time::Duration;

use crate::repeat::quote;

/// The command line of this process with these options, each over what was given for it.
pub fn command(changes: &[(&str, String)]) -> String {
    let words = std::env::args_os().skip(1);
    changed(&words.map(lossy).collect::<Vec<_>>(), changes)
}

/// A time as options take it.
pub fn seconds(time: Duration) -> String {
    format!("{}s", time.as_secs().max(1))
}

fn lossy(word: OsString) -> String {
    word.to_string_lossy().into_owned()
}

fn changed(words: &[String], changes: &[(&str, String)]) -> String {
    let end = words.iter().position(|it| it == "--").unwrap_or(words.len());
    let (ours, program) = words.split_at(end);
    let mut told = vec!["faultline".to_owned()];
    let mut rest = ours.iter();
    while let Some(word) = rest.next() {
        let names = |option: &str| word.strip_prefix(option).is_some_and(|it| it.is_empty() || it.starts_with('='));
        match changes.iter().any(|(option, _)| names(option)) {
            true if word.contains('=') => {}
            true => drop(rest.next()),
            false => told.push(quote(word)),
        }
    }
    for (option, value) in changes {
        told.extend([option.to_string(), quote(value)]);
    }
    told.extend(program.iter().map(|it| quote(it)));
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, expected: &str) {
        let words: Vec<String> = words.split('|').map(str::to_owned).collect();
        assert_eq!(changed(&words, &[("--runs", "70".to_owned()), ("--seed", "2".to_owned())]), expected);
    }

    #[test]
    fn options_are_replaced_and_the_program_keeps_its_own() {
        check("reduce|--failing|x|--|./a|@@", "faultline reduce --failing x --runs 70 --seed 2 -- ./a @@");
        check("reduce|--runs|9|--failing|my x|--|./a", "faultline reduce --failing 'my x' --runs 70 --seed 2 -- ./a");
        check(
            "reduce|--seed=1|--runs-more|--|./a|--runs|3",
            "faultline reduce --runs-more --runs 70 --seed 2 -- ./a --runs 3",
        );
    }
}
