package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of handlers before the tables of the history exist. */
class NoticeOutboxTest {
  private static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final UUID ID = new UUID(1, 2);

  @TempDir private Path data;
  private final Hands clock = new Hands();

  /** A clock set by hand. */
  private static final class Hands implements Clock {
    private long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return 1_700_000_000_000L + TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public String scale() {
      return "hands";
    }
  }

  private HistoryDatabase database() {
    DatabaseTarget target =
        Objects.requireNonNull(DatabaseTarget.of(DatabaseTarget.SQLITE, data, "", ""));
    return new HistoryDatabase(target, LIMITS.history());
  }

  private NoticeOutbox outbox(LongConsumer pause) {
    SubscriptionStore folder = new SubscriptionStore(data, LIMITS, SinkPolicy.DEFAULT, clock);
    return new NoticeOutbox(database(), folder, new PayloadCodec(LIMITS.json()), clock, pause);
  }

  private void subscribe() throws Exception {
    byte[] wish =
        "{\"sink\":\"http://127.0.0.1:9/\",\"types\":[\"dev.pinion.notice\"]}"
            .getBytes(StandardCharsets.UTF_8);
    var _ =
        new SubscriptionStore(data, LIMITS, SinkPolicy.DEFAULT, clock)
            .create(new PayloadCodec(LIMITS.json()).read(wish, 0, wish.length));
  }

  private void makeTables() {
    try {
      database().migrate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldKeepWhatComesBeforeTheTables() throws Exception {
    subscribe();
    int[] pauses = {0};
    LongConsumer pause =
        nanos -> {
          clock.nanos += nanos;
          if (++pauses[0] == 3) {
            makeTables();
          }
        };
    try (NoticeOutbox outbox = outbox(pause)) {
      outbox.append(ID, "shop", "order", Payload.of("told"));
      outbox.append(ID, "shop", "order", Payload.of("told"));
    }
    assertEquals(3, pauses[0], "tables that were seen are not looked for again");
    assertEquals(
        List.of("shop order \"told\""),
        Tables.rows(database(), "SELECT namespace, name, event FROM outbox"));
  }

  @Test
  void shouldFailWhenNoTablesComeInTime() throws Exception {
    try (NoticeOutbox outbox = outbox(nanos -> clock.nanos += nanos)) {
      String said =
          String.valueOf(
              assertThrows(IOException.class, () -> outbox.append(ID, "", "", Payload.NULL))
                  .getMessage());
      assertTrue(said.startsWith("expected the tables of the history in "), said);
      assertEquals(TimeUnit.MILLISECONDS.toNanos(NoticeOutbox.PATIENCE_MILLIS), clock.nanos);

      clock.nanos = TimeUnit.MILLISECONDS.toNanos(NoticeOutbox.START_MILLIS) - 1;
      assertThrows(IOException.class, () -> outbox.append(ID, "", "", Payload.NULL));
      long end = TimeUnit.MILLISECONDS.toNanos(NoticeOutbox.START_MILLIS);
      assertEquals(end, clock.nanos, "waits for what is left");
      assertThrows(IOException.class, () -> outbox.append(ID, "", "", Payload.NULL));
      assertEquals(end, clock.nanos, "waits no more");
    }
  }

  @Test
  void shouldNotWaitWhenInterrupted() throws Exception {
    try (NoticeOutbox outbox = outbox(nanos -> clock.nanos += nanos)) {
      Thread.currentThread().interrupt();
      assertThrows(IOException.class, () -> outbox.append(ID, "", "", Payload.NULL));
      assertTrue(Thread.interrupted(), "who interrupted it is heard");
      assertEquals(0, clock.nanos);
    }
  }
}
