// The end of the array is counted in bytes where elements are meant.
int main(void)
{
    int table[4];
    int *end;
    int *at;
    end = table + sizeof(table); // fix: end = table + sizeof(table) / sizeof(table[0]);
    for (at = table; at < end; at++)
        *at = 1;
    return 0;
}
