//! Servers: the program is started, a client sends it the input when it is ready, and then it is stopped.
//!
//! The outcome is the server's where it ended by itself or by a signal that is not ours, the client's otherwise; the
//! client's output is standard output, what both say on standard error comes one after the other. What the server prints is
//! seen by the readiness check alone.

use std::ffi::OsString;
use std::fs;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use regex::bytes::Regex;

use super::supervisor::Supervised;
use super::{End, Limit, Limits, Outcome, Run, Runner, STDERR, STDOUT, beginning, end};
use crate::Error;

/// How to see that a server takes requests.
#[derive(Clone, Debug)]
pub enum Ready {
    /// Somebody listens at this address.
    Tcp(SocketAddr),
    /// Somebody listens at this socket.
    Unix(PathBuf),
    /// It has printed this.
    Output(Regex),
    /// This shell command succeeds.
    Command(String),
}

impl Ready {
    /// From `tcp:HOST:PORT`, `unix:PATH`, `output:REGEX`, or a shell command.
    pub fn parse(text: &str) -> Result<Ready, String> {
        match text.split_once(':') {
            Some(("tcp", address)) => {
                let found = address.to_socket_addrs().ok().and_then(|mut it| it.next());
                found.map(Ready::Tcp).ok_or_else(|| format!("`{address}` is no address: use tcp:127.0.0.1:8080"))
            }
            Some(("unix", path)) => Ok(Ready::Unix(path.into())),
            Some(("output", pattern)) => Regex::new(pattern).map(Ready::Output).map_err(|error| error.to_string()),
            _ => Ok(Ready::Command(text.to_owned())),
        }
    }
}

/// A server with its client.
#[derive(Debug)]
pub struct Service {
    pub server: Runner,
    pub client: Runner,
    pub ready: Ready,
    /// Asks the server to stop; without it, SIGTERM does.
    pub stop: Option<Runner>,
}

/// What to run: a program, or a server with a client.
#[derive(Debug)]
pub enum Subject {
    Program(Box<Runner>),
    Service(Box<Service>),
}

impl Subject {
    pub fn run(&self, input: &[u8], environment: &[(OsString, OsString)]) -> Result<Outcome, Error> {
        match self {
            Subject::Program(runner) => runner.run_with(input, environment),
            Subject::Service(service) => service.run(input, environment),
        }
    }

    /// The runner of the program itself.
    pub fn runner(&self) -> &Runner {
        match self {
            Subject::Program(runner) => runner,
            Subject::Service(service) => &service.server,
        }
    }

    /// The same under other limits.
    pub fn with_limits(&self, change: impl Fn(&mut Limits)) -> Result<Subject, Error> {
        Ok(match self {
            Subject::Program(runner) => Subject::Program(Box::new(runner.with_limits(&change)?)),
            Subject::Service(service) => Subject::Service(Box::new(Service {
                server: service.server.with_limits(&change)?,
                client: service.client.with_limits(&change)?,
                ready: service.ready.clone(),
                stop: service.stop.as_ref().map(|it| it.with_limits(&change)).transpose()?,
            })),
        })
    }

    /// A server has one address, so that only one of it can run.
    pub fn is_single(&self) -> bool {
        matches!(self, Subject::Service(_))
    }
}

/// How long a server may take to stop before it is killed.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: i32 = 5;
/// Tells the command that stops a server which process it is.
const SERVER: &str = "FAULTLINE_SERVER_PID";

impl Service {
    fn run(&self, input: &[u8], environment: &[(OsString, OsString)]) -> Result<Outcome, Error> {
        let mut gated = self.server.limits.gated;
        loop {
            let run = Run::prepare(&self.server, input, environment)?;
            let outcome = self.serve(&run, input, gated);
            let _ = fs::remove_dir_all(&run.folder);
            match outcome? {
                Some(outcome) => return Ok(outcome),
                None => gated = false,
            }
        }
    }

