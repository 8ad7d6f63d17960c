//! Models as programs see them: calls by name on a small memory, compared with glibc where it can be
//! asked.
//!
//! A [`Bench`] is a run without a program. Callbacks are Rust functions.

mod files;
mod getopt;
mod math;
mod printing;
mod process;
mod strings;

use super::{NAMES, State, find};
use crate::exec::host::{ArgumentValue, Arguments, Captured, Engine, Host, Output, Returned, Stop, World};
use crate::exec::inputs::{Inputs, Nondet};
use crate::exec::memory::{Address, Memory, ObjectKind};
use crate::exec::outcome::Limits;
use crate::exec::violation::ViolationKind;
use crate::{Float, Site, Type};

/// What a function of the program does, for models that call back.
type Callback = fn(&mut World, &[u64]) -> u64;

struct Callbacks(Option<Callback>);

impl Engine for Callbacks {
    fn call_back(&mut self, world: &mut World, _: &mut dyn Output, _: Address, arguments: &[u64]) -> Result<u64, Stop> {
        let callback = self.0.expect("the test gives a callback");
        Ok(callback(world, arguments))
    }
}

pub struct Bench {
    world: World,
    output: Captured,
    callback: Option<Callback>,
}

/// Arguments of a call.
#[derive(Clone, Copy)]
pub enum Given {
    Int(i32),
    Long(i64),
    At(Address),
    Double(f64),
    Float(f32),
    LongDouble(u128),
}

use Given::{At, Double, Int, Long};

impl Bench {
    pub fn new() -> Self {
        Bench::with(Inputs::default())
    }

    pub fn with(inputs: Inputs) -> Self {
        let world = World {
            memory: Memory::new(1 << 24, true),
            library: State::new(&inputs),
            nondet: Nondet::new(&inputs, u64::MAX),
            site: Site(1),
            steps: 0,
            limits: Limits::default(),
            notes: Vec::new(),
            output_bytes: 0,
        };
        Bench { world, output: Captured::default(), callback: None }
    }

    fn host<T>(&mut self, action: impl FnOnce(&mut Host<'_>) -> T) -> T {
        let mut engine = Callbacks(self.callback);
        action(&mut Host { world: &mut self.world, output: &mut self.output, engine: &mut engine })
    }

    pub fn try_call(&mut self, name: &str, given: &[Given]) -> Result<Returned, Stop> {
        let model = find(name).unwrap_or_else(|| panic!("{name} has a model"));
        let call = Arguments { values: given.iter().map(argument).collect() };
        self.host(|host| model(host, &call))
    }

    pub fn returned(&mut self, name: &str, given: &[Given]) -> Returned {
        self.try_call(name, given).unwrap_or_else(|stop| panic!("{name} stops: {stop:?}"))
    }

    /// The result as a number.
    pub fn call(&mut self, name: &str, given: &[Given]) -> i64 {
        match self.returned(name, given) {
            Returned::Bits(bits) => bits as i64,
            other => panic!("{name} returns {other:?}"),
        }
    }

    pub fn int(&mut self, name: &str, given: &[Given]) -> i32 {
        self.call(name, given) as i32
    }

    pub fn pointer(&mut self, name: &str, given: &[Given]) -> Address {
        Address(self.call(name, given) as u64)
    }

    /// The kind and the words of the violation that the call ends in.
    pub fn violation(&mut self, name: &str, given: &[Given]) -> (ViolationKind, String) {
        match self.try_call(name, given) {
            Err(Stop::Violation(fault)) => (fault.kind, format!("{:?}", fault.detail)),
            other => panic!("{name} does not violate anything: {other:?}"),
        }
    }

    pub fn buffer(&mut self, size: u64) -> Address {
        self.world.memory.allocate(ObjectKind::Heap, size, Site(1)).expect("small")
    }

    pub fn text(&mut self, text: &str) -> Address {
        let address = self.buffer(text.len() as u64 + 1);
        self.world.memory.write_c_string(address, text.as_bytes()).expect("it fits");
        address
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> Address {
        let address = self.buffer(bytes.len() as u64);
        self.world.memory.write(address, bytes).expect("it fits");
        address
    }

    pub fn read(&mut self, address: Address) -> String {
        String::from_utf8_lossy(self.world.memory.c_string(address).expect("a string")).into_owned()
    }

    pub fn errno(&mut self) -> i32 {
        self.host(|host| super::statics::errno(host).expect("errno is written"))
    }

    pub fn output(&self) -> String {
        String::from_utf8_lossy(&self.output.standard).into_owned()
    }
}

fn argument(given: &Given) -> ArgumentValue {
    match *given {
        Int(value) => ArgumentValue::scalar(u128::from(value as u32), Type::I32),
        Long(value) => ArgumentValue::scalar(u128::from(value as u64), Type::I64),
        At(address) => ArgumentValue::scalar(u128::from(address.0), Type::Pointer),
        Double(value) => ArgumentValue::scalar(u128::from(value.to_bits()), Type::F64),
        Given::Float(value) => ArgumentValue::scalar(u128::from(value.to_bits()), Type::F32),
        Given::LongDouble(bits) => ArgumentValue::scalar(bits, Type::Float(Float::X87)),
    }
}

#[test]
fn every_function_has_one_model() {
    for pair in NAMES.windows(2) {
        assert_ne!(pair[0], pair[1], "{} has two models", pair[0]);
    }
    assert!(find("printf").is_some() && find("no such function").is_none());
}

/// What Lua's interpreter calls, from `nm -u` of a native build; `setjmp` is the machine's.
#[test]
fn lua_finds_its_library() {
    let called = "abort acos asin atan2 ceil clearerr clock close cos difftime exit exp fclose feof ferror fflush \
        fgets flockfile floor fmod fopen64 fprintf fputc fputs fread free freopen64 frexp fseeko64 ftello64 \
        funlockfile fwrite getc getc_unlocked getenv gmtime_r isatty ldexp localeconv localtime_r log log10 log2 \
        memchr memcmp memcpy memset mkstemp64 mktime pclose popen pow realloc remove rename setlocale setvbuf \
        sigaction sigemptyset sin snprintf sqrt strchr strcmp strcoll strcpy strerror strftime strlen strncmp \
        strpbrk strspn strstr strtod system tan time tmpfile64 tolower toupper ungetc __ctype_b_loc __errno_location";
    let missing: Vec<&str> = called.split_whitespace().filter(|name| find(name).is_none()).collect();
    assert_eq!(missing, Vec::<&str>::new());
}
