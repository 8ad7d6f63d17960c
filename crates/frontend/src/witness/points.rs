//! Where in a program the steps of a witness are made: a step's location → occasions in the graph of blocks.
//!
//! An operation of a line is over where control leaves the line inside of its block; a statement is about to be
//! executed where control enters its range; a branch is taken along an edge; a call is at the line of its call,
//! or, with a column, where its closing parenthesis is. Where a line has nothing that is executed (a
//! declaration), what is executed next counts.
//!
//! Deviation from the formats: verifiers disagree about lines and about what a branch's condition is when it has
//! `!`, `&&` or `||`. Where several readings are possible, all are taken, so that more paths may be followed
//! than the witness meant; whatever is found is replayed anyway.

use program::{
    BlockId, Body, CType, CTypeId, Callee, Command, CommandKind, FunctionId, Program, Site, TerminatorKind, VarId,
};
use source::{Hint, Place, Position, Span};

use super::lines::{self, LineMap};
use super::model::{Edge, Event, Location, Role, Way, Witness};
use super::typing::Returned;

/// A command of a block, or its terminator, which has the number after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub function: FunctionId,
    pub block: BlockId,
    pub index: u32,
}

/// What comes first at one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The call before has returned.
    Returned,
    /// The operations of the line before are over.
    Over,
    /// A statement begins.
    Begins,
    /// A call is about to be made, or a function is about to return.
    Calls,
}

/// Where a step can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    Before(Point, Phase),
    /// On the way from a block to its successor of this number.
    Along {
        function: FunctionId,
        block: BlockId,
        slot: u32,
    },
}

#[derive(Clone, Copy)]
pub struct Occasion {
    pub spot: Spot,
    pub result: Option<Returned>,
    /// The witness may mean it or not: the step can be made here, but need not.
    pub perhaps: bool,
}

impl Occasion {
    fn new(spot: Spot) -> Occasion {
        Occasion { spot, result: None, perhaps: false }
    }
}

/// The program's points by their lines.
pub struct Points<'p> {
    program: &'p Program,
    lines: LineMap,
    places: Vec<(FunctionId, &'p Body, BlockPlaces)>,
}

/// For each block of a body, where its commands and its terminator stand.
type BlockPlaces = Vec<Vec<Option<Place>>>;

impl<'p> Points<'p> {
    /// `text` is the file that was given, if the program is of one file.
    pub fn new(program: &'p Program, text: Option<&str>) -> Points<'p> {
        let lines = text.map(LineMap::of).unwrap_or_default();
        let mut points = Points { program, lines, places: Vec::new() };
        for (index, function) in program.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            let places = body.blocks.iter().map(|block| {
                let commands = block.commands.iter().map(|it| points.place(it.site).filter(|_| is_operation(it)));
                let end = points.place(block.terminator.site);
                let end = end.filter(|_| !matches!(block.terminator.kind, TerminatorKind::Goto(_)));
                commands.chain([end]).collect()
            });
            let places = places.collect();
            points.places.push((FunctionId(index as u32), body, places));
        }
        points
    }

    /// The place with the line that the given file has.
    fn place(&self, site: Site) -> Option<Place> {
        let mut place = self.program.place(site)?;
        place.position.line = self.lines.line(self.program.sources.path(place.file), place.position.line)?;
        Some(place)
    }

    /// The last line of the program that something happens on.
    pub fn last_line(&self) -> u32 {
        let places = self.places.iter().flat_map(|(_, _, blocks)| blocks.iter().flatten().flatten());
        let lines = places.map(|place| place.position.line);
        let files = self.program.sources.files().map(|file| self.program.sources.line_count(file));
        lines.chain(files.filter(|_| self.lines.is_empty())).max().unwrap_or(0)
    }

