//! The C library: what its functions do to a set of states.
//!
//! Allocation, memory and string functions have models here. Functions that only print or compute change no
//! memory. Every other function that the executor knows may write anywhere and free anything; one that it
//! does not know yields any value, as it does there.

use program::Call;
use program::exec::{ViolationKind, libc};

use crate::analyzer::{Analyzer, Frame};
use crate::commands::Passed;
use crate::memory::Extent;
use crate::numeric::{Interval, Linear, Numeric, Range};
use crate::places::{Object, ObjectId, Place, Reading};
use crate::state::{Life, Rest, State, Targets};
use crate::value::{Number, OFFSET, Pointer, Value};

/// Functions that change no memory of the program.
const HARMLESS: &[&str] = &[
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "vprintf",
    "vfprintf",
    "fputs",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "fwrite",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isxdigit",
    "ispunct",
    "isprint",
    "iscntrl",
    "isgraph",
    "isblank",
    "toupper",
    "tolower",
    "abs",
    "labs",
    "llabs",
    "rand",
    "random",
    "srand",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "strspn",
    "strcspn",
    "getchar",
    "fgetc",
    "getc",
    "feof",
    "ferror",
    "clock",
    "sleep",
    "usleep",
    "close",
    "write",
    "sqrt",
    "pow",
    "floor",
    "ceil",
    "fabs",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "log10",
    "fmod",
    "getpid",
    "getuid",
    "setbuf",
    "strcoll",
    "putenv",
];

/// Functions that can call functions of the program.
const CALLING_BACK: &[&str] = &[
    "qsort",
    "qsort_r",
    "bsearch",
    "atexit",
    "on_exit",
    "at_quick_exit",
    "signal",
    "sigaction",
    "raise",
    "kill",
    "tsearch",
    "tfind",
    "twalk",
    "tdelete",
    "lfind",
    "lsearch",
    "pthread_create",
    "pthread_once",
    "exit",
    "quick_exit",
    "ftw",
    "nftw",
    "scandir",
    "glob",
];

/// What could be wrong with a call of a library function.
const LIBRARY_KINDS: &[ViolationKind] = &[
    ViolationKind::NullDereference,
    ViolationKind::OutOfBoundsBelow,
    ViolationKind::OutOfBoundsAbove,
    ViolationKind::UseAfterFree,
    ViolationKind::UseAfterScope,
    ViolationKind::WildPointer,
    ViolationKind::WriteToConstant,
    ViolationKind::Uninitialized,
    ViolationKind::StringFunction,
    ViolationKind::BadCall,
    ViolationKind::DoubleFree,
    ViolationKind::InvalidFree,
    ViolationKind::Overflow,
    ViolationKind::DivisionByZero,
    ViolationKind::Assert,
    ViolationKind::ErrorCall,
    ViolationKind::ArrayIndex,
    ViolationKind::FloatConversion,
];

pub(crate) fn may_write(name: &str) -> bool {
    libc::find(name).is_some() && !HARMLESS.contains(&name) && !matches!(name, "malloc" | "calloc" | "abort" | "strlen")
}

pub(crate) fn may_free(name: &str) -> bool {
    may_write(name) && !matches!(name, "memcpy" | "memset" | "memmove" | "strcpy" | "strncpy" | "strcat" | "exit")
}

pub(crate) fn may_call_back(name: &str) -> bool {
    CALLING_BACK.contains(&name)
}

impl<'p> Analyzer<'p> {
    /// A call of a function without a body.
    pub(crate) fn external(
        &mut self,
        mut state: State,
        frame: &Frame<'p>,
        call: &Call,
        name: &str,
        arguments: &[Passed],
    ) -> Vec<State> {
        if let Some(states) = self.modelled(&mut state, frame, call, name, arguments) {
            return states;
        }
        if libc::find(name).is_some() {
            self.unmodelled_checks(frame);
            let passes_function = arguments.iter().any(|passed| self.may_be_function(&passed.value));
            if may_call_back(name) || passes_function {
                self.call_back(&mut state);
            } else if may_write(name) {
                self.havoc_memory(&mut state);
                if may_free(name) {
                    self.blur_lives(&mut state);
                }
            }
        } else {
            self.meet_obstacle(|| format!("`{name}` is defined nowhere; its results are taken to be anything"));
        }
        self.forget_results(&mut state, frame, call);
        vec![state]
    }

