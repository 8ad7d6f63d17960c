//! Instructions as expression trees.
//!
//! `build(value, lane)` gives the tree of one scalar of a value, as it is evaluated at the command
//! that is being emitted now. A value that a variable holds is that variable; everything else is
//! built from its operands, once per use.

use llvm_sys::{LLVMIntPredicate, LLVMRealPredicate};
use program::{
    BinaryOp, CastOp, Comparison, ExprId, ExprKind, FloatComparison, FloatOp, FloatRelation, Object, Overflow, Sign,
    Site, Type, UnaryOp,
};

use super::function::FunctionLowering;
use super::homes::Home;
use super::shapes;
use crate::llvm::{Opcode, Ty, TyKind, Value, ValueKind};

impl FunctionLowering<'_, '_> {
    /// All scalars of a value.
    pub fn build_all(&mut self, value: Value) -> Result<Vec<ExprId>, String> {
        let count = self.unit.scalars(value.ty())?.len();
        (0..count).map(|lane| self.build(value, lane)).collect()
    }

    pub fn build(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        if let Some(variables) = self.held.get(&value) {
            let variable = *variables.get(lane).ok_or("a value of unsupported type")?;
            return Ok(self.variable(variable, Site::NONE));
        }
        match value.kind() {
            ValueKind::Instruction => self.build_instruction(value, lane),
            ValueKind::Argument => Err("a parameter of unsupported type".into()),
            _ => self.build_constant(value, lane),
        }
    }

    fn build_instruction(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        use Opcode::*;
        if let Some(node) = self.build_bit_field(value)? {
            return Ok(node);
        }
        let site = self.site(value);
        match value.opcode() {
            LLVMAlloca => match self.homes.get(&value) {
                Some(&Home::Object(local)) => Ok(self.object_address(Object::Local(local), site)),
                _ => Err("the address of a variable".into()),
            },
            LLVMLoad => self.build_load(value, lane, false),
            LLVMGetElementPtr => self.build_gep(value),
            LLVMCall => self.build_intrinsic(value, lane),
            LLVMFreeze => self.build(value.operand(0), lane),
            LLVMExtractValue | LLVMInsertValue | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => {
                self.build_part(value, lane)
            }
            LLVMSelect => self.build_select(value, lane, site),
            LLVMICmp => {
                let (left, right) = self.build_pair(value, lane)?;
                Ok(self.int_comparison(value.int_predicate(), left, right, site))
            }
            LLVMFCmp => {
                let (left, right) = self.build_pair(value, lane)?;
                let op = BinaryOp::FloatCompare(float_comparison(value.float_predicate()));
                Ok(self.binary(op, left, right, Type::BOOL, site))
            }
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc
            | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast => {
                self.build_cast(value, lane, site)
            }
            LLVMFNeg => {
                let operand = self.lane_of(value.operand(0), lane)?;
                let ty = self.body.expr(operand).ty;
                let node = self.node(ExprKind::Unary(UnaryOp::FloatNegate, operand), ty, site);
                self.repack(value.ty(), node, lane)
            }
            _ => self.build_arithmetic(value, lane, site),
        }
    }

    fn build_arithmetic(&mut self, value: Value, lane: usize, site: Site) -> Result<ExprId, String> {
        let op = arithmetic(value)?;
        if shapes::is_packed(value.ty()) {
            return self.build_packed(value, op, site);
        }
        let ty = self.unit.scalars(value.ty())?[lane];
        if let Some(node) = self.build_unary(value, op, lane, ty, site)? {
            return Ok(node);
        }
        let (left, right) = self.build_pair(value, lane)?;
        // `x--` comes as `x + -1`.
        if let BinaryOp::Add(overflow) = op
            && value.name().starts_with("dec")
            && self.body.expr(right).kind == ExprKind::Constant(ty.mask())
        {
            let one = self.constant(1, ty);
            return Ok(self.binary(BinaryOp::Sub(overflow), left, one, ty, site));
        }
        Ok(self.binary(op, left, right, ty, site))
    }

    /// `0 - x` and `x ^ -1` are how LLVM writes C's unary operators.
    fn build_unary(
        &mut self,
        value: Value,
        op: BinaryOp,
        lane: usize,
        ty: Type,
        site: Site,
    ) -> Result<Option<ExprId>, String> {
        let is =
            |operand: Value, bits: u128| operand.kind() == ValueKind::Int && operand.int_bits() == bits & ty.mask();
        let (op, operand) = match op {
            BinaryOp::Sub(overflow) if is(value.operand(0), 0) => (UnaryOp::Negate(overflow), value.operand(1)),
            BinaryOp::Xor if is(value.operand(1), u128::MAX) => (UnaryOp::Not, value.operand(0)),
            _ => return Ok(None),
        };
        let operand = self.build(operand, lane)?;
        Ok(Some(self.node(ExprKind::Unary(op, operand), ty, site)))
    }

