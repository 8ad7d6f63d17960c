//! `faultline ir`: prints the program representation, or counts what is in it.

use anyhow::{Result, bail};
use program::text::{self, Layout, Style};
use program::{ExprId, ExprKind, FunctionId, OperatorToken, Program, SpanIndex};
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
    let mut printed = String::new();
    if arguments.summary {
        printed = summary(&program);
    } else {
        let style = if arguments.full { Style::Full } else { Style::Readable };
        text::print(&program, Layout { style, source_lines: arguments.source }, &mut printed)?;
    }
    match &arguments.output {
        Some(file) => output::write_file(file, printed.as_bytes())?,
        None => output::print(&printed)?,
    }
    if !arguments.showing.quiet {
        screen.write(&terminal::unsupported(&program.sources, &report::unsupported(&program), screen.look));
    }
    Ok(Ending::NothingWrong)
}

/// One count a line: its name, a tab, the number.
fn summary(program: &Program) -> String {
    let bodies = || program.functions.iter().filter_map(|function| function.body.as_ref());
    let blocks = || bodies().flat_map(|body| &body.blocks);
    let operators = operators(program);
    let counts = [
        ("functions", bodies().count()),
        ("external functions", program.functions.len() - bodies().count()),
        ("globals", program.globals.len()),
        ("blocks", blocks().count()),
        ("commands", blocks().map(|block| block.commands.len()).sum()),
        ("nodes", bodies().map(|body| body.exprs.len()).sum()),
        ("operators at their token", operators.found),
        ("operators that the source leaves out", operators.implicit),
        ("operators not found", operators.missing),
        ("unsupported", program.unsupported.len()),
    ];
    counts.iter().map(|(name, count)| format!("{name}\t{count}\n")).collect()
}

#[derive(Default)]
struct Operators {
    found: usize,
    implicit: usize,
    missing: usize,
}

/// How many arithmetic and comparison nodes map to the token of their operator.
fn operators(program: &Program) -> Operators {
    let index = SpanIndex::new(program);
    let mut counts = Operators::default();
    for (number, function) in program.functions.iter().enumerate() {
        for (node, expr) in function.body.iter().flat_map(|body| body.exprs.iter().enumerate()) {
            if !matches!(expr.kind, ExprKind::Binary(..) | ExprKind::Unary(..)) {
                continue;
            }
            match index.operator_token(FunctionId(number as u32), ExprId(node as u32)) {
                OperatorToken::Found { .. } => counts.found += 1,
                OperatorToken::Implicit => counts.implicit += 1,
                OperatorToken::NotFound => counts.missing += 1,
            }
        }
    }
    counts
}
