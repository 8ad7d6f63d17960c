//! Procedures: the variables of one execution, what is assumed and checked where it begins and ends.

use std::collections::{BTreeMap, BTreeSet};

use logic::control_flow::{Graph, LocationId, Statement};
use logic::terms::TermId;

use super::super::diagnostic::{Diagnostic, Extent, Kind};
use super::super::environment::{Implemented, Variable, VariableKind};
use super::super::expressions::{Failed, Scope};
use super::super::syntax::{
    Argument, Binding, Body, Condition, ExpressionId, ExpressionKind, Guard, Procedure, Statement as Written,
    StatementKind,
};
use super::super::types::polymorphic;
use super::{Lowerer, Role};

/// The body of a procedure that has none.
pub(super) static EMPTY: Body = Body { locals: Vec::new(), statements: Vec::new(), end: Extent { start: 0, end: 0 } };

/// One execution of a procedure: its variables and where jumps lead.
pub(super) struct Instance<'f> {
    pub declaration: &'f Procedure,
    pub locals: BTreeMap<String, Variable>,
    /// Parameters and results by the names that they have in the contract.
    pub contract: BTreeMap<String, Variable>,
    /// The copies that `old` means, by global variable.
    pub old: BTreeMap<TermId, TermId>,
    pub labels: BTreeMap<String, LocationId>,
    /// Where the body ends.
    pub exit: LocationId,
    /// The loops and labelled statements around, innermost last.
    pub enclosing: Vec<Enclosing>,
}

pub(super) struct Enclosing {
    pub labels: Vec<String>,
    pub is_loop: bool,
    pub exit: LocationId,
}

impl<'f> Instance<'f> {
    pub fn scope(&self) -> Scope<'_> {
        Scope::of_statements(&self.locals, Some(&self.old))
    }

    pub fn contract_scope(&self) -> Scope<'_> {
        Scope::of_statements(&self.contract, Some(&self.old))
    }
}

