//! How far an input is from another: bytes to insert, delete or replace.

/// The edit distance (Levenshtein).
pub fn distance(one: &[u8], other: &[u8]) -> usize {
    rapidfuzz::distance::levenshtein::distance(one.iter().copied(), other.iter().copied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::distance;

    /// By the textbook.
    fn slow(one: &[u8], other: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in one.iter().enumerate() {
            let mut before = i;
            row[0] = i + 1;
            for (j, b) in other.iter().enumerate() {
                let diagonal = before + usize::from(a != b);
                before = row[j + 1];
                row[j + 1] = diagonal.min(before + 1).min(row[j] + 1);
            }
        }
        row[other.len()]
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(97..101u8, 0..90)
    }

    proptest! {
        #[test]
        fn laws(a in text(), b in text(), c in text()) {
            prop_assert_eq!(distance(&a, &b), slow(&a, &b));
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert_eq!(distance(&a, &b) == 0, a == b);
            prop_assert!(distance(&a, &c) <= distance(&a, &b) + distance(&b, &c));
        }
    }
}
