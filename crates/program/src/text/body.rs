//! The body of a function: declarations, labels, commands and terminators.

use crate::{
    Argument, Block, BlockId, Body, Call, Callee, Command, CommandKind, ExprId, Failure, FailureKind, Function,
    FunctionId, LocalId, LocalObject, Role, Site, Terminator, TerminatorKind, Type, UnsupportedId, VarId, Variable,
};

use super::cursor::Cursor;
use super::elaborate::{Elaborator, FunctionNames, ProgramNames};
use super::expressions::Expressions;
use super::lex::TokenKind;
use super::numbers::integer_bits;
use super::read::{Sites, at_label, size_and_align, type_reference};
use super::syntax::{Form, Node, NodeId};
use super::{Problem, ReadError};

type Result<T> = std::result::Result<T, ReadError>;

pub(super) struct BodyReader<'r, 't> {
    cursor: &'r mut Cursor<'t>,
    text: &'t str,
    program: &'r ProgramNames,
    functions: &'r [Function],
    sites: &'r mut Sites,
    function: FunctionId,
    names: FunctionNames,
    /// The expressions of the line that is being read.
    nodes: Vec<Node>,
    body: Body,
}

impl<'r, 't> BodyReader<'r, 't> {
    /// A reader for the body whose first line comes next; `started` has the parameters.
    pub(super) fn new(
        cursor: &'r mut Cursor<'t>,
        text: &'t str,
        program: &'r ProgramNames,
        functions: &'r [Function],
        sites: &'r mut Sites,
        function: FunctionId,
        started: Body,
    ) -> Result<Self> {
        let mut names = FunctionNames::default();
        for (index, variable) in started.variables.iter().enumerate() {
            if names.variables.insert(variable.name.clone(), VarId(index as u32)).is_some() {
                let problem = Problem::Duplicate { what: "parameter", name: variable.name.clone() };
                return Err(cursor.error(cursor.peek(), problem));
            }
        }
        Ok(BodyReader { cursor, text, program, functions, sites, function, names, nodes: Vec::new(), body: started })
    }

    pub(super) fn read(mut self) -> Result<Body> {
        loop {
            self.cursor.skip_empty_lines();
            if self.cursor.at("}") || at_label(self.cursor) {
                break;
            }
            self.declaration()?;
        }
        loop {
            self.cursor.skip_empty_lines();
            if self.cursor.accept("}") {
                return Ok(self.body);
            }
            self.block()?;
        }
    }

    fn declaration(&mut self) -> Result<()> {
        let word = if self.cursor.at_kind(TokenKind::Name) { self.cursor.text_of(self.cursor.peek()) } else { "" };
        match word {
            "param" => {
                self.cursor.bump();
                let id = self.variable_name()?;
                let ctype = type_reference(self.cursor)?;
                let site = self.site_and_line_end()?;
                let variable = &mut self.body.variables[id.index()];
                (variable.ctype, variable.site) = (ctype, site);
                Ok(())
            }
            "var" | "temp" => {
                self.cursor.bump();
                let role = if word == "var" { Role::Local } else { Role::Temporary };
                self.variable_declaration(role)
            }
            "object" => {
                self.cursor.bump();
                self.object_declaration()
            }
            _ => Err(self.cursor.expected("a declaration (`param`, `var`, `temp`, `object`), a label or `}`")),
        }
    }

    fn variable_declaration(&mut self, role: Role) -> Result<()> {
        let token = self.cursor.peek();
        let name = self.cursor.name("the name of a variable")?;
        let id = VarId(self.body.variables.len() as u32);
        if self.names.variables.insert(name.clone(), id).is_some() {
            return Err(self.cursor.error(token, Problem::Duplicate { what: "variable", name }));
        }
        self.cursor.expect(":")?;
        let ty = self.cursor.machine_type()?;
        let ctype = type_reference(self.cursor)?;
        let site = self.site_and_line_end()?;
        self.body.variables.push(Variable { name, ty, role, ctype, site });
        Ok(())
    }

    fn object_declaration(&mut self) -> Result<()> {
        let token = self.cursor.peek();
        let name = self.cursor.name("the name of an object")?;
        let id = LocalId(self.body.locals.len() as u32);
        if self.names.locals.insert(name.clone(), id).is_some() {
            return Err(self.cursor.error(token, Problem::Duplicate { what: "object", name }));
        }
        let (size, align) = size_and_align(self.cursor)?;
        let scoped = self.cursor.accept_word("scoped");
        let ctype = type_reference(self.cursor)?;
        let site = self.site_and_line_end()?;
        self.body.locals.push(LocalObject { name, size, align, ctype, site, scoped });
        Ok(())
    }

