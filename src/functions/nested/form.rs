//! What the rows of a query become: the text around them, and the template of each (R26).

use super::super::choices::{Chosen, RowsAs};
use super::columns::Column;
use crate::buffer::{Buffer, BufferError, Memory};
use crate::json::{
    self, Brackets, Choices, ColumnKind, Framing, RowError, RowTemplate, SeenKeys, Sequence, write_kind,
};
use crate::sqlite::{Report, Reported, SqliteMemory};
use crate::value::{Row, Value};

type Text = Buffer<'static, SqliteMemory>;

/// The form of a query's result.
pub(super) struct Form {
    around: Around,
    template: RowTemplate<SqliteMemory>,
    choices: Choices,
    memory: SqliteMemory,
}

/// What stands around the rows.
enum Around {
    /// Nothing.
    Lines,
    /// Brackets, and text before and after them.
    Brackets { before: Text, brackets: Brackets, after: &'static [u8] },
    /// The same; each row has a key of its own, the first column's value.
    Map,
    /// There is one row or none.
    One,
    /// Each column is an array: what stands before it, and what its values are taken for.
    Columns(Vec<(Text, ColumnKind)>),
}

/// The rows of one run.
#[derive(Default)]
pub(super) struct Run {
    /// How many have come.
    pub(super) rows: usize,
    seen: SeenKeys,
    columns: Vec<Sequence<SqliteMemory>>,
    /// Bytes in all columns together.
    total: usize,
}

impl Run {
    /// Gives back what was needed for the rows; their number stays.
    pub(super) fn end(&mut self) {
        *self = Run { rows: self.rows, ..Run::default() };
    }
}

impl Form {
    /// The form that was chosen for these columns, if they fit it. `stream`: the result comes in pieces.
    #[inline(never)]
    pub(super) fn new(
        report: &dyn Report,
        chosen: &Chosen,
        columns: &[Column],
        stream: bool,
    ) -> Result<Self, Reported> {
        let memory = report.host().memory();
        let lines =
            chosen.rows_as == RowsAs::Ndjson || stream && !chosen.array && chosen.rows_as != RowsAs::GeoJson;
        let framing = match chosen.rows_as {
            RowsAs::One | RowsAs::Map => Framing::Alone,
            _ if lines => Framing::Line,
            _ => Framing::Element,
        };
        let choices = Choices { one_line: lines, ..chosen.json };
        let mut template = RowTemplate::new(memory, chosen.json, framing);
        let plain = |before: &[u8], after| {
            let mut text = Buffer::new(memory);
            add(&mut text, before);
            Around::Brackets { before: text, brackets: Brackets::ARRAY, after }
        };
        let mut around = if lines { Around::Lines } else { plain(b"", b"") };
        let all = || columns.iter().enumerate();
        match chosen.rows_as {
            RowsAs::Objects | RowsAs::Ndjson | RowsAs::One => {
                object(report, &mut template, chosen, &mut all())?;
                if chosen.rows_as == RowsAs::One {
                    around = Around::One;
                }
            }
            RowsAs::Rows | RowsAs::Table => {
                template.text(b"[");
                for (index, column) in all() {
                    if index > 0 {
                        template.text(b",");
                    }
                    value(report, &mut template, index, column.kind)?;
                }
                template.text(b"]");
                if chosen.rows_as == RowsAs::Table {
                    let mut before = Buffer::new(memory);
                    add(&mut before, b"{\"columns\":[");
                    for (index, column) in all() {
                        add(&mut before, if index > 0 { b"," } else { b"" });
                        json::write(&Value::Text(&column.key), choices, &mut before);
                    }
                    add(&mut before, b"],\"rows\":");
                    around = Around::Brackets { before, brackets: Brackets::ARRAY, after: b"}" };
                }
            }
            RowsAs::Values => {
                let [column] = columns else {
                    return Err(unfit(report, "values", "one column", columns.len()));
                };
                value(report, &mut template, 0, column.kind)?;
            }
            RowsAs::Map => {
                match columns {
                    [] | [_] => {
                        return Err(unfit(report, "map", "a key and one column or more", columns.len()));
                    }
                    [_, column] if !chosen.nest => value(report, &mut template, 1, column.kind)?,
                    _ => object(report, &mut template, chosen, &mut all().skip(1))?,
                }
                around = Around::Map;
            }
            RowsAs::Columns => {
                let mut made = Vec::new();
                made.try_reserve_exact(columns.len()).map_err(|_| report.fail(BufferError::NoMemory))?;
                for (index, column) in all() {
                    let mut text = Buffer::new(memory);
                    text.push(if index == 0 { b'{' } else { b',' });
                    json::key(&column.key, choices, &mut text);
                    if let Some(failure) = text.failure() {
                        return Err(report.fail(failure));
                    }
                    made.push((text, column.kind));
                }
                around = Around::Columns(made);
            }
            RowsAs::GeoJson => {
                let named = |name: &[u8]| columns.iter().position(|column| column.key == name);
                let (geometry, id) = (named(b"geometry"), named(b"id"));
                let Some(geometry) = geometry else {
                    return Err(report.error(format_args!(
                        "the choice geojson needs a column geometry, and the query has none"
                    )));
                };
                template.text(b"{\"type\":\"Feature\"");
                if let Some((id, column)) = id.and_then(|id| Some((id, columns.get(id)?))) {
                    template.text(b",\"id\":");
                    value(report, &mut template, id, column.kind)?;
                }
                template.text(b",\"geometry\":");
                value(report, &mut template, geometry, ColumnKind::Json)?;
                template.text(b",\"properties\":");
                let mut others = all().filter(|(index, _)| *index != geometry && Some(*index) != id);
                object(report, &mut template, chosen, &mut others)?;
                template.text(b"}");
                around = plain(b"{\"type\":\"FeatureCollection\",\"features\":", b"}");
            }
        }
        if framing == Framing::Line {
            template.text(b"\n");
        }
        let failure = match &around {
            Around::Brackets { before, .. } => before.failure(),
            _ => None,
        };
        match failure.or(template.failure()) {
            Some(failure) => Err(report.fail(failure)),
            None => Ok(Form { around, template, choices, memory }),
        }
    }

