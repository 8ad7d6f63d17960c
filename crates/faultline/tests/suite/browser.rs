//! The HTML report in a real browser: opened, stepped through, suspects clicked and followed.
//!
//! A copy of the page gets a script that acts as a user does, with clicks and keys, and writes down what it sees;
//! headless Chromium, which `scripts/setup test` installs, then prints the page.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{faultline, finish};

/// What a driving script can use: `key`, `click`, `see`. All of it stands in a block, apart from the page's own names.
const TOOLS: &str = r##"
const seen = [];
const see = (name, value) => seen.push(`${name}: ${value}`);
window.addEventListener("error", (event) => see("error", event.message));
const get = (selector) => document.querySelector(selector);
const text = (selector) => get(selector).textContent.trim();
const key = (name) => (document.activeElement || document.body).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
const click = (selector) => get(selector).click();
const finish = () => setTimeout(() => {
  see("address", location.hash);
  see("loaded from elsewhere", performance.getEntriesByType("resource").length);
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { id: "seen", textContent: seen.join("\n") }));
}, 200);
"##;

/// Opens a page with a script at its end, and gives back what the script has seen.
fn drive(folder: &Path, page: &str, script: &str) -> Vec<String> {
    let (before, after) = page.rsplit_once("</body>").expect("the page has a body");
    let file = folder.join("driven.html");
    fs::write(&file, format!("{before}<script>{{{TOOLS}{script}\nfinish();}}</script></body>{after}")).unwrap();
    let mut browser = Command::new("chromium");
    browser
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--window-size=1280,800"])
        .args(["--virtual-time-budget=4000", "--timeout=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()));
    let run = finish(&mut browser, b"");
    let dom = run.stdout_text();
    let seen = dom.split_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (seen, _) = seen.unwrap_or_else(|| panic!("the script did not come to its end\n{dom}\n{}", run.stderr_text()));
    seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").lines().map(str::to_owned).collect()
}

fn page(folder: &Path, arguments: &[&str]) -> String {
    let file = folder.join("report.html");
    let name = file.display().to_string();
    let (ours, theirs) = arguments.split_at(arguments.iter().position(|it| *it == "--").unwrap_or(arguments.len()));
    let run = finish(&mut faultline(ours.iter().chain(&["--format", "html", "--output", &name]).chain(theirs)), b"");
    assert_eq!(run.status, 1, "{}", run.stderr_text());
    fs::read_to_string(file).expect("the page is there")
}

#[test]
fn a_report_is_stepped_through_and_followed() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), &["localize", "examples/average.c", "--", "71", "64", "88"]);
    let seen = drive(
        folder.path(),
        &page,
        r##"
see("title", text("#title"));
see("starts at the failure", get("#next").disabled && text(".code .l.now .g").includes("23"));
const steps = Number(get("#slider").max);
key("Home");
see("first", text("#position") === `1 of ${steps}` && get("#previous").disabled);
click("#next");
key("j");
key("ArrowRight");
see("fourth", text("#position") === `4 of ${steps}`);
key("k");
see("third", get("#step-3").getAttribute("aria-selected"));
see("marked", get("#step-3 .tx").textContent.replace("→ ", "") !== "" && document.querySelectorAll(".code .l.now").length);
see("values", document.querySelectorAll("#values tr").length > 0);
click("#suspect-2 > button");
see("chosen", get(".card[aria-current=true]").id);
see("its line", get(".code .l.chosen").dataset.line === text("#suspect-2 .where").match(/:(\d+)/)[1]);
see("its reason", text(".say.suspect").includes(text("#suspect-2 .why")));
key("3");
see("by key", get(".card[aria-current=true]").id);
click("#suspect-3 .chain .to .link");
see("followed", get(".code .l.failing").dataset.line);
key("?");
see("help", get("#help").open);
get("#help").close();
see("fits", document.documentElement.scrollWidth <= innerWidth);
"##,
    );
    let expected = [
        "title: marks[i + 1] reads past the end of the heap object",
        "starts at the failure: true",
        "first: true",
        "fourth: true",
        "third: true",
        "marked: 1",
        "values: true",
        "chosen: suspect-2",
        "its line: true",
        "its reason: true",
        "by key: suspect-3",
        "followed: 23",
        "help: true",
        "fits: true",
    ];
    assert_eq!(seen[..expected.len()], expected, "{seen:#?}");
    assert!(seen.iter().any(|it| it.starts_with("address: #step=") && it.ends_with("&suspect=3")), "{seen:#?}");
    assert_eq!(seen.last().map(String::as_str), Some("loaded from elsewhere: 0"), "{seen:#?}");
}

/// A loop of many steps, and a source that tries to end the script, is not UTF-8, and has an endless line.
#[test]
fn hostile_sources_and_long_traces_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.c");
    let mut program =
        b"char *s = \"</script><script>document.title = 'harmed'</script><!--\"; /* \xe9\xff */\nint a[4];\n/* "
            .to_vec();
    program.extend(b"x".repeat(100_000));
    program.extend_from_slice(
        b" */\nint main(void)\n{\n    int i = 0;\n    while (i < 6000)\n        i++;\n    return a[i] + (s == 0); /* </script> */\n}\n",
    );
    fs::write(&file, program).unwrap();
    let page = page(folder.path(), &["run", &file.display().to_string()]);
    let seen = drive(
        folder.path(),
        &page,
        r##"
see("title", document.title.startsWith("index out of bounds") || document.title);
see("steps", Number(get("#slider").max) > 10000);
const started = performance.now();
key("Home");
for (let i = 0; i < 100; i += 1) key("j");
see("quick", performance.now() - started < 4000);
see("rows", document.querySelectorAll(".row").length < 100);
see("shown", text(".code").includes("<" + "/script><script>document.title"));
see("lines", document.querySelectorAll(".code .l").length);
see("fits", document.documentElement.scrollWidth <= innerWidth);
"##,
    );
    let expected = ["title: true", "steps: true", "quick: true", "rows: true", "shown: true"];
    assert_eq!(seen[..expected.len()], expected, "{seen:#?}");
    assert!(seen.contains(&"fits: true".to_owned()) && !seen.iter().any(|it| it.starts_with("error")), "{seen:#?}");
}
