// verdict: violated
// Boogie wants `modifies g;` in both; bodies show it, too.
var g: int;

procedure set(x: int)
{
  g := x;
}

procedure main()
{
  call set(3);
  assert g == 3;
  assert g == 4; //~ assertion
}
