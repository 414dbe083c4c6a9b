package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 4: a long error is that of the last failure, however the instance continued. */
class LongValuesTest {
  private static final EngineLimits LIMITS =
      EngineLimits.defaults().with(Map.of("history.maxValueChars", 300));
  private static final InstanceId ID = new InstanceId(77L << 20);
  private static final DefinitionKey DEFINITION = new DefinitionKey("test", "faults", "1.0.0");
  private static final String LONG = "l".repeat(1_000);

  @TempDir private Path data;
  private HistoryDatabase database;
  private HistoryWriter writer;
  private HistoryReader reader;

  @BeforeEach
  void open() {
    DatabaseTarget target =
        Objects.requireNonNull(DatabaseTarget.of(DatabaseTarget.SQLITE, data, "", ""));
    database = new HistoryDatabase(target, LIMITS.history());
    SubscriptionStore folder =
        new SubscriptionStore(data, LIMITS, SinkPolicy.DEFAULT, Clock.system());
    writer =
        new HistoryWriter(
            database,
            new PayloadCodec(LIMITS.json()),
            LIMITS,
            new Outbox(folder, Clock.system()),
            null);
    reader = new HistoryReader(database, LIMITS);
  }

  @AfterEach
  void close() {
    reader.close();
    writer.close();
  }

  private static HistoryChange happened(
      long sequence, EventKind eventKind, @Nullable Payload output, @Nullable String detail) {
    WorkflowError error =
        detail == null ? null : new WorkflowError("https://example.com/e", 400, null, detail, null);
    return new HistoryChange.EventRecorded(
        new HistoryEvent(
            ID,
            sequence,
            eventKind,
            sequence,
            DEFINITION,
            null,
            1,
            null,
            output,
            error,
            null,
            Tags.NONE));
  }

  private static HistoryChange started() {
    return happened(1, EventKind.INSTANCE_STARTED, null, null);
  }

  private static HistoryChange faulted(long sequence, String detail) {
    return happened(sequence, EventKind.INSTANCE_FAULTED, null, detail);
  }

  private static HistoryChange retried(long sequence) {
    return happened(sequence, EventKind.INSTANCE_RETRIED, null, null);
  }

  private void write(HistoryChange... changes) throws SQLException {
    writer.write(List.of(changes), null);
  }

  private @Nullable String detail() throws Exception {
    InstanceView view = reader.ended(ID);
    WorkflowError error = view == null ? null : view.error();
    return error == null ? null : error.detail();
  }

  @Test
  void shouldHoldTheErrorOfTheLastFailure() throws Exception {
    write(started(), faulted(2, LONG));
    assertEquals(LONG, detail());
    write(retried(3), faulted(4, "short"));
    assertEquals("short", detail());
    write(faulted(2, LONG), retried(3)); // again, as after a crash
    assertEquals("short", detail());
    write(retried(5), faulted(6, LONG + "!"));
    assertEquals(LONG + "!", detail());
    write(retried(7), happened(8, EventKind.INSTANCE_COMPLETED, Payload.of(1), null));
    assertEquals(null, detail());
  }

  @Test
  void shouldTakeBackTheErrorOfAFailureThatWasNone() throws Exception {
    write(started(), faulted(2, LONG));
    write(new HistoryChange.InstanceRetracted(ID, 2));
    assertEquals(null, detail());
    write(faulted(2, "short"));
    assertEquals("short", detail());
    write(new HistoryChange.InstanceRetracted(ID, 3), faulted(2, "short"));
    assertEquals("short", detail(), "nothing of it was taken back");
  }

  @Test
  void shouldDeleteThemWithTheirInstance() throws Exception {
    write(started(), faulted(2, LONG));
    assertEquals(1, rows().size());
    writer.sweep(Long.MAX_VALUE);
    assertEquals(List.of(), rows());
  }

  @Test
  void shouldHoldTheErrorOfAnInstanceKnownFromASnapshot() throws Exception {
    InstanceView view =
        new InstanceView(
            ID,
            DEFINITION,
            InstanceState.FAULTED,
            1,
            2,
            2,
            null,
            new WorkflowError("https://example.com/e", 400, null, LONG, null),
            Tags.NONE);
    write(new HistoryChange.InstanceRestored(view, 2, true));
    assertEquals(LONG, detail());
  }

  private List<String> rows() throws SQLException {
    List<String> all = new ArrayList<>(Tables.rows(database, "SELECT id FROM failure"));
    all.addAll(Tables.rows(database, "SELECT id FROM result"));
    return all;
  }
}
