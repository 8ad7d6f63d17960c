// verdict: violated
var g: int where g >= 0;

procedure change();
  modifies g;

procedure main(p: int where p > 3)
  modifies g;
{
  var x: int where x != 0;
  assert g >= 0 && x != 0 && p > 3;
  call change();
  havoc x;
  assert g >= 0 && x != 0;
  g := -1;
  assert g >= 0; //~ assertion
}
