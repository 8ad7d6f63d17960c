//! The table that the pass leaves in each object file: functions as segments of nodes, in the section `.faultline`.
//!
//! ```text
//! section  = { unit | eight zero bytes }
//! unit     = "FLUNIT11" length:u64 hash:u64 strings source counters ranges inner segments globals functions { function }
//!            regions, zero bytes up to length
//! strings  = count { length bytes }
//! function = name symbol file line arguments<<1|library { argument } segments { segment }
//! segment  = flags counter successors { segment<<1|counted [counter] } nodes { node }
//! node     = kind|flags line' column [file] [order|bits<<2] [range] [count { range more }] operands
//! ```
//! A load or a store has `size<<2|place` first: its address is a word of its own (0), or a distance in bytes from that of the
//! node so many before it in its segment (1), or from a global (2). Numbers are LEB128. A node refers to another of its function by the distance back, zigzag, plus one; zero is a
//! constant or a global. Ranges are numbered in the order of the nodes that have one of their
//! own; others have the number of one before. Other ranges whose values a node has, too, are told with what has to be
//! added to these, zigzag. A switch has the number of its cases and their values, zigzag, before its operands. Nodes inside of large expressions have a type, too, and are numbered apart.

use std::sync::Arc;

use super::cursor::{Cursor, unzigzag};
use super::paths::Paths;
use super::value::{Order, ValueType};

const MAGIC: &[u8; 8] = b"FLUNIT11";
const HEADER: usize = 24;

/// One object file's table.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name in recordings.
    pub hash: u64,
    pub source: Arc<str>,
    pub counters: u32,
    pub ranges: u32,
    /// Where ranges have values from that were observed for others.
    pub sources: Vec<Source>,
    /// Ranges inside of large expressions.
    pub inner: u32,
    pub segments: u32,
    /// Variables whose addresses a process tells when it begins.
    pub globals: u32,
    pub functions: Vec<Function>,
    pub paths: Paths,
}

/// A range has the values of another one, all larger by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub range: u32,
    pub from: u32,
    pub more: i64,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// As in the source.
    pub name: Arc<str>,
    /// As for the linker.
    pub symbol: Arc<str>,
    pub file: Arc<str>,
    pub line: u32,
    /// Their names.
    pub arguments: Vec<Arc<str>>,
    /// In a header of the system: traced, but nothing is counted or observed in it.
    pub is_library: bool,
    /// The number in the unit of its first segment.
    pub first_segment: u32,
    pub segments: Vec<Segment>,
    /// The arguments first, then by segment.
    pub nodes: Vec<Node>,
}

impl Function {
    /// Which of its segments a node is in.
    pub fn segment_of(&self, node: u32) -> Option<usize> {
        let index = self.segments.partition_point(|it| it.end_node <= node);
        self.segments.get(index).filter(|it| it.first_node <= node).map(|_| index)
    }
}

/// Where it is counted how often a block ran, unless it is counted exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Itself,
    /// On all ways out of it.
    Behind,
    /// On all ways to it.
    Before,
}

/// A basic block, or a part of one that ends with a call.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Goes on behind the call that ends the segment before.
    pub continues: bool,
    /// Ends with a call that may run other observed code.
    pub calls: bool,
    /// The counter of its block.
    pub counter: u32,
    /// Where it is counted how often its block ran.
    pub counted: Counted,
    pub successors: Vec<u32>,
    /// Counters of ways out of it: which successor, and the counter.
    pub ways: Vec<(u32, u32)>,
    /// First and end of its nodes.
    pub first_node: u32,
    pub end_node: u32,
    /// How many words it has in a trace.
    pub words: u32,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// The nodes whose values it uses. For calls: see there.
    pub operands: Vec<u32>,
    /// `None` where it is the function's.
    pub file: Option<Arc<str>>,
    /// Zero where nothing in the source stands for it.
    pub line: u32,
    pub column: u32,
    /// What is observed of its values.
    pub observed: Option<Observed>,
    /// It is inside of a large expression, and its values are observed where these are asked for.
    pub inner: Option<Inner>,
}

