//! Programs that behave badly, run with tight limits.

use super::*;

/// Enough time on a machine that is busy otherwise, so that another limit is hit first.
fn limits() -> Limits {
    Limits {
        time: Duration::from_secs(60),
        processor: Duration::from_secs(60),
        memory: 200 << 20,
        output: 1 << 20,
        file: 4 << 20,
        written: 8 << 20,
        processes: 20,
        gated: true,
    }
}

fn shell(line: &str) -> Runner {
    Runner::new(Command::shell(OsStr::new(line)), limits(), Arc::default()).unwrap()
}

#[track_caller]
fn check(line: &str, input: &str, end: End) -> Outcome {
    let outcome = shell(line).run(input.as_bytes()).unwrap();
    assert_eq!(outcome.end, end, "{line}");
    outcome
}

/// Runs what never ends by itself.
#[track_caller]
fn check_endless(line: &str) {
    let limits = Limits { time: Duration::from_millis(1500), ..limits() };
    let outcome = Runner::new(Command::shell(OsStr::new(line)), limits, Arc::default()).unwrap().run(b"").unwrap();
    assert_eq!(outcome.end, End::Stopped(Limit::Time), "{line}");
}

/// No process has this word among its arguments.
#[track_caller]
fn gone(word: &str) {
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let has = line.split(|&it| it == 0).any(|it| it == word.as_bytes());
        assert!(!has, "{} still runs", String::from_utf8_lossy(&line));
    }
}

#[test]
fn inputs_come_in_and_outputs_go_out() {
    let outcome = check("cat; echo wrong >&2; exit 7", "hello", End::Exited(7));
    assert_eq!((&outcome.stdout[..], &outcome.stderr[..]), (&b"hello"[..], &b"wrong\n"[..]));
    let outcome = check("cat @@; read nothing || echo empty", "file", End::Exited(0));
    assert_eq!(outcome.stdout, b"fileempty\n");
    check("kill -SEGV $$", "", End::Signalled(libc::SIGSEGV));
}

#[test]
fn a_run_has_its_own_folder() {
    let runner = shell("pwd; echo $TMPDIR; touch left-behind");
    let outcome = runner.run(b"").unwrap();
    let text = String::from_utf8(outcome.stdout).unwrap();
    let (first, second) = text.trim().split_once('\n').unwrap();
    assert_eq!(first, second);
    assert!(!Path::new(first).exists());
}

#[test]
fn limits_are_enforced() {
    check_endless("while :; do :; done");
    check("yes", "", End::Stopped(Limit::Output));
    check("head -c 5M /dev/zero > large", "", End::Exited(153));
    check("exec head -c 5M /dev/zero > large", "", End::Stopped(Limit::File));
    check("i=0; while :; do i=$((i+1)); head -c 3M /dev/zero > $i; done", "", End::Stopped(Limit::Written));
    check("x=0123456789abcdef; while :; do x=$x$x; done", "", End::Stopped(Limit::Memory));
}

#[test]
fn what_multiplies_is_ended_whole() {
    let word = "98761";
    let line = format!("bomb() {{ sleep {word} & bomb & bomb; }}; bomb");
    check(&line, "", End::Stopped(Limit::Processes));
    gone(word);
}

/// As many as allowed, and not one more; none of those that have ended counts.
#[test]
fn the_limit_is_exact() {
    // The shell itself is one, too.
    let waiting = |count: u32| format!("i=0; while [ $i -lt {count} ]; do sleep 0.3 & i=$((i+1)); done; wait");
    check(&waiting(19), "", End::Exited(0));
    check(&waiting(20), "", End::Stopped(Limit::Processes));
    check("i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done", "", End::Exited(0));
}

/// Signals that come while a process is started: it is started nevertheless.
#[test]
fn forks_do_not_fail() {
    let line = "i=0; while [ $i -lt 60 ]; do /bin/true & /bin/true & wait; i=$((i+1)); done";
    let outcome = check(line, "", End::Exited(0));
    assert_eq!(String::from_utf8_lossy(&outcome.stderr), "");
}

#[test]
fn what_runs_away_is_caught() {
    for (line, word) in [("sleep 98762 &", "98762"), ("setsid sleep 98763 & sleep 0.1", "98763")] {
        check(line, "", End::Exited(0));
        gone(word);
    }
    check_endless("(setsid sh -c 'sleep 98764 & sleep 98764' &) ; while :; do :; done");
    gone("98764");
}

#[test]
fn an_interrupt_ends_it() {
    let interrupt = Arc::new(AtomicBool::new(false));
    let runner = Runner::new(Command::shell(OsStr::new("sleep 98765")), limits(), interrupt.clone()).unwrap();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        interrupt.store(true, Ordering::Relaxed);
    });
    assert_eq!(runner.run(b"").unwrap().end, End::Interrupted);
    stopper.join().unwrap();
    gone("98765");
}

#[test]
fn programs_that_cannot_be_run() {
    let new = |name: &str| Runner::new(Command::new(vec![name.into()]), limits(), Arc::default());
    assert!(matches!(new("no-such-program"), Err(Error::NoProgram { .. })));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    fs::write(&path, "\x7fELF no program").unwrap();
    assert!(matches!(new(path.to_str().unwrap()), Err(Error::NotExecutable { .. })));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let runner = new(path.to_str().unwrap()).unwrap();
    assert!(matches!(runner.run(b""), Err(Error::CannotExecute { .. })));
}
