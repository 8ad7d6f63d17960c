//! What runs leave: counts, ranges, and that nothing is lost however a process ends.

use observe::Error;
use observe::compiler::Language;
use observe::recording::{
    Invariants, Recipes, SiteKind, Sites, loaded_modules, processes, read_coverage, read_invariants, sites_of, traces,
};

use crate::building::Project;

/// The ranges at sites of a kind in a line of `main.c`, as text.
pub fn ranges(sites: &Sites, run: &Invariants, kind: SiteKind, line: u32) -> Vec<String> {
    let here = sites.sites.iter().zip(&run.ranges).filter(|(site, _)| site.kind == kind && site.line == line);
    here.filter_map(|(site, range)| {
        let range = (*range)?;
        Some(format!("{}..{} x{}", range.min.shown(site.ty), range.max.shown(site.ty), range.count))
    })
    .collect()
}

/// The lines of branches, and how often each of their ways was taken, in the order of lines.
fn ways(sites: &Sites, run: &Invariants) -> Vec<(u32, Vec<u64>)> {
    let lines = sites.branches.iter().map(|it| it.line);
    let mut ways: Vec<(u32, Vec<u64>)> = lines.zip(run.coverage.ways.iter().map(<[u64]>::to_vec)).collect();
    ways.sort_unstable();
    ways
}

const LOOP: &str = "int total[10];
static unsigned half(unsigned x) { return x / 2; }
int main(int argc, char **argv) {
    for (int i = 0; i < 10; i++)
        total[i] = i - 3;
    float f = argc * 0.5f;
    total[0] = (int)f;
    return half(total[9]) == 3 ? 0 : argv[0] == 0;
}
";

#[test]
fn values_and_counts() {
    for flags in ["-O0", "-O2"] {
        let project = Project::program(LOOP, flags);
        let sites = sites_of(&project.path("main")).unwrap();
        let ran = project.run("invariants", &["x"]);
        assert_eq!(ran.status, 0);
        let run = read_invariants(&ran.folder, &sites).unwrap();
        assert_eq!(ranges(&sites, &run, SiteKind::Store, 5), ["-3..6 x10"]);
        assert_eq!(ranges(&sites, &run, SiteKind::Argument, 2), ["6..6 x1"]);
        assert_eq!(ranges(&sites, &run, SiteKind::Return, 2), ["3..3 x1"]);
        assert_eq!(ranges(&sites, &run, SiteKind::Argument, 3), ["2..2 x1", "not null..not null x1"]);
        assert_eq!(ways(&sites, &run), [(4, vec![10, 1]), (8, vec![1, 0])]);
        assert_eq!(&*sites.sites[0].file, project.path("main.c").to_str().unwrap());
    }
}

/// Cases that share their code, fall through, or are left out; and jumps to labels.
const SWITCHES: &str = "#include <stdlib.h>
int seen[4];
static int kind(int c) {
    switch (c) {
    case '+': case '-':
        return 1;
    case ' ':
        seen[0]++;
    case '\\t':
        seen[1]++;
        break;
    default:
        if (c < '0' || c > '9') exit(3);
        return 2;
    case '.':;
    }
    return 0;
}
static int jump(unsigned how) {
    static void *to[] = {&&even, &&odd};
    goto *to[how % 2];
even:
    return 4;
odd:
    return 5;
}
int main(int argc, char **argv) {
    int sum = 0;
    for (char *c = argv[1]; *c; c++)
        sum += kind(*c) + jump(*c);
    return sum == 0;
}
";

#[test]
fn ways_of_switches() {
    for flags in ["-O0", "-O1", "-O2 -fsanitize=address"] {
        let project = Project::program(SWITCHES, flags);
        let sites = sites_of(&project.path("main")).unwrap();
        let told = |mode: &str, argument: &str| {
            let run = read_invariants(&project.run(mode, &[argument]).folder, &sites).unwrap();
            let at = |line: u32| {
                let branch = sites.branches.iter().find(|it| it.line == line).unwrap();
                run.told(&sites, branch.unit, branch.function_index, branch.node).unwrap_or_default()
            };
            (at(4), at(21))
        };
        for mode in ["invariants", "exact"] {
            let (switch, jump) = told(mode, "+-+ \t5.");
            let expected = "once default (line 13), 3 times case 43, 45 (line 6), once case 32 (line 8), once case 9 (line 10), \
                            once case 46";
            assert_eq!(switch, expected, "{flags} {mode}");
            assert_eq!(jump, "2 times to line 23, 5 times to line 25", "{flags} {mode}");
            // It does not come back, but it was taken.
            assert_eq!(told(mode, "x").0, "always default (line 13)", "{flags} {mode}");
        }
    }
}

