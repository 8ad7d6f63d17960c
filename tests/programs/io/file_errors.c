#include <stdio.h>
#include <errno.h>
#include <string.h>

int main(void)
{
    errno = 0;
    FILE *f = fopen("no_such_dir/no_such_file", "r");
    printf("%d %d\n", f == NULL, errno == ENOENT);
    printf("%s\n", strerror(ENOENT));
    printf("%s\n", strerror(EINVAL));
    errno = 0;
    printf("%d", remove("definitely_missing.tmp"));
    printf(" %d\n", errno == ENOENT);
    f = fopen("scratch_errors.txt", "w");
    if (!f) return 1;
    fputs("data", f);
    printf("%d\n", fgetc(f) == EOF);
    printf("%d\n", ferror(f) != 0);
    clearerr(f);
    printf("%d\n", ferror(f));
    fclose(f);
    printf("%d\n", rename("scratch_errors.txt", "scratch_errors2.txt"));
    f = fopen("scratch_errors2.txt", "r");
    char buf[10] = "";
    printf("%zu %s\n", fread(buf, 1, 9, f), buf);
    printf("%zu\n", fread(buf, 1, 9, f));
    fclose(f);
    remove("scratch_errors2.txt");
    return 0;
}
