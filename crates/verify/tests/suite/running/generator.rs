//! Random small C programs with a few inputs of small ranges. They use the prelude's short names.

use std::fmt::Write;

/// A small generator of its own, so that a failing number can be run again.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// A random program and the ranges of its inputs.
pub struct Generated {
    pub text: String,
    pub ranges: Vec<(i64, i64)>,
}

struct Generator {
    random: Random,
    text: String,
    loops: u32,
}

pub fn generate(seed: u64) -> Generated {
    let mut random = Random(seed);
    let count = 1 + random.below(3);
    let mut ranges = Vec::new();
    let mut text = String::from("int g = 3; int h[4] = {1, 2, 3, 4};\n");
    text.push_str("struct pair { signed char c; short s; int i; };\n");
    text.push_str("static int twice(int x) { if (x > 40) return x; return x + x; }\n");
    text.push_str("int main(void) { int v[4] = {0, 1, 2, 3}; struct pair p = {1, 2, 3}; int *q = &v[1];\n");
    for name in ["a", "b", "c"].iter().take(count as usize) {
        let low = -(random.below(3) as i64);
        let high = low + 1 + random.below(4) as i64;
        ranges.push((low, high));
        writeln!(text, "int {name} = nondet(); assume({name} >= {low} && {name} <= {high});").unwrap();
    }
    for name in ["a", "b", "c"].iter().skip(count as usize) {
        writeln!(text, "int {name} = {};", random.below(5)).unwrap();
    }
    let mut generator = Generator { random, text, loops: 0 };
    let length = 3 + generator.random.below(6);
    for _ in 0..length {
        generator.statement(2);
    }
    generator.text.push_str("(void)q; return 0; }");
    Generated { text: generator.text, ranges }
}

impl Generator {
    fn statement(&mut self, depth: u32) {
        let choices = if depth == 0 { 6 } else { 9 };
        match self.random.below(choices) {
            0..=2 => {
                let (target, value) = (self.place(), self.expression(2));
                writeln!(self.text, "{target} = {value};").unwrap();
            }
            3 => {
                let condition = self.condition();
                writeln!(self.text, "assert({condition});").unwrap();
            }
            4 => {
                let target = self.place();
                writeln!(self.text, "q = &{target};").unwrap();
            }
            5 => {
                let (target, value) = (self.place(), self.expression(1));
                writeln!(self.text, "{target} = twice({value});").unwrap();
            }
            6 | 7 => {
                let condition = self.condition();
                writeln!(self.text, "if ({condition}) {{").unwrap();
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            _ => {
                let name = format!("i{}", self.loops);
                self.loops += 1;
                let end = match self.random.below(3) {
                    0 => "3".to_owned(),
                    1 => "(a & 3)".to_owned(),
                    _ => "b".to_owned(),
                };
                writeln!(self.text, "for (int {name} = 0; {name} < {end} && {name} < 4; {name}++) {{").unwrap();
                self.statement(depth - 1);
                let condition = self.condition();
                let leave = self.random.pick(&["break", "continue", "g++"]);
                writeln!(self.text, "if ({condition}) {leave};\n}}").unwrap();
            }
        }
    }

    /// Something of type `int` that can be written.
    fn place(&mut self) -> String {
        match self.random.below(7) {
            0 => "g".to_owned(),
            1 => "*q".to_owned(),
            2 => "p.i".to_owned(),
            3 => format!("v[{}]", self.index()),
            4 => format!("h[{}]", self.index()),
            _ => self.random.pick(&["a", "b", "c"]).to_owned(),
        }
    }

    fn index(&mut self) -> String {
        match self.random.below(4) {
            0 => self.random.below(4).to_string(),
            1 => "(a & 3)".to_owned(),
            2 => format!("({} & 3)", self.expression(0)),
            _ => self.expression(0),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 => (self.random.below(9) as i64 - 2).to_string(),
                1 => self.random.pick(&["p.c", "p.s", "p.i", "g"]).to_owned(),
                _ => self.random.pick(&["a", "b", "c"]).to_owned(),
            };
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(14) {
            0..=3 => format!("({left} + {right})"),
            4 | 5 => format!("({left} - {right})"),
            6 => format!("({left} * {right})"),
            7 => format!("({left} / {right})"),
            8 => format!("({left} % {right})"),
            9 => format!("({left} << ({right} & 31))"),
            10 => format!("({left} >> {right})"),
            11 => format!("(p.c = {left}, (unsigned char)({right}))"),
            12 => format!("v[{}]", self.index()),
            _ => format!("({left} < {right} ? {left} : {right})"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.expression(1), self.expression(0));
        let relation = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        format!("{left} {relation} {right}")
    }
}
