//! Everything that is observed in a program, numbered over all its object files and shared libraries.

use std::path::Path;
use std::sync::Arc;

use object::{Object, ObjectSection};
use rustc_hash::FxHashMap;

use super::branches::{Branch, BranchId, before, ways_of};
use super::table::{Function, NodeKind, Observed, Unit, is_of_another_version, read_section};
use super::value::ValueType;
use crate::Error;

const SECTION: &str = ".faultline";

/// The number of a place whose values are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// The number of a basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// What happens at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiteKind {
    Load,
    Store,
    Return,
    Argument,
    /// The result of a function that is not observed itself.
    Call,
}

/// A place whose values are observed.
#[derive(Clone, Debug)]
pub struct Site {
    pub kind: SiteKind,
    pub file: Arc<str>,
    /// Zero where nothing in the source stands for it.
    pub line: u32,
    pub column: u32,
    pub function: Arc<str>,
    pub ty: ValueType,
    /// Executed as often as this.
    pub block: BlockId,
    /// Which unit, function of it and node of that.
    pub unit: u32,
    pub function_index: u32,
    pub node: u32,
    /// Which range of the unit tells its values.
    pub(super) range: u32,
}

/// A basic block: code that runs as one.
#[derive(Clone, Debug)]
pub struct Block {
    pub function: Arc<str>,
    pub file: Arc<str>,
    /// The lines of `file` that it has code for, in order, each once.
    pub lines: Vec<u32>,
    /// Where its function begins.
    pub is_entry: bool,
}

/// What is observed in a program.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    pub units: Vec<Unit>,
    pub sites: Vec<Site>,
    pub blocks: Vec<Block>,
    pub branches: Vec<Branch>,
    /// Of each unit: its first site, and for each of its counters the block.
    layouts: Vec<Layout>,
    by_hash: FxHashMap<u64, u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub first_site: u32,
    pub blocks: Vec<Option<BlockId>>,
    /// Of each segment of the unit.
    pub words: Vec<u32>,
    /// The number among all of its first segment.
    pub first_segment: u32,
}

/// The table of a program or a shared library.
pub fn sites_of(binary: &Path) -> Result<Sites, Error> {
    let mut sites = Sites::default();
    sites.add(binary)?;
    Ok(sites)
}

impl Sites {
    /// Adds what is observed in another binary, such as a shared library of the program.
    pub fn add(&mut self, binary: &Path) -> Result<(), Error> {
        let bytes = std::fs::read(binary).map_err(Error::file("read", binary))?;
        let file = object::File::parse(&*bytes)
            .map_err(|error| Error::NoBinary { path: binary.into(), reason: no_binary(&bytes, &error) })?;
        let section = file.section_by_name(SECTION).ok_or_else(|| Error::NotObserved { path: binary.into() })?;
        let damaged = |reason: String| Error::Damaged { path: binary.into(), reason };
        let data = section.data().map_err(|error| damaged(error.to_string()))?;
        if is_of_another_version(data) {
            return Err(Error::OtherVersion { path: binary.into() });
        }
        for unit in read_section(data).map_err(damaged)? {
            self.add_unit(unit);
        }
        Ok(())
    }

    /// Reads a section's bytes, as [`Sites::add`] does with those of a file.
    pub fn from_section(section: &[u8]) -> Result<Sites, String> {
        let mut sites = Sites::default();
        for unit in read_section(section)? {
            sites.add_unit(unit);
        }
        Ok(sites)
    }

    pub fn unit_of_hash(&self, hash: u64) -> Option<u32> {
        self.by_hash.get(&hash).copied()
    }

    pub(super) fn layout(&self, unit: u32) -> &Layout {
        &self.layouts[unit as usize]
    }

    /// The site of a node, if its values are observed.
    pub fn site_of_node(&self, unit: u32, function: u32, node: u32) -> Option<SiteId> {
        let observed = self.units[unit as usize].functions[function as usize].nodes[node as usize].observed?;
        Some(SiteId(self.layouts[unit as usize].first_site + observed.number))
    }

