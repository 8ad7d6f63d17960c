//! Builtins: operations that C spells as functions. Their terms are those of [`crate::encode`]; here it counts which
//! operands are forbidden in this state.

use logic::terms::TermId;
use program::{Builtin, Type};

use super::state::State;
use super::{Engine, Flow, Place};
use crate::encode::operators::{NoTerm, Operators};

impl Engine<'_> {
    pub(super) fn apply(
        &mut self,
        state: &mut State,
        builtin: Builtin,
        arguments: &[(TermId, Type)],
        place: Place,
    ) -> Flow<TermId> {
        let mut operators = Operators::new(&mut self.terms, self.checks);
        let value = operators.apply(builtin, arguments);
        for forbidden in operators.forbidden {
            self.forbid(state, forbidden.kind, forbidden.bad, place.site)?;
        }
        value.or_else(|NoTerm { what }| self.stop_unsupported(state, &what, place.site))
    }
}
