// verdict: violated
procedure main()
{
  var x, y: int;
  y := 42;
  havoc x;
  assume x >= 0 && y >= 23;
  assert false; //~ assertion
}
