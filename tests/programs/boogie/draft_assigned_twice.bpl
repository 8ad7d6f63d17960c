// verdict: violated
procedure foo()
{
  var x: int;
  x := 7;
  x := 7;
  assert x > 10; //~ assertion
}
