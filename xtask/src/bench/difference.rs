//! Which lines of a faulty program differ from the correct one, comments aside.

/// The lines of the second text that a longest common subsequence leaves out; where one is missing, the lines of code
/// before and after it. Spaces, comments and lines of braces do not count.
pub fn different_lines(correct: &str, faulty: &str) -> Vec<u32> {
    let (old, new) = (code(correct), code(faulty));
    let mut longest = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for left in (0..old.len()).rev() {
        for right in (0..new.len()).rev() {
            longest[left][right] = match old[left].1 == new[right].1 {
                true => longest[left + 1][right + 1] + 1,
                false => longest[left + 1][right].max(longest[left][right + 1]),
            };
        }
    }
    let (mut left, mut right, mut found) = (0, 0, Vec::new());
    while left < old.len() || right < new.len() {
        if left < old.len() && right < new.len() && old[left].1 == new[right].1 {
            (left, right) = (left + 1, right + 1);
        } else if right < new.len() && (left == old.len() || longest[left][right + 1] >= longest[left + 1][right]) {
            found.push(new[right].0);
            right += 1;
        } else {
            // What stands instead of it was counted already.
            let before = right.checked_sub(1).map(|it| new[it].0);
            if before.is_none() || !found.contains(&before.unwrap_or_default()) {
                found.extend(before);
                found.extend(new.get(right).map(|line| line.0));
            }
            left += 1;
        }
    }
    found.dedup();
    found
}

/// The lines that have code, with their numbers, without blanks and comments.
fn code(text: &str) -> Vec<(u32, String)> {
    let mut lines = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        let mut kept = String::new();
        let mut rest = line;
        loop {
            if inside {
                let Some(end) = rest.find("*/") else { break };
                (inside, rest) = (false, &rest[end + 2..]);
            }
            let (block, line) = (rest.find("/*"), rest.find("//"));
            match block.filter(|block| line.is_none_or(|line| *block < line)) {
                Some(block) => {
                    kept.push_str(&rest[..block]);
                    (inside, rest) = (true, &rest[block + 2..]);
                }
                None => {
                    kept.push_str(&rest[..line.unwrap_or(rest.len())]);
                    break;
                }
            }
        }
        kept.retain(|it| !it.is_whitespace());
        if kept.contains(|it| !"{}".contains(it)) {
            lines.push((number as u32 + 1, kept));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ() {
        assert_eq!(different_lines("a;\nb;\nc;\n", "a;\n/* new\n */ x;\nc; // c\n"), [3]);
        assert_eq!(different_lines("a;\nout = 0;\n\nc;\n", "a;\n{\n/* c */\nc;\n"), [1, 4]);
        assert_eq!(different_lines("a;\n", "a;\nb;\n"), [2]);
        assert_eq!(different_lines("a;\nb;\n", "a;\n"), [1]);
        assert_eq!(different_lines("a; /* one */\n", "a;\n"), [0u32; 0]);
    }
}
