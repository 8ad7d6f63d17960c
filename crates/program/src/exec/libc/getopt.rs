//! `getopt` and `getopt_long`, with GNU's reordering of arguments, after glibc's `getopt.c`.
//!
//! The variables (`optind`, `optarg`, …) are the program's own objects, known from when its externals
//! were initialized; one that the program does not mention is kept here only.

use std::collections::BTreeMap;

use super::statics::string;
use super::streams::{Standard, put, standard};
use crate::exec::host::{Arguments, Host, Model, Returned, Stop, World};
use crate::exec::memory::{Address, MemoryResult};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("getopt", |host, call| Parser::new(host, call, None)?.run()),
    ("__posix_getopt", |host, call| Parser::new(host, call, None)?.run()),
    ("getopt_long", |host, call| Parser::new(host, call, Some(false))?.run()),
    ("getopt_long_only", |host, call| Parser::new(host, call, Some(true))?.run()),
];

/// What `getopt` remembers from call to call.
#[derive(Clone, Debug, Default)]
pub struct Options {
    started: bool,
    /// The rest of an element with several short options.
    next: Option<Address>,
    /// The arguments that were skipped: they are moved behind the options.
    first_skipped: i64,
    last_skipped: i64,
    /// The program's variables, by name.
    variables: BTreeMap<&'static str, Address>,
    index: i64,
}

const VARIABLES: [(&str, u32); 4] = [("optind", 1), ("opterr", 1), ("optopt", b'?' as u32), ("optarg", 0)];

/// Prepares one of the variables; false if it is none of them.
pub fn initialize(world: &mut World, name: &str, address: Address) -> bool {
    let Some(&(name, value)) = VARIABLES.iter().find(|(variable, _)| *variable == name) else { return false };
    world.library.options.variables.insert(name, address);
    let bytes = u64::from(value).to_le_bytes();
    world.memory.write(address, &bytes[..if name == "optarg" { 8 } else { 4 }]).is_ok()
}

/// How an option's argument is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    Argument,
    MaybeArgument,
}

/// An entry of `struct option`.
struct LongOption {
    name: Vec<u8>,
    needs: Needs,
    flag: Address,
    value: u32,
    index: u32,
}

struct Parser<'h, 'w> {
    host: &'h mut Host<'w>,
    count: i64,
    arguments: Address,
    letters: Vec<u8>,
    in_order: bool,
    /// The table of long options, and where the index of the one found goes.
    long: Option<(Address, Address)>,
    long_only: bool,
}

impl<'h, 'w> Parser<'h, 'w> {
    fn new(host: &'h mut Host<'w>, call: &Arguments, long_only: Option<bool>) -> Result<Self, Stop> {
        let mut letters = string(host, call.pointer(2))?;
        let in_order = letters.first() == Some(&b'+');
        if matches!(letters.first(), Some(b'+' | b'-')) {
            letters.remove(0);
        }
        Ok(Parser {
            host,
            count: call.signed(0),
            arguments: call.pointer(1),
            letters,
            in_order,
            long: long_only.map(|_| (call.pointer(3), call.pointer(4))),
            long_only: long_only.unwrap_or(false),
        })
    }

    fn options(&mut self) -> &mut Options {
        &mut self.host.world.library.options
    }

    fn variable(&mut self, name: &str) -> Option<Address> {
        self.options().variables.get(name).copied()
    }

    fn index(&mut self) -> Result<i64, Stop> {
        match self.variable("optind") {
            Some(address) => Ok(i64::from(self.host.memory().load_u32(address)? as i32)),
            None => Ok(self.options().index.max(1)),
        }
    }

    fn set_index(&mut self, index: i64) -> Result<(), Stop> {
        self.options().index = index;
        self.set("optind", &(index as i32).to_le_bytes())
    }

    fn set(&mut self, name: &str, bytes: &[u8]) -> Result<(), Stop> {
        if let Some(address) = self.variable(name) {
            self.host.memory().write(address, bytes)?;
        }
        Ok(())
    }

    fn set_argument(&mut self, argument: Address) -> Result<(), Stop> {
        self.set("optarg", &argument.0.to_le_bytes())
    }

    fn argument(&mut self, index: i64) -> MemoryResult<Address> {
        self.host.memory().load_u64(self.arguments.plus(8 * index)).map(Address)
    }

    fn text(&mut self, index: i64) -> Result<Vec<u8>, Stop> {
        let address = self.argument(index)?;
        string(self.host, address)
    }

    fn run(&mut self) -> Result<Returned, Stop> {
        if self.count < 1 {
            return Ok(Returned::signed(-1));
        }
        self.set_argument(Address::NULL)?;
        self.start()?;
        let rest = self.options().next;
        let next = match rest {
            Some(next) if self.host.memory().load_u8(next)? != 0 => next,
            _ => match self.next_element()? {
                Step::Short(next) => next,
                Step::Done(result) => return Ok(Returned::signed(result)),
            },
        };
        self.short_option(next).map(Returned::signed)
    }

