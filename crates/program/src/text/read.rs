//! Text → program: the items of a program, and the order in which they are read.
//!
//! Bodies refer to functions and blocks that come later, so reading takes two passes: the first
//! reads every item and only the labels of bodies, the second reads the bodies. What comes out has
//! been validated.

use std::collections::HashMap;

use source::{FileId, Place, Position, Sources};

use crate::validate::validate;
use crate::{
    AddressIn, BlockId, Body, CTypeId, Function, FunctionId, Global, GlobalId, Initializer, Object, Parameter, Program,
    Role, Site, SiteInfo, Type, Unsupported, Variable,
};

use super::body::BodyReader;
use super::cursor::Cursor;
use super::elaborate::ProgramNames;
use super::lex::{Token, TokenKind};
use super::types::c_type;
use super::{Problem, ReadError};

type Result<T> = std::result::Result<T, ReadError>;

/// Reads a program in either style.
pub fn read(text: &str) -> Result<Program> {
    let mut reader = Reader {
        cursor: Cursor::new(text)?,
        text,
        sources: Sources::default(),
        program: Program::default(),
        names: ProgramNames::default(),
        sites: Sites { table: vec![SiteInfo::default()], interned: HashMap::new(), file: None },
        bodies: Vec::new(),
        addresses: Vec::new(),
    };
    reader.items()?;
    reader.resolve_addresses()?;
    reader.read_bodies()?;
    let mut program = reader.program;
    program.sources = reader.sources.into();
    program.sites = reader.sites.table;
    validate(&program)?;
    Ok(program)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    text: &'t str,
    /// Paths stay as they are written: the table has no base folder.
    sources: Sources,
    program: Program,
    names: ProgramNames,
    sites: Sites,
    /// Functions with bodies, and the token after each one's `{` line.
    bodies: Vec<(FunctionId, usize)>,
    /// Addresses in globals whose objects may be declared later.
    addresses: Vec<NamedAddress>,
}

struct NamedAddress {
    global: GlobalId,
    entry: usize,
    name: String,
    /// For the address of a label, its name; `name` is its function then.
    label: Option<String>,
    token: Token,
}

