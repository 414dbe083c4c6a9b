package dev.pinion.bootstrap.history;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What tables hold, as text. */
final class Tables {
  private Tables() {}

  /** Every row, but for when a journal was looked at. */
  static List<String> all(HistoryDatabase database) throws SQLException {
    List<String> all = new ArrayList<>();
    all.addAll(rows(database, "SELECT * FROM instance ORDER BY id"));
    all.addAll(rows(database, "SELECT * FROM label ORDER BY id, name"));
    all.addAll(rows(database, "SELECT * FROM event ORDER BY id, sequence"));
    all.addAll(rows(database, "SELECT id, name, position, durable FROM journal ORDER BY id"));
    return all;
  }

  /** The rows of a query, values with a space between. */
  static List<String> rows(HistoryDatabase database, String sql) throws SQLException {
    List<String> all = new ArrayList<>();
    try (Connection connection = database.writer();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder text = new StringBuilder();
        for (int column = 1; column <= columns; column++) {
          text.append(column == 1 ? "" : " ").append(rows.getString(column));
        }
        all.add(text.toString());
      }
      connection.rollback();
    }
    return all;
  }
}