    fn may_be_function(&self, value: &Value) -> bool {
        let Value::Pointer(pointer) = value else { return false };
        pointer.targets.objects.iter().any(|object| matches!(self.places.object(*object), Object::Function(_)))
    }

    /// Nothing is known about how the function uses its arguments.
    pub(crate) fn unmodelled_checks(&mut self, frame: &Frame<'_>) {
        for kind in LIBRARY_KINDS {
            self.check(frame, None, *kind, false);
        }
    }

    fn modelled(
        &mut self,
        state: &mut State,
        frame: &Frame<'p>,
        call: &Call,
        name: &str,
        arguments: &[Passed],
    ) -> Option<Vec<State>> {
        let pointer = |position: usize| match arguments.get(position) {
            Some(Passed { value: Value::Pointer(pointer), copied: None, .. }) => Some(pointer.clone()),
            _ => None,
        };
        let number = |position: usize| match arguments.get(position) {
            Some(Passed { value: Value::Number(number), copied: None, .. }) if number.reading.bits == 64 => {
                Some(number.read_as(Reading::unsigned(64)))
            }
            _ => None,
        };
        let result = match (name, arguments.len()) {
            ("malloc" | "valloc", 1) => self.allocated(state, frame, &number(0)?, false),
            ("calloc", 2) => {
                let (count, size) = (number(0)?, number(1)?);
                let total = self.product(&count, &size)?;
                self.allocated(state, frame, &total, true)
            }
            ("free" | "cfree", 1) => {
                self.free(state, frame, &pointer(0)?);
                self.forget_results(state, frame, call);
                return Some(vec![state.clone()]);
            }
            ("abort", _) => return Some(Vec::new()),
            ("exit" | "_exit" | "_Exit", _) => {
                if self.effects.address_taken.iter().any(|it| self.program.function(*it).body.is_some())
                    && name == "exit"
                {
                    self.call_back(state);
                }
                return Some(Vec::new());
            }
            ("memcpy" | "memmove", 3) => {
                let (to, from, size) = (pointer(0)?, pointer(1)?, number(2)?);
                self.copy(state, frame, &to, &from, &size, name == "memmove");
                Value::Pointer(to)
            }
            ("memset", 3) => {
                let (to, size) = (pointer(0)?, number(2)?);
                let Some(Passed { value: Value::Number(byte), .. }) = arguments.get(1) else { return None };
                self.fill(state, frame, &to, byte, &size);
                Value::Pointer(to)
            }
            ("strlen", 1) => {
                let length = self.string(state, frame, &pointer(0)?);
                self.settle(state);
                Value::Number(Number { reading: Reading::unsigned(64), ..length })
            }
            ("strcpy" | "stpcpy", 2) => {
                let (to, from) = (pointer(0)?, pointer(1)?);
                let length = self.string(state, frame, &from);
                self.copy_string(state, frame, &to, &length, is_apart(&to, &from));
                if name == "stpcpy" { Value::Pointer(Pointer::wild()) } else { Value::Pointer(to) }
            }
            ("strcat", 2) => {
                let (to, from) = (pointer(0)?, pointer(1)?);
                let before = self.string(state, frame, &to);
                let length = self.string(state, frame, &from);
                let end = self.advanced(state, &to, &before);
                self.copy_string(state, frame, &end, &length, is_apart(&to, &from));
                Value::Pointer(to)
            }
            ("strncpy", 3) => {
                let (to, from, size) = (pointer(0)?, pointer(1)?, number(2)?);
                self.copy_bounded(state, frame, &to, &from, &size);
                Value::Pointer(to)
            }
            ("strchr" | "strrchr", 2) => {
                let text = pointer(0)?;
                let length = self.string(state, frame, &text);
                self.settle(state);
                self.found(&text, &length)
            }
            ("strcmp", 2) => {
                self.string(state, frame, &pointer(0)?);
                self.string(state, frame, &pointer(1)?);
                self.settle(state);
                self.forget_results(state, frame, call);
                return Some(vec![state.clone()]);
            }
            ("getchar" | "rand" | "random", 0) => {
                self.forget_results(state, frame, call);
                let low = if name == "getchar" { Interval::new(-1, 255) } else { Interval::new(0, (1 << 31) - 1) };
                for target in &call.targets {
                    let dimension = self.variable(frame, *target);
                    state.numbers.restrict(dimension, Range::of(low));
                }
                return Some(vec![state.clone()]);
            }
            ("printf" | "puts" | "putchar", _) if self.prints_text_only(&pointer(0), name, arguments) => {
                self.forget_results(state, frame, call);
                return Some(vec![state.clone()]);
            }
            _ => return None,
        };
        if let Some(target) = call.targets.first() {
            self.set_variable(state, frame, *target, &result);
        }
        Some(vec![state.clone()])
    }

