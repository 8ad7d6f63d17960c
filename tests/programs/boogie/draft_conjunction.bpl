// verdict: violated
procedure foo()
{
  var x, y: int;
  y := 7;
  havoc x;
  assert x >= 0 && y >= 0; //~ assertion
}
