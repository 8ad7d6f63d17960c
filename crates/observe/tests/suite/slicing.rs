//! Slices of small programs: the lines that are expected, and no others.

use observe::recording::sites_of;
use observe::slicing::{Criterion, MissingOutput, OutputByte, SourceLine, WrongOutput, slice};

use crate::building::Project;

/// Lines marked with `//+` and no others are in the slice.
fn check(text: &str, arguments: &[&str], criterion: Criterion) {
    for flags in ["-O0", "-O2"] {
        let project = Project::program(text, flags);
        let sites = sites_of(&project.path("main")).unwrap();
        let ran = project.run("trace", arguments);
        let slice = slice(&ran.folder, &sites, &criterion).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let file = project.path("main.c").to_str().unwrap().to_owned();
        let line = |number: &u32| text.lines().nth(*number as usize - 1).unwrap_or_default().trim().to_owned();
        let found: Vec<String> = slice.lines(&sites, &file).iter().map(line).collect();
        let marked = text.lines().filter(|line| line.contains("//+"));
        let expected: Vec<String> = marked.map(|line| line.trim().to_owned()).collect();
        assert_eq!(found, expected, "{flags}\n{text}");
    }
}

#[test]
fn a_crash() {
    check(
        "#include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int unrelated;
        static int twice(int x) { return x * 2; }
        int main(int argc, char **argv) { //+
            int n = atoi(argv[1]); //+
            int m = n + 1; //+
            char one[64], two[64];
            sprintf(one, \"%d\", m); //+
            strcpy(two, one); //+
            unrelated += n;
            int t = twice(m);
            int *p = &t;
            if (two[0] == '5') //+
                p = 0; //+
            printf(\"hello\\n\");
            return *p; //+
        }",
        &["4"],
        Criterion::Last,
    );
}

/// Words of a path that follow from others: in blocks behind each other, in callees that are put where they are called, on
/// one of two ways, with distances, and where the last one could not be accessed.
#[test]
fn words_that_follow_from_others() {
    check(
        "#include <stdlib.h>
        #include <sys/mman.h>
        struct item { int kind, size; struct item *next; int *where, cells[4]; };
        static int size_of(struct item *item) { return item->size; } //+
        static void grow(struct item *item, int by) { //+
            item->size += by; //+
        }
        int main(int argc, char **argv) { //+
            struct item *items = calloc(4, sizeof *items); //+
            int n = atoi(argv[1]), sum = 0; //+
            for (int i = 0; i < 4; i++) { //+
                items[i].kind = i & 1; //+
                items[i].size = n; //+
                items[i].cells[0] = 3;
                items[i].cells[i] = n + 1; //+
                if (items[i].kind) //+
                    grow(&items[i], 2); //+
                else
                    items[i].where = &sum;
                items[i].next = items + i;
            }
            for (int i = 0; i < 4; i++) //+
                if (items[i].kind && size_of(&items[i]) > n) //+
                    sum += items[i].size + items[i].cells[i]; //+
            return sum ? *(volatile int *)(items[1].size + 3l) : 0; //+
        }",
        &["5"],
        Criterion::Last,
    );
    // All accesses of the second block follow from the first's.
    check(
        "#include <stdlib.h>
        #include <sys/mman.h>
        struct two { int first; char rest[4092]; int second; };
        int sum, other;
        static void touch(volatile struct two *two, int n) { //+
            two->first = n;
            if (n > 3) {
                sum = two->first;
                other = 2;
            } else
                other = 1;
            two->second = n; //+
            two->first = 0;
        }
        int main(int argc, char **argv) { //+
            char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); //+
            mprotect(pages + 4096, 4096, PROT_NONE);
            touch((struct two *)pages, atoi(argv[1])); //+
            return sum;
        }",
        &["5"],
        Criterion::Last,
    );
}

#[test]
fn arguments_results_and_pointers() {
    check(
        "#include <stdlib.h>
        struct pair { int first, second; };
        static int choose(int a, int b) { //+
            return b; //+
        }
        static void set(struct pair *pair, int value) { //+
            pair->first = value;
            pair->second = value + 1; //+
        }
        int main(int argc, char **argv) { //+
            struct pair pair;
            int (*indirect)(int, int) = choose; //+
            set(&pair, argc); //+
            int x = indirect( //+
                pair.first,
                pair.second); //+
            if (x == 2) //+
                abort(); //+
            return 0;
        }",
        &[],
        Criterion::Last,
    );
}

#[test]
fn loops_and_copies() {
    check(
        "#include <stdio.h>
        #include <string.h>
        int main(void) {
            int from[8], to[8];
            for (int i = 0; i < 8; i++) //+
                from[i] = i * i; //+
            int sum = 0;
            for (int i = 0; i < 8; i++)
                sum += from[i];
            memcpy(to, from, sizeof to); //+
            printf(\"%d\\n\", to[5]); //+
            fprintf(stderr, \"%d\\n\", sum);
            return 0;
        }",
        &[],
        Criterion::Call(vec!["printf".into()]),
    );
}

#[test]
fn jumps_over_frames() {
    check(
        "#include <setjmp.h>
        #include <stdlib.h>
        jmp_buf back;
        int result;
        static void deep(int x) { //+
            if (x > 2) { //+
                result = x; //+
                longjmp(back, 1);
            }
            deep(x + 1); //+
        }
        int main(int argc, char **argv) { //+
            if (setjmp(back) == 0) //+
                deep(argc); //+
            if (result == 3) //+
                abort(); //+
            return 0;
        }",
        &[],
        Criterion::Last,
    );
}

#[test]
fn a_line() {
    check(
        "int main(int argc, char **argv) { //+
            int x = argc + 1; //+
            int y = argc + 2;
            volatile int z = x; //+
            return y - z;
        }",
        &[],
        Criterion::Line(SourceLine { file: "main.c".into(), line: 4, column: None }),
    );
}

/// Why memory was freed before it was used, and what was used; of several times, the last.
#[test]
fn memory_that_was_freed() {
    let line = |line| SourceLine { file: "main.c".into(), line, column: None };
    check(
        "#include <stdlib.h>
        int *held, other;
        static int release(int *it) { free(it); return 4; }
        static void drop(int count) { //+
            if (count > 1) { //+
                if (release(held) > 3) other++; //+
                other = 2;
            }
        }
        int main(int argc, char **argv) { //+
            held = malloc(4); //+
            drop(argc - 2);
            drop(argc + 2); //+
            other += argc;
            volatile int *at = held; //+
            return *at; //+
        }",
        &[],
        Criterion::Freed { used: line(16), freed: line(6) },
    );
}

#[test]
fn no_such_place() {
    let project = Project::program("int main(void) { return 0; }\n", "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("trace", &[]);
    let error = slice(&ran.folder, &sites, &Criterion::Call(vec!["printf".into()])).unwrap_err();
    assert_eq!(error.to_string(), "the run never called printf");
}

/// Lines marked with `//+` are what the first byte depends on that is not as expected.
fn check_output(text: &str, arguments: &[&str], output: &str, expected: &str) {
    let wrong = WrongOutput::first(output.as_bytes(), expected.as_bytes());
    let Some(WrongOutput::Byte(byte)) = wrong else { panic!("{wrong:?}") };
    check(text, arguments, Criterion::Output(byte));
}

#[test]
fn the_first_wrong_byte_of_what_is_printed() {
    check_output(
        "#include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) { //+
            int first = atoi(argv[1]); //+
            int second = first + 1; //+
            int third = second + 1;
            printf(\"%d\\n\", first);
            fprintf(stderr, \"%d not counted\\n\", third);
            fprintf(stdout, \"%d\\n\", second); //+
            putchar('a' + third);
            puts(\" end\");
            return 0;
        }",
        &["4"],
        "4\n5\ng end\n",
        "4\n6\ng end\n",
    );
}

#[test]
fn a_byte_of_a_buffer_that_is_flushed() {
    check_output(
        "#include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static char buffer[64];
        int main(int argc, char **argv) { //+
            int one = atoi(argv[1]); //+
            int two = atoi(argv[2]);
            buffer[0] = '0' + one; //+
            buffer[1] = '\\n';
            buffer[2] = '0' + two;
            buffer[3] = '\\n';
            write(1, buffer, 2 + 2 * (argc - 2)); //+
            return 0;
        }",
        &["4", "5"],
        "4\n5\n",
        "3\n5\n",
    );
}

/// Lines marked with `//+` are what the decisions depend on not to print what is expected.
fn check_missing(text: &str, arguments: &[&str], output: &str, expected: &str) {
    let wrong = WrongOutput::first(output.as_bytes(), expected.as_bytes());
    let Some(WrongOutput::Missing { at, all }) = wrong else { panic!("{wrong:?}") };
    let blocks = sites_of(&Project::program(text, "-O0").path("main")).unwrap().blocks.len();
    check(text, arguments, Criterion::Missing(MissingOutput { at, all, executed: vec![true; blocks] }));
}

/// The decision to print the next line is among them: it comes before that is printed.
#[test]
fn output_that_is_missing() {
    check_missing(
        "#include <stdio.h>
        #include <stdlib.h>
        static int is_even(int n) { //+
            int rest = n % 2; //+
            return rest == 0; //+
        }
        static void show(int n) {
            printf(\"%d\\n\", n);
        }
        int main(int argc, char **argv) { //+
            int first = atoi(argv[1]);
            int second = atoi(argv[2]); //+
            int third = atoi(argv[3]); //+
            if (is_even(first))
                show(first);
            if (is_even(second)) //+
                show(second);
            if (is_even(third)) //+
                show(third);
            return 0;
        }",
        &["2", "3", "4"],
        "2\n4\n",
        "2\n3\n4\n",
    );
}

#[test]
fn output_of_functions_that_are_not_known() {
    let text = "#include <unistd.h>
        #include <sys/syscall.h>
        int main() { syscall(SYS_write, 1, \"abc\\n\", 4); return 0; }";
    let project = Project::program(text, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("trace", &[]);
    let byte = OutputByte::new(b"abc\n", 2).unwrap();
    let error = slice(&ran.folder, &sites, &Criterion::Output(byte)).unwrap_err().to_string();
    assert!(error.contains("no call that is known printed byte 2"), "{error}");
}
