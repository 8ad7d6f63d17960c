//! Z3: everything that terms can say. For unbounded integers, reals and maps, and as the cross-check.
//!
//! Written against Debian 12's Z3 4.8.12: only functions that it has are called, and no enumeration of
//! operators is read, whose numbers have changed since. No logic is named, for a wrong name makes Z3 answer
//! wrongly. A thread watches each check, since Z3 knows no callback: it interrupts when the limits say so.

mod translate;
mod values;

use std::ffi::CStr;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use z3_sys::{self as sys, Z3_ast, Z3_context, Z3_lbool, Z3_model, Z3_solver};

use crate::error::Error;
use crate::terms::{TermId, Terms};
use crate::value::Value;

use super::limits::Watch;
use super::{Cores, Interrupter, Interruptible, Limited, Limits, Measured, Outcome, Solver, Statistics, Why};
use translate::Translator;

const NAME: &str = "Z3";

/// How often a running check is looked at.
const INTERVAL: Duration = Duration::from_millis(5);

/// A Z3 context with one solver in it.
pub struct Z3 {
    context: Z3_context,
    solver: Z3_solver,
    model: Option<Z3_model>,
    translator: Translator,
    watch: Watch,
    /// For assumptions that are no literals, the literal that stands for each.
    proxies: FxHashMap<TermId, Z3_ast>,
    /// Definitions of proxies, and how many of them were asserted before each open level.
    definitions: Vec<Z3_ast>,
    asserted_definitions: usize,
    levels: Vec<usize>,
    assumptions: Vec<(TermId, Z3_ast)>,
    last: Option<Outcome>,
    checks: u64,
    time: Duration,
    assertions: u64,
}

// SAFETY: a context is owned by one instance and used by one thread at a time; interrupting it is the one
// call that Z3 allows from another thread.
unsafe impl Send for Z3 {}

/// A context for the watching thread, which calls nothing but `Z3_interrupt` on it.
struct Interrupted(Z3_context);

// SAFETY: see above.
unsafe impl Send for Interrupted {}

impl Interrupted {
    fn interrupt(&self) {
        // SAFETY: the context outlives the check that is watched.
        unsafe { sys::Z3_interrupt(self.0) };
    }
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        self.forget_model();
        // SAFETY: both were created in `new`.
        unsafe {
            sys::Z3_solver_dec_ref(self.context, self.solver);
            sys::Z3_del_context(self.context);
        }
    }
}

impl Z3 {
    pub fn new() -> Z3 {
        // SAFETY: plain construction. Terms live as long as such a context; solvers and models are counted.
        let (context, solver) = unsafe {
            let config = sys::Z3_mk_config().expect("Z3 makes a configuration");
            let context = sys::Z3_mk_context(config).expect("Z3 makes a context");
            sys::Z3_del_config(config);
            // Without a handler, errors are kept for whoever asks.
            sys::Z3_set_error_handler(context, None);
            let solver = sys::Z3_mk_solver(context).expect("Z3 makes a solver");
            sys::Z3_solver_inc_ref(context, solver);
            (context, solver)
        };
        Z3 {
            context,
            solver,
            model: None,
            translator: Translator::new(context),
            watch: Watch::new(),
            proxies: FxHashMap::default(),
            definitions: Vec::new(),
            asserted_definitions: 0,
            levels: Vec::new(),
            assumptions: Vec::new(),
            last: None,
            checks: 0,
            time: Duration::ZERO,
            assertions: 0,
        }
    }

    fn forget_model(&mut self) {
        if let Some(model) = self.model.take() {
            // SAFETY: the model was counted when it was taken.
            unsafe { sys::Z3_model_dec_ref(self.context, model) };
        }
        self.last = None;
    }

    /// A literal that is true iff the assumption is: itself, or a fresh constant that is defined so.
    fn literal(&mut self, terms: &Terms, assumption: TermId) -> Result<Z3_ast, Error> {
        if let Some(&proxy) = self.proxies.get(&assumption) {
            return Ok(proxy);
        }
        let translated = self.translator.translate(terms, assumption)?;
        let literal = if terms.name(assumption).is_some() {
            translated
        } else {
            let (proxy, definition) = self.translator.proxy(translated)?;
            self.definitions.push(definition);
            proxy
        };
        self.proxies.insert(assumption, literal);
        Ok(literal)
    }

    fn assert_definitions(&mut self) {
        for &definition in &self.definitions[self.asserted_definitions..] {
            // SAFETY: all belong to this context.
            unsafe { sys::Z3_solver_assert(self.context, self.solver, definition) };
        }
        self.asserted_definitions = self.definitions.len();
    }