impl<'f> Lowerer<'f, '_> {
    /// The whole graph, from the procedure where executions begin.
    pub(super) fn entry(&mut self, name: &str) {
        let entry = self.environment.procedures[name].clone();
        let declaration = entry.declaration;
        self.stack.push(name.to_owned());
        let mut at = self.global_conditions(Graph::ENTRY);
        let bodies = match entry.bodies.as_slice() {
            [] => {
                vec![Implemented { parameters: &declaration.parameters, results: &declaration.results, body: &EMPTY }]
            }
            bodies => bodies.to_vec(),
        };
        let shared = at;
        for implemented in bodies {
            at = shared;
            let Some(mut instance) = self.instance(declaration, implemented, &mut at) else { continue };
            at = self.parameter_conditions(&instance, implemented.parameters, at);
            at = self.clauses(&instance, &declaration.requires, at);
            at = self.keep_old(&mut instance, implemented, at);
            at = self.parameter_conditions(&instance, implemented.results, at);
            at = self.parameter_conditions(&instance, &implemented.body.locals, at);
            at = self.body(&mut instance, implemented, at);
            let end = implemented.body.end;
            self.ends(&instance, declaration, end, at);
        }
        self.stack.pop();
    }

    /// The postconditions, checked at the end of a body; free ones are assumed.
    pub(super) fn ends(
        &mut self,
        instance: &Instance<'f>,
        declaration: &'f Procedure,
        end: Extent,
        mut at: LocationId,
    ) -> LocationId {
        for clause in &declaration.ensures {
            let origin = self.origin(Role::Ensures, end, Some(clause.extent));
            let mut scope = instance.contract_scope();
            at = match self.environment.condition(clause.expression, &mut scope) {
                Ok(condition) if clause.free => self.assume(at, condition, origin),
                Ok(condition) => self.assert(at, condition, origin),
                Err(failed) => self.stop(at, failed),
            };
        }
        at
    }

    /// What the `where` clauses of global variables say holds at the beginning.
    fn global_conditions(&mut self, mut at: LocationId) -> LocationId {
        let conditions: Vec<ExpressionId> =
            self.environment.variables.values().filter_map(|variable| variable.condition).collect();
        let locals = BTreeMap::new();
        for condition in conditions {
            at = self.assume_where(condition, &mut Scope::of_statements(&locals, None), at);
        }
        at
    }

    pub(super) fn assume_where(
        &mut self,
        condition: ExpressionId,
        scope: &mut Scope<'_>,
        at: LocationId,
    ) -> LocationId {
        let extent = self.environment.file.expression(condition).extent;
        let origin = self.origin(Role::Where, extent, None);
        match self.environment.condition(condition, scope) {
            Ok(condition) => self.assume(at, condition, origin),
            Err(failed) => self.stop(at, failed),
        }
    }

    pub(super) fn parameter_conditions(
        &mut self,
        instance: &Instance<'f>,
        bindings: &[Binding],
        mut at: LocationId,
    ) -> LocationId {
        for condition in bindings.iter().filter_map(|it| it.condition) {
            at = self.assume_where(condition, &mut instance.scope(), at);
        }
        at
    }

    /// New variables for an execution. Where a type is not supported, nothing goes on.
    pub(super) fn instance(
        &mut self,
        declaration: &'f Procedure,
        implemented: Implemented<'f>,
        at: &mut LocationId,
    ) -> Option<Instance<'f>> {
        if !declaration.type_parameters.is_empty() {
            let diagnostic = polymorphic(declaration.name.extent, "a polymorphic procedure");
            *at = self.stop(*at, Failed::Unsupported(diagnostic));
            return None;
        }
        let mut locals = BTreeMap::new();
        let groups = [
            (implemented.parameters, VariableKind::Parameter),
            (implemented.results, VariableKind::Local),
            (&implemented.body.locals, VariableKind::Local),
        ];
        for (bindings, kind) in groups {
            for binding in bindings {
                let ty = match self.environment.resolve(&binding.ty) {
                    Ok(ty) => ty,
                    Err(failed) => {
                        *at = self.stop(*at, failed);
                        return None;
                    }
                };
                if locals.contains_key(&binding.name.text) {
                    let message = format!("`{}` is declared twice", binding.name.text);
                    let diagnostic = Diagnostic::new(Kind::Name, binding.name.extent, message);
                    self.environment.failed(diagnostic.with_help("give it another name"));
                    continue;
                }
                let sort = ty.sort(&mut self.environment.terms);
                let term = self.new_variable(&binding.name.text, sort);
                locals.insert(binding.name.text.clone(), Variable { ty, term, kind, condition: binding.condition });
            }
        }
        let mut contract = BTreeMap::new();
        let renamed = declaration.parameters.iter().zip(implemented.parameters);
        for (declared, own) in renamed.chain(declaration.results.iter().zip(implemented.results)) {
            if let Some(variable) = locals.get(&own.name.text) {
                contract.insert(declared.name.text.clone(), variable.clone());
            }
        }
        let exit = self.graph.add_location();
        let mut instance = Instance {
            declaration,
            locals,
            contract,
            old: BTreeMap::new(),
            labels: BTreeMap::new(),
            exit,
            enclosing: Vec::new(),
        };
        self.declare_labels(&implemented.body.statements, &mut instance);
        self.check_modifies(declaration);
        Some(instance)
    }

    fn check_modifies(&mut self, declaration: &'f Procedure) {
        for name in &declaration.modifies {
            let known = self.environment.variables.get(&name.text).is_some_and(|it| it.kind == VariableKind::Global);
            if !known && !self.environment.unusable.contains_key(&name.text) {
                let message = format!("`{}` is no global variable", name.text);
                self.environment.failed(Diagnostic::new(Kind::Name, name.extent, message));
            }
        }
    }

    fn declare_labels(&mut self, statements: &[Written], instance: &mut Instance<'f>) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Label(label) => {
                    let location = self.graph.add_location();
                    if instance.labels.insert(label.clone(), location).is_some() {
                        let message = format!("the label `{label}` stands here a second time");
                        self.environment.failed(Diagnostic::new(Kind::Name, statement.extent, message));
                    }
                }
                StatementKind::If(it) => {
                    it.branches.iter().for_each(|(_, block)| self.declare_labels(block, instance));
                    self.declare_labels(&it.otherwise, instance);
                }
                StatementKind::While { body, .. } => self.declare_labels(body, instance),
                _ => {}
            }
        }
    }

    /// Copies the global variables that `old` mentions in the contract or the body.
    pub(super) fn keep_old(
        &mut self,
        instance: &mut Instance<'f>,
        implemented: Implemented<'f>,
        mut at: LocationId,
    ) -> LocationId {
        let mut names = BTreeMap::new();
        for clause in &instance.declaration.ensures {
            self.old_names(clause.expression, &mut names);
        }
        let mut expressions = Vec::new();
        expressions_of(&implemented.body.statements, &mut expressions);
        expressions.into_iter().for_each(|it| self.old_names(it, &mut names));
        for (name, extent) in names {
            let Some(variable) = self.environment.variables.get(&name).cloned() else { continue };
            if variable.kind != VariableKind::Global {
                continue;
            }
            let sort = self.environment.terms.sort(variable.term);
            let copy = self.new_variable(&format!("old({name})"), sort);
            instance.old.insert(variable.term, copy);
            let origin = self.origin(Role::Old, extent, None);
            at = self.then(at, Statement::assign(copy, variable.term, origin));
        }
        at
    }

    /// The names within `old(…)`, with the first place of each.
    fn old_names(&self, root: ExpressionId, names: &mut BTreeMap<String, Extent>) {
        let file = self.environment.file;
        let mut open = vec![(root, false)];
        while let Some((id, within)) = open.pop() {
            let expression = file.expression(id);
            if let (ExpressionKind::Name(name), true) = (&expression.kind, within) {
                names.entry(name.clone()).or_insert(expression.extent);
            }
            let within = within || matches!(expression.kind, ExpressionKind::Old(_));
            open.extend(expression.kind.parts().into_iter().map(|part| (part, within)));
        }
    }

    /// The preconditions, assumed.
    fn clauses(&mut self, instance: &Instance<'f>, clauses: &'f [Condition], mut at: LocationId) -> LocationId {
        for clause in clauses {
            let origin = self.origin(Role::Requires, clause.extent, None);
            at = match self.environment.condition(clause.expression, &mut instance.contract_scope()) {
                Ok(condition) => self.assume(at, condition, origin),
                Err(failed) => self.stop(at, failed),
            };
        }
        at
    }

    /// The global variables that a procedure may change.
    pub(super) fn modified(&self, declaration: &Procedure) -> BTreeSet<String> {
        declaration.modifies.iter().map(|it| it.text.clone()).collect()
    }
}

/// All expressions that statements mention.
fn expressions_of(statements: &[Written], found: &mut Vec<ExpressionId>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assert(it) | StatementKind::Assume(it) => found.push(*it),
            StatementKind::Assign { targets, values } => {
                found.extend(targets.iter().flat_map(|it| it.indices.iter().flatten()));
                found.extend(values);
            }
            StatementKind::Call { arguments, .. } => found.extend(arguments.iter().filter_map(|it| match it {
                Argument::Expression(it) => Some(*it),
                Argument::Any(_) => None,
            })),
            StatementKind::If(it) => {
                for (guard, block) in &it.branches {
                    found.extend(guard_expression(guard));
                    expressions_of(block, found);
                }
                expressions_of(&it.otherwise, found);
            }
            StatementKind::While { condition, invariants, body } => {
                found.extend(guard_expression(condition));
                found.extend(invariants.iter().map(|it| it.expression));
                expressions_of(body, found);
            }
            _ => {}
        }
    }
}

fn guard_expression(guard: &Guard) -> Option<ExpressionId> {
    match guard {
        Guard::Condition(condition) => Some(*condition),
        Guard::Any(_) => None,
    }
}