    /// All occasions for a step; none if nothing at its location fits.
    pub fn occasions(&self, witness: &Witness, edge: &Edge) -> Vec<Occasion> {
        let location = &edge.location;
        let into_violation = witness.state(edge.target).role == Role::Violation;
        let result_of = edge.assumption.as_ref().and_then(|it| it.result_of.as_deref());
        match &edge.event {
            _ if result_of.is_some() => self.returns(location, result_of),
            Event::Enter(Some(name)) if name == "main" && self.program.find_function("main").is_some() => self.entry(),
            Event::Enter(name) => self.calls(location, name.as_deref(), Phase::Calls),
            Event::Return(Some(name)) => {
                let leaves = self.leaves(location, name);
                if leaves.is_empty() { self.returns(location, Some(name)) } else { leaves }
            }
            Event::Return(None) => self.returns(location, None),
            Event::Branch(way) => self.branches(location, *way),
            Event::Operation | Event::Target if into_violation => self.anywhere(location),
            Event::Operation => self.over(location, edge.assumption.is_some()),
            Event::Statement | Event::Target => self.begins(location),
        }
    }

    fn entry(&self) -> Vec<Occasion> {
        let main = self.program.find_function("main");
        let first = main.map(|function| Point { function, block: BlockId(0), index: 0 });
        first.into_iter().map(|point| Occasion::new(Spot::Before(point, Phase::Returned))).collect()
    }

    fn in_file(&self, location: &Location, place: Place) -> bool {
        let Some(file) = location.file.as_deref().filter(|_| self.lines.is_empty()) else { return true };
        let sources = &self.program.sources;
        let known = sources.files().any(|it| lines::base(sources.path(it)) == lines::base(file));
        !known || lines::base(sources.path(place.file)) == lines::base(file)
    }

    fn fits(&self, location: &Location, place: Place) -> bool {
        let last = location.end_line.or(location.line);
        let after = location.line.is_none_or(|line| place.position.line >= line);
        let before = last.is_none_or(|line| place.position.line <= line);
        after && before && self.in_file(location, place)
    }

    /// The points of a location, as ranges of commands without a break in a block.
    fn runs(&self, inside: impl Fn(Place) -> bool) -> Vec<(Point, u32)> {
        let mut runs = Vec::new();
        for (function, _, blocks) in &self.places {
            for (block, places) in blocks.iter().enumerate() {
                let mut open: Option<(u32, u32)> = None;
                for (index, place) in places.iter().enumerate() {
                    let Some(place) = place else { continue };
                    let index = index as u32;
                    match (inside(*place), &mut open) {
                        (true, Some((_, last))) => *last = index,
                        (true, None) => open = Some((index, index)),
                        (false, _) => {
                            let block = BlockId(block as u32);
                            let point = |first| Point { function: *function, block, index: first };
                            runs.extend(open.take().map(|(first, last)| (point(first), last)));
                        }
                    }
                }
                let point = |first| Point { function: *function, block: BlockId(block as u32), index: first };
                runs.extend(open.map(|(first, last)| (point(first), last)));
            }
        }
        runs
    }

    /// Where the operations of a line are over. A line without any counts only if something is assumed there.
    fn over(&self, location: &Location, assumes: bool) -> Vec<Occasion> {
        if location.line.is_none() {
            return Vec::new();
        }
        let runs = self.runs(|place| self.fits(location, place));
        if runs.is_empty() {
            return if assumes { self.next_after(location) } else { Vec::new() };
        }
        let after = |(first, last): (Point, u32)| {
            let commands = self.body(first.function).block(first.block).commands.len() as u32;
            let point = Point { index: (last + 1).min(commands), ..first };
            Occasion::new(Spot::Before(point, Phase::Over))
        };
        runs.into_iter().map(after).collect()
    }

    /// Before everything that a statement does, or a line without a column: any of it may fail.
    fn anywhere(&self, location: &Location) -> Vec<Occasion> {
        if location.line.is_none() {
            return Vec::new();
        }
        let statement = self.statement(location);
        let mut found = Vec::new();
        for (function, _, blocks) in &self.places {
            for (number, places) in blocks.iter().enumerate() {
                for (index, place) in places.iter().enumerate() {
                    let inside = |place: Place| match statement {
                        Some(span) => span.contains(place),
                        None => self.fits(location, place),
                    };
                    if place.is_some_and(inside) {
                        let block = BlockId(number as u32);
                        let point = Point { function: *function, block, index: index as u32 };
                        found.push(Occasion::new(Spot::Before(point, Phase::Begins)));
                    }
                }
            }
        }
        if found.is_empty() { self.next_after(location) } else { found }
    }