impl Reader<'_> {
    fn items(&mut self) -> Result<()> {
        loop {
            self.cursor.skip_empty_lines();
            if self.cursor.at_kind(TokenKind::End) {
                return Ok(());
            }
            self.item()?;
        }
    }

    fn item(&mut self) -> Result<()> {
        let word = if self.cursor.at_kind(TokenKind::Name) { self.cursor.text_of(self.cursor.peek()) } else { "" };
        match word {
            "file" | "site" | "type" | "unsupported" => {
                self.cursor.bump();
                self.table_entry(word)
            }
            "global" => {
                self.cursor.bump();
                self.global(false)
            }
            "fn" => {
                self.cursor.bump();
                self.function()
            }
            "extern" => {
                self.cursor.bump();
                if self.cursor.accept_word("global") {
                    return self.global(true);
                }
                self.cursor.expect_word("fn")?;
                self.external_function()
            }
            _ => {
                Err(self.cursor.expected("an item: `file`, `site`, `type`, `unsupported`, `global`, `extern` or `fn`"))
            }
        }
    }

    fn table_entry(&mut self, table: &str) -> Result<()> {
        let token = self.cursor.peek();
        match table {
            "file" => {
                self.entry_number("file", self.sources.files().count())?;
                let path = self.cursor.quoted_text("a path in double quotes")?;
                let before = self.sources.files().count();
                if self.sources.add(&path, None).0 as usize != before {
                    return Err(self.cursor.error(token, Problem::Duplicate { what: "file", name: path }));
                }
            }
            "site" => {
                self.entry_number("site", self.sites.table.len())?;
                self.cursor.expect("=")?;
                let place = if self.cursor.accept_word("nowhere") { None } else { Some(self.full_place()?) };
                let exact = if self.cursor.accept_word("exact") { Some(self.full_place()?) } else { None };
                self.sites.table.push(SiteInfo { place, exact });
            }
            "type" => {
                self.entry_number("type", self.program.ctypes.len())?;
                self.cursor.expect("=")?;
                let ctype = c_type(&mut self.cursor)?;
                self.program.ctypes.push(ctype);
            }
            _ => {
                self.entry_number("unsupported construct", self.program.unsupported.len())?;
                self.cursor.expect("=")?;
                let what = self.cursor.quoted_text("a description in double quotes")?;
                let site = self.sites.trailing(&mut self.cursor)?;
                self.program.unsupported.push(Unsupported { what, site });
            }
        }
        self.cursor.expect_line_end()
    }

    /// The number of a table's next entry; entry 0 of the sites is not written.
    fn entry_number(&mut self, what: &'static str, next: usize) -> Result<()> {
        let token = self.cursor.peek();
        let number = self.cursor.number("the number of the entry", u128::MAX)?;
        if number == next as u128 { Ok(()) } else { Err(self.cursor.error(token, Problem::Order { what, next })) }
    }

    fn full_place(&mut self) -> Result<Place> {
        let file = self.cursor.number_u32("a place: file:line:column")?;
        self.cursor.expect(":")?;
        let line = self.cursor.number_u32("a line")?;
        self.cursor.expect(":")?;
        let column = self.cursor.number_u32("a column")?;
        Ok(Place::new(FileId(file), line, column))
    }

    fn global(&mut self, external: bool) -> Result<()> {
        let token = self.cursor.peek();
        let name = self.cursor.name("the name of a global")?;
        let id = GlobalId(self.program.globals.len() as u32);
        if self.names.globals.insert(name.clone(), id).is_some() || self.names.functions.contains_key(&name) {
            return Err(self.cursor.error(token, Problem::Duplicate { what: "global", name }));
        }
        let (size, align) = size_and_align(&mut self.cursor)?;
        let constant = self.cursor.accept_word("const");
        let ctype = type_reference(&mut self.cursor)?;
        let init = if external { Initializer::External } else { self.contents(id)? };
        let site = self.sites.trailing(&mut self.cursor)?;
        self.cursor.expect_line_end()?;
        self.program.globals.push(Global { name, size, align, constant, init, ctype, site });
        Ok(())
    }

    /// `= "bytes" {8: &other + 4}`.
    fn contents(&mut self, global: GlobalId) -> Result<Initializer> {
        let bytes = if self.cursor.accept("=") { self.cursor.quoted_bytes()? } else { Vec::new() };
        let mut addresses = Vec::new();
        if self.cursor.accept("{") {
            loop {
                addresses.push(self.address_in(global, addresses.len())?);
                if !self.cursor.accept(",") {
                    break;
                }
            }
            self.cursor.expect("}")?;
        }
        Ok(Initializer::Bytes { bytes, addresses })
    }

    fn address_in(&mut self, global: GlobalId, entry: usize) -> Result<AddressIn> {
        let at = self.cursor.number_u64("the offset of an address")?;
        self.cursor.expect(":")?;
        let token = self.cursor.peek();
        let (name, label) = if self.cursor.accept("&&") {
            let function = self.cursor.dotted_name("the name of a function")?;
            self.cursor.expect("::")?;
            (function, Some(self.cursor.dotted_name("the name of a label")?))
        } else {
            self.cursor.expect("&")?;
            (self.cursor.name("the name of a global or a function")?, None)
        };
        self.addresses.push(NamedAddress { global, entry, name, label, token });
        let negative = self.cursor.at("-");
        let addend = if negative || self.cursor.at("+") {
            self.cursor.bump();
            let limit = i64::MAX as u128 + u128::from(negative);
            let magnitude = self.cursor.number("bytes to add to the address", limit)?;
            (if negative { -(magnitude as i128) } else { magnitude as i128 }) as i64
        } else {
            0
        };
        Ok(AddressIn { at, object: Object::Global(global), addend })
    }

    fn resolve_addresses(&mut self) -> Result<()> {
        for named in std::mem::take(&mut self.addresses) {
            let unknown =
                |what, name: &str| self.cursor.error(named.token, Problem::Unknown { what, name: name.to_owned() });
            let function = self.names.functions.get(&named.name).copied();
            let object = match &named.label {
                Some(label) => {
                    let function = function.ok_or_else(|| unknown("function", &named.name))?;
                    let block = self.names.blocks[function.index()].get(label).copied();
                    Object::Label(function, block.ok_or_else(|| unknown("block", label))?)
                }
                None => {
                    let global = self.names.globals.get(&named.name).copied().map(Object::Global);
                    let object = global.or(function.map(Object::Function));
                    object.ok_or_else(|| unknown("global or function", &named.name))?
                }
            };
            if let Initializer::Bytes { addresses, .. } = &mut self.program.globals[named.global.index()].init {
                addresses[named.entry].object = object;
            }
        }
        Ok(())
    }

    /// Declares a function; its name has been read.
    fn declare(&mut self, token: Token, function: Function) -> Result<FunctionId> {
        let id = FunctionId(self.program.functions.len() as u32);
        let name = function.name.clone();
        if self.names.functions.insert(name.clone(), id).is_some() || self.names.globals.contains_key(&name) {
            return Err(self.cursor.error(token, Problem::Duplicate { what: "function", name }));
        }
        self.names.blocks.push(HashMap::new());
        self.program.functions.push(function);
        Ok(id)
    }

    /// `name(ptr copied 24, i32, ...) -> i64, f64 $3`.
    fn external_function(&mut self) -> Result<()> {
        let token = self.cursor.peek();
        let name = self.cursor.dotted_name("the name of a function")?;
        let mut parameters = Vec::new();
        let variadic = parameter_list(&mut self.cursor, |cursor| {
            parameters.push(parameter(cursor)?);
            Ok(())
        })?;
        let returns = returned_types(&mut self.cursor)?;
        let ctype = type_reference(&mut self.cursor)?;
        let site = self.sites.trailing(&mut self.cursor)?;
        self.cursor.expect_line_end()?;
        self.declare(token, Function { name, parameters, variadic, returns, ctype, site, body: None })?;
        Ok(())
    }

    /// `name(a: ptr, n: i32) -> i32 {`, and the labels of the body.
    fn function(&mut self) -> Result<()> {
        let token = self.cursor.peek();
        let name = self.cursor.dotted_name("the name of a function")?;
        let (mut parameters, mut variables) = (Vec::new(), Vec::new());
        let variadic = parameter_list(&mut self.cursor, |cursor| {
            let name = cursor.name("a parameter: `name: type`")?;
            cursor.expect(":")?;
            let parameter = parameter(cursor)?;
            variables.push(Variable { name, ty: parameter.ty, role: Role::Parameter, ctype: None, site: Site::NONE });
            parameters.push(parameter);
            Ok(())
        })?;
        let returns = returned_types(&mut self.cursor)?;
        let ctype = type_reference(&mut self.cursor)?;
        self.cursor.expect("{")?;
        let site = self.sites.trailing(&mut self.cursor)?;
        self.cursor.expect_line_end()?;
        let body = Some(Body { variables, ..Body::default() });
        let id = self.declare(token, Function { name, parameters, variadic, returns, ctype, site, body })?;
        self.bodies.push((id, self.cursor.mark()));
        self.labels(id)
    }

    /// Skips a body and notes its labels.
    fn labels(&mut self, function: FunctionId) -> Result<()> {
        loop {
            self.cursor.skip_empty_lines();
            if self.cursor.accept("}") {
                return self.cursor.expect_line_end();
            }
            if self.cursor.at_kind(TokenKind::End) {
                return Err(self.cursor.expected("`}`"));
            }
            let token = self.cursor.peek();
            if at_label(&self.cursor) {
                let name = self.cursor.dotted_name("a label")?;
                let blocks = &mut self.names.blocks[function.index()];
                let id = BlockId(blocks.len() as u32);
                if blocks.insert(name.clone(), id).is_some() {
                    return Err(self.cursor.error(token, Problem::Duplicate { what: "block", name }));
                }
            }
            self.cursor.skip_line();
        }
    }

    fn read_bodies(&mut self) -> Result<()> {
        for (function, mark) in std::mem::take(&mut self.bodies) {
            self.cursor.go_to(mark);
            let entry = &mut self.program.functions[function.index()];
            self.sites.file =
                self.sites.table.get(entry.site.0 as usize).and_then(|site| site.place).map(|place| place.file);
            let started = entry.body.take().unwrap_or_default();
            let reader = BodyReader::new(
                &mut self.cursor,
                self.text,
                &self.names,
                &self.program.functions,
                &mut self.sites,
                function,
                started,
            )?;
            let body = reader.read()?;
            self.program.functions[function.index()].body = Some(body);
        }
        Ok(())
    }
}

