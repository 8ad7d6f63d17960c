//! Traces: which segments a thread has executed, and the addresses that they touched.
//!
//! A thread's trace is a list of compressed chunks in two files that take turns, and a window with what came last. A
//! chunk is `"FLCHUNK4" number raw encoded packed begin end`, eight bytes each, and an LZ4 block of words as
//! `recording/words.rs` has them; a window is the same without lengths, its words plain, zeros behind the last. The
//! window counts only if no chunk has its number: it was not added yet.
//!
//! The words of a record are its name (`1<<63 | unit<<48 | path<<22 | reserved<<11 | words`), then of the segments of the path
//! one or two for each access that needs them, unless they follow from others (`recording/paths.rs`); those that were not
//! reached are zero. In a window, so many words are
//! reserved for it. The addresses of globals are in a file of the process: for each unit its number, how many, and so many
//! words.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::cursor::Cursor;
use super::paths::Recipe;
use super::process::{Process, processes};
use super::sites::Sites;
use super::words;
use crate::Error;

const MAGIC: &[u8; 8] = b"FLCHUNK4";
const HEADER: usize = 56;
/// No chunk is longer than the runtime's window.
const LONGEST: u64 = 1 << 20;
/// Of all segments of a chunk.
const MOST_WORDS: usize = 1 << 26;

/// What one thread of one process has executed.
#[derive(Clone, Debug)]
pub struct ThreadTrace {
    pub thread: u64,
    /// Which unit of the table a unit of the process is.
    units: Vec<Option<u32>>,
    chunks: Vec<Chunk>,
    /// The beginning was overwritten, since it would have been too long.
    pub lost_beginning: bool,
}

#[derive(Clone, Debug)]
struct Chunk {
    path: PathBuf,
    /// Where the words are.
    offset: u64,
    number: u64,
    raw: u64,
    /// The lengths of the encoded words and of those compressed.
    packed: Option<(u64, u64)>,
    begin: u64,
}

/// A segment that was executed.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its number among all.
    pub segment: u32,
    /// Its words begin here: one that is not its own, then its addresses.
    pub first_word: u32,
}

/// What a chunk tells.
#[derive(Debug, Default)]
pub struct Executed {
    /// Of all segments, also those that a record leaves out since they follow from others.
    pub words: Vec<u64>,
    /// In the order of execution.
    pub steps: Vec<Step>,
    /// The first step of the last record.
    pub last: usize,
    /// For each word from that step on, whether it follows from others: it says nothing about how far the process had come.
    pub derived: Vec<bool>,
}

impl Executed {
    /// Of a step's words.
    pub fn derived(&self, step: &Step) -> &[bool] {
        let first = self.steps.get(self.last).map_or(u32::MAX, |it| it.first_word);
        let skipped = step.first_word.checked_sub(first).map(|it| it as usize);
        skipped.and_then(|it| self.derived.get(it..)).unwrap_or_default()
    }
}

/// Paths that records have told, so that each is looked at once.
#[derive(Default)]
pub struct Recipes {
    /// By units of the table and paths.
    known: Vec<Vec<Option<Box<Recipe>>>>,
}

impl Recipes {
    fn get(&mut self, sites: &Sites, unit: u32, path: u32) -> Result<&Recipe, String> {
        let (unit_index, path_index) = (unit as usize, path as usize);
        if self.known.len() <= unit_index {
            self.known.resize_with(sites.units.len(), Vec::new);
        }
        let known = &mut self.known[unit_index];
        if known.len() <= path_index {
            let count = sites.units[unit_index].paths.count().max(known.len());
            known.resize_with(count, || None);
        }
        let entry = known.get_mut(path_index).ok_or("a record names a path that does not exist")?;
        if entry.is_none() {
            let layout = sites.layout(unit);
            let mut recipe = sites.units[unit_index].paths.recipe(path, &layout.words)?;
            recipe.segments.iter_mut().for_each(|it| it.0 += layout.first_segment);
            *entry = Some(Box::new(recipe));
        }
        Ok(entry.as_ref().expect("it was just made"))
    }
}

