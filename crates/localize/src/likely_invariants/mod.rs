//! Likely invariants: from failing runs of a program of any size to a handful of its expressions.
//!
//! *Using Likely Invariants for Automated Software Fault Localization* (Sahoo, Criswell, Geigle, Adve). Input: what good
//! runs near the failing one observed ([`train`]), and for each failing run what it observed and the slice of its
//! symptom. Output: [`Candidates`], widest set last, with what each filter left (§2.4).
//!
//! Beyond the paper: arguments and results of library functions are sites, too; branches have invariants (which way,
//! how often), so that missing code shows; the values, the chain to the symptom and the expression are kept. The
//! dependence filter works on instructions, not on their instances: failed ones that depend on each other, as in a loop,
//! stay together rather than remove each other.
//!
//! A second round of runs looks inside of large expressions ([`large_expressions`]).
//!
//! Pure computation: no file and no process is touched here.

mod candidates;
mod expression;
mod filtering;
mod inside;
mod tendencies;
mod training;

pub use candidates::{Candidate, Candidates, FailingRun, Memory, Place, Stage, Stages, diagnose};
pub use expression::node_of;
pub use inside::{Expressions, Inside, Seen, large_expressions};
pub use tendencies::Runs;
pub use training::{Failed, Reason, Share, Tendency, Training, train};
