//! What a Boogie file says, as it stands there: declarations, statements, expressions, types, each with its
//! place. Names are not resolved and nothing is typed.
//!
//! Expressions are in one arena and refer to each other by number: chains of operators may be so long that
//! nothing should recurse over them, not even their destruction.

use super::diagnostic::Extent;

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub extent: Extent,
}

/// An expression, by its number in [`File::expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpressionId(pub u32);

#[derive(Clone, Debug, Default)]
pub struct File {
    pub declarations: Vec<Declaration>,
    pub expressions: Vec<Expression>,
    /// Triggers that were read and have no effect.
    pub triggers: u32,
}

impl File {
    pub fn expression(&self, id: ExpressionId) -> &Expression {
        &self.expressions[id.0 as usize]
    }
}

#[derive(Clone, Debug)]
pub struct Expression {
    pub extent: Extent,
    pub kind: ExpressionKind,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    Bool(bool),
    /// Decimal digits.
    Integer(String),
    Decimal(String),
    BitVector {
        digits: String,
        width: String,
    },
    Name(String),
    /// A function's or a conversion's application.
    Apply {
        function: Name,
        arguments: Vec<ExpressionId>,
    },
    Unary {
        operator: UnaryOperator,
        operand: ExpressionId,
    },
    Binary {
        operator: BinaryOperator,
        at: Extent,
        left: ExpressionId,
        right: ExpressionId,
    },
    /// `m[i, j]`
    Select {
        map: ExpressionId,
        indices: Vec<ExpressionId>,
    },
    /// `m[i, j := e]`
    Update {
        map: ExpressionId,
        indices: Vec<ExpressionId>,
        value: ExpressionId,
    },
    /// `e[high:low]`; the bit `high` is not included.
    Extract {
        operand: ExpressionId,
        high: String,
        low: String,
    },
    Old(ExpressionId),
    IfThenElse {
        condition: ExpressionId,
        then: ExpressionId,
        otherwise: ExpressionId,
    },
    Quantifier {
        forall: bool,
        type_parameters: Vec<Name>,
        bound: Vec<Binding>,
        body: ExpressionId,
    },
    /// `(e : T)`
    Coercion {
        operand: ExpressionId,
        to: Type,
    },
    /// Something without a meaning here, in words.
    Unsupported(String),
}

impl ExpressionKind {
    /// The expressions directly below.
    pub fn parts(&self) -> Vec<ExpressionId> {
        use ExpressionKind::*;
        match self {
            Bool(_) | Integer(_) | Decimal(_) | BitVector { .. } | Name(_) | Unsupported(_) => Vec::new(),
            Apply { arguments, .. } => arguments.clone(),
            Unary { operand, .. } | Extract { operand, .. } | Old(operand) | Coercion { operand, .. } => {
                vec![*operand]
            }
            Binary { left, right, .. } => vec![*left, *right],
            Select { map, indices } => [&[*map], indices.as_slice()].concat(),
            Update { map, indices, value } => [&[*map], indices.as_slice(), &[*value]].concat(),
            IfThenElse { condition, then, otherwise } => vec![*condition, *then, *otherwise],
            Quantifier { body, .. } => vec![*body],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Not,
    Negate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Iff,
    Implies,
    Explies,
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// `<:`
    Extends,
    Concat,
    Add,
    Subtract,
    Multiply,
    /// `div`
    IntDivide,
    /// `mod`
    Modulo,
    /// `/`
    RealDivide,
    /// `**`
    Power,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub extent: Extent,
    pub kind: TypeKind,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A basic type, a constructor with its arguments, a synonym or a parameter.
    Named {
        name: String,
        arguments: Vec<Type>,
    },
    Map {
        type_parameters: Vec<Name>,
        indices: Vec<Type>,
        element: Box<Type>,
    },
}

/// `x: T where e`
#[derive(Clone, Debug)]
pub struct Binding {
    pub name: Name,
    pub ty: Type,
    pub condition: Option<ExpressionId>,
}

/// `{:name "text", e}`
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    pub texts: Vec<String>,
    pub numbers: Vec<String>,
}

#[derive(Clone, Debug)]
pub enum Declaration {
    Type {
        name: Name,
        parameters: Vec<Name>,
        synonym: Option<Type>,
    },
    Constant {
        unique: bool,
        bindings: Vec<Binding>,
    },
    Function(Function),
    Axiom(ExpressionId),
    Variable(Vec<Binding>),
    Procedure(Procedure),
    Implementation(Implementation),
    /// Something without a meaning here, in words, and whether it may declare types and functions.
    Unsupported {
        what: String,
        extent: Extent,
        declares: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub attributes: Vec<Attribute>,
    pub type_parameters: Vec<Name>,
    /// A parameter may be without a name if there is no body.
    pub parameters: Vec<(Option<Name>, Type)>,
    pub result: Type,
    pub body: Option<ExpressionId>,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Name,
    pub attributes: Vec<Attribute>,
    pub type_parameters: Vec<Name>,
    pub parameters: Vec<Binding>,
    pub results: Vec<Binding>,
    pub requires: Vec<Condition>,
    pub ensures: Vec<Condition>,
    pub modifies: Vec<Name>,
    pub body: Option<Body>,
}

/// A clause of a contract or a loop.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Assumed, never checked.
    pub free: bool,
    pub expression: ExpressionId,
    pub extent: Extent,
}

#[derive(Clone, Debug)]
pub struct Implementation {
    pub name: Name,
    pub parameters: Vec<Binding>,
    pub results: Vec<Binding>,
    pub body: Body,
}

#[derive(Clone, Debug, Default)]
pub struct Body {
    pub locals: Vec<Binding>,
    pub statements: Vec<Statement>,
    /// The closing brace.
    pub end: Extent,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub extent: Extent,
    pub kind: StatementKind,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Label(String),
    Assert(ExpressionId),
    Assume(ExpressionId),
    Havoc(Vec<Name>),
    Assign {
        targets: Vec<Target>,
        values: Vec<ExpressionId>,
    },
    Call {
        procedure: Name,
        arguments: Vec<Argument>,
        results: Vec<Name>,
    },
    Goto(Vec<Name>),
    Return,
    Break(Option<Name>),
    If(If),
    While {
        condition: Guard,
        invariants: Vec<Condition>,
        body: Vec<Statement>,
    },
    /// Something without a meaning here, in words.
    Unsupported(String),
}

/// `if … else if … else …`, which may have any number of branches.
#[derive(Clone, Debug)]
pub struct If {
    pub branches: Vec<(Guard, Vec<Statement>)>,
    pub otherwise: Vec<Statement>,
}

/// A condition, or `*`, which is any.
#[derive(Clone, Copy, Debug)]
pub enum Guard {
    Any(Extent),
    Condition(ExpressionId),
}

/// An argument of a call, or `*`, which is any value.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    Any(Extent),
    Expression(ExpressionId),
}

/// `m[i][j, k]` on the left of an assignment.
#[derive(Clone, Debug)]
pub struct Target {
    pub name: Name,
    /// One list of indices for each pair of brackets.
    pub indices: Vec<Vec<ExpressionId>>,
    pub extent: Extent,
}
