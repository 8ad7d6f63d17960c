//! Program → text: tables, globals and functions, and the lines that they stand on.
//!
//! The text depends on the program only, and takes time linear in its size.

use std::fmt::{self, Write};

use source::{FileId, Place};

use crate::{Function, FunctionId, Global, Initializer, Object, Program, Site};

use super::names::{write_bytes, write_dotted_name, write_name, write_text};
use super::print_body::BodyPrinter;
use super::print_expr::{write_label, write_missing};
use super::types::{spell, write_c_type};

/// How much the text says about places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// For people: the places of declarations and commands.
    #[default]
    Readable,
    /// Everything: the site of every node, with a table of all sites.
    Full,
}

/// What a program is printed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    pub style: Style,
    /// Shows the source line that commands stem from above them, as a comment.
    pub source_lines: bool,
}

/// Where places begin, if the line is not longer.
const PLACE_COLUMN: usize = 64;

/// Writes a program.
pub fn print(program: &Program, layout: Layout, out: &mut impl fmt::Write) -> fmt::Result {
    let lines = Lines { program, style: layout.style, file: None, line: String::new(), comment: None, out };
    Printer { program, layout, lines }.print()
}

/// The program's text.
pub fn to_text(program: &Program, style: Style) -> String {
    let mut text = String::new();
    let result = print(program, Layout { style, source_lines: false }, &mut text);
    debug_assert!(result.is_ok(), "writing to a string does not fail");
    text
}

/// The commands and the terminator of each block of a function, without places: for traces.
pub fn body_lines(program: &Program, function: FunctionId) -> Vec<Vec<String>> {
    let Some(body) = &program.function(function).body else { return Vec::new() };
    let layout = Layout::default();
    let mut nowhere = String::new();
    let out = &mut nowhere;
    let mut lines = Lines { program, style: layout.style, file: None, line: String::new(), comment: None, out };
    let mut printer = BodyPrinter::new(program, layout, function, body, &mut lines);
    body.blocks.iter().map(|block| printer.block_lines(block).unwrap_or_default()).collect()
}

/// The line that is being written, and how lines end.
pub(super) struct Lines<'p, W> {
    program: &'p Program,
    style: Style,
    /// The file of places that do not tell theirs.
    file: Option<FileId>,
    pub(super) line: String,
    comment: Option<String>,
    out: W,
}

impl<W: fmt::Write> Lines<'_, W> {
    /// Puts a remark at the end of the current line.
    pub(super) fn comment(&mut self, text: String) {
        self.comment = Some(text);
    }

    /// Whether the style has something to say about a site.
    pub(super) fn shows(&self, site: Site) -> bool {
        if self.style == Style::Full { site != Site::NONE } else { self.program.place(site).is_some() }
    }

    /// Ends the line with a place and a remark.
    pub(super) fn end(&mut self, site: Site) -> fmt::Result {
        let place = self.program.place(site);
        let full = self.style == Style::Full;
        let shown = self.shows(site);
        let mut remark = self.comment.take();
        if shown {
            self.pad();
            match place {
                _ if full => {
                    write!(self.line, "@{}", site.0)?;
                    let place = place.map(|place| self.place_text(place));
                    remark = match (place, remark) {
                        (Some(place), Some(remark)) => Some(format!("{place} {remark}")),
                        (place, remark) => place.or(remark),
                    };
                }
                Some(place) => {
                    let place = self.place_text(place);
                    write!(self.line, "@ {place}")?;
                }
                None => {}
            }
        }
        if let Some(remark) = remark {
            if !shown {
                self.pad();
            }
            self.line.push_str(if shown { "  // " } else { "// " });
            self.line.extend(remark.chars().map(|c| if c.is_control() { ' ' } else { c }));
        }
        self.line.push('\n');
        self.out.write_str(&self.line)?;
        self.line.clear();
        Ok(())
    }

    fn pad(&mut self) {
        let used = self.line.chars().count();
        let blanks = PLACE_COLUMN.saturating_sub(used).max(2);
        self.line.extend(std::iter::repeat_n(' ', blanks));
    }

    fn place_text(&self, place: Place) -> String {
        if self.file == Some(place.file) { place.position.to_string() } else { full_place(place) }
    }
}

fn full_place(place: Place) -> String {
    format!("{}:{}", place.file.0, place.position)
}

struct Printer<'p, W> {
    program: &'p Program,
    layout: Layout,
    lines: Lines<'p, W>,
}

impl<'p, W: fmt::Write> Printer<'p, W> {
    fn print(mut self) -> fmt::Result {
        self.files()?;
        if self.layout.style == Style::Full {
            self.sites()?;
        }
        self.types()?;
        self.unsupported()?;
        for global in &self.program.globals {
            self.global(global)?;
        }
        for (index, function) in self.program.functions.iter().enumerate() {
            self.function(FunctionId(index as u32), function)?;
        }
        Ok(())
    }

