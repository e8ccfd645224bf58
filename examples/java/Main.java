// sqlite-jdbc: java -cp sqlite-jdbc.jar Main.java
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

public class Main {
    static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    static void show(Connection db, String sql, String end, Object... parameters) throws SQLException {
        try (PreparedStatement statement = db.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) statement.setObject(i + 1, parameters[i]);
            ResultSet rows = statement.executeQuery();
            while (rows.next()) OUT.print(rows.getString(1) + end);
        }
    }

    public static void main(String[] arguments) throws SQLException {
        String extension = System.getenv().getOrDefault("RESQ_EXTENSION", "./libresq");
        SQLiteConfig config = new SQLiteConfig();
        config.enableLoadExtension(true);
        try (Connection db = DriverManager.getConnection("jdbc:sqlite::memory:", config.toProperties());
                Statement statement = db.createStatement()) {
            try (PreparedStatement load = db.prepareStatement("select load_extension(?)")) {
                load.setString(1, extension);
                load.execute();
            }
            statement.executeUpdate("create table users (id integer primary key, name text, photo blob)");
            statement.executeUpdate("insert into users values (1, 'Ada', x'00ff10'), (2, 'Борис', null)");
            statement.executeUpdate("create table orders (user integer, item text)");
            statement.executeUpdate("insert into orders values (2, 'tea'), (2, 'cup')");

            show(db, "select 'SQLite ' || sqlite_version()", "\n");
            show(db, "select resq_json('id', id, 'name', name, 'photo', photo) from users", "\n");
            show(db, "select resq_json(name) over (order by id rows 1 preceding) from users", "\n");
            show(db, """
                select resq_query('
                  select id, name, resq_query(''select item from orders where user = ?'', id) as "orders:json"
                  from users where id = ?', ?)""", "\n", 2);
            show(db, "select piece from resq_stream('select id, name from users order by id')", "");
        }
    }
}