    fn start(&mut self) -> Result<(), Stop> {
        let index = self.index()?;
        if index == 0 || !self.options().started {
            let index = index.max(1);
            self.set_index(index)?;
            let options = self.options();
            (options.started, options.next) = (true, None);
            (options.first_skipped, options.last_skipped) = (index, index);
        }
        Ok(())
    }

    fn is_operand(&mut self, index: i64) -> Result<bool, Stop> {
        let text = self.text(index)?;
        Ok(text.first() != Some(&b'-') || text.len() == 1)
    }

    /// Goes to the next element of `argv` that is an option.
    fn next_element(&mut self) -> Result<Step, Stop> {
        let mut index = self.index()?;
        let options = self.options();
        options.last_skipped = options.last_skipped.min(index);
        options.first_skipped = options.first_skipped.min(index);
        if !self.in_order {
            self.move_skipped(index)?;
            while index < self.count && self.is_operand(index)? {
                index += 1;
            }
            self.options().last_skipped = index;
        }
        if index != self.count && self.text(index)? == b"--" {
            index += 1;
            self.move_skipped(index)?;
            self.options().last_skipped = self.count;
            index = self.count;
        }
        if index == self.count {
            let options = self.options();
            if options.first_skipped != options.last_skipped {
                index = options.first_skipped;
            }
            self.set_index(index)?;
            return Ok(Step::Done(-1));
        }
        self.set_index(index)?;
        if self.is_operand(index)? {
            return Ok(Step::Done(-1));
        }
        self.option_at(index)
    }

    fn option_at(&mut self, index: i64) -> Result<Step, Stop> {
        let (address, text) = (self.argument(index)?, self.text(index)?);
        if self.long.is_some() {
            if text.starts_with(b"--") {
                return self.long_option(address.plus(2), "--").map(|result| Step::Done(result.unwrap_or(-1)));
            }
            if self.long_only
                && (text.len() > 2 || !self.letters.contains(&text[1]))
                && let Some(result) = self.long_option(address.plus(1), "-")?
            {
                return Ok(Step::Done(result));
            }
        }
        Ok(Step::Short(address.plus(1)))
    }

    /// Moves the operands that were skipped behind the options up to `index`.
    fn move_skipped(&mut self, index: i64) -> Result<(), Stop> {
        let (first, last) = (self.options().first_skipped, self.options().last_skipped);
        if first == last || last == index {
            if last != index {
                self.options().first_skipped = index;
            }
            return Ok(());
        }
        let (start, length) = (self.arguments.plus(8 * first), 8 * (index - first) as u64);
        let mut elements = self.host.memory().read_initialized(start, length)?.to_vec();
        elements.rotate_left(8 * (last - first) as usize);
        self.host.memory().write(start, &elements)?;
        let options = self.options();
        options.first_skipped += index - last;
        options.last_skipped = index;
        Ok(())
    }

    fn short_option(&mut self, at: Address) -> Result<i64, Stop> {
        let letter = self.host.memory().load_u8(at)?;
        let rest = at.plus(1);
        let rest_is_empty = self.host.memory().load_u8(rest)? == 0;
        self.options().next = Some(rest);
        let mut index = self.index()?;
        if rest_is_empty {
            index += 1;
            self.set_index(index)?;
        }
        let known = self.letters.iter().position(|&one| one == letter && !matches!(letter, b':' | b';'));
        let Some(position) = known else {
            self.complain(&format!("invalid option -- '{}'", char::from(letter)))?;
            self.set("optopt", &u32::from(letter).to_le_bytes())?;
            return Ok(i64::from(b'?'));
        };
        match &self.letters[position + 1..] {
            [b':', b':', ..] if rest_is_empty => self.set_argument(Address::NULL)?,
            [b':', ..] if !rest_is_empty => {
                self.set_argument(rest)?;
                self.set_index(index + 1)?;
            }
            [b':', ..] if index == self.count => {
                self.complain(&format!("option requires an argument -- '{}'", char::from(letter)))?;
                self.set("optopt", &u32::from(letter).to_le_bytes())?;
                self.options().next = None;
                return Ok(self.missing());
            }
            [b':', ..] => {
                let argument = self.argument(index)?;
                self.set_argument(argument)?;
                self.set_index(index + 1)?;
            }
            _ => return Ok(i64::from(letter)),
        }
        self.options().next = None;
        Ok(i64::from(letter))
    }

    /// What is returned for a missing argument.
    fn missing(&self) -> i64 {
        i64::from(if self.letters.first() == Some(&b':') { b':' } else { b'?' })
    }

