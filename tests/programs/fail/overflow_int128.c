int main(void)
{
    __int128 v = 1;
    for (int i = 0; i < 130; i++)
        v *= 2; //~ overflow
    return (int)v;
}
