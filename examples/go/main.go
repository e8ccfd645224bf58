// mattn/go-sqlite3 on the system's SQLite: go run -tags libsqlite3 main.go
//
// The tag matters: with the SQLite that it brings, mattn loads extensions too, but is compiled for a minute first.
package main

import (
	"database/sql"
	"fmt"
	"os"

	"github.com/mattn/go-sqlite3"
)

const setup = `
	create table users (id integer primary key, name text, photo blob);
	insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null);
	create table orders (user integer, item text);
	insert into orders values (2, 'tea'), (2, 'cup')`

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	extension := os.Getenv("RESQ_EXTENSION")
	if extension == "" {
		extension = "./libresq"
	}
	// A driver whose connections all have resq.
	sql.Register("sqlite3_resq", &sqlite3.SQLiteDriver{Extensions: []string{extension}})
	db, err := sql.Open("sqlite3_resq", ":memory:")
	check(err)
	db.SetMaxOpenConns(1) // a database in memory belongs to its connection
	_, err = db.Exec(setup)
	check(err)

	show := func(query string, arguments ...any) {
		rows, err := db.Query(query, arguments...)
		check(err)
		defer rows.Close()
		for rows.Next() {
			var text string
			check(rows.Scan(&text))
			fmt.Print(text)
		}
		check(rows.Err())
	}
	line := func(query string, arguments ...any) { show("select value || char(10) from ("+query+")", arguments...) }
	line(`select 'SQLite ' || sqlite_version() as value`)
	line(`select resq_json('id', id, 'name', name, 'photo', photo) as value from users`)
	line(`select resq_json(name) over (order by id rows 1 preceding) as value from users`)
	line(`select resq_query('
		select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
		from users where id = ?', ?) as value`, 2)
	show(`select piece from resq_stream('select id, name from users order by id')`)
}
