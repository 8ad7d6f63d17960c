//! Standard error as people see it: colours, width, messages of the tool itself.

use std::io::{IsTerminal, Write};

use report::{Look, Severity, terminal};

use crate::arguments::Color;

/// Without a terminal, lines are as long as in a mail or a log that is read later.
const WIDTH_ELSEWHERE: usize = 100;

#[derive(Clone, Copy, Debug)]
pub struct Screen {
    pub look: Look,
    pub is_terminal: bool,
}

impl Screen {
    pub fn new(color: Color) -> Screen {
        let is_terminal = std::io::stderr().is_terminal();
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        let colour = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && wanted && !dumb,
        };
        let width = if is_terminal { terminal_width().unwrap_or(80) } else { WIDTH_ELSEWHERE };
        Screen { look: Look { colour, width }, is_terminal }
    }

    /// How a report looks that goes to a file.
    pub fn look_in_file(self, color: Color) -> Look {
        Look { colour: color == Color::Always, width: WIDTH_ELSEWHERE }
    }

    pub fn message(self, severity: Severity, words: &str) {
        self.write(&terminal::message(severity, words, self.look));
    }

    /// A closed standard error is nobody's loss.
    pub fn write(self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

fn terminal_width() -> Option<usize> {
    // SAFETY: the call fills the structure that it is given, or fails.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        (libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &mut size) == 0).then_some(size)?
    };
    (size.ws_col >= 40).then_some(usize::from(size.ws_col))
}