    /// Where control enters a statement, or a line without a column.
    fn begins(&self, location: &Location) -> Vec<Occasion> {
        if location.line.is_none() {
            return Vec::new();
        }
        let statement = self.statement(location);
        let runs = match statement {
            Some(span) => self.runs(|place| span.contains(place)),
            None => self.runs(|place| self.fits(location, place)),
        };
        if runs.is_empty() {
            return self.next_after(location);
        }
        let mut occasions = Vec::new();
        for (first, _) in runs {
            let earlier = self.blocks(first.function)[first.block.index()][..first.index as usize].iter().flatten();
            let inside = |span: Span, place: Option<Place>| place.is_some_and(|place| span.contains(place));
            let looping = statement.filter(|span| {
                let from_inside = |block: BlockId| inside(*span, self.end_place(first.function, block));
                self.predecessors(first).into_iter().any(|(block, _)| from_inside(block))
            });
            match looping.filter(|_| earlier.count() == 0) {
                None => occasions.push(Spot::Before(first, Phase::Begins)),
                Some(span) => {
                    for (block, slot) in self.predecessors(first) {
                        if !inside(span, self.end_place(first.function, block)) {
                            occasions.push(Spot::Along { function: first.function, block, slot });
                        }
                    }
                }
            }
        }
        occasions.into_iter().map(Occasion::new).collect()
    }

    /// Where the way out of a block stands, or the last command before it.
    fn end_place(&self, function: FunctionId, block: BlockId) -> Option<Place> {
        let terminator = self.place(self.body(function).block(block).terminator.site);
        terminator.or_else(|| self.blocks(function)[block.index()].iter().rev().flatten().next().copied())
    }

    fn predecessors(&self, point: Point) -> Vec<(BlockId, u32)> {
        let mut found = Vec::new();
        for (index, block) in self.body(point.function).blocks.iter().enumerate() {
            let mut slot = 0;
            block.terminator.kind.successors(|target| {
                if target == point.block {
                    found.push((BlockId(index as u32), slot));
                }
                slot += 1;
            });
        }
        found
    }

    /// The statement that begins at a line and column.
    fn statement(&self, location: &Location) -> Option<Span> {
        let (line, column) = (location.line?, location.column?);
        if !self.lines.is_empty() {
            return None;
        }
        let sources = &self.program.sources;
        let at = |file| Place { file, position: Position { line, column } };
        let files = sources.files().filter(|file| self.in_file(location, at(*file)));
        let spans = files.filter_map(|file| sources.statement_at(at(file)));
        spans.into_iter().find(|span| self.places_in(*span) || span.start == Position { line, column })
    }

    fn places_in(&self, span: Span) -> bool {
        let mut places = self.places.iter().flat_map(|(_, _, blocks)| blocks.iter().flatten().flatten());
        places.any(|place| span.contains(*place))
    }

    /// The first thing that is executed after a line, in the function around it.
    fn next_after(&self, location: &Location) -> Vec<Occasion> {
        let Some(line) = location.line else { return Vec::new() };
        let begins = |(function, _, _): &&(FunctionId, &Body, _)| {
            self.place(self.program.function(*function).site).map(|place| place.position.line)
        };
        let around = self.places.iter().filter(|it| begins(it).is_some_and(|first| first <= line)).max_by_key(begins);
        let Some((function, _, blocks)) = around else { return Vec::new() };
        // Between functions, nothing is executed.
        let mut next: Option<(Position, Point)> = None;
        for (block, places) in blocks.iter().enumerate() {
            for (index, place) in places.iter().enumerate() {
                let Some(place) = place.filter(|it| it.position.line > line && self.in_file(location, *it)) else {
                    continue;
                };
                let point = Point { function: *function, block: BlockId(block as u32), index: index as u32 };
                if next.is_none_or(|(least, _)| place.position < least) {
                    next = Some((place.position, point));
                }
            }
        }
        let spot = next.map(|(_, point)| Spot::Before(point, Phase::Begins));
        spot.into_iter().map(Occasion::new).collect()
    }