    /// Nothing if the run was disturbed.
    fn serve(&self, run: &Run, input: &[u8], gated: bool) -> Result<Option<Outcome>, Error> {
        let started = Instant::now();
        let mut supervised = run.start(&self.server, gated)?;
        let (end, client) = match self.until_ready(&mut supervised, run, started)? {
            Some(early) if early == End::Interrupted || self.server.command.takes_file() => (early, None),
            Some(early) => return self.ended_early(early, run).map(|()| None),
            None => {
                let client = self.client.run(input)?;
                let end = self.end(&mut supervised)?.unwrap_or(client.end);
                (if client.end == End::Interrupted { End::Interrupted } else { end }, Some(client))
            }
        };
        match supervised.is_disturbed() && end != End::Interrupted {
            true => Ok(None),
            false => self.outcome(end, client, run, started).map(Some),
        }
    }

    /// How the server ended before it was ready, if it did.
    fn until_ready(&self, supervised: &mut Supervised, run: &Run, started: Instant) -> Result<Option<End>, Error> {
        let refused = |source| Error::CannotExecute { path: self.server.path.clone(), source };
        loop {
            if let Some(ended) = supervised.wait(PAUSE).map_err(refused)? {
                return Ok(Some(end(ended)));
            }
            if self.is_ready(run)? {
                return Ok(None);
            }
            if self.server.is_interrupted() {
                return Ok(Some(End::Interrupted));
            }
            if started.elapsed() > self.server.limits.time {
                let seconds = self.server.limits.time.as_secs_f64();
                return Err(Error::Server(format!(
                    "the server was not ready after {seconds} s: check --server-ready, or allow more with --run-timeout"
                )));
            }
        }
    }

    /// What it did has nothing to do with the input, which it has not got.
    fn ended_early(&self, how: End, run: &Run) -> Result<(), Error> {
        let said = beginning(&run.folder.join(STDERR), self.server.limits.output)?;
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().rfind(|it| !it.trim().is_empty());
        let said = last.map_or_else(String::new, |it| format!("; the last that it says is: {}", it.trim()));
        let how = how.words();
        Err(Error::Server(format!(
            "the server {how} before it was ready, and was never asked: start it by hand first{said}"
        )))
    }

    fn is_ready(&self, run: &Run) -> Result<bool, Error> {
        let soon = Duration::from_millis(200);
        Ok(match &self.ready {
            Ready::Tcp(address) => TcpStream::connect_timeout(address, soon).is_ok(),
            Ready::Unix(path) => UnixStream::connect(run.works_in.join(path)).is_ok(),
            Ready::Output(pattern) => {
                let most = self.server.limits.output;
                let printed = [STDOUT, STDERR].map(|it| beginning(&run.folder.join(it), most));
                printed.into_iter().collect::<Result<Vec<_>, _>>()?.iter().any(|it| pattern.is_match(it))
            }
            Ready::Command(line) => {
                let mut check = super::Command::shell(line.as_ref());
                check.folder.clone_from(&self.client.command.folder);
                let check = self.client.beside(check)?;
                check.run(b"")?.end == End::Exited(0)
            }
        })
    }

    /// How the server ended, if that is its own doing.
    fn end(&self, supervised: &mut Supervised) -> Result<Option<End>, Error> {
        let refused = |source| Error::CannotExecute { path: self.server.path.clone(), source };
        // What the input has killed is dying now.
        if let Some(ended) = supervised.wait(2 * PAUSE).map_err(refused)? {
            return Ok(Some(end(ended)));
        }
        match &self.stop {
            Some(stop) => drop(stop.run_with(b"", &[(SERVER.into(), supervised.program().to_string().into())])?),
            None => supervised.signal(libc::SIGTERM),
        }
        let asked = Instant::now();
        let ended = loop {
            if let Some(ended) = supervised.wait(PAUSE).map_err(refused)? {
                break ended;
            }
            if asked.elapsed() > PATIENCE {
                supervised.stop();
            }
        };
        Ok(Some(end(ended)).filter(|end| match end {
            End::Signalled(signal) => ![libc::SIGTERM, libc::SIGKILL].contains(signal),
            End::Stopped(limit) => *limit == Limit::Processes,
            _ => false,
        }))
    }

