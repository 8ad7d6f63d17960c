// Copied from a loop over the other array.
static void clear(int *small, int few, int *large, int many)
{
    int j;
    for (j = 0; j < many; j++)
        large[j] = 0;
    for (j = 0; j < many; j++) // fix: for (j = 0; j < few; j++)
        small[j] = 0;
}

int main(void)
{
    int small[3], large[6];
    clear(small, 3, large, 6);
    return small[0] + large[0];
}
