// verdict: violated
// The same with a way out, which a flag keeps closed.
procedure alloc() returns (pointer: int);
  ensures pointer != 0;

procedure main()
{
  var p1, p2, i: int;
  var stopOnRequest, stopRequested: bool;
  p1 := 0;
  p2 := 0;
  i := 1;
  while (i < 10) {
    if (i == 0) {
      call p1 := alloc();
      call p2 := alloc();
    }
    stopOnRequest := false;
    havoc stopRequested;
    if (stopRequested) {
      if (stopOnRequest) {
        return;
      }
    }
    assert p1 != 0 && p2 != 0; //~ assertion
    i := i + 1;
  }
}
