// The terminator is written behind the end.
int main(void)
{
    char name[8];
    int length;
    for (length = 0; length < 7; length++)
        name[length] = 'a';
    name[8] = '\0'; // fix: name[7] = '\0';
    return name[0] - 'a';
}
