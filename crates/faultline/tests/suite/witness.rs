//! Witnesses from outside: what is written leads back to the same violation, golden files, witnesses as other
//! verifiers write them, and everything that can be wrong with one.

use std::fs;
use std::path::Path;

use similar::TextDiff;
use tempfile::TempDir;

use crate::process::{Finished, faultline, finish, in_parallel, report_all, root};

/// Programs of `tests/programs/fail` that fail by inputs, by calls, in loops, in recursion, in macros.
const ROUND_TRIPS: &[&str] = &[
    "assert_sorted",
    "assert_simple",
    "array_index_row",
    "bad_call_null",
    "div_zero_nondet",
    "double_free_shared_tree",
    "error_call_assert_helper",
    "error_call_nondet_types",
    "error_call_reach",
    "null_lookup",
    "null_list_end",
    "oob_above_stack_loop",
    "overflow_mul",
    "overflow_negate_min",
    "uaf_global_cache",
    "uaf_list_free",
    "uninit_branch",
];

fn check(folder: &Path, arguments: &[&str]) -> Finished {
    let all = [&["check"], arguments, &["--timeout", "60s"]].concat();
    finish(faultline(all).current_dir(folder).env("SOURCE_DATE_EPOCH", "1700000000"), b"")
}

/// The first message and its place.
fn headline(run: &Finished) -> String {
    run.stderr_text().lines().filter(|line| !line.starts_with("note")).take(2).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_written_leads_back_to_the_violation() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let complaints = in_parallel(ROUND_TRIPS, |name| {
        let program = root().join("tests/programs/fail").join(name).with_extension("c");
        let program = program.display().to_string();
        let mut complaints = Vec::new();
        for ending in ["yml", "graphml"] {
            let file = folder.path().join(name).with_extension(ending).display().to_string();
            let found = check(folder.path(), &[&program, "--witness-out", &file]);
            let again = check(folder.path(), &[&program, "--witness", &file]);
            if (found.status, again.status) != (1, 1) || headline(&found) != headline(&again) {
                complaints.push(format!("== {name}.{ending}\n{}\n{}", found.stderr_text(), again.stderr_text()));
            }
        }
        complaints
    });
    report_all("programs", ROUND_TRIPS.len(), complaints.into_iter().flatten().collect());
}

/// With `FAULTLINE_BLESS=1`, the golden witnesses are written instead of compared.
#[test]
fn witnesses_are_the_expected_ones() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for name in ["branches.yml", "branches.graphml"] {
        let golden = root().join("tests/programs/witness").join(name);
        let program = golden.with_extension("c");
        let text = fs::read_to_string(&program).expect("the program is there");
        fs::write(folder.path().join("branches.c"), text).expect("a file can be written");
        let run = check(folder.path(), &["branches.c", "--witness-out", name]);
        assert_eq!(run.status, 1, "{}", run.stderr_text());
        let found = fs::read_to_string(folder.path().join(name)).expect("the witness was written");
        if std::env::var_os("FAULTLINE_BLESS").is_some_and(|value| value == "1") {
            fs::write(&golden, &found).expect("the golden file can be written");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        let difference = TextDiff::from_lines(&expected, &found).unified_diff().to_string();
        assert!(found == expected, "{name}\n{difference}");
    }
}

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int total;
struct pair { int left; int right[2]; };
static int twice(int n) {
  return n + n;
}
int main(void) {
  struct pair p;
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  p.right[1] = y;
  if (x > 10 && !(y == 3)) {
    total = twice(x);
  }
  if (total == 24 || (x < 5 && p.right[1] == 100)) {
    reach_error();
  }
  return 0;
}
";

struct Case {
    folder: TempDir,
}

impl Case {
    fn new(witness: &[u8], name: &str) -> Case {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        fs::write(folder.path().join("program.c"), PROGRAM).expect("a file can be written");
        fs::write(folder.path().join(name), witness).expect("a file can be written");
        Case { folder }
    }

