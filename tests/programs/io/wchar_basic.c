#include <stdio.h>
#include <wchar.h>
#include <wctype.h>
#include <string.h>

int main(void)
{
    wchar_t s[] = L"wide string";
    const wchar_t *t = L"\u03b1\u03b2\u03b3";
    printf("%zu %zu %zu\n", wcslen(s), wcslen(t), sizeof s);
    printf("%d %d %d\n", t[0], t[1], t[2]);
    wchar_t buf[32];
    wcscpy(buf, s);
    wcscat(buf, L"!");
    printf("%zu %d\n", wcslen(buf), wcscmp(buf, s) > 0);
    printf("%d\n", (int)(wcschr(buf, L's') - buf));
    for (wchar_t *p = buf; *p; p++)
        putchar((char)towupper(*p));
    putchar('\n');
    wmemset(buf, L'x', 3);
    printf("%c%c%c%c\n", (char)buf[0], (char)buf[2], (char)buf[3], (char)buf[4]);
    printf("%d\n", wcsncmp(L"abc", L"abd", 2));
    printf("%d %d\n", iswalpha(L'a') != 0, iswdigit(L'a') != 0);
    printf("%ld\n", wcstol(L"  123abc", NULL, 10));
    printf("%ls|%lc\n", L"ascii", (wint_t)L'z');
    wint_t w = L'\x41';
    printf("%zu %c\n", sizeof(wchar_t), (char)w);
    return 0;
}