    /// Is the result one JSON text (R14)?
    pub(super) fn is_json(&self) -> bool {
        !matches!(self.around, Around::Lines)
    }

    /// How many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let around = match &self.around {
            Around::Brackets { before, .. } => before.capacity(),
            Around::Columns(columns) => columns.iter().map(|(text, _)| text.capacity() + 64).sum(),
            _ => 0,
        };
        around + self.template.size()
    }

    /// Appends the next row of a run.
    #[inline]
    pub(super) fn row(
        &self,
        run: &mut Run,
        row: &impl Row,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), RowError> {
        run.rows += 1;
        if run.rows > 1
            && let Around::Brackets { .. } | Around::Lines = &self.around
        {
            return self.template.write(row, out);
        }
        self.row_seldom(run, row, out)
    }

    /// The first row, and every row where that is not all there is to it.
    #[inline(never)]
    fn row_seldom(
        &self,
        run: &mut Run,
        row: &impl Row,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), RowError> {
        match &self.around {
            Around::Lines => self.template.write(row, out),
            Around::One if run.rows > 1 => Err(RowError::SecondRow),
            Around::One => self.template.write(row, out),
            Around::Brackets { before, brackets, .. } => {
                add(out, before.as_slice());
                let begin = out.len();
                self.template.write(row, out)?;
                // Each row has a comma before it, and the first one a bracket in its place.
                if let Some(comma) = out.as_mut_slice().get_mut(begin) {
                    *comma = brackets.open();
                }
                Ok(())
            }
            Around::Map => {
                let key = match row.get(0).ok_or(BufferError::NoMemory)? {
                    Value::Text(key) | Value::Json(key) => key,
                    other => return Err(RowError::KeyType(0, other.class())),
                };
                if self.choices.unique_keys && !run.seen.add(key)? {
                    return Err(RowError::KeyRepeated(0));
                }
                out.push(if run.rows == 1 { b'{' } else { b',' });
                json::key(key, self.choices, out);
                self.template.write(row, out)
            }
            Around::Columns(columns) => {
                for (index, (_, kind)) in columns.iter().enumerate() {
                    if run.columns.len() == index {
                        run.columns.try_reserve(columns.len()).map_err(|_| BufferError::NoMemory)?;
                        run.columns.push(Sequence::new(self.memory.beside(), Brackets::ARRAY));
                    }
                    let Some(sequence) = run.columns.get_mut(index) else { continue };
                    let begin = sequence.text().len();
                    sequence.text().push(b',');
                    write_kind(*kind, index, row.get(index), self.choices, sequence.text())?;
                    run.total += sequence.text().len() - begin;
                    sequence.end_element(begin)?;
                }
                match run.total > self.memory.limit() {
                    true => Err(RowError::Buffer(BufferError::TooBig)),
                    false => Ok(()),
                }
            }
        }
    }

    /// Appends what comes after the last row of a run.
    #[inline(never)]
    pub(super) fn finish(
        &self,
        run: &mut Run,
        out: &mut Buffer<'_, SqliteMemory>,
    ) -> Result<(), BufferError> {
        match &self.around {
            Around::Lines => {}
            Around::One if run.rows == 0 => add(out, b"null"),
            Around::One => {}
            Around::Brackets { before, brackets, after } => {
                if run.rows == 0 {
                    add(out, before.as_slice());
                    out.push(brackets.open());
                }
                out.push(brackets.close());
                add(out, after);
            }
            Around::Map => add(out, if run.rows == 0 { b"{}" } else { b"}" }),
            Around::Columns(columns) => {
                let mut arrays = run.columns.iter_mut();
                for (key, _) in columns {
                    add(out, key.as_slice());
                    match arrays.next() {
                        Some(array) => array.with_brackets(|array| add(out, array))?,
                        None => add(out, b"[]"),
                    }
                }
                out.push(b'}');
            }
        }
        match out.failure() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }
}

