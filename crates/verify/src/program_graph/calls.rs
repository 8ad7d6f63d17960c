//! Calls: inlined bodies, and the few functions of the library that are known here.

use logic::control_flow::{LocationId, Statement};
use logic::terms::TermId;
use program::exec::{ViolationKind, libc};
use program::{Argument, Call, Callee, FunctionId, Type, VarId};

use super::memory::Memory;
use super::{Cause, DEEPEST, Encoder, Ending, Frame, MOST_EDGES};
use crate::encode::operators::{literal, sort_of};
use crate::encode::origins::What;
use crate::symbolic::only_prints;

impl<'p> Encoder<'p> {
    pub(super) fn call(
        &mut self,
        at: LocationId,
        frame: &Frame<'p>,
        call: &'p Call,
        cause: Cause,
    ) -> Option<LocationId> {
        let mut at = at;
        let mut arguments: Vec<(TermId, Type)> = Vec::new();
        for argument in &call.arguments {
            match argument {
                Argument::Scalar(id) => {
                    let value = self.value(&mut at, frame, *id, cause)?;
                    arguments.push((value, frame.body.expr(*id).ty));
                }
                Argument::Copied { .. } => return self.unknown(at, "a struct as an argument", cause),
            }
        }
        match call.callee {
            Callee::Direct(function) => self.call_one(at, frame, function, &arguments, &call.targets, cause),
            Callee::Indirect(pointer) => {
                let pointer = self.value(&mut at, frame, pointer, cause)?;
                self.call_any(at, frame, pointer, &arguments, &call.targets, cause)
            }
        }
    }

    /// Branches to each function that a pointer may lead to.
    fn call_any(
        &mut self,
        at: LocationId,
        frame: &Frame<'p>,
        pointer: TermId,
        arguments: &[(TermId, Type)],
        targets: &[VarId],
        cause: Cause,
    ) -> Option<LocationId> {
        let end = self.graph.add_location();
        let mut none = Vec::new();
        let pointed: Vec<FunctionId> = self.memory.layout().pointed.iter().copied().collect();
        for function in pointed {
            let address = self.terms.bv(64, Memory::function_address(function).0);
            let taken = self.terms.eq(pointer, address);
            none.push(self.terms.not(taken));
            if taken == self.terms.false_term() {
                continue;
            }
            let start = self.graph.add_location();
            self.assume(at, start, taken, What::Guard(None), cause);
            if let Some(after) = self.call_one(start, frame, function, arguments, targets, cause) {
                self.go(after, end, cause);
            }
        }
        let bad = self.terms.and(&none);
        if bad != self.terms.false_term() {
            let ending = match self.checks.has(ViolationKind::BadCall) {
                true => Ending::Violation(ViolationKind::BadCall, cause.site),
                false => Ending::Inconclusive("a call through a bad pointer".to_owned(), cause.site),
            };
            self.fail_where(at, bad, ending, None, cause);
        }
        Some(end)
    }

    fn call_one(
        &mut self,
        at: LocationId,
        frame: &Frame<'p>,
        function: FunctionId,
        arguments: &[(TermId, Type)],
        targets: &[VarId],
        cause: Cause,
    ) -> Option<LocationId> {
        let callee = self.program.function(function);
        let Some(body) = callee.body.as_ref() else {
            return self.external(at, frame, &callee.name, arguments, targets, cause);
        };
        let inner = self.frame(function, body);
        if inner.depth >= DEEPEST {
            let what = format!("recursion of `{}` deeper than {DEEPEST} calls", callee.name);
            return self.unknown(at, &what, cause);
        }
        if self.graph.edges().len() > MOST_EDGES {
            return self.unknown(at, "a program of this size, with its calls written out,", cause);
        }
        let mut at = at;
        for (number, parameter) in callee.parameters.iter().enumerate() {
            let variable = self.variable(&inner, VarId(number as u32));
            let value = match arguments.get(number) {
                Some(&(value, ty)) if sort_of(ty) == sort_of(parameter.ty) => value,
                Some(_) => return self.unknown(at, "an argument of another type than its parameter", cause),
                None => literal(&mut self.terms, 0, parameter.ty),
            };
            self.assign(&mut at, variable, value, What::Argument(number as u32), None, cause);
        }
        let mut exit = self.graph.add_location();
        self.stack.push(function);
        self.body(&inner, at, exit);
        self.stack.pop();
        for (position, &target) in targets.iter().enumerate() {
            let ty = frame.body.variable(target).ty;
            let Some(&returned) = callee.returns.get(position).filter(|&&it| sort_of(it) == sort_of(ty)) else {
                return self.unknown(exit, "a result of another type than its target", cause);
            };
            let value = self.result(&inner, position, returned);
            let variable = self.variable(frame, target);
            self.assign(&mut exit, variable, value, What::Result, None, cause);
        }
        Some(exit)
    }

