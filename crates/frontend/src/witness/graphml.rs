//! Witnesses in GraphML 1.0, read.
//!
//! Text → [`Witness`]. Keys are known by their `id`, or else by their `attr.name`, under the names that
//! verifiers have used over the years. Keys that nobody defined are ignored, as the format demands; so are
//! those of threads, which make no difference for programs that have none. Defaults of keys are honoured.
//! Not here: what lines and names mean in the program.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::error::{Text, WitnessError};
use super::model::{
    Assumption, Edge, Event, Format, Location, Mark, Metadata, ProgramFile, Role, State, StateId, Way, Witness,
};

/// What the keys of one element say.
type Data<'t> = BTreeMap<String, (&'t str, Mark)>;

pub fn read(text: &str) -> Result<Witness, WitnessError> {
    let document = Document::parse(text).map_err(|error| {
        let at = match error {
            // What is missing is missing at the end.
            roxmltree::Error::UnclosedRootNode => Mark { line: text.lines().count() as u32, column: 1 },
            _ => Mark { line: error.pos().row, column: error.pos().col },
        };
        let message = error.to_string();
        let message = message.rsplit_once(" at ").map_or(message.as_str(), |(message, _)| message).to_owned();
        Text(text).syntax(at, message)
    })?;
    Reader { text: Text(text), document: &document }.witness()
}

struct Reader<'d, 't> {
    text: Text<'t>,
    document: &'d Document<'t>,
}

/// The keys of a file: what they are called here, and their defaults.
#[derive(Default)]
struct Keys<'t> {
    names: BTreeMap<&'t str, String>,
    defaults: BTreeMap<String, &'t str>,
}

impl<'d, 't> Reader<'d, 't> {
    fn witness(&self) -> Result<Witness, WitnessError> {
        let root = self.document.root_element();
        if root.tag_name().name() != "graphml" {
            let message = format!("the file is XML, but its root is `{}` instead of `graphml`", root.tag_name().name());
            return Err(self.text.malformed(self.mark(root), message, "give the witness that a verifier wrote"));
        }
        let mut graphs = elements(root, "graph");
        let Some(graph) = graphs.next() else {
            return Err(self.text.malformed(self.mark(root), "there is no `graph` in it", "give a complete witness"));
        };
        let keys = self.keys(root);
        let data = self.data(graph, &keys);
        let metadata = self.metadata(graph, &data)?;
        let (states, names) = self.states(graph, &keys)?;
        let edges = self.edges(graph, &keys, &names)?;
        if !states.iter().any(|state| state.role == Role::Violation) {
            let remedy = "a violation witness marks one with <data key=\"violation\">true</data>";
            return Err(self.text.malformed(self.mark(graph), "no node of the graph is a violation", remedy));
        }
        Ok(Witness { format: Format::GraphMl, metadata, states, edges })
    }

    fn mark(&self, node: Node<'d, 't>) -> Mark {
        let at = self.document.text_pos_at(node.range().start);
        Mark { line: at.row, column: at.col }
    }

