// verdict: violated
procedure foo()
{
  var x, y, z: int;
  x := 1;
  y := 2;
  z := 3;
  havoc z;
  assert z > 10; //~ assertion
}