/// Whether the line is a label: a name, a colon, and nothing else.
pub(super) fn at_label(cursor: &Cursor) -> bool {
    let length = match cursor.peek().kind {
        TokenKind::Name => cursor.dotted_length(),
        TokenKind::QuotedName => 1,
        _ => return false,
    };
    let end = cursor.peek_after(length + 1).kind;
    cursor.is_symbol(cursor.peek_after(length), ":") && matches!(end, TokenKind::LineEnd | TokenKind::End)
}

/// The sites read so far.
pub(super) struct Sites {
    table: Vec<SiteInfo>,
    /// Sites of places that were written out instead of by their number.
    interned: HashMap<Place, Site>,
    /// The file of places without one.
    file: Option<FileId>,
}

impl Sites {
    /// `@ 4:7`, `@ 0:4:7` or `@12` at the end of a line.
    pub(super) fn trailing(&mut self, cursor: &mut Cursor) -> Result<Site> {
        if !cursor.accept("@") {
            return Ok(Site::NONE);
        }
        let token = cursor.peek();
        let first = cursor.number_u32("a site or a place")?;
        if !cursor.accept(":") {
            return Ok(Site(first));
        }
        let second = cursor.number_u32("a line or a column")?;
        let place = if cursor.accept(":") {
            Place::new(FileId(first), second, cursor.number_u32("a column")?)
        } else {
            let file = self.file.ok_or_else(|| cursor.error(token, Problem::NoFile))?;
            Place { file, position: Position { line: first, column: second } }
        };
        let next = Site(self.table.len() as u32);
        let site = *self.interned.entry(place).or_insert(next);
        if site == next {
            self.table.push(SiteInfo { place: Some(place), exact: None });
        }
        Ok(site)
    }
}

