//! Response files: `@file` stands for the arguments in a file, quoted as in a shell, with more such files in them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::Error;

/// Files that name themselves end here.
const DEEPEST: usize = 20;

/// The arguments with those of response files in their places. What is no file stays as it is, as compilers have it.
pub fn expand(arguments: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let mut expanded = Vec::new();
    for argument in arguments {
        add(argument, DEEPEST, &mut expanded)?;
    }
    Ok(expanded)
}

fn add(argument: OsString, depth: usize, expanded: &mut Vec<OsString>) -> Result<(), Error> {
    let Some(name) = argument.as_bytes().strip_prefix(b"@") else {
        expanded.push(argument);
        return Ok(());
    };
    let path = Path::new(std::ffi::OsStr::from_bytes(name));
    if !path.is_file() {
        expanded.push(argument);
        return Ok(());
    }
    if depth == 0 {
        return Err(Error::Usage(format!("response files are nested too deeply at {}", path.display())));
    }
    let bytes = std::fs::read(path).map_err(Error::file("read", path))?;
    for argument in split(&bytes) {
        add(argument, depth - 1, expanded)?;
    }
    Ok(())
}

/// Words between blanks; quotes of both kinds and backslashes keep blanks in a word.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', None | Some(b'"')) => {
                if let Some(next) = bytes.next() {
                    word.get_or_insert_default().push(next);
                }
            }
            (_, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(split(text.as_bytes()), expected.iter().map(OsString::from).collect::<Vec<_>>(), "{text}");
        };
        check("-c a.c\n-o\ta.o\n", &["-c", "a.c", "-o", "a.o"]);
        check(r#"-DX="a b" '-DY=c d' e\ f "" "#, &["-DX=a b", "-DY=c d", "e f", ""]);
        check(r#""a\"b" 'c\d'"#, &["a\"b", r"c\d"]);
    }

    #[test]
    fn files_in_files() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        std::fs::write(&one, format!("-a @{} -c", two.display())).unwrap();
        std::fs::write(&two, "-b").unwrap();
        let at = |path: &Path| OsString::from(format!("@{}", path.display()));
        assert_eq!(expand(vec![at(&one), "@none".into()]).unwrap(), ["-a", "-b", "-c", "@none"]);
        std::fs::write(&two, format!("@{}", two.display())).unwrap();
        assert!(expand(vec![at(&two)]).is_err());
    }
}
