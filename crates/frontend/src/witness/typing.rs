//! What an assumption means in a program: a C expression → expressions of a function's body.
//!
//! Names are variables of the function, then global objects and enumerators, by debug information; of several
//! variables with one name, the one that was declared last before the place is meant. Arithmetic follows C's
//! conversions, but wraps instead of violating: an assumption is no part of the program. Both sides of `&&`,
//! `||` and `?:` are evaluated. Not here: `long double`, calls, values of whole structs.

use program::{
    BinaryOp, BitField, Body, CType, CTypeId, CastOp, Comparison, Encoding, ExprId, ExprKind, Field, Float,
    FloatComparison, FloatOp, FloatRelation, GlobalId, Index, Load, LocalId, Object, Overflow, Program, Sign, Site,
    Type, UnaryOp, VarId,
};
use source::Position;

use super::expression::{Expression, TypeName, Unary};

/// Why an assumption cannot be evaluated, in words.
pub type Meaningless = String;

/// How a value's bits are read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reading {
    Integer {
        bits: u16,
        signed: bool,
    },
    Float(Float),
    /// To a value of this type, where it is known.
    Pointer(Option<CTypeId>),
}

impl Reading {
    const INT: Reading = Reading::Integer { bits: 32, signed: true };

    fn machine(self) -> Type {
        match self {
            Reading::Integer { bits, .. } => Type::Int(bits),
            Reading::Float(float) => Type::Float(float),
            Reading::Pointer(_) => Type::Pointer,
        }
    }
}

#[derive(Clone, Copy)]
struct Value {
    id: ExprId,
    reading: Reading,
}

/// Something that has an address, or a variable.
enum Lvalue {
    Variable(VarId),
    Memory { address: ExprId, ctype: CTypeId, bits: Option<BitField> },
}

/// What a call returned: the variable that has it, and its C type where that is known.
#[derive(Clone, Copy)]
pub struct Returned {
    pub variable: VarId,
    pub ctype: Option<CTypeId>,
}

/// Where an assumption is evaluated.
pub struct Scope<'p> {
    pub program: &'p Program,
    pub body: &'p mut Body,
    /// In the file of the function.
    pub position: Option<Position>,
    pub result: Option<Returned>,
}

