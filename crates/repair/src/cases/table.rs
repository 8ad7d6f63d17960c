//! Tests as a table: tab-separated arguments and results.
//!
//! The first line names the columns: parameters, `result`, and `NAME'` for what an array or a structure is after the
//! call. Members of structures have columns of their own, `p.x`. Numbers are written as in C, characters in quotes,
//! arrays as `[1,2,3]` or, of characters, as a string, rows as `[[1,2],[3,4]]`. Empty lines and lines that begin with `#` are
//! left out.

use std::path::Path;

use super::{Bits, Case, Given, Value};
use crate::driver::Slot;
use crate::error::Error;

enum Column {
    Slot(usize),
    Result,
    After(usize),
}

struct Reading<'r> {
    path: &'r Path,
    slots: &'r [Slot],
    result: &'r Slot,
}

/// Reads the table for a function with these inputs; `result` describes what it returns.
pub fn read(path: &Path, slots: &[Slot], result: &Slot) -> Result<Vec<Case>, Error> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    let reading = Reading { path, slots, result };
    let is_used = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let mut lines = text.lines().enumerate().filter(|(_, line)| is_used(line));
    let Some((number, header)) = lines.next() else {
        return Err(reading.error(1, "the table is empty: its first line names the columns".to_owned()));
    };
    let columns: Result<Vec<Column>, Error> =
        header.split('\t').map(|name| reading.column(number + 1, name.trim())).collect();
    let columns = columns?;
    for (index, slot) in slots.iter().enumerate() {
        if !slot.is_global && !columns.iter().any(|it| matches!(it, Column::Slot(found) if *found == index)) {
            return Err(reading.error(number + 1, format!("there is no column for the parameter `{}`", slot.name)));
        }
    }
    let cases: Result<Vec<Case>, Error> =
        lines.map(|(number, line)| reading.case(number + 1, line, &columns)).collect();
    let cases = cases?;
    match cases.is_empty() {
        true => Err(reading.error(number + 1, "the table has no tests".to_owned())),
        false => Ok(cases),
    }
}

