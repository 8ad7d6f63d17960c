//! Violation witnesses as data: an automaton that says which paths of a program lead to a violation.
//!
//! Both formats become this. GraphML is such an automaton; a YAML sequence is one without branches, whose
//! states are the segments: the waypoint to follow leads to the next one, waypoints to avoid lead to a sink.
//! Texts stay as the witness has them; what they mean in a program, `points` and `typing` say.

use program::exec::ViolationKind;

use super::specification;

/// A format of witnesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SV-COMP 2016 to 2023, version 1.0.
    GraphMl,
    /// SV-COMP from 2024 on, version 2.0.
    Yaml,
}

/// A place in the witness itself, lines and columns from 1; 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub format: Format,
    pub metadata: Metadata,
    /// The names of the states; the first one is the beginning.
    pub states: Vec<State>,
    /// In the order of the witness.
    pub edges: Vec<Edge>,
}

/// Where a witness comes from and what it is about. What a witness leaves out is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub producer: String,
    pub producer_version: String,
    pub creation_time: String,
    pub uuid: String,
    pub specification: String,
    pub files: Vec<ProgramFile>,
    /// `32bit` or `64bit`; YAML says `ILP32` or `LP64`.
    pub architecture: String,
}

/// A file of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramFile {
    pub name: String,
    /// SHA-256, or SHA-1 in old witnesses, in hexadecimal.
    pub hash: String,
}

/// A state of the automaton, by its index in [`Witness::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    pub const ENTRY: StateId = StateId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub name: String,
    pub role: Role,
    pub at: Mark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Path,
    /// The violation happens on the way into it or after it.
    Violation,
    /// Paths that get here are not meant.
    Sink,
}

/// A step of the witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub source: StateId,
    pub target: StateId,
    pub event: Event,
    pub location: Location,
    pub assumption: Option<Assumption>,
    pub at: Mark,
}

/// What happens in the program when the step is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Any operation at the location; an assumption holds after it.
    Operation,
    /// The statement at the location is about to be executed; an assumption holds before it.
    Statement,
    Branch(Way),
    /// A function is called; GraphML names it.
    Enter(Option<String>),
    /// A function returns to the place of its call; GraphML names it.
    Return(Option<String>),
    /// The statement at the location violates the specification.
    Target,
}

/// Which way a branch goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    True,
    False,
    /// Of a `switch`.
    Case(i128),
    Default,
}

/// Where a step is made; what is not said is left open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    pub file: Option<String>,
    pub line: Option<u32>,
    /// From 1.
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    /// Characters from the beginning of the file.
    pub offset: Option<u32>,
    pub end_offset: Option<u32>,
    /// The function that the location is in.
    pub function: Option<String>,
}

/// A condition over the program's variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    pub text: String,
    /// GraphML: the function whose variables are meant.
    pub scope: Option<String>,
    /// GraphML: the function whose result `\result` is.
    pub result_of: Option<String>,
    pub at: Mark,
}

impl Witness {
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    pub fn edges_from(&self, id: StateId) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.source == id)
    }

    /// The kinds of violations that the specification is about, where its text is known.
    pub fn kinds(&self) -> Option<Vec<ViolationKind>> {
        specification::kinds(&self.metadata.specification)
    }

    /// How messages call a state.
    pub fn describe(&self, id: StateId) -> String {
        match self.format {
            Format::GraphMl => format!("node `{}`", self.state(id).name),
            Format::Yaml => self.state(id).name.clone(),
        }
    }
}
