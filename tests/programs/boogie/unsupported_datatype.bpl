// verdict: unknown
datatype Pair { Pair(first: int, second: int) }

procedure main(p: Pair)
{
  goto {:to_the_end} end;
  end:
  assert Pair(1, 2) != p;
}
