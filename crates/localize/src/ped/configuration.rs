//! What the engine uses: the four configurations of the paper's Table 1, and each part of them for itself.
//!
//! `trusted,no-traces,changes=3` begins with a configuration and then changes single parts, in that order; without a
//! configuration, [`Configuration::Correlated`] is meant.

use std::time::Duration;

use logic::solver::Interrupter;
use source::annotations::Annotations;

/// The four configurations of the paper's Table 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Configuration {
    /// The repair program and the annotation library alone.
    Default,
    /// And what §4.3 and §4.4 add: correlation, several traces, few changes.
    Correlated,
    /// And constraints from what is proved.
    Invariants,
    /// And what proofs need is trusted.
    Trusted,
}

impl Configuration {
    pub const ALL: [Configuration; 4] =
        [Configuration::Default, Configuration::Correlated, Configuration::Invariants, Configuration::Trusted];

    pub fn name(self) -> &'static str {
        match self {
            Configuration::Default => "default",
            Configuration::Correlated => "correlated",
            Configuration::Invariants => "invariants",
            Configuration::Trusted => "trusted",
        }
    }

    pub fn from_name(name: &str) -> Option<Configuration> {
        Configuration::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// Which fix comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranking {
    /// Those with a patch that keeps most of what the program does; then by steps.
    Patches,
    /// §5: fewer skipped steps, fewer changes, more changes outside of loops.
    Steps,
}

/// What is used, each part for itself.
#[derive(Clone, Debug)]
pub struct Options {
    pub annotations: Annotations,
    /// All copies of a statement are changed together.
    pub correlation: bool,
    /// A use and its definition are not both changed.
    pub use_def: bool,
    /// Only fixes that help in all traces.
    pub intersection: bool,
    /// Changes in one fix; nothing for any number.
    pub changes: Option<usize>,
    /// What was checked on the way must still hold, and results obey the specification's ranges.
    pub invariants: bool,
    /// What the specification trusts is not changed.
    pub trust: bool,
    pub ranking: Ranking,
    /// Fixes that are looked for; the paper's 250.
    pub fixes: usize,
    pub time: Duration,
    pub interrupter: Interrupter,
}

impl Options {
    pub fn new(configuration: Configuration) -> Options {
        let improved = configuration >= Configuration::Correlated;
        Options {
            annotations: Annotations::default(),
            correlation: improved,
            use_def: improved,
            intersection: improved,
            changes: improved.then_some(2),
            invariants: configuration >= Configuration::Invariants,
            trust: configuration >= Configuration::Trusted,
            ranking: Ranking::Patches,
            fixes: 250,
            time: Duration::from_secs(10),
            interrupter: Interrupter::new(),
        }
    }

    /// A configuration and then single parts; an error says what was not understood, and what there is.
    pub fn from_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Options, String> {
        let mut words = words.into_iter().peekable();
        let configuration = words.peek().and_then(|word| Configuration::from_name(word));
        if configuration.is_some() {
            words.next();
        }
        let mut options = Options::new(configuration.unwrap_or(Configuration::Correlated));
        words.try_for_each(|word| options.switch(word))?;
        // What a proof needs is known from the proofs that also give ranges.
        if options.trust && !options.invariants {
            return Err("`trust` stands on `invariants`: leave both in, or take both out".to_owned());
        }
        Ok(options)
    }

    fn switch(&mut self, word: &str) -> Result<(), String> {
        if let Some((name, value)) = word.split_once('=') {
            return self.set(name, value);
        }
        let (name, is_on) = word.strip_prefix("no-").map_or((word, true), |name| (name, false));
        let part = match name {
            "correlation" => &mut self.correlation,
            "use-def" => &mut self.use_def,
            "traces" => &mut self.intersection,
            "invariants" => &mut self.invariants,
            "trust" => &mut self.trust,
            _ if Configuration::from_name(name).is_some() => return Err(format!("`{word}` must come first")),
            _ => return Err(unknown(word)),
        };
        *part = is_on;
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || {
            let number = value.parse().ok().filter(|&number: &usize| number > 0);
            number.ok_or_else(|| format!("`{name}` must be a number from 1, not `{value}`"))
        };
        match (name, value) {
            ("changes", "any") => self.changes = None,
            ("changes", _) => self.changes = Some(number()?),
            ("fixes", _) => self.fixes = number()?,
            ("ranking", "patches") => self.ranking = Ranking::Patches,
            ("ranking", "steps") => self.ranking = Ranking::Steps,
            ("ranking", _) => return Err(format!("`ranking` is `patches` or `steps`, not `{value}`")),
            _ => return Err(unknown(&format!("{name}={value}"))),
        }
        Ok(())
    }
}

fn unknown(word: &str) -> String {
    format!(
        "`{word}` is unknown: first default, correlated, invariants or trusted; then correlation, use-def, traces, \
         invariants, trust, each with `no-` or without; changes=N, fixes=N, ranking=patches or steps"
    )
}

#[cfg(test)]
mod tests {
    use super::{Configuration, Options, Ranking};

    #[test]
    fn parts_change_a_configuration() {
        let options = Options::from_words(["trusted", "no-traces", "changes=any", "ranking=steps"]).unwrap();
        assert!(options.trust && options.invariants && options.correlation && !options.intersection);
        assert_eq!((options.changes, options.ranking), (None, Ranking::Steps));
        let options = Options::from_words(["default", "correlation", "fixes=7"]).unwrap();
        assert!(options.correlation && !options.use_def && !options.intersection);
        assert_eq!((options.changes, options.fixes), (None, 7));
    }

    #[test]
    fn each_configuration_has_its_name() {
        for configuration in Configuration::ALL {
            let (named, meant) = (Options::from_words([configuration.name()]).unwrap(), Options::new(configuration));
            let parts =
                |it: &Options| (it.correlation, it.use_def, it.intersection, it.changes, it.invariants, it.trust);
            assert_eq!(parts(&named), parts(&meant));
        }
    }

    #[test]
    fn what_is_unknown_is_named() {
        for word in ["correlatoin", "no-", "changes=0", "changes=two", "ranking=best", "size=3", ""] {
            let error = Options::from_words(["trusted", word]).unwrap_err();
            assert!(error.contains(word.split('=').next_back().unwrap()), "{error}");
        }
        assert_eq!(Options::from_words(["traces", "trusted"]).unwrap_err(), "`trusted` must come first");
        assert!(Options::from_words(["trusted", "no-invariants"]).is_err());
    }
}
