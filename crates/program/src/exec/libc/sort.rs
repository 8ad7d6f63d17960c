//! `qsort` and `bsearch`, calling the program's comparison function in glibc's order.
//!
//! glibc 2.36 sorts by merging (`msort.c`): it is stable, and a comparison function that has side
//! effects or contradicts itself sees the same pairs here. glibc sorts elements of more than 32 bytes
//! through pointers, which a program can only notice by looking at the array while it is sorted.

use crate::Site;
use crate::exec::host::{Arguments, Host, Model, Returned, Stop};
use crate::exec::memory::{Address, Life, ObjectKind};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("qsort", |host, call| qsort(host, call, None)),
    ("qsort_r", |host, call| qsort(host, call, Some(call.int(4)))),
    ("bsearch", bsearch),
    ("lfind", |host, call| linear_search(host, call, false)),
    ("lsearch", |host, call| linear_search(host, call, true)),
];

struct Sorting {
    size: u64,
    comparison: Address,
    /// `qsort_r`'s third argument of the comparison.
    context: Option<u64>,
    /// Room for a merged part.
    scratch: Address,
}

fn qsort(host: &mut Host<'_>, call: &Arguments, context: Option<u64>) -> Result<Returned, Stop> {
    let (base, count, size) = (call.pointer(0), call.int(1), call.int(2));
    if count == 0 || size == 0 {
        return Ok(Returned::Nothing);
    }
    let total = count.saturating_mul(size);
    host.memory().read(base, total)?;
    let scratch = host.memory().allocate(ObjectKind::Library("qsort"), total, Site::NONE)?;
    let sorting = Sorting { size, comparison: call.pointer(3), context, scratch };
    let result = sorting.sort(host, base, count);
    host.memory().end(scratch.object(), Life::Freed, Site::NONE);
    result.map(|()| Returned::Nothing)
}

impl Sorting {
    fn sort(&self, host: &mut Host<'_>, base: Address, count: u64) -> Result<(), Stop> {
        if count <= 1 {
            return Ok(());
        }
        let left = count / 2;
        let middle = self.element(base, left);
        self.sort(host, base, left)?;
        self.sort(host, middle, count - left)?;
        self.merge(host, base, left, middle, count - left)
    }

    fn merge(&self, host: &mut Host<'_>, base: Address, left: u64, middle: Address, right: u64) -> Result<(), Stop> {
        let (mut taken_left, mut taken_right) = (0, 0);
        while taken_left < left && taken_right < right {
            let one = self.element(base, taken_left);
            let other = self.element(middle, taken_right);
            let target = self.element(self.scratch, taken_left + taken_right);
            if self.compare(host, one, other)? <= 0 {
                host.memory().copy(target, one, self.size)?;
                taken_left += 1;
            } else {
                host.memory().copy(target, other, self.size)?;
                taken_right += 1;
            }
        }
        // What is left of the right part stands where it belongs already.
        let merged = taken_left + taken_right;
        let rest = left - taken_left;
        host.memory().copy(self.element(self.scratch, merged), self.element(base, taken_left), rest * self.size)?;
        host.memory().copy(base, self.scratch, (merged + rest) * self.size)?;
        Ok(())
    }

    fn element(&self, base: Address, index: u64) -> Address {
        base.plus((index * self.size) as i64)
    }

    fn compare(&self, host: &mut Host<'_>, one: Address, other: Address) -> Result<i32, Stop> {
        let arguments = [one.0, other.0, self.context.unwrap_or(0)];
        let count = if self.context.is_some() { 3 } else { 2 };
        Ok(host.call_back(self.comparison, &arguments[..count])? as i32)
    }
}

fn bsearch(host: &mut Host<'_>, call: &Arguments) -> Result<Returned, Stop> {
    let (key, base, size, comparison) = (call.int(0), call.pointer(1), call.int(3), call.pointer(4));
    let (mut low, mut high) = (0, call.int(2));
    while low < high {
        let middle = (low + high) / 2;
        let element = base.plus((middle.wrapping_mul(size)) as i64);
        let order = host.call_back(comparison, &[key, element.0])? as i32;
        match order {
            0 => return Ok(Returned::pointer(element)),
            ..0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(Returned::pointer(Address::NULL))
}

/// `lfind`, and `lsearch`, which adds what it does not find.
fn linear_search(host: &mut Host<'_>, call: &Arguments, add: bool) -> Result<Returned, Stop> {
    let (key, base, size) = (call.pointer(0), call.pointer(1), call.int(3));
    let count = host.memory().load_u64(call.pointer(2))?;
    for index in 0..count {
        let element = base.plus((index * size) as i64);
        if host.call_back(call.pointer(4), &[key.0, element.0])? as i32 == 0 {
            return Ok(Returned::pointer(element));
        }
    }
    if !add {
        return Ok(Returned::pointer(Address::NULL));
    }
    let element = base.plus((count * size) as i64);
    host.memory().copy(element, key, size)?;
    host.memory().write_u64(call.pointer(2), count + 1)?;
    Ok(Returned::pointer(element))
}