    fn external(
        &mut self,
        at: LocationId,
        frame: &Frame<'p>,
        name: &str,
        arguments: &[(TermId, Type)],
        targets: &[VarId],
        cause: Cause,
    ) -> Option<LocationId> {
        let mut at = at;
        let values: Vec<TermId> = arguments.iter().map(|&(value, _)| self.word(value)).collect();
        let result = match (name, &values[..]) {
            ("exit" | "_exit" | "_Exit" | "abort", _) => return None,
            ("malloc" | "valloc", &[size]) => Some(self.allocate(&mut at, size, cause)),
            ("free" | "cfree", &[pointer]) => {
                self.free(&mut at, pointer, cause);
                return Some(at);
            }
            ("memcpy" | "memmove", &[to, from, size]) => {
                let size = self.small_constant(at, size, cause)?;
                self.copy(&mut at, to, from, size, cause);
                Some(to)
            }
            ("memset", &[to, byte, size]) => {
                let size = self.small_constant(at, size, cause)?;
                self.fill(&mut at, to, byte, size, cause);
                Some(to)
            }
            ("calloc", &[count, size]) => {
                let total = self.terms.bv_mul(count, size);
                let constant = self.small_constant(at, total, cause)?;
                let pointer = self.allocate(&mut at, total, cause);
                let zero = self.terms.bv(8, 0);
                self.fill(&mut at, pointer, zero, constant, cause);
                Some(pointer)
            }
            _ => None,
        };
        if let Some(result) = result {
            for &target in targets {
                let ty = frame.body.variable(target).ty;
                if sort_of(ty) != self.terms.sort(result) {
                    return self.unknown(at, "a result of another type than its target", cause);
                }
                let variable = self.variable(frame, target);
                self.assign(&mut at, variable, result, What::Library, None, cause);
            }
            return Some(at);
        }
        if only_prints(name) {
            for &target in targets {
                self.notes.insert(format!("the result of `{name}` is taken to be anything"));
                let variable = self.variable(frame, target);
                let origin = self.origin(What::Library, None, cause);
                self.emit(&mut at, Statement::havoc(variable, origin));
            }
            return Some(at);
        }
        if libc::find(name).is_some() || matches!(name, "setjmp" | "_setjmp" | "longjmp" | "__sigsetjmp") {
            return self.unknown(at, &format!("the library function `{name}`"), cause);
        }
        self.notes.insert(format!("`{name}` is defined nowhere; its results are taken to be anything"));
        for &target in targets {
            self.input(&mut at, frame, target, name, cause);
        }
        Some(at)
    }

    fn word(&mut self, term: TermId) -> TermId {
        match self.terms.sort(term).width() {
            Some(_) => self.terms.bv_resize(64, false, term),
            None => self.terms.bv_from_bool(64, term),
        }
    }

    /// A new object on the heap; its address.
    fn allocate(&mut self, at: &mut LocationId, size: TermId, cause: Cause) -> TermId {
        if self.checks.has(ViolationKind::Uninitialized) {
            self.notes.insert("whether allocated memory is read before it is written is not looked at".to_owned());
        }
        let limit = self.terms.bv(64, 1 << 31);
        let small = self.terms.bv_ult(size, limit);
        let bad = self.terms.not(small);
        let ending = Ending::Inconclusive("an allocation of 2 GiB or more".to_owned(), cause.site);
        self.settle(at, vec![super::Forbidden { bad, ending, expr: None, site: cause.site }], cause);
        let low = self.terms.bv_extract(31, 0, size);
        let (heap, sizes) = (self.memory.heap, self.memory.sizes);
        let new_sizes = self.terms.store(sizes, heap, low);
        self.assign(at, sizes, new_sizes, What::Bookkeeping, None, cause);
        let zero = self.terms.bv(32, 0);
        let address = self.terms.bv_concat(heap, zero);
        let pointer = self.terms.variable("allocated", logic::sort::Sort::BitVector(64));
        self.assign(at, pointer, address, What::Library, None, cause);
        let one = self.terms.bv(32, 1);
        let next = self.terms.bv_add(heap, one);
        self.assign(at, heap, next, What::Bookkeeping, None, cause);
        pointer
    }

    fn free(&mut self, at: &mut LocationId, pointer: TermId, cause: Cause) {
        let (number, offset) = (self.terms.bv_extract(63, 32, pointer), self.terms.bv_extract(31, 0, pointer));
        let (zero, null) = (self.terms.bv(32, 0), self.terms.bv(64, 0));
        let (sizes, heap, first) = (self.memory.sizes, self.memory.heap, self.memory.first);
        let is_null = self.terms.eq(pointer, null);
        let size = self.terms.select(sizes, number);
        let conditions = [
            self.terms.eq(offset, zero),
            self.terms.bv_ule(first, number),
            self.terms.bv_ult(number, heap),
            self.terms.distinct(size, zero),
        ];
        let valid = self.terms.and(&conditions);
        let good = self.terms.or2(is_null, valid);
        let bad = self.terms.not(good);
        let ending = match self.checks.has(ViolationKind::InvalidFree) {
            true => Ending::Violation(ViolationKind::InvalidFree, cause.site),
            false => Ending::Inconclusive("an invalid `free`".to_owned(), cause.site),
        };
        self.settle(at, vec![super::Forbidden { bad, ending, expr: None, site: cause.site }], cause);
        let ended = self.terms.store(sizes, number, zero);
        let ended = self.terms.ite(is_null, sizes, ended);
        self.assign(at, sizes, ended, What::Bookkeeping, None, cause);
    }
}
