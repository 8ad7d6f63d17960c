#include <stdio.h>
#include <string.h>

static void at(const char *what, const char *base, const char *p)
{
    if (p) printf("%s: %d\n", what, (int)(p - base));
    else printf("%s: none\n", what);
}
int main(void)
{
    const char *s = "she sells sea shells by the sea shore";
    at("strchr l", s, strchr(s, 'l'));
    at("strrchr l", s, strrchr(s, 'l'));
    at("strchr z", s, strchr(s, 'z'));
    at("strchr nul", s, strchr(s, 0));
    at("strstr sea", s, strstr(s, "sea"));
    at("strstr sea again", s, strstr(strstr(s, "sea") + 1, "sea"));
    at("strstr empty", s, strstr(s, ""));
    at("strstr seal", s, strstr(s, "seal"));
    at("strpbrk", s, strpbrk(s, "xyzb"));
    at("memchr", s, memchr(s, 'b', strlen(s)));
    at("memchr short", s, memchr(s, 'b', 5));
    printf("%zu %zu\n", strspn(s, "hes "), strcspn(s, "lm"));
    printf("%zu %zu\n", strspn("", "abc"), strcspn("abc", ""));
    int n = 0;
    for (const char *p = s; (p = strstr(p, "she")); p++)
        n++;
    printf("she x%d\n", n);
    printf("%zu %zu\n", strlen(s), strnlen(s, 10));
    printf("%d %d\n", strcasecmp("HeLLo", "hEllO"), strncasecmp("abcX", "ABCy", 3));
    printf("%d\n", strcasecmp("apple", "BANANA") < 0);
    return 0;
}
