//! Random valid programs, for property tests and fuzzing.
//!
//! Bytes → a program that [`crate::validate`] accepts. Every construct of the IR can occur, names
//! that are awkward to print included; nothing in a program means anything, and most would fail
//! when run. Each byte decides one choice and missing bytes choose the simplest way on, so that
//! shorter inputs give smaller programs: test tools can shrink the bytes.

mod body;
mod choices;
mod exprs;

pub use choices::Choices;

use source::{FileId, Place, Sources};

use crate::{
    AddressIn, BlockId, CType, CTypeId, Encoding, Float, Function, FunctionId, Global, GlobalId, Initializer, Member,
    Object, Parameter, Program, Site, SiteInfo, Type, Unsupported,
};

use body::BodyMaker;
use choices::Names;

/// A valid program.
pub fn program(choices: &mut Choices) -> Program {
    let mut program = Program::default();
    add_sites(choices, &mut program);
    for _ in 0..choices.below(6) {
        let ctype = ctype(choices, program.ctypes.len());
        program.ctypes.push(ctype);
    }
    fix_references(&mut program.ctypes);
    for _ in 0..choices.below(3) {
        program.unsupported.push(Unsupported { what: choices.text(), site: site(choices, &program) });
    }
    let mut names = Names::default();
    let functions: Vec<Signature> =
        (0..1 + choices.below(3)).map(|_| signature(choices, &program, &mut names)).collect();
    program.functions = functions.iter().map(|signature| signature.function.clone()).collect();
    let global_count = choices.below(4);
    for _ in 0..global_count {
        let global = global(choices, &program, &functions, global_count, &mut names);
        program.globals.push(global);
    }
    for (index, signature) in functions.iter().enumerate() {
        if signature.blocks > 0 {
            let maker = BodyMaker::new(choices, &program, &functions, FunctionId(index as u32));
            program.functions[index].body = Some(maker.make());
        }
    }
    program
}

/// A function before it has a body.
struct Signature {
    function: Function,
    /// How many blocks its body will have; none if it is external.
    blocks: usize,
}

fn add_sites(choices: &mut Choices, program: &mut Program) {
    let mut sources = Sources::default();
    let file_count = choices.below(3);
    for index in 0..file_count {
        sources.add(format!("{}{index}.c", choices.pick(&["a", "with space/b", "tab\t", "../ü"])), None);
    }
    program.sources = sources.into();
    program.sites.push(SiteInfo::default());
    for _ in 0..choices.below(6) {
        let place = |choices: &mut Choices| {
            let file = FileId(choices.below(file_count.max(1)) as u32);
            let place = Place::new(file, choices.below(300) as u32, choices.below(80) as u32);
            (file_count > 0 && choices.flag()).then_some(place)
        };
        let info = SiteInfo { place: place(choices), exact: place(choices) };
        program.sites.push(info);
    }
}

fn site(choices: &mut Choices, program: &Program) -> Site {
    Site(choices.below(program.sites.len()) as u32)
}

fn ctype_reference(choices: &mut Choices, program: &Program) -> Option<CTypeId> {
    let count = program.ctypes.len();
    (count > 0 && choices.flag()).then(|| CTypeId(choices.below(count) as u32))
}

