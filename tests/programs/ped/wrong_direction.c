// It counts up where it should count down.
int main(void)
{
    int history[5] = {0};
    int i, total = 0;
    for (i = 4; i >= 0; i++) // fix: for (i = 4; i >= 0; i--)
        total += history[i];
    return total;
}
