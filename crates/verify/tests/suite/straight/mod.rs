//! The steps of a slice as a program of one block: each call's variables and objects become variables and
//! objects of `main`, branches become assertions that they go the same way, all other steps are gone.

use program::exec::{Detail, Effect, NondetValue, Step, Violation};
use program::{
    Argument, Block, Body, Callee, Command, CommandKind, ExprId, ExprKind, LocalId, Object, Program, Role, Site,
    Terminator, TerminatorKind, Type, UnaryOp, VarId, Variable,
};

struct Frame<'p> {
    body: &'p Body,
    variables: u32,
    locals: u32,
    /// Where a callee's results go.
    returned: Vec<VarId>,
    finished: bool,
}

struct Builder<'p> {
    program: &'p Program,
    body: Body,
    commands: Vec<Command>,
    frames: Vec<Frame<'p>>,
    nondet: Vec<NondetValue>,
}

pub fn program(
    program: &Program,
    steps: &[Step],
    violation: &Violation,
    consumed: &[u128],
    relevant: &dyn Fn(usize) -> bool,
) -> (Program, Vec<NondetValue>) {
    let mut builder =
        Builder { program, body: Body::default(), commands: Vec::new(), frames: Vec::new(), nondet: Vec::new() };
    let mut inputs = consumed.iter();
    for (index, step) in steps.iter().enumerate() {
        builder.enter(step);
        builder.step(step, relevant(index), &mut inputs);
    }
    builder.fail(violation);
    let mut straight = program.clone();
    let main = program.find_function("main").expect("the program ran");
    let zero = builder.body.add_expr(ExprKind::Constant(0), Type::I32, Site::NONE);
    let terminator = Terminator { kind: TerminatorKind::Return(vec![zero]), site: Site::NONE };
    builder.body.blocks = vec![Block { name: "entry".to_owned(), commands: builder.commands, terminator }];
    straight.functions[main.index()].body = Some(builder.body);
    (straight, builder.nondet)
}

impl<'p> Builder<'p> {
    fn enter(&mut self, step: &Step) {
        let depth = step.depth as usize;
        self.frames.truncate(depth + 1);
        if self.frames.get(depth).is_some_and(|frame| frame.finished) {
            self.frames.pop();
        }
        if self.frames.len() == depth {
            let body = self.program.function(step.at.function).body.as_ref().expect("it has steps");
            let frame = self.frame(body, depth);
            self.frames.push(frame);
        }
    }

