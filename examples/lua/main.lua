-- LuaSQL has no call that loads an extension: run it with the library of examples/php-pdo/preload.c.
local db = require("luasql.sqlite3").sqlite3():connect(":memory:")
for _, sql in ipairs {
    "create table users (id integer primary key, name text, photo blob)",
    "insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null)",
    "create table orders (user integer, item text)",
    "insert into orders values (2, 'tea'), (2, 'cup')",
} do assert(db:execute(sql)) end

local function show(sql, ending)
    local rows = assert(db:execute(sql))
    local row = rows:fetch({}, "n")
    while row do
        io.write(row[1], ending)
        row = rows:fetch(row, "n")
    end
    rows:close()
end
show("select 'SQLite ' || sqlite_version()", "\n")
show("select resq_json('id', id, 'name', name, 'photo', photo) from users", "\n")
show("select resq_json(name) over (order by id rows 1 preceding) from users", "\n")
-- LuaSQL binds no parameters: a column is one.
show([[select resq_query('
    select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
    from users where id = ?', id) from users where name = 'Борис']], "\n")
show("select piece from resq_stream('select id, name from users order by id')", "")