    fn keys(&self, root: Node<'d, 't>) -> Keys<'d> {
        let mut keys = Keys::default();
        for key in elements(root, "key") {
            let Some(id) = key.attribute("id") else { continue };
            let name = canonical(id).or_else(|| key.attribute("attr.name").and_then(canonical));
            let Some(name) = name else { continue };
            keys.names.insert(id, name.to_owned());
            if let Some(default) = elements(key, "default").next().and_then(|it| it.text()) {
                keys.defaults.insert(name.to_owned(), default.trim());
            }
        }
        keys
    }

    fn data(&self, element: Node<'d, 't>, keys: &Keys<'d>) -> Data<'d> {
        let mut found = Data::new();
        for data in elements(element, "data") {
            let Some(key) = data.attribute("key") else { continue };
            let name = keys.names.get(key).cloned().or_else(|| canonical(key).map(str::to_owned));
            if let Some(name) = name {
                found.insert(name, (data.text().unwrap_or_default().trim(), self.mark(data)));
            }
        }
        found
    }

    fn metadata(&self, graph: Node<'d, 't>, data: &Data<'d>) -> Result<Metadata, WitnessError> {
        let value = |name: &str| data.get(name).map_or(String::new(), |(text, _)| (*text).to_owned());
        if let Some((kind, at)) = data.get("witness-type") {
            match *kind {
                "violation_witness" => {}
                "correctness_witness" => return Err(self.text.correctness(*at)),
                other => {
                    let message = format!("`{other}` is no type of witnesses");
                    return Err(self.text.malformed(*at, message, "it must be `violation_witness`"));
                }
            }
        }
        if let Some((language, at)) = data.get("sourcecodelang").filter(|(language, _)| *language != "C") {
            let message = format!("the witness is for a program in {language}");
            return Err(self.text.malformed(*at, message, "only witnesses for C can be followed"));
        }
        if let Some((version, at)) = data.get("witness-format-version").filter(|(version, _)| *version != "1.0") {
            let message = format!("format version {version} of GraphML witnesses is not known");
            return Err(self.text.malformed(*at, message, "only version 1.0 is"));
        }
        if graph.attribute("edgedefault").is_some_and(|it| it != "directed") {
            let remedy = "edgedefault must be `directed`";
            return Err(self.text.malformed(self.mark(graph), "the graph is not directed", remedy));
        }
        let file = ProgramFile { name: value("programfile"), hash: value("programhash") };
        Ok(Metadata {
            producer: value("producer"),
            creation_time: value("creationtime"),
            specification: value("specification"),
            files: if file == ProgramFile::default() { Vec::new() } else { vec![file] },
            architecture: value("architecture"),
            ..Metadata::default()
        })
    }

    /// The states, the entry first, and their numbers by name.
    fn states(
        &self,
        graph: Node<'d, 't>,
        keys: &Keys<'d>,
    ) -> Result<(Vec<State>, BTreeMap<&'d str, StateId>), WitnessError> {
        let mut states = Vec::new();
        let mut entry: Option<usize> = None;
        for node in elements(graph, "node") {
            let at = self.mark(node);
            let Some(name) = node.attribute("id") else {
                return Err(self.text.malformed(at, "this node has no `id`", "edges could not name it"));
            };
            let data = self.data(node, keys);
            let is = |name: &str| {
                let text = data.get(name).map(|(text, _)| *text).or_else(|| keys.defaults.get(name).copied());
                text.is_some_and(|it| it.eq_ignore_ascii_case("true"))
            };
            let old_sink = data.get("nodetype").is_some_and(|(kind, _)| *kind == "sink");
            let role = match () {
                () if is("violation") => Role::Violation,
                () if is("sink") || old_sink => Role::Sink,
                () => Role::Path,
            };
            if is("entry") {
                if entry.is_some() {
                    let remedy = "a witness begins at exactly one node";
                    return Err(self.text.malformed(at, format!("`{name}` is a second entry"), remedy));
                }
                entry = Some(states.len());
            }
            states.push(State { name: name.to_owned(), role, at });
        }
        let Some(entry) = entry else {
            let remedy = "a witness marks its first node with <data key=\"entry\">true</data>";
            return Err(self.text.malformed(self.mark(graph), "no node of the graph is the entry", remedy));
        };
        let first = states.remove(entry);
        states.insert(0, first);
        let mut names = BTreeMap::new();
        let known: BTreeMap<&str, usize> = states.iter().enumerate().map(|(index, it)| (&*it.name, index)).collect();
        for node in elements(graph, "node") {
            let Some(name) = node.attribute("id") else { continue };
            if names.insert(name, StateId(known[name] as u32)).is_some() {
                let message = format!("there is a second node `{name}`");
                return Err(self.text.malformed(self.mark(node), message, "names of nodes must be unique"));
            }
        }
        Ok((states, names))
    }

    fn edges(
        &self,
        graph: Node<'d, 't>,
        keys: &Keys<'d>,
        names: &BTreeMap<&'d str, StateId>,
    ) -> Result<Vec<Edge>, WitnessError> {
        let mut edges = Vec::new();
        for edge in elements(graph, "edge") {
            let at = self.mark(edge);
            let end = |which: &str| {
                let Some(name) = edge.attribute(which) else {
                    let remedy = "an edge names its source and its target";
                    return Err(self.text.malformed(at, format!("this edge has no {which}"), remedy));
                };
                names.get(name).copied().ok_or_else(|| {
                    let message = format!("the {which} of this edge, `{name}`, is no node of the graph");
                    self.text.malformed(at, message, "name a node, or add one with this `id`")
                })
            };
            let (source, target) = (end("source")?, end("target")?);
            let data = self.data(edge, keys);
            let event = self.event(&data)?;
            let location = self.location(&data)?;
            edges.push(Edge { source, target, event, location, assumption: assumption(&data), at });
        }
        Ok(edges)
    }

    fn event(&self, data: &Data<'d>) -> Result<Event, WitnessError> {
        let name = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        if let Some((function, _)) = data.get("enterFunction") {
            return Ok(Event::Enter(name(function)));
        }
        if let Some((function, _)) = data.get("returnFromFunction") {
            return Ok(Event::Return(name(function)));
        }
        match data.get("control") {
            None => Ok(Event::Operation),
            Some(("condition-true", _)) => Ok(Event::Branch(Way::True)),
            Some(("condition-false", _)) => Ok(Event::Branch(Way::False)),
            Some((other, at)) => {
                let message = format!("`{other}` is no way that control can go");
                Err(self.text.malformed(*at, message, "it must be `condition-true` or `condition-false`"))
            }
        }
    }

    fn location(&self, data: &Data<'d>) -> Result<Location, WitnessError> {
        let number = |name: &str| -> Result<Option<u32>, WitnessError> {
            let Some((text, at)) = data.get(name) else { return Ok(None) };
            match text.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => {
                    let message = format!("`{text}` is no number, but `{name}` must be one");
                    Err(self.text.malformed(*at, message, "write a number, or leave the element out"))
                }
            }
        };
        Ok(Location {
            file: data.get("originfile").map(|(file, _)| (*file).to_owned()),
            line: number("startline")?,
            column: None,
            end_line: number("endline")?,
            offset: number("startoffset")?,
            end_offset: number("endoffset")?,
            function: None,
        })
    }
}

