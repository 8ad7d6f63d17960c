//! Types and lists of typed names.

use super::super::syntax::{Binding, Type, TypeKind};
use super::{Parsed, Parser, Token};

impl Parser {
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.nested(|it| it.ty_inner(true))
    }

    fn ty_inner(&mut self, with_arguments: bool) -> Parsed<Type> {
        let start = self.extent();
        if self.is("[") || self.is("<") {
            let type_parameters = self.type_parameters()?;
            self.expect("[")?;
            let indices = if self.is("]") { Vec::new() } else { self.list(Parser::ty)? };
            self.expect("]")?;
            let element = Box::new(self.ty()?);
            let extent = start.to(element.extent);
            return Ok(Type { extent, kind: TypeKind::Map { type_parameters, indices, element } });
        }
        if self.accept("(") {
            let inner = self.ty()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let name = self.name("a type")?;
        let with_arguments = with_arguments && !matches!(name.text.as_str(), "int" | "bool" | "real");
        let mut arguments = Vec::new();
        // A constructor's last argument may be a map without parentheses.
        while with_arguments && (self.is_name() || self.is("(") || self.is("[") || self.is("<")) {
            let last = !self.is_name() && !self.is("(");
            arguments.push(self.nested(|it| it.ty_inner(false))?);
            if last {
                break;
            }
        }
        let extent = start.to(self.last_extent());
        Ok(Type { extent, kind: TypeKind::Named { name: name.text, arguments } })
    }

    /// `x, y: T where e, z: U`; `where` only if it may stand here.
    pub(super) fn bindings(&mut self, what: &str, with_condition: bool) -> Parsed<Vec<Binding>> {
        let mut bindings = Vec::new();
        loop {
            self.attributes()?;
            let names = self.list(|it| it.name(what))?;
            self.expect(":")?;
            let ty = self.ty()?;
            let condition = if with_condition && self.accept_word("where") { Some(self.expression()?) } else { None };
            bindings.extend(names.into_iter().map(|name| Binding { name, ty: ty.clone(), condition }));
            if !self.accept(",") {
                return Ok(bindings);
            }
        }
    }

    /// `(x: T, y: U)`, maybe empty.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Binding>> {
        self.expect("(")?;
        let bindings = if self.is(")") { Vec::new() } else { self.bindings("a parameter's name", true)? };
        self.expect(")")?;
        Ok(bindings)
    }

    /// Whether a name and a colon follow, as before a type.
    pub(super) fn is_binding(&self) -> bool {
        self.is_name() && matches!(self.ahead(1), Token::Symbol(":"))
    }
}