/// A condition has the branches that its parts are, in their lines, and none of its own.
#[test]
fn ways_of_conditions() {
    let text = "int seen;
int main(int argc, char **argv) {
    unsigned at = 0;
    while (at < 4 &&
           !(at == 2 ||
             (__builtin_expect(argc > 1 &&
              seen > 2, 0))))
        seen += 2, ++at;
    int whole = at > 1 &&
        seen;
    return whole - 1;
}
";
    for flags in ["-O0", "-O2"] {
        let project = Project::program(text, flags);
        let sites = sites_of(&project.path("main")).unwrap();
        let run = read_invariants(&project.run("invariants", &["x"]).folder, &sites).unwrap();
        let expected = [(4, vec![3, 0]), (5, vec![1, 2]), (6, vec![2, 0]), (7, vec![0, 2]), (9, vec![1, 0])];
        assert_eq!(ways(&sites, &run), expected, "{flags}");
    }
}

/// A variable whose address is taken has the sign of its type, however it is used.
#[test]
fn signs_as_declared() {
    let text = "
static void grow(unsigned *to, unsigned by) { *to += by; }
unsigned size; int less;
int main(void) {
    unsigned at = 4000000000;
    grow(&at, 1);
    size = at + 1;
    less = at;
    return size == 7;
}
";
    let project = Project::program(text, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    let run = read_invariants(&project.run("invariants", &[]).folder, &sites).unwrap();
    assert_eq!(ranges(&sites, &run, SiteKind::Load, 7), ["4000000001..4000000001 x1"]);
    assert_eq!(ranges(&sites, &run, SiteKind::Store, 7), ["4000000002..4000000002 x1"]);
    assert_eq!(ranges(&sites, &run, SiteKind::Store, 8), ["-294967295..-294967295 x1"]);
}

#[test]
fn coverage_alone_has_the_same_counts() {
    let project = Project::program(LOOP, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    let with_ranges = read_invariants(&project.run("invariants", &[]).folder, &sites).unwrap();
    let alone = read_coverage(&project.run("coverage", &[]).folder, &sites).unwrap();
    assert_eq!(alone, with_ranges.coverage);
}

#[test]
fn nothing_is_recorded_unless_asked_for() {
    let project = Project::program(LOOP, "-O1");
    for mode in ["", "nonsense"] {
        let ran = project.run(mode, &[]);
        assert_eq!(std::fs::read_dir(&ran.folder).unwrap().count(), 0, "{mode}");
    }
}

/// However it ends: (what `main` does after counting, status).
const ENDINGS: [(&str, i32); 6] = [
    ("return 7;", 7),
    ("exit(7);", 7),
    ("_exit(7);", 7),
    ("abort();", 128 + 6),
    ("*(volatile int *)argv[argc] = 1;", 128 + 11),
    ("raise(SIGKILL);", 128 + 9),
];

#[test]
fn nothing_is_lost_at_any_end() {
    for (ending, status) in ENDINGS {
        let text = format!(
            "#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\nint seen;\n\
             int main(int argc, char **argv) {{\nfor (int i = 0; i < 5000; i++)\nseen = i;\n{ending}\n}}\n"
        );
        let project = Project::program(&text, "-O2");
        let sites = sites_of(&project.path("main")).unwrap();
        let ran = project.run("invariants", &[]);
        assert_eq!(ran.status, status, "{ending}");
        let run = read_invariants(&ran.folder, &sites).unwrap();
        assert_eq!(ranges(&sites, &run, SiteKind::Store, 7), ["0..4999 x5000"], "{ending}");
        let ran = project.run("trace", &[]);
        assert_eq!(ran.status, status, "{ending}");
        let process = &processes(&ran.folder).unwrap()[0];
        let trace = &traces(process, &sites).unwrap()[0];
        let recipes = Recipes::new(&sites);
        let read = (0..trace.chunk_count()).map(|it| trace.read(it, &recipes).unwrap());
        let mut counts = std::collections::BTreeMap::new();
        for segment in read.flat_map(|it| it.segments(&recipes).collect::<Vec<_>>()) {
            *counts.entry(segment).or_insert(0) += 1;
        }
        // The loop's body.
        assert!(counts.values().any(|it| *it == 5000), "{counts:?} {ending}");
    }
}

#[test]
fn a_loop_that_crashes_is_counted_up_to_there() {
    // What a condition is counted by, behind it, has conditions of its own; the third turn accesses nothing.
    let text = "int main(int argc, char **argv) {
    int *places[] = {&argc, &argc, &argc, 0}, odd = 0;
    for (int i = 0; i < 10; i++) {
        if (i & 1)
            odd++;
        *(volatile int *)places[i] = i;
    }
    if (argc > 5) { if (odd) return 1; else return 2; } else { return 3; }
}
";
    let project = Project::program(text, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("invariants", &[]);
    assert_eq!(ran.status, 128 + 11);
    let run = read_invariants(&ran.folder, &sites).unwrap();
    assert_eq!(ways(&sites, &run), [(3, vec![4, 0]), (4, vec![2, 2]), (8, vec![0, 0]), (8, vec![0, 0])]);
    assert_eq!(ranges(&sites, &run, SiteKind::Store, 6), ["0..3 x4"]);
}

#[test]
fn children_have_files_of_their_own() {
    let text = "#include <sys/wait.h>
        #include <unistd.h>
        int seen;
        int main(void) {
            seen = 1;
            if (fork() == 0) {
                for (int i = 0; i < 7; i++)
                    seen = 10 + i;
                _exit(0);
            }
            wait(0);
            return 0;
        }";
    let project = Project::program(text, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    for mode in ["invariants", "trace"] {
        let ran = project.run(mode, &[]);
        let found = processes(&ran.folder).unwrap();
        assert_eq!(found.len(), 2, "{mode}");
        assert!(found.iter().any(|child| found.iter().any(|it| it.number == child.parent)), "{mode}");
    }
    let run = read_invariants(&project.path("main-invariants-"), &sites).unwrap();
    assert_eq!(ranges(&sites, &run, SiteKind::Store, 8), ["10..16 x7"]);
    let child = processes(&project.path("main-trace-")).unwrap();
    let lengths = child.iter().map(|it| {
        let trace = &traces(it, &sites).unwrap()[0];
        let recipes = Recipes::new(&sites);
        trace.read(0, &recipes).unwrap().segments(&recipes).count()
    });
    assert!(lengths.into_iter().all(|it| it > 2));
}

#[test]
fn threads_have_traces_of_their_own() {
    let text = "#include <pthread.h>
        int sums[4];
        static void *work(void *argument) {
            int *sum = argument;
            for (int i = 0; i < 1000; i++)
                *sum += i;
            return 0;
        }
        int main(void) {
            pthread_t threads[4];
            for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, &sums[i]);
            for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
            return sums[3] != 499500;
        }";
    let project = Project::program(text, "-O1 -pthread");
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("trace", &[]);
    assert_eq!(ran.status, 0);
    let threads = traces(&processes(&ran.folder).unwrap()[0], &sites).unwrap();
    assert_eq!(threads.len(), 5);
    let recipes = Recipes::new(&sites);
    let count = |it: &observe::recording::ThreadTrace| {
        (0..it.chunk_count()).map(|chunk| it.read(chunk, &recipes).unwrap().segments(&recipes).count()).sum::<usize>()
    };
    let long = threads.iter().filter(|it| count(it) > 1000).count();
    assert_eq!(long, 4);
    let ran = project.run("invariants", &[]);
    let run = read_invariants(&ran.folder, &sites).unwrap();
    assert!(ranges(&sites, &run, SiteKind::Store, 6)[0].starts_with("0..499500"));
}

/// Handlers that run in the middle of everything leave a recording that can be read, and none of the program's own is lost.
#[test]
fn signals_disturb_nothing() {
    let text = "#include <signal.h>
        #include <sys/time.h>
        volatile sig_atomic_t alarms;
        int cells[100];
        static void on_alarm(int number) {
            (void)number;
            alarms++;
        }
        static int turn(int i) {
            cells[i % 100] += i;
            return cells[i % 100] & 1;
        }
        int main(void) {
            struct itimerval often = {{0, 200}, {0, 200}};
            signal(SIGALRM, on_alarm);
            setitimer(ITIMER_REAL, &often, 0);
            int odd = 0, turns = 0;
            while (alarms < 100 || turns < 100000)
                odd += turn(turns++);
            return odd < 0;
        }";
    let project = Project::program(text, "-O1 -w");
    let sites = sites_of(&project.path("main")).unwrap();
    let counts = |name: &str| {
        let blocks = sites.blocks.iter().enumerate().filter(|(_, it)| it.is_entry && &*it.function == name);
        blocks.map(|(index, _)| index).next().unwrap()
    };
    let ran = project.run("invariants", &[]);
    assert_eq!(ran.status, 0);
    let run = read_invariants(&ran.folder, &sites).unwrap();
    assert!(run.coverage.blocks[counts("turn")] >= 100_000 && run.coverage.blocks[counts("on_alarm")] >= 100);
    let ran = project.run("trace", &[]);
    assert_eq!(ran.status, 0);
    let trace = &traces(&processes(&ran.folder).unwrap()[0], &sites).unwrap()[0];
    let recipes = Recipes::new(&sites);
    let steps = (0..trace.chunk_count()).map(|it| trace.read(it, &recipes).unwrap().segments(&recipes).count());
    let records: usize = steps.sum();
    assert!(records > 300_000, "{records}");
}

/// A long trace takes no more memory than a short one.
#[test]
fn memory_is_bounded() {
    let text = "#include <stdio.h>
        #include <stdlib.h>
        #include <sys/resource.h>
        unsigned cells[1000];
        int main(int argc, char **argv) {
            unsigned seed = 1;
            for (int i = atoi(argv[1]); i > 0; i--) {
                seed = seed * 1664525 + 1013904223;
                cells[(seed >> 8) % 1000] += seed;
            }
            struct rusage usage;
            getrusage(RUSAGE_SELF, &usage);
            printf(\"%ld\", usage.ru_maxrss);
            return 0;
        }";
    let project = Project::program(text, "-O1");
    let most = |rounds: &str| project.run("trace", &[rounds]).output.parse::<u64>().unwrap();
    let (short, long) = (most("300000"), most("6000000"));
    assert!(long < short + 2048, "{short} and {long} KiB");
}

/// A program that is not asked for anything leaves nothing, whatever it was started by.
#[test]
fn other_programs_record_for_themselves() {
    let project = Project::new(&[
        ("parent.c", "#include <stdlib.h>\nint main(void) { return system(\"unset FAULTLINE_OBSERVE; ./child\"); }\n"),
        ("child.c", "int main(void) { return 0; }\n"),
    ]);
    for name in ["parent", "child"] {
        project.cc(&format!("-O1 @/{name}.c -o @/{name}"));
    }
    let ran = project.run_program("parent", "invariants", &[]);
    assert_eq!(ran.status, 0);
    let found = processes(&ran.folder).unwrap();
    // A shell between them has no hooks, and `system` may have used `vfork`.
    assert!(found.iter().all(|it| it.executable == project.path("parent")), "{found:?}");
    assert_eq!(found.iter().filter(|it| !it.units.is_empty()).count(), 1);
}

#[test]
fn long_traces_keep_their_end() {
    let text = "int sink[64];
        int main(void) {
            for (unsigned i = 0; i < 2000000; i++) sink[i * 2654435761u >> 26] = i;
            return 0;
        }";
    let project = Project::program(text, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    // Four million words and little room.
    let folder = project.path("limited");
    std::fs::create_dir(&folder).unwrap();
    let status = std::process::Command::new(project.path("main"))
        .env("FAULTLINE_OBSERVE", "trace")
        .env("FAULTLINE_OBSERVE_DIR", &folder)
        .env("FAULTLINE_OBSERVE_LIMIT", "400000")
        .status()
        .unwrap();
    assert!(status.success());
    let size: u64 = std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().metadata().unwrap().len()).sum();
    assert!(size < 3_000_000, "{size}");
    let trace = &traces(&processes(&folder).unwrap()[0], &sites).unwrap()[0];
    assert!(trace.lost_beginning);
    for chunk in 0..trace.chunk_count() {
        trace.read(chunk, &Recipes::new(&sites)).unwrap();
    }
}

#[test]
fn objects_and_libraries_together() {
    let project = Project::new(&[
        ("a.c", "int b(int); int main(void) { return b(20) + b(21) == 82 ? 0 : 1; }\n"),
        ("b.c", "int c(int);\nint b(int x) { return c(x); }\n"),
        ("c.c", "int c(int x) { return x * 2; }\n"),
        ("plugin.c", "int plugin(int x) { return x + 1; }\n"),
        (
            "load.c",
            "#include <dlfcn.h>\nint main(int argc, char **argv) {\nvoid *library = dlopen(argv[1], RTLD_NOW);\n\
             if (!library) return 2;\nint (*function)(int) = (int (*)(int))dlsym(library, \"plugin\");\n\
             int result = function(41);\ndlclose(library);\nreturn result != 42; }\n",
        ),
    ]);
    for name in ["a", "b"] {
        project.cc(&format!("-O1 -c @/{name}.c -o @/{name}.o"));
    }
    project.cc("-O1 -fPIC -shared @/c.c -o @/libc1.so");
    project.cc("@/a.o @/b.o @/libc1.so -Wl,-rpath,@/ -o @/main");
    let ran = project.run("invariants", &[]);
    assert_eq!(ran.status, 0);
    let modules = loaded_modules(&ran.folder).unwrap();
    assert_eq!(modules, [project.path("libc1.so"), project.path("main")]);
    let mut sites = sites_of(&project.path("main")).unwrap();
    sites.add(&project.path("libc1.so")).unwrap();
    let run = read_invariants(&ran.folder, &sites).unwrap();
    let results: Vec<_> = sites.sites.iter().zip(&run.ranges).filter(|(it, _)| &*it.function == "c").collect();
    assert_eq!(results.len(), 2);
    assert!(results.iter().all(|(_, range)| range.unwrap().count == 2));

    project.cc("-O1 -fPIC -shared @/plugin.c -o @/plugin.so");
    project.cc("-O1 @/load.c -o @/load");
    let plugin = project.path("plugin.so");
    for mode in ["invariants", "trace"] {
        let ran = project.run_program("load", mode, &["./plugin.so"]);
        assert_eq!(ran.status, 0, "{mode}");
        // One runtime serves the program and what it loads.
        let found = processes(&ran.folder).unwrap();
        assert_eq!((found.len(), found[0].units.len()), (1, 2), "{mode}");
    }
    assert!(sites_of(&plugin).is_ok());
}

#[test]
fn sanitizers_see_what_they_always_see() {
    let text = "#include <stdlib.h>
        int main(int argc, char **argv) {
            int *values = malloc(4 * sizeof *values);
            for (int i = 0; i <= 4; i++)
                values[i] = i;
            return values[0];
        }";
    let project = Project::program(text, "-O1 -fsanitize=address,undefined");
    let sites = sites_of(&project.path("main")).unwrap();
    for mode in ["none", "invariants", "exact", "trace"] {
        assert_eq!(project.run(mode, &[]).status, 1, "{mode}");
    }
    let run = read_invariants(&project.path("main-exact-"), &sites).unwrap();
    assert_eq!(ranges(&sites, &run, SiteKind::Store, 5), ["0..4 x5"]);
    let death = processes(&project.path("main-trace-")).unwrap()[0].death.expect("the report is noted");
    assert!(death.signal.is_none() && death.address.is_some());
}

#[test]
fn sanitizers_know_the_names_of_variables() {
    let text = "#include <string.h>
        int length(char *text) { return text[0]; }
        int main(int argc, char **argv) {
            char room[8];
            memset(room, argc, 8 + argc);
            return length(room);
        }";
    let project = Project::program(text, "-O1 -g -fsanitize=address");
    let ran = std::process::Command::new(project.path("main")).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    // As clang says.
    assert!(said.contains("'room.sroa.0' (line 4) <== Memory access"), "{said}");
}

#[test]
fn what_cannot_be_read_is_told() {
    let project = Project::new(&[("main.c", "int main(void) { return 0; }\n"), ("script", "#!/bin/sh\n")]);
    let mut plain = std::process::Command::new("clang-19");
    plain.arg(project.path("main.c")).arg("-o").arg(project.path("plain"));
    assert!(plain.status().unwrap().success());
    let error = sites_of(&project.path("plain")).unwrap_err();
    assert!(matches!(error, Error::NotObserved { .. }));
    assert!(error.to_string().contains("CC=\"faultline cc\""), "{error}");
    assert!(sites_of(&project.path("script")).unwrap_err().to_string().contains("it is a script"));
    assert!(matches!(sites_of(&project.path("none")), Err(Error::File { .. })));
    assert_eq!(project.try_cc(Language::C, "@/main.c -o @/main"), 0);
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("nothing", &[]);
    assert!(matches!(read_coverage(&ran.folder, &sites), Err(Error::Empty { .. })));
}

/// Three of two words each are more than registers are for: the last one goes by the stack.
#[test]
fn structures_by_value_arrive_whole() {
    let text = "struct value { unsigned char kind; int size; void *next; };
__attribute__((noinline)) int kind(struct value v) { return v.kind + (v.next != 0); }
__attribute__((noinline)) int many(void *state, struct value a, struct value b, struct value c) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += kind(a) + 10 * kind(b) + 100 * kind(c) + (state != 0);
    return sum;
}
int main(void) {
    struct value a = {1}, b = {2}, c = {3};
    return many(&a, a, b, c) != 966;
}
";
    let project = Project::program(text, "-O1");
    for mode in ["nothing", "invariants", "trace"] {
        assert_eq!(project.run(mode, &[]).status, 0, "{mode}");
    }
}

#[test]
fn damaged_files_are_told() {
    let project = Project::program(LOOP, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("invariants", &[]);
    let counters = std::fs::read_dir(&ran.folder).unwrap().map(|it| it.unwrap().path());
    let counters = counters.into_iter().find(|it| it.extension().is_some_and(|it| it == "counters")).unwrap();
    let bytes = std::fs::read(&counters).unwrap();
    std::fs::write(&counters, &bytes[..bytes.len() - 8]).unwrap();
    assert!(matches!(read_invariants(&ran.folder, &sites), Err(Error::Damaged { .. })));
}

#[test]
fn recordings_of_another_version_are_called_so() {
    let project = Project::program(LOOP, "-O1");
    let sites = sites_of(&project.path("main")).unwrap();
    let ran = project.run("trace", &[]);
    for path in std::fs::read_dir(&ran.folder).unwrap().map(|it| it.unwrap().path()) {
        let mut bytes = std::fs::read(&path).unwrap();
        if bytes.starts_with(b"FLCHUNK") {
            bytes[7] = b'0';
            std::fs::write(&path, bytes).unwrap();
        }
    }
    let found = observe::slicing::slice(&ran.folder, &sites, &observe::slicing::Criterion::Last);
    let error = found.err().unwrap();
    assert!(matches!(error, Error::OtherVersion { .. }), "{error}");
    assert!(error.to_string().ends_with("build the program again, and record it again"), "{error}");
}

/// Bytes changed here and there, and files cut off: every reader answers.
#[test]
fn damage_anywhere_is_no_panic() {
    let project = Project::program(LOOP, "-O1");
    let binary = std::fs::read(project.path("main")).unwrap();
    let magic = binary.windows(8).position(|it| it == b"FLUNIT11").unwrap();
    let length = u64::from_le_bytes(binary[magic + 8..magic + 16].try_into().unwrap()) as usize;
    let table = &binary[magic..magic + length];
    let mut random = 1u64;
    let mut below = |end: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % end
    };
    for _ in 0..5000 {
        let mut bytes = table.to_vec();
        for _ in 0..below(4) + 1 {
            let at = below(bytes.len());
            bytes[at] = below(256) as u8;
        }
        bytes.truncate(length - below(40));
        let _ = Sites::from_section(&bytes);
    }
    let sites = sites_of(&project.path("main")).unwrap();
    for mode in ["invariants", "exact", "trace"] {
        let folder = project.run(mode, &[]).folder;
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
        for _ in 0..100 {
            let path = &files[below(files.len())];
            let whole = std::fs::read(path).unwrap();
            let mut bytes = whole.clone();
            // What matters of a window is at its beginning.
            let at = below(bytes.len().min(2000));
            bytes[at] = below(256) as u8;
            bytes.truncate(whole.len() - below(whole.len().min(64)));
            std::fs::write(path, &bytes).unwrap();
            let _ = read_invariants(&folder, &sites);
            let _ = observe::slicing::slice(&folder, &sites, &observe::slicing::Criterion::Last);
            std::fs::write(path, &whole).unwrap();
        }
    }
}