    fn site_and_line_end(&mut self) -> Result<Site> {
        let site = self.sites.trailing(self.cursor)?;
        self.cursor.expect_line_end()?;
        Ok(site)
    }

    fn block(&mut self) -> Result<()> {
        if !at_label(self.cursor) {
            return Err(self.cursor.expected("a label or `}`"));
        }
        let name = self.cursor.dotted_name("a label")?;
        self.cursor.expect(":")?;
        let mut commands = Vec::new();
        loop {
            self.cursor.skip_empty_lines();
            self.nodes.clear();
            if let Some(terminator) = self.terminator()? {
                self.body.blocks.push(Block { name, commands, terminator });
                return Ok(());
            }
            if self.cursor.at("}") || at_label(self.cursor) {
                return Err(self.cursor.expected("a command or a terminator"));
            }
            let kind = self.command()?;
            let site = self.site_and_line_end()?;
            commands.push(Command { kind, site });
        }
    }

    /// The terminator, if the next line is one.
    fn terminator(&mut self) -> Result<Option<Terminator>> {
        let kind = if self.accept_keyword("goto") {
            self.goto()?
        } else if self.accept_keyword("if") {
            let condition = self.value(Some(Type::BOOL))?;
            self.cursor.expect_word("then")?;
            let then = self.block_name()?;
            self.cursor.expect_word("else")?;
            TerminatorKind::Branch { condition, then, otherwise: self.block_name()? }
        } else if self.accept_keyword("switch") {
            return self.switch().map(Some);
        } else if self.accept_keyword("return") {
            TerminatorKind::Return(self.returned()?)
        } else if self.accept_keyword("unreachable") {
            TerminatorKind::Unreachable
        } else {
            return Ok(None);
        };
        let site = self.site_and_line_end()?;
        Ok(Some(Terminator { kind, site }))
    }

    /// `goto block` or `goto *address [block, block]`.
    fn goto(&mut self) -> Result<TerminatorKind> {
        if !self.cursor.accept("*") {
            return Ok(TerminatorKind::Goto(self.block_name()?));
        }
        let address = self.value(Some(Type::Pointer))?;
        self.cursor.expect("[")?;
        let mut targets = Vec::new();
        while !self.cursor.accept("]") {
            targets.push(self.block_name()?);
            if !self.cursor.at("]") {
                self.cursor.expect(",")?;
            }
        }
        Ok(TerminatorKind::IndirectGoto { address, targets })
    }

    /// `switch value`, then a line `case 1: block` for each case, then `else block`.
    fn switch(&mut self) -> Result<Terminator> {
        let value = self.value(None)?;
        let ty = self.body.expr(value).ty;
        let site = self.site_and_line_end()?;
        let mut cases = Vec::new();
        loop {
            self.cursor.skip_empty_lines();
            if self.cursor.accept_word("else") {
                let default = self.block_name()?;
                self.cursor.expect_line_end()?;
                return Ok(Terminator { kind: TerminatorKind::Switch { value, cases, default }, site });
            }
            if !self.cursor.accept_word("case") {
                return Err(self.cursor.expected("`case` or `else`"));
            }
            let token = self.cursor.peek();
            let (negative, magnitude) = self.cursor.signed_number("the value of a case", u128::MAX)?;
            let bits = integer_bits(magnitude, negative, ty)
                .ok_or_else(|| self.cursor.error(token, Problem::ConstantRange(ty)))?;
            self.cursor.expect(":")?;
            cases.push((bits, self.block_name()?));
            self.cursor.expect_line_end()?;
        }
    }

    fn returned(&mut self) -> Result<Vec<ExprId>> {
        let returns = &self.functions[self.function.index()].returns;
        let mut values = Vec::new();
        if self.cursor.at_line_end() || self.cursor.at("@") {
            return Ok(values);
        }
        loop {
            values.push(self.value(returns.get(values.len()).copied())?);
            if !self.cursor.accept(",") {
                return Ok(values);
            }
        }
    }

