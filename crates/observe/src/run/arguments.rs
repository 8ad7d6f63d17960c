//! What stands for the input in a command line.
//!
//! A word that is `@args` becomes the words of the input's first line, which are separated and quoted as in a shell. Where it is a
//! part of a word, as in a command line for the shell, they are quoted again, so that nothing in an input is ever run.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::{ARGUMENTS, Command};

/// The command's words with the arguments that the input has, and what is left of the input.
pub fn with_arguments<'a>(command: &'a Command, input: &'a [u8]) -> (Cow<'a, [OsString]>, &'a [u8]) {
    if !command.takes_arguments() {
        return (Cow::Borrowed(&command.words), input);
    }
    let end = input.iter().position(|it| *it == b'\n').unwrap_or(input.len());
    let (arguments, rest) = (split(&input[..end]), input.get(end + 1..).unwrap_or_default());
    let mut words = Vec::new();
    for word in &command.words {
        match word == ARGUMENTS {
            true => words.extend(arguments.iter().cloned().map(OsString::from_vec)),
            false => words.push(replaced(word, ARGUMENTS, &quoted(&arguments))),
        }
    }
    (Cow::Owned(words), rest)
}

/// Words as a shell has them, or where quotes do not match, what is between blanks. No argument can have a zero byte.
fn split(line: &[u8]) -> Vec<Vec<u8>> {
    let line: Vec<u8> = line.iter().copied().filter(|it| *it != 0).collect();
    shlex::bytes::split(&line).unwrap_or_else(|| {
        line.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty()).map(<[u8]>::to_vec).collect()
    })
}

fn quoted(words: &[Vec<u8>]) -> OsString {
    let joined = shlex::bytes::try_join(words.iter().map(Vec::as_slice));
    OsString::from_vec(joined.unwrap_or_else(|_| unreachable!("no word has a zero byte")))
}

pub fn contains(word: &OsStr, part: &str) -> bool {
    word.as_bytes().windows(part.len()).any(|it| it == part.as_bytes())
}

pub fn replaced(word: &OsStr, part: &str, by: &OsStr) -> OsString {
    let (bytes, mut result, mut at) = (word.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(part.as_bytes()) {
            result.extend_from_slice(by.as_bytes());
            at += part.len();
        } else {
            result.push(bytes[at]);
            at += 1;
        }
    }
    OsString::from_vec(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], input: &str, expected: &[&str], rest: &str) {
        let command = Command::new(words.iter().map(OsString::from).collect());
        let (found, left) = with_arguments(&command, input.as_bytes());
        assert_eq!((&found[..], left), (&expected.iter().map(OsString::from).collect::<Vec<_>>()[..], rest.as_bytes()));
    }

    #[test]
    fn the_first_line_has_arguments() {
        check(&["p", "-x"], "1 2\n3", &["p", "-x"], "1 2\n3");
        check(&["p", "@args", "-x"], "1 '2 3'\n4\n", &["p", "1", "2 3", "-x"], "4\n");
        check(&["p", "@args"], "", &["p"], "");
        check(&["p", "@args"], "it's \0one", &["p", "it's", "one"], "");
    }

    #[test]
    fn nothing_in_an_input_is_run() {
        check(&["sh", "-c", "./p @args | wc"], "a $(b) ';c'", &["sh", "-c", "./p a '$(b)' ';c' | wc"], "");
    }
}
