/* Machine integers: nothing that wraps around may be taken for a large number. */
int input(void);
unsigned char byte(void);

int main(void) {
    int a[256];
    unsigned char narrow = byte();
    a[narrow] = 1; // proved: array-index, out-of-bounds-above
    narrow = (unsigned char)(narrow + 1);
    a[narrow] = 2; // proved: array-index
    unsigned wrapped = 0;
    wrapped = wrapped - 1;
    if (wrapped < 10)
        return a[300]; // never reached
    int x = input();
    if (x > 0 && x < 100) {
        int y = x * x;  // proved: overflow
        y = y << 2;     // proved: shift
        a[y / 400] = y; // proved: array-index, division-by-zero
    }
    int z = x + 1;     // open: overflow
    return 100 / (z | 1); // proved: overflow; open: division-by-zero
}
