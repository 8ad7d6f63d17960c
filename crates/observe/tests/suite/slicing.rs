//! Slices of small programs: the lines that are expected, and no others.

use observe::recording::sites_of;
use observe::slicing::{Criterion, slice};

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
        Criterion::Line { file: "main.c".into(), line: 4 },
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
