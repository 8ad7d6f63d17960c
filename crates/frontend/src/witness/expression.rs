//! C expressions as assumptions have them: text → tree.
//!
//! Variables, constants, casts, arithmetic, comparisons, logic, `?:`, subscripts, members, `*`, `&`, and
//! ACSL's `\result`, `\true`, `\false`. Several expressions with `;` between them must all hold. Not here:
//! calls, assignments, `sizeof`, quantifiers; and what names mean, which is `typing`'s.

/// Deeper expressions are refused.
const MOST_DEPTH: u32 = 100;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Integer {
        value: u128,
        unsigned: bool,
        long: bool,
        decimal: bool,
    },
    Real {
        value: f64,
        single: bool,
    },
    Name(String),
    /// What the function of the step returned.
    Result,
    Unary(Unary, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Conditional(Box<[Expression; 3]>),
    Subscript(Box<Expression>, Box<Expression>),
    Member {
        of: Box<Expression>,
        name: String,
        arrow: bool,
    },
    Cast(TypeName, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Plus,
    Minus,
    Complement,
    Not,
    Dereference,
    Address,
}

/// A type as a cast names it: its words without qualifiers, and the number of `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    pub words: Vec<String>,
    pub pointers: u32,
}

/// What cannot be read, in words.
pub type Unreadable = String;

/// The conditions of an assumption, all of which hold.
pub fn parse(text: &str) -> Result<Vec<Expression>, Unreadable> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let mut conditions = Vec::new();
    loop {
        while parser.accept(";") {}
        if parser.at == parser.tokens.len() {
            return Ok(conditions);
        }
        conditions.push(parser.expression()?);
        if parser.at < parser.tokens.len() && !parser.is(";") {
            return Err(format!("`{}` is not expected there", parser.shown()));
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Number(Expression),
    Sign(&'static str),
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "==>", "->", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+", "-", "*", "/", "%", "<", ">", "!", "~", "&", "|",
    "^", "?", ":", "(", ")", "[", "]", ".", ";",
];

fn tokens(text: &str) -> Result<Vec<Token>, Unreadable> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphabetic() || matches!(first, '_' | '\\' | '$') {
            let end = rest[1..].find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '$')));
            let length = end.map_or(rest.len(), |end| end + 1);
            tokens.push(Token::Word(rest[..length].to_owned()));
            length
        } else if first.is_ascii_digit() {
            let length = number_length(rest);
            tokens.push(Token::Number(number(&rest[..length])?));
            length
        } else if first == '\'' {
            let (value, length) = character(rest)?;
            tokens.push(Token::Number(Expression::Integer { value, unsigned: false, long: false, decimal: true }));
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let Some(sign) = sign else { return Err(format!("`{first}` is not expected there")) };
            tokens.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn number_length(text: &str) -> usize {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut previous = ' ';
    for (index, character) in text.char_indices() {
        let exponent = matches!(previous, 'e' | 'E') && !hexadecimal || matches!(previous, 'p' | 'P') && hexadecimal;
        let goes_on =
            character.is_ascii_alphanumeric() || character == '.' || matches!(character, '+' | '-') && exponent;
        if !goes_on {
            return index;
        }
        previous = character;
    }
    text.len()
}

fn number(text: &str) -> Result<Expression, Unreadable> {
    let unknown = || format!("`{text}` is no number that is known here");
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    if !hexadecimal && lower.contains(['.', 'e']) {
        let single = lower.ends_with('f');
        let digits = lower.trim_end_matches(['f', 'l']);
        let value = digits.parse().map_err(|_| unknown())?;
        return Ok(Expression::Real { value, single });
    }
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let octal = digits.len() > 1 && digits.starts_with('0') && !hexadecimal;
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None if octal => u128::from_str_radix(&digits[1..], 8),
        None => digits.parse(),
    };
    let value = value.map_err(|_| unknown())?;
    let (unsigned, long) = (suffix.contains('u'), suffix.contains('l'));
    Ok(Expression::Integer { value, unsigned, long, decimal: !hexadecimal && !octal })
}