    fn follow(&self, name: &str) -> Finished {
        check(self.folder.path(), &["program.c", "--witness", name])
    }
}

/// A GraphML witness with these edges from node to node; the last node is the violation.
fn graphml(edges: &[(&str, &str, &str)]) -> String {
    let mut text = String::from(
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<graph edgedefault=\"directed\">\n\
         <data key=\"witness-type\">violation_witness</data>\n\
         <data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>\n\
         <node id=\"A\"><data key=\"entry\">true</data></node>\n<node id=\"B\"/>\n<node id=\"C\"/>\n\
         <node id=\"S\"><data key=\"sink\">true</data></node>\n\
         <node id=\"E\"><data key=\"violation\">true</data></node>\n",
    );
    for (source, target, data) in edges {
        text.push_str(&format!("<edge source=\"{source}\" target=\"{target}\">"));
        for item in data.split('|') {
            let (key, value) = item.split_once('=').expect("key=value");
            text.push_str(&format!("<data key=\"{key}\">{}</data>", value.replace('&', "&amp;").replace('<', "&lt;")));
        }
        text.push_str("</edge>\n");
    }
    text + "</graph>\n</graphml>\n"
}

/// A YAML witness with these waypoints, one a segment.
fn yaml(waypoints: &[(&str, &str, u32, u32)]) -> String {
    let mut text = String::from(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: '2.0'\n    task:\n      \
         specification: CHECK( init(main()), LTL(G ! call(reach_error())) )\n  content:\n",
    );
    for (kind, value, line, column) in waypoints {
        text.push_str(&format!("  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n"));
        if !value.is_empty() {
            text.push_str(&format!("        constraint: {{ value: '{value}', format: c_expression }}\n"));
        }
        let place = format!("line: {line}, column: {column}, function: main");
        text.push_str(&format!("        location: {{ file_name: program.c, {place} }}\n"));
    }
    text
}

#[track_caller]
fn expect(run: &Finished, status: i32, parts: &[&str]) {
    let stderr = run.stderr_text();
    assert_eq!(run.status, status, "{stderr}{}", run.stdout_text());
    for part in parts {
        assert!(stderr.contains(part), "`{part}` is not in:\n{stderr}");
    }
    assert!(!stderr.contains("panicked") && !stderr.contains("bug in faultline"), "{stderr}");
}

#[track_caller]
fn graphml_leads(edges: &[(&str, &str, &str)], status: i32, parts: &[&str]) {
    expect(&Case::new(graphml(edges).as_bytes(), "w.graphml").follow("w.graphml"), status, parts);
}

#[track_caller]
fn yaml_leads(waypoints: &[(&str, &str, u32, u32)], status: i32, parts: &[&str]) {
    expect(&Case::new(yaml(waypoints).as_bytes(), "w.yml").follow("w.yml"), status, parts);
}

#[test]
fn graphml_guides_the_search() {
    // Without guidance, either way may be found; the witness chooses.
    graphml_leads(
        &[
            ("A", "B", "startline=10|assumption=x == (12);|assumption.scope=main"),
            ("B", "E", "startline=17|enterFunction=reach_error"),
        ],
        1,
        &["error[error-call]", "x = 12  ← input"],
    );
    graphml_leads(
        &[("A", "B", "startline=11|assumption=y == 100 && x < -7"), ("B", "E", "startline=17")],
        1,
        &["y = 100  ← input"],
    );
    let result = "startline=11|assumption=\\result == 100|assumption.resultfunction=__VERIFIER_nondet_int";
    graphml_leads(&[("A", "B", result), ("B", "E", "startline=17")], 1, &["y = 100  ← input"]);
    let control = [
        ("A", "S", "startline=13|control=condition-false"),
        ("A", "B", "startline=13|control=condition-true"),
        ("B", "C", "startline=14|enterFunction=twice"),
        ("C", "E", "startline=17"),
    ];
    graphml_leads(&control, 1, &["x = 12  ← input"]);
    graphml_leads(
        &[("A", "B", "startline=14|assumption=total == 2 * x && x == 12"), ("B", "E", "startline=17")],
        1,
        &["x = 12  ← input"],
    );
    graphml_leads(
        &[("A", "B", "startline=12|assumption=p.right[1] == 100"), ("B", "E", "startline=17")],
        1,
        &["y = 100  ← input"],
    );
}

