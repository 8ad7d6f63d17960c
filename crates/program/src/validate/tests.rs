//! Damage to a valid program, and the words the validator has for it.

use super::validate;
use crate::text::read;
use crate::{
    BinaryOp, Block, BlockId, Body, CType, CTypeId, CommandKind, ExprId, ExprKind, GlobalId, Initializer, Object,
    Overflow, Program, Role, Site, Terminator, TerminatorKind, Type, VarId,
};

const VALID: &str = r#"
type 0 = integer "int" 4 bytes signed
type 1 = alias "number" $0
global table: 16 bytes align 8 = "\x01" {8: &main}

fn main(n: i32) -> i32 {
  var x: i32
  object buffer: 8 bytes align 4
entry:
    x := n + 1
    buffer:i32 := x
    switch x
      case 1: entry
      case 2: entry
      else done
done:
    return x
}
"#;

#[track_caller]
fn check(damage: impl FnOnce(&mut Program), expected: &str) {
    let mut program = read(VALID).unwrap();
    damage(&mut program);
    assert_eq!(validate(&program).unwrap_err().to_string(), expected);
}

#[track_caller]
fn check_body(damage: impl FnOnce(&mut Body), expected: &str) {
    check(|program| damage(program.functions[0].body.as_mut().unwrap()), expected);
}

/// The sum `n + 1`: its operands come before it.
const SUM: usize = 2;

#[test]
fn ids_must_exist() {
    check(|program| program.functions[0].site = Site(9), "function `main`: site 9 does not exist: there are 1");
    check(|program| program.globals[0].ctype = Some(CTypeId(2)), "global `table`: type 2 does not exist: there are 2");
    let entry = "function `main`, block `entry`";
    check_body(
        |body| body.blocks[0].commands[0].kind = CommandKind::Declare(VarId(2)),
        &format!("{entry}, command 0: variable 2 does not exist: there are 2"),
    );
    check_body(
        |body| body.blocks[0].commands[0].kind = CommandKind::Assume(ExprId(99)),
        &format!("{entry}, command 0: expression 99 does not exist: there are 7"),
    );
    check_body(
        |body| body.blocks[0].terminator.kind = TerminatorKind::Goto(BlockId(2)),
        &format!("{entry}, terminator: block 2 does not exist: there are 2"),
    );
    check_body(
        |body| body.exprs[SUM].kind = ExprKind::Address(Object::Global(GlobalId(1))),
        "function `main`, expression 2: an address must be ptr, not i32",
    );
}

#[test]
fn types_must_agree() {
    check_body(
        |body| body.exprs[1].ty = Type::I64,
        "function `main`, expression 2: the right operand must be i32, not i64",
    );
    check_body(
        |body| body.exprs[0].ty = Type::I64,
        "function `main`, expression 0: the use of a variable must be i32, not i64",
    );
    check_body(
        |body| body.exprs[1].kind = ExprKind::Constant(1 << 32),
        "function `main`, expression 1: the constant 0x100000000 does not fit i32",
    );
    check_body(
        |body| body.exprs[1].ty = Type::Int(0),
        "function `main`, expression 1: i0 is no type: integers have 1 to 128 bits",
    );
    check(
        |program| program.functions[0].returns.clear(),
        "function `main`, block `done`, terminator: 0 returned values expected, not 1",
    );
}

#[test]
fn nodes_have_one_user_and_no_circles() {
    check_body(
        |body| body.exprs[SUM].kind = ExprKind::Binary(BinaryOp::Add(Overflow::Wraps), ExprId(0), ExprId(0)),
        "function `main`: expression 0 is used twice",
    );
    check_body(
        |body| {
            let next = ExprId(body.exprs.len() as u32);
            let one = body.add_expr(ExprKind::Constant(1), Type::I32, Site::NONE);
            let sum = ExprKind::Binary(BinaryOp::Add(Overflow::Wraps), one, ExprId(next.0 + 1));
            body.add_expr(sum, Type::I32, Site::NONE);
        },
        "function `main`: expression 8 is a part of itself",
    );
}

#[test]
fn declarations_must_make_sense() {
    check_body(|body| body.variables[1].name = "n".into(), "function `main`: two variables are named `n`");
    check_body(
        |body| body.variables[0].role = Role::Local,
        "function `main`: variable 0 must have the role of a parameter",
    );
    check_body(
        |body| body.variables[1].role = Role::Parameter,
        "function `main`: variable 1 must not have the role of a parameter",
    );
    check_body(|body| body.locals[0].align = 3, "function `main`: the alignment 3 is no power of two");
    check_body(|body| body.blocks.clear(), "function `main`: the body has no blocks");
    check(|program| program.globals[0].name = "main".into(), "the program: two functions or globals are named `main`");
    check(|program| program.globals[0].size = 15, "global `table`: initial contents up to byte 16 do not fit 15 bytes");
    check(
        |program| program.ctypes[1] = CType::Alias { name: "number".into(), of: CTypeId(1) },
        "the table of types: type 1 contains itself",
    );
    check_body(
        |body| body.blocks[0].commands[0].kind = CommandKind::Begin(crate::LocalId(0)),
        "function `main`, block `entry`, command 0: the object `buffer` begins here, but is not marked as scoped",
    );
}

#[test]
fn switches_have_distinct_cases() {
    check_body(
        |body| {
            if let TerminatorKind::Switch { cases, .. } = &mut body.blocks[0].terminator.kind {
                cases[1].0 = 1;
            }
        },
        "function `main`, block `entry`, terminator: two cases have the value 1",
    );
}

#[test]
fn a_long_chain_is_checked_in_linear_time() {
    let mut program = read(VALID).unwrap();
    let body = program.functions[0].body.as_mut().unwrap();
    let mut tree = body.add_expr(ExprKind::Constant(1), Type::I32, Site::NONE);
    for _ in 0..500_000 {
        tree = body.add_expr(ExprKind::Unary(crate::UnaryOp::Not, tree), Type::I32, Site::NONE);
    }
    let terminator = Terminator { kind: TerminatorKind::Return(vec![tree]), site: Site::NONE };
    body.blocks.push(Block { name: "long".into(), commands: Vec::new(), terminator });
    program.globals[0].init = Initializer::External;
    assert_eq!(validate(&program), Ok(()));
}