fn assumption(data: &Data<'_>) -> Option<Assumption> {
    let &(text, at) = data.get("assumption")?;
    let name = |key: &str| data.get(key).map(|(text, _)| (*text).to_owned()).filter(|it| !it.is_empty());
    let (scope, result_of) = (name("assumption.scope"), name("assumption.resultfunction"));
    (!text.is_empty()).then(|| Assumption { text: text.to_owned(), scope, result_of, at })
}

/// The name of a key that means something here.
fn canonical(name: &str) -> Option<&'static str> {
    const KNOWN: &[&str] = &[
        "witness-type",
        "witness-format-version",
        "sourcecodelang",
        "producer",
        "specification",
        "programfile",
        "programhash",
        "architecture",
        "creationtime",
        "entry",
        "violation",
        "sink",
        "nodetype",
        "startline",
        "endline",
        "startoffset",
        "endoffset",
        "control",
        "enterFunction",
        "returnFromFunction",
        "assumption",
        "assumption.scope",
        "assumption.resultfunction",
        "originfile",
    ];
    let name = match name {
        "isEntryNode" => "entry",
        "isViolationNode" => "violation",
        "isSinkNode" => "sink",
        "returnFrom" => "returnFromFunction",
        "enterFunction" | "enterfunction" => "enterFunction",
        "programFile" => "programfile",
        "programHash" => "programhash",
        "originFileName" => "originfile",
        "nodeType" => "nodetype",
        name => name,
    };
    KNOWN.iter().copied().find(|known| *known == name)
}

fn elements<'d, 't>(parent: Node<'d, 't>, name: &'static str) -> impl Iterator<Item = Node<'d, 't>> {
    parent.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}
