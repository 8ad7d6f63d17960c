//! glibc's pseudo-random sequences: `random` and `rand` (one additive-feedback generator), `rand_r`,
//! and the 48-bit linear congruential family.
//!
//! Each run owns its generators, so that runs in parallel threads stay reproducible.

/// The generator behind `rand` and `random`: x[n] = x[n-3] + x[n-31], with the lowest bit dropped.
#[derive(Clone, Debug)]
pub struct AdditiveFeedback {
    state: [u32; DEGREE],
    front: usize,
    rear: usize,
}

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

impl AdditiveFeedback {
    pub fn new(seed: u32) -> Self {
        let mut state = [0u32; DEGREE];
        state[0] = seed.max(1);
        for index in 1..DEGREE {
            state[index] = minimal_standard(state[index - 1]);
        }
        let mut generator = AdditiveFeedback { state, front: SEPARATION, rear: 0 };
        for _ in 0..10 * DEGREE {
            generator.next();
        }
        generator
    }

    /// A number from 0 to 2^31 - 1.
    pub fn next(&mut self) -> u32 {
        let sum = self.state[self.front].wrapping_add(self.state[self.rear]);
        self.state[self.front] = sum;
        self.front = (self.front + 1) % DEGREE;
        self.rear = (self.rear + 1) % DEGREE;
        sum >> 1
    }
}

/// 16807 * word mod (2^31 - 1), in Schrage's form on signed words, as glibc computes it.
fn minimal_standard(word: u32) -> u32 {
    let word = word as i32;
    let next = 16807i32.wrapping_mul(word % 127_773).wrapping_sub(2836i32.wrapping_mul(word / 127_773));
    (if next < 0 { next.wrapping_add(i32::MAX) } else { next }) as u32
}

/// `rand_r`: the result and the new seed.
pub fn rand_r(seed: u32) -> (u32, u32) {
    let step = |seed: u32| seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
    let first = step(seed);
    let second = step(first);
    let third = step(second);
    let mut result = (first >> 16) % 2048;
    result = (result << 10) ^ ((second >> 16) % 1024);
    result = (result << 10) ^ ((third >> 16) % 1024);
    (result, third)
}

/// The generator of `drand48`, `lrand48`, `mrand48` and their relatives.
#[derive(Clone, Copy, Debug)]
pub struct Congruential48 {
    pub x: u64,
    pub multiplier: u64,
    pub increment: u16,
}

const MASK48: u64 = (1 << 48) - 1;

impl Default for Congruential48 {
    fn default() -> Self {
        Congruential48 { x: 0, multiplier: 0x5_DEEC_E66D, increment: 0xB }
    }
}

impl Congruential48 {
    /// `srand48`: also forgets what `lcong48` set.
    pub fn seeded(seed: u32) -> Self {
        Congruential48 { x: (u64::from(seed) << 16) | 0x330E, ..Congruential48::default() }
    }

    /// The next 48-bit number after `x`.
    pub fn step(&self, x: u64) -> u64 {
        x.wrapping_mul(self.multiplier).wrapping_add(u64::from(self.increment)) & MASK48
    }

    pub fn next(&mut self) -> u64 {
        self.x = self.step(self.x);
        self.x
    }
}

/// `drand48`'s reading of a 48-bit number: in [0, 1).
pub fn unit_interval(x: u64) -> f64 {
    x as f64 / (1u64 << 48) as f64
}

/// `lrand48`'s reading: from 0 to 2^31 - 1.
pub fn nonnegative(x: u64) -> i64 {
    (x >> 17) as i64
}

/// `mrand48`'s reading: from -2^31 to 2^31 - 1.
pub fn signed(x: u64) -> i64 {
    i64::from((x >> 16) as u32 as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn rand_r(seed: *mut u32) -> i32;
        fn srand48(seed: i64);
        fn drand48() -> f64;
        fn lrand48() -> i64;
        fn mrand48() -> i64;
    }

    // One test for all of glibc's process-wide generators: tests run in parallel threads.
    #[test]
    fn sequences_are_glibcs() {
        for seed in [0u32, 1, 42, 0x8000_0000, u32::MAX, 123_456_789] {
            let mut generator = AdditiveFeedback::new(seed);
            // SAFETY: no other test uses these generators.
            unsafe { libc::srand(seed) };
            for _ in 0..500 {
                assert_eq!(generator.next() as i32, unsafe { libc::rand() }, "seed {seed}");
            }
            let (mut ours, mut theirs) = (seed, seed);
            let mut generator = Congruential48::seeded(seed);
            unsafe { srand48(i64::from(seed as i32)) };
            for _ in 0..100 {
                let (value, next) = super::rand_r(ours);
                ours = next;
                assert_eq!(value as i32, unsafe { rand_r(&raw mut theirs) });
                assert_eq!(unit_interval(generator.next()), unsafe { drand48() });
                assert_eq!(nonnegative(generator.next()), unsafe { lrand48() });
                assert_eq!(signed(generator.next()), unsafe { mrand48() });
            }
        }
    }
}
