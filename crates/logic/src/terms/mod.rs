//! The arena of terms: every term exists once, so that equal terms have equal ids.
//!
//! [`Terms`] owns all nodes; a [`TermId`] is a number into it that is copied freely. A term's id is greater
//! than those of its arguments. Nothing is ever removed. Construction goes through the methods in
//! [`crate::simplify`], which simplify as they build, or through [`Terms::raw`], which does not.
//!
//! Not here: what terms mean (`evaluate`), how they are decided (`solver`).

mod op;
mod traverse;

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

pub use op::Op;
pub use traverse::Substitution;

use crate::sort::{ArraySort, FloatFormat, FunctionId, MAX_WIDTH, Sort, SymbolId};
use crate::value::{BitVector, Float, Value};

/// A term in an arena of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(u32);

impl TermId {
    /// A dense number, for tables beside the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value in an arena of terms that does not fit into its term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstantId(u32);

/// What an uninterpreted function takes and yields.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub name: SymbolId,
    pub parameters: Vec<Sort>,
    pub result: Sort,
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    first_argument: u32,
    argument_count: u32,
}

/// All terms of one analysis.
#[derive(Clone)]
pub struct Terms {
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    /// The number of each term with its hash, which spares a look at the term in most cases.
    unique: HashTable<(u32, u32)>,
    symbols: Vec<String>,
    symbol_ids: FxHashMap<String, SymbolId>,
    /// How often a name was asked for with [`Terms::fresh`].
    fresh_names: FxHashMap<String, u32>,
    /// A name has one sort: two variables that print alike would be a trap.
    variables: FxHashMap<SymbolId, TermId>,
    constants: Vec<Value>,
    constant_ids: FxHashMap<Value, ConstantId>,
    functions: Vec<Signature>,
    function_ids: FxHashMap<SymbolId, FunctionId>,
    array_sorts: Vec<(Sort, Sort)>,
    array_sort_ids: FxHashMap<(Sort, Sort), ArraySort>,
    true_term: TermId,
    false_term: TermId,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            arguments: Vec::new(),
            unique: HashTable::new(),
            symbols: Vec::new(),
            symbol_ids: FxHashMap::default(),
            fresh_names: FxHashMap::default(),
            variables: FxHashMap::default(),
            constants: Vec::new(),
            constant_ids: FxHashMap::default(),
            functions: Vec::new(),
            function_ids: FxHashMap::default(),
            array_sorts: Vec::new(),
            array_sort_ids: FxHashMap::default(),
            true_term: TermId(0),
            false_term: TermId(1),
        };
        terms.true_term = terms.intern(Op::True, Sort::Bool, &[]);
        terms.false_term = terms.intern(Op::False, Sort::Bool, &[]);
        terms
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: truth and falsehood are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.index()].sort
    }

    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        let first = node.first_argument as usize;
        &self.arguments[first..first + node.argument_count as usize]
    }

    pub(crate) fn argument(&self, term: TermId, index: usize) -> TermId {
        self.arguments(term)[index]
    }

    /// The width of a bit-vector term; a bug if it is none.
    pub fn width(&self, term: TermId) -> u32 {
        self.sort(term).width().unwrap_or_else(|| panic!("a term of sort {:?} has no width", self.sort(term)))
    }

    /// The format of a float term; a bug if it is none.
    pub fn float_format(&self, term: TermId) -> FloatFormat {
        match self.sort(term) {
            Sort::Float(format) => format,
            other => panic!("a term of sort {other:?} has no float format"),
        }
    }

    /// The sort of arrays with these parts.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        let next = ArraySort(self.array_sorts.len() as u32);
        let sort = *self.array_sort_ids.entry((index, element)).or_insert(next);
        if sort == next {
            self.array_sorts.push((index, element));
        }
        Sort::Array(sort)
    }

    /// Index and element sort of an array's sort; a bug if it is none.
    pub fn array_parts(&self, sort: Sort) -> (Sort, Sort) {
        match sort {
            Sort::Array(ArraySort(number)) => self.array_sorts[number as usize],
            other => panic!("{other:?} is no array's sort"),
        }
    }

    /// A sort of which nothing is known but its name.
    pub fn uninterpreted_sort(&mut self, name: &str) -> Sort {
        Sort::Uninterpreted(self.symbol(name))
    }

    fn symbol(&mut self, name: &str) -> SymbolId {
        if let Some(&symbol) = self.symbol_ids.get(name) {
            return symbol;
        }
        let symbol = SymbolId(self.symbols.len() as u32);
        self.symbols.push(name.to_owned());
        self.symbol_ids.insert(name.to_owned(), symbol);
        symbol
    }

    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.0 as usize]
    }

    /// The variable of this name. One name has one sort; another one is a bug of the caller.
    pub fn variable(&mut self, name: &str, sort: Sort) -> TermId {
        if let Sort::BitVector(width) = sort {
            assert!((1..=MAX_WIDTH).contains(&width), "a bit-vector of {width} bits");
        }
        let symbol = self.symbol(name);
        if let Some(&variable) = self.variables.get(&symbol) {
            assert_eq!(self.sort(variable), sort, "the variable {name} has two sorts");
            return variable;
        }
        let variable = self.intern(Op::Variable(symbol), sort, &[]);
        self.variables.insert(symbol, variable);
        variable
    }

    /// A variable that was not there before, with a name that begins like this.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        loop {
            let count = self.fresh_names.entry(name.to_owned()).or_insert(0);
            *count += 1;
            let candidate = format!("{name}!{count}");
            if !self.symbol_ids.contains_key(candidate.as_str()) {
                return self.variable(&candidate, sort);
            }
        }
    }

    /// The name of a variable; none for other terms.
    pub fn name(&self, term: TermId) -> Option<&str> {
        match self.op(term) {
            Op::Variable(symbol) => Some(self.symbol_name(symbol)),
            _ => None,
        }
    }

    /// The uninterpreted function of this name. Another signature for a known name is a bug of the caller.
    pub fn function(&mut self, name: &str, parameters: &[Sort], result: Sort) -> FunctionId {
        let signature = Signature { name: self.symbol(name), parameters: parameters.to_vec(), result };
        let next = FunctionId(self.functions.len() as u32);
        let function = *self.function_ids.entry(signature.name).or_insert(next);
        if function == next {
            self.functions.push(signature);
        } else {
            assert_eq!(self.function_signature(function), &signature, "the function {name} has two signatures");
        }
        function
    }

    pub fn function_signature(&self, function: FunctionId) -> &Signature {
        &self.functions[function.0 as usize]
    }

    pub fn true_term(&self) -> TermId {
        self.true_term
    }

    pub fn false_term(&self) -> TermId {
        self.false_term
    }

    pub fn bool(&self, value: bool) -> TermId {
        if value { self.true_term } else { self.false_term }
    }

    /// A bit-vector value, modulo two to the width.
    pub fn bv(&mut self, width: u32, value: u64) -> TermId {
        if width > 64 {
            return self.bv_value(&BitVector::new(width, value.into()));
        }
        assert!(width > 0, "a bit-vector has at least one bit");
        let value = if width == 64 { value } else { value & ((1 << width) - 1) };
        self.intern(Op::BitVector(value), Sort::BitVector(width), &[])
    }

    /// A bit-vector value from a signed number.
    pub fn bv_signed(&mut self, width: u32, value: i64) -> TermId {
        if width <= 64 {
            self.bv(width, value as u64)
        } else {
            self.bv_value(&BitVector::from_signed(width, value.into()))
        }
    }

    pub fn bv_value(&mut self, value: &BitVector) -> TermId {
        let width = value.width();
        assert!(width <= MAX_WIDTH, "a bit-vector of {width} bits");
        match value.to_u64() {
            Some(small) if width <= 64 => self.intern(Op::BitVector(small), Sort::BitVector(width), &[]),
            _ => self.other_constant(Value::BitVector(value.clone()), Sort::BitVector(width)),
        }
    }

    pub fn float(&mut self, value: &Float) -> TermId {
        self.other_constant(Value::Float(value.clone()), Sort::Float(value.format()))
    }

    pub fn int(&mut self, value: impl Into<num_bigint::BigInt>) -> TermId {
        self.other_constant(Value::Int(value.into()), Sort::Int)
    }

    pub fn real(&mut self, value: num_rational::BigRational) -> TermId {
        self.other_constant(Value::Real(value), Sort::Real)
    }

    /// The term of a value. Arrays become stores into a constant array.
    pub fn constant(&mut self, value: &Value, sort: Sort) -> TermId {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::BitVector(value) => self.bv_value(value),
            Value::Float(value) => self.float(value),
            Value::Int(_) | Value::Real(_) | Value::Element(_) => self.other_constant(value.clone(), sort),
            Value::Array(array) => {
                let (index_sort, element_sort) = self.array_parts(sort);
                let default = self.constant(array.default_element(), element_sort);
                let mut term = self.const_array(sort, default);
                for (index, element) in array.entries() {
                    let index = self.constant(index, index_sort);
                    let element = self.constant(element, element_sort);
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    fn other_constant(&mut self, value: Value, sort: Sort) -> TermId {
        let constant = match self.constant_ids.get(&value) {
            Some(&constant) => constant,
            None => {
                let constant = ConstantId(self.constants.len() as u32);
                self.constants.push(value.clone());
                self.constant_ids.insert(value, constant);
                constant
            }
        };
        self.intern(Op::Constant(constant), sort, &[])
    }

    pub fn is_constant(&self, term: TermId) -> bool {
        self.op(term).is_constant()
    }

    /// The value of a term that is one.
    pub fn as_value(&self, term: TermId) -> Option<Value> {
        match self.op(term) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::BitVector(value) => Some(Value::BitVector(BitVector::new(self.width(term), value.into()))),
            Op::Constant(ConstantId(number)) => Some(self.constants[number as usize].clone()),
            _ => None,
        }
    }

    pub fn as_bv(&self, term: TermId) -> Option<BitVector> {
        match self.op(term) {
            Op::BitVector(value) => Some(BitVector::new(self.width(term), value.into())),
            Op::Constant(ConstantId(number)) => self.constants[number as usize].as_bit_vector().cloned(),
            _ => None,
        }
    }

    pub fn as_float(&self, term: TermId) -> Option<Float> {
        match self.op(term) {
            Op::Constant(ConstantId(number)) => self.constants[number as usize].as_float().cloned(),
            _ => None,
        }
    }

    /// A term as it stands, without simplification; for values and variables use their own methods.
    pub fn raw(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        let sort = self.result_sort(op, arguments);
        self.intern(op, sort, arguments)
    }

    pub(crate) fn intern(&mut self, op: Op, sort: Sort, arguments: &[TermId]) -> TermId {
        let hash = hash_node(op, sort, arguments);
        let Terms { nodes, arguments: pool, unique, .. } = self;
        let equal = |&(other, number): &(u32, u32)| {
            let node = &nodes[number as usize];
            let first = node.first_argument as usize;
            other == hash
                && node.op == op
                && node.sort == sort
                && pool[first..first + node.argument_count as usize] == *arguments
        };
        if let Some(&(_, number)) = unique.find(spread(hash), equal) {
            return TermId(number);
        }
        let number = u32::try_from(nodes.len()).expect("there are fewer than 2^32 terms");
        unique.insert_unique(spread(hash), (hash, number), |&(hash, _)| spread(hash));
        let first_argument = u32::try_from(pool.len()).expect("there are fewer than 2^32 arguments");
        nodes.push(Node { op, sort, first_argument, argument_count: arguments.len() as u32 });
        pool.extend_from_slice(arguments);
        TermId(number)
    }
}

/// The table takes a position from the low bits and a mark from the high ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

fn hash_node(op: Op, sort: Sort, arguments: &[TermId]) -> u32 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    for argument in arguments {
        hasher.write_u32(argument.0);
    }
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}
