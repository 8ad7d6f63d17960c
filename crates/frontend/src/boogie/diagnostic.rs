//! What is wrong with a Boogie file, as data: a range of its text, a sentence, a remedy.
//!
//! Nothing is printed here. A reader collects diagnostics and goes on, so that one run tells several.

/// A range of bytes in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extent {
    pub start: u32,
    pub end: u32,
}

impl Extent {
    pub fn new(start: usize, end: usize) -> Extent {
        Extent { start: start as u32, end: end as u32 }
    }

    /// From the beginning of one to the end of the other.
    pub fn to(self, end: Extent) -> Extent {
        Extent { start: self.start, end: end.end.max(self.start) }
    }
}

/// What sort of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The text is no Boogie.
    Syntax,
    /// A name that nothing declares, or that is declared twice.
    Name,
    /// Types, numbers of arguments, what may be assigned.
    Type,
    /// Boogie, but without a meaning here.
    Unsupported,
    /// Nothing is wrong, but it is good to know.
    Remark,
}

impl Kind {
    /// The word for it in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Syntax => "syntax",
            Kind::Name => "name",
            Kind::Type => "type",
            Kind::Unsupported => "unsupported",
            Kind::Remark => "remark",
        }
    }
}

/// One thing to mend.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diagnostic {
    pub extent: Extent,
    pub kind: Kind,
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(kind: Kind, extent: Extent, message: impl Into<String>) -> Diagnostic {
        Diagnostic { extent, kind, message: message.into(), help: None }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
