// verdict: violated
procedure main()
{
  var x, y: int;
  y := 10;
  havoc x;
  assume x > 0;
  assert false; //~ assertion
}
