// verdict: violated
procedure main(a: real)
  requires 0.0 < a && a < 1e1;
{
  var b: real;
  b := a / 3.0;
  assert b * 3.0 == a;
  assert b < 3.34 && b > 0.0;
  assert b < 2.5e0; //~ assertion
  assert 1 / 2 == 0.5;
}