    /// Calls at a location, by name if there is one; if none is at the line, those anywhere.
    fn calls(&self, location: &Location, name: Option<&str>, phase: Phase) -> Vec<Occasion> {
        let mut here = Vec::new();
        let mut anywhere = Vec::new();
        for (function, body, blocks) in &self.places {
            for (block, places) in body.blocks.iter().zip(blocks).enumerate().map(|(index, it)| ((index, it.0), it.1)) {
                let (number, block) = block;
                for (index, command) in block.commands.iter().enumerate() {
                    let Some(called) = self.called(command) else { continue };
                    if phase == Phase::Returned && matches!(command.kind, CommandKind::Fail(_)) {
                        continue;
                    }
                    if name.is_some_and(|name| called.as_deref().is_some_and(|called| called != name)) {
                        continue;
                    }
                    let place = places[index];
                    let shift = u32::from(phase == Phase::Returned);
                    let point =
                        Point { function: *function, block: BlockId(number as u32), index: index as u32 + shift };
                    let result = self.returned(command, called.as_deref());
                    let occasion = Occasion { result, ..Occasion::new(Spot::Before(point, phase)) };
                    if place.is_some_and(|place| self.is_call_at(location, place)) {
                        here.push(occasion);
                    } else if name.is_some() {
                        anywhere.push(occasion);
                    }
                }
            }
        }
        if here.is_empty() { anywhere } else { here }
    }

    fn returns(&self, location: &Location, name: Option<&str>) -> Vec<Occasion> {
        self.calls(location, name, Phase::Returned)
    }

    fn is_call_at(&self, location: &Location, place: Place) -> bool {
        let end = self.closing(place);
        match (location.column, end) {
            (Some(column), Some(end)) if self.lines.is_empty() => {
                location.line == Some(end.line) && column == end.column && self.in_file(location, place)
            }
            _ => self.fits(location, place) || end.is_some_and(|end| location.line == Some(end.line)),
        }
    }

    /// The closing parenthesis of the call that begins at a place.
    pub fn closing(&self, place: Place) -> Option<Position> {
        let call = self.program.sources.expression_at(place, Hint::Call)?;
        let Position { line, column } = call.span.end;
        Some(Position { line, column: column.checked_sub(1).filter(|it| *it > 0)? })
    }

    /// The function that a command calls: `Some(None)` if that is not known before it runs.
    fn called(&self, command: &Command) -> Option<Option<String>> {
        match &command.kind {
            CommandKind::Call(call) => Some(match call.callee {
                Callee::Direct(function) => Some(self.program.function(function).name.clone()),
                Callee::Indirect(_) => None,
            }),
            CommandKind::Havoc { source, .. } => Some(Some(source.to_string())),
            CommandKind::Fail(failure) => Some(Some(failure.message.to_string())),
            _ => None,
        }
    }

    fn returned(&self, command: &Command, name: Option<&str>) -> Option<Returned> {
        let variable: VarId = match &command.kind {
            CommandKind::Call(call) => *call.targets.first()?,
            CommandKind::Havoc { target, .. } => *target,
            _ => return None,
        };
        let function = name.and_then(|name| self.program.find_function(name));
        let declared = function.and_then(|it| self.program.function(it).ctype).and_then(|it| self.result_type(it));
        Some(Returned { variable, ctype: declared })
    }

    fn result_type(&self, function: CTypeId) -> Option<CTypeId> {
        match self.program.resolve(function) {
            CType::Function { returns, .. } => Some(*returns),
            _ => None,
        }
    }

    /// The returns of a function with a body; those of the line, if there are any.
    fn leaves(&self, location: &Location, name: &str) -> Vec<Occasion> {
        let mut leaves = Vec::new();
        for (function, body, _) in &self.places {
            if self.program.function(*function).name != name {
                continue;
            }
            for (number, block) in body.blocks.iter().enumerate() {
                if matches!(block.terminator.kind, TerminatorKind::Return(_)) {
                    let index = block.commands.len() as u32;
                    let point = Point { function: *function, block: BlockId(number as u32), index };
                    leaves.push((point, self.place(block.terminator.site)));
                }
            }
        }
        let at_line = |place: &Option<Place>| place.is_some_and(|place| self.fits(location, place));
        if leaves.iter().any(|(_, place)| at_line(place)) {
            leaves.retain(|(_, place)| at_line(place));
        }
        let occasion = |(point, _)| Occasion::new(Spot::Before(point, Phase::Calls));
        leaves.into_iter().map(occasion).collect()
    }

