//! Functions of the system's headers: slices lead through them, but what is told is the user's.

use observe::compiler::Language;
use observe::recording::{SiteKind, Sites, read_invariants, sites_of};
use observe::slicing::{Criterion, OutputByte, slice};

use crate::building::Project;

/// A program of C++, and its table.
fn compiled(text: &str, flags: &str) -> (Project, Sites) {
    let project = Project::new(&[("main.cpp", text)]);
    assert_eq!(project.try_cc(Language::Cxx, &format!("-g {flags} @/main.cpp -o @/main")), 0, "{flags}");
    let sites = sites_of(&project.path("main")).unwrap();
    (project, sites)
}

const SHELF: &str = "#include <algorithm>
#include <map>
#include <string>
#include <vector>

struct Box {
    std::string name;
    long weight;
};

static long lightest(std::vector<Box> &shelf, unsigned count) //+
{
    std::sort(shelf.begin(), shelf.end(), [](const Box &a, const Box &b) { return a.weight < b.weight; });
    long sum = 0;
    for (unsigned i = 0; i < count; i++) //+
        sum += shelf.at(i).weight; //+
    return sum;
}

int main(int argc, char **argv) //+
{
    std::vector<Box> shelf; //+
    std::map<int, int> seen;
    for (int i = 1; i < argc; i++) { //+
        seen[i % 3]++;
        if (std::string(argv[i]).size() > 2) //+
            shelf.push_back({argv[i], (i * 37) % 5}); //+
    }
    unsigned count = std::max<int>(2, (int)shelf.size()); //+
    return lightest(shelf, count) + seen.size() > 100; //+
}
";

#[test]
fn results_of_their_functions_are_observed_where_they_are_called() {
    for flags in ["-O0", "-O2"] {
        let (project, sites) = compiled(SHELF, flags);
        assert!(sites.sites.iter().all(|it| it.file.ends_with("main.cpp")), "{flags}");
        assert!(sites.blocks.iter().all(|it| it.file.ends_with("main.cpp")), "{flags}");
        let told = |mode: &str| {
            let ran = project.run(mode, &["one", "two", "x", "three"]);
            assert_eq!(ran.status, 0, "{mode} {flags}");
            let run = read_invariants(&ran.folder, &sites).unwrap();
            let calls = sites.sites.iter().zip(run.ranges).filter(|(site, _)| site.kind == SiteKind::Call);
            let ranges = calls.filter_map(|(site, range)| Some((site.line, site.ty, range?)));
            let mut told: Vec<String> =
                ranges.map(|(line, ty, it)| format!("{line}: {}..{}", it.min.shown(ty), it.max.shown(ty))).collect();
            told.dedup();
            told
        };
        let invariants = told("invariants");
        // The lengths of the arguments, and of the shelf.
        for expected in ["26: 1..5", "29: 3..3"] {
            assert!(invariants.iter().any(|it| it == expected), "{flags}: {invariants:?}");
        }
        assert_eq!(told("exact"), invariants, "{flags}");
    }
}

#[test]
fn a_run_that_ends_in_them_ends_at_the_users_call() {
    for flags in ["-O0", "-O2"] {
        let (project, sites) = compiled(SHELF, flags);
        let ran = project.run("trace", &["one", "x"]);
        assert_eq!(ran.status, 128 + libc::SIGABRT, "{flags}");
        let slice = slice(&ran.folder, &sites, &Criterion::Last).unwrap();
        let line = |number: &u32| SHELF.lines().nth(*number as usize - 1).unwrap_or_default().trim();
        let nodes = |index: &u32| {
            let id = slice.nodes[*index as usize];
            sites.units[id.unit as usize].functions[id.function as usize].nodes[id.node as usize].line
        };
        for (c, p, k) in &slice.edges {
            if nodes(p) == 25 {
                eprintln!(
                    "{:?} line {} <- {:?} {:?}",
                    sites.units[0].functions[slice.nodes[*c as usize].function as usize].nodes
                        [slice.nodes[*c as usize].node as usize]
                        .kind,
                    nodes(c),
                    slice.nodes[*p as usize],
                    k
                );
            }
        }
        let symptom: Vec<u32> = slice.symptom.iter().map(nodes).collect();
        assert_eq!(symptom.iter().map(line).collect::<Vec<_>>(), ["sum += shelf.at(i).weight; //+"], "{flags}");
        let file = project.path("main.cpp").to_str().unwrap().to_owned();
        let found: Vec<&str> = slice.lines(&sites, &file).iter().map(line).collect();
        let marked: Vec<&str> = SHELF.lines().map(str::trim).filter(|it| it.contains("//+")).collect();
        assert_eq!(found, marked, "{flags}");
    }
}