/// How the values of a node are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Which of the unit's nodes that are observed it is, and the range that tells its values.
    pub number: u32,
    pub range: u32,
    pub ty: ValueType,
}

/// How the values of a node inside of an expression are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inner {
    /// Which of the unit's ranges inside of expressions it has.
    pub number: u32,
    pub ty: ValueType,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A computation from its operands alone.
    Pure,
    Load {
        size: u64,
        place: Place,
        address: Option<u32>,
    },
    Store {
        size: u64,
        place: Place,
        value: Option<u32>,
        address: Option<u32>,
    },
    Return,
    Argument(u32),
    /// Where control goes on: with two ways, the first is the one if its condition is true.
    Branch,
    /// Where control goes on in one of many ways: the first for all values but these, then one for each. A jump to a label that is a
    /// value has no values here, only ways.
    Switch {
        cases: Vec<i64>,
    },
    Call {
        /// The function's symbol, unless it is called through a pointer.
        callee: Option<Arc<str>>,
        arguments: Vec<Option<u32>>,
        accesses: Vec<Access>,
    },
    Phi {
        /// From which segment, which value.
        incoming: Vec<(u32, Option<u32>)>,
    },
    Alloca,
    /// What a call has done to memory, known after it.
    Effect {
        call: Option<u32>,
        accesses: Vec<Access>,
    },
}

/// Where a trace has the address of a load or a store. Distances are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a word for it.
    Own,
    /// So far from the address of a node before it in the segment, which has a word.
    Shared { node: u32, distance: i64 },
    /// So far from a global of the unit.
    Global { number: u32, distance: i64 },
}

/// A range of memory that a call touches: two words in a trace, the address and the length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub write: bool,
    /// Byte for byte what was read last.
    pub copy: bool,
    /// No memory: the first word is 1 if the call printed to standard output, and the second has the bytes.
    pub print: bool,
    /// If it printed to standard output, the first word is 3 and how much had been printed before.
    pub is_positioned: bool,
}

/// Whether a section was written by another version of this program.
pub fn is_of_another_version(section: &[u8]) -> bool {
    let mut words = section.chunks_exact(8).skip_while(|it| **it == [0; 8]);
    words.next().is_some_and(|it| it != MAGIC && it[..6] == MAGIC[..6])
}

