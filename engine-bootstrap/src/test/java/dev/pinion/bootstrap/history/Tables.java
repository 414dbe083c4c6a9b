package dev.pinion.bootstrap.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Content of tables, as text. */
public final class Tables {
  private static final int PAGE_BYTES = 4_096;

  private Tables() {}

  /** Every row, without the times of reading journals. */
  public static List<String> all(HistoryDatabase database) throws SQLException {
    List<String> all = new ArrayList<>();
    all.addAll(rows(database, "SELECT * FROM instance ORDER BY id"));
    all.addAll(rows(database, "SELECT * FROM label ORDER BY id, name"));
    all.addAll(rows(database, "SELECT * FROM event ORDER BY id, sequence"));
    all.addAll(rows(database, "SELECT id, length(output) FROM result ORDER BY id"));
    all.addAll(rows(database, "SELECT id, length(error) FROM failure ORDER BY id"));
    all.addAll(rows(database, "SELECT id, name, position, durable FROM journal ORDER BY id"));
    return all;
  }

  /** Rewrites a file of SQLite, without deleted or moved content, and without a log. */
  static void compact(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("VACUUM");
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  /** Damages pages of a file of SQLite, by their numbers from 1. */
  static void overwrite(Path file, List<Integer> pages) throws IOException {
    byte[] damage = new byte[PAGE_BYTES];
    Arrays.fill(damage, (byte) 0x5a);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int page : pages) {
        channel.write(ByteBuffer.wrap(damage), (page - 1L) * PAGE_BYTES);
      }
    }
  }

  /** The pages of a file of SQLite that contain a text. */
  static List<Integer> pagesWith(Path file, String text) throws IOException {
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    List<Integer> pages = new ArrayList<>();
    for (int at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
      pages.add(at / PAGE_BYTES + 1);
    }
    return pages;
  }

  /** The rows of a query, values separated by a space. */
  public static List<String> rows(HistoryDatabase database, String sql) throws SQLException {
    return database.writer().read(open -> open.select(sql).map((row, _) -> text(row)).list());
  }

  private static String text(ResultSet row) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
      text.append(column == 1 ? "" : " ").append(row.getString(column));
    }
    return text.toString();
  }
}
