//! Constants as expressions.

use program::{BinaryOp, CastOp, ExprId, ExprKind, Object, Overflow, Site, Type, VarId};

use super::function::FunctionLowering;
use super::shapes;
use crate::llvm::{TyKind, Value, ValueKind};

impl FunctionLowering<'_, '_> {
    pub fn node(&mut self, kind: ExprKind, ty: Type, site: Site) -> ExprId {
        self.body.add_expr(kind, ty, site)
    }

    pub fn constant(&mut self, bits: u128, ty: Type) -> ExprId {
        self.node(ExprKind::Constant(bits & ty.mask()), ty, Site::NONE)
    }

    pub fn variable(&mut self, variable: VarId, site: Site) -> ExprId {
        let ty = self.body.variable(variable).ty;
        self.node(ExprKind::Variable(variable), ty, site)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: Type, site: Site) -> ExprId {
        self.node(ExprKind::Binary(op, left, right), ty, site)
    }

    pub fn cast(&mut self, op: CastOp, value: ExprId, ty: Type, site: Site) -> ExprId {
        self.node(ExprKind::Cast(op, value), ty, site)
    }

    /// A constant as a tree; `lane` counts the scalars of an aggregate.
    pub fn build_constant(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        match value.kind() {
            ValueKind::Int => {
                let TyKind::Int(width @ 1..=128) = value.ty().kind() else {
                    return Err(format!("constant `{value}`"));
                };
                Ok(self.constant(value.int_bits(), Type::Int(width as u16)))
            }
            ValueKind::Float => match shapes::scalar(value.ty()) {
                Some(ty) => Ok(self.constant(value.float_bits(), ty)),
                None => Err(format!("constant `{value}`")),
            },
            ValueKind::Null => Ok(self.constant(0, Type::Pointer)),
            ValueKind::Undef | ValueKind::Zero => {
                let ty = self.unit.scalars(value.ty())?[lane];
                Ok(self.constant(0, ty))
            }
            ValueKind::Data if shapes::is_packed(value.ty()) => {
                let bytes: [u8; 8] = value.raw_bytes().try_into().map_err(|_| format!("constant `{value}`"))?;
                Ok(self.constant(u128::from(u64::from_le_bytes(bytes)), Type::F64))
            }
            ValueKind::Data => self.build_constant(value.data_element(lane as u32), 0),
            ValueKind::Aggregate => self.aggregate_lane(value, lane),
            ValueKind::Function
            | ValueKind::Global
            | ValueKind::Alias
            | ValueKind::BlockAddress
            | ValueKind::Expression => self.constant_place(value),
            _ => Err(format!("constant `{value}`")),
        }
    }

    fn aggregate_lane(&mut self, value: Value, lane: usize) -> Result<ExprId, String> {
        let mut rest = lane;
        for index in 0..value.operand_count() {
            let operand = value.operand(index);
            let count = self.unit.scalars(operand.ty())?.len();
            if rest < count {
                return self.build_constant(operand, rest);
            }
            rest -= count;
        }
        Err(format!("constant `{value}`"))
    }

    /// An address constant: an object, or a place some bytes behind its start.
    fn constant_place(&mut self, value: Value) -> Result<ExprId, String> {
        let (object, offset) = self.unit.constant_address(value)?;
        let ty = shapes::scalar(value.ty()).ok_or_else(|| format!("constant `{value}`"))?;
        let Some(object) = object else { return Ok(self.constant(offset as u64 as u128, ty)) };
        let mut address = self.object_address(object, Site::NONE);
        if offset != 0 {
            address = self.shifted(value, address, offset);
        }
        match ty {
            Type::Pointer => Ok(address),
            ty if ty.bits() == 64 => Ok(self.cast(CastOp::Reinterpret, address, ty, Site::NONE)),
            ty => {
                let bits = self.cast(CastOp::Reinterpret, address, Type::I64, Site::NONE);
                Ok(self.cast(CastOp::Truncate, bits, ty, Site::NONE))
            }
        }
    }

    pub fn object_address(&mut self, object: Object, site: Site) -> ExprId {
        self.node(ExprKind::Address(object), Type::Pointer, site)
    }

    /// An address some bytes further; an array element or a member if debug information knows it.
    fn shifted(&mut self, value: Value, base: ExprId, offset: i64) -> ExprId {
        if let Ok(offset) = u64::try_from(offset) {
            let name = self.unit.member_of_constant(value, offset);
            return self.member(base, offset, name, Site::NONE);
        }
        let bits = self.cast(CastOp::Reinterpret, base, Type::I64, Site::NONE);
        let by = self.constant(offset as u64 as u128, Type::I64);
        let sum = self.binary(BinaryOp::Add(Overflow::Wraps), bits, by, Type::I64, Site::NONE);
        self.cast(CastOp::Reinterpret, sum, Type::Pointer, Site::NONE)
    }
}