    fn branches(&self, location: &Location, way: Way) -> Vec<Occasion> {
        let mut found = Vec::new();
        for (function, body, _) in &self.places {
            for (number, block) in body.blocks.iter().enumerate() {
                let Some(place) = self.place(block.terminator.site) else { continue };
                if !self.is_branch_at(location, place) {
                    continue;
                }
                let exact = location.column.is_some();
                for (slot, perhaps) in slots(body, BlockId(number as u32), way, exact) {
                    let spot = Spot::Along { function: *function, block: BlockId(number as u32), slot };
                    found.push(Occasion { perhaps, ..Occasion::new(spot) });
                }
            }
        }
        found
    }

    fn is_branch_at(&self, location: &Location, place: Place) -> bool {
        let statement = self.program.sources.statement_at(place).filter(|_| self.lines.is_empty());
        match (location.line, location.column, statement) {
            (Some(line), Some(column), Some(span)) => {
                span.start == Position { line, column } && self.in_file(location, place)
            }
            (Some(line), None, Some(span)) if span.start.line == line => self.in_file(location, place),
            _ => location.line.is_some() && self.fits(location, place),
        }
    }

    fn body(&self, function: FunctionId) -> &'p Body {
        let found = self.places.iter().find(|(id, _, _)| *id == function);
        found.map(|(_, body, _)| *body).expect("points are in functions with a body")
    }

    fn blocks(&self, function: FunctionId) -> &[Vec<Option<Place>>] {
        let found = self.places.iter().find(|(id, _, _)| *id == function);
        found.map(|(_, _, blocks)| blocks.as_slice()).expect("points are in functions with a body")
    }
}

/// The successors of a block that are this way out of its branch, and whether only perhaps. Clang's names of
/// blocks say which way of the statement they are; without `exact`, the machine's own branch may be meant, too.
fn slots(body: &Body, block: BlockId, way: Way, exact: bool) -> Vec<(u32, bool)> {
    match &body.block(block).terminator.kind {
        TerminatorKind::Branch { then, otherwise, .. } => {
            let mut slots = Vec::new();
            for (slot, target) in [(0, *then), (1, *otherwise)] {
                let name = &body.block(target).name;
                let named = outcome(name);
                let machine = if slot == 0 { Way::True } else { Way::False };
                let inside = name.starts_with("land.") || name.starts_with("lor.");
                if named == Some(way) || named.is_none() && !inside && machine == way {
                    slots.push((slot, false));
                } else if !exact && machine == way {
                    slots.push((slot, true));
                }
            }
            slots
        }
        TerminatorKind::Switch { value, cases, .. } => {
            let ty = body.expr(*value).ty;
            let wanted = |number: i128| number as u128 & ty.mask();
            match way {
                Way::Case(number) => {
                    let position = cases.iter().position(|(case, _)| *case == wanted(number));
                    position.map(|it| (it as u32, false)).into_iter().collect()
                }
                Way::Default => vec![(cases.len() as u32, false)],
                Way::True | Way::False => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Which way of its statement a block is, by the name that clang gave it.
pub fn outcome(name: &str) -> Option<Way> {
    let stem = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.');
    match stem {
        "if.then" | "while.body" | "for.body" | "do.body" | "cond.true" => Some(Way::True),
        "if.else" | "if.end" | "while.end" | "for.end" | "do.end" | "cond.false" | "for.cond.cleanup" => {
            Some(Way::False)
        }
        _ => None,
    }
}

/// Scopes that begin and end are no operations.
fn is_operation(command: &Command) -> bool {
    !matches!(command.kind, CommandKind::Declare(_) | CommandKind::Begin(_) | CommandKind::End(_))
}
