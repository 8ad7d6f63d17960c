//! How each object of a program is kept as variables, from how its text accesses it.
//!
//! Program → [`Layout`]. An object whose address is only used to access it at constant offsets is a variable
//! for each place; one that is only indexed is an array of its own; one whose address goes anywhere else lies
//! in the memory that all pointers lead to, byte by byte.

use std::collections::{BTreeMap, BTreeSet};

use program::{
    Body, CommandKind, ExprId, ExprKind, Field, FunctionId, GlobalId, Index, LocalId, Object, Program, Type,
};

/// An object of the program's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    Global(GlobalId),
    Local(FunctionId, LocalId),
}

/// How an object is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// A variable for each offset, of so many bytes.
    Cells(BTreeMap<u64, u32>),
    /// An array of elements with so many bytes.
    Array(u32),
    /// In the memory that pointers lead to.
    Shared,
}

#[derive(Clone, Debug, Default)]
pub struct Layout {
    objects: BTreeMap<Owner, Keeping>,
    /// Functions whose address is taken.
    pub pointed: BTreeSet<FunctionId>,
}

#[derive(Default)]
struct Accesses {
    escapes: bool,
    computed: bool,
    /// Offset and bytes; computed ones have the offset of their base.
    ranges: BTreeSet<(u64, u32)>,
    /// The strides of computed indices.
    strides: BTreeSet<u64>,
}

impl Accesses {
    fn keeping(&self) -> Keeping {
        if self.escapes {
            return Keeping::Shared;
        }
        let apart = self.ranges.iter().zip(self.ranges.iter().skip(1));
        let disjoint = apart.into_iter().all(|(&(start, bytes), &(next, _))| start + u64::from(bytes) <= next);
        if !self.computed && disjoint {
            return Keeping::Cells(self.ranges.iter().copied().collect());
        }
        let width = self.ranges.first().map_or(1, |it| it.1);
        let uniform = width.is_power_of_two()
            && self.strides.iter().all(|it| it % u64::from(width) == 0)
            && self.ranges.iter().all(|&(offset, bytes)| bytes == width && offset % u64::from(width) == 0);
        Keeping::Array(if uniform { width } else { 1 })
    }
}

impl Layout {
    pub fn new(program: &Program) -> Layout {
        let mut survey = Survey { program, objects: BTreeMap::new(), pointed: BTreeSet::new() };
        for (number, function) in program.functions.iter().enumerate() {
            if let Some(body) = &function.body {
                survey.body(FunctionId(number as u32), body);
            }
        }
        for global in &program.globals {
            if let program::Initializer::Bytes { addresses, .. } = &global.init {
                for address in addresses {
                    survey.escape(address.object, None);
                }
            }
        }
        let objects = survey.objects.iter().map(|(&owner, accesses)| (owner, accesses.keeping())).collect();
        Layout { objects, pointed: survey.pointed }
    }

    /// How an object is kept; nothing for one that is never accessed.
    pub fn of(&self, owner: Owner) -> Option<&Keeping> {
        self.objects.get(&owner)
    }
}

struct Survey<'p> {
    program: &'p Program,
    objects: BTreeMap<Owner, Accesses>,
    pointed: BTreeSet<FunctionId>,
}

impl Survey<'_> {
    fn body(&mut self, function: FunctionId, body: &Body) {
        for block in &body.blocks {
            for command in &block.commands {
                match &command.kind {
                    CommandKind::Store { address, value, bits } => {
                        let ty = body.expr(*value).ty;
                        self.access(function, body, *address, if bits.is_some() { None } else { Some(ty) });
                        self.value(function, body, *value);
                    }
                    other => other.operands(|operand| self.value(function, body, *operand)),
                }
            }
            block.terminator.kind.operands(|operand| self.value(function, body, *operand));
        }
    }

    fn value(&mut self, function: FunctionId, body: &Body, id: ExprId) {
        let expr = body.expr(id);
        match &expr.kind {
            ExprKind::Address(object) => self.escape(*object, Some(function)),
            ExprKind::Load(load) => {
                self.access(function, body, load.address, if load.bits.is_some() { None } else { Some(expr.ty) });
            }
            other => other.operands(|operand| self.value(function, body, *operand)),
        }
    }

    fn escape(&mut self, object: Object, function: Option<FunctionId>) {
        match (object, function) {
            (Object::Function(pointed), _) => {
                self.pointed.insert(pointed);
            }
            (Object::Global(global), _) => self.objects.entry(Owner::Global(global)).or_default().escapes = true,
            (Object::Local(local), Some(function)) => {
                self.objects.entry(Owner::Local(function, local)).or_default().escapes = true;
            }
            _ => {}
        }
    }

    /// An access through an address; of a part of a storage unit if there is no type.
    fn access(&mut self, function: FunctionId, body: &Body, address: ExprId, ty: Option<Type>) {
        let mut strides = BTreeSet::new();
        let Some((object, offset)) = self.place(function, body, address, &mut strides) else { return };
        let computed = !strides.is_empty();
        let owner = match object {
            Object::Global(global) => Owner::Global(global),
            Object::Local(local) => Owner::Local(function, local),
            Object::Function(_) | Object::Label(..) => return self.escape(object, Some(function)),
        };
        let size = match owner {
            Owner::Global(global) => self.program.global(global).size,
            Owner::Local(_, local) => body.locals[local.index()].size,
        };
        let accesses = self.objects.entry(owner).or_default();
        accesses.strides.extend(strides);
        // An offset below the object is a very large one.
        let is_inside = |ty: Type| offset.checked_add(u64::from(ty.bytes())).is_some_and(|end| end <= size);
        match ty {
            Some(ty) if is_inside(ty) || computed => {
                accesses.computed |= computed;
                accesses.ranges.insert((offset, ty.bytes()));
            }
            // Bit-fields overlap, and what lies outside has no variable.
            _ => accesses.escapes = true,
        }
    }

    /// The object and the constant part of the offset of an address that names its object, and the strides of
    /// its computed indices.
    fn place(
        &mut self,
        function: FunctionId,
        body: &Body,
        address: ExprId,
        strides: &mut BTreeSet<u64>,
    ) -> Option<(Object, u64)> {
        match &body.expr(address).kind {
            ExprKind::Address(object) => Some((*object, 0)),
            ExprKind::Field(Field { base, offset, .. }) => {
                let (object, start) = self.place(function, body, *base, strides)?;
                Some((object, start.wrapping_add(*offset)))
            }
            ExprKind::Index(Index { base, index, stride, .. }) => {
                let place = self.place(function, body, *base, strides);
                let constant = match body.expr(*index).kind {
                    ExprKind::Constant(bits) => Some(bits as u64),
                    _ => None,
                };
                if constant.is_none() {
                    self.value(function, body, *index);
                    strides.insert(*stride);
                }
                let (object, start) = place?;
                let distance = constant.unwrap_or(0).wrapping_mul(*stride);
                Some((object, start.wrapping_add(distance)))
            }
            _ => {
                self.value(function, body, address);
                None
            }
        }
    }
}
