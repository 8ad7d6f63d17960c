// verdict: proved
function first<T>(x: T, y: T): T;
var heap: <a>[int, Box a]a;
type Box _;
procedure other() { call forall other(); }
procedure main(x: int)
{
  if (x != x) {
    assert (lambda y: int :: y)[0] == first(1, 2);
  }
}
