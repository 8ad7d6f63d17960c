//! The input of the failing run that a diagnosis speaks of, as people can read it.

/// Lines, characters in each, and characters of what is no text, that are shown.
const LINES: usize = 12;
const WIDTH: usize = 160;
const BINARY: usize = 320;
/// Stands for a blank that nobody would see.
const BLANK: char = '·';

/// What the program got in the run that is explained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplainedInput {
    /// The file that has it, if one does.
    pub path: Option<String>,
    pub bytes: usize,
    /// How many the failing input had from which this was made.
    pub given_bytes: Option<usize>,
    /// Lines of text, or where it is no text, one line with its bytes as C writes them.
    pub text: String,
    /// There is more of it than the text tells.
    pub is_cut: bool,
}

impl ExplainedInput {
    pub fn new(input: &[u8], given_bytes: Option<usize>, path: Option<String>) -> ExplainedInput {
        let is_text = |text: &&str| text.chars().all(|it| !it.is_control() || matches!(it, '\n' | '\t' | '\r'));
        let (text, is_cut) = match std::str::from_utf8(input).ok().filter(is_text) {
            Some(text) => lines(text),
            None => escaped(input),
        };
        ExplainedInput { path, bytes: input.len(), given_bytes, text, is_cut }
    }

    /// What it is, in words that its text may follow.
    pub fn words(&self) -> String {
        let size = match self.bytes {
            1 => "1 byte".to_owned(),
            bytes => format!("{bytes} bytes"),
        };
        let origin = self.given_bytes.map_or_else(String::new, |it| format!(", made smaller from {it}"));
        let place = self.path.as_ref().map_or_else(|| " (--inputs DIR keeps it)".to_owned(), |it| format!(" ({it})"));
        let begins = if self.is_cut { ", which begins" } else { "" };
        let blanks = match self.text.lines().any(|it| it.ends_with(BLANK)) {
            true => format!("; {BLANK} is a blank at the end of a line"),
            false => String::new(),
        };
        format!("here, the program runs on an input of {size}{origin}{place}{begins}{blanks}")
    }
}

fn lines(text: &str) -> (String, bool) {
    let mut is_cut = text.lines().count() > LINES;
    let mut line = |line: &str| {
        let ink = line.trim_end_matches(' ');
        let blanks = BLANK.to_string().repeat(line.len() - ink.len());
        let line = format!("{}{blanks}", ink.replace('\r', "\\r"));
        match line.char_indices().nth(WIDTH) {
            None => line,
            Some((at, _)) => {
                is_cut = true;
                format!("{}…", &line[..at])
            }
        }
    };
    let shown: Vec<String> = text.split('\n').take(LINES).map(&mut line).collect();
    (shown.join("\n").trim_end_matches('\n').to_owned(), is_cut)
}

fn escaped(input: &[u8]) -> (String, bool) {
    let mut text = String::new();
    for (index, byte) in input.iter().enumerate() {
        if text.len() >= BINARY {
            return (format!("{text}…"), index < input.len());
        }
        text.extend(std::ascii::escape_default(*byte).map(char::from));
    }
    (text, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &[u8], text: &str, is_cut: bool) {
        let found = ExplainedInput::new(input, None, None);
        assert_eq!((found.text.as_str(), found.is_cut), (text, is_cut));
    }

    #[test]
    fn it_can_be_read() {
        check(b"0-1-1", "0-1-1", false);
        check("GET /é\r\n\tx: 1\r\n\r\n".as_bytes(), "GET /é\\r\n\tx: 1\\r\n\\r", false);
        check(b"\x89PNG\0\n", "\\x89PNG\\x00\\n", false);
        check(b"", "", false);
        check(b"a b  \n   \n", "a b··\n···", false);
        check("1\n".repeat(20).as_bytes(), "1\n".repeat(12).trim_end(), true);
        assert!(ExplainedInput::new(&[7; 4000], None, None).text.chars().count() < 400);
        assert!(ExplainedInput::new("x".repeat(4000).as_bytes(), None, None).is_cut);
    }

    #[test]
    fn in_words() {
        let words = |given, path: Option<&str>| ExplainedInput::new(b"0-1-1", given, path.map(str::to_owned)).words();
        let kept = words(Some(44), Some("near/small.txt"));
        assert_eq!(kept, "here, the program runs on an input of 5 bytes, made smaller from 44 (near/small.txt)");
        let blank = ExplainedInput::new(b"a ", None, Some("small".to_owned())).words();
        assert_eq!(blank, "here, the program runs on an input of 2 bytes (small); · is a blank at the end of a line");
        assert!(words(None, None).ends_with("of 5 bytes (--inputs DIR keeps it)"));
    }
}