    /// The block that a counter of a unit counts.
    pub fn block_of(&self, unit: u32, counter: u32) -> Option<BlockId> {
        self.layouts[unit as usize].blocks.get(counter as usize).copied().flatten()
    }

    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub fn branch(&self, id: BranchId) -> &Branch {
        &self.branches[id.0 as usize]
    }

    fn add_unit(&mut self, unit: Unit) {
        let number = self.units.len() as u32;
        // The same object in two libraries.
        if self.by_hash.insert(unit.hash, number).is_some_and(|before| {
            self.by_hash.insert(unit.hash, before);
            true
        }) {
            return;
        }
        let words = unit.functions.iter().flat_map(|it| &it.segments).map(|it| it.words).collect();
        let blocks = vec![None; unit.counters as usize];
        let first_segment = self.layouts.last().map_or(0, |it| it.first_segment + it.words.len() as u32);
        let layout = Layout { first_site: self.sites.len() as u32, blocks, words, first_segment };
        self.layouts.push(layout);
        for (index, function) in unit.functions.iter().enumerate() {
            if !function.is_library {
                self.add_blocks(number, function);
                self.add_sites(number, index as u32, function);
            }
        }
        self.units.push(unit);
    }

    fn add_blocks(&mut self, unit: u32, function: &Function) {
        for (index, segment) in function.segments.iter().enumerate() {
            let known = self.layouts[unit as usize].blocks[segment.counter as usize];
            let id = known.unwrap_or_else(|| {
                let (name, file) = (function.name.clone(), function.file.clone());
                self.blocks.push(Block { function: name, file, lines: Vec::new(), is_entry: index == 0 });
                BlockId(self.blocks.len() as u32 - 1)
            });
            self.layouts[unit as usize].blocks[segment.counter as usize] = Some(id);
            let nodes = &function.nodes[segment.first_node as usize..segment.end_node as usize];
            let lines = nodes.iter().filter(|it| it.line != 0 && it.file.is_none()).map(|it| it.line);
            let block = &mut self.blocks[id.0 as usize];
            block.lines.extend(lines);
            block.lines.sort_unstable();
            block.lines.dedup();
        }
    }

    fn add_sites(&mut self, unit: u32, function_index: u32, function: &Function) {
        let before = before(function);
        let blocks = std::mem::take(&mut self.layouts[unit as usize].blocks);
        let block_of = |counter: u32| blocks[counter as usize].expect("blocks are added before");
        for segment in &function.segments {
            let block = block_of(segment.counter);
            for index in segment.first_node..segment.end_node {
                let node = &function.nodes[index as usize];
                let file = node.file.clone().unwrap_or_else(|| function.file.clone());
                let name = function.name.clone();
                if let Some(Observed { ty, range, .. }) = node.observed {
                    let (line, column) = (node.line, node.column);
                    let kind = site_kind(&node.kind);
                    self.sites.push(Site {
                        kind,
                        file,
                        line,
                        column,
                        function: name,
                        ty,
                        block,
                        unit,
                        function_index,
                        node: index,
                        range,
                    });
                } else if matches!(node.kind, NodeKind::Branch | NodeKind::Switch { .. }) {
                    let ways = ways_of(function, segment, node, &before, block_of);
                    // All jumps to labels of a function are one, which is nowhere.
                    let is_somewhere = node.line != 0 || node.kind == NodeKind::Branch;
                    if is_somewhere && !ways.is_empty() {
                        self.branches.push(Branch {
                            file,
                            line: node.line,
                            column: node.column,
                            function: name,
                            block,
                            ways,
                            unit,
                            function_index,
                            node: index,
                        });
                    }
                }
            }
        }
        self.layouts[unit as usize].blocks = blocks;
    }
}

fn site_kind(kind: &NodeKind) -> SiteKind {
    match kind {
        NodeKind::Load { .. } => SiteKind::Load,
        NodeKind::Store { .. } => SiteKind::Store,
        NodeKind::Return => SiteKind::Return,
        NodeKind::Argument(_) => SiteKind::Argument,
        _ => SiteKind::Call,
    }
}

fn no_binary(bytes: &[u8], error: &object::Error) -> String {
    match bytes {
        [b'#', b'!', ..] => "it is a script; name the program that it starts".into(),
        [] => "it is empty".into(),
        _ => error.to_string(),
    }
}