    fn build_pair(&mut self, value: Value, lane: usize) -> Result<(ExprId, ExprId), String> {
        Ok((self.build(value.operand(0), lane)?, self.build(value.operand(1), lane)?))
    }

    /// A comparison; the detour of C's conditions through `int` is taken back.
    fn int_comparison(&mut self, predicate: LLVMIntPredicate, left: ExprId, right: ExprId, site: Site) -> ExprId {
        let compared_to_zero = matches!(self.body.expr(right).kind, ExprKind::Constant(0));
        let equal = matches!(predicate, LLVMIntPredicate::LLVMIntEQ);
        let unequal = matches!(predicate, LLVMIntPredicate::LLVMIntNE);
        if compared_to_zero
            && (equal || unequal)
            && let Some(condition) = self.condition_inside(left)
        {
            return match unequal {
                true => condition,
                false => self.node(ExprKind::Unary(UnaryOp::Not, condition), Type::BOOL, site),
            };
        }
        self.binary(BinaryOp::Compare(int_predicate(predicate)), left, right, Type::BOOL, site)
    }

    /// The condition of which this node, just built, is the extension to an integer. The node is
    /// taken back, with all that was built after it: every node has one parent.
    pub fn condition_inside(&mut self, node: ExprId) -> Option<ExprId> {
        match self.body.expr(node).kind {
            ExprKind::Cast(CastOp::ZeroExtend, inner) if self.body.expr(inner).ty == Type::BOOL => {
                self.body.exprs.truncate(node.index());
                Some(inner)
            }
            _ => None,
        }
    }

    fn build_select(&mut self, value: Value, lane: usize, site: Site) -> Result<ExprId, String> {
        let by_lane = value.operand(0).ty().kind() == TyKind::Vector;
        let condition = self.build(value.operand(0), if by_lane { lane } else { 0 })?;
        let then = self.build(value.operand(1), lane)?;
        let otherwise = self.build(value.operand(2), lane)?;
        let ty = self.body.expr(then).ty;
        Ok(self.node(ExprKind::Select { condition, then, otherwise }, ty, site))
    }

    fn build_cast(&mut self, value: Value, lane: usize, site: Site) -> Result<ExprId, String> {
        use Opcode::*;
        let target = value.ty();
        let from = value.operand(0);
        if value.opcode() == LLVMBitCast {
            return self.build_bitcast(value, lane, site);
        }
        let operand = self.lane_of(from, lane)?;
        let ty = self.lane_type(target, lane)?;
        let from_ty = self.body.expr(operand).ty;
        if matches!(from.ty().kind(), TyKind::Int(width) if width > 128) {
            return Ok(self.build_narrowed(operand, ty, site));
        }
        let op = match value.opcode() {
            LLVMTrunc => CastOp::Truncate,
            LLVMZExt => CastOp::ZeroExtend,
            LLVMSExt => CastOp::SignExtend,
            LLVMFPToUI => CastOp::FloatToInt(Sign::Unsigned),
            LLVMFPToSI => CastOp::FloatToInt(Sign::Signed),
            LLVMUIToFP => CastOp::IntToFloat(Sign::Unsigned),
            LLVMSIToFP => CastOp::IntToFloat(Sign::Signed),
            LLVMFPTrunc | LLVMFPExt => CastOp::FloatConvert,
            // Pointers have 64 bits; an integer of another width is cut or extended with zeros.
            LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast if ty.bits() == from_ty.bits() => CastOp::Reinterpret,
            LLVMPtrToInt => {
                let bits = self.cast(CastOp::Reinterpret, operand, Type::I64, site);
                let op = if ty.bits() < 64 { CastOp::Truncate } else { CastOp::ZeroExtend };
                return Ok(self.cast(op, bits, ty, site));
            }
            LLVMIntToPtr => {
                let op = if from_ty.bits() < 64 { CastOp::ZeroExtend } else { CastOp::Truncate };
                let bits = self.cast(op, operand, Type::I64, site);
                return Ok(self.cast(CastOp::Reinterpret, bits, Type::Pointer, site));
            }
            other => return Err(format!("conversion `{other:?}`")),
        };
        let node = self.cast(op, operand, ty, site);
        self.repack(target, node, lane)
    }

