//! A fix in few words, for editors that have a line or a small window for it.
//!
//! [`Fix`] → the title of a quick fix, what was checked of it, and its changed lines without the headers of a diff.
//! Not here: the edits of the text, which are in [`crate::edits`].

use crate::document::Fix;

/// `` Write `if (i < n)` (proved) ``
pub fn title(fix: &Fix) -> String {
    let added = lines(fix).find(|line| line.starts_with('+')).map(|line| line[1..].trim());
    let removed = lines(fix).find(|line| line.starts_with('-')).map(|line| line[1..].trim());
    let change = match (added, removed) {
        (Some(added), _) => format!("Write `{}`", without_comment(added)),
        (None, Some(removed)) => format!("Remove `{}`", without_comment(removed)),
        (None, None) => "Write the change".to_owned(),
    };
    format!("{change} ({})", checked(&fix.checked))
}

/// How well a fix was checked, by the name that documents have for it.
pub fn checked(how: &str) -> &'static str {
    match how {
        "proved" => "proved",
        "bounded" => "checked within a bound",
        "tests" => "passes the runs that were tried",
        _ => "not checked",
    }
}

/// The lines that go and those that come, without what is around them.
pub fn changed(fix: &Fix) -> String {
    lines(fix).filter(|line| line.starts_with(['-', '+'])).map(|line| format!("{line}\n")).collect()
}

/// The lines of a diff below its headers.
fn lines(fix: &Fix) -> impl Iterator<Item = &str> {
    fix.diff.lines().filter(|line| !["--- ", "+++ ", "@@ "].iter().any(|header| line.starts_with(header)))
}

/// A comment behind the code would make a title longer than the change.
fn without_comment(line: &str) -> &str {
    let end = line.find("//").or_else(|| line.find("/*")).filter(|end| *end > 0 && !line[..*end].contains('"'));
    end.map_or(line, |end| line[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "--- a/a.c\n+++ b/a.c\n@@ -1,3 +1,3 @@\n int i;\n";

    #[track_caller]
    fn check(change: &str, how: &str, expected: &str) {
        let fix = Fix { diff: format!("{HEADER}{change} done();\n"), checked: how.to_owned() };
        assert_eq!(title(&fix), expected);
        assert_eq!(changed(&fix), change);
    }

    #[test]
    fn a_title_tells_the_change_and_how_it_was_checked() {
        check("-    if (i <= n) // bound\n+    if (i < n) // bound\n", "proved", "Write `if (i < n)` (proved)");
        check("-    url = \"x://y\";\n+    url = \"z://y\";\n", "none", "Write `url = \"z://y\";` (not checked)");
        check("-    free(p);\n", "tests", "Remove `free(p);` (passes the runs that were tried)");
        check("+    if (!p)\n+        return;\n", "bounded", "Write `if (!p)` (checked within a bound)");
    }
}