impl Reading<'_> {
    fn error(&self, line: usize, message: String) -> Error {
        Error::Tests { path: self.path.to_owned(), line, message }
    }

    fn column(&self, line: usize, name: &str) -> Result<Column, Error> {
        let slot = |name: &str| self.slots.iter().position(|it| it.name == name);
        if let Some(index) = slot(name) {
            return Ok(Column::Slot(index));
        }
        if name == "result" {
            return Ok(Column::Result);
        }
        if let Some(index) = name.strip_suffix('\'').and_then(slot).filter(|it| self.slots[*it].is_shared) {
            return Ok(Column::After(index));
        }
        let known: Vec<&str> = self.slots.iter().map(|it| it.name.as_str()).collect();
        let message = format!(
            "`{name}` names no column: use {}, `result`, or an array or a member with ' for it after the call",
            known.join(", ")
        );
        Err(self.error(line, message))
    }

    fn case(&self, line: usize, text: &str, columns: &[Column]) -> Result<Case, Error> {
        let cells: Vec<&str> = text.split('\t').map(str::trim).collect();
        if cells.len() != columns.len() {
            let message = format!("this line has {} columns, the first line {}", cells.len(), columns.len());
            return Err(self.error(line, message));
        }
        let empty = |slot: &Slot| match (slot.is_rows, slot.is_array) {
            (true, _) => Value::Rows { columns: 0, elements: Vec::new() },
            (false, true) => Value::Array(Vec::new()),
            (false, false) => Value::Scalar(0),
        };
        let mut values: Vec<Value> = self.slots.iter().map(empty).collect();
        let mut result = None;
        let mut after: Vec<Option<Value>> = vec![None; self.slots.len()];
        for (column, cell) in columns.iter().zip(cells) {
            match column {
                Column::Slot(index) => values[*index] = self.value(line, &self.slots[*index], cell)?,
                Column::Result => result = Some(self.number(line, self.result, cell)?),
                Column::After(index) => after[*index] = Some(self.value(line, &self.slots[*index], cell)?),
            }
        }
        for (expected, given) in after.iter().zip(&values) {
            let differs = |it: &Value| it.numbers().len() != given.numbers().len();
            if expected.as_ref().is_some_and(differs) {
                return Err(self.error(line, "an array keeps its length: before and after differ".to_owned()));
            }
        }
        for (slot, value) in self.slots.iter().zip(&values) {
            let led =
                self.slots.iter().zip(&values).find(|(it, _)| it.leads && it.is_array && it.target == slot.target);
            if led.is_some_and(|(_, first)| slot.is_array && first.numbers().len() != value.numbers().len()) {
                let message = format!("the members of `{}` need as many elements each", slot.target);
                return Err(self.error(line, message));
            }
        }
        let shared = self.slots.iter().zip(after).filter(|(slot, _)| slot.is_shared);
        let after = shared.map(|(_, value)| value.map(|it| it.numbers().to_vec())).collect();
        let origin = format!("{}:{line}", self.path.display());
        Ok(Case { origin, given: Given::Call { values, result, after } })
    }

    fn value(&self, line: usize, slot: &Slot, cell: &str) -> Result<Value, Error> {
        if !slot.is_array {
            return Ok(Value::Scalar(self.number(line, slot, cell)?));
        }
        let is_text = slot.words.split(' ').any(|it| it == "char") && !slot.is_rows;
        if let Some(text) = cell.strip_prefix('"').and_then(|it| it.strip_suffix('"')).filter(|_| is_text) {
            return Ok(Value::Array(text.bytes().chain([0]).map(Bits::from).collect()));
        }
        let wrong = || {
            let sample = if slot.is_rows { "[[1,2],[3,4]]" } else { "[1,2,3]" };
            self.error(line, format!("`{cell}` is no array for `{}`: write {sample}", slot.name))
        };
        let inside = cell.strip_prefix('[').and_then(|it| it.strip_suffix(']')).ok_or_else(wrong)?.trim();
        let row = |text: &str| -> Result<Vec<Bits>, Error> {
            let elements = text.split(',').map(str::trim).filter(|it| !it.is_empty());
            elements.map(|it| self.number(line, slot, it)).collect()
        };
        if !slot.is_rows {
            return Ok(Value::Array(row(inside)?));
        }
        let inside = inside.strip_prefix('[').and_then(|it| it.strip_suffix(']')).ok_or_else(wrong)?;
        let rows: Vec<Vec<Bits>> =
            inside.split(']').map(|it| row(it.trim_start_matches([',', ' ', '[']))).collect::<Result<_, _>>()?;
        let columns = rows.first().map_or(0, Vec::len);
        match rows.iter().all(|it| it.len() == columns) {
            true => Ok(Value::Rows { columns, elements: rows.concat() }),
            false => Err(self.error(line, format!("the rows of `{}` have different lengths", slot.name))),
        }
    }

    fn number(&self, line: usize, slot: &Slot, cell: &str) -> Result<Bits, Error> {
        let wrong = || self.error(line, format!("`{cell}` is no number for `{}`", slot.name));
        if slot.is_real {
            let value: f64 = cell.parse().map_err(|_| wrong())?;
            return Ok(match slot.words.as_str() {
                "float" => Bits::from((value as f32).to_bits()),
                _ => Bits::from(value.to_bits()),
            });
        }
        if let [b'\'', character, b'\''] = cell.as_bytes() {
            return Ok(Bits::from(*character));
        }
        let (negative, digits) = cell.strip_prefix('-').map_or((false, cell), |rest| (true, rest));
        let value = match digits.strip_prefix("0x") {
            Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16),
            None => digits.parse::<i128>(),
        };
        let value = value.map_err(|_| wrong())?;
        Ok((if negative { -value } else { value }) as Bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(name: &str, is_array: bool) -> Slot {
        Slot { is_sized: is_array, ..Slot::new(name, "int", is_array) }
    }

    #[track_caller]
    fn check(text: &str, expected: Result<&[&str], &str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.tsv");
        std::fs::write(&path, text).unwrap();
        let slots = [slot("n", false), slot("a", true)];
        let found = read(&path, &slots, &slot("result", false));
        let found = found.map(|cases| cases.iter().map(|it| it.shown(&slots)).collect::<Vec<_>>());
        let found = found.map_err(|error| error.to_string().replace(&path.display().to_string(), "t.tsv"));
        assert_eq!(found, expected.map(|it| it.iter().map(|it| (*it).to_owned()).collect()).map_err(str::to_owned));
    }

    #[test]
    fn tables_are_read() {
        check("a\tn\tresult\n[1,-2]\t2\t-1\n# no\n\n[]\t0\t0x10\n", Ok(&["n = 2, a = [1,-2]", "n = 0, a = []"]));
        check("a\tn\ta'\n[1]\t1\t[2]\n", Ok(&["n = 1, a = [1]"]));
    }

    #[test]
    fn rows_members_and_texts() {
        let rows = Slot { is_rows: true, ..Slot::new("m", "int", true) };
        let member = |name: &str| Slot { is_shared: true, ..Slot::new(name, "int", false) };
        let slots = [member("p.x"), Slot::new("s", "char", true), rows];
        let read = |text: &str| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t.tsv");
            std::fs::write(&path, text).unwrap();
            let cases = read(&path, &slots, &slot("result", false)).map_err(|error| error.to_string());
            cases.map(|it| (it[0].shown(&slots), it[0].given.clone()))
        };
        let (shown, given) = read("p.x\ts\tm\tp.x'\n1\t\"ab\"\t[[1,2],[3,4]]\t5\n").unwrap();
        assert_eq!(shown, "p.x = 1, s = [97,98,0], m = [[1,2],[3,4]]");
        let Given::Call { after, .. } = given else { panic!("a call") };
        assert_eq!(after, [Some(vec![5]), None, None]);
        assert!(
            read("p.x\ts\tm\n1\t[]\t[[1,2],[3]]\n").unwrap_err().ends_with("the rows of `m` have different lengths")
        );
        assert!(read("p.x\ts\tm\n1\t[]\t[1,2]\n").unwrap_err().ends_with("write [[1,2],[3,4]]"));
    }

    #[test]
    fn errors_have_a_line() {
        check("", Err("t.tsv:1: the table is empty: its first line names the columns"));
        check("a\tresult\n", Err("t.tsv:1: there is no column for the parameter `n`"));
        check(
            "a\tn\tx\n",
            Err(
                "t.tsv:1: `x` names no column: use n, a, `result`, or an array or a member with ' for it after the call",
            ),
        );
        check("a\tn\n[1]\n", Err("t.tsv:2: this line has 1 columns, the first line 2"));
        check("a\tn\n[1]\tx\n", Err("t.tsv:2: `x` is no number for `n`"));
        check("a\tn\n1\t1\n", Err("t.tsv:2: `1` is no array for `a`: write [1,2,3]"));
        check("a\tn\ta'\n[1]\t1\t[]\n", Err("t.tsv:2: an array keeps its length: before and after differ"));
        check("a\tn\n", Err("t.tsv:1: the table has no tests"));
    }
}
