package dev.pinion.handlers.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions, and failures that are those of the driver. */
class SqlDatabaseTest {
  private static final int CONSTRAINT = 19;

  @TempDir private Path folder;
  private SqlDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = new SqlDatabase(this::connect);
    database.transaction(open -> open.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY)"));
  }

  private Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
    connection.setAutoCommit(false);
    return connection;
  }

  private static int insert(Handle open, long id) {
    return open.execute("INSERT INTO thing (id) VALUES (?)", id);
  }

  private long count() throws SQLException {
    return database.read(open -> open.select("SELECT COUNT(*) FROM thing").mapTo(Long.class).one());
  }

  @Test
  void shouldCommitAllOrNothing() throws SQLException {
    database.transaction(open -> insert(open, 1) + insert(open, 2));
    assertEquals(2, count());

    assertThrows(
        SQLException.class, () -> database.transaction(open -> insert(open, 3) + insert(open, 2)));
    assertEquals(2, count());
  }

  @Test
  void shouldCommitNothingThatIsOnlyRead() throws SQLException {
    database.read(open -> insert(open, 1));
    assertEquals(0, count());
  }

  @Test
  void shouldFailAsTheDriverDoes() throws SQLException {
    database.transaction(open -> insert(open, 1));

    SQLException refused =
        assertThrows(SQLException.class, () -> database.transaction(open -> insert(open, 1)));
    assertEquals(CONSTRAINT, refused.getErrorCode() & 0xff);
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("[SQLITE_CONSTRAINT"), message);
  }

  @Test
  void shouldFailAsTheConnectionDoes() {
    SQLException away = new SQLException("away");
    SqlDatabase other =
        new SqlDatabase(
            () -> {
              throw away;
            });
    assertSame(away, assertThrows(SQLException.class, other::open));
    assertSame(away, assertThrows(SQLException.class, () -> other.read(open -> 1)));
  }
}
