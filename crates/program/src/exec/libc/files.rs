//! The virtual file system of a run: names, directories and contents, all in memory.
//!
//! It begins with the files of the inputs. Names that it does not know are looked up in a directory
//! of the real system, if one was given, and copied when they are first opened. Nothing is ever
//! written to the real disk. Errors are the numbers that `errno` takes.
//!
//! What holds: names are absolute and have no `.`, `..` or empty parts; every entry's parent is a
//! directory. Links, permissions and owners do not exist.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// A value of `errno`.
pub type Errno = i32;

/// The contents of a file, which outlive its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    File(NodeId),
    Directory,
}

/// How a file is to be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Creation {
    pub create: bool,
    /// Fail if it exists.
    pub exclusive: bool,
    pub truncate: bool,
}

/// What `stat` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    pub directory: bool,
    pub size: u64,
    /// The file's number.
    pub number: u64,
}

/// Where relative names start.
pub const WORKING_DIRECTORY: &[u8] = b"/program";

/// All contents together; a program cannot fill our memory through files.
const CONTENT_LIMIT: u64 = 1 << 30;

const NAME_LIMIT: usize = 4096;

#[derive(Clone, Debug)]
pub struct FileSystem {
    /// `None` hides a file of the real directory that the program removed.
    entries: BTreeMap<Vec<u8>, Option<Entry>>,
    nodes: Vec<Vec<u8>>,
    working: Vec<u8>,
    /// A real directory behind the working directory, only read.
    behind: Option<PathBuf>,
    content: u64,
    temporaries: u64,
}

impl FileSystem {
    pub fn new(files: &BTreeMap<Vec<u8>, Vec<u8>>) -> Self {
        let mut system = FileSystem {
            entries: BTreeMap::new(),
            nodes: Vec::new(),
            working: WORKING_DIRECTORY.to_vec(),
            behind: None,
            content: 0,
            temporaries: 0,
        };
        for directory in [b"/".as_slice(), b"/tmp", WORKING_DIRECTORY] {
            system.entries.insert(directory.to_vec(), Some(Entry::Directory));
        }
        for (name, contents) in files {
            let Ok(path) = system.resolve(name) else { continue };
            system.add_parents(&path);
            let node = system.add_node(contents.clone());
            system.entries.insert(path, Some(Entry::File(node)));
        }
        system
    }

    /// Looks unknown names up in this directory.
    pub fn read_through(&mut self, directory: PathBuf) {
        self.behind = Some(directory);
    }

    /// All files and their contents, those of the working directory by their relative names.
    pub fn contents(&self) -> BTreeMap<Vec<u8>, &[u8]> {
        let mut prefix = WORKING_DIRECTORY.to_vec();
        prefix.push(b'/');
        let files = self.entries.iter().filter_map(|(path, entry)| match entry {
            Some(Entry::File(node)) => Some((path.strip_prefix(prefix.as_slice()).unwrap_or(path), node)),
            _ => None,
        });
        files.map(|(name, &node)| (name.to_vec(), self.node(node))).collect()
    }

    pub fn working_directory(&self) -> &[u8] {
        &self.working
    }

    pub fn change_directory(&mut self, name: &[u8]) -> Result<(), Errno> {
        let path = self.resolve(name)?;
        match self.lookup(&path)? {
            Entry::Directory => self.working = path,
            Entry::File(_) => return Err(libc::ENOTDIR),
        }
        Ok(())
    }

    pub fn node(&self, node: NodeId) -> &[u8] {
        &self.nodes[node.0 as usize]
    }

    fn add_node(&mut self, contents: Vec<u8>) -> NodeId {
        self.content += contents.len() as u64;
        self.nodes.push(contents);
        NodeId(u32::try_from(self.nodes.len() - 1).expect("a run opens fewer than 2^32 files"))
    }

    fn add_parents(&mut self, path: &[u8]) {
        for (index, _) in path.iter().enumerate().skip(1).filter(|(_, byte)| **byte == b'/') {
            self.entries.insert(path[..index].to_vec(), Some(Entry::Directory));
        }
    }

