//! The canonical form of a program: expression nodes in the order in which the text form reads them.
//!
//! Node ids carry no meaning beyond identity, and the text form does not show them. Two programs
//! are the same if their canonical forms are equal. All functions here want valid programs.

use std::collections::HashMap;

use source::Place;

use crate::{Body, Expr, ExprId, Function, Program, Site, SiteInfo};

/// Numbers expression nodes in reading order, children first, and drops nodes that nobody uses.
pub fn canonical(program: &mut Program) {
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        *body = canonical_body(body);
    }
    if program.sites.is_empty() {
        program.sites.push(SiteInfo::default());
    }
}

/// Whether two programs differ in nothing but the numbering of nodes and the contents of files.
pub fn same(left: &Program, right: &Program) -> bool {
    fn paths(program: &Program) -> Vec<&str> {
        program.sources.files().map(|file| program.sources.path(file)).collect()
    }
    // An empty table of sites means what a table of only "nowhere" means.
    let sites = |program: &Program| program.sites.get(1..).unwrap_or_default().to_vec();
    paths(left) == paths(right)
        && sites(left) == sites(right)
        && left.ctypes == right.ctypes
        && left.unsupported == right.unsupported
        && left.globals == right.globals
        && left.functions.len() == right.functions.len()
        && left.functions.iter().zip(&right.functions).all(|(left, right)| same_function(left, right))
}

fn same_function(left: &Function, right: &Function) -> bool {
    let canonical = |function: &Function| function.body.as_ref().map(canonical_body);
    let signature = |function: &Function| Function { body: None, ..function.clone() };
    signature(left) == signature(right) && canonical(left) == canonical(right)
}

fn canonical_body(body: &Body) -> Body {
    let mut order = Order { old: body, new_ids: HashMap::new(), exprs: Vec::with_capacity(body.exprs.len()) };
    let mut blocks = body.blocks.clone();
    for block in &mut blocks {
        for command in &mut block.commands {
            command.kind.operands_mut(|id| *id = order.place(*id));
        }
        block.terminator.kind.operands_mut(|id| *id = order.place(*id));
    }
    Body { variables: body.variables.clone(), locals: body.locals.clone(), exprs: order.exprs, blocks }
}

struct Order<'b> {
    old: &'b Body,
    new_ids: HashMap<ExprId, ExprId>,
    exprs: Vec<Expr>,
}

impl Order<'_> {
    /// Takes over a tree, children first; its root's new id.
    fn place(&mut self, root: ExprId) -> ExprId {
        let mut pending = vec![(root, false)];
        while let Some((id, operands_placed)) = pending.pop() {
            let expr = self.old.expr(id);
            if operands_placed {
                let mut expr = expr.clone();
                expr.kind.operands_mut(|operand| *operand = self.new_ids[operand]);
                self.new_ids.insert(id, ExprId(self.exprs.len() as u32));
                self.exprs.push(expr);
            } else {
                pending.push((id, true));
                let first_operand = pending.len();
                expr.kind.operands(|operand| pending.push((*operand, false)));
                pending[first_operand..].reverse();
            }
        }
        self.new_ids[&root]
    }
}

/// Takes away what [`super::Style::Readable`] does not show: the sites of nodes, places in
/// preprocessed text, and how sites are numbered.
pub fn without_node_sites(program: &mut Program) {
    let mut sites =
        Renumbered { old: std::mem::take(&mut program.sites), new: vec![SiteInfo::default()], known: HashMap::new() };
    for unsupported in &mut program.unsupported {
        sites.take(&mut unsupported.site);
    }
    for global in &mut program.globals {
        sites.take(&mut global.site);
    }
    for function in &mut program.functions {
        sites.take(&mut function.site);
    }
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        body.variables.iter_mut().for_each(|variable| sites.take(&mut variable.site));
        body.locals.iter_mut().for_each(|local| sites.take(&mut local.site));
        body.exprs.iter_mut().for_each(|expr| expr.site = Site::NONE);
        for block in &mut body.blocks {
            block.commands.iter_mut().for_each(|command| sites.take(&mut command.site));
            sites.take(&mut block.terminator.site);
        }
    }
    program.sites = sites.new;
}

struct Renumbered {
    old: Vec<SiteInfo>,
    new: Vec<SiteInfo>,
    known: HashMap<Place, Site>,
}

impl Renumbered {
    fn take(&mut self, site: &mut Site) {
        let place = self.old.get(site.0 as usize).and_then(|info| info.place);
        *site = match place {
            None => Site::NONE,
            Some(place) => *self.known.entry(place).or_insert_with(|| {
                self.new.push(SiteInfo { place: Some(place), exact: None });
                Site(self.new.len() as u32 - 1)
            }),
        };
    }
}
