//! `faultline ir`: prints the program representation.

use anyhow::{Result, bail};
use program::text::{self, Layout, Style};
use report::terminal;

use crate::arguments::Ir;
use crate::screen::Screen;
use crate::{Ending, interrupt, output, reading};

pub fn run(arguments: Ir, flags: Vec<String>, screen: Screen) -> Result<Ending> {
    let program = if arguments.parse {
        let [file] = arguments.reading.files.as_slice() else { bail!("--parse takes one printed program") };
        reading::read_printed(file)?
    } else {
        reading::read(&arguments.reading, flags, screen, &interrupt::catch())?
    };
    let style = if arguments.full { Style::Full } else { Style::Readable };
    let mut printed = String::new();
    text::print(&program, Layout { style, source_lines: arguments.source }, &mut printed)?;
    match &arguments.output {
        Some(file) => output::write_file(file, printed.as_bytes())?,
        None => output::print(&printed)?,
    }
    if !arguments.showing.quiet {
        screen.write(&terminal::unsupported(&program.sources, &report::unsupported(&program), screen.look));
    }
    Ok(Ending::NothingWrong)
}
