//! `faultline inputs`: good and bad inputs near a failing one, in a folder.

use std::path::PathBuf;

use anyhow::Result;
use observe::detect::judge::{Confirmed, Judge};
use observe::inputs::folder::Folder;
use observe::inputs::oracle::{Budget, Oracle, Progress, Runs};
use observe::inputs::{self, Generated, Options, Wanted};
use report::Severity;

use crate::arguments_native::{Generate, Near, Search, Subject};
use crate::quantities::counted;
use crate::screen::Screen;
use crate::status_line::StatusLine;
use crate::{Ending, native};

pub fn run(arguments: &Generate, screen: Screen) -> Result<Ending> {
    let (case, failure) = native::case(&arguments.subject, &arguments.search, false)?;
    if !arguments.showing.quiet {
        native::announce(&failure, &arguments.search, case.jobs, screen);
    }
    let folder = arguments.output.clone().unwrap_or_else(|| {
        let mut path = arguments.subject.failing().to_owned().into_os_string();
        path.push(".inputs");
        PathBuf::from(path)
    });
    let key = native::key(&arguments.subject, &failure);
    let (folder, known, log) = Folder::open(&folder, &key, arguments.subject.failing())?;
    if !known.is_empty() && !arguments.showing.quiet {
        let words = format!("{} runs of an earlier call are known", known.len());
        screen.message(Severity::Note, &words);
    }
    let work = Work { case: &case, failure: &failure, search: &arguments.search, near: &arguments.near, screen };
    let generated = work.generate(Some((known, log)), 0)?;
    folder.write(&case.input, &generated)?;
    if !arguments.showing.quiet {
        tell(&generated, screen);
        screen.message(Severity::Note, &format!("they are in {}", folder.path().display()));
    }
    if generated.good.is_empty() {
        screen.message(Severity::Inconclusive, &always(&generated, &arguments.subject, &case.judge));
    }
    Ok(match generated.good.len() >= arguments.near.good_inputs {
        true => Ending::NothingWrong,
        false => Ending::Inconclusive,
    })
}

/// One part of so many of the budget is for further inputs near a good one.
const FURTHER: u64 = 20;

/// What inputs are made of.
pub struct Work<'a> {
    pub case: &'a native::Case,
    pub failure: &'a Confirmed,
    pub search: &'a Search,
    pub near: &'a Near,
    pub screen: Screen,
}

/// What earlier calls found out, and where to write down more.
pub type Known = (std::collections::BTreeMap<inputs::oracle::Content, observe::detect::Verdict>, std::fs::File);

impl Work<'_> {
    fn options(&self, spare: usize) -> Result<Options> {
        Ok(Options {
            wanted: Wanted { good: self.near.good_inputs, bad: self.near.bad_inputs },
            spare,
            reduces: !self.near.no_reduce,
            specification: native::specification(&self.near.tokens)?,
            seed: self.near.seed,
            budget: native::budget(self.search),
        })
    }

    /// Further good inputs near a good one, some of them as long as this, in a small part of the time.
    pub fn near_good(&self, good: &[u8], length: usize, wanted: usize) -> Result<Vec<Vec<u8>>> {
        let options = self.options(0)?;
        let Budget { runs, time } = options.budget;
        let budget = Budget { runs: runs / FURTHER, time: time / FURTHER as u32 };
        let runs = Runs { judge: &self.case.judge, failure: self.failure };
        let oracle = Oracle::new(&runs, self.case.jobs, budget, &|_| {});
        Ok(inputs::near_good(good, length, wanted, &options, &oracle)?)
    }

    /// With so many more good inputs to choose from.
    pub fn generate(&self, known: Option<Known>, spare: usize) -> Result<Generated> {
        let options = self.options(spare)?;
        let status = StatusLine::show(self.screen, "making inputs".to_owned());
        let progress = |it: Progress| {
            status.set(format!(
                "making inputs: {} runs, {} good, {} bad, {} invalid",
                it.runs, it.good, it.bad, it.invalid
            ));
        };
        let runs = Runs { judge: &self.case.judge, failure: self.failure };
        let mut oracle = Oracle::new(&runs, self.case.jobs, options.budget, &progress);
        if let Some((known, log)) = known {
            oracle.resume(known, log);
        }
        Ok(inputs::generate(&self.case.input, &options, &oracle)?)
    }
}

/// How many there are, and how near.
pub fn tell(generated: &Generated, screen: Screen) {
    let distances = |inputs: &[inputs::Near]| {
        let (Some(first), Some(last)) = (inputs.first(), inputs.last()) else { return "none".to_owned() };
        let how_far = match (first.distance, last.distance) {
            (least, most) if least == most => counted(least, "byte"),
            (least, most) => format!("{least} to {most} bytes"),
        };
        format!("{} ({how_far} away)", inputs.len())
    };
    let words = format!(
        "the failing input in {}{}; near {} good inputs: {}; further bad ones: {}; {} runs in {:.1} s",
        counted(generated.small.input.len(), "byte"),
        if generated.small.is_minimal && generated.small.input.len() > 1 {
            ", none of which can be left out"
        } else {
            ""
        },
        if generated.centre == generated.small.input { "it" } else { "the one that was given, as there are more," },
        distances(&generated.good),
        distances(&generated.bad),
        generated.counts.runs,
        generated.time.as_secs_f64()
    );
    screen.message(Severity::Note, &words);
}

/// Why there is no good input.
pub fn always(generated: &Generated, subject: &Subject, judge: &Judge) -> String {
    let counts = generated.counts;
    if counts.runs == 0 {
        return "no other input was tried, and nothing can be compared: allow more with --runs or --timeout".to_owned();
    }
    if counts.invalid > 0 {
        return format!(
            "no good input was found near {}: of {} that were tried, {} fail in the same way and {} count as invalid, as the \
             program exits with another status than {} on them or fails otherwise; if it is not so, see --good-status, --frames \
             and --script",
            subject.failing().display(),
            counts.runs,
            counts.bad,
            counts.invalid,
            judge.good_statuses
        );
    }
    format!(
        "the program fails on all {} inputs that were tried near `{}`: without an input on which it does not, nothing can be \
         compared; does it need the input at all? @@ stands for its path in the command",
        counts.runs,
        subject.failing().display()
    )
}
