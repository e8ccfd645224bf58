// Three dqlite nodes in one process, with resq in their SQLite: the same answer asked for through each. run.sh starts it.
package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/canonical/go-dqlite/app"
)

// dqlite runs statements on the leader and replicates pages, so that functions in a write run once.
var writes = []string{
	`create table users (id integer primary key, name text, photo blob,
		photo_base64 text generated always as (resq_b64(photo)) virtual)`,
	`create index users_by_card on users(resq_object('id', id, 'name', name))`,
	`insert into users(id, name, photo)
		with recursive u(n) as (select 1 union all select n + 1 from u where n < 10000)
		select n, iif(n % 3, 'Ada ', 'Борис ') || n, randomblob(600) from u`,
	`create table reports as select resq_json('id', id, 'photo', photo) as document from users`,
}

var reads = []string{
	`select resq_query('select id, name, photo from users')`,
	`select document from reports`,
	`select resq_json(photo_base64) from users`,
	`select resq_object('id', id, 'name', name) from users
		where resq_object('id', id, 'name', name) = resq_object('id', 4320, 'name', 'Борис 4320')`,
	`select group_concat(piece, '') from resq_stream('select id, name from users')`,
	`select resq_json(w) from (select resq_json(id) over (order by id rows 2 preceding) as w from users)`,
}

func main() {
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(folder string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var nodes []*app.App
	for n := 1; n <= 3; n++ {
		own := filepath.Join(folder, fmt.Sprint(n))
		if err := os.MkdirAll(own, 0o755); err != nil {
			return err
		}
		options := []app.Option{app.WithAddress(fmt.Sprintf("127.0.0.1:%d", 9300+n))}
		if n > 1 {
			options = append(options, app.WithCluster([]string{"127.0.0.1:9301"}))
		}
		node, err := app.New(own, options...)
		if err != nil {
			return err
		}
		defer node.Close()
		if err := node.Ready(ctx); err != nil {
			return err
		}
		nodes = append(nodes, node)
	}

	var through []*sql.DB
	for _, node := range nodes {
		db, err := node.Open(ctx, "shop")
		if err != nil {
			return err
		}
		defer db.Close()
		through = append(through, db)
	}
	for _, statement := range writes {
		if _, err := through[2].ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	for _, statement := range reads {
		var first string
		for n, db := range through {
			var document string
			if err := db.QueryRowContext(ctx, statement).Scan(&document); err != nil {
				return fmt.Errorf("node %d: %s: %w", n+1, statement, err)
			}
			if len(document) < 20 || n > 0 && document != first {
				return fmt.Errorf("node %d: %s: another answer: %.100s", n+1, statement, document)
			}
			first = document
		}
		fmt.Printf("%9d bytes  %x  %.60s…\n", len(first), sha256.Sum256([]byte(first)), statement)
	}
	fmt.Printf("%d reads through 3 nodes, the same bytes\n", len(reads))
	return nil
}
