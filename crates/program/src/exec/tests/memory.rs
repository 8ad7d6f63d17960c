//! Loads and stores of every size, globals, and addresses that merge with them.

use super::{check, check_with};
use crate::exec::Checks;

#[test]
fn sizes() {
    check("a:i8 := -1\n return sext.i32(a:i8)", "exited -1");
    check("a:i16 := -2\n return sext.i32(a:i16)", "exited -2");
    check("a:i64 := 1311768467463790320\n return a:i32 >>u 28", "exited 9");
    check("w := 5\n a:i128 := w << 100\n w := a:i128 >> 100\n return trunc.i32(w)", "exited 5");
    check("a:i24 := 1193046\n return zext.i32(a:i24) - 1193000", "exited 46");
    check("q := bits.x87(0x4000c000000000000000)\n a:x87 := q\n return ftosi.i32(a:x87)", "exited 3");
    check("a:x87 := bits.x87(0x4000c000000000000000)\n return zext.i32(a.#10:i8)", "violated uninitialized");
    check("a:i1 := argc == 1\n return zext.i32(a:i8) + zext.i32(a:i1)", "exited 2");
}

#[test]
fn globals_and_members() {
    check("return table[1]", "exited 2");
    check("x := 1\n return table[x]", "exited 2");
    check("x := 1\n table[x]:i32 := 7\n return table[1]", "exited 7");
    check("p := &table\n x := 1\n p[x by 4].#0:i32 := 8\n return table.#4:i32", "exited 8");
    check("x := 1\n return table[0 of 2 by 20].f#0[x of 5 by 4]", "exited 2");
    check("x := 1\n table[x by 20].f#16:i32 := 6\n return table[9]", "exited 6");
    check("x := 0\n p := &table[x by 100000]\n return p[1]", "exited 2");
    let others = "global link: 16 bytes align 8 {0: &table + 4, 8: &main}";
    check_with(others, "p := link:ptr\n return *p", Checks::default(), "exited 2");
    check_with(others, "return link.#8:ptr == &main ? 1 : 0", Checks::default(), "exited 1");
}

#[test]
fn pointers_are_integers_too() {
    check("a:i32 := 6\n l := reinterpret.i64(&a)\n l := l | 1\n p := reinterpret.ptr(l & -2)\n return *p", "exited 6");
    check("l := reinterpret.i64(&a[3 by 4]) - reinterpret.i64(&a)\n return trunc.i32(l)", "exited 12");
    check("p := &a\n r := &a[10 by 4]\n return p <u r ? 1 : 0", "exited 1");
    check("a:ptr := &table\n move(&buffer, &a, 8)\n p := buffer:ptr\n return p[1]", "exited 2");
}

#[test]
fn a_number_that_is_used_again_belongs_to_its_new_object() {
    // The scoped object is long dead when its number goes to the heap object; leaving the function
    // must not end that one.
    let others = "fn leaf() {\n object o: 4 bytes align 4\nentry:\n return\n}\n\
        fn make() -> ptr {\n object s: 4 bytes align 4 scoped\n var i: i32\n temp %p: ptr\n\
        entry:\n begin s\n end s\n i := 0\n goto cond\ncond:\n if i < 70000 then body else done\n\
        body:\n call leaf()\n i := i + 1\n goto cond\ndone:\n %p := call malloc(4)\n return %p\n}";
    check_with(others, "p := call make()\n *p:i32 := 3\n return *p", Checks::default(), "exited 3");
}
