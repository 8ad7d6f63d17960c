//! Lines of the file that was given, for programs whose text has line markers.
//!
//! A preprocessed file says `# 12 "file.c"`, and debug information then counts the lines of `file.c`.
//! Verifiers mostly count those of the file itself. [`LineMap`] goes from the former to the latter.

use std::collections::BTreeMap;

/// Empty for a file without markers.
#[derive(Debug, Default)]
pub struct LineMap {
    /// By the last part of the file's name and the line that the markers say.
    physical: BTreeMap<(String, u32), u32>,
}

impl LineMap {
    pub fn of(text: &str) -> LineMap {
        let mut map = LineMap::default();
        let mut current: Option<(String, u32)> = None;
        for (line, number) in text.lines().zip(1u32..) {
            if let Some((presumed, file)) = marker(line) {
                let file =
                    file.map_or_else(|| current.take().map_or(String::new(), |it| it.0), |it| base(it).to_owned());
                current = Some((file, presumed));
            } else if let Some((file, presumed)) = &mut current {
                map.physical.entry((file.clone(), *presumed)).or_insert(number);
                *presumed = presumed.saturating_add(1);
            }
        }
        map
    }

    pub fn is_empty(&self) -> bool {
        self.physical.is_empty()
    }

    /// The line of the given file; lines before the first marker are what they are.
    pub fn line(&self, path: &str, line: u32) -> Option<u32> {
        if self.is_empty() {
            return Some(line);
        }
        self.physical.get(&(base(path).to_owned(), line)).copied()
    }
}

/// The line that a marker says, and the file, if it names one.
fn marker(line: &str) -> Option<(u32, Option<&str>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_at(rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len()));
    let number = number.parse().ok()?;
    let file = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
    Some((number, file))
}

/// The last part of a path.
pub fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_followed() {
        let map = LineMap::of("# 1 \"a.c\"\nint x;\n# 10 \"dir/b.h\" 1 3\nint y;\nint z;\n#line 2 \"a.c\"\nint w;\n");
        let lines: Vec<_> =
            [("a.c", 1), ("b.h", 11), ("a.c", 2), ("a.c", 7)].map(|(file, line)| map.line(file, line)).into();
        assert_eq!(lines, [Some(2), Some(5), Some(7), None]);
        assert_eq!(LineMap::of("int x;\n#define y\n").line("any.c", 2), Some(2));
    }
}
