//! Checking with proofs first: what abstract interpretation proves need not be searched for.
//!
//! Program → [`Report`] with [`Proved`]. The analysis gets a share of the time. A check that it proves holds in all
//! executions, with any number of rounds through loops, and is left out of the search; if nothing is left, the program
//! is proved at once. Programs without loops and calls of themselves are searched alone: that is a proof, too, and
//! takes no longer.
//!
//! Not here: what is proved, and how ([`abstraction`]), and the search ([`bmc`]).

use std::sync::Arc;
use std::time::{Duration, Instant};

use abstraction::{ProvedSites, analyse_in_stages};
use program::exec::ViolationKind;
use program::{Program, Site};

use crate::bmc::{self, Options, Report, Statistics, Verdict};
use crate::needed::Needed;

/// The analysis gets one part in so many of the time.
const SHARE: u32 = 5;

/// What abstract interpretation proved.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// Checks that can be reached and hold always.
    pub checks: Vec<ProvedCheck>,
    /// How many checks can be reached in all; 0 if there was no analysis.
    pub of: usize,
    /// Nothing was left to search.
    pub everything: bool,
    pub time: Duration,
}

/// A check that holds in all executions: all of its kind at this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvedCheck {
    pub site: Site,
    pub kind: ViolationKind,
}

/// Checks a program, what can be proved first.
pub fn check(program: &Program, options: &Options) -> (Report, Proved) {
    let started = Instant::now();
    let settings = abstraction::Options {
        checks: options.checks,
        deadline: options.time.map(|time| started + time / SHARE),
        interrupt: options.interrupt.clone(),
        ..abstraction::Options::default()
    };
    let analysis = analyse_in_stages(program, &settings);
    let sites = ProvedSites::of(program, &analysis, options.checks);
    let proved = Proved {
        checks: sites.proved().map(|(site, kind)| ProvedCheck { site, kind }).collect(),
        of: sites.reached(),
        everything: analysis.proves_all(options.checks),
        time: started.elapsed(),
    };
    if proved.everything {
        return (by_analysis(proved.time), proved);
    }
    let time = options.time.map(|time| time.saturating_sub(started.elapsed()));
    let needed = Needed::of(program, options.checks, &|at, kind| !analysis.is_proved(at, kind));
    let (sites, needed) = (Some(Arc::new(sites)), Some(Arc::new(needed)));
    let report = bmc::check(program, &Options { proved: sites, needed, time, ..options.clone() });
    (report, proved)
}

fn by_analysis(time: Duration) -> Report {
    Report {
        verdict: Verdict::Proved,
        others: Verdict::Proved,
        failures: Vec::new(),
        unsupported: Vec::new(),
        notes: Vec::new(),
        statistics: Statistics { time, ..Statistics::default() },
    }
}
