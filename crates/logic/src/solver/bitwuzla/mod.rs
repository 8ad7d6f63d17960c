//! Bitwuzla: bit-vectors, arrays, floats, uninterpreted functions, quantifiers. The default solver.
//!
//! Uses its C interface. Errors inside it are caught by a callback and become [`Error::Failed`]; nothing
//! here lets it abort the process. Limits and interrupts go through its termination callback, which CaDiCaL
//! asks every few conflicts and Bitwuzla between its passes: preprocessing a huge formula is not cut short.

mod translate;
mod values;

use std::cell::{RefCell, UnsafeCell};
use std::ffi::{CStr, c_char, c_void};
use std::time::{Duration, Instant};

use bitwuzla_sys as sys;
use rustc_hash::FxHashSet;
// Bitwuzla is linked against the CaDiCaL that this crate carries.
use cadical as _;

use crate::error::Error;
use crate::evaluate::{Evaluator, Model, NoValue};
use crate::terms::{Op, TermId, Terms};
use crate::value::Value;

use super::limits::Watch;
use super::{Cores, Interrupter, Interruptible, Limited, Limits, Measured, Outcome, Solver, Statistics, Why};
use translate::Translator;

const NAME: &str = "Bitwuzla";

thread_local! {
    /// The last error that Bitwuzla reported on this thread.
    static REPORTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

extern "C" fn report(message: *const c_char) {
    // SAFETY: Bitwuzla passes a C string that lives during the call.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // The first error is the cause, later ones follow from it.
    REPORTED.with(|reported| {
        reported.borrow_mut().get_or_insert(message);
    });
}

/// A Bitwuzla instance with its terms.
pub struct Bitwuzla {
    solver: *mut sys::Bitwuzla,
    options: *mut sys::BitwuzlaOptions,
    translator: Translator,
    /// Boxed, since the termination callback keeps its address.
    watch: Box<UnsafeCell<Watch>>,
    /// For each open level, how many definitions of the translator were asserted before it.
    levels: Vec<usize>,
    asserted_definitions: usize,
    assumptions: Vec<TermId>,
    last: Option<Outcome>,
    checks: u64,
    time: Duration,
    assertions: u64,
}

// SAFETY: an instance owns all that it points to, and Bitwuzla keeps no reference to a thread: what is
// thread-local there are buffers for returned strings, which are read at once, and the abort callback, which
// is set again at every entry.
unsafe impl Send for Bitwuzla {}

impl Default for Bitwuzla {
    fn default() -> Bitwuzla {
        Bitwuzla::new()
    }
}

impl Drop for Bitwuzla {
    fn drop(&mut self) {
        // SAFETY: all three were created in `new` and are used by nothing else.
        unsafe {
            sys::bitwuzla_delete(self.solver);
            sys::bitwuzla_options_delete(self.options);
            sys::bitwuzla_term_manager_delete(self.translator.manager());
        }
    }
}

fn has_float_bits(terms: &Terms, term: TermId) -> bool {
    terms.reachable(&[term]).into_iter().any(|it| terms.op(it) == Op::FpToBits)
}

unsafe extern "C" fn must_stop(watch: *mut c_void) -> i32 {
    // SAFETY: the state is the solver's watch, which outlives it and is not borrowed during a check.
    let watch = unsafe { &mut *watch.cast::<Watch>() };
    watch.must_stop().into()
}

impl Bitwuzla {
    pub fn new() -> Bitwuzla {
        let watch = Box::new(UnsafeCell::new(Watch::new()));
        // SAFETY: plain construction in the order that the interface asks for; the watch is boxed.
        unsafe {
            sys::bitwuzla_set_abort_callback(Some(report));
            let manager = sys::bitwuzla_term_manager_new();
            let options = sys::bitwuzla_options_new();
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PRODUCE_MODELS, 1);
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PRODUCE_UNSAT_ASSUMPTIONS, 1);
            // This pass can take minutes on a product of sums and never asks whether it must stop.
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PP_NORMALIZE, 0);
            let solver = sys::bitwuzla_new(manager, options);
            sys::bitwuzla_set_termination_callback(solver, Some(must_stop), watch.get().cast());
            Bitwuzla {
                solver,
                options,
                translator: Translator::new(manager),
                watch,
                levels: Vec::new(),
                asserted_definitions: 0,
                assumptions: Vec::new(),
                last: None,
                checks: 0,
                time: Duration::ZERO,
                assertions: 0,
            }
        }
    }

    fn watch(&mut self) -> &mut Watch {
        self.watch.get_mut()
    }

    /// Runs calls into Bitwuzla and returns what it reports about them.
    fn guarded<T>(&mut self, calls: impl FnOnce(&mut Bitwuzla) -> Result<T, Error>) -> Result<T, Error> {
        REPORTED.with(|reported| reported.borrow_mut().take());
        // SAFETY: the callback is a function.
        unsafe { sys::bitwuzla_set_abort_callback(Some(report)) };
        let result = calls(self);
        match REPORTED.with(|reported| reported.borrow_mut().take()) {
            Some(message) => Err(Error::Failed { solver: NAME, message }),
            None => result,
        }
    }

    fn translate(&mut self, terms: &Terms, term: TermId) -> Result<sys::BitwuzlaTerm, Error> {
        let translated = self.translator.translate(terms, term)?;
        self.assert_definitions();
        Ok(translated)
    }

    /// Asserts definitions that are not asserted at any open level. They only name things, so that it does
    /// no harm when they stay longer than the formula that they came with.
    fn assert_definitions(&mut self) {
        for &definition in &self.translator.definitions()[self.asserted_definitions..] {
            // SAFETY: both belong to this instance.
            unsafe { sys::bitwuzla_assert(self.solver, definition) };
        }
        self.asserted_definitions = self.translator.definitions().len();
    }

    /// The value of a term with definitions that the last check did not know: computed from the values of
    /// its variables, since another check might find another model.
    fn value_by_evaluation(&mut self, terms: &Terms, term: TermId) -> Result<Value, Error> {
        if terms.reachable(&[term]).into_iter().any(|it| matches!(terms.op(it), Op::Apply(_))) {
            let what = "values of functions beside bits of floats that no check has seen".to_owned();
            return Err(Error::Unsupported { solver: NAME, what });
        }
        let mut model = Model::new();
        for variable in terms.free_variables(&[term]) {
            model.assign(variable, self.value(terms, variable)?);
        }
        let failed = |reason: NoValue| Error::Failed { solver: NAME, message: reason.to_string() };
        Evaluator::new(terms, &model).value(term).map_err(failed)
    }

    fn outcome(&mut self, result: sys::BitwuzlaResult) -> Outcome {
        match result {
            sys::BITWUZLA_SAT => Outcome::Sat,
            sys::BITWUZLA_UNSAT => Outcome::Unsat,
            _ => {
                let gave_up = || Why::Incomplete("the solver gave up".to_owned());
                Outcome::Unknown(self.watch().reason().unwrap_or_else(gave_up))
            }
        }
    }
}

