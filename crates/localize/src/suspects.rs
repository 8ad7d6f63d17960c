//! From statements of a trace to places in the source: what the engines found, in the words of the program.
//!
//! All statements of a trace that come from one place, such as those of a loop, make one suspect. Statements
//! without a place are the program's own business (sizes of objects, the arguments of `main`).

use std::collections::BTreeMap;

use diagnosis::{Evidence, Score, Suspect};
use logic::control_flow::Origin;
use logic::value::Value;
use program::{CType, CTypeId, Encoding, Program, Type};
use program::{NodeRef, SpanIndex};
use source::{Hint, Span};
use verify::encode::EncodedTrace;
use verify::encode::origins::{Place, Target, What};

/// Looks up places and their words.
pub struct Words<'p> {
    program: &'p Program,
    encoded: &'p EncodedTrace,
    spans: SpanIndex<'p>,
}

/// Where suspects of the same place are collected.
type Key = (Option<(source::FileId, source::Position)>, u8);

/// What an engine says about a statement.
pub struct Remark {
    pub statement: usize,
    pub score: f64,
    pub why: String,
    pub related: Vec<(usize, String)>,
}

impl<'p> Words<'p> {
    pub fn new(program: &'p Program, encoded: &'p EncodedTrace) -> Words<'p> {
        Words { program, encoded, spans: SpanIndex::new(program) }
    }

    pub fn place(&self, statement: usize) -> Option<&'p Place> {
        self.encoded.places.get(self.encoded.trace.statements.get(statement)?.origin)
    }

    pub fn origin(&self, origin: Origin) -> Option<&'p Place> {
        self.encoded.places.get(origin)
    }

    /// Finds the ranges of many statements on so many threads, before they are asked for one by one.
    pub fn locate(&self, statements: &[usize], jobs: usize) {
        const MANY: usize = 16;
        if statements.len() < MANY {
            return;
        }
        workers::each(statements.len(), jobs, |it| {
            // It is kept for whoever asks for it.
            let _ = self.place(statements[it]).map(|place| self.span(place));
        });
    }

    /// The range in the user's file.
    pub fn span(&self, place: &Place) -> Option<Span> {
        let function = place.at.map(|at| at.function);
        let node = match (place.what, place.expr, place.at) {
            (
                What::Guard(_) | What::Assumption | What::Failure(_) | What::Passed(_) | What::Argument(_),
                Some(expr),
                Some(at),
            ) => Some(NodeRef::Expr(at.function, expr)),
            (_, _, Some(at)) => {
                let block = self.program.function(at.function).body.as_ref().map(|body| body.block(at.block));
                let is_command = block.is_some_and(|block| (at.index as usize) < block.commands.len());
                Some(match is_command {
                    true => NodeRef::Command(at.function, at.block, at.index),
                    false => NodeRef::Terminator(at.function, at.block),
                })
            }
            _ => None,
        };
        let original = |node| self.spans.original(node).and_then(Result::ok);
        let mut found = node.and_then(original);
        // A condition from its first to its last operand.
        if let (Some(first), Some(until), Some(function)) = (found, place.until, function)
            && let Some(last) = original(NodeRef::Expr(function, until))
            && last.file == first.file
        {
            found = Some(Span { file: first.file, start: first.start.min(last.start), end: first.end.max(last.end) });
        }
        let by_expr = || {
            let node = NodeRef::Expr(function?, place.expr?);
            self.spans.original(node)?.ok()
        };
        found.or_else(by_expr).or_else(|| {
            let point = self.program.place(place.site)?;
            Some(Span { file: point.file, start: point.position, end: point.position })
        })
    }

    /// Where a mark is put: the range, or, where only a point is known, the name that is declared there, or the macro or
    /// expression that begins there.
    pub fn mark(&self, place: &Place) -> Option<Span> {
        let span = self.span(place)?;
        if span.start != span.end {
            return Some(span);
        }
        let (point, sources) = (span.start_place(), &self.program.sources);
        let name = place.target.as_ref().filter(|_| place.what == What::Initial).map(|it| source_name(&it.name));
        let declared = name.and_then(|name| sources.word_in_line(point, name));
        let begun = || [Hint::Call, Hint::Any].into_iter().find_map(|hint| sources.expression_at(point, hint));
        declared.or_else(|| begun().map(|it| it.span)).or_else(|| Some(sources.token_at(point)?.span)).or(Some(span))
    }

    /// The source text of a range, in one line and not too long.
    pub fn text(&self, span: Span) -> String {
        const LONGEST: usize = 60;
        let mut text = self.program.sources.text_of(span).unwrap_or_default();
        if text.is_empty() {
            // Only a point is known, as in macros: the line says what it is.
            let whole = self.program.sources.text(span.file).unwrap_or_default();
            let line = whole.lines().nth(span.start.line.saturating_sub(1) as usize).unwrap_or_default();
            let code = line.split("//").next().unwrap_or_default();
            text = code.trim().trim_end_matches(['{', ';']).trim_end();
        }
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }

    pub fn line(&self, place: &Place) -> Option<u32> {
        self.span(place).map(|span| span.start.line)
    }

    /// What a test demanded: `` the test `i != 0` in line 9 ``.
    pub fn test(&self, statement: usize) -> String {
        let Some(place) = self.place(statement) else { return "a test".to_owned() };
        let span = self.span(place);
        let text = span.map(|span| self.text(span)).filter(|text| !text.is_empty());
        let line = span.map_or_else(String::new, |span| format!(" in line {}", span.start.line));
        let what = match place.what {
            What::Failure(_) => "the failing operation",
            What::Assumption => "the assumption",
            _ => "the test",
        };
        match text {
            Some(text) => format!("{what} `{text}`{line}"),
            None => format!("{what}{line}"),
        }
    }

    /// How a test would go.
    pub fn outcome(&self, statement: usize) -> &'static str {
        match self.place(statement).map(|place| place.what) {
            Some(What::Failure(_)) => "would not fail",
            Some(What::Assumption | What::Guard(Some(true))) => "would not hold",
            Some(What::Guard(Some(false))) => "would hold",
            _ => "would go another way",
        }
    }

    /// What a statement writes to: `` `i` ``, `the argument`.
    pub fn target(&self, place: &Place) -> String {
        let name = place.target.as_ref().map(|target| target.name.as_str()).unwrap_or_default();
        let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_') && !name.contains(' ');
        match place.what {
            What::Return if name.starts_with('%') => "the result".to_owned(),
            What::Return => name.to_owned(),
            What::Argument(_) if !is_name => "the argument".to_owned(),
            What::Store => self.stored(place),
            _ if name.starts_with('%') || name.is_empty() => "the value".to_owned(),
            _ if is_name => format!("`{}`", source_name(name)),
            _ => name.to_owned(),
        }
    }

    /// The left side of an assignment to memory, as the source has it.
    fn stored(&self, place: &Place) -> String {
        let text = self.span(place).map(|span| self.text(span)).unwrap_or_default();
        let left =
            text.split_once('=').map(|(left, _)| left.trim_end_matches(['+', '-', '*', '/', '|', '&', '^']).trim());
        // Of a declaration, the name: the value may be that of a part of it.
        let declares = |left: &str| left.split_whitespace().count() > 1 && !left.contains(['(', '[', '.']);
        match left {
            Some(left) if declares(left) => {
                let name = left.split_whitespace().last().unwrap_or(left).trim_start_matches('*');
                format!("a part of `{name}`")
            }
            Some(left) if !left.is_empty() => format!("`{left}`"),
            _ => "the value".to_owned(),
        }
    }

    /// A value as C writes it.
    pub fn value(&self, target: Option<&Target>, value: &Value) -> String {
        let bits = match value {
            Value::Bool(value) => u128::from(*value),
            value => value.as_bit_vector().and_then(|it| it.to_u128()).unwrap_or(0),
        };
        self.bits(target, bits)
    }

    pub fn bits(&self, target: Option<&Target>, bits: u128) -> String {
        let Some(target) = target else { return bits.to_string() };
        let width = target.ty.bits();
        match target.ty {
            Type::Float(program::Float::F32) => format!("{:?}", f32::from_bits(bits as u32)),
            Type::Float(program::Float::F64) => format!("{:?}", f64::from_bits(bits as u64)),
            Type::Pointer if bits == 0 => "NULL".to_owned(),
            Type::Pointer => "another address".to_owned(),
            _ if target.ctype.is_some_and(|ctype| self.is_unsigned(ctype)) => bits.to_string(),
            Type::Int(1) => bits.to_string(),
            _ => ((bits << (128 - width)) as i128 >> (128 - width)).to_string(),
        }
    }

    fn is_unsigned(&self, ctype: CTypeId) -> bool {
        match self.program.resolve(ctype) {
            CType::Integer { encoding, .. } => {
                matches!(encoding, Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Boolean)
            }
            CType::Enum { signed, .. } => !signed,
            _ => false,
        }
    }

    /// One suspect for each place, from what is said about its statements. Of several remarks the last one is
    /// told: it is the nearest to the failure.
    pub fn suspects(&self, engine: &str, remarks: Vec<Remark>) -> Vec<Suspect> {
        let mut places: BTreeMap<Key, (Vec<Remark>, &Place)> = BTreeMap::new();
        for remark in remarks {
            let Some(place) = self.place(remark.statement) else { continue };
            let span = self.span(place);
            let group = match place.what {
                What::Argument(number) => 1 + number.min(200) as u8,
                _ => 0,
            };
            let key = (span.map(|span| (span.file, span.start)), group);
            let entry = places.entry(key).or_insert_with(|| (Vec::new(), place));
            entry.0.push(remark);
        }
        let mut suspects = Vec::new();
        for (remarks, place) in places.into_values() {
            let Some(last) = remarks.iter().max_by_key(|it| it.statement) else { continue };
            let span = self.span(place);
            let best = remarks.iter().map(|it| it.score).fold(0.0, f64::max);
            let evidence = last.related.iter().map(|(statement, message)| Evidence {
                engine: engine.to_owned(),
                message: message.clone(),
                place: self.place(*statement).and_then(|place| self.mark(place)),
            });
            let mut why = last.why.clone();
            if remarks.len() > 1 {
                why = format!("{why} (one of {} times that it was executed)", remarks.len());
            }
            suspects.push(Suspect {
                place: self.mark(place),
                text: span.map(|span| self.text(span)).unwrap_or_default(),
                function: place.at.map_or_else(String::new, |at| self.program.function(at.function).name.clone()),
                score: Score::new(best),
                engines: vec![engine.to_owned()],
                why,
                evidence: evidence.collect(),
                step: None,
                lines: Vec::new(),
                fix: None,
            });
        }
        suspects
    }
}

/// Without the number behind a name that another one hides.
fn source_name(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number)) if !stem.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) => stem,
        _ => name,
    }
}