    /// The absolute name without `.`, `..` and doubled slashes.
    fn resolve(&self, name: &[u8]) -> Result<Vec<u8>, Errno> {
        if name.is_empty() {
            return Err(libc::ENOENT);
        }
        if name.len() >= NAME_LIMIT {
            return Err(libc::ENAMETOOLONG);
        }
        let start: &[u8] = if name[0] == b'/' { b"" } else { &self.working };
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in start.split(|&byte| byte == b'/').chain(name.split(|&byte| byte == b'/')) {
            match part {
                b"" | b"." => {}
                b".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        let mut path = Vec::new();
        for part in parts {
            path.push(b'/');
            path.extend_from_slice(part);
        }
        if path.is_empty() {
            path.push(b'/');
        }
        Ok(path)
    }

    fn lookup(&mut self, path: &[u8]) -> Result<Entry, Errno> {
        match self.entries.get(path) {
            Some(entry) => entry.ok_or(libc::ENOENT),
            None => self.load_behind(path).ok_or(libc::ENOENT),
        }
    }

    /// Copies a file of the real directory, unless a link leads out of it.
    fn load_behind(&mut self, path: &[u8]) -> Option<Entry> {
        let relative = path.strip_prefix(WORKING_DIRECTORY)?.strip_prefix(b"/")?;
        let root = self.behind.as_ref()?.canonicalize().ok()?;
        let real = root.join(std::str::from_utf8(relative).ok()?).canonicalize().ok()?;
        if !real.starts_with(&root) {
            return None;
        }
        let entry = if real.is_dir() {
            Entry::Directory
        } else {
            let size = real.metadata().ok().filter(|data| data.is_file())?.len();
            if self.content + size > CONTENT_LIMIT {
                return None;
            }
            Entry::File(self.add_node(std::fs::read(real).ok()?))
        };
        self.entries.insert(path.to_vec(), Some(entry));
        Some(entry)
    }

    /// The directory that the entry is or would be in must exist.
    fn check_parent(&mut self, path: &[u8]) -> Result<(), Errno> {
        let end = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        match self.lookup(if end == 0 { b"/" } else { &path[..end] })? {
            Entry::Directory => Ok(()),
            Entry::File(_) => Err(libc::ENOTDIR),
        }
    }

    pub fn open(&mut self, name: &[u8], creation: Creation) -> Result<Entry, Errno> {
        let path = self.resolve(name)?;
        self.check_parent(&path)?;
        match self.lookup(&path) {
            Ok(_) if creation.create && creation.exclusive => Err(libc::EEXIST),
            Ok(Entry::File(_)) if name.ends_with(b"/") => Err(libc::ENOTDIR),
            Ok(Entry::File(node)) => {
                if creation.truncate {
                    self.truncate(node, 0)?;
                }
                Ok(Entry::File(node))
            }
            Ok(Entry::Directory) if creation.create || creation.truncate => Err(libc::EISDIR),
            Ok(Entry::Directory) => Ok(Entry::Directory),
            Err(_) if creation.create && name.ends_with(b"/") => Err(libc::EISDIR),
            Err(_) if creation.create => {
                let node = self.add_node(Vec::new());
                self.entries.insert(path, Some(Entry::File(node)));
                Ok(Entry::File(node))
            }
            Err(error) => Err(error),
        }
    }

    /// A file without a name, for `tmpfile`.
    pub fn open_anonymous(&mut self) -> NodeId {
        self.add_node(Vec::new())
    }

    pub fn status(&mut self, name: &[u8]) -> Result<Status, Errno> {
        let path = self.resolve(name)?;
        self.check_parent(&path)?;
        Ok(match self.lookup(&path)? {
            Entry::File(_) if name.ends_with(b"/") => return Err(libc::ENOTDIR),
            Entry::File(node) => self.node_status(node),
            Entry::Directory => Status { directory: true, size: 4096, number: 1 },
        })
    }

    pub fn node_status(&self, node: NodeId) -> Status {
        Status { directory: false, size: self.node(node).len() as u64, number: u64::from(node.0) + 2 }
    }

    pub fn write(&mut self, node: NodeId, position: u64, bytes: &[u8]) -> Result<(), Errno> {
        if bytes.is_empty() {
            return Ok(());
        }
        let end = position.checked_add(bytes.len() as u64).ok_or(libc::EFBIG)?;
        if end > self.nodes[node.0 as usize].len() as u64 {
            self.truncate(node, end)?;
        }
        self.nodes[node.0 as usize][position as usize..end as usize].copy_from_slice(bytes);
        Ok(())
    }

    /// Cuts the file or extends it with zeros.
    pub fn truncate(&mut self, node: NodeId, size: u64) -> Result<(), Errno> {
        let contents = &mut self.nodes[node.0 as usize];
        let total = (self.content - contents.len() as u64).checked_add(size).ok_or(libc::EFBIG)?;
        if total > CONTENT_LIMIT {
            return Err(libc::ENOSPC);
        }
        contents.resize(size as usize, 0);
        self.content = total;
        Ok(())
    }

    pub fn unlink(&mut self, name: &[u8]) -> Result<(), Errno> {
        let path = self.resolve(name)?;
        self.check_parent(&path)?;
        match self.lookup(&path)? {
            Entry::Directory => Err(libc::EISDIR),
            Entry::File(_) => {
                self.entries.insert(path, None);
                Ok(())
            }
        }
    }

    pub fn make_directory(&mut self, name: &[u8]) -> Result<(), Errno> {
        let path = self.resolve(name)?;
        self.check_parent(&path)?;
        if self.lookup(&path).is_ok() {
            return Err(libc::EEXIST);
        }
        self.entries.insert(path, Some(Entry::Directory));
        Ok(())
    }

    pub fn remove_directory(&mut self, name: &[u8]) -> Result<(), Errno> {
        let path = self.resolve(name)?;
        if self.lookup(&path)? != Entry::Directory {
            return Err(libc::ENOTDIR);
        }
        if path == b"/" || !self.children(&path).is_empty() {
            return Err(libc::ENOTEMPTY);
        }
        self.entries.insert(path, None);
        Ok(())
    }

    /// What lies below a directory, at any depth.
    fn children(&self, path: &[u8]) -> Vec<(Vec<u8>, Entry)> {
        let mut prefix = path.to_vec();
        if prefix != b"/" {
            prefix.push(b'/');
        }
        let inside = self.entries.iter().filter(|(name, _)| name.starts_with(&prefix) && name.len() > prefix.len());
        inside.filter_map(|(name, entry)| entry.map(|entry| (name.clone(), entry))).collect()
    }

    pub fn rename(&mut self, old: &[u8], new: &[u8]) -> Result<(), Errno> {
        let (from, to) = (self.resolve(old)?, self.resolve(new)?);
        self.check_parent(&from)?;
        let entry = self.lookup(&from)?;
        self.check_parent(&to)?;
        if from == to {
            return Ok(());
        }
        match (entry, self.lookup(&to)) {
            (Entry::File(_), Ok(Entry::Directory)) => return Err(libc::EISDIR),
            (Entry::Directory, Ok(Entry::File(_))) => return Err(libc::ENOTDIR),
            (Entry::Directory, Ok(Entry::Directory)) if !self.children(&to).is_empty() => return Err(libc::ENOTEMPTY),
            (Entry::Directory, _) if to.starts_with(&from) && to[from.len()] == b'/' => return Err(libc::EINVAL),
            _ => {}
        }
        if entry == Entry::Directory {
            for (name, child) in self.children(&from) {
                self.entries.insert([&to, &name[from.len()..]].concat(), Some(child));
                self.entries.insert(name, None);
            }
        }
        self.entries.insert(from, None);
        self.entries.insert(to, Some(entry));
        Ok(())
    }

    /// The names directly in a directory, sorted, and whether they are directories.
    pub fn list(&mut self, name: &[u8]) -> Result<Vec<(Vec<u8>, bool)>, Errno> {
        let path = self.resolve(name)?;
        if self.lookup(&path)? != Entry::Directory {
            return Err(libc::ENOTDIR);
        }
        self.load_all_behind(&path);
        let start = if path == b"/" { 1 } else { path.len() + 1 };
        let children = self.children(&path).into_iter().filter(|(child, _)| !child[start..].contains(&b'/'));
        Ok(children.map(|(child, entry)| (child[start..].to_vec(), entry == Entry::Directory)).collect())
    }

    fn load_all_behind(&mut self, path: &[u8]) {
        let Some(relative) = path.strip_prefix(WORKING_DIRECTORY).and_then(|rest| std::str::from_utf8(rest).ok())
        else {
            return;
        };
        let Some(real) = self.behind.as_ref().map(|root| root.join(relative.trim_start_matches('/'))) else { return };
        for entry in std::fs::read_dir(real).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            // Looking it up makes it known; what cannot be read is left out.
            let _ = self.lookup(&[path, b"/", name.as_bytes()].concat());
        }
    }

    /// The absolute name of something that exists.
    pub fn real_path(&mut self, name: &[u8]) -> Result<Vec<u8>, Errno> {
        let path = self.resolve(name)?;
        self.lookup(&path).map(|_| path)
    }

    /// Six characters that no temporary name of this run had before.
    pub fn temporary_suffix(&mut self) -> [u8; 6] {
        self.temporaries += 1;
        let mut number = self.temporaries;
        let mut suffix = *b"aaaaaa";
        for byte in suffix.iter_mut().rev() {
            *byte = b'a' + (number % 26) as u8;
            number /= 26;
        }
        suffix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CREATE: Creation = Creation { create: true, exclusive: false, truncate: true };

    fn system() -> FileSystem {
        let files = [("a.txt", "alpha"), ("dir/b.txt", "beta"), ("/etc/c", "gamma")];
        FileSystem::new(
            &files.iter().map(|(name, text)| (name.as_bytes().to_vec(), text.as_bytes().to_vec())).collect(),
        )
    }

    fn check(system: &mut FileSystem, name: &str, expected: Result<&str, Errno>) {
        let found = system.open(name.as_bytes(), Creation::default()).map(|entry| match entry {
            Entry::File(node) => String::from_utf8_lossy(system.node(node)).into_owned(),
            Entry::Directory => "directory".to_owned(),
        });
        assert_eq!(found.as_deref(), expected.as_deref(), "{name}");
    }

    #[test]
    fn names_are_normalised() {
        let mut system = system();
        for name in ["a.txt", "./a.txt", "dir/../a.txt", "/program//a.txt", "../program/a.txt", "../../program/a.txt"] {
            check(&mut system, name, Ok("alpha"));
        }
        check(&mut system, "dir/b.txt", Ok("beta"));
        check(&mut system, "/etc/c", Ok("gamma"));
        check(&mut system, "dir", Ok("directory"));
        check(&mut system, "", Err(libc::ENOENT));
        check(&mut system, "none", Err(libc::ENOENT));
        check(&mut system, "a.txt/b", Err(libc::ENOTDIR));
        check(&mut system, "none/b", Err(libc::ENOENT));
    }

    #[test]
    fn files_come_and_go() {
        let mut system = system();
        let Ok(Entry::File(node)) = system.open(b"new", CREATE) else { panic!("created") };
        system.write(node, 2, b"xy").unwrap();
        check(&mut system, "new", Ok("\0\0xy"));
        system.rename(b"new", b"dir/newer").unwrap();
        check(&mut system, "new", Err(libc::ENOENT));
        assert_eq!(
            system.contents().keys().map(|name| name.as_slice()).collect::<Vec<_>>(),
            [b"/etc/c".as_slice(), b"a.txt", b"dir/b.txt", b"dir/newer"]
        );
        assert_eq!(system.remove_directory(b"dir"), Err(libc::ENOTEMPTY));
        assert_eq!(system.unlink(b"dir"), Err(libc::EISDIR));
        system.rename(b"dir", b"moved").unwrap();
        check(&mut system, "moved/b.txt", Ok("beta"));
        system.unlink(b"moved/newer").unwrap();
        assert_eq!(system.node(node), b"\0\0xy", "an open file outlives its name");
        assert_eq!(system.open(b"nowhere/x", CREATE), Err(libc::ENOENT));
        assert_eq!(system.open(b"a.txt", Creation { exclusive: true, ..CREATE }), Err(libc::EEXIST));
    }

    #[test]
    fn a_real_directory_is_only_read() {
        let mut system = system();
        system.read_through(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        assert!(system.open(b"Cargo.toml", Creation::default()).is_ok());
        assert_eq!(system.open(b"../program/Cargo.toml/..", Creation::default()), Ok(Entry::Directory));
        system.unlink(b"Cargo.toml").unwrap();
        check(&mut system, "Cargo.toml", Err(libc::ENOENT));
        check(&mut system, "/Cargo.toml", Err(libc::ENOENT));
    }
}
