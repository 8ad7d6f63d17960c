// verdict: violated
procedure ULTIMATE.start()
{
  var #x~1, y: int;
  #x~1, y := 1, 2;
  goto left, right, middle;
  left:
  #x~1, y := y, #x~1;
  goto end;
  right:
  assume false;
  middle:
  y := y + 5;
  end:
  assert #x~1 < 3;
  assert #x~1 == 1; //~ assertion
  assert y != 7; //~ assertion
  return;
  assert false;
}
