// verdict: violated
type Color;
const unique red, green: Color;
const least: int;
axiom least > 5;
function f(x: int): int;
axiom (forall x: int :: { f(x) } x > 0 ==> f(x) == x + 1);
function half(x: int): int { x div 2 }
function zero() returns (int);
axiom zero() == 0;

procedure main(x: int, c: Color)
{
  assert red != green;
  assert half(least + least) == least;
  assert f(least) > 6;
  assert zero() == 0;
  assert c == red || c == green; //~ assertion
  assert f(x) > x; //~ assertion
}