impl Solver for Bitwuzla {
    fn name(&self) -> &'static str {
        NAME
    }

    fn assert(&mut self, terms: &Terms, formula: TermId) -> Result<(), Error> {
        self.last = None;
        self.assertions += 1;
        self.guarded(|it| {
            let formula = it.translate(terms, formula)?;
            // SAFETY: both belong to this instance.
            unsafe { sys::bitwuzla_assert(it.solver, formula) };
            Ok(())
        })
    }

    fn push(&mut self) {
        self.last = None;
        self.levels.push(self.asserted_definitions);
        // SAFETY: the solver is alive.
        unsafe { sys::bitwuzla_push(self.solver, 1) };
    }

    fn pop(&mut self) {
        self.last = None;
        self.asserted_definitions = self.levels.pop().expect("a level to pop was pushed before");
        // SAFETY: there is a level, as asserted above.
        unsafe { sys::bitwuzla_pop(self.solver, 1) };
        self.assert_definitions();
    }

    fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Outcome, Error> {
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.checks += 1;
        let started = Instant::now();
        self.watch().start();
        let outcome = self.guarded(|it| {
            let translated: Result<Vec<_>, _> = assumptions.iter().map(|&term| it.translate(terms, term)).collect();
            let mut translated = translated?;
            if it.watch().must_stop() {
                return Ok(it.outcome(sys::BITWUZLA_UNKNOWN));
            }
            let count = translated.len() as u32;
            // SAFETY: the array has that many terms of this instance; the watch is not borrowed meanwhile.
            let result = unsafe { sys::bitwuzla_check_sat_assuming(it.solver, count, translated.as_mut_ptr()) };
            Ok(it.outcome(result))
        });
        self.time += started.elapsed();
        self.last = outcome.as_ref().ok().cloned();
        outcome
    }

    fn value(&mut self, terms: &Terms, term: TermId) -> Result<Value, Error> {
        assert_eq!(self.last, Some(Outcome::Sat), "a value is asked for after a check that found a model");
        self.guarded(|it| {
            let translated = it.translator.translate(terms, term)?;
            if it.translator.definitions().len() > it.asserted_definitions && has_float_bits(terms, term) {
                return it.value_by_evaluation(terms, term);
            }
            // SAFETY: both belong to this instance, and the last call found a model.
            let value = unsafe { sys::bitwuzla_get_value(it.solver, translated) };
            values::read(terms, value, terms.sort(term))
        })
    }
}

impl Cores for Bitwuzla {
    fn failed_assumptions(&mut self) -> Vec<TermId> {
        assert_eq!(self.last, Some(Outcome::Unsat), "a core is asked for after a check that found none");
        let mut count = 0;
        // SAFETY: the last call found no model; the array is copied before its buffer is used again. One
        // term of Bitwuzla has one handle.
        let failed: FxHashSet<sys::BitwuzlaTerm> = unsafe {
            let failed = sys::bitwuzla_get_unsat_assumptions(self.solver, &mut count);
            if count == 0 {
                FxHashSet::default()
            } else {
                std::slice::from_raw_parts(failed, count).iter().copied().collect()
            }
        };
        let is_failed = |term: &TermId| self.translator.known(*term).is_some_and(|it| failed.contains(&it));
        self.assumptions.iter().copied().filter(is_failed).collect()
    }
}

impl Interruptible for Bitwuzla {
    fn interrupter(&self) -> Interrupter {
        // SAFETY: nobody holds a reference into the watch outside of a check, and `check` borrows `self`.
        unsafe { &*self.watch.get() }.interrupter.clone()
    }

    fn attach(&mut self, interrupter: Interrupter) {
        self.watch().interrupter = interrupter;
    }
}

impl Limited for Bitwuzla {
    fn set_limits(&mut self, limits: Limits) {
        self.watch().limits = limits;
    }
}

impl Measured for Bitwuzla {
    fn statistics(&self) -> Statistics {
        Statistics {
            checks: self.checks,
            time: self.time,
            assertions: self.assertions,
            translated_terms: self.translator.count(),
        }
    }
}