/// All units of a section.
pub fn read_section(section: &[u8]) -> Result<Vec<Unit>, String> {
    let mut units = Vec::new();
    let mut rest = section;
    while rest.len() >= 8 {
        if rest[..8] == [0; 8] {
            rest = &rest[8..];
            continue;
        }
        let mut cursor = Cursor::new(rest);
        if cursor.bytes(8)? != MAGIC {
            return Err("a unit begins with other bytes than this version of faultline writes".into());
        }
        let (length, hash) = (cursor.word()?, cursor.word()?);
        let length = usize::try_from(length).ok().filter(|it| (HEADER..=rest.len()).contains(it));
        let length = length.ok_or("a unit is longer than its section")?;
        units.push(Reader::new(&rest[HEADER..length])?.unit(hash)?);
        rest = &rest[length..];
    }
    Ok(units)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    strings: Vec<Arc<str>>,
    observed: u32,
    ranges: u32,
    sources: Vec<Source>,
    inner: u32,
    globals: u32,
    file: usize,
    line: i64,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Result<Reader<'a>, String> {
        let mut cursor = Cursor::new(bytes);
        let count = cursor.count("strings")?;
        let mut strings = Vec::with_capacity(count);
        for _ in 0..count {
            let length = cursor.count("a string of length")?;
            strings.push(String::from_utf8_lossy(cursor.bytes(length)?).into());
        }
        Ok(Reader {
            cursor,
            strings,
            observed: 0,
            ranges: 0,
            sources: Vec::new(),
            inner: 0,
            globals: 0,
            file: 0,
            line: 0,
        })
    }

    fn string(&mut self) -> Result<Arc<str>, String> {
        let index = self.cursor.index(self.strings.len(), "string")?;
        Ok(self.strings[index].clone())
    }

    fn unit(mut self, hash: u64) -> Result<Unit, String> {
        let source = self.string()?;
        // A segment or a branch has each of them, so that there are fewer than bytes.
        let counters = self.cursor.count("counters")? as u32;
        let ranges = self.cursor.small("ranges")?;
        let inner = self.cursor.small("inner ranges")?;
        let segments = self.cursor.small("segments")?;
        self.globals = self.cursor.count("globals")? as u32;
        let count = self.cursor.count("functions")?;
        let mut functions = Vec::with_capacity(count);
        let mut first_segment = 0;
        for _ in 0..count {
            let function = self.function(first_segment, counters)?;
            first_segment += function.segments.len() as u32;
            functions.push(function);
        }
        if first_segment != segments || self.ranges != ranges || self.inner != inner {
            return Err("the numbers of segments or ranges do not add up".into());
        }
        if self.sources.iter().any(|it| it.from >= ranges) {
            return Err("a range is said to have values of one that is not there".into());
        }
        let paths = Paths::read(&mut self.cursor, segments)?;
        Ok(Unit {
            hash,
            source,
            counters,
            ranges,
            sources: self.sources,
            inner,
            segments,
            globals: self.globals,
            functions,
            paths,
        })
    }

    fn function(&mut self, first_segment: u32, counters: u32) -> Result<Function, String> {
        let (name, symbol) = (self.string()?, self.string()?);
        self.file = self.cursor.index(self.strings.len(), "file")?;
        let own_file = self.file;
        let line = self.cursor.small("line")?;
        self.line = i64::from(line);
        let arguments = self.cursor.small("arguments")?;
        let (arguments, is_library) = (arguments >> 1, arguments & 1 != 0);
        let names = (0..arguments).map(|_| self.string()).collect::<Result<Vec<_>, _>>()?;
        let count = self.cursor.count("segments")?;
        let mut segments: Vec<Segment> = Vec::with_capacity(count);
        let mut nodes = Vec::new();
        for _ in 0..count {
            segments.push(self.segment(count, counters, own_file, &mut nodes)?);
        }
        let file = self.strings[own_file].clone();
        let function =
            Function { name, symbol, file, line, arguments: names, is_library, first_segment, segments, nodes };
        check_references(&function)?;
        Ok(function)
    }

    fn segment(
        &mut self,
        count: usize,
        counters: u32,
        own_file: usize,
        nodes: &mut Vec<Node>,
    ) -> Result<Segment, String> {
        let flags = self.cursor.number()?;
        let counter = self.cursor.index(counters as usize, "counter")? as u32;
        let successor_count = self.cursor.count("successors")?;
        let (mut successors, mut ways) = (Vec::with_capacity(successor_count), Vec::new());
        for way in 0..successor_count as u32 {
            let successor = self.cursor.small("segment")?;
            if (successor >> 1) as usize >= count {
                return Err(format!("there is no segment {}", successor >> 1));
            }
            successors.push(successor >> 1);
            if successor & 1 != 0 {
                ways.push((way, self.cursor.index(counters as usize, "counter")? as u32));
            }
        }
        let first_node = nodes.len() as u32;
        let node_count = self.cursor.count("nodes")?;
        for _ in 0..node_count {
            let index = nodes.len();
            nodes.push(self.node(index, own_file, count)?);
        }
        let words = nodes[first_node as usize..].iter().map(Node::words).sum::<u32>();
        let end_node = nodes.len() as u32;
        let (continues, calls) = (flags & 1 != 0, flags & 2 != 0);
        let counted = match flags >> 2 {
            0 => Counted::Itself,
            1 => Counted::Behind,
            2 => Counted::Before,
            other => return Err(format!("there is no way {other} to count a block")),
        };
        check_places(&nodes[first_node as usize..], first_node)?;
        Ok(Segment { continues, calls, counter, counted, successors, ways, first_node, end_node, words })
    }

    fn node(&mut self, index: usize, own_file: usize, segments: usize) -> Result<Node, String> {
        let head = self.cursor.number()?;
        let line = self.line.wrapping_add(self.cursor.signed()?);
        self.line = line;
        let line = u32::try_from(line).map_err(|_| format!("line {line} cannot be"))?;
        let column = self.cursor.small("column")?;
        if head & 0x20 != 0 {
            self.file = self.cursor.index(self.strings.len(), "file")?;
        }
        let file = (self.file != own_file).then(|| self.strings[self.file].clone());
        let observed = if head & 0x10 != 0 { Some(self.observed(head & 0x40 != 0)?) } else { None };
        if let (Some(observed), true) = (observed, head & 0x100 != 0) {
            for _ in 0..self.cursor.count("ranges")? {
                let (from, more) = (self.cursor.small("range")?, self.cursor.signed()?);
                self.sources.push(Source { range: observed.range, from, more });
            }
        }
        let inner = if head & 0x80 != 0 { Some(self.inner()?) } else { None };
        let (kind, operands) = self.operands(head & 0xf, index, segments)?;
        Ok(Node { kind, operands, file, line, column, observed, inner })
    }

    fn value_type(&mut self) -> Result<ValueType, String> {
        let ty = self.cursor.small("type")?;
        let order = [Order::Signed, Order::Unsigned, Order::Float, Order::Pointer][(ty & 3) as usize];
        Ok(ValueType { order, bits: ty >> 2 })
    }

    fn inner(&mut self) -> Result<Inner, String> {
        let ty = self.value_type()?;
        self.inner += 1;
        Ok(Inner { number: self.inner - 1, ty })
    }

    fn observed(&mut self, shares: bool) -> Result<Observed, String> {
        let ty = self.value_type()?;
        let range = match shares {
            true => self.cursor.index(self.ranges as usize, "range")? as u32,
            false => {
                self.ranges += 1;
                self.ranges - 1
            }
        };
        let number = self.observed;
        self.observed += 1;
        Ok(Observed { number, range, ty })
    }

    /// Checked against the function when all of it is known.
    fn reference(&mut self, index: usize) -> Result<Option<u32>, String> {
        let Some(distance) = self.cursor.number()?.checked_sub(1) else { return Ok(None) };
        let target = (index as i64).checked_sub(unzigzag(distance));
        let target = target.and_then(|it| u32::try_from(it).ok()).ok_or("a node refers to none")?;
        Ok(Some(target))
    }

    fn references(&mut self, index: usize) -> Result<Vec<Option<u32>>, String> {
        let count = self.cursor.count("operands")?;
        (0..count).map(|_| self.reference(index)).collect()
    }

    fn operands(&mut self, kind: u64, index: usize, segments: usize) -> Result<(NodeKind, Vec<u32>), String> {
        let kind = match kind {
            0 => NodeKind::Pure,
            1 => {
                let ((size, place), address) = (self.place(index)?, self.reference(index)?);
                return Ok((NodeKind::Load { size, place, address }, address.into_iter().collect()));
            }
            2 => {
                let (size, place) = self.place(index)?;
                let (value, address) = (self.reference(index)?, self.reference(index)?);
                return Ok((
                    NodeKind::Store { size, place, value, address },
                    value.into_iter().chain(address).collect(),
                ));
            }
            3 => NodeKind::Return,
            4 => return Ok((NodeKind::Argument(index as u32), Vec::new())),
            5 => NodeKind::Branch,
            6 => return self.call(index),
            7 => {
                let count = self.cursor.count("incoming")?;
                let mut incoming = Vec::with_capacity(count);
                for _ in 0..count {
                    let segment = self.cursor.index(segments, "segment")? as u32;
                    incoming.push((segment, self.reference(index)?));
                }
                let operands = incoming.iter().filter_map(|(_, value)| *value).collect();
                return Ok((NodeKind::Phi { incoming }, operands));
            }
            8 => NodeKind::Alloca,
            9 => {
                let call = self.reference(index)?;
                let accesses = self.accesses()?;
                return Ok((NodeKind::Effect { call, accesses }, call.into_iter().collect()));
            }
            10 => {
                let count = self.cursor.count("cases")?;
                NodeKind::Switch { cases: (0..count).map(|_| self.cursor.signed()).collect::<Result<_, _>>()? }
            }
            other => return Err(format!("there is no kind {other} of nodes")),
        };
        let operands = self.references(index)?.into_iter().flatten().collect();
        Ok((kind, operands))
    }

    fn place(&mut self, index: usize) -> Result<(u64, Place), String> {
        let head = self.cursor.number()?;
        let place = match head & 3 {
            0 => Place::Own,
            1 => {
                let node = self.cursor.index(index + 1, "node")?;
                Place::Shared { node: (index - node) as u32, distance: self.cursor.signed()? }
            }
            2 => {
                let number = self.cursor.index(self.globals as usize, "global")? as u32;
                Place::Global { number, distance: self.cursor.signed()? }
            }
            other => return Err(format!("there is no place {other} of addresses")),
        };
        Ok((head >> 2, place))
    }

    fn call(&mut self, index: usize) -> Result<(NodeKind, Vec<u32>), String> {
        let callee = match self.cursor.number()?.checked_sub(1) {
            None => None,
            Some(name) => {
                let name = usize::try_from(name).ok().and_then(|it| self.strings.get(it));
                Some(name.ok_or("a callee has no name")?.clone())
            }
        };
        let arguments = self.references(index)?;
        let pointer = self.reference(index)?;
        let accesses = self.accesses()?;
        let operands = arguments.iter().copied().flatten().chain(pointer).collect();
        Ok((NodeKind::Call { callee, arguments, accesses }, operands))
    }

    fn accesses(&mut self) -> Result<Vec<Access>, String> {
        let count = self.cursor.count("accesses")?;
        let access = |flags: u64| Access {
            write: flags & 1 != 0,
            copy: flags & 2 != 0,
            print: flags & 4 != 0,
            is_positioned: flags & 8 != 0,
        };
        (0..count).map(|_| self.cursor.number().map(access)).collect()
    }
}