#[cold]
fn unfit(report: &dyn Report, choice: &str, wants: &str, columns: usize) -> Reported {
    report.error(format_args!("the choice {choice} needs {wants}, and the query has {columns}"))
}

#[inline(never)]
fn value(
    report: &dyn Report,
    template: &mut RowTemplate<SqliteMemory>,
    column: usize,
    kind: ColumnKind,
) -> Result<(), Reported> {
    template.value(column, kind).map_err(|failure| report.fail(failure))
}

/// An object of these columns.
#[inline(never)]
fn object(
    report: &dyn Report,
    template: &mut RowTemplate<SqliteMemory>,
    chosen: &Chosen,
    columns: &mut dyn Iterator<Item = (usize, &Column)>,
) -> Result<(), Reported> {
    template.text(b"{");
    template.members();
    if chosen.nest {
        nested(report, template, columns)?;
    } else {
        for (number, (index, column)) in columns.enumerate() {
            if number > 0 {
                template.comma();
            }
            template.key(&column.key);
            value(report, template, index, column.kind)?;
        }
    }
    template.text(b"}");
    Ok(())
}

/// The members of an object: `user.id` is the member `id` of the member `user` (R30). An object is
/// written once, so that the columns of one stand side by side.
#[inline(never)]
fn nested(
    report: &dyn Report,
    template: &mut RowTemplate<SqliteMemory>,
    columns: &mut dyn Iterator<Item = (usize, &Column)>,
) -> Result<(), Reported> {
    // The objects that are open, and all members that were written, sorted: by their whole names.
    let (mut open, mut written) = (Vec::<&[u8]>::new(), Vec::<&[u8]>::new());
    let mut first = true;
    for (index, column) in columns {
        let key = column.key.as_slice();
        let points = || key.iter().enumerate().filter(|(_, byte)| **byte == b'.').map(|(at, _)| at);
        let depth = points().count();
        (open.try_reserve(depth).map_err(|_| BufferError::NoMemory))
            .and_then(|()| written.try_reserve(depth + 1).map_err(|_| BufferError::NoMemory))
            .map_err(|failure| report.fail(failure))?;
        let objects = || points().map(|at| key.get(..at).unwrap_or_default());
        let same = open.iter().zip(objects()).take_while(|(open, object)| **open == *object).count();
        for _ in same..open.len() {
            template.text(b"}");
            first = false;
        }
        open.truncate(same);
        for object in objects().skip(same) {
            member(report, template, &mut written, object, first)?;
            open.push(object);
            first = true;
            template.text(b"{");
        }
        member(report, template, &mut written, key, first)?;
        value(report, template, index, column.kind)?;
        first = false;
    }
    for _ in open {
        template.text(b"}");
    }
    Ok(())
}

/// Begins a member: its key, the last part of its whole name.
#[inline(never)]
fn member<'c>(
    report: &dyn Report,
    template: &mut RowTemplate<SqliteMemory>,
    written: &mut Vec<&'c [u8]>,
    name: &'c [u8],
    first: bool,
) -> Result<(), Reported> {
    let Err(place) = written.binary_search(&name) else {
        return Err(report.error(format_args!(
            "the choice nest: the columns of '{}' do not stand side by side",
            String::from_utf8_lossy(name)
        )));
    };
    written.insert(place, name);
    if !first {
        template.comma();
    }
    let begin = name.iter().rposition(|byte| *byte == b'.').map_or(0, |at| at + 1);
    template.key(name.get(begin..).unwrap_or_default());
    Ok(())
}

#[inline(never)]
fn add(out: &mut Buffer<'_, SqliteMemory>, text: &[u8]) {
    out.extend(text);
}
