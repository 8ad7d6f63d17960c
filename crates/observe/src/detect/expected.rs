//! What a program should print.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This, whatever the input, to the byte.
    Always(Vec<u8>),
    /// This on one input, to the byte. What is printed on others is right.
    On { input: Vec<u8>, output: Vec<u8> },
    /// By the input, as tests have it: blanks at the ends of lines do not count. What is printed on others is right.
    ByInput(BTreeMap<Vec<u8>, Vec<u8>>),
}

impl Expected {
    /// What should be printed, where it is known.
    pub fn on(&self, input: &[u8]) -> Option<&[u8]> {
        match self {
            Expected::Always(output) => Some(output),
            Expected::On { input: this, output } => (this == input).then_some(output),
            Expected::ByInput(outputs) => outputs.get(input).map(Vec::as_slice),
        }
    }

    /// What should have been printed instead.
    pub fn instead_of(&self, found: &[u8], input: &[u8]) -> Option<&[u8]> {
        let is_same = |expected: &[u8]| match self {
            Expected::Always(_) | Expected::On { .. } => found == expected,
            Expected::ByInput(_) => same_output(found, expected),
        };
        self.on(input).filter(|it| !is_same(it))
    }
}

/// Whether an output is as expected, but for blanks at the ends of lines and of the whole.
pub fn same_output(found: &[u8], expected: &[u8]) -> bool {
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).trim_end().to_owned();
        text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    found == expected || lines(found) == lines(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_at_ends_do_not_count() {
        assert!(same_output(b"1 2 \n3\n\n", b"1 2\n3"));
        assert!(!same_output(b"1 2\n3", b"1  2\n3"));
    }

    #[test]
    fn what_should_be_printed() {
        let always = Expected::Always(b"4\n".to_vec());
        assert_eq!(always.instead_of(b"4", b"any"), Some(&b"4\n"[..]));
        assert_eq!(always.instead_of(b"4\n", b"any"), None);
        let one = Expected::On { input: b"2 2".to_vec(), output: b"4\n".to_vec() };
        assert_eq!(one.instead_of(b"4", b"2 2"), Some(&b"4\n"[..]));
        assert_eq!(one.instead_of(b"4", b"2 3"), None);
        let tests = Expected::ByInput([(b"2 2".to_vec(), b"4\n".to_vec())].into());
        assert_eq!(tests.instead_of(b"4", b"2 2"), None);
        assert_eq!(tests.instead_of(b"5", b"2 2"), Some(&b"4\n"[..]));
        assert_eq!(tests.instead_of(b"5", b"2 3"), None);
    }
}