/// A character constant: its value and its length.
fn character(text: &str) -> Result<(u128, usize), Unreadable> {
    let unknown = || "a character constant that is not known here".to_owned();
    let mut rest = text.chars().skip(1);
    let (value, length) = match rest.next().ok_or_else(unknown)? {
        '\\' => {
            let escaped = rest.next().ok_or_else(unknown)?;
            let value = match escaped {
                'n' => 10,
                't' => 9,
                'r' => 13,
                '0' => 0,
                'a' => 7,
                '\\' | '\'' | '"' => escaped as u128,
                _ => return Err(unknown()),
            };
            (value, 2)
        }
        plain if plain.is_ascii() && plain != '\'' => (plain as u128, 1),
        _ => return Err(unknown()),
    };
    if rest.next() != Some('\'') {
        return Err(unknown());
    }
    Ok((value, length + 2))
}

/// Binary operators by precedence, the weakest first.
const LEVELS: &[&[&str]] = &[
    &["==>"],
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

impl Parser {
    fn is(&self, sign: &str) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Sign(found)) if *found == sign)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Result<(), Unreadable> {
        if self.accept(sign) { Ok(()) } else { Err(format!("`{sign}` is missing before `{}`", self.shown())) }
    }

    fn shown(&self) -> String {
        match self.tokens.get(self.at) {
            Some(Token::Word(word)) => word.clone(),
            Some(Token::Sign(sign)) => (*sign).to_owned(),
            Some(Token::Number(_)) => "a number".to_owned(),
            None => "the end".to_owned(),
        }
    }

    fn expression(&mut self) -> Result<Expression, Unreadable> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err("the expression is nested too deep".to_owned());
        }
        let condition = self.binary(0)?;
        let result = if self.accept("?") {
            let then = self.expression()?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            Expression::Conditional(Box::new([condition, then, otherwise]))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }

    fn binary(&mut self, level: usize) -> Result<Expression, Unreadable> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|it| self.is(it)) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, Unreadable> {
        const OPERATORS: &[(&str, Unary)] = &[
            ("+", Unary::Plus),
            ("-", Unary::Minus),
            ("~", Unary::Complement),
            ("!", Unary::Not),
            ("*", Unary::Dereference),
            ("&", Unary::Address),
        ];
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err("the expression is nested too deep".to_owned());
        }
        let operator = OPERATORS.iter().find(|(sign, _)| self.is(sign));
        let result = if let Some(&(_, operator)) = operator {
            self.at += 1;
            Expression::Unary(operator, Box::new(self.unary()?))
        } else if let Some(ty) = self.cast() {
            Expression::Cast(ty, Box::new(self.unary()?))
        } else {
            self.postfix()?
        };
        self.depth -= 1;
        Ok(result)
    }

    /// A type in parentheses, if that is what comes next.
    fn cast(&mut self) -> Option<TypeName> {
        const WORDS: &[&str] = &[
            "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "bool", "struct",
            "union", "enum", "const", "volatile", "size_t", "__int128",
        ];
        let start = self.at;
        if !self.accept("(") {
            return None;
        }
        let (mut words, mut pointers) = (Vec::new(), 0);
        while let Some(Token::Word(word)) = self.tokens.get(self.at) {
            let tag = words.last().is_some_and(|last: &String| matches!(last.as_str(), "struct" | "union" | "enum"));
            let named = words.is_empty() && word.ends_with("_t");
            if !WORDS.contains(&word.as_str()) && !tag && !named {
                break;
            }
            if !matches!(word.as_str(), "const" | "volatile") {
                words.push(word.clone());
            }
            self.at += 1;
        }
        while !words.is_empty() && self.accept("*") {
            pointers += 1;
        }
        if words.is_empty() || !self.accept(")") {
            self.at = start;
            return None;
        }
        Some(TypeName { words, pointers })
    }

    fn postfix(&mut self) -> Result<Expression, Unreadable> {
        let mut expression = self.primary()?;
        loop {
            if self.accept("[") {
                let index = self.expression()?;
                self.expect("]")?;
                expression = Expression::Subscript(Box::new(expression), Box::new(index));
            } else if self.is(".") || self.is("->") {
                let arrow = self.is("->");
                self.at += 1;
                let Some(Token::Word(name)) = self.tokens.get(self.at).cloned() else {
                    return Err(format!("a member's name is missing before `{}`", self.shown()));
                };
                self.at += 1;
                expression = Expression::Member { of: Box::new(expression), name, arrow };
            } else if self.is("(") {
                return Err("calls cannot be evaluated".to_owned());
            } else {
                return Ok(expression);
            }
        }
    }

    fn primary(&mut self) -> Result<Expression, Unreadable> {
        if self.accept("(") {
            let expression = self.expression()?;
            self.expect(")")?;
            return Ok(expression);
        }
        let truth = |value| Expression::Integer { value, unsigned: false, long: false, decimal: true };
        let expression = match self.tokens.get(self.at) {
            Some(Token::Number(number)) => number.clone(),
            Some(Token::Word(word)) => match word.as_str() {
                "\\result" => Expression::Result,
                "\\true" | "true" => truth(1),
                "\\false" | "false" => truth(0),
                word if word.starts_with('\\') || word == "sizeof" => {
                    return Err(format!("`{word}` is not known here"));
                }
                word => Expression::Name(word.to_owned()),
            },
            _ => return Err(format!("a value is missing before `{}`", self.shown())),
        };
        self.at += 1;
        Ok(expression)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match parse(text) {
            Ok(conditions) => conditions.iter().map(show).collect::<Vec<_>>().join(" ; "),
            Err(message) => format!("error: {message}"),
        };
        assert_eq!(shown, expected, "{text}");
    }

    fn show(expression: &Expression) -> String {
        match expression {
            Expression::Integer { value, .. } => value.to_string(),
            Expression::Real { value, .. } => format!("{value:?}"),
            Expression::Name(name) => name.clone(),
            Expression::Result => "\\result".to_owned(),
            Expression::Unary(operator, inner) => format!("{operator:?}({})", show(inner)),
            Expression::Binary(operator, left, right) => format!("({} {operator} {})", show(left), show(right)),
            Expression::Conditional(parts) => {
                format!("({} ? {} : {})", show(&parts[0]), show(&parts[1]), show(&parts[2]))
            }
            Expression::Subscript(base, index) => format!("{}[{}]", show(base), show(index)),
            Expression::Member { of, name, arrow } => format!("{}{}{name}", show(of), if *arrow { "->" } else { "." }),
            Expression::Cast(ty, inner) => {
                format!("<{}{}>{}", ty.words.join(" "), "*".repeat(ty.pointers as usize), show(inner))
            }
        }
    }

    #[test]
    fn operators_bind_as_in_c() {
        check("a + b * c == d && !e || f", "((((a + (b * c)) == d) && Not(e)) || f)");
        check("a - b - c < d << 1", "(((a - b) - c) < (d << 1))");
        check("-x == ~y", "(Minus(x) == Complement(y))");
        check("a ? b : c ? d : e", "(a ? b : (c ? d : e))");
        check("\\result == 5", "(\\result == 5)");
    }

    #[test]
    fn verifiers_write_several_conditions() {
        check("waterLevel == (1); systemActive == (0);", "(waterLevel == 1) ; (systemActive == 0)");
        check(" ; ", "");
    }

    #[test]
    fn places_and_casts() {
        check("p->a[i].b == *q", "(p->a[i].b == Dereference(q))");
        check("(unsigned long)x == (int *)0", "(<unsigned long>x == <int*>0)");
        check("(struct s *)&x", "<struct s*>Address(x)");
        check("(x)", "x");
    }

    #[test]
    fn numbers() {
        check("0x1Fu + 010 + 5UL", "((31 + 8) + 5)");
        check("1.5f < 2e-3", "(1.5 < 0.002)");
        check("'a' == '\\n'", "(97 == 10)");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        check("f(x) == 1", "error: calls cannot be evaluated");
        check("x ==", "error: a value is missing before `the end`");
        check("x = 1", "error: `=` is not expected there");
        check("(x", "error: `)` is missing before `the end`");
        check("\\forall int i; 0", "error: `\\forall` is not known here");
        check("a b", "error: `b` is not expected there");
        check(
            "99999999999999999999999999999999999999999",
            "error: `99999999999999999999999999999999999999999` is no number that is known here",
        );
        check(&"(".repeat(100_000), "error: the expression is nested too deep");
    }
}
