//! What processes counted: how often blocks and branches were executed, and the ranges of values at sites.
//!
//! A process's counters lie in the order of its units: the counters of a unit, then its ranges if they were asked for, then those
//! inside of expressions, each from a page's start. A range is its least value and the distance of the greatest, or for floating point the
//! greatest itself; for pointers the second word counts nulls, and whether there were others follows from how often the block was executed.

use std::path::Path;

use super::branches::{BranchId, Ways};
use super::follow::{follow_ranges, sum_up};
use super::process::{Process, processes};
use super::sites::{BlockId, Site, SiteId, SiteKind, Sites};
use super::table::NodeKind;
use super::value::{Order, Value, ValueType};
use crate::Error;

const PAGE: usize = 4096;
/// The least value of a range without any, as the runtime has it.
const UNSEEN: i64 = 0x7ff9_5bd1_e995_a5c3;

/// How often everything was executed, over all processes of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the number of the block.
    pub blocks: Vec<u64>,
    pub ways: Ways,
}

impl Coverage {
    pub fn block(&self, id: BlockId) -> u64 {
        self.blocks[id.0 as usize]
    }
}

/// The values that were observed at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub min: Value,
    pub max: Value,
    /// How often its block was executed.
    pub count: u64,
}

/// Ranges at all sites, and the coverage of the same runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariants {
    /// By the number of the site; `None` where it was not reached.
    pub ranges: Vec<Option<Range>>,
    pub coverage: Coverage,
}

/// Ways of a `switch` that are told.
const MOST_WAYS: usize = 4;

impl Invariants {
    pub fn range(&self, id: SiteId) -> Option<Range> {
        self.ranges[id.0 as usize]
    }

    /// What a node did, in words: its value or values, or the ways that it went. `None` where that is not observed.
    pub fn told(&self, sites: &Sites, unit: u32, function: u32, node: u32) -> Option<String> {
        if let Some(site) = sites.site_of_node(unit, function, node) {
            let (range, ty) = (self.range(site)?, sites.site(site).ty);
            return Some(match range.min == range.max {
                true => range.min.shown(ty).to_string(),
                false => format!("{} to {}", range.min.shown(ty), range.max.shown(ty)),
            });
        }
        let is_here = |it: &super::Branch| (it.unit, it.function_index, it.node) == (unit, function, node);
        let index = sites.branches.iter().position(is_here)?;
        let counts = self.coverage.ways.of(BranchId(index as u32));
        let taken: Vec<_> = sites.branches[index].ways.iter().zip(counts).filter(|it| *it.1 > 0).collect();
        match taken[..] {
            [] => None,
            [(way, _)] => Some(format!("always {}", way.label)),
            _ => {
                let way = |(way, count): &(&super::Way, &u64)| match count {
                    1 => format!("once {}", way.label),
                    _ => format!("{count} times {}", way.label),
                };
                // The last one is told in fewer words than that there is one more.
                let most = if taken.len() == MOST_WAYS + 1 { taken.len() } else { MOST_WAYS };
                let mut told = taken.iter().take(most).map(way).collect::<Vec<_>>().join(", ");
                if taken.len() > most {
                    told.push_str(&format!(", and {} others", taken.len() - most));
                }
                Some(told)
            }
        }
    }
}

/// What was executed, by the processes that recorded coverage or invariants into a folder.
pub fn read_coverage(folder: &Path, sites: &Sites) -> Result<Coverage, Error> {
    read(folder, sites).map(|it| it.coverage)
}

/// The ranges of values, by the processes that recorded invariants into a folder.
pub fn read_invariants(folder: &Path, sites: &Sites) -> Result<Invariants, Error> {
    read(folder, sites)
}

fn read(folder: &Path, sites: &Sites) -> Result<Invariants, Error> {
    let mut raw = Raw::new(sites);
    let mut found = false;
    for process in processes(folder)? {
        if ["coverage", "invariants", "exact"].contains(&process.mode.as_str()) {
            raw.is_exact &= process.mode != "invariants";
            let path = process.stem.with_extension("counters");
            let words = match std::fs::read(&path) {
                Ok(bytes) => bytes,
                // It had no unit yet, or was told that the disk is full.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
                Err(source) => return Err(Error::File { doing: "read", path, source }),
            };
            found |= raw.add(&process, &words, sites).map_err(|reason| Error::Damaged { path, reason })?;
        }
    }
    if !found {
        let reason = "no process of the program wrote counters; was it built with `faultline cc`, and did it start?";
        return Err(Error::Empty { path: folder.into(), reason: reason.into() });
    }
    Ok(raw.finish(sites))
}

