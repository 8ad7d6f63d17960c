// The limit of the loop is one too large.
int main(void)
{
    int squares[8];
    for (int i = 0; i < 9; i++) // fix: for (int i = 0; i < 8; i++)
        squares[i] = i * i;
    return squares[2] - 4;
}
