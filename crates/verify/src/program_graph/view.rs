//! What expressions see of a graph's variables and memory.

use logic::terms::{TermId, Terms};
use program::exec::{Checks, ViolationKind};
use program::{ExprId, Object, Program, Site, VarId};

use super::layout::{Keeping, Owner};
use super::memory::{Instance, Memory, Write, fits, read, write};
use super::{Ending, Frame, variable_term};
use crate::encode::expressions::{Access, Base, Surroundings, Violating};
use crate::encode::operators::NoTerm;

/// Something that must not happen.
pub struct Forbidden {
    pub bad: TermId,
    pub ending: Ending,
    pub expr: Option<ExprId>,
    pub site: Site,
}

pub struct View<'v> {
    program: &'v Program,
    checks: Checks,
    memory: &'v mut Memory,
    frame: &'v Frame<'v>,
    pub forbidden: Vec<Forbidden>,
}

impl<'v> View<'v> {
    pub fn new(program: &'v Program, checks: Checks, memory: &'v mut Memory, frame: &'v Frame<'v>) -> View<'v> {
        View { program, checks, memory, frame, forbidden: Vec::new() }
    }

    fn instance(&self, object: Object) -> Option<Instance> {
        match object {
            Object::Global(global) => Some((Owner::Global(global), 0)),
            Object::Local(local) => Some((Owner::Local(self.frame.function, local), self.frame.depth)),
            Object::Function(_) | Object::Label(..) => None,
        }
    }

    fn size(&self, owner: Owner) -> u64 {
        match owner {
            Owner::Global(global) => self.program.global(global).size,
            Owner::Local(_, local) => self.frame.body.locals[local.index()].size,
        }
    }

    /// An access that must not be made where the condition holds.
    fn forbid_access(&mut self, terms: &mut Terms, valid: TermId, access: Access) {
        let bad = terms.not(valid);
        let ending = match self.checks.has(ViolationKind::OutOfBoundsAbove) {
            true => Ending::Violation(ViolationKind::OutOfBoundsAbove, access.site),
            false => Ending::Inconclusive("an access outside of its object".to_owned(), access.site),
        };
        self.forbidden.push(Forbidden { bad, ending, expr: Some(access.expr), site: access.site });
    }

    /// The variable and the index that an access leads to; nothing if it leads nowhere.
    fn home(&mut self, terms: &mut Terms, access: Access) -> Option<Home> {
        let object = match access.base {
            Base::Fixed(object) | Base::Object(object) => Some(object),
            Base::Pointer => None,
        };
        let named = object.and_then(|it| self.instance(it));
        let keeping = named.and_then(|it| self.memory.keeping(it.0).cloned());
        let (Some(instance), Some(keeping)) = (named, keeping) else {
            let valid = self.memory.is_valid(terms, access.address, access.bytes.into());
            self.forbid_access(terms, valid, access);
            return Some(Home::Array { array: self.memory.shared, index: access.address, width: 1 });
        };
        let base = terms.bv(64, self.memory.address(self.program, instance).0);
        let offset = terms.bv_sub(access.address, base);
        match keeping {
            Keeping::Shared => {
                let valid = self.memory.is_valid(terms, access.address, access.bytes.into());
                self.forbid_access(terms, valid, access);
                Some(Home::Array { array: self.memory.shared, index: access.address, width: 1 })
            }
            Keeping::Array(width) => {
                let size = terms.bv(64, self.size(instance.0));
                let valid = fits(terms, offset, access.bytes.into(), size);
                self.forbid_access(terms, valid, access);
                let array = self.memory.array(terms, self.program, instance, width);
                Some(Home::Array { array, index: offset, width })
            }
            Keeping::Cells(cells) => {
                let offset = terms.as_bv(offset).and_then(|it| it.to_u64());
                match offset.filter(|it| cells.get(it) == Some(&access.bytes)) {
                    Some(offset) => {
                        Some(Home::Cell(self.memory.cell(terms, self.program, instance, offset, access.bytes)))
                    }
                    None => {
                        let never = terms.false_term();
                        self.forbid_access(terms, never, access);
                        None
                    }
                }
            }
        }
    }

    /// A write must not go to a constant.
    fn forbid_constant(&mut self, terms: &mut Terms, home: &Home, access: Access) {
        let named = match access.base {
            Base::Fixed(Object::Global(global)) | Base::Object(Object::Global(global)) => Some(global),
            _ => None,
        };
        let bad = match (home, named) {
            (_, Some(global)) => terms.bool(self.program.global(global).constant),
            (Home::Array { array, .. }, None) if *array == self.memory.shared => {
                let number = terms.bv_extract(63, 32, access.address);
                let constants: Vec<TermId> = self
                    .memory
                    .constants(self.program)
                    .into_iter()
                    .map(|it| {
                        let constant = terms.bv(32, it.0.into());
                        terms.eq(number, constant)
                    })
                    .collect();
                terms.or(&constants)
            }
            _ => return,
        };
        let ending = match self.checks.has(ViolationKind::WriteToConstant) {
            true => Ending::Violation(ViolationKind::WriteToConstant, access.site),
            false => Ending::Inconclusive("a write to a constant".to_owned(), access.site),
        };
        self.forbidden.push(Forbidden { bad, ending, expr: Some(access.expr), site: access.site });
    }

    /// How a write of an access changes a variable; nothing if it is never valid.
    pub fn store(&mut self, terms: &mut Terms, access: Access) -> Option<Write> {
        let home = self.home(terms, access)?;
        self.forbid_constant(terms, &home, access);
        let hole = terms.fresh("written", logic::sort::Sort::BitVector(8 * access.bytes));
        Some(match home {
            Home::Cell(variable) => Write { variable, hole, whole: hole },
            Home::Array { array, index, width } => {
                Write { variable: array, hole, whole: write(terms, array, index, width, hole) }
            }
        })
    }
}

enum Home {
    Cell(TermId),
    Array { array: TermId, index: TermId, width: u32 },
}

impl Surroundings for View<'_> {
    fn checks(&self) -> Checks {
        self.checks
    }

    fn variable(&mut self, terms: &mut Terms, variable: VarId) -> Result<TermId, NoTerm> {
        let Frame { function, body, depth, .. } = *self.frame;
        Ok(variable_term(terms, self.program, function, body, depth, variable))
    }

    fn address(&mut self, terms: &mut Terms, object: Object) -> Result<TermId, NoTerm> {
        let address = match (self.instance(object), object) {
            (Some(instance), _) => self.memory.address(self.program, instance),
            (None, Object::Function(function)) => Memory::function_address(function),
            _ => return Err(NoTerm::new("the address of a label")),
        };
        Ok(terms.bv(64, address.0))
    }

    fn load(&mut self, terms: &mut Terms, access: Access) -> Result<TermId, NoTerm> {
        Ok(match self.home(terms, access) {
            Some(Home::Cell(variable)) => variable,
            Some(Home::Array { array, index, width }) => read(terms, array, index, width, access.bytes),
            None => terms.bv(8 * access.bytes, 0),
        })
    }

    fn forbid(&mut self, _: &mut Terms, violating: Violating) {
        let ending = Ending::Violation(violating.kind, violating.site);
        let Violating { bad, expr, site, .. } = violating;
        self.forbidden.push(Forbidden { bad, ending, expr: Some(expr), site });
    }
}