    /// A constant format without directives, or a character.
    fn prints_text_only(&self, text: &Option<Pointer>, name: &str, arguments: &[Passed]) -> bool {
        if name == "putchar" {
            return arguments.len() == 1;
        }
        let Some(text) = text else { return false };
        let ([object], Some(0), false) = (&text.targets.objects[..], text.offset.as_constant(), text.targets.null)
        else {
            return false;
        };
        let Object::Global(global) = self.places.object(*object) else { return false };
        let global = self.program.global(global);
        let program::Initializer::Bytes { bytes, addresses } = &global.init else { return false };
        let terminated = bytes.contains(&0) || (bytes.len() as u64) < global.size;
        global.constant
            && terminated
            && addresses.is_empty()
            && !(name == "printf" && bytes.contains(&b'%'))
            && arguments.len() == 1
    }

    fn product(&self, left: &Number, right: &Number) -> Option<Number> {
        let range = left.range.times(right.range);
        if !range.interval.is_within(Reading::unsigned(64).interval()) {
            return Some(Number::any(Reading::unsigned(64)));
        }
        let linear = match (left.as_constant(), right.as_constant()) {
            (_, Some(factor)) => left.linear.as_ref().and_then(|linear| linear.scaled(factor)),
            (Some(factor), _) => right.linear.as_ref().and_then(|linear| linear.scaled(factor)),
            _ => None,
        };
        Some(Number { reading: Reading::unsigned(64), range, linear })
    }

    fn allocated(&mut self, state: &mut State, frame: &Frame<'_>, size: &Number, zero: bool) -> Value {
        let id = self.places.object_number(Object::Heap(frame.context, frame.at));
        // The executor has a gibibyte; a request that may be larger may fail.
        let small = size.range.interval.is_within(Interval::new(0, 1 << 29));
        if !small {
            self.meet_obstacle(|| "an allocation whose size has no small bound is not followed".to_owned());
        }
        let capped = Number { range: size.range.meet(Range::of(Interval::new(0, (1 << 31) - 1))), ..size.clone() };
        if capped.range.is_empty() {
            return Value::Pointer(Pointer::null());
        }
        // A size that does not fit is no relation for those that do.
        let capped = if small { capped } else { Number { linear: None, ..capped } };
        self.create(state, id, Some(&capped), zero);
        let targets = Targets { null: !small, ..Targets::one(id) };
        Value::Pointer(Pointer { targets, offset: Number::constant(0, OFFSET) })
    }

    fn free(&mut self, state: &mut State, frame: &Frame<'_>, pointer: &Pointer) {
        let wild = pointer.targets.wild;
        let objects = pointer.targets.objects.clone();
        let heap = |this: &Self, id: &ObjectId| matches!(this.places.object(*id), Object::Heap(..));
        let starts = pointer.offset.as_constant() == Some(0) || objects.is_empty();
        let valid = !wild && starts && objects.iter().all(|id| heap(self, id));
        self.check(frame, None, ViolationKind::InvalidFree, valid);
        let alive = objects.iter().all(|id| state.objects.get(id).is_some_and(|it| it.life == Life::Alive && !it.many));
        self.check(frame, None, ViolationKind::DoubleFree, !wild && alive);
        if wild {
            return self.blur_lives(state);
        }
        let single = objects.len() == 1 && !pointer.targets.null;
        for id in objects {
            if let Some(object) = state.objects.get_mut(&id) {
                object.life = if single && !object.many { Life::Ended } else { Life::Either };
            }
        }
    }