impl Scope<'_> {
    /// The condition, as an `i1`.
    pub fn condition(&mut self, expression: &Expression) -> Result<ExprId, Meaningless> {
        let value = self.value(expression)?;
        self.truth(value)
    }

    fn add(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.body.add_expr(kind, ty, Site::NONE)
    }

    fn constant(&mut self, bits: u128, reading: Reading) -> Value {
        let ty = reading.machine();
        Value { id: self.add(ExprKind::Constant(bits & ty.mask()), ty), reading }
    }

    fn truth(&mut self, value: Value) -> Result<ExprId, Meaningless> {
        let zero = self.constant(0, value.reading);
        self.compare("!=", value, zero)
    }

    fn from_truth(&mut self, truth: ExprId) -> Value {
        Value { id: self.add(ExprKind::Cast(CastOp::ZeroExtend, truth), Type::I32), reading: Reading::INT }
    }

    fn value(&mut self, expression: &Expression) -> Result<Value, Meaningless> {
        match expression {
            Expression::Integer { value, unsigned, long, decimal } => {
                Ok(self.constant(*value, integer_reading(*value, *unsigned, *long, *decimal)))
            }
            Expression::Real { value, single: true } => {
                Ok(self.constant(u128::from((*value as f32).to_bits()), Reading::Float(Float::F32)))
            }
            Expression::Real { value, .. } => {
                Ok(self.constant(u128::from(value.to_bits()), Reading::Float(Float::F64)))
            }
            Expression::Name(name) => match self.enumerator(name) {
                Some(value) => Ok(self.constant(value as u128, Reading::INT)),
                None => self.place_value(expression),
            },
            Expression::Result => self.result(),
            Expression::Unary(operator, inner) => self.unary(*operator, inner, expression),
            Expression::Binary(operator, left, right) => self.binary(operator, left, right),
            Expression::Conditional(parts) => {
                let condition = self.condition(&parts[0])?;
                let (then, otherwise) = (self.value(&parts[1])?, self.value(&parts[2])?);
                let (then, otherwise) = self.common(then, otherwise)?;
                let kind = ExprKind::Select { condition, then: then.id, otherwise: otherwise.id };
                Ok(Value { id: self.add(kind, then.reading.machine()), reading: then.reading })
            }
            Expression::Subscript(..) | Expression::Member { .. } => self.place_value(expression),
            Expression::Cast(ty, inner) => {
                let value = self.value(inner)?;
                let reading = self.named_type(ty)?;
                self.convert(value, reading)
            }
        }
    }

    fn result(&mut self) -> Result<Value, Meaningless> {
        let Some(returned) = self.result else {
            return Err("there is no call whose `\\result` this could be".to_owned());
        };
        self.variable(returned.variable, returned.ctype)
    }

    fn variable(&mut self, variable: VarId, ctype: Option<CTypeId>) -> Result<Value, Meaningless> {
        let ty = self.body.variable(variable).ty;
        let ctype = ctype.or(self.body.variable(variable).ctype);
        let mut id = self.add(ExprKind::Variable(variable), ty);
        let known = ctype.and_then(|it| self.reading(it));
        let reading = match (ty, known) {
            (Type::Pointer, Some(Reading::Pointer(to))) => Reading::Pointer(to),
            (Type::Pointer, _) => Reading::Pointer(None),
            (Type::Float(float), _) => Reading::Float(float),
            (Type::Int(bits), Some(Reading::Integer { signed, .. })) if bits > 1 => Reading::Integer { bits, signed },
            (Type::Int(1), _) => {
                id = self.add(ExprKind::Cast(CastOp::ZeroExtend, id), Type::I8);
                Reading::Integer { bits: 8, signed: false }
            }
            (Type::Int(bits), _) => Reading::Integer { bits, signed: true },
        };
        Ok(Value { id, reading })
    }

    fn place_value(&mut self, expression: &Expression) -> Result<Value, Meaningless> {
        match self.lvalue(expression)? {
            Lvalue::Variable(variable) => self.variable(variable, None),
            Lvalue::Memory { address, ctype, bits } => {
                if let CType::Array { element, .. } = self.program.resolve(ctype) {
                    return Ok(Value { id: address, reading: Reading::Pointer(Some(*element)) });
                }
                let Some(reading) = self.reading(ctype) else {
                    return Err("a whole struct has no value that could be compared".to_owned());
                };
                let kind = ExprKind::Load(Load { address, bits, copy: false });
                Ok(Value { id: self.add(kind, reading.machine()), reading })
            }
        }
    }

    fn lvalue(&mut self, expression: &Expression) -> Result<Lvalue, Meaningless> {
        match expression {
            Expression::Name(name) => self.named(name),
            Expression::Subscript(base, index) => {
                let base = self.value(base)?;
                let index = self.value(index)?;
                let Reading::Pointer(Some(ctype)) = base.reading else {
                    return Err("what is indexed is no array".to_owned());
                };
                let index = self.convert(index, Reading::Integer { bits: 64, signed: true })?;
                let stride = self.size(ctype);
                let kind = ExprKind::Index(Index { base: base.id, index: index.id, stride, count: None });
                Ok(Lvalue::Memory { address: self.add(kind, Type::Pointer), ctype, bits: None })
            }
            Expression::Unary(Unary::Dereference, inner) => {
                let pointer = self.value(inner)?;
                match pointer.reading {
                    Reading::Pointer(Some(ctype)) => Ok(Lvalue::Memory { address: pointer.id, ctype, bits: None }),
                    _ => Err("what `*` is applied to is no pointer to a known type".to_owned()),
                }
            }
            Expression::Member { of, name, arrow } => self.member(of, name, *arrow),
            _ => Err("this has no address".to_owned()),
        }
    }

    fn member(&mut self, of: &Expression, name: &str, arrow: bool) -> Result<Lvalue, Meaningless> {
        let (base, record) = if arrow {
            let pointer = self.value(of)?;
            match pointer.reading {
                Reading::Pointer(Some(record)) => (pointer.id, record),
                _ => return Err(format!("`->{name}` is applied to what is no pointer to a struct")),
            }
        } else {
            match self.lvalue(of)? {
                Lvalue::Memory { address, ctype, .. } => (address, ctype),
                Lvalue::Variable(_) => return Err(format!("`.{name}` is applied to what is no struct")),
            }
        };
        let program = self.program;
        let CType::Record { members, .. } = program.resolve(record) else {
            return Err(format!("`{name}` is a member of no struct here"));
        };
        let Some(member) = members.iter().find(|member| member.name == name) else {
            return Err(format!("the struct has no member `{name}`"));
        };
        let (ctype, width, first) = (member.ctype, member.bits, member.offset_bits);
        let unit = match width {
            // The storage unit that holds the bits, aligned to its own size.
            Some(_) => first / (self.size(ctype).max(1) * 8) * self.size(ctype).max(1),
            None => first / 8,
        };
        let signed = matches!(self.reading(ctype), Some(Reading::Integer { signed: true, .. }));
        let bits = width.map(|width| BitField { offset: (first - unit * 8) as u8, width: width as u8, signed });
        let kind = ExprKind::Field(Field { base, offset: unit, name: Some(name.into()) });
        Ok(Lvalue::Memory { address: self.add(kind, Type::Pointer), ctype, bits })
    }

    /// The variable or object that a name stands for.
    fn named(&mut self, name: &str) -> Result<Lvalue, Meaningless> {
        enum Found {
            Variable(VarId),
            Local(LocalId, Option<CTypeId>),
        }
        let program = self.program;
        let before = |site: Site| match (program.place(site), self.position) {
            (Some(declared), Some(position)) => declared.position <= position,
            _ => true,
        };
        let variables = self.body.variables.iter().enumerate().filter(|(_, it)| names(&it.name, name));
        let variables = variables.map(|(index, it)| (it.site, Found::Variable(VarId(index as u32))));
        let locals = self.body.locals.iter().enumerate().filter(|(_, it)| names(&it.name, name));
        let locals = locals.map(|(index, it)| (it.site, Found::Local(LocalId(index as u32), it.ctype)));
        let found = variables.chain(locals).max_by_key(|(site, _)| (before(*site), program.place(*site)));
        match found {
            Some((_, Found::Variable(variable))) => return Ok(Lvalue::Variable(variable)),
            Some((_, Found::Local(local, Some(ctype)))) => {
                let address = self.add(ExprKind::Address(Object::Local(local)), Type::Pointer);
                return Ok(Lvalue::Memory { address, ctype, bits: None });
            }
            Some((_, Found::Local(..))) => return Err(format!("the type of `{name}` is not known")),
            None => {}
        }
        let global = program.globals.iter().position(|global| global.name == name);
        let global = global.or_else(|| {
            // A `static` inside of a function has the function's name before its own.
            let suffix = format!(".{name}");
            program.globals.iter().position(|global| global.name.ends_with(&suffix))
        });
        let Some(index) = global else { return Err(format!("no variable `{name}` is in scope")) };
        let Some(ctype) = program.globals[index].ctype else {
            return Err(format!("the type of `{name}` is not known"));
        };
        let address = self.add(ExprKind::Address(Object::Global(GlobalId(index as u32))), Type::Pointer);
        Ok(Lvalue::Memory { address, ctype, bits: None })
    }

    fn enumerator(&self, name: &str) -> Option<i128> {
        if self.body.variables.iter().any(|it| names(&it.name, name)) {
            return None;
        }
        self.program.ctypes.iter().find_map(|ctype| match ctype {
            CType::Enum { values, .. } => values.iter().find(|(known, _)| known == name).map(|(_, value)| *value),
            _ => None,
        })
    }

    fn unary(&mut self, operator: Unary, inner: &Expression, whole: &Expression) -> Result<Value, Meaningless> {
        match operator {
            Unary::Dereference => return self.place_value(whole),
            Unary::Address => {
                return match self.lvalue(inner)? {
                    Lvalue::Memory { address, ctype, bits: None } => {
                        Ok(Value { id: address, reading: Reading::Pointer(Some(ctype)) })
                    }
                    _ => Err("the address of this is not known".to_owned()),
                };
            }
            Unary::Not => {
                let truth = self.condition(inner)?;
                let not = self.add(ExprKind::Unary(UnaryOp::Not, truth), Type::BOOL);
                return Ok(self.from_truth(not));
            }
            Unary::Plus | Unary::Minus | Unary::Complement => {}
        }
        let value = self.value(inner)?;
        let value = self.promoted(value)?;
        let ty = value.reading.machine();
        let kind = match (operator, value.reading) {
            (Unary::Plus, _) => return Ok(value),
            (Unary::Minus, Reading::Float(_)) => ExprKind::Unary(UnaryOp::FloatNegate, value.id),
            (Unary::Minus, Reading::Integer { .. }) => ExprKind::Unary(UnaryOp::Negate(Overflow::Wraps), value.id),
            (Unary::Complement, Reading::Integer { .. }) => ExprKind::Unary(UnaryOp::Not, value.id),
            _ => return Err("an operator is applied to what it does not take".to_owned()),
        };
        Ok(Value { id: self.add(kind, ty), reading: value.reading })
    }

    fn binary(&mut self, operator: &str, left: &Expression, right: &Expression) -> Result<Value, Meaningless> {
        if matches!(operator, "&&" | "||" | "==>") {
            let mut first = self.condition(left)?;
            let second = self.condition(right)?;
            if operator == "==>" {
                first = self.add(ExprKind::Unary(UnaryOp::Not, first), Type::BOOL);
            }
            let op = if operator == "&&" { BinaryOp::And } else { BinaryOp::Or };
            let truth = self.add(ExprKind::Binary(op, first, second), Type::BOOL);
            return Ok(self.from_truth(truth));
        }
        let (left, right) = (self.value(left)?, self.value(right)?);
        if matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=") {
            let truth = self.compare(operator, left, right)?;
            return Ok(self.from_truth(truth));
        }
        if let (Reading::Pointer(Some(to)), Reading::Integer { .. }, "+" | "-") =
            (left.reading, right.reading, operator)
        {
            return self.moved(left, right, to, operator == "-");
        }
        let (left, right) = match operator {
            "<<" | ">>" => {
                let left = self.promoted(left)?;
                (left, self.convert(right, left.reading)?)
            }
            _ => self.common(left, right)?,
        };
        self.arithmetic(operator, left, right)
    }

    /// A pointer some elements further.
    fn moved(&mut self, pointer: Value, by: Value, to: CTypeId, back: bool) -> Result<Value, Meaningless> {
        let mut index = self.convert(by, Reading::Integer { bits: 64, signed: true })?;
        if back {
            index.id = self.add(ExprKind::Unary(UnaryOp::Negate(Overflow::Wraps), index.id), Type::I64);
        }
        let stride = self.size(to);
        let kind = ExprKind::Index(Index { base: pointer.id, index: index.id, stride, count: None });
        Ok(Value { id: self.add(kind, Type::Pointer), reading: pointer.reading })
    }

    fn arithmetic(&mut self, operator: &str, left: Value, right: Value) -> Result<Value, Meaningless> {
        let reading = left.reading;
        let operation = match reading {
            Reading::Float(_) => match operator {
                "+" => BinaryOp::Float(FloatOp::Add),
                "-" => BinaryOp::Float(FloatOp::Sub),
                "*" => BinaryOp::Float(FloatOp::Mul),
                "/" => BinaryOp::Float(FloatOp::Div),
                _ => return Err(format!("`{operator}` is applied to numbers that are no integers")),
            },
            Reading::Integer { signed, .. } => {
                let sign = if signed { Sign::Signed } else { Sign::Unsigned };
                match operator {
                    "+" => BinaryOp::Add(Overflow::Wraps),
                    "-" => BinaryOp::Sub(Overflow::Wraps),
                    "*" => BinaryOp::Mul(Overflow::Wraps),
                    "/" => BinaryOp::Div(sign),
                    "%" => BinaryOp::Rem(sign),
                    "<<" => BinaryOp::ShiftLeft,
                    ">>" => BinaryOp::ShiftRight(sign),
                    "&" => BinaryOp::And,
                    "|" => BinaryOp::Or,
                    "^" => BinaryOp::Xor,
                    _ => return Err(format!("`{operator}` is not known here")),
                }
            }
            Reading::Pointer(_) => return Err(format!("`{operator}` is applied to pointers")),
        };
        Ok(Value { id: self.add(ExprKind::Binary(operation, left.id, right.id), reading.machine()), reading })
    }

    fn compare(&mut self, operator: &str, left: Value, right: Value) -> Result<ExprId, Meaningless> {
        let (left, right) = self.common(left, right)?;
        let sign = match left.reading {
            Reading::Integer { signed: true, .. } => Sign::Signed,
            _ => Sign::Unsigned,
        };
        let operation = if let Reading::Float(_) = left.reading {
            let relation = match operator {
                "==" => FloatRelation::Equal,
                "!=" => FloatRelation::NotEqual,
                "<" => FloatRelation::Less,
                "<=" => FloatRelation::LessEqual,
                ">" => FloatRelation::Greater,
                _ => FloatRelation::GreaterEqual,
            };
            BinaryOp::FloatCompare(FloatComparison { relation, unordered: operator == "!=" })
        } else {
            BinaryOp::Compare(match operator {
                "==" => Comparison::Equal,
                "!=" => Comparison::NotEqual,
                "<" => Comparison::Less(sign),
                "<=" => Comparison::LessEqual(sign),
                ">" => Comparison::Greater(sign),
                _ => Comparison::GreaterEqual(sign),
            })
        };
        Ok(self.add(ExprKind::Binary(operation, left.id, right.id), Type::BOOL))
    }

    /// C's usual arithmetic conversions; a pointer makes the other side one, too.
    fn common(&mut self, left: Value, right: Value) -> Result<(Value, Value), Meaningless> {
        let reading = match (left.reading, right.reading) {
            (Reading::Pointer(to), _) | (_, Reading::Pointer(to)) => Reading::Pointer(to),
            (Reading::Float(first), Reading::Float(second)) => {
                Reading::Float(if first.bits() >= second.bits() { first } else { second })
            }
            (Reading::Float(float), _) | (_, Reading::Float(float)) => Reading::Float(float),
            (Reading::Integer { bits: first, signed: one }, Reading::Integer { bits: second, signed: other }) => {
                let bits = first.max(second).max(32);
                let wide_unsigned = first == bits && !one || second == bits && !other;
                Reading::Integer { bits, signed: !wide_unsigned }
            }
        };
        Ok((self.convert(left, reading)?, self.convert(right, reading)?))
    }

    fn promoted(&mut self, value: Value) -> Result<Value, Meaningless> {
        match value.reading {
            Reading::Integer { bits, .. } if bits < 32 => self.convert(value, Reading::INT),
            _ => Ok(value),
        }
    }

    fn convert(&mut self, value: Value, reading: Reading) -> Result<Value, Meaningless> {
        let sign = |signed| if signed { Sign::Signed } else { Sign::Unsigned };
        let operation = match (value.reading, reading) {
            (Reading::Integer { bits: from, signed }, Reading::Integer { bits: to, .. }) => match from.cmp(&to) {
                std::cmp::Ordering::Equal => return Ok(Value { reading, ..value }),
                std::cmp::Ordering::Greater => CastOp::Truncate,
                std::cmp::Ordering::Less if signed => CastOp::SignExtend,
                std::cmp::Ordering::Less => CastOp::ZeroExtend,
            },
            (Reading::Integer { signed, .. }, Reading::Float(_)) => CastOp::IntToFloat(sign(signed)),
            (Reading::Float(_), Reading::Integer { signed, .. }) => CastOp::FloatToInt(sign(signed)),
            (Reading::Float(from), Reading::Float(to)) if from == to => return Ok(value),
            (Reading::Float(_), Reading::Float(_)) => CastOp::FloatConvert,
            (Reading::Pointer(_), Reading::Pointer(_)) => return Ok(Value { reading, ..value }),
            (Reading::Integer { .. }, Reading::Pointer(_)) => {
                let wide = self.convert(value, Reading::Integer { bits: 64, signed: true })?;
                let id = self.add(ExprKind::Cast(CastOp::Reinterpret, wide.id), Type::Pointer);
                return Ok(Value { id, reading });
            }
            (Reading::Pointer(_), Reading::Integer { .. }) => {
                let id = self.add(ExprKind::Cast(CastOp::Reinterpret, value.id), Type::I64);
                let number = Value { id, reading: Reading::Integer { bits: 64, signed: false } };
                return self.convert(number, reading);
            }
            _ => return Err("a conversion that C does not have".to_owned()),
        };
        Ok(Value { id: self.add(ExprKind::Cast(operation, value.id), reading.machine()), reading })
    }

    fn reading(&self, ctype: CTypeId) -> Option<Reading> {
        match self.program.resolve(ctype) {
            CType::Integer { bytes, encoding, .. } => {
                let signed = matches!(encoding, Encoding::Signed | Encoding::SignedChar);
                Some(Reading::Integer { bits: u16::try_from(*bytes).ok()? * 8, signed })
            }
            CType::Enum { bytes, signed, .. } => {
                Some(Reading::Integer { bits: u16::try_from(*bytes).ok()? * 8, signed: *signed })
            }
            CType::Float { bytes: 4, .. } => Some(Reading::Float(Float::F32)),
            CType::Float { bytes: 8, .. } => Some(Reading::Float(Float::F64)),
            CType::Float { .. } => Some(Reading::Float(Float::X87)),
            CType::Pointer(to) => Some(Reading::Pointer(Some(*to))),
            _ => None,
        }
    }

    fn size(&self, ctype: CTypeId) -> u64 {
        match self.program.resolve(ctype) {
            CType::Integer { bytes, .. } | CType::Enum { bytes, .. } | CType::Float { bytes, .. } => u64::from(*bytes),
            CType::Pointer(_) => 8,
            CType::Array { element, count } => self.size(*element) * count.unwrap_or(0),
            CType::Record { bytes, .. } => *bytes,
            _ => 1,
        }
    }

    /// The type that a cast names.
    fn named_type(&self, name: &TypeName) -> Result<Reading, Meaningless> {
        let words: Vec<&str> = name.words.iter().map(String::as_str).collect();
        let declared = || {
            let wanted = *words.last().unwrap_or(&"");
            let of_name = |ctype: &CType| match ctype {
                CType::Alias { name, .. } | CType::Record { name, .. } | CType::Enum { name, .. } => name == wanted,
                _ => false,
            };
            self.program.ctypes.iter().position(of_name).map(|index| CTypeId(index as u32))
        };
        if name.pointers > 0 {
            return Ok(Reading::Pointer(if name.pointers == 1 { declared() } else { None }));
        }
        let count = |word: &str| words.iter().filter(|it| **it == word).count();
        let signed = count("unsigned") == 0;
        let reading = match () {
            () if count("double") > 0 && count("long") == 0 => Reading::Float(Float::F64),
            () if count("float") > 0 => Reading::Float(Float::F32),
            () if count("char") > 0 => Reading::Integer { bits: 8, signed },
            () if count("_Bool") + count("bool") > 0 => Reading::Integer { bits: 8, signed: false },
            () if count("short") > 0 => Reading::Integer { bits: 16, signed },
            () if count("__int128") > 0 => Reading::Integer { bits: 128, signed },
            () if count("long") > 0 && count("double") == 0 => Reading::Integer { bits: 64, signed },
            () if count("size_t") > 0 => Reading::Integer { bits: 64, signed: false },
            () if count("int") + count("signed") + count("unsigned") > 0 => Reading::Integer { bits: 32, signed },
            () => {
                let known = declared().and_then(|it| self.reading(it));
                return known.ok_or_else(|| format!("the type `{}` is not known", words.join(" ")));
            }
        };
        Ok(reading)
    }
}

/// Whether a name of the program is this one of the source: shadowing names have a number behind a dot.
fn names(known: &str, name: &str) -> bool {
    match known.strip_prefix(name) {
        Some("") => true,
        Some(rest) => rest.strip_prefix('.').is_some_and(|rest| rest.bytes().all(|it| it.is_ascii_digit())),
        None => false,
    }
}

/// The type of a constant: the first of C's list that it fits.
fn integer_reading(value: u128, unsigned: bool, long: bool, decimal: bool) -> Reading {
    let bits = if long || value > u128::from(u32::MAX) { 64 } else { 32 };
    let signed_most = if bits == 32 { i32::MAX as u128 } else { i64::MAX as u128 };
    match (unsigned, value > signed_most) {
        (true, _) => Reading::Integer { bits, signed: false },
        (false, false) => Reading::Integer { bits, signed: true },
        (false, true) if bits == 32 && decimal => Reading::Integer { bits: 64, signed: true },
        (false, true) if bits == 64 && decimal && value > u128::from(u64::MAX) => {
            Reading::Integer { bits: 128, signed: true }
        }
        (false, true) => Reading::Integer { bits, signed: false },
    }
}
