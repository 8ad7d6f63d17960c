//! What processes saw inside of large expressions: ranges of values, by the numbers of the units' tables.
//!
//! A process that records exactly has these in its file of counters, behind the counters and the ranges of each unit.

use std::path::Path;

use super::counters::{Seen, take, words};
use super::process::{Process, processes};
use super::sites::Sites;
use super::table::{Inner, Unit};
use super::value::{Order, Value};
use crate::Error;

/// The values of nodes inside of expressions, over all processes of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InnerValues {
    /// By the unit and the number of the range.
    ranges: Vec<Vec<Option<(Value, Value)>>>,
}

impl InnerValues {
    /// The least and the greatest value; `None` where no run came.
    pub fn range(&self, unit: u32, inner: Inner) -> Option<(Value, Value)> {
        self.ranges.get(unit as usize)?.get(inner.number as usize).copied().flatten()
    }
}

/// The values inside of expressions, by the processes that recorded them into a folder.
pub fn read_inner(folder: &Path, sites: &Sites) -> Result<InnerValues, Error> {
    let orders: Vec<Vec<Order>> = sites.units.iter().map(orders).collect();
    let mut seen: Vec<Vec<Seen>> = orders.iter().map(|it| vec![Seen::NOTHING; it.len()]).collect();
    for process in processes(folder)?.iter().filter(|it| it.mode == "exact") {
        let path = process.stem.with_extension("counters");
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            // It had no unit yet, or was told that the disk is full.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(Error::File { doing: "read", path, source }),
        };
        add(process, &bytes, sites, &orders, &mut seen).map_err(|reason| Error::Damaged { path, reason })?;
    }
    let range = |(seen, order): (&Seen, &Order)| seen.range(*order, 0).map(|it| (it.min, it.max));
    let ranges = seen.iter().zip(&orders).map(|(seen, orders)| seen.iter().zip(orders).map(range).collect()).collect();
    Ok(InnerValues { ranges })
}

fn add(
    process: &Process,
    bytes: &[u8],
    sites: &Sites,
    orders: &[Vec<Order>],
    seen: &mut [Vec<Seen>],
) -> Result<(), String> {
    let mut rest = bytes;
    for unit in &process.units {
        take(&mut rest, unit.counters, 1)?;
        take(&mut rest, unit.ranges, 2)?;
        let mut words = words(take(&mut rest, unit.inner, 2)?).map(|word| word as i64);
        let Some(index) = sites.unit_of_hash(unit.hash) else { continue };
        let index = index as usize;
        if orders[index].len() as u64 != unit.inner {
            return Err(format!("{} has other expressions than the program", sites.units[index].source));
        }
        for (seen, order) in seen[index].iter_mut().zip(&orders[index]) {
            let (Some(low), Some(second)) = (words.next(), words.next()) else { break };
            seen.add(*order, low, second);
        }
    }
    Ok(())
}

/// Of each range of a unit: how its values compare.
fn orders(unit: &Unit) -> Vec<Order> {
    let inner = unit.functions.iter().flat_map(|it| &it.nodes).filter_map(|it| it.inner);
    inner.map(|it| it.ty.order).collect()
}
