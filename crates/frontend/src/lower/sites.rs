//! From debug locations to the program's table of sites.

use std::collections::HashMap;

use program::{Site, SiteInfo};
use source::{FileId, Place, Sources};

use crate::llvm::{Metadata, Value};

/// Interns places. Entry 0 is "nowhere".
pub struct Sites {
    pub sources: Sources,
    pub table: Vec<SiteInfo>,
    known: HashMap<(Place, Option<Place>), Site>,
    files: HashMap<Metadata, FileId>,
    /// The metadata kind under which an instruction carries its place in the preprocessed text,
    /// one per translation unit that was paired, with the file it is in.
    exact: Vec<(u32, FileId)>,
}

impl Sites {
    pub fn new(sources: Sources, exact: Vec<(u32, FileId)>) -> Sites {
        Sites { sources, table: vec![SiteInfo::default()], known: HashMap::new(), files: HashMap::new(), exact }
    }

    pub fn of_instruction(&mut self, instruction: Value) -> Site {
        let Some(location) = instruction.debug_location() else { return Site::NONE };
        let exact = self.exact.iter().find_map(|&(kind, file)| {
            let [line, column] = instruction.annotation(kind)?;
            Some(Place::new(file, line, column))
        });
        self.of_location(location, exact)
    }

    pub fn of_location(&mut self, location: Metadata, exact: Option<Place>) -> Site {
        let (line, column, scope) = location.location();
        let Some(file) = scope.and_then(Metadata::scope_file) else { return Site::NONE };
        if line == 0 {
            return Site::NONE;
        }
        let file = self.file(file);
        self.intern(Place::new(file, line, column), exact)
    }

    /// The line of a declaration; debug information has no column for it.
    pub fn of_line(&mut self, file: Option<Metadata>, line: u32) -> Site {
        match file {
            Some(file) if line > 0 => {
                let file = self.file(file);
                self.intern(Place::new(file, line, 1), None)
            }
            _ => Site::NONE,
        }
    }

    fn intern(&mut self, place: Place, exact: Option<Place>) -> Site {
        *self.known.entry((place, exact)).or_insert_with(|| {
            self.table.push(SiteInfo { place: Some(place), exact });
            Site(u32::try_from(self.table.len() - 1).expect("a program has fewer than 2^32 places"))
        })
    }

    fn file(&mut self, file: Metadata) -> FileId {
        *self.files.entry(file).or_insert_with(|| {
            let (directory, name) = file.file_path();
            self.sources.add_from_debug_info(&directory, &name)
        })
    }
}
