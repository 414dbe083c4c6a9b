package dev.pinion.core.model;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Detection of failures for lack of disk space: the JDK and SQLite report it only in the message.
 */
public final class DiskFullDetector {
  /** Sentence for clients. */
  public static final String DETAIL =
      "there is no room on the disk of the data folder or of its database; instances under way go"
          + " on; repeat the request when there is room";

  /** SQL state of PostgreSQL, whose messages are in the language of its server. */
  private static final String DISK_FULL = "53100";

  private static final int MOST_CAUSES = 16;

  private DiskFullDetector() {}

  /** Whether a failure or one of its causes is a full disk or an exhausted quota. */
  public static boolean isDiskFull(@Nullable Throwable failure) {
    Throwable each = failure;
    for (int i = 0; i < MOST_CAUSES && each != null; i++) {
      String message = String.valueOf(each.getMessage());
      if ((each instanceof SQLException sql && DISK_FULL.equals(sql.getSQLState()))
          || message.contains("No space left on device")
          || message.contains("quota exceeded")
          || message.contains("SQLITE_FULL")) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }
}
