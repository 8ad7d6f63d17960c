// The wrong one of two pointers is followed.
int main(void)
{
    int value = 0;
    int *pointer = 0;
    if (pointer == 0) // fix: if (pointer != 0)
        value = *pointer;
    return value;
}