    fn files(&mut self) -> fmt::Result {
        for file in self.program.sources.files() {
            write!(self.lines.line, "file {} ", file.0)?;
            write_text(&mut self.lines.line, self.program.sources.path(file));
            self.lines.end(Site::NONE)?;
        }
        Ok(())
    }

    fn sites(&mut self) -> fmt::Result {
        for (index, site) in self.program.sites.iter().enumerate().skip(1) {
            let place = site.place.map_or("nowhere".to_owned(), full_place);
            write!(self.lines.line, "site {index} = {place}")?;
            if let Some(exact) = site.exact {
                write!(self.lines.line, " exact {}", full_place(exact))?;
            }
            self.lines.end(Site::NONE)?;
        }
        Ok(())
    }

    fn types(&mut self) -> fmt::Result {
        for (index, ctype) in self.program.ctypes.iter().enumerate() {
            write!(self.lines.line, "type {index} = ")?;
            write_c_type(&mut self.lines.line, ctype)?;
            self.lines.end(Site::NONE)?;
        }
        Ok(())
    }

    fn unsupported(&mut self) -> fmt::Result {
        for (index, unsupported) in self.program.unsupported.iter().enumerate() {
            write!(self.lines.line, "unsupported {index} = ")?;
            write_text(&mut self.lines.line, &unsupported.what);
            self.lines.end(unsupported.site)?;
        }
        Ok(())
    }

    fn global(&mut self, global: &Global) -> fmt::Result {
        let line = &mut self.lines.line;
        line.push_str(if global.init == Initializer::External { "extern global " } else { "global " });
        write_name(line, &global.name);
        write!(line, ": {} bytes align {}", global.size, global.align)?;
        if global.constant {
            line.push_str(" const");
        }
        if let Some(ctype) = global.ctype {
            write!(line, " ${}", ctype.0)?;
            self.lines.comment(spell(self.program, ctype));
        }
        if let Initializer::Bytes { bytes, addresses } = &global.init {
            let line = &mut self.lines.line;
            if !bytes.is_empty() {
                line.push_str(" = ");
                write_bytes(line, bytes);
            }
            for (index, address) in addresses.iter().enumerate() {
                line.push_str(if index == 0 { " {" } else { ", " });
                write!(line, "{}: ", address.at)?;
                write_global_object(line, self.program, address.object);
                match address.addend {
                    0 => {}
                    addend if addend < 0 => write!(line, " - {}", addend.unsigned_abs())?,
                    addend => write!(line, " + {addend}")?,
                }
            }
            if !addresses.is_empty() {
                line.push('}');
            }
        }
        self.lines.end(global.site)
    }

    fn function(&mut self, id: FunctionId, function: &'p Function) -> fmt::Result {
        if function.body.is_some() {
            self.lines.end(Site::NONE)?;
        }
        let line = &mut self.lines.line;
        line.push_str(if function.body.is_some() { "fn " } else { "extern fn " });
        write_dotted_name(line, &function.name);
        line.push('(');
        for (index, parameter) in function.parameters.iter().enumerate() {
            line.push_str(if index == 0 { "" } else { ", " });
            if let Some(body) = &function.body {
                match body.variables.get(index) {
                    Some(variable) => write_name(line, &variable.name),
                    None => write_missing(line, "variable", index as u32),
                }
                line.push_str(": ");
            }
            write!(line, "{}", parameter.ty)?;
            if let Some(size) = parameter.copied {
                write!(line, " copied {size}")?;
            }
        }
        line.push_str(match (function.variadic, function.parameters.is_empty()) {
            (false, _) => "",
            (true, true) => "...",
            (true, false) => ", ...",
        });
        line.push(')');
        for (index, ty) in function.returns.iter().enumerate() {
            write!(line, "{}{ty}", if index == 0 { " -> " } else { ", " })?;
        }
        if let Some(ctype) = function.ctype {
            write!(line, " ${}", ctype.0)?;
        }
        let Some(body) = &function.body else { return self.lines.end(function.site) };
        line.push_str(" {");
        self.lines.end(function.site)?;
        self.lines.file = self.program.place(function.site).map(|place| place.file);
        BodyPrinter::new(self.program, self.layout, id, body, &mut self.lines).print()?;
        self.lines.file = None;
        self.lines.line.push('}');
        self.lines.end(Site::NONE)
    }
}

/// Writes `&name` or `&&function::label` outside of functions.
fn write_global_object(line: &mut String, program: &Program, object: Object) {
    let name = match object {
        Object::Global(id) => program.globals.get(id.index()).map(|global| &global.name),
        Object::Function(id) => program.functions.get(id.index()).map(|function| &function.name),
        Object::Label(..) => return write_label(line, program, None, object),
        Object::Local(_) => None,
    };
    match name {
        Some(name) => {
            line.push('&');
            write_name(line, name);
        }
        None => write_missing(line, "object", 0),
    }
}
