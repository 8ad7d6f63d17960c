#include <stdio.h>
#include <string.h>

struct rec { int id; char name[12]; double balance; };

int main(void)
{
    const char *name = "scratch_records.bin";
    FILE *f = fopen(name, "wb+");
    if (!f) return 1;
    struct rec r;
    for (int i = 0; i < 6; i++) {
        memset(&r, 0, sizeof r);
        r.id = i + 100;
        sprintf(r.name, "user%d", i);
        r.balance = i * 12.5;
        if (fwrite(&r, sizeof r, 1, f) != 1) return 2;
    }
    fseek(f, 3 * sizeof r, SEEK_SET);
    if (fread(&r, sizeof r, 1, f) != 1) return 3;
    printf("%d %s %.2f at %ld\n", r.id, r.name, r.balance, ftell(f) / (long)sizeof r);
    r.balance += 1000;
    fseek(f, -(long)sizeof r, SEEK_CUR);
    fwrite(&r, sizeof r, 1, f);
    fseek(f, -2 * (long)sizeof r, SEEK_END);
    fread(&r, sizeof r, 1, f);
    printf("%d\n", r.id);
    rewind(f);
    struct rec all[10];
    size_t n = fread(all, sizeof all[0], 10, f);
    double t = 0;
    for (size_t i = 0; i < n; i++)
        t += all[i].balance;
    printf("%zu records total %.2f eof %d\n", n, t, feof(f) != 0);
    clearerr(f);
    printf("%d\n", feof(f) != 0);
    fclose(f);
    return remove(name);
}