    /// Checks that a string can be read from here; its length.
    fn string(&mut self, state: &mut State, frame: &Frame<'_>, pointer: &Pointer) -> Number {
        let valid = self.access(state, frame, None, pointer, &Extent::Bytes(1), false);
        let [object] = valid.targets.objects[..] else { return self.unknown_string(frame) };
        if valid.targets.wild {
            return self.unknown_string(frame);
        }
        let (terminator, size) = (self.terminator(object), self.size(object));
        let end = self.of_linear(state, &terminator);
        let room = self.of_linear(state, &size);
        let before = self.difference(state, &valid.offset, &end).high.is_some_and(|high| high <= 0);
        let ends = self.difference(state, &end, &room).high.is_some_and(|high| high < 0);
        let info = state.objects[&object].clone();
        let from_start = valid.offset.as_constant() == Some(0);
        let proved = ends && (before || from_start) && (!info.many || from_start);
        self.check(frame, None, ViolationKind::StringFunction, proved);
        let prefix = Linear::dimension(self.places.dimension(Place::Written(object)));
        let prefix = self.of_linear(state, &prefix);
        let read = self.difference(state, &end, &prefix).high.is_some_and(|high| high < 0) && !info.many;
        self.check(frame, None, ViolationKind::Uninitialized, info.written || (proved && read));
        if !before || info.many {
            return Number::of(Range::of(Interval::new(0, (1 << 31) - 1)), OFFSET);
        }
        // It ended inside the object, or the run did.
        self.learned.extend(terminator.minus(&size).and_then(|excess| excess.plus_constant(1)));
        let linear = valid.offset.linear.as_ref().and_then(|offset| terminator.minus(offset));
        let range =
            Range::of(self.difference(state, &end, &valid.offset)).meet(Range::of(Interval::new(0, (1 << 31) - 1)));
        Number { reading: OFFSET, range, linear }
    }

    fn unknown_string(&mut self, frame: &Frame<'_>) -> Number {
        self.check(frame, None, ViolationKind::StringFunction, false);
        self.check(frame, None, ViolationKind::Uninitialized, false);
        Number::of(Range::of(Interval::new(0, (1 << 31) - 1)), OFFSET)
    }

    /// A pointer moved by a number of bytes that is known to stay in the object.
    fn advanced(&mut self, state: &State, pointer: &Pointer, distance: &Number) -> Pointer {
        if pointer.targets.wild {
            return Pointer::wild();
        }
        let linear = pointer.offset.linear.as_ref().zip(distance.linear.as_ref()).and_then(|(a, b)| a.plus(b));
        let range = pointer.offset.range.plus(distance.range).meet(Range::of(Interval::new(0, (1 << 31) - 1)));
        let offset = self.refreshed(state, &Number { reading: OFFSET, range, linear });
        Pointer { targets: Targets { null: false, ..pointer.targets.clone() }, offset }
    }

    /// Somewhere in the string, or null.
    fn found(&self, text: &Pointer, length: &Number) -> Value {
        if text.targets.wild {
            return Value::Pointer(Pointer::wild());
        }
        let most = text.offset.range.interval.plus(length.range.interval).high;
        let range = Range::of(Interval { low: text.offset.range.interval.low, high: most });
        let offset =
            Number { reading: OFFSET, range: range.meet(Range::of(Interval::new(0, (1 << 31) - 1))), linear: None };
        Value::Pointer(Pointer { targets: Targets { null: true, ..text.targets.clone() }, offset })
    }

    /// Writes a string of this length and its end.
    fn copy_string(&mut self, state: &mut State, frame: &Frame<'_>, to: &Pointer, length: &Number, apart: bool) {
        let bytes = Number {
            reading: OFFSET,
            range: length.range.plus(Range::constant(1)),
            linear: length.linear.as_ref().and_then(|linear| linear.plus_constant(1)),
        };
        let valid = self.access(state, frame, None, to, &Extent::Computed(bytes.clone()), true);
        self.check(frame, None, ViolationKind::StringFunction, apart);
        self.settle(state);
        if state.is_bottom() {
            return;
        }
        self.overwrite(state, &valid, &bytes);
        let end = self.advanced(state, &valid, length);
        let [object] = end.targets.objects[..] else { return };
        if end.targets.wild || state.objects[&object].many {
            return;
        }
        // No byte of the string is zero, so its end is the first from where it was written.
        let terminator = self.places.dimension(Place::Terminator(object));
        let from_start = valid.offset.as_constant() == Some(0);
        let at = end.offset.linear.clone();
        match at.filter(|_| from_start) {
            Some(at) => state.numbers.assign(terminator, &at),
            None => {
                let range = Range::of(Interval { low: Some(0), high: end.offset.range.interval.high });
                state.numbers.assign_range(terminator, range);
                if let Some(bound) = end.offset.linear.as_ref().and_then(|at| Linear::dimension(terminator).minus(at)) {
                    state.numbers.assume(&bound);
                }
            }
        }
    }