/// The traces of a process, its threads in order of their numbers.
pub fn traces(process: &Process, sites: &Sites) -> Result<Vec<ThreadTrace>, Error> {
    let folder = process.stem.parent().unwrap_or(Path::new("."));
    let stem = format!("{}.", process.stem.file_name().unwrap_or_default().to_string_lossy());
    let units: Vec<Option<u32>> = process.units.iter().map(|unit| sites.unit_of_hash(unit.hash)).collect();
    let mut threads = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(Error::file("list", folder))? {
        let path = entry.map_err(Error::file("list", folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((thread, ending)) = name.strip_prefix(&stem).and_then(|rest| rest.split_once('.')) else { continue };
        let Ok(thread) = thread.parse::<u64>() else { continue };
        let found: &mut (Vec<Chunk>, Vec<Chunk>) = threads.entry(thread).or_default();
        match ending {
            "0.trace" | "1.trace" => found.0.extend(chunks_of(&path)?),
            "window" => found.1.extend(window_of(&path)?),
            _ => {}
        }
    }
    let trace = |(thread, (mut chunks, window)): (u64, (Vec<Chunk>, Vec<Chunk>))| {
        let last = chunks.iter().map(|it| it.number).max();
        chunks.extend(window.into_iter().filter(|it| last.is_none_or(|last| it.number > last)));
        chunks.sort_by_key(|it| it.number);
        let lost_beginning = chunks.first().is_some_and(|it| it.number != 0);
        ThreadTrace { thread, units: units.clone(), chunks, lost_beginning }
    };
    Ok(threads.into_iter().map(trace).collect())
}

/// The addresses of globals, for each unit of the table. Empty where the process did not tell them.
pub fn globals(process: &Process, sites: &Sites) -> Result<Vec<Vec<u64>>, Error> {
    let mut known = vec![Vec::new(); sites.units.len()];
    let path = process.stem.with_extension("globals");
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(known),
        bytes => bytes.map_err(Error::file("read", &path))?,
    };
    let damaged = |reason: String| Error::Damaged { path: path.clone(), reason };
    let mut cursor = Cursor::new(&bytes);
    while !cursor.is_empty() {
        let (unit, count) = (cursor.word().map_err(damaged)?, cursor.word().map_err(damaged)?);
        let length = usize::try_from(count).ok().and_then(|it| it.checked_mul(8));
        let addresses = cursor.bytes(length.unwrap_or(usize::MAX)).map_err(damaged)?;
        let unit = usize::try_from(unit).ok().and_then(|it| process.units.get(it));
        let unit = unit.ok_or_else(|| damaged("it names a unit that was not loaded".into()))?;
        if let Some(index) = sites.unit_of_hash(unit.hash) {
            known[index as usize] = addresses.chunks_exact(8).map(word).collect();
        }
    }
    Ok(known)
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("chunks have eight bytes"))
}

/// The processes of a folder that left a trace.
pub fn traced_processes(folder: &Path) -> Result<Vec<Process>, Error> {
    let traced: Vec<Process> = processes(folder)?.into_iter().filter(|it| it.mode == "trace").collect();
    if traced.is_empty() {
        let reason = "no process of the program wrote a trace; was it built with `faultline cc`, and did it start?";
        return Err(Error::Empty { path: folder.into(), reason: reason.into() });
    }
    Ok(traced)
}

fn header(bytes: &[u8; HEADER]) -> Option<[u64; 6]> {
    let word = |index: usize| u64::from_le_bytes(bytes[8 * index..8 * index + 8].try_into().expect("eight bytes"));
    (&bytes[..8] == MAGIC).then(|| [word(1), word(2), word(3), word(4), word(5), word(6)])
}

/// A chunk that was cut off by the process's end is left out: its words are still in the window.
fn chunks_of(path: &Path) -> Result<Vec<Chunk>, Error> {
    let damaged = |reason: &str| Error::Damaged { path: path.into(), reason: reason.into() };
    let mut file = File::open(path).map_err(Error::file("read", path))?;
    let length = file.metadata().map_err(Error::file("read", path))?.len();
    let mut chunks = Vec::new();
    let mut at = 0;
    while at + HEADER as u64 <= length {
        let mut bytes = [0; HEADER];
        file.seek(SeekFrom::Start(at)).map_err(Error::file("read", path))?;
        file.read_exact(&mut bytes).map_err(Error::file("read", path))?;
        let header = header(&bytes).ok_or_else(|| damaged("a chunk does not begin as one"))?;
        let [number, raw, encoded, packed, begin, _] = header;
        let offset = at + HEADER as u64;
        if raw > LONGEST || encoded > 4 * LONGEST || packed > 5 * LONGEST || raw % 8 != 0 {
            return Err(damaged("a chunk is longer than any can be"));
        }
        if offset + packed > length {
            break;
        }
        chunks.push(Chunk { path: path.into(), offset, number, raw, packed: Some((encoded, packed)), begin });
        at = offset + packed;
    }
    Ok(chunks)
}

