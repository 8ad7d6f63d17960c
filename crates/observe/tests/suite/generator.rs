//! Random small C programs, one statement in a line, that end with a failing assertion.

use std::fmt::Write;

/// A small generator of its own, so that a failing number can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }
}

const LOCALS: [&str; 4] = ["a", "b", "c", "d"];

/// The program with this number.
pub fn generate(seed: u64) -> String {
    let mut text = String::from(
        "#include <assert.h>
unsigned g, h;
unsigned table[4];
static unsigned mix(unsigned x, unsigned y) {
  unsigned z = x;
  if (y & 1)
    z = z + y;
  return z;
}
static void put(unsigned *to, unsigned value) {
  *to = value;
  g = g + 1;
}
int main(void) {
",
    );
    let mut random = Random(seed);
    for name in LOCALS {
        let _ = writeln!(text, "  unsigned {name} = {};", random.below(9));
    }
    let mut body = Body { random, text, depth: 0, loops: 0 };
    for _ in 0..body.random.below(8) + 5 {
        body.statement();
    }
    // Of a constant, the compiler would leave nothing.
    let checked = body.local();
    let _ = writeln!(body.text, "  assert({checked} == 987654321);\n  return 0;\n}}");
    body.text
}

struct Body {
    random: Random,
    text: String,
    depth: u64,
    loops: u64,
}

impl Body {
    fn line(&mut self, line: &str) {
        let blanks = " ".repeat(2 + 2 * self.depth as usize);
        let _ = writeln!(self.text, "{blanks}{line}");
    }

    fn local(&mut self) -> &'static str {
        LOCALS[self.random.below(4) as usize]
    }

    fn value(&mut self) -> String {
        match self.random.below(6) {
            0 => self.random.below(9).to_string(),
            1 => "g".into(),
            2 => format!("table[{} & 3]", self.local()),
            3 => "h".into(),
            _ => self.local().into(),
        }
    }

    fn statement(&mut self) {
        let (target, one, other) = (self.local(), self.value(), self.value());
        let operator = ["+", "-", "*", "^", "&"][self.random.below(5) as usize];
        match self.random.below(if self.depth < 2 { 10 } else { 7 }) {
            0 => self.line(&format!("{target} = {one};")),
            1 | 2 => self.line(&format!("{target} = {one} {operator} {other};")),
            3 => self.line(&format!("g = {one} {operator} {other};")),
            4 => self.line(&format!("table[{target} & 3] = {one};")),
            5 => self.line(&format!("{target} = mix({one}, {other});")),
            6 => self.line(&format!("put(&h, {one});")),
            7 | 8 => {
                self.line(&format!("if ({one} < {other}) {{"));
                self.block();
            }
            _ => {
                self.loops += 1;
                let (counter, rounds) = (format!("i{}", self.loops), self.random.below(4) + 1);
                self.line(&format!("for (unsigned {counter} = 0; {counter} < {rounds}; {counter}++) {{"));
                self.block();
            }
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..self.random.below(3) + 1 {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }
}
