// verdict: violated
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8): bv8;
function {:bvbuiltin "bvult"} less(a: bv8, b: bv8): bool;
function {:bvbuiltin "bvslt"} signed_less(a: bv8, b: bv8): bool;
function {:bvbuiltin "(_ sign_extend 8)"} widen(a: bv8): bv16;
function { :builtin "zero_extend" } { :indices 8 } extend(a: bv8) returns (bv16);

procedure main(x: bv8)
{
  var y: bv8;
  assert add(255bv8, 1bv8) == 0bv8;
  assert signed_less(255bv8, 0bv8) && !less(255bv8, 0bv8);
  assert widen(128bv8) == 65408bv16 && extend(128bv8) == 128bv16;
  assert 1bv4 ++ 2bv4 == 18bv8;
  assert x[8:4] ++ x[4:0] == x;
  y := add(x, 1bv8);
  assert less(x, y) || x == 255bv8;
  assert less(x, y); //~ assertion
}