#[test]
fn yaml_guides_the_search() {
    yaml_leads(&[("function_return", "\\result == 12", 10, 33), ("target", "", 17, 5)], 1, &["x = 12  ← input"]);
    yaml_leads(&[("assumption", "y == 100", 12, 3), ("target", "", 17, 5)], 1, &["y = 100  ← input"]);
    yaml_leads(
        &[
            ("branching", "true", 13, 3),
            ("function_enter", "", 14, 20),
            ("branching", "true", 16, 3),
            ("target", "", 17, 5),
        ],
        1,
        &["x = 12  ← input"],
    );
    yaml_leads(&[("branching", "false", 13, 3), ("target", "", 17, 5)], 1, &["y = 100  ← input"]);
}

#[test]
fn it_is_said_where_a_witness_goes_wrong() {
    graphml_leads(
        &[
            ("A", "B", "startline=10|assumption=x == 12"),
            ("B", "C", "startline=11|assumption=y != y"),
            ("C", "E", "startline=17"),
        ],
        3,
        &["goes wrong at node `B` (w.graphml:6:1)", "none goes on to node `C`", "at line 11 with `y != y`"],
    );
    yaml_leads(
        &[
            ("assumption", "x == 12", 11, 3),
            ("branching", "false", 13, 3),
            ("assumption", "total == 24", 16, 3),
            ("target", "", 17, 5),
        ],
        3,
        &["goes wrong at segment 3", "at line 16, column 3 with `total == 24`"],
    );
    graphml_leads(&[("A", "E", "startline=10|assumption=x == 1 && y == 1")], 3, &[]);
}

#[test]
fn what_cannot_be_evaluated_is_noted() {
    let edges = [("A", "B", "startline=10|assumption=tmp__0 == 3"), ("B", "E", "startline=17")];
    graphml_leads(&edges, 1, &["`tmp__0 == 3` is left out: no variable `tmp__0` is in scope"]);
}

#[test]
fn bad_witnesses_are_refused() {
    let refuse = |witness: &[u8], parts: &[&str]| {
        let case = Case::new(witness, "w.any");
        let run = case.follow("w.any");
        expect(&run, 2, parts);
    };
    let good = yaml(&[("assumption", "y == 100", 12, 3), ("target", "", 17, 5)]);
    refuse(b"", &["w.any", "the witness is empty"]);
    refuse(b"\x00\x01\xff", &["no text"]);
    refuse(b"int main(void) { return 0; }\n", &["this is no witness"]);
    refuse(&good.as_bytes()[..good.len() - 40], &["w.any"]);
    let edges = graphml(&[("A", "E", "startline=17")]);
    refuse(&edges.as_bytes()[..edges.len() - 12], &["cut off"]);
    refuse(edges.replace("violation_witness", "correctness_witness").as_bytes(), &["correctness witness"]);
    refuse(good.replace("violation_sequence", "invariant_set").as_bytes(), &["correctness witness"]);
    refuse(graphml(&[("A", "E", "startline=99")]).as_bytes(), &["another program", "line 99"]);
    refuse(graphml(&[("A", "E", "enterFunction=elsewhere")]).as_bytes(), &["another program", "`elsewhere`"]);
    let hash = "0".repeat(64);
    let other = edges.replace("<node id=\"A\">", &format!("<data key=\"programhash\">{hash}</data><node id=\"A\">"));
    refuse(other.as_bytes(), &["another program", "hash 000000000000…", "--witness-any-program"]);
    let case = Case::new(other.as_bytes(), "w.any");
    expect(
        &check(case.folder.path(), &["program.c", "--witness", "w.any", "--witness-any-program"]),
        1,
        &["error-call"],
    );
}

