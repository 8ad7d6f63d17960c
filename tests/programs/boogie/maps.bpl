// verdict: violated
type Matrix = [int, int]int;
var matrix: Matrix;
var nested: [int][bool]int;

procedure main(i: int, j: int)
  modifies matrix, nested;
{
  var row: [bool]int;
  matrix[i, j] := 7;
  assert matrix[i, j] == 7;
  assert matrix[j, i] == 7; //~ assertion
  row := nested[i];
  nested[i][true] := 1;
  assert nested[i][false] == row[false];
  assert nested[i] == row[true := 1];
  assert nested[j][true] == 1 || i != j;
  matrix[i, j], row[true] := row[true], matrix[i, j];
  assert row[true] == 7;
}
