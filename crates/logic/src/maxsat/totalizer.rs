//! Counting how many Boolean terms hold, by terms: a totalizer (Bailleux and Boufkhad, CP 2003) as a tree of
//! definitions instead of clauses. Outputs are made when they are asked for; shared parts are shared terms.

use rustc_hash::FxHashMap;

use crate::terms::{TermId, Terms};

/// Counts its inputs.
pub struct Totalizer {
    inputs: Vec<TermId>,
    /// "At least `count` of the inputs from `first` to before `last` hold."
    made: FxHashMap<(usize, usize, usize), TermId>,
}

impl Totalizer {
    pub fn new(inputs: Vec<TermId>) -> Totalizer {
        Totalizer { inputs, made: FxHashMap::default() }
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// A term that holds iff at least `count` inputs do.
    pub fn at_least(&mut self, terms: &mut Terms, count: usize) -> TermId {
        self.part(terms, 0, self.inputs.len(), count)
    }

    /// Recurses as deep as the tree of halves is.
    fn part(&mut self, terms: &mut Terms, first: usize, last: usize, count: usize) -> TermId {
        let length = last - first;
        if count == 0 {
            return terms.true_term();
        }
        if count > length {
            return terms.false_term();
        }
        if length == 1 {
            return self.inputs[first];
        }
        if let Some(&made) = self.made.get(&(first, last, count)) {
            return made;
        }
        let middle = first + length / 2;
        let most_left = count.min(middle - first);
        let least_left = count.saturating_sub(last - middle);
        let mut ways = Vec::new();
        for left in least_left..=most_left {
            let left_part = self.part(terms, first, middle, left);
            let right_part = self.part(terms, middle, last, count - left);
            ways.push(terms.and2(left_part, right_part));
        }
        let made = terms.or(&ways);
        self.made.insert((first, last, count), made);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::Totalizer;
    use crate::evaluate::{Evaluator, Model};
    use crate::sort::Sort;
    use crate::terms::{TermId, Terms};
    use crate::value::Value;

    #[test]
    fn counts() {
        let mut terms = Terms::new();
        let inputs: Vec<TermId> = (0..5).map(|it| terms.variable(&format!("i{it}"), Sort::Bool)).collect();
        let mut totalizer = Totalizer::new(inputs.clone());
        let outputs: Vec<TermId> = (0..=6).map(|count| totalizer.at_least(&mut terms, count)).collect();
        for number in 0..32u32 {
            let mut model = Model::new();
            for (at, &input) in inputs.iter().enumerate() {
                model.assign(input, Value::Bool(number >> at & 1 == 1));
            }
            let mut evaluator = Evaluator::new(&terms, &model);
            for (count, &output) in outputs.iter().enumerate() {
                assert_eq!(evaluator.holds(output), Ok(number.count_ones() as usize >= count));
            }
        }
    }
}
