//! A line on the terminal that says what takes so long. Gone when the work is done.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::screen::Screen;

/// Whoever waits shorter than this does not wonder.
const PATIENCE: Duration = Duration::from_secs(2);
const TURN: Duration = Duration::from_millis(120);
const WHEEL: [char; 4] = ['|', '/', '-', '\\'];
const CLEAR: &str = "\r\x1b[K";

/// Shows the line while it lives.
pub struct StatusLine {
    worker: Option<(Sender<()>, JoinHandle<()>)>,
    words: Arc<Mutex<String>>,
}

impl StatusLine {
    pub fn show(screen: Screen, words: String) -> StatusLine {
        let words = Arc::new(Mutex::new(words));
        if !screen.is_terminal {
            return StatusLine { worker: None, words };
        }
        let shown = words.clone();
        let (stop, stopped) = channel::<()>();
        let started = Instant::now();
        let turn = move || {
            let mut wait = PATIENCE;
            let mut turns = 0;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let wheel = WHEEL[turns % WHEEL.len()];
                let words = shown.lock().map_or_else(|_| String::new(), |it| it.clone());
                draw(&format!("{CLEAR}{wheel} {words} ({} s)", started.elapsed().as_secs()));
                turns += 1;
                wait = TURN;
            }
            if turns > 0 {
                draw(CLEAR);
            }
        };
        // Without the thread there is no line, and nothing is lost.
        let thread = std::thread::Builder::new().spawn(turn).ok();
        StatusLine { worker: thread.map(|thread| (stop, thread)), words }
    }

    /// Says something else from now on.
    pub fn set(&self, words: String) {
        if let Ok(mut shown) = self.words.lock() {
            *shown = words;
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.worker.take() {
            drop(stop);
            // It only draws; if it failed, so what.
            let _ = thread.join();
        }
    }
}

fn draw(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}
