//! Random schemas and random SELECTs over them.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use super::library::{Cell, Version};
use super::support::Random;

pub struct Queries {
    pub random: Random,
    version: Version,
    tables: Vec<Source>,
    /// Parameters of the statement that is being made, if it may have any.
    parameters: Option<Vec<Cell>>,
    aliases: usize,
}

/// Something that a FROM can name.
#[derive(Clone)]
struct Source {
    name: String,
    columns: Vec<String>,
    /// Thousands of rows.
    big: bool,
}

/// A statement and its parameters.
pub struct Query {
    pub sql: String,
    pub parameters: Vec<Cell>,
}

const TYPES: &[&str] = &[
    "",
    "integer",
    "int",
    "bigint",
    "real",
    "double",
    "float",
    "text",
    "varchar(9)",
    "clob",
    "blob",
    "numeric",
    "decimal(9,3)",
    "boolean",
    "date",
    "floating point",
    "\"weird type\"",
];
const STRICT_TYPES: &[&str] = &["integer", "int", "real", "text", "blob", "any"];
const COLLATIONS: &[&str] =
    &["", "", "", " collate nocase", " collate rtrim", " collate binary", " collate reverse"];
const VALUES: &[&str] = &[
    "null",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "13",
    "127",
    "65536",
    "9007199254740991",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "(-9223372036854775807-1)",
    "0.0",
    "-0.0",
    "1.0",
    "1.5",
    "-2.25",
    "0.1",
    "1e18",
    "1e19",
    "9007199254740992.0",
    "1e300",
    "5e-324",
    "9e999",
    "-9e999",
    "123456.789",
    "''",
    "'a'",
    "'A'",
    "'a '",
    "'b'",
    "'1'",
    "'1.0'",
    "' 12 '",
    "'1e3'",
    "'9007199254740993'",
    "'é'",
    "'日本'",
    "char(0)",
    "'a\"b\\c'",
    "char(10,9,127)",
    "cast(x'41ff42' as text)",
    "cast(x'e282' as text)",
    "'[1,2]'",
    "'{\"a\":1}'",
    "x''",
    "x'00'",
    "x'31'",
    "x'00ff10'",
    "x'5b315d'",
    "zeroblob(3)",
];
const TERMS: &[&str] = &["red", "green", "apple", "tree", "blue", "sky"];