/// What C++'s streams print, beside what others print, to the file that standard output is.
#[test]
fn a_byte_that_a_stream_has_printed() {
    let text = "#include <cstdio>
#include <iomanip>
#include <iostream>
#include <string>

static int twice(int n) { return 2 * n; } //1
static int thrice(int n) { return 3 * n; } //2
static std::string name(int n) { return n > 3 ? \"many\" : \"few\"; } //3

static void tell(std::ostream &out, int n)
{
    out << std::setw(6) << twice(n) << std::endl; //1
    std::printf(\"%d\\n\", thrice(n)); //2
    out << name(n) << '\\n'; //3
}

int main(int argc, char **argv)
{
    std::cerr << \"begins\\n\";
    tell(std::cout, argc);
    return 0;
}
";
    for flags in ["-O0", "-O2"] {
        let (project, sites) = compiled(text, flags);
        let ran = project.run_to_file("main", "trace", &[]);
        assert_eq!(ran.output, "     2\n3\nfew\n", "{flags}");
        let file = project.path("main.cpp").to_str().unwrap().to_owned();
        for (byte, mark) in [(5, "//1"), (7, "//2"), (10, "//3")] {
            let byte = OutputByte::new(ran.output.as_bytes(), byte).unwrap();
            let slice = slice(&ran.folder, &sites, &Criterion::Output(byte)).unwrap_or_else(|error| panic!("{error}"));
            let lines = slice.lines(&sites, &file);
            let line = |number: &u32| text.lines().nth(*number as usize - 1).unwrap_or_default();
            let marked: Vec<&str> = text.lines().filter(|it| it.contains(mark)).collect();
            let found: Vec<&str> = lines.iter().map(line).filter(|it| it.contains("//")).collect();
            assert_eq!(found, marked, "{flags} {mark}");
        }
    }
}

/// Through memory of the library's: containers, strings, and streams that have their content in a string.
#[test]
fn what_strings_carry() {
    let text = "#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static long price(long n) { return n * 3; } //+
static long other(long n) { return n * 5; }

static std::string money(long cents) //+
{
    std::ostringstream text;
    text << cents / 100 << '.' << cents % 100; //+
    return text.str(); //+
}

int main(int argc, char **argv)
{
    std::vector<std::string> all;
    all.push_back(money(price(argc * 70))); //+
    std::cout << other(argc) << ' ' << all[0] << std::endl;
}
";
    for flags in ["-O0", "-O2"] {
        let (project, sites) = compiled(text, flags);
        let ran = project.run_to_file("main", "trace", &[]);
        assert_eq!(ran.output, "5 2.10\n", "{flags}");
        let byte = OutputByte::new(ran.output.as_bytes(), 2).unwrap();
        let slice = slice(&ran.folder, &sites, &Criterion::Output(byte)).unwrap_or_else(|error| panic!("{error}"));
        let file = project.path("main.cpp").to_str().unwrap().to_owned();
        let line = |number: &u32| text.lines().nth(*number as usize - 1).unwrap_or_default();
        let found: Vec<&str> = slice.lines(&sites, &file).iter().map(line).collect();
        for marked in text.lines().filter(|it| it.contains("//+")) {
            assert!(found.contains(&marked), "{flags}: `{marked}` is not in {found:?}");
        }
        assert!(!found.iter().any(|it| it.contains("n * 5")), "{flags}: {found:?}");
    }
}
