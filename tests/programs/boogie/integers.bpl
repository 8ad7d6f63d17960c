// verdict: violated
// Division leaves a remainder that is not negative; by zero it yields anything, but always the same.
procedure main(x: int, y: int)
{
  assert 7 div 2 == 3 && 7 mod 2 == 1;
  assert (-7) div 2 == -4 && (-7) mod 2 == 1;
  assert 7 div (-2) == -3 && 7 mod (-2) == 1;
  assert y != 0 ==> x == y * (x div y) + x mod y && 0 <= x mod y;
  assert x div 0 == x div 0;
  assert x div 0 == 0; //~ assertion
  assert x < y || x >= y;
  assert x + 1 > x;
  assert int(2.5) == 2 && int(-2.5) == -3 && real(2) == 2.0;
}