impl Queries {
    pub fn new(seed: u64, version: Version) -> Queries {
        Queries { random: Random(seed), version, tables: Vec::new(), parameters: None, aliases: 0 }
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn since(&self, minor: u32) -> bool {
        self.version >= (3, minor, 0)
    }

    fn pick(&mut self, list: &[&str]) -> String {
        (*self.random.pick(list)).to_owned()
    }

    fn value(&mut self) -> String {
        self.pick(VALUES)
    }

    // ── the schema ──────────────────────────────────────────────────────────────────────────────────────────

    /// The statements that make a schema. One may fail: then what it would have made is missing.
    pub fn schema(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        for number in 0..3 + self.random.below(2) {
            self.table(&mut all, &format!("t{number}"));
        }
        self.add("big", &["i", "r", "t", "b", "n", "x"], true);
        let rows = *self.random.pick(&[900, 2500, 4500]);
        all.push(
            "create table big(i integer primary key, r real, t text collate nocase, b blob, n numeric, x)"
                .into(),
        );
        all.push(format!(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < {rows})
             insert into big select i, i * 0.5, 'text ' || i, cast(i as blob),
             case i % 4 when 0 then i when 1 then i * 1.25 when 2 then 'n' || i end,
             case i % 5 when 0 then 9007199254740993 + i when 1 then i / 7.0 when 2 then char(i) when 3 then zeroblob(2) end
             from n"
        ));
        if self.one_in(2) {
            all.push("create index big_x on big(x)".into());
        }
        // Virtual tables.
        self.add("typed", &["i", "r", "t", "n", "b", "u", "f", "d", "v"], false);
        all.push(
            "create virtual table typed_big using typed(2500, r real, i integer, f float, x, n numeric)"
                .into(),
        );
        self.add("typed_big", &["r", "i", "f", "x", "n"], true);
        all.push("create virtual table typed_small using typed(6, r real, q double, n numeric)".into());
        self.add("typed_small", &["r", "q", "n"], false);
        all.push("create virtual table box using rtree(id, x0, x1, y0, y1)".into());
        all.push("insert into box values(1, 0, 1.5, 0, 2), (2, 1, 3, -1e10, 2.1), (3, 5, 6, 7, 8)".into());
        self.add("box", &["id", "x0", "x1", "y0", "y1"], false);
        all.push("create virtual table boxi using rtree_i32(id, x0, x1)".into());
        all.push("insert into boxi values(1, 0, 15), (9007199254740993, -7, 3)".into());
        self.add("boxi", &["id", "x0", "x1"], false);
        for (name, module) in [("ft3", "fts3"), ("ft4", "fts4"), ("ft5", "fts5")] {
            all.push(format!("create virtual table {name} using {module}(title, body)"));
            for _ in 0..5 {
                let mut words = || {
                    (0..1 + self.random.below(6))
                        .map(|_| *self.random.pick(TERMS))
                        .collect::<Vec<_>>()
                        .join(" ")
                };
                all.push(format!("insert into {name} values('{}', '{}')", words(), words()));
            }
            self.add(name, &["title", "body"], false);
        }
        // Views, also of compounds, whose columns have an affinity.
        for number in 0..3 {
            let columns = 1 + self.random.below(3);
            let names: Vec<String> = (0..columns).map(|column| format!("v{column}")).collect();
            let select = if self.one_in(2) {
                format!("{} union all {}", self.simple(columns), self.simple(columns))
            } else {
                self.select(1, columns)
            };
            let name = format!("w{number}");
            all.push(format!("create view {name}({}) as {select}", names.join(", ")));
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.add(&name, &names, false);
        }
        // Views of many rows; the columns of a compound have an affinity, too.
        all.push("create view wide as select i, r, t, n, x, b from big".into());
        self.add("wide", &["i", "r", "t", "n", "x", "b"], true);
        all.push(
            "create view mixed(m, o) as select r, i from typed_big union all select i, x from big".into(),
        );
        self.add("mixed", &["m", "o"], true);
        all.push(
            "create view joined as select a.i, b.r, a.x, b.f from big a left join typed_big b on b.rowid = a.i".into(),
        );
        self.add("joined", &["i", "r", "x", "f"], true);
        if self.one_in(4) {
            all.push("analyze".into());
        }
        all
    }

    fn add(&mut self, name: &str, columns: &[&str], big: bool) {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        self.tables.push(Source { name: name.to_owned(), columns, big });
    }