    fn long_options(&mut self, table: Address) -> Result<Vec<LongOption>, Stop> {
        let mut options = Vec::new();
        loop {
            let entry = table.plus(32 * options.len() as i64);
            let name = Address(self.host.memory().load_u64(entry)?);
            if name.is_null() {
                return Ok(options);
            }
            let memory = self.host.memory();
            let needs = match memory.load_u32(entry.plus(8))? {
                0 => Needs::Nothing,
                1 => Needs::Argument,
                _ => Needs::MaybeArgument,
            };
            let (flag, value) = (Address(memory.load_u64(entry.plus(16))?), memory.load_u32(entry.plus(24))?);
            let index = options.len() as u32;
            options.push(LongOption { name: string(self.host, name)?, needs, flag, value, index });
        }
    }

    /// `None` if it may still be a short option.
    fn long_option(&mut self, at: Address, prefix: &str) -> Result<Option<i64>, Stop> {
        let Some((table, found_index)) = self.long else { return Ok(None) };
        let text = string(self.host, at)?;
        let name = text.split(|&byte| byte == b'=').next().unwrap_or_default();
        let given = (name.len() < text.len()).then(|| at.plus(name.len() as i64 + 1));
        let options = self.long_options(table)?;
        let index = self.index()?;
        let candidates: Vec<&LongOption> = match options.iter().find(|option| option.name == name) {
            Some(exact) => vec![exact],
            None => options.iter().filter(|option| option.name.starts_with(name)).collect(),
        };
        let same = |option: &&&LongOption| {
            let first = candidates[0];
            option.needs == first.needs && option.flag == first.flag && option.value == first.value
        };
        let shown = format!("{prefix}{}", String::from_utf8_lossy(&text));
        let problem = match candidates.as_slice() {
            [] => {
                let element = self.text(index)?;
                if self.long_only && element.get(1) != Some(&b'-') && self.letters.contains(&text[0]) {
                    return Ok(None);
                }
                format!("unrecognized option '{shown}'")
            }
            all if all.iter().filter(same).count() < all.len() => {
                let names = all.iter().map(|option| format!(" '{prefix}{}'", String::from_utf8_lossy(&option.name)));
                format!("option '{shown}' is ambiguous; possibilities:{}", names.collect::<String>())
            }
            all => return self.take_long(all[0], given, prefix, found_index).map(Some),
        };
        self.complain(&problem)?;
        self.options().next = None;
        self.set_index(index + 1)?;
        self.set("optopt", &[0; 4])?;
        Ok(Some(i64::from(b'?')))
    }

    fn take_long(
        &mut self,
        option: &LongOption,
        given: Option<Address>,
        prefix: &str,
        found_index: Address,
    ) -> Result<i64, Stop> {
        let name = format!("{prefix}{}", String::from_utf8_lossy(&option.name));
        let index = self.index()? + 1;
        self.set_index(index)?;
        self.options().next = None;
        match (given, option.needs) {
            (Some(_), Needs::Nothing) => {
                self.complain(&format!("option '{name}' doesn't allow an argument"))?;
                self.set("optopt", &option.value.to_le_bytes())?;
                return Ok(i64::from(b'?'));
            }
            (Some(argument), _) => self.set_argument(argument)?,
            (None, Needs::Argument) if index < self.count => {
                let argument = self.argument(index)?;
                self.set_argument(argument)?;
                self.set_index(index + 1)?;
            }
            (None, Needs::Argument) => {
                self.complain(&format!("option '{name}' requires an argument"))?;
                self.set("optopt", &option.value.to_le_bytes())?;
                return Ok(self.missing());
            }
            (None, _) => {}
        }
        if !found_index.is_null() {
            self.host.memory().write_u32(found_index, option.index)?;
        }
        if option.flag.is_null() {
            return Ok(i64::from(option.value as i32));
        }
        self.host.memory().write_u32(option.flag, option.value)?;
        Ok(0)
    }

    /// The message on standard error, unless `opterr` or a leading colon forbids it.
    fn complain(&mut self, problem: &str) -> Result<(), Stop> {
        let enabled = match self.variable("opterr") {
            Some(address) => self.host.memory().load_u32(address)? != 0,
            None => true,
        };
        if enabled && self.letters.first() != Some(&b':') {
            let name = self.text(0)?;
            let line = format!("{}: {problem}\n", String::from_utf8_lossy(&name));
            let file = standard(self.host.world, Standard::Error)?;
            put(self.host, file, line.as_bytes())?;
        }
        Ok(())
    }
}

/// What the next element of `argv` turned out to be.
enum Step {
    /// Short options start here.
    Short(Address),
    Done(i64),
}
