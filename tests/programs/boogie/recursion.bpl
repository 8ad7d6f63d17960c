// verdict: violated
procedure sum(n: int) returns (s: int)
{
  s := 0;
  if (n > 0) {
    call s := sum(n - 1);
    s := s + n;
  }
}

procedure main()
{
  var s: int;
  call s := sum(4);
  assert s == 10;
  assert s == 11; //~ assertion
}