fn window_of(path: &Path) -> Result<Option<Chunk>, Error> {
    let mut file = File::open(path).map_err(Error::file("read", path))?;
    let length = file.metadata().map_err(Error::file("read", path))?.len();
    let mut bytes = [0; HEADER];
    if length < HEADER as u64 || length > LONGEST {
        return Ok(None);
    }
    file.read_exact(&mut bytes).map_err(Error::file("read", path))?;
    // A process that was killed before it had named its window has written nothing.
    let Some([number, _, _, _, begin, _]) = header(&bytes) else { return Ok(None) };
    let (offset, raw) = (HEADER as u64, (length - HEADER as u64) / 8 * 8);
    Ok(Some(Chunk { path: path.into(), offset, number, raw, packed: None, begin }))
}

impl ThreadTrace {
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// When a chunk began, in nanoseconds of a clock that all threads share.
    pub fn begin_of(&self, chunk: usize) -> u64 {
        self.chunks[chunk].begin
    }

    /// What a chunk tells.
    pub fn read(&self, chunk: usize, sites: &Sites, recipes: &mut Recipes) -> Result<Executed, Error> {
        let chunk = &self.chunks[chunk];
        let damaged = |reason: String| Error::Damaged { path: chunk.path.clone(), reason };
        let mut file = File::open(&chunk.path).map_err(Error::file("read", &chunk.path))?;
        file.seek(SeekFrom::Start(chunk.offset)).map_err(Error::file("read", &chunk.path))?;
        let mut bytes = vec![0; chunk.packed.map_or(chunk.raw, |(_, packed)| packed) as usize];
        file.read_exact(&mut bytes).map_err(Error::file("read", &chunk.path))?;
        let words = match chunk.packed {
            Some((encoded, _)) => {
                let bytes = lz4_flex::block::decompress(&bytes, encoded as usize)
                    .map_err(|error| damaged(format!("chunk {}: {error}", chunk.number)))?;
                words::decode(&bytes, chunk.raw as usize / 8)
                    .map_err(|reason| damaged(format!("chunk {}: {reason}", chunk.number)))?
            }
            None => bytes.chunks_exact(8).map(word).collect(),
        };
        self.executed(&words, chunk.packed.is_none(), sites, recipes).map_err(damaged)
    }

    fn executed(
        &self,
        words: &[u64],
        is_window: bool,
        sites: &Sites,
        recipes: &mut Recipes,
    ) -> Result<Executed, String> {
        let mut told = Executed { words: Vec::with_capacity(words.len()), ..Executed::default() };
        let mut at = 0;
        while let Some(&name) = words.get(at) {
            if name == 0 {
                break;
            }
            let (number, length) = (words::unit_of(name), words::words_of(name));
            let unit = self.units.get(number).ok_or("a record names a unit that was not loaded")?;
            let unit = unit.ok_or_else(|| {
                format!("unit {number} is in no table that was read; name the shared library that it is from")
            })?;
            if at + length > words.len() {
                break;
            }
            let recipe = recipes.get(sites, unit, words::path_of(name))?;
            if length != recipe.written as usize + 1 {
                return Err("a record has other words than its path".into());
            }
            told.last = told.steps.len();
            let first = told.words.len() as u32;
            told.words.push(name);
            recipe.fill(&words[at + 1..at + length], &mut told.words);
            let step = |&(segment, before): &(u32, u32)| Step { segment, first_word: first + before };
            told.steps.extend(recipe.segments.iter().map(step));
            at += if is_window { words::reserved_of(name).max(1) } else { length };
            if told.words.len() > MOST_WORDS {
                return Err("there are more words than a chunk can have".into());
            }
        }
        if let Some(step) = told.steps.get(told.last) {
            let name = told.words[step.first_word as usize];
            let unit = self.units.get(words::unit_of(name)).copied().flatten().ok_or("a record has no unit")?;
            let recipe = recipes.get(sites, unit, words::path_of(name))?;
            told.derived = std::iter::once(false).chain(recipe.sources.iter().map(|it| !it.is_itself)).collect();
        }
        Ok(told)
    }
}
