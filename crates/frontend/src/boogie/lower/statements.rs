//! Statements of a body, one after the other, as edges of the graph.

use std::collections::BTreeSet;

use logic::control_flow::{LocationId, Part, Statement};
use logic::terms::TermId;

use super::super::diagnostic::{Diagnostic, Extent, Kind};
use super::super::environment::{Implemented, Variable, VariableKind};
use super::super::expressions::Failed;
use super::super::syntax::{Condition, ExpressionId, Guard, If, Name, Statement as Written, StatementKind, Target};
use super::procedures::{Enclosing, Instance};
use super::{Lowerer, Role};

/// What an assignment writes, and where.
struct Write {
    variable: TermId,
    /// Of a map: the variable's new value around a hole.
    part: Option<Part>,
    value: TermId,
}

impl<'f> Lowerer<'f, '_> {
    /// A whole body, to the location where it ends.
    pub(super) fn body(
        &mut self,
        instance: &mut Instance<'f>,
        implemented: Implemented<'f>,
        at: LocationId,
    ) -> LocationId {
        let end = self.statements(&implemented.body.statements, instance, at);
        let origin = self.origin(Role::Step, implemented.body.end, None);
        self.step(end, origin, instance.exit);
        instance.exit
    }

    fn statements(&mut self, statements: &'f [Written], instance: &mut Instance<'f>, mut at: LocationId) -> LocationId {
        let mut labels = Vec::new();
        for statement in statements {
            if let StatementKind::Label(label) = &statement.kind {
                if let Some(&target) = instance.labels.get(label) {
                    let origin = self.origin(Role::Step, statement.extent, None);
                    self.step(at, origin, target);
                    at = target;
                }
                labels.push(label.clone());
                continue;
            }
            at = self.statement(statement, std::mem::take(&mut labels), instance, at);
        }
        at
    }

    fn statement(
        &mut self,
        statement: &'f Written,
        labels: Vec<String>,
        instance: &mut Instance<'f>,
        at: LocationId,
    ) -> LocationId {
        let extent = statement.extent;
        match &statement.kind {
            StatementKind::Label(_) => at,
            StatementKind::Assert(condition) => self.condition(*condition, Role::Assert, extent, instance, at),
            StatementKind::Assume(condition) => self.condition(*condition, Role::Assume, extent, instance, at),
            StatementKind::Havoc(names) => self.havoc(names, extent, instance, at),
            StatementKind::Assign { targets, values } => self.assign(targets, values, extent, instance, at),
            StatementKind::Call { procedure, arguments, results } => {
                self.call(procedure, arguments, results, extent, instance, at)
            }
            StatementKind::Goto(targets) => self.goto(targets, extent, instance, at),
            StatementKind::Return => {
                let origin = self.origin(Role::Step, extent, None);
                self.step(at, origin, instance.exit);
                self.graph.add_location()
            }
            StatementKind::Break(label) => self.break_statement(label.as_ref(), extent, instance, at),
            StatementKind::If(it) => {
                let exit = self.graph.add_location();
                instance.enclosing.push(Enclosing { labels, is_loop: false, exit });
                self.if_statement(it, extent, instance, at, exit);
                instance.enclosing.pop();
                exit
            }
            StatementKind::While { condition, invariants, body } => {
                let exit = self.graph.add_location();
                instance.enclosing.push(Enclosing { labels, is_loop: true, exit });
                self.while_statement(condition, invariants, body, instance, at, exit);
                instance.enclosing.pop();
                exit
            }
            StatementKind::Unsupported(what) => {
                let message = format!("{what} is not supported");
                self.stop(at, Failed::Unsupported(Diagnostic::new(Kind::Unsupported, extent, message)))
            }
        }
    }

    fn condition(
        &mut self,
        condition: ExpressionId,
        role: Role,
        extent: Extent,
        instance: &Instance<'f>,
        at: LocationId,
    ) -> LocationId {
        let origin = self.origin(role, extent, None);
        match self.environment.condition(condition, &mut instance.scope()) {
            Ok(condition) if matches!(role, Role::Assert | Role::Invariant) => self.assert(at, condition, origin),
            Ok(condition) => self.assume(at, condition, origin),
            Err(failed) => self.stop(at, failed),
        }
    }

    /// The variable of a name that a statement of this procedure may change.
    pub(super) fn changeable(&mut self, name: &Name, instance: &Instance<'f>) -> Result<Variable, Failed> {
        let local = instance.locals.get(&name.text);
        let Some(variable) = local.or_else(|| self.environment.variables.get(&name.text)).cloned() else {
            if let Some(diagnostic) = self.environment.unusable.get(&name.text) {
                return Err(Failed::Unsupported(diagnostic.clone()));
            }
            let diagnostic = Diagnostic::new(Kind::Name, name.extent, format!("`{}` is not declared", name.text));
            return Err(self.environment.failed(diagnostic));
        };
        let fault = match variable.kind {
            VariableKind::Local => None,
            VariableKind::Constant => Some((format!("the constant `{}` cannot be changed", name.text), None)),
            VariableKind::Parameter => {
                let help = "assign to a local variable or a result";
                Some((format!("the parameter `{}` cannot be changed", name.text), Some(help.to_owned())))
            }
            VariableKind::Global => {
                self.remark_change(&name.text, name.extent, instance);
                None
            }
        };
        match fault {
            None => Ok(variable),
            Some((message, help)) => {
                let diagnostic = Diagnostic { help, ..Diagnostic::new(Kind::Type, name.extent, message) };
                Err(self.environment.failed(diagnostic))
            }
        }
    }

    /// Boogie wants changes declared. A body says itself what it changes, so that only a remark is made.
    pub(super) fn remark_change(&mut self, variable: &str, extent: Extent, instance: &Instance<'f>) {
        if self.modified(instance.declaration).contains(variable) {
            return;
        }
        let procedure = &instance.declaration.name.text;
        let message = format!("`{procedure}` changes `{variable}` without saying so");
        let remark = Diagnostic::new(Kind::Remark, extent, message);
        self.environment.remarks.insert(remark.with_help(format!("add `modifies {variable};` to `{procedure}`")));
    }

    fn havoc(&mut self, names: &[Name], extent: Extent, instance: &Instance<'f>, mut at: LocationId) -> LocationId {
        let origin = self.origin(Role::Havoc, extent, None);
        let mut conditions = Vec::new();
        for name in names {
            match self.changeable(name, instance) {
                Ok(variable) => {
                    at = self.then(at, Statement::havoc(variable.term, origin));
                    conditions.extend(variable.condition);
                }
                Err(failed) => at = self.stop(at, failed),
            }
        }
        for condition in conditions {
            at = self.assume_where(condition, &mut instance.scope(), at);
        }
        at
    }

    fn assign(
        &mut self,
        targets: &[Target],
        values: &[ExpressionId],
        extent: Extent,
        instance: &Instance<'f>,
        at: LocationId,
    ) -> LocationId {
        if targets.len() != values.len() {
            let message = format!("{} places get {} values", targets.len(), values.len());
            let failed = self.environment.failed(Diagnostic::new(Kind::Type, extent, message));
            return self.stop(at, failed);
        }
        let mut writes = Vec::new();
        let mut names = BTreeSet::new();
        for (target, &value) in targets.iter().zip(values) {
            if !names.insert(&target.name.text) {
                let message = format!("`{}` is assigned twice at once", target.name.text);
                let diagnostic = Diagnostic::new(Kind::Type, target.name.extent, message);
                self.environment.failed(diagnostic.with_help("write two statements"));
            }
            match self.write(target, value, instance) {
                Ok(write) => writes.push(write),
                Err(failed) => return self.stop(at, failed),
            }
        }
        self.write_all(writes, extent, at)
    }

    fn write(&mut self, target: &Target, value: ExpressionId, instance: &Instance<'f>) -> Result<Write, Failed> {
        let variable = self.changeable(&target.name, instance)?;
        let mut ty = variable.ty;
        let mut indices = Vec::new();
        for group in &target.indices {
            let (terms, element) = self.environment.indices(target.extent, &ty, group, &mut instance.scope())?;
            indices.extend(terms);
            ty = element;
        }
        let value = self.environment.expect_type(value, Some(&ty), &mut instance.scope())?;
        let part = match indices.as_slice() {
            [] => None,
            indices => {
                let sort = self.environment.terms.sort(value);
                let hole = self.environment.terms.fresh("written", sort);
                let whole = self.environment.update(variable.term, indices, hole);
                Some(Part { hole, written: value, whole })
            }
        };
        Ok(Write { variable: variable.term, part, value })
    }

    /// Writes as if all at once: what a later one reads of an earlier one's variable is kept before.
    fn write_all(&mut self, mut writes: Vec<Write>, extent: Extent, mut at: LocationId) -> LocationId {
        let origin = self.origin(Role::Assign, extent, None);
        for index in 1..writes.len() {
            let terms = &mut self.environment.terms;
            let reads = [Some(writes[index].value), writes[index].part.map(|it| it.whole)];
            let read: Vec<TermId> = terms.free_variables(&reads.into_iter().flatten().collect::<Vec<_>>());
            let earlier: Vec<TermId> = writes[..index].iter().map(|it| it.variable).collect();
            for variable in earlier.into_iter().filter(|it| read.contains(it)) {
                let terms = &self.environment.terms;
                let (name, sort) = (terms.name(variable).unwrap_or("kept").to_owned(), terms.sort(variable));
                let copy = self.new_variable(&format!("{name} before"), sort);
                let before = self.origin(Role::Old, extent, None);
                at = self.then(at, Statement::assign(copy, variable, before));
                let replacement = [(variable, copy)].into_iter().collect();
                let terms = &mut self.environment.terms;
                let write = &mut writes[index];
                write.value = terms.substitute(write.value, &replacement);
                if let Some(part) = &mut write.part {
                    part.written = write.value;
                    part.whole = terms.substitute(part.whole, &replacement);
                }
            }
        }
        for write in writes {
            let statement = match write.part {
                Some(part) => Statement::assign_part(&mut self.environment.terms, write.variable, part, origin),
                None => Statement::assign(write.variable, write.value, origin),
            };
            at = self.then(at, statement);
        }
        at
    }

    fn goto(&mut self, targets: &[Name], extent: Extent, instance: &Instance<'f>, at: LocationId) -> LocationId {
        let origin = self.origin(Role::Step, extent, None);
        for target in targets {
            match instance.labels.get(&target.text) {
                Some(&location) => self.step(at, origin, location),
                None => {
                    let message = format!("there is no label `{}`", target.text);
                    let diagnostic = Diagnostic::new(Kind::Name, target.extent, message);
                    self.environment.failed(diagnostic.with_help(format!("write `{}:` where to go on", target.text)));
                }
            }
        }
        self.graph.add_location()
    }

    fn break_statement(
        &mut self,
        label: Option<&Name>,
        extent: Extent,
        instance: &Instance<'f>,
        at: LocationId,
    ) -> LocationId {
        let found = instance.enclosing.iter().rev().find(|it| match label {
            Some(label) => it.labels.contains(&label.text),
            None => it.is_loop,
        });
        match found.map(|it| it.exit) {
            Some(exit) => {
                let origin = self.origin(Role::Step, extent, None);
                self.step(at, origin, exit);
            }
            None => {
                let message = match label {
                    Some(label) => format!("no statement around has the label `{}`", label.text),
                    None => "there is no loop around to break out of".to_owned(),
                };
                self.environment.failed(Diagnostic::new(Kind::Name, extent, message));
            }
        }
        self.graph.add_location()
    }

    /// Two ways on, one for each outcome of a condition.
    fn branch(&mut self, guard: &Guard, instance: &Instance<'f>, at: LocationId) -> (LocationId, LocationId) {
        let (extent, condition) = match guard {
            Guard::Any(extent) => (*extent, Ok(None)),
            Guard::Condition(id) => {
                let extent = self.environment.file.expression(*id).extent;
                (extent, self.environment.condition(*id, &mut instance.scope()).map(Some))
            }
        };
        let origin = self.origin(Role::Branch, extent, None);
        match condition {
            Ok(condition) => {
                let terms = &mut self.environment.terms;
                let holds = condition.unwrap_or(terms.true_term());
                let fails = condition.map_or(terms.true_term(), |it| terms.not(it));
                let other = self.origin(Role::OtherBranch, extent, None);
                (self.assume(at, holds, origin), self.assume(at, fails, other))
            }
            Err(failed) => (self.stop(at, failed), self.graph.add_location()),
        }
    }

    fn if_statement(
        &mut self,
        it: &'f If,
        extent: Extent,
        instance: &mut Instance<'f>,
        mut at: LocationId,
        exit: LocationId,
    ) {
        let origin = self.origin(Role::Step, extent, None);
        for (guard, block) in &it.branches {
            let (then, otherwise) = self.branch(guard, instance, at);
            let end = self.statements(block, instance, then);
            self.step(end, origin, exit);
            at = otherwise;
        }
        let end = self.statements(&it.otherwise, instance, at);
        self.step(end, origin, exit);
    }

    fn while_statement(
        &mut self,
        guard: &Guard,
        invariants: &'f [Condition],
        body: &'f [Written],
        instance: &mut Instance<'f>,
        at: LocationId,
        exit: LocationId,
    ) {
        let extent = match guard {
            Guard::Any(extent) => *extent,
            Guard::Condition(id) => self.environment.file.expression(*id).extent,
        };
        let origin = self.origin(Role::Step, extent, None);
        let head = self.graph.add_location();
        self.step(at, origin, head);
        let mut at = head;
        for clause in invariants {
            let role = if clause.free { Role::FreeInvariant } else { Role::Invariant };
            at = self.condition(clause.expression, role, clause.extent, instance, at);
        }
        let (then, otherwise) = self.branch(guard, instance, at);
        let end = self.statements(body, instance, then);
        self.step(end, origin, head);
        self.step(otherwise, origin, exit);
    }
}