/// Sums by the units' own numbers.
struct Raw {
    counters: Vec<Vec<u64>>,
    ranges: Vec<Vec<(ValueType, Seen)>>,
    /// Everything was observed where it is, and nothing follows from anything else.
    is_exact: bool,
}

/// A range over several processes.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    min: i64,
    max: i64,
    nulls: u64,
}

impl Seen {
    pub(super) const NOTHING: Seen = Seen { min: i64::MAX, max: i64::MIN, nulls: 0 };

    pub(super) fn add(&mut self, order: Order, low: i64, second: i64) {
        if order == Order::Pointer {
            self.nulls = self.nulls.saturating_add(second as u64);
        } else if (low, second) != (UNSEEN, 0) {
            let (low, high) = match order {
                Order::Float => (ordered(low), ordered(second)),
                _ => (low, low.wrapping_add(second)),
            };
            self.min = self.min.min(low);
            self.max = self.max.max(high);
        }
    }

    /// With the values of another one.
    pub(super) fn join(&mut self, other: Seen) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.nulls = self.nulls.saturating_add(other.nulls);
    }

    /// All values larger by a number, in a type. If only some of them wrap around, all values of the type lie between them.
    pub(super) fn moved(self, more: i64, ty: ValueType) -> Seen {
        if more == 0 || self.min > self.max {
            return self;
        }
        let (least, greatest) = ty.ends();
        let count = i128::from(greatest) - i128::from(least) + 1;
        let moved = |value: i64| i128::from(value) + i128::from(more) - i128::from(least);
        let around = |value: i64| moved(value).div_euclid(count);
        let value = |value: i64| (moved(value).rem_euclid(count) + i128::from(least)) as i64;
        match around(self.min) == around(self.max) {
            true => Seen { min: value(self.min), max: value(self.max), ..self },
            false => Seen { min: least, max: greatest, ..self },
        }
    }

    /// Of what a comparison says, the sign is all that C promises: compilers and libraries choose the number by what is quick.
    fn signs(self) -> Seen {
        if self.min > self.max {
            return self;
        }
        Seen { min: self.min.signum(), max: self.max.signum(), ..self }
    }

    /// With the number of times that the block was executed.
    pub(super) fn range(self, order: Order, count: u64) -> Option<Range> {
        let (min, max) = match order {
            Order::Pointer if count == 0 => return None,
            Order::Pointer => (i64::from(self.nulls == 0), i64::from(count > self.nulls)),
            _ => (self.min, self.max),
        };
        (min <= max).then_some(Range { min: Value(min), max: Value(max), count })
    }
}

impl Raw {
    fn new(sites: &Sites) -> Raw {
        let counters = sites.units.iter().map(|unit| vec![0; unit.counters as usize]).collect();
        let nothing = (ValueType { order: Order::Signed, bits: 64 }, Seen::NOTHING);
        let mut ranges: Vec<_> = sites.units.iter().map(|unit| vec![nothing; unit.ranges as usize]).collect();
        for site in &sites.sites {
            ranges[site.unit as usize][site.range as usize].0 = site.ty;
        }
        Raw { counters, ranges, is_exact: true }
    }

    /// Says whether a unit was known.
    fn add(&mut self, process: &Process, bytes: &[u8], sites: &Sites) -> Result<bool, String> {
        let (with_ranges, with_inner) = (process.mode != "coverage", process.mode == "exact");
        let mut rest = bytes;
        let mut found = false;
        for unit in &process.units {
            let counters = take(&mut rest, unit.counters, 1)?;
            let ranges = if with_ranges { take(&mut rest, unit.ranges, 2)? } else { &[] };
            let _ = if with_inner { take(&mut rest, unit.inner, 2)? } else { &[] };
            // A note in the process's file says why.
            if counters.is_empty() && unit.counters != 0 {
                break;
            }
            let Some(index) = sites.unit_of_hash(unit.hash) else { continue };
            let known = &sites.units[index as usize];
            if (u64::from(known.counters), u64::from(known.ranges)) != (unit.counters, unit.ranges) {
                return Err(format!("{} has other counters than the program", known.source));
            }
            found = true;
            for (sum, word) in self.counters[index as usize].iter_mut().zip(words(counters)) {
                *sum = sum.saturating_add(word);
            }
            let mut words = words(ranges).map(|word| word as i64);
            for (ty, seen) in &mut self.ranges[index as usize] {
                let (Some(low), Some(second)) = (words.next(), words.next()) else { break };
                seen.add(ty.order, low, second);
            }
        }
        Ok(found)
    }