    fn command(&mut self) -> Result<CommandKind> {
        if self.accept_keyword("havoc") {
            let target = self.variable_name()?;
            self.cursor.expect_word("from")?;
            let source = self.cursor.quoted_text("the name of the input in double quotes")?.into();
            return Ok(CommandKind::Havoc { target, source });
        }
        if self.accept_keyword("assume") {
            return Ok(CommandKind::Assume(self.value(Some(Type::BOOL))?));
        }
        if self.accept_keyword("assert") {
            let condition = self.value(Some(Type::BOOL))?;
            self.cursor.expect(",")?;
            let message = self.cursor.quoted_text("a message in double quotes")?.into();
            return Ok(CommandKind::Assert { condition, message });
        }
        if self.accept_keyword("fail") {
            return self.failure();
        }
        if self.accept_keyword("call") {
            return self.call(Vec::new());
        }
        if self.accept_keyword("declare") {
            return Ok(CommandKind::Declare(self.variable_name()?));
        }
        if self.accept_keyword("begin") {
            return Ok(CommandKind::Begin(self.local_name()?));
        }
        if self.accept_keyword("end") {
            return Ok(CommandKind::End(self.local_name()?));
        }
        if self.accept_keyword("unsupported") {
            let id = self.cursor.number_u32("the number of an unsupported construct")?;
            return Ok(CommandKind::Unsupported(UnsupportedId(id)));
        }
        if self.at_function("copy") || self.at_function("move") || self.at_function("fill") {
            return self.bytes_command();
        }
        if self.at_function("stack_release") {
            let mark = self.function_argument(None)?;
            return Ok(CommandKind::StackRelease { mark });
        }
        if self.at_function("va_start") {
            let list = self.function_argument(Some(Type::Pointer))?;
            return Ok(CommandKind::VaStart { list });
        }
        self.assignment()
    }

    /// `word(value)`, with the word next.
    fn function_argument(&mut self, expected: Option<Type>) -> Result<ExprId> {
        self.cursor.bump();
        self.cursor.expect("(")?;
        let value = self.value(expected)?;
        self.cursor.expect(")")?;
        Ok(value)
    }

    fn failure(&mut self) -> Result<CommandKind> {
        let kind = if self.cursor.accept_word("assertion") {
            FailureKind::Assertion
        } else if self.cursor.accept_word("error") {
            FailureKind::ErrorCall
        } else {
            return Err(self.cursor.expected("`assertion` or `error`"));
        };
        let message = self.cursor.quoted_text("a message in double quotes")?.into();
        Ok(CommandKind::Fail(Failure { kind, message }))
    }

    /// `copy(destination, source, size)`, `move(…)`, `fill(destination, byte, size)`.
    fn bytes_command(&mut self) -> Result<CommandKind> {
        let token = self.cursor.bump();
        let word = self.cursor.text_of(token);
        self.cursor.expect("(")?;
        let destination = self.value(Some(Type::Pointer))?;
        self.cursor.expect(",")?;
        let second = self.value(Some(if word == "fill" { Type::I8 } else { Type::Pointer }))?;
        self.cursor.expect(",")?;
        let size = self.value(Some(Type::I64))?;
        self.cursor.expect(")")?;
        Ok(match word {
            "fill" => CommandKind::Fill { destination, byte: second, size },
            _ => CommandKind::Copy { destination, source: second, size, may_overlap: word == "move" },
        })
    }

    /// Everything with `:=`.
    fn assignment(&mut self) -> Result<CommandKind> {
        let start = self.cursor.peek();
        let target = self.parse()?;
        let variable = self.elaborator().variable(target);
        let Some(variable) = variable else {
            if matches!(self.nodes[target.0 as usize].form, Form::Name { .. }) {
                // A name that nobody declared is a better reason than what follows.
                self.elaborator().address(target, None)?;
            }
            let Form::Load { place, ty, bits, copy: false } = self.nodes[target.0 as usize].form else {
                return Err(self.cursor.error(start, Problem::NotAssignable));
            };
            self.cursor.expect(":=")?;
            let value = self.parse()?;
            let address = self.elaborator().address(place, Some(ty))?;
            let value = self.elaborator().value(value, Some(ty))?;
            return Ok(CommandKind::Store { address, value, bits });
        };
        let mut targets = vec![variable];
        while self.cursor.accept(",") {
            targets.push(self.variable_name()?);
        }
        self.cursor.expect(":=")?;
        let behind = self.cursor.peek_after(1);
        let calls = match behind.kind {
            TokenKind::QuotedName => true,
            // In `call %u 2`, `call` is a variable.
            TokenKind::Name => self.cursor.text_of(behind) != "%u" || !self.cursor.peek_after(2).spaced,
            _ => self.cursor.is_symbol(behind, "(") && behind.spaced,
        };
        if targets.len() > 1 || (self.cursor.at_word("call") && calls) {
            self.cursor.expect_word("call")?;
            return self.call(targets);
        }
        self.assigned(variable)
    }

