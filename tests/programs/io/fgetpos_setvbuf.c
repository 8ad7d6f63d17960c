#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[256];
    setvbuf(stdout, buf, _IOFBF, sizeof buf);
    FILE *f = tmpfile();
    if (!f)
        return 1;
    for (int i = 0; i < 10; i++)
        fprintf(f, "%d %d\n", i, i * i * i);
    fpos_t mark;
    rewind(f);
    int a, b, sum = 0;
    for (int i = 0; i < 4; i++)
        if (fscanf(f, "%d %d", &a, &b) == 2)
            sum += b;
    fgetpos(f, &mark);
    printf("sum %d\n", sum);
    while (fscanf(f, "%d %d", &a, &b) == 2)
        sum += b;
    printf("sum %d at %d\n", sum, a);
    fsetpos(f, &mark);
    if (fscanf(f, "%d %d", &a, &b) == 2)
        printf("again %d %d\n", a, b);
    fseek(f, 0, SEEK_SET);
    int c, lines = 0;
    while ((c = fgetc(f)) != EOF)
        lines += c == '\n';
    printf("%d lines %ld bytes\n", lines, ftell(f));
    fclose(f);
    fflush(stdout);
    setvbuf(stdout, NULL, _IONBF, 0);
    puts("unbuffered");
    return 0;
}
