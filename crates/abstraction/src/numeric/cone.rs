//! Cones in exact integers: from constraints to generators, and back by duality.
//!
//! The double description method (Motzkin et al. 1953; Chernikova 1968; Le Verge 1992): constraints are added
//! one at a time to the cone's lines and rays. Two rays are combined only if they are adjacent, which is
//! read off the sets of constraints that they saturate.
//!
//! Vectors are kept with coprime entries. A computation that leaves 128 bits or grows past a limit has no
//! result; the caller then knows less.

use super::gcd;

pub type Vector = Vec<i128>;

/// More constraints than bits in a saturation set are refused.
const MOST_CONSTRAINTS: usize = 120;
/// Cones with more rays are given up.
const MOST_RAYS: usize = 120;

/// The set `{ Σ aᵢ·rayᵢ + Σ bⱼ·lineⱼ | aᵢ >= 0 }`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cone {
    pub rays: Vec<Vector>,
    pub lines: Vec<Vector>,
}

/// A ray with the constraints that it makes zero.
struct Ray {
    vector: Vector,
    saturated: u128,
}

/// The generators of `{ x | inequality · x >= 0, equality · x = 0 }`.
pub fn generators(width: usize, inequalities: &[Vector], equalities: &[Vector]) -> Option<Cone> {
    if inequalities.len() + equalities.len() > MOST_CONSTRAINTS {
        return None;
    }
    let unit = |index: usize| (0..width).map(|column| i128::from(column == index)).collect();
    let mut lines: Vec<Vector> = (0..width).map(unit).collect();
    let mut rays: Vec<Ray> = Vec::new();
    let constraints = equalities.iter().map(|row| (row, true)).chain(inequalities.iter().map(|row| (row, false)));
    for (number, (row, equality)) in constraints.enumerate() {
        match pivot(row, &lines)? {
            Some((index, product)) => {
                let line = lines.swap_remove(index);
                eliminate(row, &line, product, &mut lines, &mut rays, number)?;
                if !equality {
                    let vector = if product < 0 { negated(&line) } else { line };
                    rays.push(Ray { vector, saturated: (1u128 << number) - 1 });
                }
            }
            None => rays = cut(row, rays, number, equality)?,
        }
        if rays.len() > MOST_RAYS {
            return None;
        }
    }
    let mut rays: Vec<Vector> = rays.into_iter().map(|ray| ray.vector).collect();
    rays.sort();
    lines.sort();
    Some(Cone { rays, lines })
}

pub fn product(left: &[i128], right: &[i128]) -> Option<i128> {
    left.iter().zip(right).try_fold(0i128, |sum, (left, right)| sum.checked_add(left.checked_mul(*right)?))
}

fn negated(vector: &[i128]) -> Vector {
    vector.iter().map(|entry| -entry).collect()
}

/// A line that is not within the row's hyperplane, and its product with the row.
fn pivot(row: &[i128], lines: &[Vector]) -> Option<Option<(usize, i128)>> {
    for (index, line) in lines.iter().enumerate() {
        let value = product(row, line)?;
        if value != 0 {
            return Some(Some((index, value)));
        }
    }
    Some(None)
}

/// Moves all other generators along the line into the row's hyperplane.
fn eliminate(
    row: &[i128],
    line: &[i128],
    along: i128,
    lines: &mut [Vector],
    rays: &mut [Ray],
    number: usize,
) -> Option<()> {
    for other in lines {
        let value = product(row, other)?;
        *other = combine(along.checked_abs()?, other, -value * along.signum(), line)?;
    }
    for ray in rays {
        let value = product(row, &ray.vector)?;
        ray.vector = combine(along.checked_abs()?, &ray.vector, -value * along.signum(), line)?;
        ray.saturated |= 1 << number;
    }
    Some(())
}

/// Keeps the part of the rays' cone on the right side of the row.
fn cut(row: &[i128], rays: Vec<Ray>, number: usize, equality: bool) -> Option<Vec<Ray>> {
    let values: Vec<i128> = rays.iter().map(|ray| product(row, &ray.vector)).collect::<Option<_>>()?;
    let mut kept = Vec::new();
    for (plus, above) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
        for (minus, below) in values.iter().enumerate().filter(|(_, value)| **value < 0) {
            let common = rays[plus].saturated & rays[minus].saturated;
            let between =
                |(index, ray): (usize, &Ray)| index != plus && index != minus && ray.saturated & common == common;
            if rays.iter().enumerate().any(between) {
                continue;
            }
            let vector = combine(below.checked_neg()?, &rays[plus].vector, *above, &rays[minus].vector)?;
            kept.push(Ray { vector, saturated: common | 1 << number });
            if kept.len() > MOST_RAYS {
                return None;
            }
        }
    }
    for (mut ray, value) in rays.into_iter().zip(values) {
        if value == 0 {
            ray.saturated |= 1 << number;
        }
        if value == 0 || (value > 0 && !equality) {
            kept.push(ray);
        }
    }
    Some(kept)
}

/// `a · x + b · y`, with coprime entries.
fn combine(a: i128, x: &[i128], b: i128, y: &[i128]) -> Option<Vector> {
    let mut sum: Vector = Vec::with_capacity(x.len());
    for (x, y) in x.iter().zip(y) {
        sum.push(a.checked_mul(*x)?.checked_add(b.checked_mul(*y)?)?);
    }
    normalize(&mut sum);
    Some(sum)
}

pub fn normalize(vector: &mut [i128]) {
    let divisor = vector.iter().fold(0, |divisor, entry| gcd(divisor, *entry));
    if divisor > 1 {
        for entry in vector {
            *entry /= divisor;
        }
    }
}
