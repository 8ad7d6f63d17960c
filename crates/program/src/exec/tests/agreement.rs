//! Compiled expressions against the reference arithmetic: random trees over random widths.

use proptest::prelude::*;

use super::super::arithmetic::{self, Trouble};
use super::super::builtin;
use crate::exec::{Checks, Discard, Effect, Inputs, Limits, Observer, Outcome, Step, Unobserved, ViolationKind, run};
use crate::generate::Choices;
use crate::{
    Arithmetic, BinaryOp, Block, Body, Builtin, CastOp, Command, CommandKind, Comparison, ExprId, ExprKind, Float,
    FloatComparison, FloatOp, FloatRelation, Function, Overflow, Program, Role, Sign, Site, Terminator, TerminatorKind,
    Type, UnaryOp, VarId, Variable,
};

/// A tree over variables whose values are given.
#[derive(Clone, Debug)]
enum Tree {
    Constant(u128, Type),
    Variable(u128, Type),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Cast(CastOp, Type, Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>),
    Apply(Builtin, Vec<Tree>),
}

impl Tree {
    fn ty(&self) -> Type {
        match self {
            Tree::Constant(_, ty) | Tree::Variable(_, ty) | Tree::Cast(_, ty, _) => *ty,
            Tree::Unary(_, operand) => operand.ty(),
            Tree::Binary(BinaryOp::Compare(_) | BinaryOp::FloatCompare(_) | BinaryOp::Overflows(..), ..) => Type::BOOL,
            Tree::Binary(_, left, _) => left.ty(),
            Tree::Select(_, then, _) => then.ty(),
            Tree::Apply(Builtin::IsClass(_), _) => Type::BOOL,
            Tree::Apply(_, arguments) => arguments[0].ty(),
        }
    }

    /// The value, or the troubles in the order of evaluation; operands first, from the left.
    fn evaluate(&self) -> Result<u128, Trouble> {
        match self {
            Tree::Constant(bits, _) | Tree::Variable(bits, _) => Ok(*bits),
            Tree::Unary(op, operand) => arithmetic::unary(*op, operand.ty(), operand.evaluate()?),
            Tree::Binary(op, left, right) => arithmetic::binary(*op, left.ty(), left.evaluate()?, right.evaluate()?),
            Tree::Cast(op, to, operand) => arithmetic::cast(*op, operand.ty(), *to, operand.evaluate()?),
            Tree::Select(condition, then, otherwise) => {
                let (condition, then, otherwise) = (condition.evaluate()?, then.evaluate()?, otherwise.evaluate()?);
                Ok(if condition != 0 { then } else { otherwise })
            }
            Tree::Apply(builtin, arguments) => {
                let values: Result<Vec<u128>, Trouble> = arguments.iter().map(Tree::evaluate).collect();
                builtin::apply(*builtin, arguments[0].ty(), self.ty(), &values?)
            }
        }
    }

    fn build(&self, body: &mut Body, entry: &mut Vec<Command>) -> ExprId {
        let kind = match self {
            Tree::Constant(bits, _) => ExprKind::Constant(*bits),
            Tree::Variable(bits, ty) => {
                let variable = add_variable(body, *ty);
                let value = body.add_expr(ExprKind::Constant(*bits), *ty, Site::NONE);
                entry.push(assign(variable, value));
                ExprKind::Variable(variable)
            }
            Tree::Unary(op, operand) => ExprKind::Unary(*op, operand.build(body, entry)),
            Tree::Binary(op, left, right) => {
                let (left, right) = (left.build(body, entry), right.build(body, entry));
                ExprKind::Binary(*op, left, right)
            }
            Tree::Cast(op, _, operand) => ExprKind::Cast(*op, operand.build(body, entry)),
            Tree::Select(condition, then, otherwise) => ExprKind::Select {
                condition: condition.build(body, entry),
                then: then.build(body, entry),
                otherwise: otherwise.build(body, entry),
            },
            Tree::Apply(builtin, arguments) => {
                ExprKind::Apply(*builtin, arguments.iter().map(|argument| argument.build(body, entry)).collect())
            }
        };
        body.add_expr(kind, self.ty(), Site::NONE)
    }
}

fn assign(target: VarId, value: ExprId) -> Command {
    Command { kind: CommandKind::Assign { target, value }, site: Site::NONE }
}

fn add_variable(body: &mut Body, ty: Type) -> VarId {
    let name = format!("v{}", body.variables.len());
    body.variables.push(Variable { name, ty, role: Role::Local, ctype: None, site: Site::NONE });
    VarId(body.variables.len() as u32 - 1)
}

