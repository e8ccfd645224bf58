//! Does a query do the same in one pass as when it is stepped through?
//!
//! EXPLAIN shows the operations of a statement. The two forms are the same if their operations are, one by
//! one and in order, but for what hands the rows over:
//!
//! ```text
//!   stepped                        in one pass
//!                                  Null        the aggregate's memory
//!                                  Variable    the pointer to the sink
//!   Column, RealAffinity, …        the same, with ClrSubtype
//!   ResultRow                      AggStep     of `resq_sink`
//!   Next, …                        the same
//!                                  AggFinal, Copy, ResultRow
//!   Halt, …                        the same
//! ```
//!
//! So a query that SQLite keeps apart as a subquery is not the same: its rows pass through other
//! operations, and its columns have an affinity, by which an integer may come out as a real. Nor is one on
//! a virtual table that calls functions: the table may provide them, under names that others have too.

use super::tokens::{Tokens, is_keyword};
use crate::buffer::Buffer;
use crate::sqlite::{Report, SINK_FUNCTION, Statement};
use crate::value::{Row, Value};

/// The columns of EXPLAIN.
const OPCODE: usize = 1;
const P1: usize = 2;
const P2: usize = 3;
const P4: usize = 5;
const P5: usize = 6;

/// The program of a statement, an operation at a time.
struct Program {
    explain: Statement,
}

/// What of an operation has to be the same.
#[derive(PartialEq)]
struct Operation {
    name: Vec<u8>,
    /// The number of a column, which stands where other operations have registers and addresses.
    column: Option<i64>,
    p4: Vec<u8>,
    p5: i64,
}

impl Program {
    fn of(report: &dyn Report, sql: &[u8]) -> Option<Self> {
        let mut text = Buffer::new(report.host().memory());
        text.extend(b"explain ");
        text.extend(sql);
        let mut explain = Statement::try_prepare(report, text.as_slice())?;
        explain.recount().ok()?;
        Some(Program { explain })
    }

    /// The next operation, and its first operand; `None` after the last one, and on any error.
    #[inline(never)]
    fn next(&mut self) -> Option<(Operation, i64)> {
        if !self.explain.try_step() {
            return None;
        }
        let row = self.explain.row();
        let number = |column| match row.get(column) {
            Some(Value::Integer(number)) => Some(number),
            // P5 is text in old versions.
            Some(Value::Text(text)) => std::str::from_utf8(text).ok()?.parse().ok(),
            _ => None,
        };
        let text = |column| match row.get(column) {
            Some(Value::Text(text)) => Some(text.to_vec()),
            Some(Value::Null) => Some(Vec::new()),
            Some(Value::Integer(number)) => Some(number.to_string().into_bytes()),
            _ => None,
        };
        let name = text(OPCODE)?;
        let column = matches!(name.as_slice(), b"Column" | b"VColumn").then(|| number(P2)).flatten();
        Some((Operation { name, column, p4: text(P4)?, p5: number(P5)? }, number(P1)?))
    }
}

/// Is `one_pass` the same as `stepped`? Its parameter number `pointer` is the sink.
pub(super) fn is_same(report: &dyn Report, stepped: &[u8], one_pass: &[u8], pointer: usize) -> bool {
    compare(report, stepped, one_pass, pointer).is_some()
}