    /// The same bits under another type, also between vectors of different lanes.
    fn build_bitcast(&mut self, value: Value, lane: usize, site: Site) -> Result<ExprId, String> {
        let from = self.unit.scalars(value.operand(0).ty())?;
        let to = self.unit.scalars(value.ty())?;
        if from.len() == to.len() {
            let operand = self.build(value.operand(0), lane)?;
            let ty = to[lane];
            return match self.body.expr(operand).ty == ty {
                true => Ok(operand),
                false => Ok(self.cast(CastOp::Reinterpret, operand, ty, site)),
            };
        }
        let whole = self.joined(value.operand(0), &from, site)?;
        let offset: u32 = to[..lane].iter().map(|ty| ty.bits()).sum();
        Ok(self.bits_of(whole, offset, to[lane], site))
    }

    /// All lanes of a value of at most 128 bits as one integer.
    fn joined(&mut self, value: Value, lanes: &[Type], site: Site) -> Result<ExprId, String> {
        let total: u32 = lanes.iter().map(|ty| ty.bits()).sum();
        if total > 128 {
            return Err(format!("conversion of `{}`", value.ty()));
        }
        let whole_type = Type::Int(total as u16);
        let mut whole = self.constant(0, whole_type);
        let mut offset = 0;
        for (lane, &ty) in lanes.iter().enumerate() {
            let part = self.build(value, lane)?;
            let bits_type = Type::Int(ty.bits() as u16);
            let bits = if ty == bits_type { part } else { self.cast(CastOp::Reinterpret, part, bits_type, site) };
            let wide = if total == ty.bits() { bits } else { self.cast(CastOp::ZeroExtend, bits, whole_type, site) };
            let by = self.constant(u128::from(offset), whole_type);
            let placed = self.binary(BinaryOp::ShiftLeft, wide, by, whole_type, site);
            whole = self.binary(BinaryOp::Or, whole, placed, whole_type, site);
            offset += ty.bits();
        }
        Ok(whole)
    }

    /// Some bits of an integer under a type of their own.
    pub fn bits_of(&mut self, whole: ExprId, offset: u32, ty: Type, site: Site) -> ExprId {
        let whole_type = self.body.expr(whole).ty;
        let by = self.constant(u128::from(offset), whole_type);
        let shifted = self.binary(BinaryOp::ShiftRight(Sign::Unsigned), whole, by, whole_type, site);
        let bits_type = Type::Int(ty.bits() as u16);
        let bits = match whole_type == bits_type {
            true => shifted,
            false => self.cast(CastOp::Truncate, shifted, bits_type, site),
        };
        if ty == bits_type { bits } else { self.cast(CastOp::Reinterpret, bits, ty, site) }
    }

    // Two floats in one scalar.

    /// One lane of a value, also out of a packed vector.
    pub fn lane_of(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        if !shapes::is_packed(value.ty()) {
            return self.build(value, lane);
        }
        let packed = self.build(value, 0)?;
        let bits = self.cast(CastOp::Reinterpret, packed, Type::I64, Site::NONE);
        Ok(self.bits_of(bits, 32 * lane as u32, Type::F32, Site::NONE))
    }

    fn lane_type(&self, ty: Ty, lane: usize) -> Result<Type, String> {
        match shapes::is_packed(ty) {
            true => Ok(Type::F32),
            false => Ok(self.unit.scalars(ty)?[lane]),
        }
    }

    /// Refuses a lane-wise result that would have to be packed again; arithmetic packs by itself.
    fn repack(&mut self, ty: Ty, node: ExprId, _lane: usize) -> Result<ExprId, String> {
        match shapes::is_packed(ty) {
            true => Err(format!("conversion to `{ty}`")),
            false => Ok(node),
        }
    }

    fn build_packed(&mut self, value: Value, op: BinaryOp, site: Site) -> Result<ExprId, String> {
        let mut lanes = Vec::new();
        for lane in 0..2 {
            let left = self.lane_of(value.operand(0), lane)?;
            let right = self.lane_of(value.operand(1), lane)?;
            lanes.push(self.binary(op, left, right, Type::F32, site));
        }
        Ok(self.pack(lanes[0], lanes[1], site))
    }

