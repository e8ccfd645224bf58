//! Every function of the extension, called in every way, in every place where SQL takes a function, on every SQLite at
//! hand: nothing crashes. The outcome is a value or an ordinary error, and the connection is as good as before.
//!
//! The cases are made, not written: function × arguments × way of calling × place. `make test` takes a part of them,
//! `make test-places` (`RESQ_PLACES=all`) all. Each crash is the failure of one case; see `support/children.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/children.rs"]
mod children;
#[path = "support/library.rs"]
mod library;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use children::Child;
use library::{Cell, Db, Error, Rows};
use support::{Random, extension, folder};

/// Tells a child the functions' names: it must not load the extension into the linked library.
const FUNCTIONS: &str = "RESQ_PLACES_FUNCTIONS";

const SCHEMA: &str = "
    create table t(a integer primary key, b text, c real, d blob);
    insert into t values(1, 'x', 1.5, x'00ff'), (2, 'y', -2.25, x''), (3, 'x', 1e300, null), (4, 'é', 0.0, x'41');
    create table u(a integer primary key, b, c, d);
    insert into u values(1, 'select 1', 'YQ==', '[1]');
    create table log(x);";

/// How many arguments a call has.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Count {
    Some(usize),
    Star,
}

const COUNTS: [Count; 10] = [
    Count::Some(0),
    Count::Star,
    Count::Some(1),
    Count::Some(2),
    Count::Some(3),
    Count::Some(126),
    Count::Some(127),
    Count::Some(128),
    Count::Some(999),
    Count::Some(1000),
];

/// The arguments of a call: of the columns a, b, c, d, or of constants, as functions of that name want them.
fn arguments(name: &str, count: Count, constant: bool) -> String {
    let Count::Some(count) = count else { return "*".to_owned() };
    let with = name.ends_with("_with");
    let mut list = Vec::new();
    for index in 0..count {
        let place = index - usize::from(with && index > 0);
        list.push(match (index, place) {
            (0, _) if with => "''",
            (_, 0) if name.starts_with("resq_query") || name.starts_with("resq_stream") => "'select 1 n'",
            (_, 0) if name == "resq_raw" => "'[1]'",
            (_, 0) if name == "resq_unb64" => "'YQ=='",
            (1, _) if name == "resq_b64" => "'url'",
            _ if place % 2 == 0 && constant => "'k'",
            _ if place % 2 == 0 => "b",
            _ if constant => ["7", "'v'", "1.5", "x'00'", "null"][place / 2 % 5],
            _ => ["a", "b", "c", "d"][place / 2 % 4],
        });
    }
    list.join(",")
}

const BOUNDS: [&str; 6] = [
    "unbounded preceding and current row",
    "1 preceding and 1 following",
    "current row and unbounded following",
    "1 following and 2 following",
    "2 preceding and 1 preceding",
    "unbounded preceding and unbounded following",
];

/// Ways to call: `@` stands for the arguments, `#` for the name.
fn ways(every_frame: bool) -> Vec<String> {
    let mut ways: Vec<String> = [
        "#(@)",
        "#(distinct @)",
        "#(@) filter (where a > 1)",
        "#(@ order by a)",
        "#(distinct @ order by b desc, a)",
        "#(@ order by c) filter (where b = 'x')",
        "#(@) over ()",
        "#(@) over (order by a)",
        "#(@) over (partition by b order by a desc)",
        "#(@) filter (where a > 1) over (order by c)",
        "#(distinct @) over ()",
        "#(@ order by a) over ()",
        "#(@) within group (order by a)",
        "#(@) within group (order by a) over ()",
        "#(@) over (order by a rows 1 preceding)",
        "#(@) over (order by a groups between 1 preceding and 1 following exclude ties)",
        "#(#(@))",
        "#(#(@) over ()) over ()",
        "abs(length(#(@)))",
        "max(#(@))",
        "max(#(@)) over (order by #(@))",
        "sum(a) over (order by #(@))",
        "sum(a) over (partition by #(@) order by a)",
        "sum(a) filter (where #(@)) over ()",
        "sum(a) over (order by a rows length(#(@)) preceding)",
        "lag(#(@)) over (order by a)",
        "(select #(@))",
        "(select #(@) from t z where z.a <= t.a)",
        "exists (select #(@) over () from u)",
        "a in (select #(@) from u)",
        "case when a > 2 then #(@) end",
        "cast(#(@) as blob) collate nocase",
        "coalesce(null, #(@))",
    ]
    .map(str::to_owned)
    .to_vec();
    if every_frame {
        for unit in ["rows", "range", "groups"] {
            for bounds in BOUNDS {
                for exclude in
                    ["", " exclude no others", " exclude current row", " exclude group", " exclude ties"]
                {
                    for order in ["order by a ", "order by b ", "partition by b order by c desc ", ""] {
                        ways.push(format!("#(@) over ({order}{unit} between {bounds}{exclude})"));
                        if exclude.is_empty() {
                            ways.push(format!(
                                "#(@) filter (where a <> 2) over ({order}{unit} between {bounds})"
                            ));
                        }
                    }
                }
            }
        }
    }
    ways
}