/// A program whose `main` assigns the tree's value to its first variable and branches on its last bit.
fn in_program(tree: &Tree) -> Program {
    let mut body = Body::default();
    let result = add_variable(&mut body, tree.ty());
    let mut commands = Vec::new();
    let value = tree.build(&mut body, &mut commands);
    commands.push(assign(result, value));
    let zero = body.add_expr(ExprKind::Constant(0), Type::I32, Site::NONE);
    let terminator = Terminator { kind: TerminatorKind::Return(vec![zero]), site: Site::NONE };
    body.blocks.push(Block { name: "entry".into(), commands, terminator });
    let main = Function {
        name: "main".into(),
        parameters: Vec::new(),
        variadic: false,
        returns: vec![Type::I32],
        ctype: None,
        site: Site::NONE,
        body: Some(body),
    };
    Program { functions: vec![main], ..Program::default() }
}

/// Keeps the last value assigned.
#[derive(Default)]
struct Last(u128);

impl Observer for Last {
    const ACTIVE: bool = true;

    fn step(&mut self, step: Step) {
        if let Effect::Assigned(value) = step.effect {
            self.0 = value;
        }
    }
}

const TYPES: &[Type] = &[
    Type::I32,
    Type::I32,
    Type::I32,
    Type::I64,
    Type::I64,
    Type::I64,
    Type::BOOL,
    Type::I8,
    Type::I16,
    Type::Int(128),
    Type::Int(24),
    Type::Int(33),
    Type::Int(100),
    Type::F64,
    Type::F64,
    Type::F32,
    Type::Float(Float::X87),
    Type::Float(Float::F128),
    Type::Float(Float::F16),
];

const SIGNS: &[Sign] = &[Sign::Signed, Sign::Unsigned];

fn bits(choices: &mut Choices<'_>, ty: Type) -> u128 {
    let sign = 1u128 << (ty.bits() - 1);
    let number = match choices.below(4) {
        0 => choices.wide(),
        1 => choices.below(40) as u128,
        2 => choices.pick(&[0, 1, u128::MAX, sign, sign - 1, sign.wrapping_add(1)]),
        _ => (choices.below(1 << 16) as u16 as i16) as u128,
    };
    match ty {
        // Through an integer, so that the bits are a proper number of the format.
        Type::Float(_) => {
            arithmetic::cast(CastOp::IntToFloat(Sign::Signed), Type::I32, ty, number & Type::I32.mask()).unwrap_or(0)
        }
        _ => number & ty.mask(),
    }
}

/// A tree of this type, at most so deep.
fn tree(choices: &mut Choices<'_>, ty: Type, depth: u32) -> Tree {
    if depth == 0 || choices.below(8) == 0 {
        let bits = bits(choices, ty);
        return if choices.below(3) == 0 { Tree::Constant(bits, ty) } else { Tree::Variable(bits, ty) };
    }
    if choices.below(10) == 0 {
        let condition = below(choices, Type::BOOL, depth);
        return Tree::Select(condition, below(choices, ty, depth), below(choices, ty, depth));
    }
    match ty {
        Type::Float(_) => float_tree(choices, ty, depth),
        _ => integer_tree(choices, ty, depth),
    }
}

fn below(choices: &mut Choices<'_>, ty: Type, depth: u32) -> Box<Tree> {
    Box::new(tree(choices, ty, depth - 1))
}

fn float_tree(choices: &mut Choices<'_>, ty: Type, depth: u32) -> Tree {
    match choices.below(8) {
        0 => Tree::Unary(UnaryOp::FloatNegate, below(choices, ty, depth)),
        1 => Tree::Cast(CastOp::IntToFloat(choices.pick(SIGNS)), ty, below(choices, Type::I32, depth)),
        2 => Tree::Apply(Builtin::SquareRoot, vec![*below(choices, ty, depth)]),
        3 if ty != Type::F64 => Tree::Cast(CastOp::FloatConvert, ty, below(choices, Type::F64, depth)),
        _ => {
            let op = choices.pick(&[FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem]);
            Tree::Binary(BinaryOp::Float(op), below(choices, ty, depth), below(choices, ty, depth))
        }
    }
}

fn integer_tree(choices: &mut Choices<'_>, ty: Type, depth: u32) -> Tree {
    match choices.below(12) {
        0 => {
            let negations = [UnaryOp::Negate(Overflow::Wraps), UnaryOp::Negate(Overflow::Violates)];
            let op = choices.pick(&[UnaryOp::Not, negations[0], negations[1]]);
            Tree::Unary(op, below(choices, ty, depth))
        }
        1 | 2 => converted(choices, ty, depth),
        3 => {
            let builtin = choices.pick(&[
                Builtin::PopCount,
                Builtin::LeadingZeros { zero_violates: true },
                Builtin::TrailingZeros { zero_violates: false },
                Builtin::Absolute,
                Builtin::BitReverse,
            ]);
            Tree::Apply(builtin, vec![*below(choices, ty, depth)])
        }
        4..=7 if ty == Type::BOOL => compared(choices, depth),
        _ => {
            let op = integer_op(choices);
            Tree::Binary(op, below(choices, ty, depth), below(choices, ty, depth))
        }
    }
}

