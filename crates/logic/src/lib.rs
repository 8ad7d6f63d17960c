//! Terms over bit-vectors, arrays, floats, integers and reals, and the solvers that decide them.
//!
//! An analysis builds formulas in an arena, [`Terms`], whose constructors simplify as they go, and hands them
//! to a [`solver::Solver`]: Bitwuzla for what comes from C, Z3 for unbounded integers and as the cross-check.
//! On top stand the questions that engines ask: weighted MaxSAT, exists-forall, sequences of assertions that
//! prove a trace infeasible, `sp`, `wp` and `pre` of guarded commands.
//!
//! Not here: any program. A formula's variables are names and sorts; what they stand for, the caller knows.
//!
//! [`Terms`]: terms::Terms

pub mod commands;
pub mod control_flow;
pub mod error;
pub mod evaluate;
pub mod exists_forall;
pub mod interpolate;
pub mod maxsat;
pub mod project;
pub mod simplify;
pub mod smtlib;
pub mod solver;
pub mod sort;
pub mod terms;
pub mod value;