/// Places: `@` stands for the call; statements are separated by `;;`. Where a call cannot have columns, it is `$`.
const PLACES: &[&str] = &[
    "select @ from t",
    "select @ from t where 0",
    "select @, a from t group by b order by @ limit 3",
    "select $",
    "select $ from (select 1 a, 'b' b, 2.5 c, x'' d) limit 1",
    "select distinct @ from t",
    "select a from t where @ is not null",
    "select count(*) from t group by @",
    "select a from t order by @ desc",
    "select b from t group by b having @ is not null",
    "select a from t limit length($)",
    "select a from t limit 1 offset length($)",
    "select @ from t union all select @ from t union select 1 order by 1",
    "select 1 from u x left join t on @",
    "select @ from u x join t using(a) group by t.a",
    "values(@)",
    "values($),(1),($)",
    "select * from json_each($)",
    "select piece from resq_stream('select ? x', $)",
    "select * from (select @ x from t) where x is not null",
    "with q(x) as (select @ from t) select q.x from q, q r",
    "with recursive q(x, i) as (select 0, 1 union all select @, i + 1 from q, t where i < 3) select * from q",
    "create view v as select @ x from t;; select x from v;; select x from v union all select x from v",
    "create temp view v as select @ x from t;; select x from v",
    "create index i on t(@);; select a from t where @ is not null;; insert into t(b) values('n')",
    "create index i on t(a) where @ is not null;; insert into t(b) values('n');; update t set c = 3",
    "create unique index i on t(a, @ desc);; insert or ignore into t(b) values('n'), ('n')",
    "create table n(a, b, c, d, check (@ is not null));; insert into n values(1, 'x', 2.5, x'00')",
    "create table n(a, b, c, d, e as (@));; insert into n(a, b) values(1, 'x');; select * from n",
    "create table n(a, b, c, d, e as (@) stored);; insert into n(a, b) values(1, 'x');; update n set b = 'y';; select * from n",
    "create table n(a, b default ($));; insert into n(a) values(1);; select b from n",
    "alter table log add column e default ($);; insert into log(x) values(1);; select e from log",
    "alter table t add column e as (@);; select e from t",
    "alter table t rename column b to bb;; select @ from t",
    "create trigger g after insert on t begin insert into log select @ from t; end;; insert into t(b) values('n')",
    "create trigger g before update on t when @ is not null begin update u set b = @; end;; update t set c = 1",
    "create temp trigger g after delete on t begin insert into log select @ from t; end;; delete from t where a = 1",
    "create view v as select * from t;; create trigger g instead of insert on v begin insert into log select @ from t; end;; insert into v(a) values(9)",
    "create trigger g after insert on t begin select raise(abort, $); end;; insert into t(b) values('n')",
    "insert into log select @ from t;; select * from log",
    "insert into log values($)",
    "update t set b = @;; select b from t",
    "delete from t where @ is not null;; select a from t",
    "insert into u(a) values(1) on conflict(a) do update set b = @ where @ is not null;; select b from u",
    "insert into t(b) values('n') returning @",
    "update t set c = 5 returning @, a",
    "delete from t returning @",
    "create table n as select @ x from t;; select x from n",
    "select @ from t window w as (order by a)",
    "select @ from t, (select 7 z) group by a order by a",
    "explain select @ from t",
    "explain query plan select @ from t order by @",
    "select resq_query('select @ x from t')",
    "select resq_query('select @ x from t')",
    "select resq_query_with('', 'with q as (select @ x from t) select x from q limit 2') from t",
    "select piece from resq_stream_with('piece=8', 'select @ x from t')",
    "select resq_query('values($),(1)')",
    "select resq_json('k', (select @ from t)) from u",
    "attach ':memory:' as o;; create table o.n as select @ x from main.t;; select x from o.n;; detach o",
    "vacuum;; select @ from t",
];

