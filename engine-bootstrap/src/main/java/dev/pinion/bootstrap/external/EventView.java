package dev.pinion.bootstrap.external;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.PayloadSyntaxException;
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
 * The rows that events leave: any thread looks into them, one at a time brings them up to date.
 * They are told anew into another map when it is not known what is gone.
 */
final class EventView implements EventTable {
  private static final Logger LOG = LoggerFactory.getLogger(EventView.class);

  private final EventTables.Source source;
  private final List<String> types;
  private final PayloadCodec codec;
  private final Consumer<EventView> onClose;
  private volatile Map<String, Payload> rows = new ConcurrentHashMap<>();
  private long position;

  /**
   * A table without rows.
   *
   * @param onClose hears that it is used no longer
   */
  EventView(EventTables.Source source, PayloadCodec codec, Consumer<EventView> onClose) {
    String removedBy = source.removedBy();
    this.source = source;
    this.types = removedBy == null ? List.of(source.type()) : List.of(source.type(), removedBy);
    this.codec = codec;
    this.onClose = onClose;
  }

  /** Applies what the store has kept since the last call. */
  void update(EventStore store) throws SQLException {
    long told = tell(store, rows, position);
    if (told < 0) {
      Map<String, Payload> anew = new ConcurrentHashMap<>();
      told = tell(store, anew, 0);
      rows = anew;
    }
    position = told;
  }

  private long tell(EventStore store, Map<String, Payload> into, long after) throws SQLException {
    return store.tell(
        source.namespace(),
        types,
        after,
        (type, subject, data) -> {
          if (data == null || !type.equals(source.type())) {
            into.remove(subject);
          } else {
            put(into, subject, data);
          }
        });
  }

  private void put(Map<String, Payload> into, String subject, byte[] data) {
    try {
      into.put(subject, codec.read(data, 0, data.length));
    } catch (PayloadSyntaxException e) {
      // Limits of JSON may have become smaller since it was taken.
      into.remove(subject);
      LOG.error(
          "the row of {} of type {} in namespace {} is left out: {}",
          subject,
          source.type(),
          source.namespace(),
          e.getMessage());
    }
  }

  @Override
  public @Nullable Payload row(String subject) {
    return rows.get(Objects.requireNonNull(subject));
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public void close() {
    onClose.accept(this);
  }
}
