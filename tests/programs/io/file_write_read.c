#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *name = "scratch_write_read.txt";
    FILE *f = fopen(name, "w");
    if (!f) return 1;
    for (int i = 0; i < 5; i++)
        fprintf(f, "line %d value %d\n", i, i * i);
    fputs("tail", f);
    fputc('!', f);
    if (fclose(f)) return 2;
    f = fopen(name, "r");
    if (!f) return 3;
    char line[64];
    int n = 0;
    while (fgets(line, sizeof line, f)) {
        int a, b;
        if (sscanf(line, "line %d value %d", &a, &b) == 2)
            printf("%d %d\n", a, b);
        else
            printf("other: %s\n", line);
        n++;
    }
    printf("%d lines eof %d\n", n, feof(f) != 0);
    rewind(f);
    printf("eof after rewind %d first %c\n", feof(f) != 0, fgetc(f));
    fclose(f);
    f = fopen(name, "a");
    fputs(" more\n", f);
    fclose(f);
    f = fopen(name, "r");
    fseek(f, 0, SEEK_END);
    printf("size %ld\n", ftell(f));
    fclose(f);
    printf("remove %d\n", remove(name));
    printf("gone %d\n", fopen(name, "r") == NULL);
    return 0;
}
