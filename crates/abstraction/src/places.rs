//! What dimensions stand for: variables of calls, cells of objects, sizes and lengths of objects.
//!
//! Everything has a number that stays the same during an analysis. A *context* is a chain of calls from
//! `main`; a function's variables and objects are told apart by it. An *object* stands for one object of a run,
//! or for all that one command allocates.

use program::exec::CommandRef;
use program::{CType, Encoding, FunctionId, GlobalId, LocalId, Program, Type, VarId};
use rustc_hash::FxHashMap;

use crate::numeric::{Dimension, Interval};

/// A chain of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub u32);

/// A memory object, or several that are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    pub function: FunctionId,
    /// The caller and the call in it; none for `main` and for functions analysed by themselves.
    pub caller: Option<(ContextId, CommandRef)>,
    /// Any call of the function: nothing is known at its entry.
    pub any_call: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    Global(GlobalId),
    Local(ContextId, LocalId),
    /// What a command allocates on the heap.
    Heap(ContextId, CommandRef),
    /// A stack object of computed size.
    Computed(ContextId, CommandRef),
    /// The callee's copy of a struct argument.
    Copied(ContextId, u32),
    Function(FunctionId),
    /// The array of the program's arguments, and the texts in it.
    Arguments,
    ArgumentTexts,
}

/// What a dimension is the value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A variable; of a pointer, its offset.
    Variable(ContextId, VarId),
    /// Bytes of an object; of a pointer, its offset.
    Cell { object: ObjectId, offset: u64, bytes: u8 },
    /// An object's bytes.
    Size(ObjectId),
    /// Where the first zero byte stands; somewhere at or past the end if there is none.
    Terminator(ObjectId),
    /// So many bytes from the start are written.
    Written(ObjectId),
    /// Where the object lies, when pointers become integers.
    Address(ObjectId),
}

/// How bits are read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub bits: u32,
    pub signed: bool,
}

impl Reading {
    pub fn signed(bits: u32) -> Reading {
        Reading { bits, signed: bits > 1 }
    }

    pub fn unsigned(bits: u32) -> Reading {
        Reading { bits, signed: false }
    }

    pub fn interval(self) -> Interval {
        if self.signed {
            Interval::new(-(1i128 << (self.bits - 1)), (1i128 << (self.bits - 1)) - 1)
        } else {
            Interval::new(0, (1i128 << self.bits) - 1)
        }
    }

    pub fn modulus(self) -> i128 {
        1i128 << self.bits
    }
}

/// Whether values of this type are followed as numbers.
pub fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Int(bits) if bits <= 64)
}

#[derive(Debug, Default)]
pub struct Places {
    dimensions: FxHashMap<Place, Dimension>,
    places: Vec<Place>,
    object_numbers: FxHashMap<Object, ObjectId>,
    objects: Vec<Object>,
    context_numbers: FxHashMap<Context, ContextId>,
    contexts: Vec<Context>,
}

impl Places {
    pub fn dimension(&mut self, place: Place) -> Dimension {
        *self.dimensions.entry(place).or_insert_with(|| {
            self.places.push(place);
            Dimension(self.places.len() as u32 - 1)
        })
    }

    /// The dimension of a place that the analysis came across.
    pub fn find(&self, place: Place) -> Option<Dimension> {
        self.dimensions.get(&place).copied()
    }

    pub fn place(&self, dimension: Dimension) -> Place {
        self.places[dimension.0 as usize]
    }

    pub fn object_number(&mut self, object: Object) -> ObjectId {
        *self.object_numbers.entry(object).or_insert_with(|| {
            self.objects.push(object);
            ObjectId(self.objects.len() as u32 - 1)
        })
    }

    pub fn object(&self, id: ObjectId) -> Object {
        self.objects[id.0 as usize]
    }

    pub fn context_number(&mut self, context: Context) -> ContextId {
        *self.context_numbers.entry(context).or_insert_with(|| {
            self.contexts.push(context);
            ContextId(self.contexts.len() as u32 - 1)
        })
    }

    pub fn context(&self, id: ContextId) -> Context {
        self.contexts[id.0 as usize]
    }

    /// All contexts, in the order of their numbers.
    pub fn contexts(&self) -> impl Iterator<Item = (ContextId, Context)> + '_ {
        self.contexts.iter().enumerate().map(|(index, context)| (ContextId(index as u32), *context))
    }

    /// An object's size, where its declaration tells it.
    pub fn static_size(&self, program: &Program, id: ObjectId) -> Option<u64> {
        match self.object(id) {
            Object::Global(global) => Some(program.global(global).size),
            Object::Local(context, local) => {
                let body = program.function(self.context(context).function).body.as_ref()?;
                Some(body.locals[local.index()].size)
            }
            Object::Function(_) => Some(0),
            _ => None,
        }
    }

    /// How a variable's bits are read: as its C type declares it.
    pub fn variable_reading(&self, program: &Program, context: ContextId, variable: VarId) -> Reading {
        let function = program.function(self.context(context).function);
        let Some(body) = &function.body else { return Reading::signed(64) };
        let variable = body.variable(variable);
        let bits = variable.ty.bits();
        let unsigned = variable.ctype.is_some_and(|ctype| {
            matches!(
                program.resolve(ctype),
                CType::Integer { encoding: Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Boolean, .. }
            )
        });
        if unsigned { Reading::unsigned(bits) } else { Reading::signed(bits) }
    }

    /// A name for people: `i`, `a offset`, `buf size`.
    pub fn name(&self, program: &Program, dimension: Dimension) -> String {
        match self.place(dimension) {
            Place::Variable(context, variable) => {
                let function = program.function(self.context(context).function);
                let name = function.body.as_ref().map(|body| body.variable(variable));
                match name {
                    Some(variable) if variable.ty == Type::Pointer => format!("offset({})", variable.name),
                    Some(variable) => variable.name.clone(),
                    None => format!("v{}", variable.0),
                }
            }
            Place::Cell { object, offset, bytes } => {
                format!("{}[{offset}..{}]", self.object_name(program, object), offset + u64::from(bytes))
            }
            Place::Size(object) => format!("size({})", self.object_name(program, object)),
            Place::Terminator(object) => format!("terminator({})", self.object_name(program, object)),
            Place::Written(object) => format!("written({})", self.object_name(program, object)),
            Place::Address(object) => format!("address({})", self.object_name(program, object)),
        }
    }

    pub fn object_name(&self, program: &Program, id: ObjectId) -> String {
        match self.object(id) {
            Object::Global(global) => program.global(global).name.clone(),
            Object::Local(context, local) => {
                let body = program.function(self.context(context).function).body.as_ref();
                body.map_or_else(|| format!("local {}", local.0), |body| body.locals[local.index()].name.clone())
            }
            Object::Function(function) => program.function(function).name.clone(),
            Object::Heap(_, at) | Object::Computed(_, at) => format!("allocated.{}.{}", at.block.0, at.index),
            Object::Copied(_, position) => format!("argument {position}"),
            Object::Arguments => "argv".into(),
            Object::ArgumentTexts => "argv text".into(),
        }
    }
}