    fn copy_bounded(&mut self, state: &mut State, frame: &Frame<'_>, to: &Pointer, from: &Pointer, size: &Number) {
        let valid = self.access(state, frame, None, from, &Extent::Bytes(1), false);
        let readable =
            valid.targets.objects.iter().all(|id| state.objects.get(id).is_some_and(|object| object.written));
        self.check(frame, None, ViolationKind::Uninitialized, readable && !valid.targets.wild);
        self.check(frame, None, ViolationKind::StringFunction, is_apart(to, from));
        let extent = Number { reading: OFFSET, ..size.clone() };
        let target = self.access(state, frame, None, to, &Extent::Computed(extent.clone()), true);
        self.settle(state);
        if !state.is_bottom() {
            self.overwrite(state, &target, &extent);
        }
    }

    /// Unknown bytes are written from a pointer on.
    fn overwrite(&mut self, state: &mut State, valid: &Pointer, size: &Number) {
        if let [object] = valid.targets.objects[..] {
            if !valid.targets.wild && !state.objects[&object].many {
                self.move_written(state, object, &valid.offset, size);
            }
        }
        self.scribble(state, valid);
    }

    /// Copies bytes between objects; the checks of `memcpy`.
    pub(crate) fn copy(
        &mut self,
        state: &mut State,
        frame: &Frame<'_>,
        to: &Pointer,
        from: &Pointer,
        size: &Number,
        may_overlap: bool,
    ) {
        let size = Number { reading: OFFSET, ..size.read_as(Reading::unsigned(64)) };
        if size.as_constant() == Some(0) {
            return self.settle(state);
        }
        let apart = !to.targets.objects.iter().any(|id| from.targets.objects.contains(id));
        self.check(
            frame,
            None,
            ViolationKind::StringFunction,
            may_overlap || (apart && !to.targets.wild && !from.targets.wild),
        );
        let empty = size.range.contains(0);
        let source = self.access(state, frame, None, from, &Extent::Computed(size.clone()), false);
        let target = self.access(state, frame, None, to, &Extent::Computed(size.clone()), true);
        if empty {
            // Nothing is accessed then, and nothing is learned.
            self.learned.clear();
            if target.targets.wild {
                self.havoc_memory(state);
            }
            for id in to.targets.objects.clone() {
                self.forget_contents(state, id);
            }
            return;
        }
        self.settle(state);
        if !state.is_bottom() {
            self.transfer(state, &target, &source, &size);
        }
    }

    /// The contents of a valid range of bytes become those of another.
    pub(crate) fn transfer(&mut self, state: &mut State, to: &Pointer, from: &Pointer, size: &Number) {
        let one = |pointer: &Pointer| match pointer.targets.objects[..] {
            [object] if !pointer.targets.wild => Some(object),
            _ => None,
        };
        let known = one(to).zip(one(from)).filter(|(target, source)| {
            target != source && [target, source].into_iter().all(|id| state.objects.get(id).is_some_and(|it| !it.many))
        });
        let start = |pointer: &Pointer| pointer.offset.as_constant().and_then(|offset| u64::try_from(offset).ok());
        let bytes = size.as_constant().and_then(|size| u64::try_from(size).ok());
        let (Some((target, source)), Some(first), Some(begin), Some(bytes)) = (known, start(to), start(from), bytes)
        else {
            return self.overwrite_written(state, to, size, from);
        };
        let (mine, theirs) = (state.objects[&target].clone(), state.objects[&source].clone());
        let written = theirs.written || self.is_written(state, from, bytes);
        let whole = self.size(target).as_constant() == Some(bytes.into()) && first == 0;
        let ends = self.terminator(source);
        let string = whole && begin == 0 && state.numbers.bounds(&ends).high.is_some_and(|high| high < bytes.into());
        self.forget_range(state, target, first, bytes);
        if let Some(object) = state.objects.get_mut(&target) {
            object.rest = if whole && begin == 0 { theirs.rest.clone() } else { Rest::Any };
            object.written = if whole { written } else { mine.written && written };
        }
        if written {
            self.move_written(state, target, &to.offset, size);
        } else if !mine.written {
            let prefix = self.places.dimension(Place::Written(target));
            state.numbers.assign(prefix, &Linear::constant(0));
        }
        for (offset, cell) in theirs.cells.range(begin..begin + bytes) {
            if offset + u64::from(cell.bytes) > begin + bytes {
                continue;
            }
            let place = |object, offset| Place::Cell { object, offset, bytes: cell.bytes };
            let old = self.places.dimension(place(source, *offset));
            let new = self.places.dimension(place(target, offset - begin + first));
            state.numbers.assign(new, &Linear::dimension(old));
            match state.pointers.get(&old).cloned() {
                Some(entry) => state.pointers.insert(new, entry),
                None => state.pointers.remove(&new),
            };
            if let Some(object) = state.objects.get_mut(&target) {
                object.cells.insert(offset - begin + first, *cell);
            }
        }
        if string {
            let terminator = self.places.dimension(Place::Terminator(target));
            state.numbers.assign(terminator, &ends);
        }
    }