fn integer_op(choices: &mut Choices<'_>) -> BinaryOp {
    let overflow = choices.pick(&[Overflow::Wraps, Overflow::Wraps, Overflow::Violates]);
    let sign = choices.pick(SIGNS);
    choices.pick(&[
        BinaryOp::Add(overflow),
        BinaryOp::Sub(overflow),
        BinaryOp::Mul(overflow),
        BinaryOp::Div(sign),
        BinaryOp::Rem(sign),
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight(sign),
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ])
}

fn converted(choices: &mut Choices<'_>, ty: Type, depth: u32) -> Tree {
    let from = choices.pick(TYPES);
    let op = match from {
        Type::Float(_) => CastOp::FloatToInt(choices.pick(SIGNS)),
        _ if from.bits() > ty.bits() => CastOp::Truncate,
        _ if from.bits() < ty.bits() => choices.pick(&[CastOp::ZeroExtend, CastOp::SignExtend]),
        _ => CastOp::Reinterpret,
    };
    Tree::Cast(op, ty, below(choices, from, depth))
}

fn compared(choices: &mut Choices<'_>, depth: u32) -> Tree {
    let ty = choices.pick(TYPES);
    let sign = choices.pick(SIGNS);
    let op = if ty.is_float() {
        let relations =
            [FloatRelation::Less, FloatRelation::GreaterEqual, FloatRelation::Equal, FloatRelation::NotEqual];
        BinaryOp::FloatCompare(FloatComparison { relation: choices.pick(&relations), unordered: choices.flag() })
    } else if choices.below(6) == 0 {
        BinaryOp::Overflows(choices.pick(&[Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul]), sign)
    } else {
        BinaryOp::Compare(choices.pick(&[
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less(sign),
            Comparison::LessEqual(sign),
            Comparison::Greater(sign),
            Comparison::GreaterEqual(sign),
        ]))
    };
    Tree::Binary(op, below(choices, ty, depth), below(choices, ty, depth))
}

fn trees(depth: u32) -> impl Strategy<Value = Tree> {
    prop::collection::vec(any::<u8>(), 0..300).prop_map(move |bytes| {
        let mut choices = Choices::new(&bytes);
        let ty = choices.pick(TYPES);
        tree(&mut choices, ty, depth)
    })
}

/// Whether the run ended as the reference says.
fn agrees(outcome: &Outcome, expected: Result<u128, Trouble>, checks: Checks) -> bool {
    match (outcome, expected) {
        (Outcome::Exited(0), Ok(_)) => true,
        (Outcome::Violated(violation), Err(trouble)) => violation.kind == trouble.kind && checks.has(trouble.kind),
        (Outcome::Undefined(violation), Err(trouble)) => violation.kind == trouble.kind && !checks.has(trouble.kind),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn compiled_trees_agree_with_the_reference(tree in trees(4)) {
        let program = in_program(&tree);
        let expected = tree.evaluate();
        let mut last = Last::default();
        let outcome = run(&program, &Inputs::default(), &Limits::default(), Checks::default(), &mut Discard, &mut last).outcome;
        // Which of two troubles in one tree is met first is not fixed, so the kind only.
        if let (Outcome::Violated(_), Err(_)) = (&outcome, &expected) {
        } else {
            prop_assert!(agrees(&outcome, expected, Checks::default()), "{outcome:?} but {expected:?}");
        }
        if let Ok(bits) = expected {
            prop_assert_eq!(last.0, bits);
        }
        let plain = run(&program, &Inputs::default(), &Limits::default(), Checks::default(), &mut Discard, &mut Unobserved);
        prop_assert_eq!(plain.outcome, outcome);
    }

    #[test]
    fn without_checks_the_machine_answers(tree in trees(2)) {
        let unchecked = Checks::NONE;
        let program = in_program(&tree);
        let mut last = Last::default();
        let outcome = run(&program, &Inputs::default(), &Limits::default(), unchecked, &mut Discard, &mut last).outcome;
        let fatal = matches!(&outcome, Outcome::Undefined(violation)
            if matches!(violation.kind, ViolationKind::DivisionByZero | ViolationKind::Overflow));
        prop_assert!(fatal || outcome == Outcome::Exited(0), "{outcome:?}");
        if let Ok(bits) = tree.evaluate() {
            prop_assert_eq!(last.0, bits);
        }
    }
}
