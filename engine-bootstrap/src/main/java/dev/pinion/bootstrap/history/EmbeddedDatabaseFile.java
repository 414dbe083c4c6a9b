package dev.pinion.bootstrap.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of an embedded database, with its damage, removal and locks. Result codes are those of
 * SQLite (sqlite.org/rescode.html). For any thread.
 */
final class EmbeddedDatabaseFile {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabaseFile.class);
  private static final int PRIMARY_CODE = 0xff;
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int NOT_A_DATABASE = 26;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private EmbeddedDatabaseFile() {}

  /** Result code of a failure, or 0 if there is none. */
  static int code(Throwable failure) {
    int code = 0;
    for (Throwable each = failure; each != null && code == 0; each = each.getCause()) {
      code = each instanceof SQLException e ? e.getErrorCode() & PRIMARY_CODE : 0;
    }
    return code;
  }

  /** Whether a failure means that the content of the file is no database, or not a whole one. */
  static boolean isDamage(Throwable failure) {
    int code = code(failure);
    return code == CORRUPT || code == NOT_A_DATABASE;
  }

  /** Whether a failure means that there is no room for the data to be written. */
  static boolean isFull(Throwable failure) {
    return code(failure) == FULL;
  }

  /**
   * Leaves a notice of damage beside a file, for the process that owns it. For any process.
   *
   * @param identity identity of the file that was read
   */
  static void leaveNotice(Path file, Object identity) {
    try {
      Files.writeString(notice(file), identity.toString());
    } catch (IOException e) {
      LOG.warn("the damage of {} cannot be reported: {}", file, e.toString());
    }
  }

  /** Whether a process has reported damage of the present file. */
  static boolean hasNotice(Path file) {
    Path notice = notice(file);
    if (!Files.exists(notice)) {
      return false;
    }
    try {
      return Files.readString(notice).equals(String.valueOf(identity(file)));
    } catch (IOException e) {
      LOG.debug("a notice of damage that cannot be read", e);
      return false;
    }
  }

  /** Removes the notice of damage: a process that still finds damage leaves it again. */
  static void removeNotice(Path file) throws IOException {
    Files.deleteIfExists(notice(file));
  }

  private static Path notice(Path file) {
    return file.resolveSibling(file.getFileName() + "-found-damaged");
  }

  /** A failure for a damaged database. */
  static SQLException damage(String what) {
    return new SQLException(what, "", CORRUPT);
  }

  /** Advice on a failure that lasts until somebody acts. */
  static String advice(Throwable failure, Path file) {
    return switch (code(failure)) {
      case BUSY, LOCKED -> "close other users of " + file + ", such as sqlite3 or a backup";
      case FULL -> "free space on the disk of " + file;
      default -> "see whether " + file + " can be read and written";
    };
  }

  /**
   * Identity that distinguishes a file from another one with the same name; null if there is none.
   */
  static @Nullable Object identity(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Renames a file and its companions, so that a new one can be created.
   *
   * @return its new name
   */
  static Path quarantine(Path file, Instant now) throws IOException {
    String name = file.getFileName() + ".damaged-" + TIME.format(now);
    Path aside = file.resolveSibling(name);
    for (int i = 2; Files.exists(aside); i++) {
      aside = file.resolveSibling(name + "-" + i);
    }
    for (String suffix : List.of("", "-wal", "-shm")) {
      Path each = file.resolveSibling(file.getFileName() + suffix);
      if (Files.exists(each)) {
        Files.move(each, aside.resolveSibling(aside.getFileName() + suffix));
      }
    }
    return aside;
  }
}
