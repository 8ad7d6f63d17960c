//! Models of the C library.

use super::host::{Host, Model, Stop, World};
use super::inputs::Inputs;
use super::memory::{Address, OutOfMemory};

/// What the library keeps between calls.
#[derive(Debug, Default)]
pub struct State {}

impl State {
    pub fn new(_inputs: &Inputs) -> State {
        State::default()
    }
}

/// The model of an external function.
pub fn find(_name: &str) -> Option<Model> {
    None
}

/// Gives an external object (`stdout`, `environ`) its contents; false if the name is not known.
pub fn initialize_global(_world: &mut World, _name: &str, _address: Address, _size: u64) -> Result<bool, OutOfMemory> {
    Ok(false)
}

/// What happens after `main` has returned and before the process ends.
pub fn finish(_host: &mut Host<'_>) -> Result<(), Stop> {
    Ok(())
}