    pub fn pack(&mut self, low: ExprId, high: ExprId, site: Site) -> ExprId {
        let mut widen = |part| {
            let bits = self.cast(CastOp::Reinterpret, part, Type::I32, site);
            self.cast(CastOp::ZeroExtend, bits, Type::I64, site)
        };
        let (low, high) = (widen(low), widen(high));
        let by = self.constant(32, Type::I64);
        let high = self.binary(BinaryOp::ShiftLeft, high, by, Type::I64, site);
        let both = self.binary(BinaryOp::Or, low, high, Type::I64, site);
        self.cast(CastOp::Reinterpret, both, Type::F64, site)
    }

    // Parts of aggregates and vectors.

    fn build_part(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        match value.opcode() {
            Opcode::LLVMExtractValue => {
                let start = self.first_scalar(value.operand(0).ty(), &value.indices())?;
                self.build(value.operand(0), start + lane)
            }
            Opcode::LLVMInsertValue => {
                let start = self.first_scalar(value.ty(), &value.indices())?;
                let count = self.unit.scalars(value.operand(1).ty())?.len();
                match lane.checked_sub(start) {
                    Some(inner) if inner < count => self.build(value.operand(1), inner),
                    _ => self.build(value.operand(0), lane),
                }
            }
            Opcode::LLVMShuffleVector => self.build_shuffle(value, lane),
            _ => self.build_element(value, lane),
        }
    }

    /// Which scalar of an aggregate a path of indices begins at.
    fn first_scalar(&self, ty: Ty, indices: &[u32]) -> Result<usize, String> {
        let Some((&index, rest)) = indices.split_first() else { return Ok(0) };
        if ty.kind() == TyKind::Struct {
            let members = ty.members();
            let mut before = 0;
            for &member in &members[..index as usize] {
                before += self.unit.scalars(member)?.len();
            }
            return Ok(before + self.first_scalar(members[index as usize], rest)?);
        }
        let each = self.unit.scalars(ty.element())?.len();
        Ok(index as usize * each + self.first_scalar(ty.element(), rest)?)
    }

    fn build_shuffle(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        let mask = value.shuffle_mask();
        let count = value.operand(0).ty().count() as usize;
        let pick = |this: &mut Self, lane: usize| match mask[lane] {
            Some(index) if index < count => this.lane_of(value.operand(0), index),
            Some(index) => this.lane_of(value.operand(1), index - count),
            None => Ok(this.constant(0, this.unit.scalars(value.ty().element())?[0])),
        };
        if shapes::is_packed(value.ty()) {
            let (low, high) = (pick(self, 0)?, pick(self, 1)?);
            return Ok(self.pack(low, high, Site::NONE));
        }
        pick(self, lane)
    }

    /// `extractelement` and `insertelement`, also with an index that is computed.
    fn build_element(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        let site = self.site(value);
        let vector = value.operand(0);
        let is_insert = value.opcode() == Opcode::LLVMInsertElement;
        let index = value.operand(if is_insert { 2 } else { 1 });
        if shapes::is_packed(value.ty()) {
            let mut lanes = Vec::new();
            for lane in 0..2 {
                lanes.push(self.inserted_lane(value, index, lane, site)?);
            }
            return Ok(self.pack(lanes[0], lanes[1], site));
        }
        if is_insert {
            return self.inserted_lane(value, index, lane, site);
        }
        if index.kind() == ValueKind::Int {
            return self.lane_of(vector, index.int_bits() as usize);
        }
        let mut result = self.lane_of(vector, 0)?;
        for lane in 1..vector.ty().count() as usize {
            let other = self.lane_of(vector, lane)?;
            result = self.chosen(index, lane, other, result, site)?;
        }
        Ok(result)
    }

    fn inserted_lane(&mut self, value: Value, index: Value, lane: usize, site: Site) -> Result<ExprId, String> {
        let old = self.lane_of(value.operand(0), lane)?;
        if index.kind() == ValueKind::Int {
            return match index.int_bits() as usize == lane {
                true => self.build(value.operand(1), 0),
                false => Ok(old),
            };
        }
        let new = self.build(value.operand(1), 0)?;
        self.chosen(index, lane, new, old, site)
    }

    fn chosen(
        &mut self,
        index: Value,
        lane: usize,
        then: ExprId,
        otherwise: ExprId,
        site: Site,
    ) -> Result<ExprId, String> {
        let index = self.build(index, 0)?;
        let index_type = self.body.expr(index).ty;
        let number = self.constant(lane as u128, index_type);
        let condition = self.binary(BinaryOp::Compare(Comparison::Equal), index, number, Type::BOOL, site);
        let ty = self.body.expr(then).ty;
        Ok(self.node(ExprKind::Select { condition, then, otherwise }, ty, site))
    }

