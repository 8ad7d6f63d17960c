//! Prints how many steps a second the executor makes: `cargo run --release --example speed -p program`.
//!
//! Not a test: figures depend on the machine. Each program is text, so nothing else is needed.

use std::time::Instant;

use program::exec::{Checks, Discard, Inputs, Limits, TraceRecorder, Unobserved, run};

const PROGRAMS: &[(&str, &str)] = &[
    (
        "integer loop",
        "fn main() -> i32 {\n  var i: i32\n  var s: i32\nentry:\n  i := 0\n  s := 0\n  goto cond\n\
         cond:\n  if i < 100000000 then body else done\n\
         body:\n  s := (s + i) & 65535\n  goto inc\n\
         inc:\n  i := i + 1\n  goto cond\ndone:\n  return s\n}\n",
    ),
    (
        "array of a global",
        "global sieve: 4000004 bytes align 16\n\
         fn main() -> i32 {\n  var i: i32\n  var j: i32\n  var n: i32\nentry:\n  n := 0\n  i := 2\n  goto cond\n\
         cond:\n  if i < 1000000 then body else done\n\
         body:\n  if sieve[i of 1000001 by 4]:i32 == 0 then prime else inc\n\
         prime:\n  n := n + 1\n  j := i + i\n  goto inner\n\
         inner:\n  if j < 1000000 then cross else inc\n\
         cross:\n  sieve[j of 1000001 by 4]:i32 := 1\n  j := j + i\n  goto inner\n\
         inc:\n  i := i + 1\n  goto cond\ndone:\n  return n & 127\n}\n",
    ),
    (
        "recursion",
        "fn fib(n: i32) -> i32 {\n  temp %a: i32\n  temp %b: i32\nentry:\n  if n < 2 then small else large\n\
         small:\n  return n\nlarge:\n  %a := call fib(n - 1)\n  %b := call fib(n - 2)\n  return %a + %b\n}\n\
         fn main() -> i32 {\n  temp %a: i32\nentry:\n  %a := call fib(32)\n  return %a & 127\n}\n",
    ),
    (
        "local objects",
        "fn swap(a: ptr, b: ptr) {\n  var t: i32\nentry:\n  t := *a\n  *a:i32 := *b\n  *b:i32 := t\n  return\n}\n\
         fn main() -> i32 {\n  var i: i32\n  object x: 4 bytes align 4\n  object y: 4 bytes align 4 scoped\nentry:\n  i := 0\n  x:i32 := 1\n  goto cond\n\
         cond:\n  if i < 5000000 then body else done\n\
         body:\n  begin y\n  y:i32 := i\n  call swap(&x, &y)\n  end y\n  i := i + 1\n  goto cond\ndone:\n  return x & 127\n}\n",
    ),
    (
        "floats",
        "fn main() -> i32 {\n  var i: i32\n  var s: f64\nentry:\n  i := 1\n  s := 0.0\n  goto cond\n\
         cond:\n  if i < 20000000 then body else done\n\
         body:\n  s := s +. 1.0 /. sitof.f64(i)\n  i := i + 1\n  goto cond\ndone:\n  return ftosi.i32(s)\n}\n",
    ),
];

fn main() {
    for (name, text) in PROGRAMS {
        let program = match program::text::read(text) {
            Ok(program) => program,
            Err(error) => {
                eprintln!("{name}: {error}");
                std::process::exit(2);
            }
        };
        let start = Instant::now();
        let (inputs, limits, checks) = (Inputs::default(), Limits::default(), Checks::default());
        let done = run(&program, &inputs, &limits, checks, &mut Discard, &mut Unobserved);
        let seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut recorder = TraceRecorder::bounded(64 << 20);
        let traced = run(&program, &inputs, &limits, checks, &mut Discard, &mut recorder);
        let traced_seconds = start.elapsed().as_secs_f64();
        let trace = recorder.finish();
        println!(
            "{name:18} {:?}: {:6.1} million steps/s, {:5.1} traced at {:.1} bytes a step",
            done.outcome,
            done.steps as f64 / seconds / 1e6,
            traced.steps as f64 / traced_seconds / 1e6,
            trace.size() as f64 / trace.len() as f64,
        );
    }
}