/// Statements of a case. In SQL within SQL quotes are doubled.
fn statements(place: &str, call: &str, constant: &str) -> Vec<String> {
    let nested =
        place.contains("resq_query('") || place.contains("resq_stream_with('") || place.contains("('', '");
    let put = |text: &str| if nested { text.replace('\'', "''") } else { text.to_owned() };
    place.split(";; ").map(|sql| sql.replace('@', &put(call)).replace('$', &put(constant))).collect()
}

/// Errors with these codes say that something is broken, not that the SQL is wrong.
const BROKEN: [(i32, &str); 6] = [
    (2, "SQLITE_INTERNAL"),
    (7, "SQLITE_NOMEM"),
    (11, "SQLITE_CORRUPT"),
    (10, "SQLITE_IOERR"),
    (21, "SQLITE_MISUSE"),
    (26, "SQLITE_NOTADB"),
];

fn ordinary(error: &Error) -> Result<(), String> {
    match BROKEN.iter().find(|(code, _)| error.code & 0xff == *code) {
        Some((_, name)) => Err(format!("{name}: {error}")),
        None if error.message.contains("internal error") => Err(error.to_string()),
        None => Ok(()),
    }
}

/// A case, and what it is known that has to come out.
struct Case {
    name: String,
    count: Count,
    way: String,
    place: &'static str,
}

impl Case {
    fn statements(&self) -> Vec<String> {
        let call = |constant| {
            let list = arguments(&self.name, self.count, constant);
            self.way.replace('@', &list).replace('#', &self.name)
        };
        statements(self.place, &call(false), &call(true))
    }

    /// A function that needs arguments is called without, over rows, and nothing else is odd.
    fn must_fail(&self) -> bool {
        let none = matches!(self.count, Count::Some(0) | Count::Star);
        none && !matches!(self.name.as_str(), "resq_version" | "resq_debug")
            && self.place == "select @ from t"
            && self.way.starts_with('#')
            // A frame may be empty for every row: then nothing is called.
            && !self.way.contains(" between ")
    }

    /// The statement that gives JSON with any SQLite.
    fn is_json(&self) -> bool {
        self.place == "select @ from t"
            && self.way.starts_with("#(@)")
            && ["resq_json", "resq_rows", "resq_columns", "resq_map", "resq_object", "resq_query"]
                .iter()
                .any(|name| self.name == *name || self.name.strip_suffix("_with") == Some(name))
    }

