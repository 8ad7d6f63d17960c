//! Proved checks by their places in the source, for those who look for violations in other ways.
//!
//! An [`Analysis`] → [`ProvedSites`]. Another engine names a check by its kind and a place in the source, which may be
//! that of the operation, of a part of it, of an expression around it, or of the command. So a check that is not proved
//! is open at all of these, and a place counts as proved for a kind only if a check is proved there and no command leaves
//! it open. What the analysis does not reach is left to the others.

use std::collections::{BTreeMap, BTreeSet};

use program::exec::{Checks, ViolationKind};
use program::{Body, ExprId, Program, Site};
use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::checks::Check;

/// Where no run violates a check of some kind.
#[derive(Clone, Debug, Default)]
pub struct ProvedSites {
    proved: FxHashSet<(Site, ViolationKind)>,
    open: FxHashSet<(Site, ViolationKind)>,
    /// Kinds about which nothing is known.
    open_kinds: BTreeSet<ViolationKind>,
    /// Checks that can be reached, by their places for people: a site there, and whether all of them are proved.
    listed: BTreeMap<(Point, ViolationKind), (Site, bool)>,
}

/// A file, a line and a column.
type Point = Option<(u32, u32, u32)>;

impl ProvedSites {
    /// What is proved about the checks that are on.
    pub fn of(program: &Program, analysis: &Analysis, checks: Checks) -> ProvedSites {
        let mut sites = ProvedSites::default();
        let open = |kind: &&ViolationKind| analysis.is_open(**kind);
        sites.open_kinds = ViolationKind::ALL.iter().filter(open).copied().collect();
        if analysis.given_up().is_some() {
            return sites;
        }
        for (check, verdict) in analysis.checks().iter() {
            if let Some(body) = &program.function(check.at.function).body {
                let named = touched(body, check).into_iter().filter(|&site| site != Site::NONE);
                let checks = if verdict.proved { &mut sites.proved } else { &mut sites.open };
                checks.extend(named.map(|site| (site, check.kind)));
            }
            if checks.has(check.kind) {
                let place = program.place(verdict.site);
                let key = (place.map(|it| (it.file.0, it.position.line, it.position.column)), check.kind);
                let proved = verdict.proved && !analysis.is_open(check.kind);
                sites.listed.entry(key).or_insert((verdict.site, true)).1 &= proved;
            }
        }
        sites
    }

    /// Whether no run violates a check of this kind that is named by this place.
    pub fn has(&self, site: Site, kind: ViolationKind) -> bool {
        let named = (site, kind);
        self.proved.contains(&named) && !self.open.contains(&named) && !self.open_kinds.contains(&kind)
    }

    /// The checks that can be reached and are proved, in the order of the source.
    pub fn proved(&self) -> impl Iterator<Item = (Site, ViolationKind)> + '_ {
        self.listed.iter().filter(|(_, (_, proved))| *proved).map(|((_, kind), (site, _))| (*site, *kind))
    }

    /// How many checks can be reached, proved or not.
    pub fn reached(&self) -> usize {
        self.listed.len()
    }
}

/// The places by which a check may be named.
fn touched(body: &Body, check: &Check) -> Vec<Site> {
    let block = body.block(check.at.block);
    let mut roots = Vec::new();
    let own = match block.commands.get(check.at.index as usize) {
        Some(command) => {
            command.kind.operands(|id| roots.push(*id));
            command.site
        }
        None => {
            block.terminator.kind.operands(|id| roots.push(*id));
            block.terminator.site
        }
    };
    let mut sites = vec![own];
    let mut found = false;
    for root in &roots {
        found |= around(body, *root, check.expr, &mut sites);
    }
    if !found {
        for root in roots {
            around(body, root, None, &mut sites);
        }
    }
    sites
}

/// The places of an expression, of its parts and of what it is a part of; of everything if there is no expression.
/// True if it is in this tree.
fn around(body: &Body, id: ExprId, wanted: Option<ExprId>, sites: &mut Vec<Site>) -> bool {
    let expr = body.expr(id);
    let inner = if wanted == Some(id) { None } else { wanted };
    let mut found = inner.is_none();
    expr.kind.operands(|operand| found |= around(body, *operand, inner, sites));
    if found {
        sites.push(expr.site);
    }
    found
}
