package dev.pinion.bootstrap.events;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.EventTable;
import dev.pinion.handlers.api.EventTables;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows that result from events: any thread reads them, one at a time updates them. Rows are
 * bytes in memory, as far as there is space; the others are read from disk. All are read again when
 * it is unknown which ones were deleted.
 */
final class EventTableView implements EventTable {
  private static final Logger LOG = LoggerFactory.getLogger(EventTableView.class);

  /** Heap bytes of a row besides the characters of its subject and its data. */
  private static final int BYTES_OF_ROW = 128;

  private final EventTables.Source source;
  private final List<String> types;
  private final PayloadCodec codec;
  private final StoredRows disk;
  private final Consumer<EventTableView> onClose;
  private volatile Rows rows = new Rows(new ConcurrentHashMap<>(), false);

  // of the updating thread
  private long position;
  private long room;
  private long held;
  private boolean spilled;

  private volatile boolean unreadable;

  /**
   * Rows in memory. Before a row leaves it for the disk, an incomplete one replaces a complete one.
   */
  private static final class Rows {
    private final Map<String, byte[]> bySubject;

    /** Whether there are no rows on disk only. */
    private final boolean complete;

    Rows(Map<String, byte[]> bySubject, boolean complete) {
      this.bySubject = bySubject;
      this.complete = complete;
    }
  }

  /**
   * A table without rows.
   *
   * @param disk source of rows that are not in memory
   * @param onClose called when the view is no longer used
   */
  EventTableView(
      EventTables.Source source,
      PayloadCodec codec,
      StoredRows disk,
      Consumer<EventTableView> onClose) {
    String removedBy = source.removedBy();
    this.source = source;
    this.types = removedBy == null ? List.of(source.type()) : List.of(source.type(), removedBy);
    this.codec = codec;
    this.disk = disk;
    this.onClose = onClose;
  }

  /**
   * Applies the events stored since the last call.
   *
   * @param most most heap bytes of rows from now on; present ones stay
   */
  void update(EventStore store, long most) throws SQLException {
    room = most;
    long told = position == 0 ? -1 : load(store, position);
    if (told < 0) {
      rows = new Rows(new ConcurrentHashMap<>(), false); // reads go to the disk meanwhile
      held = 0;
      spilled = false;
      told = load(store, 0);
      rows = new Rows(rows.bySubject, !spilled);
    }
    position = told;
  }

  private long load(EventStore store, long after) throws SQLException {
    return store.read(
        source.namespace(),
        types,
        after,
        (type, subject, data) -> {
          if (data == null || !type.equals(source.type())) {
            remove(subject);
          } else {
            put(subject, data);
          }
        });
  }

  private void put(String subject, byte[] data) {
    byte[] before = rows.bySubject.get(subject);
    long more = cost(subject, data) - (before == null ? 0 : cost(subject, before));
    if (held + more <= room) {
      rows.bySubject.put(subject, data);
      held += more;
    } else {
      spilled = true;
      if (rows.complete) {
        rows = new Rows(rows.bySubject, false);
      }
      remove(subject);
    }
  }

  private void remove(String subject) {
    byte[] before = rows.bySubject.remove(subject);
    held -= before == null ? 0 : cost(subject, before);
  }

  private static long cost(String subject, byte[] data) {
    return BYTES_OF_ROW + 2L * subject.length() + data.length;
  }

  /** Types of the events that it is made of. */
  List<String> types() {
    return types;
  }

  /** Approximate heap bytes of the rows. For the updating thread. */
  long heldBytes() {
    return held;
  }

  @Override
  public @Nullable Payload row(String subject) {
    Rows now = rows;
    byte[] data = now.bySubject.get(Objects.requireNonNull(subject));
    if (data == null && (!now.complete || rows != now)) {
      data = disk.row(source, subject);
    }
    return data == null ? null : read(subject, data);
  }

  private @Nullable Payload read(String subject, byte[] data) {
    try {
      return codec.readBounded(data, 0, data.length);
    } catch (PayloadSyntaxException e) {
      // Limits of JSON may be smaller now than when the event was accepted.
      if (!unreadable) {
        unreadable = true;
        LOG.error(
            "the row of {} of type {} in namespace {} is left out, and maybe others: {}",
            subject,
            source.type(),
            source.namespace(),
            e.getMessage());
      }
      return null;
    }
  }

  @Override
  public int size() {
    Rows now = rows;
    return now.complete ? now.bySubject.size() : disk.count(source);
  }

  /** Rows in memory. */
  int held() {
    return rows.bySubject.size();
  }

  @Override
  public void close() {
    onClose.accept(this);
  }
}
