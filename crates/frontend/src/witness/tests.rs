//! Tests of both formats: what verifiers write is read, what is written is read back, what is broken is refused
//! with its place.

use proptest::prelude::*;

use super::*;

const GRAPHML: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key attr.name="isEntryNode" attr.type="boolean" for="node" id="entry"><default>false</default></key>
 <key attr.name="isViolationNode" for="node" id="violation"/>
 <key attr.name="nodeType" for="node" id="nodetype"><default>path</default></key>
 <key attr.name="lineNumberInOrigin" for="edge" id="startline"/>
 <key attr.name="enterFunction" for="edge" id="d7"/>
 <graph edgedefault="directed">
  <data key="witness-type">violation_witness</data>
  <data key="sourcecodelang">C</data>
  <data key="producer">Some Verifier 1.2</data>
  <data key="programhash">abc</data>
  <node id="bad"><data key="violation">true</data></node>
  <node id="start"><data key="entry">true</data></node>
  <node id="away"><data key="nodetype">sink</data></node>
  <edge source="start" target="start"><data key="d7">main</data><data key="tokens">1,2</data></edge>
  <edge source="start" target="away"><data key="startline">3</data><data key="control">condition-false</data></edge>
  <edge source="start" target="bad">
   <data key="startline">3</data>
   <data key="control">condition-true</data>
   <data key="assumption">x &lt; 5; y == (1);</data>
   <data key="assumption.scope">main</data>
  </edge>
 </graph>
</graphml>
"#;

const YAML: &str = r#"- entry_type: violation_sequence
  metadata:
    format_version: "2.0"
    uuid: 4412af70-389a-475e-849c-e57e5b92019e
    creation_time: 2024-05-01T10:00:00+02:00
    producer: { name: Some Verifier, version: "1.2" }
    task:
      input_files: [./a.c]
      input_file_hashes: { ./a.c: abc }
      specification: CHECK( init(main()), LTL(G ! overflow) )
      data_model: ILP32
      language: C
  content:
  - segment:
    - waypoint:
        action: avoid
        type: branching
        constraint: { value: false }
        location: { file_name: ./a.c, line: 3, column: 5, function: main }
    - waypoint:
        action: follow
        type: function_return
        constraint: { value: "\\result == 4", format: acsl_expression }
        location: { file_name: ./a.c, line: 4 }
  - segment:
    - waypoint:
        action: follow
        type: target
        location: { file_name: ./a.c, line: 6, column: 2 }
"#;

#[test]
fn graphml_of_other_verifiers() {
    let witness = read(GRAPHML.as_bytes()).expect("it is a witness");
    let names: Vec<_> = witness.states.iter().map(|state| (state.name.as_str(), state.role)).collect();
    assert_eq!(names, [("start", Role::Path), ("bad", Role::Violation), ("away", Role::Sink)]);
    assert_eq!(witness.metadata.producer, "Some Verifier 1.2");
    let [first, second, third] = witness.edges.as_slice() else { panic!("three edges: {:?}", witness.edges) };
    assert_eq!(first.event, Event::Enter(Some("main".to_owned())));
    assert_eq!((second.target, &second.event), (StateId(2), &Event::Branch(Way::False)));
    assert_eq!((third.location.line, &third.event), (Some(3), &Event::Branch(Way::True)));
    let assumption = third.assumption.as_ref().expect("it assumes something");
    assert_eq!((assumption.text.as_str(), assumption.scope.as_deref()), ("x < 5; y == (1);", Some("main")));
    assert_eq!(assumption.at, Mark { line: 21, column: 4 });
}

#[test]
fn yaml_of_other_verifiers() {
    let witness = read(YAML.as_bytes()).expect("it is a witness");
    assert_eq!(witness.states.len(), 4);
    assert_eq!(witness.metadata.files, [ProgramFile { name: "./a.c".to_owned(), hash: "abc".to_owned() }]);
    assert_eq!(witness.kinds(), Some(vec![program::exec::ViolationKind::Overflow]));
    let events: Vec<_> = witness.edges.iter().map(|it| (it.source.0, it.target.0, it.event.clone())).collect();
    let expected = [(0, 3, Event::Branch(Way::False)), (0, 1, Event::Return(None)), (1, 2, Event::Target)];
    assert_eq!(events, expected);
    assert_eq!(witness.edges[1].assumption.as_ref().map(|it| it.text.as_str()), Some("\\result == 4"));
}