fn check_references(function: &Function) -> Result<(), String> {
    let count = function.nodes.len() as u32;
    let known = |index: &u32| *index < count;
    let fine = function.nodes.iter().all(|node| node.operands.iter().all(known));
    if !fine {
        return Err(format!("a node of {} refers to none", function.name));
    }
    if function.arguments.len() > function.nodes.len() {
        return Err(format!("{} has more arguments than nodes", function.name));
    }
    Ok(())
}

/// A shared address is that of a node of the segment, before, which has a word for it.
fn check_places(nodes: &[Node], first: u32) -> Result<(), String> {
    for (index, node) in nodes.iter().enumerate() {
        let Some(Place::Shared { node, .. }) = node.place() else { continue };
        let leader = node.checked_sub(first).map(|it| it as usize).filter(|it| *it < index);
        if leader.is_none_or(|it| nodes[it].place() != Some(Place::Own)) {
            return Err("an address is shared with none".into());
        }
    }
    Ok(())
}

impl Node {
    /// Where the address of a load or a store is.
    pub fn place(&self) -> Option<Place> {
        match self.kind {
            NodeKind::Load { place, .. } | NodeKind::Store { place, .. } => Some(place),
            _ => None,
        }
    }

    /// How many words it has in a trace.
    pub fn words(&self) -> u32 {
        match &self.kind {
            NodeKind::Load { place, .. } | NodeKind::Store { place, .. } => u32::from(*place == Place::Own),
            NodeKind::Call { accesses, .. } | NodeKind::Effect { accesses, .. } => 2 * accesses.len() as u32,
            _ => 0,
        }
    }
}
