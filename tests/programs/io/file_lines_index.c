#include <stdio.h>
#include <string.h>
#include <stdlib.h>

int main(void)
{
    FILE *f = fopen("index_scratch.txt", "w+");
    char line[80];
    long offset[32];
    int n = 0;
    if (!f)
        return 1;
    while (n < 32 && fgets(line, sizeof line, stdin)) {
        offset[n++] = ftell(f);
        fputs(line, f);
    }
    for (int i = n - 1; i >= 0; i--) {
        fseek(f, offset[i], SEEK_SET);
        if (fgets(line, sizeof line, f))
            printf("%ld %s", offset[i], line);
    }
    fseek(f, 2, SEEK_SET);
    int c = fgetc(f);
    ungetc('#', f);
    int d = fgetc(f), e = fgetc(f);
    printf("%c %c %c\n", c, d, e);
    fseek(f, 0, SEEK_END);
    printf("%d\n", fgetc(f) == EOF && feof(f));
    fclose(f);
    remove("index_scratch.txt");
    return n;
}
