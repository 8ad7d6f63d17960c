const c: int;
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv16;
function f(x: int, y: bool): int;
axiom c; //~ expected bool, but this is int
procedure two(x: int) returns (a: int, b: bool);
procedure main(p: int, m: [int]bool, v: bv8)
{
  var x: int;
  var r: real;
  x := true; //~ expected int, but this is bool
  x := 1 + true; //~ this takes two of int or two of real, but there are int and bool
  r := x; //~ expected real, but this is int
  x := r + 1.5; //~ expected int, but this is real
  x := f(1); //~ `f` takes 2 arguments, but 1 are given
  x := m[1]; //~ expected int, but this is bool
  x := x[1]; //~ only maps have elements, but this is int
  x := m[1, 2]; //~ the map [int]bool takes 1 indices, but 2 are given
  p := 1; //~ the parameter `p` cannot be changed
  c := 1; //~ the constant `c` cannot be changed
  x, x := 1, 2; //~ `x` is assigned twice at once
  x, r := 1; //~ 2 places get 1 values
  call x := two(1); //~ `two` yields 2 results, but there are 1
  call x, r := two(1); //~ `r` has the type real, but the result is bool
  assert !x; //~ `!` takes bool, but this is int
  assert -true == 1; //~ `-` takes int or real, but this is bool
  assert v[9:0] == 1bv9; //~ there are no bits from 0 up to, but not with, 9 in bv8
  assert 300bv8 == v; //~ 300 does not fit into 8 bits
  assert add(v, v) == 0bv16; //~ `bvadd` yields something else than bv16
  if (x) { } //~ expected bool, but this is int
  assert old(x) == x;
}
implementation two(x: bool) returns (a: int, b: bool) { } //~ `x` has the type bool, but int in the procedure
