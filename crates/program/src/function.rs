//! Functions: variables, local objects, an expression arena, and a graph of blocks.

use crate::{CTypeId, Command, Expr, ExprId, ExprKind, Site, Terminator, Type};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A variable of a function.
    VarId
);
id!(
    /// A local memory object of a function.
    LocalId
);
id!(
    /// A block of a function; block 0 is the entry.
    BlockId
);
id!(
    /// A function of the program.
    FunctionId
);
id!(
    /// A global memory object of the program.
    GlobalId
);
id!(
    /// An entry of the program's list of unsupported constructs.
    UnsupportedId
);

impl ExprId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function; one without a body is external.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
    /// The scalars it returns: none for `void`, several for a small struct.
    pub returns: Vec<Type>,
    pub ctype: Option<CTypeId>,
    pub site: Site,
    pub body: Option<Body>,
}

/// The machine's view of a parameter. In a body, it is variable number *its own index*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub ty: Type,
    /// The parameter is a pointer to the callee's own copy of an object of this size.
    pub copied: Option<u64>,
}

/// What a function does. The first variables are the parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub variables: Vec<Variable>,
    pub locals: Vec<LocalObject>,
    pub exprs: Vec<Expr>,
    pub blocks: Vec<Block>,
}

/// A scalar whose address nobody takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Unique in its function; shadowing names get a number (`i.2`), temporaries a `%`.
    pub name: String,
    pub ty: Type,
    pub role: Role,
    pub ctype: Option<CTypeId>,
    /// The declaration.
    pub site: Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Parameter,
    /// Declared in the source.
    Local,
    /// Introduced by the front end for a value that is needed more than once or later.
    Temporary,
}

/// A memory object of a call frame. Objects that no `Begin` names live as long as their frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalObject {
    pub name: String,
    pub size: u64,
    pub align: u32,
    pub ctype: Option<CTypeId>,
    pub site: Site,
    /// Some `Begin` starts its life.
    pub scoped: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Unique in its function: a label of the source, or what kind of place it is (`while.body`).
    pub name: String,
    pub commands: Vec<Command>,
    pub terminator: Terminator,
}

impl Body {
    /// Bytes that a frame about takes on a machine's stack.
    pub fn stack_bytes(&self) -> u64 {
        let locals: u64 = self.locals.iter().map(|local| local.size).sum();
        32 + locals + 8 * self.variables.len() as u64
    }

    /// Of each block, as numbers: what `graph` works on.
    pub fn successors(&self) -> Vec<Vec<usize>> {
        let of = |block: &Block| {
            let mut targets = Vec::new();
            block.terminator.kind.successors(|target| targets.push(target.index()));
            targets
        };
        self.blocks.iter().map(of).collect()
    }

    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    pub fn add_expr(&mut self, kind: ExprKind, ty: Type, site: Site) -> ExprId {
        let id = ExprId(u32::try_from(self.exprs.len()).expect("a function has fewer than 2^32 expressions"));
        self.exprs.push(Expr { kind, ty, site });
        id
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.index()]
    }
}
