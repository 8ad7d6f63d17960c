//! `faultline completions` and `faultline man`: what shells and `man` want to know of the command line.

use anyhow::{Result, bail};
use clap::CommandFactory;

use crate::arguments::{CommandLine, Completions, Man};
use crate::{Ending, output};

const NAME: &str = "faultline";

pub fn completions(arguments: &Completions) -> Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), NAME, &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Ending::NothingWrong)
}

pub fn man(arguments: &Man) -> Result<Ending> {
    let mut command = CommandLine::command();
    // Subcommands get their full names, as in `faultline-check`.
    command.build();
    let page = match &arguments.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let names: Vec<&str> = command.get_subcommands().map(|it| it.get_name()).collect();
                bail!("there is no command `{name}`: name one of {}", names.join(", "));
            }
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Ending::NothingWrong)
}