fn compare(report: &dyn Report, stepped: &[u8], one_pass: &[u8], pointer: usize) -> Option<()> {
    let mut stepped = Program::of(report, stepped)?;
    let mut one_pass = Program::of(report, one_pass)?;
    let pointer = i64::try_from(pointer).ok()?;
    let (mut virtual_table, mut function) = (false, false);
    let (mut begun, mut handed_over, mut ended) = (false, 0, false);
    loop {
        let theirs = stepped.next();
        let mut ours = one_pass.next();
        if let Some((operation, _)) = &ours
            && operation.name == b"Null"
            && !begun
        {
            begun = true;
            ours = one_pass.next();
        }
        if let Some((operation, p1)) = &ours
            && operation.name == b"Variable"
            && *p1 == pointer
        {
            ours = one_pass.next();
        }
        if let Some((operation, _)) = &ours
            && operation.name == b"AggFinal"
            && is_sink(operation)
            && !ended
        {
            ended = true;
            let copied = one_pass.next()?.0.name == b"Copy";
            let returned = one_pass.next()?.0.name == b"ResultRow";
            if !(copied && returned) {
                return None;
            }
            ours = one_pass.next();
        }
        // Newer versions take the subtype off a column that passes on an expression; nested queries do
        // not look at it.
        while ours.as_ref().is_some_and(|(operation, _)| operation.name == b"ClrSubtype")
            && theirs.as_ref().is_some_and(|(operation, _)| operation.name != b"ClrSubtype")
        {
            ours = one_pass.next();
        }
        match (theirs, ours) {
            (None, None) => break,
            (Some((theirs, _)), Some((ours, _))) => {
                virtual_table |= theirs.name == b"VOpen";
                function |=
                    matches!(theirs.name.as_slice(), b"Function" | b"Function0" | b"PureFunc" | b"PureFunc0");
                if is_sink(&theirs) {
                    return None;
                }
                if is_sink(&ours) {
                    if !(theirs.name == b"ResultRow" && ours.name.starts_with(b"AggStep")) {
                        return None;
                    }
                    handed_over += 1;
                } else if theirs != ours || theirs.name == b"ResultRow" {
                    return None;
                }
            }
            _ => return None,
        }
    }
    (handed_over == 1 && ended && !(virtual_table && function)).then_some(())
}

/// Is it an operation of the sink's aggregate? Its P4 is the function's name and number of arguments.
fn is_sink(operation: &Operation) -> bool {
    let name = operation.p4.split(|&byte| byte == b'(').next();
    name.is_some_and(|name| name == SINK_FUNCTION.as_bytes())
}

/// May the query be the same in one pass? What has one of these words at its outer level, or does not
/// begin with SELECT or WITH, never is: so there is no need to look.
pub(super) fn may_be_same(sql: &[u8]) -> bool {
    const NEVER: [&str; 9] =
        ["order", "union", "except", "intersect", "limit", "group", "having", "distinct", "values"];
    let mut depth = 0_usize;
    for (index, token) in Tokens(sql).enumerate() {
        if index == 0 && !(is_keyword(token, "select") || is_keyword(token, "with")) {
            return false;
        }
        match token {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            _ if depth == 0 && NEVER.iter().any(|word| is_keyword(token, word)) => return false,
            _ => {}
        }
    }
    true
}

/// Does the query read a whole table, as far as its words tell?
pub(super) fn reads_all(sql: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut from = false;
    for token in Tokens(sql) {
        match token {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            _ if depth == 0 && is_keyword(token, "where") => return false,
            _ if depth == 0 && is_keyword(token, "from") => from = true,
            _ => {}
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_rule_one_pass_out() {
        for sql in [
            "select a from t order by a",
            "values (1),(2)",
            "select 1 union all select 2",
            "select distinct a from t",
            "select a from t LIMIT 3",
            "select a, count(*) from t group by a",
            "with x as (select 1) select * from x order by 1",
            "explain select 1",
        ] {
            assert!(!may_be_same(sql.as_bytes()), "{sql}");
        }
    }

    #[test]
    fn words_that_only_look_so() {
        for sql in [
            "select * from orders",
            "select a from t where b = 'order by' -- union",
            "select \"order\", [limit], `group` from t",
            "select (select a from t order by a limit 1) from u",
            "select a /* values */ from unions where a in (select x from y union select 1)",
            "with x as (select 1 union all select 2) select * from x",
        ] {
            assert!(may_be_same(sql.as_bytes()), "{sql}");
        }
    }

    #[test]
    fn a_whole_table() {
        assert!(reads_all(b"select * from t"));
        assert!(reads_all(b"select (select a from u where b) from t join v on x = y"));
        assert!(!reads_all(b"select * from t where a = ?"));
        assert!(!reads_all(b"select 1"));
    }
}