/// `: 40 bytes align 16`.
pub(super) fn size_and_align(cursor: &mut Cursor) -> Result<(u64, u32)> {
    cursor.expect(":")?;
    let size = cursor.number_u64("a size in bytes")?;
    cursor.expect_word("bytes")?;
    cursor.expect_word("align")?;
    Ok((size, cursor.number_u32("an alignment")?))
}

/// `$3`, if there is one.
pub(super) fn type_reference(cursor: &mut Cursor) -> Result<Option<CTypeId>> {
    if !cursor.accept("$") {
        return Ok(None);
    }
    cursor.number_u32("the number of a type").map(|id| Some(CTypeId(id)))
}

/// A list in parentheses that may end in `...`; whether it does.
fn parameter_list<'t>(
    cursor: &mut Cursor<'t>,
    mut parameter: impl FnMut(&mut Cursor<'t>) -> Result<()>,
) -> Result<bool> {
    cursor.expect("(")?;
    if cursor.accept(")") {
        return Ok(false);
    }
    loop {
        if cursor.accept("...") {
            cursor.expect(")")?;
            return Ok(true);
        }
        parameter(cursor)?;
        if cursor.accept(")") {
            return Ok(false);
        }
        if !cursor.accept(",") {
            return Err(cursor.expected("`,` or `)`"));
        }
    }
}

/// `ptr copied 24`.
fn parameter(cursor: &mut Cursor) -> Result<Parameter> {
    let ty = cursor.machine_type()?;
    let copied = match cursor.accept_word("copied") {
        true => Some(cursor.number_u64("the size of the copied object")?),
        false => None,
    };
    Ok(Parameter { ty, copied })
}

/// `-> i64, f64`.
fn returned_types(cursor: &mut Cursor) -> Result<Vec<Type>> {
    let mut returns = Vec::new();
    if cursor.accept("->") {
        returns.push(cursor.machine_type()?);
        while cursor.accept(",") {
            returns.push(cursor.machine_type()?);
        }
    }
    Ok(returns)
}