/// The text with a part replaced must be refused with these words.
fn refused(text: &str, from: &str, to: &str, words: &str) {
    assert!(text.contains(from), "{from}");
    let message = match read(text.replacen(from, to, 1).as_bytes()) {
        Ok(_) => "it is read".to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(message.contains(words), "instead of `{words}`:\n{message}");
}

#[test]
fn what_is_no_witness_is_refused() {
    let error = |bytes: &[u8]| read(bytes).expect_err("it is no witness").to_string();
    assert!(error(b"").contains("the witness is empty"));
    assert!(error(b"\n# nothing\n").contains("the witness is empty"));
    assert!(error(b"\x7fELF\xff\x00").contains("no text"));
    assert!(error(b"<a>\0</a>").contains("no text"));
    assert!(error(b"int main(void) { return 0; }\n").contains("this is no witness"));
    assert!(error(b"{\"json\": 1}").contains("this is no witness"));
    assert!(error(b"<html></html>").contains("`html` instead of `graphml`"));
    assert!(error(b"<graphml/>").contains("no `graph`"));
    assert!(error(b"- 1\n- 2\n").contains("no violation sequence"));
    assert!(error(b"- [").contains("not well-formed"));
}

#[test]
fn broken_graphml_is_refused() {
    let check = |from, to, words| refused(GRAPHML, from, to, words);
    check("violation_witness", "correctness_witness", "correctness witness");
    check("<data key=\"entry\">true</data>", "", "no node of the graph is the entry");
    check("<data key=\"violation\">true</data>", "", "no node of the graph is a violation");
    check("id=\"bad\"", "id=\"start\"", "second node `start`");
    check("target=\"bad\"", "target=\"worse\"", "`worse`, is no node");
    check(">3<", ">three<", "`three` is no number");
    check("condition-true", "condition-maybe", "`condition-maybe` is no way");
    check("</graphml>", "", "seems to be cut off");
    check(">C<", ">Java<", "a program in Java");
    check("edgedefault=\"directed\"", "edgedefault=\"undirected\"", "not directed");
}

#[test]
fn broken_yaml_is_refused() {
    let check = |from, to, words| refused(YAML, from, to, words);
    check("violation_sequence", "invariant_set", "correctness witness");
    check("violation_sequence", "cake", "no violation sequence");
    check("type: target", "type: branching\n        constraint: {value: true}", "does not end at a target");
    check("action: follow", "action: wander", "`wander` is no action");
    check("action: avoid", "action: follow", "follows two waypoints");
    check("action: follow", "action: avoid", "follows no waypoint");
    check("line: 6", "lime: 6", "`line` is missing");
    check("line: 6", "line: six", "`six` is no number");
    check("value: false", "value: perhaps", "`perhaps` is no way");
    check("acsl_expression", "poetry", "`poetry` is no format");
    check("format_version: \"2.0\"", "format_version: \"0.1\"", "format version `0.1` is not known");
    check("location: { file_name: ./a.c, line: 6, column: 2 }", "location: *there", "");
}

#[test]
fn messages_show_the_line() {
    let error = read(YAML.replace("action: avoid", "action: flee").as_bytes()).expect_err("no such action");
    let expected = "`flee` is no action\n   |\n16 |         action: flee\n   |                 ^ 16:17\nit must be `follow` or `avoid`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn every_prefix_is_answered() {
    for text in [GRAPHML, YAML] {
        for end in 0..text.len() - 1 {
            let _ = read(&text.as_bytes()[..end]);
        }
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z][a-z0-9_]{0,8}", "[ -~]{1,20}", "[<>&\"'\\\\:#{}\\[\\]é]{1,6}"].prop_map(|text| {
        let trimmed = text.trim().to_owned();
        if trimmed.is_empty() { "x".to_owned() } else { trimmed }
    })
}

fn location(yaml: bool) -> impl Strategy<Value = Location> {
    let number = || proptest::option::of(1u32..1000);
    (text(), 1u32..500, number(), number(), number(), text()).prop_map(
        move |(file, line, one, two, three, function)| match yaml {
            true => Location {
                file: Some(file),
                line: Some(line),
                column: one,
                function: Some(function),
                ..Location::default()
            },
            false => Location {
                file: Some(file),
                line: Some(line),
                end_line: one,
                offset: two,
                end_offset: three,
                ..Location::default()
            },
        },
    )
}

fn event(yaml: bool) -> BoxedStrategy<(Event, Option<Assumption>)> {
    let assumption = |result: bool| {
        (text(), text(), text()).prop_map(move |(text, scope, function)| Assumption {
            text,
            scope: (!yaml).then_some(scope),
            result_of: (!yaml && result).then_some(function),
            at: Mark::default(),
        })
    };
    let way = prop_oneof![Just(Way::True), Just(Way::False)];
    if yaml {
        let way = prop_oneof![way, any::<i64>().prop_map(|it| Way::Case(it.into())), Just(Way::Default)];
        prop_oneof![
            assumption(false).prop_map(|it| (Event::Statement, Some(it))),
            way.prop_map(|way| (Event::Branch(way), None)),
            Just((Event::Enter(None), None)),
            assumption(true).prop_map(|it| (Event::Return(None), Some(it))),
        ]
        .boxed()
    } else {
        prop_oneof![
            assumption(true).prop_map(|it| (Event::Operation, Some(it))),
            way.prop_map(|way| (Event::Branch(way), None)),
            text().prop_map(|name| (Event::Enter(Some(name)), None)),
            (text(), proptest::option::of(assumption(true))).prop_map(|(name, it)| (Event::Return(Some(name)), it)),
        ]
        .boxed()
    }
}

/// A chain of states with ways to a sink, as both formats can say it.
fn witness(yaml: bool) -> impl Strategy<Value = Witness> {
    let step = (event(yaml), location(yaml), proptest::option::of((event(yaml), location(yaml))));
    let metadata = (text(), text(), text(), text(), text());
    (proptest::collection::vec(step, 0..5), location(yaml), metadata).prop_map(move |(steps, last, texts)| {
        let name = |index: usize| if yaml { format!("segment {}", index + 1) } else { format!("N{index}") };
        let state = |name: String, role| State { name, role, at: Mark::default() };
        let mut states: Vec<State> = (0..=steps.len()).map(|index| state(name(index), Role::Path)).collect();
        states.push(state("the target".to_owned(), Role::Violation));
        let sink = StateId(states.len() as u32);
        let mut edges = Vec::new();
        let target = if yaml { Event::Target } else { Event::Operation };
        let mut add = |source: usize, target, (event, assumption), location| {
            edges.push(Edge {
                source: StateId(source as u32),
                target,
                event,
                location,
                assumption,
                at: Mark::default(),
            });
        };
        let mut avoided = false;
        let count = steps.len();
        for (index, (what, location, other)) in steps.into_iter().enumerate() {
            if let Some((what, location)) = other {
                add(index, sink, what, location);
                avoided = true;
            }
            add(index, StateId(index as u32 + 1), what, location);
        }
        add(count, StateId(count as u32 + 1), (target, None), last);
        if avoided {
            states.push(state("sink".to_owned(), Role::Sink));
        }
        let (producer, version, specification, file, hash) = texts;
        let format = if yaml { Format::Yaml } else { Format::GraphMl };
        let metadata = Metadata {
            producer,
            producer_version: if yaml { version } else { String::new() },
            creation_time: "2024-01-01T00:00:00Z".to_owned(),
            uuid: if yaml { uuid(&specification) } else { String::new() },
            specification,
            files: vec![ProgramFile { name: file, hash }],
            architecture: if yaml { "LP64".to_owned() } else { "64bit".to_owned() },
        };
        Witness { format, metadata, states, edges }
    })
}

/// Without places in the witness.
fn bare(mut witness: Witness) -> Witness {
    witness.states.iter_mut().for_each(|state| state.at = Mark::default());
    for edge in &mut witness.edges {
        edge.at = Mark::default();
        edge.assumption.iter_mut().for_each(|assumption| assumption.at = Mark::default());
    }
    witness
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn graphml_reads_back(expected in witness(false)) {
        let text = write(&expected, Format::GraphMl).expect("GraphML can say it");
        prop_assert_eq!(read(text.as_bytes()).map(bare), Ok(expected), "{}", text);
    }

    #[test]
    fn yaml_reads_back(expected in witness(true)) {
        let text = write(&expected, Format::Yaml).expect("it is a sequence");
        prop_assert_eq!(read(text.as_bytes()).map(bare), Ok(expected), "{}", text);
    }

    #[test]
    fn damaged_text_is_answered(yaml in any::<bool>(), at in any::<prop::sample::Index>(), with in any::<Vec<u8>>(), gone in 0usize..40) {
        let mut bytes = if yaml { YAML } else { GRAPHML }.as_bytes().to_vec();
        let at = at.index(bytes.len());
        let end = (at + gone).min(bytes.len());
        bytes.splice(at..end, with);
        let _ = read(&bytes);
    }
}
