//! Traces: which segments a thread has executed, and the addresses that they touched.
//!
//! A thread's trace is a list of compressed chunks in two files that take turns, and a window with what came last. A
//! chunk is `"FLCHUNK5" number raw encoded packed begin end`, eight bytes each, and an LZ4 block of words as
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
use std::sync::OnceLock;

use super::cursor::Cursor;
use super::paths::Recipe;
use super::process::{Process, processes};
use super::sites::Sites;
use super::words;
use crate::Error;

const MAGIC: &[u8; 8] = b"FLCHUNK5";
const HEADER: usize = 56;
/// No chunk is longer than the runtime's window.
const LONGEST: u64 = 1 << 20;

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

/// A record: a path that was executed.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Its number among all, which `Recipes` know.
    pub path: u32,
    /// Its words begin here, those behind its name.
    pub first_word: u32,
}

/// What a chunk tells.
#[derive(Debug, Default)]
pub struct Executed {
    /// Of all records, as they were written.
    pub words: Vec<u64>,
    /// In the order of execution.
    pub records: Vec<Record>,
}

impl Executed {
    /// The words of a record, and more behind them.
    pub fn words(&self, record: &Record) -> &[u64] {
        &self.words[record.first_word as usize..]
    }

    /// The segments that were executed, by their numbers among all.
    pub fn segments<'a>(&'a self, recipes: &'a Recipes<'_>) -> impl Iterator<Item = u32> + 'a {
        self.records.iter().flat_map(|it| recipes.get(it.path).segments.iter().map(|it| it.0))
    }
}

/// The paths of all units, each looked at when a record names it for the first time.
pub struct Recipes<'a> {
    sites: &'a Sites,
    /// Of each unit of the table the number of its first path.
    first: Vec<u32>,
    known: Vec<OnceLock<Box<Recipe>>>,
}

impl<'a> Recipes<'a> {
    pub fn new(sites: &'a Sites) -> Recipes<'a> {
        let mut count = 0;
        let mut first = Vec::new();
        for unit in &sites.units {
            first.push(count);
            count += unit.paths.count() as u32;
        }
        Recipes { sites, first, known: (0..count).map(|_| OnceLock::new()).collect() }
    }

    /// How many paths there are.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Of a path that a record has.
    pub fn get(&self, path: u32) -> &Recipe {
        self.known[path as usize].get().expect("a path of a record was looked at when the record was read")
    }

    /// The number among all of a unit's path, and what it is.
    fn find(&self, unit: u32, path: u32) -> Result<(u32, &Recipe), String> {
        let of_unit = &self.sites.units[unit as usize];
        if path as usize >= of_unit.paths.count() {
            return Err("a record names a path that does not exist".into());
        }
        let number = self.first[unit as usize] + path;
        let place = &self.known[number as usize];
        if let Some(recipe) = place.get() {
            return Ok((number, recipe));
        }
        let layout = self.sites.layout(unit);
        let mut recipe = of_unit.paths.recipe(path, &layout.words)?;
        recipe.segments.iter_mut().for_each(|it| it.0 += layout.first_segment);
        Ok((number, place.get_or_init(|| Box::new(recipe))))
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

/// `None` if it is none; one of another version differs in the number at the end of its first word.
fn header(path: &Path, bytes: &[u8; HEADER]) -> Result<Option<[u64; 6]>, Error> {
    if bytes[..8] != MAGIC[..] && bytes[..7] == MAGIC[..7] && bytes[7].is_ascii_digit() {
        return Err(Error::OtherVersion { path: path.into() });
    }
    let word = |index: usize| u64::from_le_bytes(bytes[8 * index..8 * index + 8].try_into().expect("eight bytes"));
    Ok((&bytes[..8] == MAGIC).then(|| [word(1), word(2), word(3), word(4), word(5), word(6)]))
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
        let header = header(path, &bytes)?.ok_or_else(|| damaged("a chunk does not begin as one"))?;
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
    let Some([number, _, _, _, begin, _]) = header(path, &bytes)? else { return Ok(None) };
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
    pub fn read(&self, chunk: usize, recipes: &Recipes<'_>) -> Result<Executed, Error> {
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
        self.executed(words, chunk.packed.is_none(), recipes).map_err(damaged)
    }

    fn executed(&self, words: Vec<u64>, is_window: bool, recipes: &Recipes<'_>) -> Result<Executed, String> {
        let mut records = Vec::new();
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
            let (path, recipe) = recipes.find(unit, words::path_of(name))?;
            if length != recipe.written as usize + 1 {
                return Err("a record has other words than its path".into());
            }
            records.push(Record { path, first_word: at as u32 + 1 });
            at += if is_window { words::reserved_of(name).max(1) } else { length };
        }
        Ok(Executed { words, records })
    }
}