    fn overwrite_written(&mut self, state: &mut State, to: &Pointer, size: &Number, from: &Pointer) {
        let written = !from.targets.wild
            && from.targets.objects.iter().all(|id| state.objects.get(id).is_some_and(|object| object.written));
        if written {
            return self.overwrite(state, to, size);
        }
        self.scribble(state, to);
        // Bytes that were written may be unwritten now.
        for id in to.targets.objects.clone() {
            let prefix = self.places.dimension(Place::Written(id));
            state.numbers.assign(prefix, &Linear::constant(0));
            if let Some(object) = state.objects.get_mut(&id) {
                object.written = false;
            }
        }
        if to.targets.wild {
            self.unwrite_all(state);
        }
    }

    fn unwrite_all(&mut self, state: &mut State) {
        for id in state.objects.keys().copied().collect::<Vec<_>>() {
            let prefix = self.places.dimension(Place::Written(id));
            state.numbers.assign(prefix, &Linear::constant(0));
            if let Some(object) = state.objects.get_mut(&id) {
                object.written = false;
            }
        }
    }

    fn forget_range(&mut self, state: &mut State, id: ObjectId, first: u64, bytes: u64) {
        let Some(mut info) = state.objects.get(&id).cloned() else { return };
        let hit: Vec<u64> = info
            .cells
            .range(first.saturating_sub(15)..first + bytes)
            .filter(|(start, cell)| **start + u64::from(cell.bytes) > first)
            .map(|(start, _)| *start)
            .collect();
        for start in hit {
            info.cells.remove(&start);
        }
        state.objects.insert(id, info);
        self.blur_terminator(state, id, Some(first.into()));
    }

    /// Sets bytes; the checks of `memset`.
    pub(crate) fn fill(&mut self, state: &mut State, frame: &Frame<'_>, to: &Pointer, byte: &Number, size: &Number) {
        let size = Number { reading: OFFSET, ..size.read_as(Reading::unsigned(64)) };
        if size.as_constant() == Some(0) {
            return self.settle(state);
        }
        let target = self.access(state, frame, None, to, &Extent::Computed(size.clone()), true);
        if size.range.contains(0) {
            self.learned.clear();
            self.settle(state);
            return self
                .scribble(state, &Pointer { targets: Targets { null: false, ..to.targets.clone() }, ..to.clone() });
        }
        self.settle(state);
        if state.is_bottom() {
            return;
        }
        let [object] = target.targets.objects[..] else { return self.scribble(state, &target) };
        if target.targets.wild || state.objects[&object].many {
            return self.scribble(state, &target);
        }
        self.overwrite(state, &target, &size);
        let byte = byte.read_as(Reading::signed(byte.reading.bits));
        let byte = Number::wrapped(byte.range, None, Reading::signed(8));
        let room = self.size(object);
        let whole = target.offset.as_constant() == Some(0)
            && size
                .linear
                .as_ref()
                .and_then(|size| room.minus(size))
                .is_some_and(|rest| state.numbers.bounds(&rest).high.is_some_and(|high| high <= 0));
        if let Some(info) = state.objects.get_mut(&object) {
            if whole {
                info.written = true;
                info.rest = match byte.as_constant() {
                    Some(0) => Rest::Zero,
                    _ => Rest::Elements { bytes: 1, range: byte.range, pointer: None },
                };
            }
        }
        if byte.as_constant() == Some(0) && target.offset.as_constant() == Some(0) {
            let terminator = self.places.dimension(Place::Terminator(object));
            state.numbers.assign(terminator, &Linear::constant(0));
        }
    }
}

/// Different objects do not overlap.
fn is_apart(to: &Pointer, from: &Pointer) -> bool {
    !to.targets.wild && !from.targets.wild && !to.targets.objects.iter().any(|id| from.targets.objects.contains(id))
}
