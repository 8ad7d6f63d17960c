//! From a linked LLVM module to a [`Program`].
//!
//! Input: clang's `-O0` IR with debug information. There, one source assignment is one store and one
//! operator is one instruction, so folding instructions back into the store or branch that uses them
//! (`folding`) gives the source's expressions again. Scalars whose address does not escape become
//! variables; everything else stays in memory objects.
//!
//! What cannot be translated becomes an `Unsupported` command at its place; nothing is dropped.

mod bit_fields;
mod blocks;
mod calls;
mod constants;
mod ctypes;
mod expressions;
mod folding;
mod function;
mod globals;
mod homes;
mod intrinsics;
mod memory;
mod pointees;
mod scopes;
mod shapes;
mod sites;

use std::collections::HashMap;
use std::sync::Arc;

use program::{
    BlockId, CTypeId, Function, FunctionId, Global, GlobalId, Object, Parameter, Program, Site, Type, Unsupported,
    UnsupportedId,
};
use source::{FileId, Sources};

use crate::llvm::{Block, Layout, Module, Ty, Value};
use ctypes::CTypes;
use sites::Sites;

/// Translates a module. `exact` names the metadata under which instructions carry their place in a
/// unit's preprocessed text, and the file that holds this text.
pub fn lower(module: &Module, sources: Sources, exact: Vec<(u32, FileId)>) -> Program {
    let mut lowering = Lowering::new(module, Sites::new(sources, exact));
    lowering.declare_globals();
    lowering.declare_functions();
    lowering.fill_globals();
    for value in module.functions() {
        if !value.is_declaration() && !lowering.is_intrinsic(value) {
            let body = function::lower_body(&mut lowering, value);
            let id = lowering.function_ids[&value];
            lowering.functions[id.index()].body = Some(body);
        }
    }
    lowering.finish()
}

/// What all functions of a module share while they are lowered.
struct Lowering<'m> {
    module: &'m Module,
    layout: Layout,
    sites: Sites,
    ctypes: CTypes,
    functions: Vec<Function>,
    globals: Vec<Global>,
    unsupported: Vec<Unsupported>,
    function_ids: HashMap<Value, FunctionId>,
    global_ids: HashMap<Value, GlobalId>,
    block_ids: HashMap<Block, BlockId>,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m Module, sites: Sites) -> Self {
        Lowering {
            module,
            layout: module.layout(),
            sites,
            ctypes: CTypes::default(),
            functions: Vec::new(),
            globals: Vec::new(),
            unsupported: Vec::new(),
            function_ids: HashMap::new(),
            global_ids: HashMap::new(),
            block_ids: HashMap::new(),
        }
    }

    fn is_intrinsic(&self, function: Value) -> bool {
        function.name().starts_with("llvm.")
    }

    /// Enters all functions and numbers their blocks, so that calls, initializers and label
    /// addresses can refer to any of them.
    fn declare_functions(&mut self) {
        for value in self.module.functions() {
            if self.is_intrinsic(value) {
                continue;
            }
            let id = FunctionId(self.functions.len() as u32);
            self.function_ids.insert(value, id);
            for (number, block) in blocks::reachable(value).into_iter().enumerate() {
                self.block_ids.insert(block, BlockId(number as u32));
            }
            let function = self.declare_function(value);
            self.functions.push(function);
        }
    }

    fn declare_function(&mut self, value: Value) -> Function {
        let ty = value.value_type();
        let debug = value.subprogram();
        let site = match debug {
            Some(subprogram) => self.sites.of_line(subprogram.scope_file(), subprogram.function_line()),
            None => Site::NONE,
        };
        let name = value.name();
        let parameters = self.parameters(value, ty).unwrap_or_else(|what| {
            self.note_unsupported(format!("parameter of `{name}`: {what}"), site);
            Vec::new()
        });
        let returns = self.scalars(ty.returns()).unwrap_or_else(|what| {
            self.note_unsupported(format!("result of `{name}`: {what}"), site);
            Vec::new()
        });
        let ctype = debug.and_then(|subprogram| subprogram.function_type()).map(|ty| self.ctypes.of(Some(ty)));
        Function { name, parameters, variadic: ty.is_variadic(), returns, ctype, site, body: None }
    }

    fn parameters(&self, value: Value, ty: Ty) -> Result<Vec<Parameter>, String> {
        let mut parameters = Vec::new();
        for (index, ty) in ty.parameters().into_iter().enumerate() {
            let copied = value.parameter_byval(index as u32).map(|ty| self.layout.size(ty));
            let scalars = self.scalars(ty)?;
            parameters.extend(scalars.into_iter().map(|ty| Parameter { ty, copied }));
        }
        Ok(parameters)
    }

    /// A function of the library, declared here if the program does not mention it.
    fn external(&mut self, name: &str, parameters: &[Type], returns: &[Type]) -> FunctionId {
        if let Some(known) = self.functions.iter().position(|function| function.name == name) {
            return FunctionId(known as u32);
        }
        let parameters = parameters.iter().map(|&ty| Parameter { ty, copied: None }).collect();
        let name = name.to_string();
        let function = Function {
            name,
            parameters,
            variadic: false,
            returns: returns.to_vec(),
            ctype: None,
            site: Site::NONE,
            body: None,
        };
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }

    fn label(&self, function: Value, block: Block) -> Object {
        let block = self.block_ids.get(&block).copied().unwrap_or(BlockId(0));
        Object::Label(self.function_ids[&function], block)
    }

    fn note_unsupported(&mut self, what: String, site: Site) -> UnsupportedId {
        self.unsupported.push(Unsupported { what, site });
        UnsupportedId(self.unsupported.len() as u32 - 1)
    }

    fn ctype(&self, id: CTypeId) -> &program::CType {
        let mut id = id;
        loop {
            match &self.ctypes.table[id.0 as usize] {
                program::CType::Alias { of, .. } => id = *of,
                ctype => return ctype,
            }
        }
    }

    fn finish(self) -> Program {
        Program {
            sources: Arc::new(self.sites.sources),
            functions: self.functions,
            globals: self.globals,
            ctypes: self.ctypes.table,
            sites: self.sites.table,
            unsupported: self.unsupported,
        }
    }
}

/// A scalar inside a value of any type: where it stands in memory and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    offset: u64,
    ty: Type,
}