#[test]
fn options_that_contradict_each_other() {
    let case = Case::new(graphml(&[("A", "E", "startline=17")]).as_bytes(), "w.graphml");
    let run = |arguments: &[&str]| check(case.folder.path(), &[&["program.c"], arguments].concat());
    expect(&run(&["--witness", "nowhere.yml"]), 2, &["cannot read the witness nowhere.yml"]);
    expect(&run(&["--witness", "w.graphml", "--all"]), 2, &["--all makes no sense"]);
    expect(&run(&["--witness-out", "w.txt"]), 2, &["--witness-format"]);
    expect(&run(&["--witness-format", "yaml"]), 2, &["--witness-out"]);
    expect(&run(&["--witness-out", "w.txt", "--witness-format", "yaml"]), 1, &["error[error-call]"]);
    expect(&run(&["--witness-out", "missing/w.yml"]), 2, &["missing/w.yml"]);
}

/// The places that an engine blames on the run that a witness tells, and the message.
fn blamed(case: &Case, witness: &str, engine: &str) -> (Finished, Vec<u64>) {
    let arguments = ["localize", "program.c", "--witness", witness, "--engine", engine, "--format", "json"];
    let run = finish(faultline(arguments).current_dir(case.folder.path()), b"");
    let document: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
    let suspects = document["diagnosis"]["suspects"].as_array().cloned().unwrap_or_default();
    let mut lines: Vec<u64> = suspects.iter().filter_map(|it| it["line"].as_u64()).collect();
    lines.sort_unstable();
    lines.dedup();
    (run, lines)
}

#[test]
fn every_engine_localizes_on_the_run_of_a_witness() {
    // One witness goes through `twice`, the other one past it: the blame follows.
    let through = [
        ("A", "B", "startline=10|assumption=x == (12);|assumption.scope=main"),
        ("B", "E", "startline=17|enterFunction=reach_error"),
    ];
    let past = [("assumption", "y == 100 && x < 5", 12, 3), ("target", "", 17, 5)];
    let through = Case::new(graphml(&through).as_bytes(), "w.graphml");
    let past = Case::new(yaml(&past).as_bytes(), "w.yml");
    for engine in ["relevance", "error-invariants", "flow-sensitive", "max-sat", "ped"] {
        let (run, lines) = blamed(&through, "w.graphml", engine);
        expect(&run, 1, &[]);
        let inside = lines.contains(&6) && lines.contains(&14);
        assert!(if engine == "ped" { lines == [16] } else { inside }, "{engine}: {lines:?}");
        let (run, lines) = blamed(&past, "w.yml", engine);
        expect(&run, 1, &[]);
        assert!(!lines.is_empty() && !lines.contains(&6) && !lines.contains(&14), "{engine}: {lines:?}");
    }
}

#[test]
fn localizing_says_what_is_wrong_with_a_witness() {
    let lost = [("A", "B", "startline=10|assumption=x == 12 && y != y"), ("B", "E", "startline=17")];
    let case = Case::new(graphml(&lost).as_bytes(), "w.graphml");
    let (run, _) = blamed(&case, "w.graphml", "relevance");
    expect(&run, 3, &["the witness goes wrong", "no failure was found"]);
    for (options, words) in [
        (&["--nondet", "1"][..], "give no inputs"),
        (&["--traces", "multi"], "--traces multi makes no sense"),
        (&["--", "7"], "give no inputs"),
    ] {
        let arguments = [&["localize", "program.c", "--witness", "w.graphml"], options].concat();
        expect(&finish(faultline(arguments).current_dir(case.folder.path()), b""), 2, &[words]);
    }
    fs::write(case.folder.path().join("empty.yml"), "").expect("a file can be written");
    let (run, _) = blamed(&case, "empty.yml", "relevance");
    expect(&run, 2, &["empty.yml", "the witness is empty"]);
}