    pub fn extend_to_64(&mut self, value: ExprId, site: Site) -> ExprId {
        match self.body.expr(value).ty.bits() {
            64 => value,
            narrow if narrow < 64 => {
                if let ExprKind::Constant(bits) = self.body.expr(value).kind {
                    let shift = 128 - narrow;
                    let extended = ((bits << shift) as i128 >> shift) as u128;
                    return self.constant(extended, Type::I64);
                }
                self.cast(CastOp::SignExtend, value, Type::I64, site)
            }
            _ => self.cast(CastOp::Truncate, value, Type::I64, site),
        }
    }

    pub fn scaled(&mut self, count: ExprId, size: u64, site: Site) -> ExprId {
        if size == 1 {
            return count;
        }
        let size = self.constant(u128::from(size), Type::I64);
        self.binary(BinaryOp::Mul(Overflow::Wraps), count, size, Type::I64, site)
    }
}

fn arithmetic(value: Value) -> Result<BinaryOp, String> {
    use Opcode::*;
    let overflow = || if value.has_nsw() { Overflow::Violates } else { Overflow::Wraps };
    Ok(match value.opcode() {
        LLVMAdd => BinaryOp::Add(overflow()),
        LLVMSub => BinaryOp::Sub(overflow()),
        LLVMMul => BinaryOp::Mul(overflow()),
        LLVMUDiv => BinaryOp::Div(Sign::Unsigned),
        LLVMSDiv => BinaryOp::Div(Sign::Signed),
        LLVMURem => BinaryOp::Rem(Sign::Unsigned),
        LLVMSRem => BinaryOp::Rem(Sign::Signed),
        LLVMShl => BinaryOp::ShiftLeft,
        LLVMLShr => BinaryOp::ShiftRight(Sign::Unsigned),
        LLVMAShr => BinaryOp::ShiftRight(Sign::Signed),
        LLVMAnd => BinaryOp::And,
        LLVMOr => BinaryOp::Or,
        LLVMXor => BinaryOp::Xor,
        LLVMFAdd => BinaryOp::Float(FloatOp::Add),
        LLVMFSub => BinaryOp::Float(FloatOp::Sub),
        LLVMFMul => BinaryOp::Float(FloatOp::Mul),
        LLVMFDiv => BinaryOp::Float(FloatOp::Div),
        LLVMFRem => BinaryOp::Float(FloatOp::Rem),
        other => return Err(format!("instruction `{other:?}`")),
    })
}

fn int_predicate(predicate: LLVMIntPredicate) -> Comparison {
    use LLVMIntPredicate::*;
    match predicate {
        LLVMIntEQ => Comparison::Equal,
        LLVMIntNE => Comparison::NotEqual,
        LLVMIntUGT => Comparison::Greater(Sign::Unsigned),
        LLVMIntUGE => Comparison::GreaterEqual(Sign::Unsigned),
        LLVMIntULT => Comparison::Less(Sign::Unsigned),
        LLVMIntULE => Comparison::LessEqual(Sign::Unsigned),
        LLVMIntSGT => Comparison::Greater(Sign::Signed),
        LLVMIntSGE => Comparison::GreaterEqual(Sign::Signed),
        LLVMIntSLT => Comparison::Less(Sign::Signed),
        LLVMIntSLE => Comparison::LessEqual(Sign::Signed),
    }
}

fn float_comparison(predicate: LLVMRealPredicate) -> FloatComparison {
    use LLVMRealPredicate::*;
    let (relation, unordered) = match predicate {
        LLVMRealPredicateFalse => (FloatRelation::Never, false),
        LLVMRealOEQ => (FloatRelation::Equal, false),
        LLVMRealOGT => (FloatRelation::Greater, false),
        LLVMRealOGE => (FloatRelation::GreaterEqual, false),
        LLVMRealOLT => (FloatRelation::Less, false),
        LLVMRealOLE => (FloatRelation::LessEqual, false),
        LLVMRealONE => (FloatRelation::NotEqual, false),
        LLVMRealORD => (FloatRelation::Always, false),
        LLVMRealUNO => (FloatRelation::Never, true),
        LLVMRealUEQ => (FloatRelation::Equal, true),
        LLVMRealUGT => (FloatRelation::Greater, true),
        LLVMRealUGE => (FloatRelation::GreaterEqual, true),
        LLVMRealULT => (FloatRelation::Less, true),
        LLVMRealULE => (FloatRelation::LessEqual, true),
        LLVMRealUNE => (FloatRelation::NotEqual, true),
        LLVMRealPredicateTrue => (FloatRelation::Always, true),
    };
    FloatComparison { relation, unordered }
}
