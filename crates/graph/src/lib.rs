//! Graphs: search, strongly connected components, the order in which loops nest, and where ways meet.
//!
//! Nodes are numbers from 0; a graph is the list of each node's successors, and nothing is stored beside it. What a node
//! stands for is not known here: engines number the blocks of a function, or the pieces of code of a recording, and
//! ask. Nothing recurses, so that a function of any size can be asked about.

mod components;
mod nesting;
mod postdominators;
mod visits;

pub use components::{components, is_cyclic};
pub use nesting::{Nesting, nesting};
pub use postdominators::{postdominators, until};
pub use visits::{Visits, reversed};
