//! Memory in a graph: the variables of objects, reading and writing them, and whether an access is valid.
//!
//! Objects that exist from the start have the executor's addresses; locals have one object for each function
//! and depth of recursion; the heap counts. Objects in shared memory have their size in an array, 0 while
//! they do not live.

use logic::sort::Sort;
use logic::terms::{TermId, Terms};
use program::exec::memory::{Address, ObjectId};
use program::{FunctionId, LocalId, Program};
use rustc_hash::FxHashMap;

use super::layout::{Keeping, Layout, Owner};

/// A variable and what it becomes: `whole` over `hole`, which stands for what is written.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub variable: TermId,
    pub hole: TermId,
    pub whole: TermId,
}

/// An object with the depth of its function's recursion.
pub type Instance = (Owner, u32);

pub struct Memory {
    layout: Layout,
    numbers: FxHashMap<Instance, ObjectId>,
    next: u32,
    /// The bytes that pointers lead to.
    pub shared: TermId,
    /// The size of each living object in shared memory.
    pub sizes: TermId,
    /// The number of the next heap object.
    pub heap: TermId,
    /// The number of the first one.
    pub first: TermId,
}

impl Memory {
    pub fn new(terms: &mut Terms, program: &Program, layout: Layout) -> Memory {
        let bytes = terms.array_sort(Sort::BitVector(64), Sort::BitVector(8));
        let sizes = terms.array_sort(Sort::BitVector(32), Sort::BitVector(32));
        Memory {
            layout,
            numbers: FxHashMap::default(),
            next: 1 + (program.functions.len() + program.globals.len()) as u32,
            shared: terms.variable("memory", bytes),
            sizes: terms.variable("sizes", sizes),
            heap: terms.variable("heap", Sort::BitVector(32)),
            first: terms.variable("heap:first", Sort::BitVector(32)),
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The number of an object, as the executor counts those that exist from the start.
    pub fn number(&mut self, program: &Program, (owner, depth): Instance) -> ObjectId {
        if let Owner::Global(global) = owner {
            return ObjectId(1 + program.functions.len() as u32 + global.0);
        }
        *self.numbers.entry((owner, depth)).or_insert_with(|| {
            self.next += 1;
            ObjectId(self.next - 1)
        })
    }

    /// The first number that no object has yet; final only when the whole graph is there.
    pub fn first_free(&self) -> u32 {
        self.next
    }

    pub fn address(&mut self, program: &Program, instance: Instance) -> Address {
        Address::new(self.number(program, instance), 0)
    }

    pub fn function_address(function: FunctionId) -> Address {
        Address::new(ObjectId(1 + function.0), 0)
    }

    pub fn keeping(&self, owner: Owner) -> Option<&Keeping> {
        self.layout.of(owner)
    }

    /// The constants that pointers may lead to.
    pub fn constants(&self, program: &Program) -> Vec<ObjectId> {
        let first = 1 + program.functions.len() as u32;
        let constants = (0..program.globals.len() as u32).filter(|&it| {
            let shared = self.layout.of(Owner::Global(program::GlobalId(it))) == Some(&Keeping::Shared);
            shared && program.globals[it as usize].constant
        });
        constants.map(|it| ObjectId(first + it)).collect()
    }

    pub fn cell(&self, terms: &mut Terms, program: &Program, instance: Instance, offset: u64, bytes: u32) -> TermId {
        let name = format!("{}+{offset}", object_name(program, instance));
        terms.variable(&name, Sort::BitVector(8 * bytes))
    }

    pub fn array(&self, terms: &mut Terms, program: &Program, instance: Instance, width: u32) -> TermId {
        let sort = terms.array_sort(Sort::BitVector(64), Sort::BitVector(8 * width));
        terms.variable(&format!("{}[]", object_name(program, instance)), sort)
    }

    /// Whether an access through a pointer is valid.
    pub fn is_valid(&self, terms: &mut Terms, address: TermId, bytes: u64) -> TermId {
        let (number, offset) = (terms.bv_extract(63, 32, address), terms.bv_extract(31, 0, address));
        let size = terms.select(self.sizes, number);
        fits(terms, offset, bytes, size)
    }
}

/// The name of an object's variables.
fn object_name(program: &Program, (owner, depth): Instance) -> String {
    match owner {
        Owner::Global(global) => format!("@{}", program.global(global).name),
        Owner::Local(function, local) => local_name(program, function, local, depth),
    }
}

fn local_name(program: &Program, function: FunctionId, local: LocalId, depth: u32) -> String {
    let function = program.function(function);
    let name = function.body.as_ref().map_or("", |body| body.locals[local.index()].name.as_str());
    format!("&{}.{name}#{depth}", function.name)
}

/// `offset + bytes <= size` without overflow.
pub fn fits(terms: &mut Terms, offset: TermId, bytes: u64, size: TermId) -> TermId {
    let width = terms.width(size);
    let bytes = terms.bv(width, bytes);
    let room = terms.bv_sub(size, bytes);
    let (large, inside) = (terms.bv_ule(bytes, size), terms.bv_ule(offset, room));
    terms.and2(large, inside)
}

/// The bytes at an index of an array with elements of `width` bytes.
pub fn read(terms: &mut Terms, array: TermId, index: TermId, width: u32, bytes: u32) -> TermId {
    let first = terms.select(array, index);
    (1..bytes / width).fold(first, |low, element| {
        let index = further(terms, index, element * width);
        let high = terms.select(array, index);
        terms.bv_concat(high, low)
    })
}

/// The array with bytes written at an index.
pub fn write(terms: &mut Terms, array: TermId, index: TermId, width: u32, value: TermId) -> TermId {
    let elements = terms.width(value) / (8 * width);
    (0..elements).fold(array, |array, element| {
        let index = further(terms, index, element * width);
        let low = 8 * width * element;
        let part = terms.bv_extract(low + 8 * width - 1, low, value);
        terms.store(array, index, part)
    })
}

fn further(terms: &mut Terms, index: TermId, bytes: u32) -> TermId {
    let bytes = terms.bv(64, bytes.into());
    terms.bv_add(index, bytes)
}
