// verdict: proved
function even(n: int): bool { if n == 0 then true else !even(n - 1) }

procedure main()
{
  assert even(0);
  assert even(2);
  assert !even(3);
}
