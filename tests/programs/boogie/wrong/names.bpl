var g: int;
var g: bool; //~ the variable or constant `g` is declared twice
type T;
type T; //~ the type `T` is declared twice
type int; //~ the type `int` is built in
function f(x: int): int { x + g } //~ the global variable `g` may not be mentioned
function h(x: U): int; //~ the type `U` is not declared
procedure main()
  modifies nothing; //~ `nothing` is no global variable
{
  var x: int;
  var x: int; //~ `x` is declared twice
  x := y; //~ `y` is not declared
  x := f; //~ `f` is not declared
  x := k(1); //~ the function `k` is not declared
  call missing(); //~ the procedure `missing` is not declared
  goto away; //~ there is no label `away`
  break; //~ there is no loop around to break out of
  L:
  L: //~ the label `L` stands here a second time
}
implementation other() { } //~ the procedure `other` is not declared
