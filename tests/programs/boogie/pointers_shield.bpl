// verdict: violated
// Two pointers are set in the first round only, which the counter skips.
procedure alloc() returns (pointer: int);
  ensures pointer != 0;

procedure main()
{
  var p1, p2, i: int;
  p1 := 0;
  p2 := 0;
  i := 1;
  while (i < 10) {
    if (i == 0) {
      call p1 := alloc();
      call p2 := alloc();
    }
    assert p1 != 0 && p2 != 0; //~ assertion
    i := i + 1;
  }
}
