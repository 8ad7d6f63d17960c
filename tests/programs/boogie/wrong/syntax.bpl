procedure main()
{
  var x: int //~ expected `;` after this
  x := ; //~ expected an expression, but found `;`
  x = 1; //~ expected `:=`, `:` or `[`, but found `=`
  assert (x > 0; //~ expected `)`, but found `;`
  assert x < 1 < 2; //~ expected `&&` between two comparisons
  if x > 0 { } //~ expected `(`, but found `x`
  x := x + 1;
  y := call main(); //~ `call` stands in front of the results
  var z: int; //~ a variable is declared behind statements
  havoc while; //~ expected a variable's name, but `while` is a keyword
}
const c int; //~ expected `:`, but found `int`