    fn outcome(&self, end: End, client: Option<Outcome>, run: &Run, started: Instant) -> Result<Outcome, Error> {
        let (stdout, mut stderr, memory) = client.map_or_else(Default::default, |it| (it.stdout, it.stderr, it.memory));
        stderr.extend(beginning(&run.folder.join(STDERR), self.server.limits.output)?);
        Ok(Outcome { end, stdout, stderr, time: started.elapsed(), memory })
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::sync::Arc;

    use super::super::Command;
    use super::*;

    fn shell(line: &str) -> Runner {
        Runner::new(Command::shell(OsStr::new(line)), Limits::default(), Arc::default()).unwrap()
    }

    /// A server that answers requests from a pipe in the file system.
    fn service(folder: &std::path::Path, on_request: &str) -> Subject {
        let pipe = folder.join("pipe");
        let path = pipe.display();
        let server =
            format!("rm -f {path}; mkfifo {path}; echo listening; while :; do read line < {path}; {on_request}; done");
        let client = format!("cat > {path}; sleep 0.1; echo sent");
        Subject::Service(Box::new(Service {
            server: shell(&server),
            client: shell(&client),
            ready: Ready::parse("output:listening").unwrap(),
            stop: None,
        }))
    }

    #[test]
    fn a_server_takes_an_input_and_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let subject = service(folder.path(), "echo got $line >&2");
        let outcome = subject.run(b"ping\n", &[]).unwrap();
        assert_eq!((outcome.end, &outcome.stdout[..]), (End::Exited(0), &b"sent\n"[..]));
        assert!(outcome.stderr.starts_with(b"got ping\n"));
    }

    #[test]
    fn a_server_that_crashes_tells_so() {
        let folder = tempfile::tempdir().unwrap();
        let subject = service(folder.path(), "kill -SEGV $$");
        assert_eq!(subject.run(b"ping\n", &[]).unwrap().end, End::Signalled(libc::SIGSEGV));
    }

    #[test]
    fn a_server_that_ends_early_was_not_asked() {
        let service = |line: &str| {
            let (server, client) = (shell(line), shell("cat"));
            Subject::Service(Box::new(Service { server, client, ready: Ready::Command("false".into()), stop: None }))
        };
        let error = service("echo starting >&2; echo no port >&2; exit 3").run(b"ping\n", &[]).unwrap_err().to_string();
        let words = ["exits with status 3 before it was ready", "the last that it says is: no port"];
        assert!(words.iter().all(|it| error.contains(it)), "{error}");
        // What the server itself is given may be why.
        assert_eq!(service("grep -q ping @@ && exit 3").run(b"ping\n", &[]).unwrap().end, End::Exited(3));
    }

    #[test]
    fn who_stops_a_server_knows_which() {
        let folder = tempfile::tempdir().unwrap();
        let Subject::Service(mut service) = service(folder.path(), "true") else { unreachable!("it is one") };
        service.stop = Some(shell("kill -ABRT $FAULTLINE_SERVER_PID"));
        assert_eq!(service.run(b"ping\n", &[]).unwrap().end, End::Signalled(libc::SIGABRT));
    }

    #[test]
    fn readiness() {
        assert!(matches!(Ready::parse("tcp:127.0.0.1:80"), Ok(Ready::Tcp(_))));
        assert!(matches!(Ready::parse("unix:/run/x"), Ok(Ready::Unix(_))));
        assert!(matches!(Ready::parse("test -e pid"), Ok(Ready::Command(_))));
        assert!(Ready::parse("tcp:nowhere").is_err() && Ready::parse("output:(").is_err());
    }
}
