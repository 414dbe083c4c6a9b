package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.publish.Subscription;
import dev.pinion.bootstrap.publish.SubscriptionFolder;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Puts what handlers tell into the outbox from which subscribers are sent events, beside what the
 * history puts there. For use by any thread; one at a time writes.
 */
public final class NoticeOutbox implements AutoCloseable {
  private final HistoryDatabase database;
  private final PayloadCodec codec;
  private final Outbox outbox;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection connection; // guarded by the lock

  /**
   * An outbox; nothing is opened yet.
   *
   * @param folder the subscriptions of the engine
   */
  public NoticeOutbox(
      HistoryDatabase database, SubscriptionFolder folder, PayloadCodec codec, Clock clock) {
    this.database = database;
    this.codec = codec;
    this.outbox = new Outbox(folder, clock);
  }

  /**
   * Puts an event there if anybody wants it; what has the same id is put there once. Returns when
   * that is committed.
   *
   * @param id names it
   * @param namespace of a definition; empty for none
   * @param definition its name; empty for none
   * @param event a CloudEvent
   * @throws IOException when it is not there for sure; such as before the history has made its
   *     tables
   */
  public void put(UUID id, String namespace, String definition, Payload event) throws IOException {
    lock.lock();
    try {
      Connection open = connection();
      outbox.look(open);
      if (isWanted(namespace, definition)) {
        insert(open, id, namespace, definition, event);
      }
      open.commit();
      outbox.looked();
    } catch (SQLException e) {
      disconnect();
      throw new IOException(
          "expected room in the outbox of the history, found: " + e.getMessage(), e);
    } finally {
      lock.unlock();
    }
  }

  private boolean isWanted(String namespace, String definition) {
    for (Subscription each : outbox.subscriptions()) {
      if (each.wants(HistoryEvent.Kind.NOTICE, namespace, definition)) {
        return true;
      }
    }
    return false;
  }

  private void insert(Connection open, UUID id, String namespace, String definition, Payload event)
      throws SQLException {
    if (!database.isEmbedded()) {
      // Positions must appear in their order; SQLite has one writer at a time anyway.
      try (Statement statement = open.createStatement()) {
        statement.execute("LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE");
      }
    }
    try (PreparedStatement insert =
        open.prepareStatement(
            "INSERT INTO outbox (id, sequence, kind, namespace, name, event)"
                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id, sequence) DO NOTHING")) {
      insert.setLong(1, id.getMostSignificantBits());
      insert.setLong(2, id.getLeastSignificantBits());
      insert.setString(3, HistoryEvent.Kind.NOTICE.name());
      insert.setString(4, namespace);
      insert.setString(5, definition);
      insert.setString(
          6, Text.storable(new String(codec.toExactBytes(event), StandardCharsets.UTF_8)));
      insert.executeUpdate();
    }
  }

  private Connection connection() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = database.writer();
      connection = open;
    }
    return open;
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // it failed before, which is told
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      disconnect();
    } finally {
      lock.unlock();
    }
  }
}