    fn judge(&self, outcome: &Result<Rows, Error>) -> Result<(), String> {
        match outcome {
            Err(error) => ordinary(error),
            Ok(_) if self.must_fail() => Err("no error, though there are no arguments".to_owned()),
            Ok(rows) if self.is_json() => {
                for row in &rows.rows {
                    let [Cell::Text(json)] = &row[..] else { return Err(format!("{row:?} is no text")) };
                    serde_json::from_slice::<serde_json::Value>(json)
                        .map_err(|error| format!("no JSON: {error}: {}", String::from_utf8_lossy(json)))?;
                }
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }
}

/// The functions that the extension adds, by the word of the newest SQLite at hand: the linked one.
fn functions() -> Vec<String> {
    let list = |db: &rusqlite::Connection| -> BTreeSet<String> {
        let mut list = db
            .prepare("select name from pragma_function_list union select name from pragma_module_list")
            .unwrap();
        list.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let db = support::plain(support::Encoding::Utf8);
    list(&db);
    let before = list(&db);
    support::load(&db, extension()).unwrap();
    let names: Vec<String> = list(&db).difference(&before).cloned().collect();
    assert!(names.len() > 15 && names.iter().all(|name| name.starts_with("resq_")), "{names:?}");
    names
}

/// All cases in order.
fn cases(functions: &[String]) -> impl Iterator<Item = Case> {
    let (few, all) = (ways(false), ways(true));
    functions.iter().flat_map(move |name| {
        let (few, all) = (few.clone(), all.clone());
        COUNTS.into_iter().flat_map(move |count| {
            let (few, all) = (few.clone(), all.clone());
            PLACES.iter().enumerate().flat_map(move |(index, place)| {
                // A thousand arguments take long, a frame does not care how many there are.
                let many = matches!(count, Count::Some(100..));
                let ways =
                    if (index == 0 || place.starts_with("create view")) && !many { &all } else { &few };
                ways.clone().into_iter().map(move |way| Case { name: name.clone(), count, way, place })
            })
        })
    })
}

/// Does a case run in `make test`? Plain calls and those without arguments in every place; of the rest, one in so many.
fn short(case: &Case, random: &mut Random) -> bool {
    let one_in = match case.count {
        Count::Some(0) | Count::Star if case.name == "resq_json" => 1,
        Count::Some(0) | Count::Star => 8,
        Count::Some(1..=3) if case.way == "#(@)" => 1,
        Count::Some(1..=3) => 25,
        Count::Some(_) => 150,
    };
    random.below(one_in) == 0
}

/// SQLite's own bookkeeping, for old versions that show too much of it: a case leaves nothing that the next one sees.
const AFTER: &str = "rollback to before; release before";

fn check(db: &Db) -> Result<(), String> {
    let rows = db.run("pragma integrity_check", &[]).map_err(|error| format!("integrity_check: {error}"))?;
    if rows.text() != Some("ok") {
        return Err(format!("integrity_check: {:?}", rows.rows));
    }
    match db.integer("select count(*) + 38 from t") {
        Ok(42) => Ok(()),
        other => Err(format!("the connection does not answer as before: {other:?}")),
    }
}

#[test]
#[ignore = "a part of the test `nothing_crashes`, which starts it"]
fn places_child() {
    let Some(mut child) = Child::new() else { return };
    let names: Vec<String> = std::env::var(FUNCTIONS).unwrap().split(' ').map(str::to_owned).collect();
    let all = std::env::var("RESQ_PLACES").is_ok_and(|what| what == "all");
    let mut random = Random(9);
    let open = |encoding| {
        let db = Db::open(child.library, encoding);
        db.run(SCHEMA, &[]).unwrap();
        db
    };
    let encodings = ["UTF-8", "UTF-16le"];
    let mut dbs = encodings.map(open);
    let (mut ran, mut well) = (0_u64, BTreeMap::<&str, u64>::new());
    for (number, case) in cases(&names).enumerate() {
        if !(all || short(&case, &mut random)) || (number as u64) < child.from {
            continue;
        }
        let which = usize::from(number % 4 == 3);
        let db = &dbs[which];
        let statements = case.statements();
        let what = format!("{}: {}", encodings[which], statements.join("; "));
        child.begin(number as u64, &what);
        ran += 1;
        // VACUUM and ATTACH take no transaction.
        let alone = ["attach", "vacuum"].iter().any(|word| case.place.starts_with(word));
        let mut wrong = Vec::new();
        if !alone {
            db.run("savepoint before", &[]).unwrap();
        }
        let (mut changes, mut failed) = (false, false);
        for sql in &statements {
            changes |= !(sql.starts_with("select") || sql.starts_with("with") || sql.starts_with("values"));
            let outcome = db.run(sql, &[]);
            wrong.extend(case.judge(&outcome).err());
            if outcome.is_ok() {
                *well.entry(case.place).or_default() += 1;
            } else {
                failed = true;
                if !sql.starts_with("insert") && !alone {
                    break;
                }
            }
        }
        // SQLite 3.26 leaves a page unused until the rollback after an index could not be made.
        if changes && !failed {
            let rows = db.run("pragma integrity_check", &[]);
            if !matches!(&rows, Ok(rows) if rows.text() == Some("ok")) {
                wrong.push(format!("integrity_check: {rows:?}"));
            }
        }
        if !alone && let Err(error) = db.run(AFTER, &[]) {
            wrong.push(format!("rollback: {error}"));
        }
        wrong.extend(check(db).err());
        if !wrong.is_empty() {
            child.fault(&what, &wrong.join("; "));
            let fresh = Db::open(child.library, encodings[which]);
            fresh.run(SCHEMA, &[]).unwrap();
            dbs[which] = fresh;
        }
    }
    child.begin(u64::MAX - 1, "closing");
    drop(dbs);
    child.note(&format!("cases {ran}"));
    for (place, count) in &well {
        child.note(&format!("well in {place}: {count}"));
    }
    child.end();
}

#[test]
fn nothing_crashes() {
    let names = functions().join(" ");
    let run = |library: &String| children::run("places_child", library, (FUNCTIONS, &names));
    let outcomes: Vec<_> = children::libraries().iter().map(run).collect();
    children::judge("places", &outcomes, "cases ", |outcome| format!("{} cases", outcome.sum("cases ")));
    // On the linked library, the newest, a call works in every place.
    if let Some(bundled) = outcomes.iter().find(|outcome| outcome.library == library::BUNDLED) {
        let worked =
            |place: &str| bundled.notes.iter().any(|note| note.starts_with(&format!("well in {place}: ")));
        let never: Vec<_> = PLACES.iter().filter(|place| !worked(place)).collect();
        assert!(never.is_empty(), "no call works in {never:#?}");
    }
}