    fn finish(mut self, sites: &Sites) -> Invariants {
        if !self.is_exact {
            for (unit, ranges) in sites.units.iter().zip(&mut self.ranges) {
                follow_ranges(&unit.sources, ranges);
            }
            for (unit, counters) in sites.units.iter().zip(&mut self.counters) {
                for function in &unit.functions {
                    sum_up(function, counters);
                }
            }
        }
        let mut blocks = vec![0; sites.blocks.len()];
        for (unit, counters) in self.counters.iter().enumerate() {
            for (block, count) in sites.layout(unit as u32).blocks.iter().zip(counters) {
                if let Some(block) = block {
                    blocks[block.0 as usize] = *count;
                }
            }
        }
        let mut ways = Ways::default();
        for branch in &sites.branches {
            ways.add(branch.counts(&blocks, &self.counters[branch.unit as usize]));
        }
        let range = |site: &Site| {
            let (_, seen) = self.ranges[site.unit as usize][site.range as usize];
            let seen = if is_comparison(sites, site) { seen.signs() } else { seen };
            seen.range(site.ty.order, blocks[site.block.0 as usize])
        };
        let ranges = sites.sites.iter().map(range).collect();
        Invariants { ranges, coverage: Coverage { blocks, ways } }
    }
}

/// Functions that say which of two is before the other.
const COMPARING: [&str; 11] = [
    "memcmp",
    "bcmp",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "strverscmp",
    "wcscmp",
    "wcsncmp",
    "wmemcmp",
];

fn is_comparison(sites: &Sites, site: &Site) -> bool {
    let function = || &sites.units[site.unit as usize].functions[site.function_index as usize];
    site.kind == SiteKind::Call
        && match &function().nodes[site.node as usize].kind {
            NodeKind::Call { callee: Some(callee), .. } => COMPARING.contains(&&**callee),
            _ => false,
        }
}

/// The bits of a double as an integer in the same order; it is the same the other way.
fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

impl Invariants {
    /// A block that a call was in when the run ended has been counted, though it did not come to its end: it is not what is
    /// left of a branch when the other way is taken off, and says nothing about a pointer behind the call.
    pub fn leave_unfinished(&mut self, sites: &Sites, unfinished: &[(u32, u32)]) {
        for (unit, counter) in unfinished {
            let Some(block) = sites.block_of(*unit, *counter) else { continue };
            for (id, branch) in (0..).map(BranchId).zip(&sites.branches) {
                if let Some(rest) = branch.rest().filter(|_| branch.block == block) {
                    let count = &mut self.coverage.ways.of_mut(id)[rest];
                    *count = count.saturating_sub(1);
                }
            }
            for (site, range) in sites.sites.iter().zip(&mut self.ranges) {
                let is_once = range.is_some_and(|it| it.count == 1);
                if site.block == block && site.ty.order == Order::Pointer && is_once {
                    *range = None;
                }
            }
        }
    }
}

/// The words of a part that fills whole pages.
pub(super) fn take<'a>(rest: &mut &'a [u8], count: u64, each: usize) -> Result<&'a [u8], String> {
    let too_large = || format!("{count} counters cannot be");
    let length = usize::try_from(count).ok().and_then(|it| it.checked_mul(8 * each)).ok_or_else(too_large)?;
    let pages = length.checked_next_multiple_of(PAGE).ok_or_else(too_large)?;
    if rest.is_empty() {
        return Ok(&[]);
    }
    if pages > rest.len() {
        return Err(format!("it ends {} bytes early", pages - rest.len()));
    }
    let (taken, after) = rest.split_at(pages);
    *rest = after;
    Ok(&taken[..length])
}

pub(super) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|it| u64::from_le_bytes(it.try_into().expect("chunks have eight bytes")))
}