    fn assigned(&mut self, target: VarId) -> Result<CommandKind> {
        if self.at_function("allocate") {
            self.cursor.bump();
            self.cursor.expect("(")?;
            let size = self.value(Some(Type::I64))?;
            self.cursor.expect_word("align")?;
            let align = self.cursor.number_u32("an alignment")?;
            self.cursor.expect(")")?;
            return Ok(CommandKind::Allocate { target, size, align });
        }
        if self.at_function("stack_mark") {
            self.cursor.bump();
            self.cursor.expect("(")?;
            self.cursor.expect(")")?;
            return Ok(CommandKind::StackMark { target });
        }
        let value = self.value(Some(self.body.variable(target).ty))?;
        Ok(CommandKind::Assign { target, value })
    }

    /// `f(arguments)` or `(address)(arguments)`, behind the word `call`.
    fn call(&mut self, targets: Vec<VarId>) -> Result<CommandKind> {
        let (callee, parameters): (_, &[crate::Parameter]) = if self.cursor.accept("(") {
            let address = self.value(Some(Type::Pointer))?;
            self.cursor.expect(")")?;
            (Callee::Indirect(address), &[])
        } else {
            let token = self.cursor.peek();
            let name = self.cursor.dotted_name("the name of a function or an address in parentheses")?;
            let Some(&id) = self.program.functions.get(&name) else {
                return Err(self.cursor.error(token, Problem::Unknown { what: "function", name }));
            };
            (Callee::Direct(id), &self.functions[id.index()].parameters)
        };
        self.cursor.expect("(")?;
        let mut arguments = Vec::new();
        while !self.cursor.accept(")") {
            let expected = parameters.get(arguments.len()).map(|parameter| parameter.ty);
            arguments.push(self.argument(expected)?);
            if !self.cursor.at(")") {
                self.cursor.expect(",")?;
            }
        }
        Ok(CommandKind::Call(Call { targets, callee, arguments }))
    }

    /// A value, or `copied(address, size align 8)`.
    fn argument(&mut self, expected: Option<Type>) -> Result<Argument> {
        if !self.at_function("copied") {
            return Ok(Argument::Scalar(self.value(expected)?));
        }
        self.cursor.bump();
        self.cursor.expect("(")?;
        let address = self.value(Some(Type::Pointer))?;
        self.cursor.expect(",")?;
        let size = self.cursor.number_u64("the size of the object")?;
        self.cursor.expect_word("align")?;
        let align = self.cursor.number_u32("an alignment")?;
        self.cursor.expect(")")?;
        Ok(Argument::Copied { address, size, align })
    }

    /// Takes the word if it begins a command. Before an assignment or an access it is a name:
    /// C programs have variables called `end` and `call`.
    fn accept_keyword(&mut self, word: &str) -> bool {
        let behind = self.cursor.peek_after(1);
        let text = self.cursor.text_of(behind);
        let access = !behind.spaced && matches!(text, ":" | "[" | "." | "->" | "@" | "::" | "(");
        let is_name = behind.kind == TokenKind::Symbol && (access || matches!(text, ":=" | ","));
        !is_name && self.cursor.accept_word(word)
    }

    /// Whether `word(` comes next.
    fn at_function(&self, word: &str) -> bool {
        let behind = self.cursor.peek_after(1);
        self.cursor.at_word(word) && self.cursor.is_symbol(behind, "(") && !behind.spaced
    }

    fn variable_name(&mut self) -> Result<VarId> {
        let token = self.cursor.peek();
        let name = self.cursor.name("the name of a variable")?;
        let found = self.names.variables.get(&name).copied();
        found.ok_or_else(|| self.cursor.error(token, Problem::Unknown { what: "variable", name }))
    }

    fn local_name(&mut self) -> Result<LocalId> {
        let token = self.cursor.peek();
        let name = self.cursor.name("the name of an object")?;
        let found = self.names.locals.get(&name).copied();
        found.ok_or_else(|| self.cursor.error(token, Problem::Unknown { what: "object", name }))
    }

    fn block_name(&mut self) -> Result<BlockId> {
        let token = self.cursor.peek();
        let name = self.cursor.dotted_name("the name of a block")?;
        let found = self.program.blocks[self.function.index()].get(&name).copied();
        found.ok_or_else(|| self.cursor.error(token, Problem::Unknown { what: "block", name }))
    }

    fn parse(&mut self) -> Result<NodeId> {
        Expressions::new(self.cursor, &mut self.nodes).expression()
    }

    fn elaborator(&mut self) -> Elaborator<'_, 't> {
        Elaborator {
            cursor: self.cursor,
            text: self.text,
            nodes: &self.nodes,
            program: self.program,
            names: &self.names,
            function: self.function,
            body: &mut self.body,
        }
    }

    /// Reads an expression as a value.
    fn value(&mut self, expected: Option<Type>) -> Result<ExprId> {
        let node = self.parse()?;
        self.elaborator().value(node, expected)
    }
}
