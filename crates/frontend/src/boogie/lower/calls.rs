//! Calls: inlined where the procedure has a body, its contract otherwise.

use logic::control_flow::{LocationId, Statement};

use super::super::diagnostic::{Diagnostic, Extent, Kind};
use super::super::environment::{Implemented, VariableKind};
use super::super::syntax::{Argument, Name, Procedure};
use super::procedures::{EMPTY, Instance};
use super::{Lowerer, Role, Stop, StopReason};

impl<'f> Lowerer<'f, '_> {
    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &'f [Argument],
        results: &'f [Name],
        extent: Extent,
        caller: &Instance<'f>,
        at: LocationId,
    ) -> LocationId {
        let Some(entry) = self.environment.procedures.get(&name.text).cloned() else {
            let mut diagnostic =
                Diagnostic::new(Kind::Name, name.extent, format!("the procedure `{}` is not declared", name.text));
            if self.environment.functions.contains_key(&name.text) {
                diagnostic.help = Some(format!("`{0}` is a function: write `x := {0}(…);`", name.text));
            }
            let failed = self.environment.failed(diagnostic);
            return self.stop(at, failed);
        };
        let declaration = entry.declaration;
        if !self.fits(declaration, arguments, results, extent, caller) {
            return self.graph.add_location();
        }
        if let Some(reason) = self.limit(&name.text, extent).filter(|_| !entry.bodies.is_empty()) {
            self.stops.push(Stop { location: at, reason });
            return self.graph.add_location();
        }
        let without_body =
            Implemented { parameters: &declaration.parameters, results: &declaration.results, body: &EMPTY };
        let bodies = match entry.bodies.as_slice() {
            _ if self.checking => vec![without_body],
            [] => vec![without_body],
            bodies => bodies.to_vec(),
        };
        let inlined = !self.checking && !entry.bodies.is_empty();
        let after = self.graph.add_location();
        for implemented in bodies {
            self.stack.push(name.text.clone());
            let origin = self.origin(Role::Call, extent, None);
            let begin = self.graph.add_location();
            self.step(at, origin, begin);
            let mut inner = begin;
            let instance = self.instance(declaration, implemented, &mut inner);
            if let Some(mut callee) = instance {
                inner = self.pass(arguments, implemented, extent, caller, &callee, inner);
                inner = self.check_requires(&callee, extent, inner);
                inner = self.keep_old(&mut callee, implemented, inner);
                inner = match inlined {
                    true => self.inline(&mut callee, implemented, inner),
                    false => self.assume_contract(&callee, implemented, extent, inner),
                };
                let origin = self.origin(Role::Return, extent, None);
                let back = self.graph.add_location();
                self.step(inner, origin, back);
                inner = self.receive(results, implemented, extent, caller, &callee, back);
                let origin = self.origin(Role::Step, extent, None);
                self.step(inner, origin, after);
            }
            self.stack.pop();
        }
        after
    }

    /// Why a call is not inlined any more.
    fn limit(&self, name: &str, extent: Extent) -> Option<StopReason> {
        let depth = self.stack.iter().filter(|it| *it == name).count();
        if depth as u32 > self.options.recursion {
            return Some(StopReason::Recursion { procedure: name.to_owned(), extent });
        }
        // Each procedure on the stack may be within itself so often; the stack of this program must hold all.
        let large = self.graph.edges().len() > self.options.most_edges || self.stack.len() > 2_000;
        large.then(|| StopReason::Size { procedure: name.to_owned(), extent })
    }

    /// Whether a call has the right number of arguments and results, and says what it changes.
    fn fits(
        &mut self,
        declaration: &Procedure,
        arguments: &[Argument],
        results: &[Name],
        extent: Extent,
        caller: &Instance<'f>,
    ) -> bool {
        let name = &declaration.name.text;
        let counts = [
            ("takes", "arguments", declaration.parameters.len(), arguments.len()),
            ("yields", "results", declaration.results.len(), results.len()),
        ];
        for (verb, what, expected, found) in counts {
            if expected != found {
                let message = format!("`{name}` {verb} {expected} {what}, but there are {found}");
                self.environment.failed(Diagnostic::new(Kind::Type, extent, message));
                return false;
            }
        }
        for changed in self.modified(declaration) {
            self.remark_change(&changed, extent, caller);
        }
        true
    }

    /// Parameters get their arguments.
    fn pass(
        &mut self,
        arguments: &[Argument],
        implemented: Implemented<'f>,
        extent: Extent,
        caller: &Instance<'f>,
        callee: &Instance<'f>,
        mut at: LocationId,
    ) -> LocationId {
        for (argument, parameter) in arguments.iter().zip(implemented.parameters) {
            let Some(variable) = callee.locals.get(&parameter.name.text).cloned() else { continue };
            match argument {
                Argument::Any(place) => {
                    let origin = self.origin(Role::Argument, *place, Some(extent));
                    at = self.then(at, Statement::havoc(variable.term, origin));
                }
                Argument::Expression(id) => {
                    let place = self.environment.file.expression(*id).extent;
                    let origin = self.origin(Role::Argument, place, Some(extent));
                    at = match self.environment.expect_type(*id, Some(&variable.ty), &mut caller.scope()) {
                        Ok(value) => self.then(at, Statement::assign(variable.term, value, origin)),
                        Err(failed) => self.stop(at, failed),
                    };
                }
            }
        }
        at
    }

    fn check_requires(&mut self, callee: &Instance<'f>, extent: Extent, mut at: LocationId) -> LocationId {
        for clause in &callee.declaration.requires {
            let origin = self.origin(Role::Requires, extent, Some(clause.extent));
            at = match self.environment.condition(clause.expression, &mut callee.contract_scope()) {
                Ok(condition) if clause.free => self.assume(at, condition, origin),
                Ok(condition) => self.assert(at, condition, origin),
                Err(failed) => self.stop(at, failed),
            };
        }
        at
    }

    fn inline(&mut self, callee: &mut Instance<'f>, implemented: Implemented<'f>, mut at: LocationId) -> LocationId {
        for binding in implemented.results.iter().chain(&implemented.body.locals) {
            let Some(variable) = callee.locals.get(&binding.name.text) else { continue };
            let term = variable.term;
            let origin = self.origin(Role::Local, binding.name.extent, None);
            at = self.then(at, Statement::havoc(term, origin));
        }
        for bindings in [implemented.parameters, implemented.results, &implemented.body.locals] {
            at = self.parameter_conditions(callee, bindings, at);
        }
        at = self.body(callee, implemented, at);
        let declaration = callee.declaration;
        self.ends(callee, declaration, implemented.body.end, at)
    }

    /// What a call without a body may do: anything to what it changes, but within its postconditions.
    fn assume_contract(
        &mut self,
        callee: &Instance<'f>,
        implemented: Implemented<'f>,
        extent: Extent,
        mut at: LocationId,
    ) -> LocationId {
        let mut conditions = Vec::new();
        for name in &callee.declaration.modifies {
            let Some(variable) = self.environment.variables.get(&name.text).cloned() else { continue };
            if variable.kind == VariableKind::Global {
                let origin = self.origin(Role::Modifies, extent, Some(name.extent));
                at = self.then(at, Statement::havoc(variable.term, origin));
                conditions.extend(variable.condition);
            }
        }
        for binding in implemented.results {
            let Some(variable) = callee.locals.get(&binding.name.text) else { continue };
            let term = variable.term;
            let origin = self.origin(Role::Local, extent, Some(binding.name.extent));
            at = self.then(at, Statement::havoc(term, origin));
            conditions.extend(binding.condition);
        }
        for condition in conditions {
            at = self.assume_where(condition, &mut callee.scope(), at);
        }
        for clause in &callee.declaration.ensures {
            let origin = self.origin(Role::Ensures, extent, Some(clause.extent));
            at = match self.environment.condition(clause.expression, &mut callee.contract_scope()) {
                Ok(condition) => self.assume(at, condition, origin),
                Err(failed) => self.stop(at, failed),
            };
        }
        at
    }

    /// The caller's variables get the results.
    fn receive(
        &mut self,
        results: &[Name],
        implemented: Implemented<'f>,
        extent: Extent,
        caller: &Instance<'f>,
        callee: &Instance<'f>,
        mut at: LocationId,
    ) -> LocationId {
        for (name, result) in results.iter().zip(implemented.results) {
            let Some(source) = callee.locals.get(&result.name.text).cloned() else { continue };
            let origin = self.origin(Role::Result, name.extent, Some(extent));
            at = match self.changeable(name, caller) {
                Ok(target) if target.ty == source.ty => {
                    let at = self.then(at, Statement::assign(target.term, source.term, origin));
                    match target.condition {
                        Some(condition) => self.assume_where(condition, &mut caller.scope(), at),
                        None => at,
                    }
                }
                Ok(target) => {
                    let message =
                        format!("`{}` has the type {}, but the result is {}", name.text, target.ty, source.ty);
                    let failed = self.environment.failed(Diagnostic::new(Kind::Type, name.extent, message));
                    self.stop(at, failed)
                }
                Err(failed) => self.stop(at, failed),
            };
        }
        at
    }
}