    /// Runs the check while another thread watches it. Without one it is not begun, since nobody could end it.
    fn watched_check(&mut self, literals: &[Z3_ast]) -> Option<Z3_lbool> {
        let (context, solver) = (self.context, self.solver);
        let finished = Arc::new((Mutex::new(false), Condvar::new()));
        let (seen, target) = (Arc::clone(&finished), Interrupted(context));
        let watch = &mut self.watch;
        std::thread::scope(|scope| {
            let keep_watch = move || {
                let (lock, condition) = &*seen;
                let mut is_finished = lock.lock().expect("no holder of the lock panics");
                while !*is_finished {
                    if watch.must_stop() {
                        // Again and again: a request that comes before the check has begun is lost.
                        target.interrupt();
                    }
                    is_finished = condition.wait_timeout(is_finished, INTERVAL).expect("no holder panics").0;
                }
            };
            std::thread::Builder::new().spawn_scoped(scope, keep_watch).ok()?;
            let count = literals.len() as u32;
            // SAFETY: all belong to this context; the array has that many.
            let result = unsafe { sys::Z3_solver_check_assumptions(context, solver, count, literals.as_ptr()) };
            let (lock, condition) = &*finished;
            *lock.lock().expect("no holder of the lock panics") = true;
            condition.notify_one();
            Some(result)
        })
    }

    fn outcome(&mut self, result: Z3_lbool) -> Result<Outcome, Error> {
        match result {
            sys::Z3_L_TRUE => Ok(Outcome::Sat),
            sys::Z3_L_FALSE => Ok(Outcome::Unsat),
            _ => {
                if let Some(why) = self.watch.reason() {
                    return Ok(Outcome::Unknown(why));
                }
                // SAFETY: the string is copied at once.
                let reason = unsafe { sys::Z3_solver_get_reason_unknown(self.context, self.solver) };
                let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned();
                Ok(Outcome::Unknown(Why::Incomplete(reason)))
            }
        }
    }
}

impl Solver for Z3 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn assert(&mut self, terms: &Terms, formula: TermId) -> Result<(), Error> {
        self.forget_model();
        self.assertions += 1;
        let formula = self.translator.translate(terms, formula)?;
        // SAFETY: all belong to this context.
        unsafe { sys::Z3_solver_assert(self.context, self.solver, formula) };
        Ok(())
    }

    fn push(&mut self) {
        self.forget_model();
        self.levels.push(self.asserted_definitions);
        // SAFETY: the solver is alive.
        unsafe { sys::Z3_solver_push(self.context, self.solver) };
    }

    fn pop(&mut self) {
        self.forget_model();
        self.asserted_definitions = self.levels.pop().expect("a level to pop was pushed before");
        // SAFETY: there is a level, as asserted above.
        unsafe { sys::Z3_solver_pop(self.context, self.solver, 1) };
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Outcome, Error> {
        self.forget_model();
        self.checks += 1;
        let started = Instant::now();
        self.watch.start();
        self.assumptions.clear();
        for &assumption in assumptions {
            let literal = self.literal(terms, assumption)?;
            self.assumptions.push((assumption, literal));
        }
        self.assert_definitions();
        let literals: Vec<Z3_ast> = self.assumptions.iter().map(|it| it.1).collect();
        let result = if self.watch.must_stop() { Some(sys::Z3_L_UNDEF) } else { self.watched_check(&literals) };
        self.time += started.elapsed();
        let Some(result) = result else {
            return Ok(Outcome::Unknown(Why::Incomplete("no thread can be started to watch the solver".to_owned())));
        };
        let outcome = self.outcome(result)?;
        if outcome == Outcome::Sat {
            // SAFETY: the check found a model, which is counted here.
            unsafe {
                self.model = sys::Z3_solver_get_model(self.context, self.solver);
                self.model.inspect(|&model| sys::Z3_model_inc_ref(self.context, model));
            }
        }
        self.last = Some(outcome.clone());
        Ok(outcome)
    }

    fn value(&mut self, terms: &Terms, term: TermId) -> Result<Value, Error> {
        let model = self.model.expect("a value is asked for after a check that found a model");
        let translated = self.translator.translate(terms, term)?;
        values::read(terms, self.context, model, translated, terms.sort(term))
    }
}

impl Cores for Z3 {
    fn failed_assumptions(&mut self) -> Vec<TermId> {
        assert_eq!(self.last, Some(Outcome::Unsat), "a core is asked for after a check that found none");
        let context = self.context;
        // SAFETY: the last check found no model; the vector is counted while it is read.
        let core: Vec<Z3_ast> = unsafe {
            let Some(vector) = sys::Z3_solver_get_unsat_core(context, self.solver) else { return Vec::new() };
            sys::Z3_ast_vector_inc_ref(context, vector);
            let count = sys::Z3_ast_vector_size(context, vector);
            let core = (0..count).filter_map(|index| sys::Z3_ast_vector_get(context, vector, index)).collect();
            sys::Z3_ast_vector_dec_ref(context, vector);
            core
        };
        self.assumptions.iter().filter(|(_, literal)| core.contains(literal)).map(|it| it.0).collect()
    }
}

impl Interruptible for Z3 {
    fn interrupter(&self) -> Interrupter {
        self.watch.interrupter.clone()
    }

    fn attach(&mut self, interrupter: Interrupter) {
        self.watch.interrupter = interrupter;
    }
}

impl Limited for Z3 {
    fn set_limits(&mut self, limits: Limits) {
        self.watch.limits = limits;
    }
}

impl Measured for Z3 {
    fn statistics(&self) -> Statistics {
        Statistics {
            checks: self.checks,
            time: self.time,
            assertions: self.assertions,
            translated_terms: self.translator.count(),
        }
    }
}
