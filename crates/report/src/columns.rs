//! Columns as other tools count them.

/// From a column in bytes, counted from 1, to UTF-16 code units before it in the line. What is beyond the end of the
/// line counts one unit a byte.
pub fn utf16(line: &str, column: u32) -> u32 {
    let bytes = column.saturating_sub(1) as usize;
    let before = line.char_indices().take_while(|(at, _)| *at < bytes);
    let units: usize = before.map(|(_, character)| character.len_utf16()).sum();
    (units + bytes.saturating_sub(line.len())) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_code_units() {
        assert_eq!(utf16("abc", 3), 2);
        assert_eq!(utf16("é = 1", 4), 2);
        assert_eq!(utf16("𝒙 = 1", 6), 3);
        assert_eq!(utf16("ab", 5), 4);
    }
}
