// verdict: violated
var total: int;

procedure add(amount: int) returns (before: int);
  requires amount >= 0;
  modifies total;
  ensures before == old(total);
  ensures total == old(total) + amount;

implementation add(a: int) returns (b: int)
{
  b := total;
  total := total + a;
}

procedure anything() returns (value: int);
  free ensures value > 3;

procedure twice(n: int) returns (r: int)
  ensures r > n;
{
  r := 2 * n;
} //~ postcondition

procedure main()
  requires total == 0;
  modifies total;
{
  var before, value: int;
  call before := add(5);
  assert before == 0 && total == 5;
  call value := anything();
  assert value > 3;
  assert value > 4; //~ assertion
  call before := add(value - 10); //~ precondition
  call before := twice(value);
  call before := twice(-1);
}