    /// Fresh variables and objects for a call; the parameters have been made by the call.
    fn frame(&mut self, body: &'p Body, depth: usize) -> Frame<'p> {
        let (variables, locals) = (self.body.variables.len() as u32, self.body.locals.len() as u32);
        for variable in &body.variables {
            let name = format!("{}.{}", variable.name, self.body.variables.len());
            self.body.variables.push(Variable { name, role: Role::Local, ..variable.clone() });
        }
        for local in &body.locals {
            let mut local = local.clone();
            local.name = format!("{}.{}", local.name, self.body.locals.len());
            self.body.locals.push(local);
        }
        let arguments = match depth.checked_sub(1) {
            Some(caller) => std::mem::take(&mut self.frames[caller].returned),
            None => Vec::new(),
        };
        for (index, argument) in arguments.into_iter().enumerate() {
            let ty = self.body.variable(argument).ty;
            let value = self.body.add_expr(ExprKind::Variable(argument), ty, Site::NONE);
            self.push(CommandKind::Assign { target: VarId(variables + index as u32), value });
        }
        Frame { body, variables, locals, returned: Vec::new(), finished: false }
    }

    fn push(&mut self, kind: CommandKind) {
        self.commands.push(Command { kind, site: Site::NONE });
    }

    fn fresh(&mut self, ty: Type) -> VarId {
        let id = VarId(self.body.variables.len() as u32);
        let name = format!("%{}", id.0);
        self.body.variables.push(Variable { name, ty, role: Role::Temporary, ctype: None, site: Site::NONE });
        id
    }

    fn variable(&self, variable: VarId) -> VarId {
        VarId(self.frames.last().expect("a frame").variables + variable.0)
    }

    fn local(&self, local: LocalId) -> LocalId {
        LocalId(self.frames.last().expect("a frame").locals + local.0)
    }

    fn expr(&mut self, id: ExprId) -> ExprId {
        let body = self.frames.last().expect("a frame").body;
        let node = body.expr(id);
        let mut kind = node.kind.clone();
        kind.operands_mut(|operand| *operand = self.expr(*operand));
        match &mut kind {
            ExprKind::Variable(variable) => *variable = self.variable(*variable),
            ExprKind::Address(Object::Local(local)) => *local = self.local(*local),
            _ => {}
        }
        self.body.add_expr(kind, node.ty, node.site)
    }

    fn command(&mut self, kind: &CommandKind) -> CommandKind {
        let mut kind = kind.clone();
        kind.operands_mut(|operand| *operand = self.expr(*operand));
        match &mut kind {
            CommandKind::Assign { target, .. }
            | CommandKind::Havoc { target, .. }
            | CommandKind::Allocate { target, .. }
            | CommandKind::StackMark { target }
            | CommandKind::Declare(target) => *target = self.variable(*target),
            CommandKind::Begin(local) | CommandKind::End(local) => *local = self.local(*local),
            CommandKind::Call(call) => call.targets.iter_mut().for_each(|target| *target = self.variable(*target)),
            _ => {}
        }
        kind
    }

    fn step(&mut self, step: &Step, relevant: bool, inputs: &mut std::slice::Iter<'_, u128>) {
        let body = self.frames.last().expect("a frame").body;
        let block = body.block(step.at.block);
        let Some(command) = block.commands.get(step.at.index as usize) else {
            return self.terminator(step, &block.terminator.kind, relevant);
        };
        if let CommandKind::Havoc { .. } = command.kind {
            let bits = *inputs.next().expect("each input was recorded");
            if relevant {
                self.nondet.push(NondetValue { source: None, bits });
            }
        }
        match &command.kind {
            // Scopes stay: dropping them would make other objects of the same.
            CommandKind::Begin(_) | CommandKind::End(_) | CommandKind::Declare(_) => {
                let kind = self.command(&command.kind);
                self.push(kind);
            }
            CommandKind::Call(call) => {
                let Callee::Direct(callee) = call.callee else { panic!("no pointers to functions here") };
                let external = self.program.function(callee).body.is_none();
                match (external, step.effect == Effect::Called) {
                    (true, true) => {}
                    (true, false) if relevant => {
                        let kind = self.command(&command.kind);
                        self.push(kind);
                    }
                    (false, true) if relevant => {
                        let mut values = Vec::new();
                        for argument in &call.arguments {
                            let Argument::Scalar(expr) = argument else { panic!("no structs as arguments here") };
                            values.push(self.keep(*expr));
                        }
                        self.frames.last_mut().expect("a frame").returned = values;
                    }
                    (false, false) if relevant => {
                        let returned = std::mem::take(&mut self.frames.last_mut().expect("a frame").returned);
                        for (target, value) in call.targets.iter().zip(returned) {
                            let (target, ty) = (self.variable(*target), self.body.variable(value).ty);
                            let value = self.body.add_expr(ExprKind::Variable(value), ty, Site::NONE);
                            self.push(CommandKind::Assign { target, value });
                        }
                    }
                    _ => self.frames.last_mut().expect("a frame").returned = Vec::new(),
                }
            }
            _ if relevant => {
                let kind = self.command(&command.kind);
                self.push(kind);
            }
            _ => {}
        }
    }

    /// A variable that holds the expression's value from here on.
    fn keep(&mut self, expr: ExprId) -> VarId {
        let ty = self.frames.last().expect("a frame").body.expr(expr).ty;
        let value = self.expr(expr);
        let target = self.fresh(ty);
        self.push(CommandKind::Assign { target, value });
        target
    }

    fn terminator(&mut self, step: &Step, kind: &TerminatorKind, relevant: bool) {
        match kind {
            TerminatorKind::Return(values) => {
                let kept = match relevant {
                    true => values.iter().map(|value| self.keep(*value)).collect(),
                    false => Vec::new(),
                };
                self.frames.last_mut().expect("a frame").finished = true;
                if let Some(caller) = (step.depth as usize).checked_sub(1) {
                    self.frames[caller].returned = kept;
                }
            }
            TerminatorKind::Branch { condition, .. } if relevant => {
                let mut condition = self.expr(*condition);
                if step.effect != Effect::Guard(0) {
                    condition = self.body.add_expr(ExprKind::Unary(UnaryOp::Not, condition), Type::BOOL, Site::NONE);
                }
                self.push(CommandKind::Assert { condition, message: "a branch goes another way".into() });
            }
            _ => {}
        }
    }

    /// The operation that failed.
    fn fail(&mut self, violation: &Violation) {
        let body = self.frames.last().expect("a frame").body;
        let block = body.block(violation.at.block);
        let command = block.commands.get(violation.at.index as usize).map(|command| &command.kind);
        if let Some(CommandKind::Store { address, value, bits }) = command {
            let memory = matches!(violation.detail, Detail::Memory(_) | Detail::Index { .. });
            if memory && violation.expr.is_none_or(|expr| expr == *address) {
                // What is stored does not matter.
                let (address, ty) = (self.expr(*address), body.expr(*value).ty);
                let value = self.body.add_expr(ExprKind::Constant(0), ty, Site::NONE);
                self.push(CommandKind::Store { address, value, bits: *bits });
                return;
            }
        }
        if let Some(expr) = violation.expr {
            // An address is only wrong when it is used.
            let uses = |id: &ExprId| matches!(&body.expr(*id).kind, ExprKind::Load(load) if load.address == expr);
            let load = (0..body.exprs.len() as u32).map(ExprId).find(uses);
            self.keep(load.unwrap_or(expr));
            return;
        }
        match command {
            Some(kind) => {
                let kind = self.command(kind);
                self.push(kind);
            }
            None => block.terminator.kind.operands(|operand| {
                self.keep(*operand);
            }),
        }
    }
}