    fn table(&mut self, all: &mut Vec<String>, name: &str) {
        let strict = self.since(37) && self.one_in(5);
        let count = 1 + self.random.below(5);
        let mut columns: Vec<String> = (0..count).map(|column| format!("c{column}")).collect();
        let plain = columns.join(", ");
        let mut parts = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            let kind = self.pick(if strict { STRICT_TYPES } else { TYPES });
            let collation = self.pick(COLLATIONS);
            let key = if index == 0 && self.one_in(3) { " primary key" } else { "" };
            parts.push(format!("{column} {kind}{key}{collation}"));
        }
        let keyed = parts[0].contains("primary key");
        if self.since(31) && self.one_in(3) {
            let kind = self.pick(if strict { STRICT_TYPES } else { TYPES });
            let expression =
                self.pick(&["c0 + 1", "c0 || 'x'", "length(c0)", "coalesce(c0, 1.0)", "typeof(c0)", "c0"]);
            let stored = self.pick(&["", " stored", " virtual"]);
            parts.push(format!("g {kind} as ({expression}){stored}"));
            columns.push("g".into());
        }
        let mut options = Vec::new();
        if strict {
            options.push("strict");
        }
        if keyed && self.one_in(2) {
            options.push("without rowid");
        }
        all.push(format!("create table {name}({}) {}", parts.join(", "), options.join(", ")));
        for _ in 0..self.random.below(9) {
            let row: Vec<String> = (0..count).map(|_| self.value()).collect();
            all.push(format!("insert or ignore into {name}({plain}) values({})", row.join(", ")));
        }
        for number in 0..self.random.below(3) {
            let column = columns[self.random.below(columns.len())].clone();
            let on = match self.random.below(5) {
                0 => format!("lower({column})"),
                1 => format!("{column} desc"),
                2 => format!("{column} collate nocase, c0"),
                3 => format!("coalesce({column}, 0.5), c0"),
                _ => column.clone(),
            };
            let filter = if self.one_in(3) { format!(" where {column} is not null") } else { String::new() };
            all.push(format!("create index {name}_{number} on {name}({on}){filter}"));
        }
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        self.add(name, &columns, false);
    }

    // ── statements ──────────────────────────────────────────────────────────────────────────────────────────

    /// A statement over what [`schema`](Self::schema) made.
    pub fn query(&mut self) -> Query {
        self.aliases = 0;
        self.parameters = self.one_in(5).then(Vec::new);
        let mut sql = match self.random.below(24) {
            0 | 1 => self.full_text(),
            2 => self.values(),
            3..=9 => self.over_many(),
            10 => self.odd(),
            _ => {
                let columns = 1 + self.random.below(4);
                self.select(2, columns)
            }
        };
        match self.random.below(12) {
            0 => sql.push(';'),
            1 => sql.push_str(" -- the end"),
            2 => sql = format!(" /* begins */ {sql} ;"),
            _ => {}
        }
        Query { sql, parameters: self.parameters.take().unwrap_or_default() }
    }

    fn alias(&mut self) -> String {
        self.aliases += 1;
        format!("a{}", self.aliases)
    }

    /// One table, few conditions.
    fn simple(&mut self, columns: usize) -> String {
        let (from, scope) = self.source(0);
        let list: Vec<String> = (0..columns).map(|_| self.expression(&scope, 1)).collect();
        format!("select {} from {from}", list.join(", "))
    }

    fn big(&mut self) -> Source {
        let big: Vec<Source> = self.tables.iter().filter(|table| table.big).cloned().collect();
        self.random.pick(&big).clone()
    }

    /// Many rows.
    fn over_many(&mut self) -> String {
        let source = self.big();
        let alias = self.alias();
        let scope: Vec<String> = source.columns.iter().map(|column| format!("{alias}.{column}")).collect();
        let mut from = format!("{} {alias}", source.name);
        if self.one_in(4) {
            from = format!("{from} left join t0 on t0.c0 = {}", self.random.pick(&scope).clone());
        }
        if self.one_in(5) {
            from = format!(
                "(select * from {} {}) {alias}",
                source.name,
                self.pick(&["limit 2000", "", "order by 1"])
            );
        }
        let count = 1 + self.random.below(5);
        let list: Vec<String> = (0..count).map(|_| self.column(&scope)).collect();
        let mut sql = format!("select {} from {from}", list.join(", "));
        if self.one_in(12) {
            sql = format!("select *, {alias}.* from {from}");
        }
        if self.one_in(2) {
            sql += &format!(" where {}", self.condition(&scope));
        }
        match self.random.below(16) {
            0 => sql += &format!(" order by {}", self.expression(&scope, 1)),
            1 => sql += " limit 1000",
            2 => sql += " limit 700 offset 20",
            3 => sql = sql.replacen("select ", "select distinct ", 1),
            4 => sql = format!("select * from ({sql})"),
            5 => sql = format!("{sql} union all {sql}"),
            6 => sql = format!("with q as ({sql}) select * from q"),
            7 => {
                let small = self.select(1, 2);
                sql = format!(
                    "select * from {} limit 3000) b left join ({small}) s on 1",
                    self.pick(&["(select * from big", "(select r, i from typed_big"])
                );
            }
            8 => {
                let column = self.random.pick(&scope).clone();
                let over = self.window(&scope);
                let over = if self.since(28) { over } else { "over (order by 1)".into() };
                sql = format!("select {column}, count(*) {over}, {} from {from}", self.expression(&scope, 1));
            }
            9 => {
                let column = self.random.pick(&scope).clone();
                sql = format!("select {column}, count(*), max({column}) from {from} group by {column}");
            }
            _ => {}
        }
        sql
    }

    fn values(&mut self) -> String {
        let columns = 1 + self.random.below(3);
        let mut rows = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let row: Vec<String> = (0..columns).map(|_| self.expression(&[], 1)).collect();
            rows.push(format!("({})", row.join(", ")));
        }
        format!("values {}", rows.join(", "))
    }

    fn full_text(&mut self) -> String {
        let name = self.pick(&["ft3", "ft4", "ft5", "ft5"]);
        let one = self.pick(TERMS);
        let two = self.pick(TERMS);
        let search = self
            .pick(&["A", "A B", "A OR B", "A NEAR B", "title:A", "\"A B\"", "A*"])
            .replace('A', &one)
            .replace('B', &two);
        let mut list = vec!["rowid".to_owned()];
        for _ in 0..1 + self.random.below(3) {
            list.push(if name == "ft5" {
                self.pick(&[
                    "highlight(ft5, 1, '<', '>')",
                    "snippet(ft5, 0, '[', ']', '…', 3)",
                    "bm25(ft5)",
                    "rank",
                    "title",
                    "bm25(ft5, 2.0, 1.0)",
                ])
            } else {
                self.pick(&[
                    "offsets(#)",
                    "snippet(#)",
                    "snippet(#, '<', '>', '…', 1, 4)",
                    "matchinfo(#)",
                    "matchinfo(#, 'pcx')",
                    "body",
                ])
                .replace('#', &name)
            });
        }
        let list: Vec<String> = list.into_iter().map(|e| self.named(e)).collect();
        let mut sql = format!("select {} from {name} where {name} match '{search}'", list.join(", "));
        match self.random.below(8) {
            0 => sql += " order by rowid desc",
            1 => sql += " limit 2",
            2 if name == "ft5" => sql += " order by rank",
            3 => sql += " and rowid > 2",
            4 => sql = format!("select * from ({sql}) where 1"),
            5 => sql = format!("with q as ({sql}) select * from q, (values(1), (2))"),
            _ => {}
        }
        sql
    }

    /// Changes of the schema or of a setting that can give a statement another plan or other columns, and their undoing.
    pub fn change(&mut self) -> (&'static str, &'static str) {
        *self.random.pick(&[
            ("create index late on big(r, t)", "drop index late"),
            ("create index late on big(x) where x is not null", "drop index late"),
            ("create index late on big(n, i, r, t, b, x)", "drop index late; analyze"),
            ("create index late on t0(c0)", "drop index late"),
            ("create temp table t0(c0 real, zz)", "drop table temp.t0"),
            (
                "create temp view big as select t i, i r, r t, x b, b n, n x from main.big",
                "drop view temp.big",
            ),
            ("alter table t1 add column late default 7", "select 1"),
            ("pragma reverse_unordered_selects = on", "pragma reverse_unordered_selects = off"),
            ("attach ':memory:' as extra; create table extra.t0(c0, c1)", "detach extra"),
            ("delete from t0", "select 1"),
            ("begin; delete from big where i > 50; drop table t2", "rollback"),
            (
                "pragma short_column_names = off; pragma full_column_names = on",
                "pragma short_column_names = on; pragma full_column_names = off",
            ),
        ])
    }

    /// What is no common SELECT.
    fn odd(&mut self) -> String {
        let table = self.random.pick(&self.tables.clone()).name.clone();
        match self.random.below(12) {
            0 => format!("pragma table_info({table})"),
            1 => format!("select * from pragma_table_info('{table}')"),
            2 => "pragma foreign_key_list(t0)".into(),
            3 => format!("explain query plan select * from {table}"),
            4 => "select name, type, sql from sqlite_master".into(),
            5 => format!("select * from no_such_table_{table}"),
            6 => format!("select no_such_column from {table}"),
            7 => "select 1 +".into(),
            8 => format!("select abs(-9223372036854775807 - 1) x from {table}"),
            9 => "select key, value, type, atom, id, parent, fullkey, path from json_tree('{\"a\":[1,2.5,\"x\",null,true]}')".into(),
            10 => "select value, typeof(value) from json_each('[1, 1.0, 9007199254740993, 1e400, \"z\"]') where value is not 1".into(),
            _ => format!("select nth() n, refuse(nth()) r, * from {table}"),
        }
    }

    /// A FROM and the columns that it has.
    fn source(&mut self, depth: usize) -> (String, Vec<String>) {
        let joined = if depth > 0 { 1 + self.random.below(3) } else { 1 };
        let (mut from, mut scope) = (String::new(), Vec::<String>::new());
        for number in 0..joined {
            let alias = self.alias();
            let (item, columns) = match self.random.below(if depth > 0 { 10 } else { 7 }) {
                7 => {
                    let columns = 1 + self.random.below(2);
                    let select = self.select(depth - 1, columns);
                    let names: Vec<String> = (0..columns).map(|column| format!("s{column}")).collect();
                    let inner = self.alias();
                    (
                        format!(
                            "(with {inner}({}) as ({select}) select * from {inner}) {alias}",
                            names.join(", ")
                        ),
                        names,
                    )
                }
                8 => (
                    format!("json_each('[1,2.5,\"x\",null,[3]]') {alias}"),
                    vec!["key".into(), "value".into(), "type".into()],
                ),
                9 => {
                    let rows: Vec<String> =
                        (0..2).map(|_| format!("({}, {})", self.value(), self.value())).collect();
                    (
                        format!("(values {}) {alias}", rows.join(", ")),
                        vec!["column1".into(), "column2".into()],
                    )
                }
                _ => {
                    let small: Vec<Source> = self.tables.iter().filter(|table| !table.big).cloned().collect();
                    let source = self.random.pick(&small).clone();
                    (format!("{} {alias}", source.name), source.columns)
                }
            };
            let columns: Vec<String> = columns.iter().map(|column| format!("{alias}.{column}")).collect();
            if number == 0 {
                from = item;
            } else {
                let joins: &[&str] = if self.since(39) {
                    &[", ", " join ", " left join ", " cross join ", " right join ", " full join "]
                } else {
                    &[", ", " join ", " left join ", " cross join "]
                };
                let join = self.pick(joins);
                from = format!("{from}{join}{item}");
                if join != ", " && (join != " cross join " || self.one_in(2)) {
                    let (left, right) =
                        (self.random.pick(&scope).clone(), self.random.pick(&columns).clone());
                    from += &match self.random.below(4) {
                        0 => format!(" on {left} is {right}"),
                        1 => format!(" on {left} < {right}"),
                        2 => " on 1".to_owned(),
                        _ => format!(" on {left} = {right}"),
                    };
                }
            }
            scope.extend(columns);
        }
        (from, scope)
    }

    fn condition(&mut self, scope: &[String]) -> String {
        let one = self.expression(scope, 1);
        match self.random.below(8) {
            0 => format!("{one} is not null"),
            1 => format!("{one} > {}", self.expression(scope, 0)),
            2 => format!("{one} in ({}, {})", self.value(), self.value()),
            3 => format!("{one} between {} and {}", self.value(), self.value()),
            4 => format!("not ({one} = {})", self.expression(scope, 0)),
            5 => format!("typeof({one}) <> 'real'"),
            6 => format!("({one} is null or {one} <> {})", self.value()),
            _ => format!("{one} or 1"),
        }
    }

    /// A result column with a name, or without.
    fn named(&mut self, expression: String) -> String {
        match self.random.below(9) {
            0 => expression,
            1 => format!("{expression} as n"),
            2 => format!("{expression} as \"a \"\"b\"\"\""),
            3 => format!("{expression} as \"Ünï\""),
            4 => format!("{expression} n_2"),
            _ => {
                let alias = self.alias();
                format!("{expression} as {alias}")
            }
        }
    }

    fn column(&mut self, scope: &[String]) -> String {
        let expression = self.expression(scope, 1);
        self.named(expression)
    }

    fn window(&mut self, scope: &[String]) -> String {
        let by = |queries: &mut Self| match scope {
            [] => queries.value(),
            _ => queries.random.pick(scope).clone(),
        };
        let partition = if self.one_in(3) { format!("partition by {} ", by(self)) } else { String::new() };
        let order = if self.one_in(4) { String::new() } else { format!("order by {} ", by(self)) };
        let frame = match self.random.below(4) {
            0 => {
                let unit =
                    if self.since(28) { self.pick(&["rows", "groups", "range"]) } else { "rows".into() };
                let bounds = self.pick(&[
                    "unbounded preceding and current row",
                    "current row and unbounded following",
                    "unbounded preceding and unbounded following",
                ]);
                let exclude = if self.since(28) {
                    self.pick(&["", " exclude ties", " exclude group", " exclude current row"])
                } else {
                    String::new()
                };
                format!("{unit} between {bounds}{exclude}")
            }
            1 => "rows between 1 preceding and 1 following".into(),
            _ => String::new(),
        };
        format!("over ({partition}{order}{frame})")
    }

    /// A SELECT of so many columns.
    fn select(&mut self, depth: usize, columns: usize) -> String {
        let core = self.core(depth, columns);
        if depth == 0 {
            return core;
        }
        let mut sql = core;
        match self.random.below(12) {
            0 | 1 => {
                let operator = self.pick(&["union all", "union", "except", "intersect", "union all"]);
                sql = format!("{sql} {operator} {}", self.core(depth - 1, columns));
                if self.one_in(3) {
                    let operator = self.pick(&["union all", "union", "except"]);
                    sql = format!("{sql} {operator} {}", self.core(0, columns));
                }
            }
            2 => {
                let name = self.alias();
                let names: Vec<String> = (0..columns).map(|column| format!("q{column}")).collect();
                let materialized = if self.since(35) {
                    self.pick(&["", "", " materialized", " not materialized"])
                } else {
                    String::new()
                };
                let scope: Vec<String> = names.iter().map(|column| format!("{name}.{column}")).collect();
                let list: Vec<String> = (0..columns).map(|_| self.column(&scope)).collect();
                let more = if self.one_in(3) { format!(", {name} again") } else { String::new() };
                sql = format!(
                    "with {name}({}) as{materialized} ({sql}) select {} from {name}{more}",
                    names.join(", "),
                    list.join(", ")
                );
            }
            3 => {
                let name = self.alias();
                let start = self.value();
                let step = self.pick(&["x + 1", "x || 'a'", "x * 1.5", "coalesce(x, 1) + 1"]);
                let list: Vec<String> = (0..columns)
                    .map(|_| self.expression(&[format!("{name}.x"), format!("{name}.k")], 1))
                    .collect();
                let union = self.pick(&["union", "union all"]);
                sql = format!(
                    "with recursive {name}(x, k) as (select {start}, 0 {union} select {step}, k + 1 from {name} where k < 7) select {} from {name}",
                    list.join(", ")
                );
            }
            4 => sql = format!("select * from ({sql})"),
            5 => sql = format!("select distinct * from ({sql}) limit 5"),
            _ => {}
        }
        match self.random.below(6) {
            0 => {
                let ordinal = 1 + self.random.below(columns);
                let direction = self.pick(&["", " desc", " collate nocase", " collate reverse desc"]);
                if !sql.contains(" limit ") {
                    sql += &format!(" order by {ordinal}{direction}");
                }
            }
            1 if !sql.contains(" limit ") => {
                sql += &self.pick(&[" limit 3", " limit 4 offset 1", " limit 0", " limit -1 offset 2"])
            }
            _ => {}
        }
        sql
    }

    fn core(&mut self, depth: usize, columns: usize) -> String {
        let (from, scope) = self.source(depth);
        let kind = self.random.below(8);
        let mut list = Vec::new();
        for _ in 0..columns {
            let expression = match kind {
                0 => self.aggregate(&scope),
                // SQLite 3.26 crashes by itself in some.
                1 if self.since(28) => {
                    let function = match self.random.below(9) {
                        0 => "row_number()".to_owned(),
                        1 => "rank()".to_owned(),
                        2 => "ntile(2)".to_owned(),
                        3 => format!("lag({})", self.random.pick(&scope).clone()),
                        4 => format!("first_value({})", self.random.pick(&scope).clone()),
                        5 => format!("nth_value({}, 2)", self.random.pick(&scope).clone()),
                        _ => self.aggregate(&scope),
                    };
                    if function.contains("distinct") || function.contains("order by") {
                        self.expression(&scope, 1)
                    } else {
                        format!("{function} {}", self.window(&scope))
                    }
                }
                _ => self.expression(&scope, depth.max(1)),
            };
            list.push(self.named(expression));
        }
        let distinct = if kind > 1 && self.one_in(8) { "distinct " } else { "" };
        let mut sql = format!("select {distinct}{} from {from}", list.join(", "));
        if self.one_in(2) {
            sql += &format!(" where {}", self.condition(&scope));
        }
        if kind == 0 && self.one_in(2) {
            sql += &format!(" group by {}", self.random.pick(&scope).clone());
            if self.one_in(3) {
                sql += " having count(*) > 0";
            }
        }
        sql
    }

    fn aggregate(&mut self, scope: &[String]) -> String {
        let column = self.expression(scope, 0);
        let filter = if self.since(30) && self.one_in(4) { " filter (where 1)" } else { "" };
        match self.random.below(11) {
            0 => format!("count(*){filter}"),
            1 => format!("sum({column}){filter}"),
            2 => format!("total({column})"),
            3 => format!("avg({column})"),
            4 => format!("min({column})"),
            5 => format!("max({column})"),
            6 => format!("group_concat({column}){filter}"),
            7 => format!("resq_json('k', {column})"),
            8 => format!("count(distinct {column})"),
            9 => format!("resq_rows({column}){filter}"),
            _ => column,
        }
    }

    fn expression(&mut self, scope: &[String], depth: usize) -> String {
        let leaf = depth == 0 || self.one_in(3);
        if leaf {
            if self.parameters.is_some() && self.one_in(3) {
                let cell = match self.random.below(6) {
                    0 => Cell::Integer(9_007_199_254_740_993),
                    1 => Cell::Real(1.0),
                    2 => Cell::Text(b"a".to_vec()),
                    3 => Cell::Blob(vec![0, 255]),
                    4 => Cell::Null,
                    _ => Cell::Integer(self.random.below(5) as i64),
                };
                let parameters = self.parameters.as_mut().unwrap();
                parameters.push(cell);
                return format!("?{}", parameters.len());
            }
            return match scope {
                [] => self.value(),
                _ if self.one_in(5) => self.value(),
                _ => self.random.pick(scope).clone(),
            };
        }
        let a = self.expression(scope, depth - 1);
        let other = |queries: &mut Self| queries.expression(scope, depth - 1);
        match self.random.below(38) {
            0 => format!("typeof({a})"),
            1 => format!("coalesce({a}, {})", other(self)),
            2 => format!("nullif({a}, {})", other(self)),
            3 => format!("substr({a}, 1, 4)"),
            4 => format!("length({a})"),
            5 => format!("upper({a})"),
            6 => format!("hex({a})"),
            7 => format!("quote({a})"),
            8 => format!("round({a}, 1)"),
            9 => format!("cast({a} as {})", self.pick(&["integer", "real", "text", "blob", "numeric"])),
            10 => format!("printf('%d|%s', {a}, {})", other(self)),
            11 => format!("max({a}, {})", other(self)),
            12 => format!("min({a}, {})", other(self)),
            13 => format!("({a} || {})", other(self)),
            14 => format!("({a} + {})", other(self)),
            15 => format!("({a} * {})", other(self)),
            16 => format!("({a} - 1)"),
            17 => format!("({a} / 2)"),
            18 => format!("({a} = {})", other(self)),
            19 => format!("({a} < {})", other(self)),
            20 => format!("({a} is {})", other(self)),
            21 => format!("({a} like '%1%')"),
            22 => format!("case when {a} then {} else {} end", other(self), other(self)),
            23 => format!("case {a} when {} then 1 when 1 then 2.5 end", other(self)),
            24 => format!("({a} collate nocase)"),
            25 => format!("-({a})"),
            26 => format!("+{a}"),
            27 => format!("({a} & 3)"),
            28 => format!("json_array({a})").replace("json_array(x'", "hex(x'"),
            29 => format!("resq_object('k', {a})"),
            30 => format!("resq_b64(cast({a} as blob))"),
            31 => format!("(select {a})"),
            32 => {
                let select = self.simple(1);
                format!("({select})")
            }
            33 => {
                let select = self.simple(1);
                format!("({a} in ({select}))")
            }
            34 => {
                let select = self.simple(1);
                format!("exists ({select})")
            }
            35 => format!("abs({a})"),
            36 => "nth()".to_owned(),
            _ => format!("refuse({a})"),
        }
    }
}