/// A type that contains only types before it; pointers may lead further, see [`fix_references`].
fn ctype(choices: &mut Choices, earlier: usize) -> CType {
    let kind = if earlier == 0 { choices.below(4) } else { choices.below(11) };
    let name = choices.text();
    let contained = |choices: &mut Choices| CTypeId(choices.below(earlier) as u32);
    let any = |choices: &mut Choices| CTypeId(choices.below(20) as u32);
    match kind {
        0 => CType::Void,
        1 => {
            let all =
                [Encoding::Signed, Encoding::Unsigned, Encoding::SignedChar, Encoding::UnsignedChar, Encoding::Boolean];
            CType::Integer { name, bytes: choices.below(17) as u32, encoding: choices.pick(&all) }
        }
        2 => CType::Float { name, bytes: choices.below(17) as u32 },
        3 => CType::Other(name),
        4 | 5 => CType::Pointer(any(choices)),
        6 => CType::Array { element: contained(choices), count: choices.flag().then(|| choices.wide() as u64) },
        7 => {
            let members = (0..choices.below(4))
                .map(|_| Member {
                    name: choices.name(),
                    ctype: contained(choices),
                    offset_bits: choices.below(1000) as u64,
                    bits: choices.flag().then(|| choices.below(65) as u32),
                })
                .collect();
            CType::Record { name, bytes: choices.wide() as u64, union: choices.flag(), members }
        }
        8 => {
            let values = (0..choices.below(4)).map(|_| (choices.name(), choices.wide() as i128)).collect();
            CType::Enum { name, bytes: 4, signed: choices.flag(), values }
        }
        9 => CType::Alias { name, of: contained(choices) },
        _ => {
            let parameters = (0..choices.below(3)).map(|_| any(choices)).collect();
            CType::Function { returns: any(choices), parameters, variadic: choices.flag() }
        }
    }
}

/// Brings references that are allowed to lead anywhere into the table.
fn fix_references(ctypes: &mut [CType]) {
    let count = ctypes.len() as u32;
    for ctype in ctypes {
        match ctype {
            CType::Pointer(target) => target.0 %= count,
            CType::Function { returns, parameters, .. } => {
                returns.0 %= count;
                parameters.iter_mut().for_each(|parameter| parameter.0 %= count);
            }
            _ => {}
        }
    }
}

const FLOATS: [Float; 5] = [Float::F64, Float::F32, Float::F16, Float::X87, Float::F128];

fn any_type(choices: &mut Choices) -> Type {
    match choices.below(5) {
        0 => Type::I32,
        1 => Type::Pointer,
        2 => choices.pick(&[Type::I8, Type::I64, Type::BOOL, Type::I16]),
        3 => Type::Float(choices.pick(&FLOATS)),
        _ => Type::Int(1 + choices.below(128) as u16),
    }
}

fn signature(choices: &mut Choices, program: &Program, names: &mut Names) -> Signature {
    let parameters = (0..choices.below(4))
        .map(|_| {
            let ty = any_type(choices);
            let copied = (ty == Type::Pointer && choices.flag()).then(|| choices.below(100) as u64);
            Parameter { ty, copied }
        })
        .collect();
    let returns = (0..choices.below(3)).map(|_| any_type(choices)).collect();
    let function = Function {
        name: names.unique(choices),
        parameters,
        variadic: choices.flag(),
        returns,
        ctype: ctype_reference(choices, program),
        site: site(choices, program),
        body: None,
    };
    Signature { function, blocks: choices.below(4) }
}

fn global(
    choices: &mut Choices,
    program: &Program,
    functions: &[Signature],
    global_count: usize,
    names: &mut Names,
) -> Global {
    let size = choices.below(64) as u64;
    let init = if choices.below(4) == 3 {
        Initializer::External
    } else {
        let bytes = (0..choices.below(size as usize + 1)).map(|_| choices.below(256) as u8).collect();
        let addresses = (0..if size >= 8 { choices.below(3) } else { 0 })
            .map(|_| AddressIn {
                at: choices.below(size as usize - 7) as u64,
                object: static_object(choices, functions, global_count),
                addend: choices.wide() as i64,
            })
            .collect();
        Initializer::Bytes { bytes, addresses }
    };
    Global {
        name: names.unique(choices),
        size,
        align: 1 << choices.below(8),
        constant: choices.flag(),
        init,
        ctype: ctype_reference(choices, program),
        site: site(choices, program),
    }
}

/// An object that exists outside of functions; there is at least one function.
fn static_object(choices: &mut Choices, functions: &[Signature], global_count: usize) -> Object {
    let function = choices.below(functions.len());
    let id = FunctionId(function as u32);
    match choices.below(3) {
        0 if global_count > 0 => Object::Global(GlobalId(choices.below(global_count) as u32)),
        1 if functions[function].blocks > 0 => {
            Object::Label(id, BlockId(choices.below(functions[function].blocks) as u32))
        }
        _ => Object::Function(id),
    }
}
