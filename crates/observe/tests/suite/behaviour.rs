//! Observed programs do what they do otherwise, whatever is asked for, where that is not easy.

use observe::compiler::Language;
use observe::recording::sites_of;

use crate::building::Project;

const MODES: [&str; 5] = ["none", "coverage", "invariants", "exact", "trace"];

/// Runs what was built in all ways.
#[track_caller]
fn prints(project: &Project, expected: &str, flags: &str) {
    for mode in MODES {
        let ran = project.run(mode, &[]);
        assert_eq!((ran.status, ran.output.as_str()), (0, expected), "{flags} {mode}");
    }
}

/// Builds one program with several options.
#[track_caller]
fn check(text: &str, options: &[&str], expected: &str) {
    for flags in options {
        prints(&Project::program(text, &format!("-w {flags}")), expected, flags);
    }
}

/// As parts of structures are: hooks look at them, but nothing depends on what they are.
#[test]
fn copies_of_what_was_never_written() {
    let text = "#include <stdio.h>
        #include <stdlib.h>
        struct part { int used, count; char *name, *other; double number; };
        static struct part last, *made;
        static void fill(struct part *it, int n) { it->used = n; }
        static struct part part(int n) { struct part it; fill(&it, n); return it; }
        int main(void) {
            struct part here;
            fill(&here, 1);
            last.used = here.used, last.count = here.count, last.name = here.name, last.number = here.number;
            made = malloc(sizeof *made);
            made->used = 2;
            last.other = made->other;
            printf(\"%d %d\\n\", last.used, made->used);
            *made = part(3);
            printf(\"%d\\n\", made->used);
            free(made);
            return 0;
        }";
    check(text, &["-O0", "-O1", "-O2", "-O3"], "1 2\n3\n");
}

/// Then a run that fails goes one way or the other, and on from there, so that it can be asked why.
#[test]
fn decisions_by_what_was_never_written() {
    let text = "#include <stdio.h>
        static int is_known(int *it) { if (*it == 12345) return 1; return 0; }
        int main(void) {
            int spots[2];
            spots[0] = 1;
            int known = is_known(spots + 1) + is_known(spots);
            printf(\"%d\\n\", known < 3);
            return 0;
        }";
    for flags in ["-O0 -w", "-O1 -w", "-O2 -w", "-O3 -w"] {
        let project = Project::program(text, flags);
        for mode in ["exact", "trace"] {
            assert_eq!(project.run(mode, &[]).output, "1\n", "{flags} {mode}");
        }
    }
}

/// Where a result shall go is an argument, which hooks look at, too.
#[test]
fn results_in_memory() {
    let text = "#include <cstdio>
        struct part { int value, *spot; part(int it) : value(it), spot(&value) {} ~part() { value = 0; } };
        static part *kept;
        part make(int it) { part made(it); kept = &made; kept->value += *made.spot; return made; }
        part again(int it) { return it ? make(it - 1) : part(7); }
        int main() { part here = again(3); std::printf(\"%d %d\\n\", here.value, kept == &here); return 0; }";
    let project = Project::new(&[("main.cpp", text)]);
    for flags in ["-O0", "-O1", "-O2", "-O3"] {
        assert_eq!(project.try_cc(Language::Cxx, &format!("{flags} @/main.cpp -o @/main")), 0, "{flags}");
        prints(&project, "4 1\n", flags);
        assert!(!sites_of(&project.path("main")).unwrap().blocks.is_empty());
    }
}

/// Larger vectors among the arguments, which are handed on to another body.
#[test]
fn variable_arguments_and_large_vectors() {
    if !std::arch::is_x86_feature_detected!("avx") {
        return;
    }
    let text = "#include <stdarg.h>
        #include <stdio.h>
        static double sum(int count, ...) {
            va_list list;
            va_start(list, count);
            double all = 0;
            while (count--) all += va_arg(list, double);
            va_end(list);
            return all;
        }
        int main(void) { printf(\"%g\\n\", sum(9, 1.5, 2., 3., 4., 5., 6., 7., 8., 9.25)); return 0; }";
    check(text, &["-O0 -mavx", "-O1 -mavx", "-O2 -mavx"], "45.75\n");
}

/// Comparing with what is no number would raise one, and end a program that wants to know.
#[test]
fn flags_of_floating_point() {
    let text = "#define _GNU_SOURCE
        #include <fenv.h>
        #include <stdio.h>
        struct body { double x, y, z, mass; float a, b, c, d; } all[4];
        int main(void) {
            feenableexcept(FE_INVALID | FE_DIVBYZERO);
            for (int turn = 0; turn < 3; turn++)
                for (int i = 0; i < 4; i++) {
                    all[i].x += i * 0.5, all[i].y += turn, all[i].z = all[i].x * all[i].y, all[i].mass = i ? 1.0 / i : 1e308;
                    all[i].a += i, all[i].b -= turn, all[i].c = 3, all[i].d = -1e38f;
                }
            printf(\"%g %g %d\\n\", all[3].z, all[2].a, fetestexcept(FE_INVALID));
            return 0;
        }";
    check(text, &["-O0 -lm", "-O1 -lm", "-O2 -lm"], "13.5 6 0\n");
}

/// Nobody else has its body, and the optimizer puts it where it is called; not in all of our bodies.
#[test]
fn inline_functions_of_c() {
    let text = "#include <stdio.h>
        #include <stdlib.h>
        inline int square(int it) { return it * it; }
        int main(void) { printf(\"%d\\n\", square(atoi(\"3\"))); return 0; }";
    let project = Project::program(text, "-O1 -w");
    prints(&project, "9\n", "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    // That of C's library, atoi, is none of the program's.
    let all: Vec<u32> = sites.blocks.iter().flat_map(|it| it.lines.clone()).collect();
    assert!(all.contains(&3) && all.iter().all(|it| *it <= 4), "{all:?}");
}

/// What a library calls by a name that it exports may be the program's.
#[test]
fn functions_in_place_of_those_of_a_library() {
    let library = "__attribute__((noinline)) int hook(int it) { return it; } int call(int it) { return hook(it) + 1; }";
    let main = "#include <stdio.h>
        int call(int);
        int hook(int it) { return it + 1000; }
        int main(void) { printf(\"%d\\n\", call(1)); return 0; }";
    let project = Project::new(&[("library.c", library), ("main.c", main)]);
    project.cc("-O0 -fPIC -shared @/library.c -o @/libhooked.so");
    project.cc("-O0 @/main.c -L@/ -lhooked -Wl,-rpath,@/ -o @/main");
    prints(&project, "1002\n", "-O0");
}

/// There is little room for what threads have of their own in libraries that are loaded later, if it must be at once.
#[test]
fn what_threads_have_in_a_library_that_is_loaded_later() {
    let library = "static __thread char scratch[6000]; int plug(int it) { scratch[it]++; return scratch[it]; }";
    let main = "#include <dlfcn.h>
        #include <stdio.h>
        int main(void) {
            void *library = dlopen(\"./plugin.so\", RTLD_NOW);
            if (!library) return puts(dlerror()), 1;
            printf(\"%d\\n\", ((int (*)(int))dlsym(library, \"plug\"))(4));
            return 0;
        }";
    let project = Project::new(&[("library.c", library), ("main.c", main)]);
    project.cc("-O1 -fPIC -shared @/library.c -o @/plugin.so");
    project.cc("-O1 -w @/main.c -ldl -o @/main");
    prints(&project, "1\n", "-O1");
}

/// The recording's are longer, but the program does not hear of that.
#[test]
fn a_limit_for_the_length_of_files() {
    let text = "#include <stdio.h>
        #include <sys/resource.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int sink;
        int main(void) {
            struct rlimit limit = {4096, 4096};
            setrlimit(RLIMIT_FSIZE, &limit);
            if (fork() == 0) {
                for (int i = 0; i < 1000; i++) sink += i;
                _exit(0);
            }
            int status;
            wait(&status);
            printf(\"%d\\n\", status);
            return 0;
        }";
    check(text, &["-O0", "-O1"], "0\n");
}

/// The runtime does not take them for those of C's library: they are observed, and may say something else.
#[test]
fn functions_with_names_of_the_library() {
    let text = "#include <pthread.h>
        #include <stdio.h>
        static int asked;
        void *memset(void *to, int byte, unsigned long length) {
            volatile char *at = to;
            while (length--) *at++ = byte;
            return to;
        }
        char *getenv(const char *name) { asked++; return 0; }
        static void *work(void *argument) {
            char bytes[100];
            memset(bytes, 5, sizeof bytes);
            return (void *)(long)bytes[9];
        }
        int main(void) {
            pthread_t thread;
            void *result;
            pthread_create(&thread, 0, work, 0);
            pthread_join(thread, &result);
            printf(\"%ld %d\\n\", (long)result, asked);
            return 0;
        }";
    check(text, &["-O0 -fno-builtin", "-O1 -fno-builtin", "-O2 -fno-builtin"], "5 0\n");
}

/// The runtime has files of its own that call each other.
#[test]
fn functions_that_are_called_as_some_of_the_runtime_are() {
    let names = ["mode", "file_write", "text_begin", "trace_begin", "process_note", "counters_map", "words_encode"];
    let functions: String = names.iter().map(|it| format!("int {it}(int n) {{ return n + 1; }}\n")).collect();
    let calls: String = names.iter().map(|it| format!("{it}(")).collect();
    let text = format!(
        "#include <stdio.h>\n{functions}int main(void) {{ printf(\"%d\\n\", {calls}0{}); return 0; }}\n",
        ")".repeat(names.len())
    );
    check(&text, &["-O0", "-O2", "-O1 -fsanitize=address"], "7\n");
}
