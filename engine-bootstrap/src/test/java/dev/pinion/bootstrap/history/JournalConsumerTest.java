package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.recovery.JournalFollower;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal that contradicts itself, and one that cannot be read at times. */
class JournalConsumerTest {
  private static final long STARTED = 1_700_000_000_000L;
  private static final int PARTITION = 3;
  private static final DefinitionKey NAPS = new DefinitionKey("test", "naps", "1.0.0");
  private static final EngineLimits LIMITS =
      EngineLimits.defaults().with(Map.of("history.batchRecords", 1));

  private final InstanceId id = InstanceId.next(STARTED, PARTITION, null);
  private final PayloadCodec codec = new PayloadCodec(LIMITS.json());
  private final DefinitionRegistry registry =
      new DefinitionRegistry(LIMITS, new InMemoryDefinitionStore());
  @TempDir private Path data;
  private boolean broken;

  /** A started instance whose second record contradicts the first. */
  private void write(Storage storage) throws IOException {
    long fingerprint = Objects.requireNonNull(registry.graph(NAPS)).fingerprint();
    Event start =
        new Event.Started(NAPS, PARTITION, Payload.of("in"), null, Tags.NONE, fingerprint);
    try (RecordLog log = RecordLog.open(storage, LogSettings.of(ReplicaGroup.PARTITIONS, "test"))) {
      append(log, new JournalRecord(id, 0, 1, STARTED, 0, start));
      append(log, new JournalRecord(id, 5, 2, STARTED, 0, new Event.Cancelled(id)));
      log.force();
    }
  }

  private void append(RecordLog log, JournalRecord record) throws IOException {
    RecordCodec.Encoded encoded = new RecordCodec(codec).encode(record);
    log.append(PARTITION, 1, encoded.kind(), encoded.payload());
  }

  /** Storage whose segments are unreadable while it is broken. */
  private Storage breaking(Storage storage) {
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              boolean opens = method.getName().equals("openToRead");
              if (broken && opens && String.valueOf(arguments[0]).endsWith(".segment")) {
                throw new IOException("the disk does not answer");
              }
              try {
                return method.invoke(storage, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  private JournalFollower.FollowerSettings source(Storage storage) {
    return new JournalFollower.FollowerSettings(
        breaking(storage),
        LIMITS,
        registry,
        codec,
        Clock.system(),
        JournalFollower.heap(LIMITS),
        data.resolve("cold-0"));
  }

  private static void passes(JournalConsumer log) throws SQLException, IOException {
    for (int i = 0; i < 10; i++) {
      int _ = log.consume();
    }
  }

  /** Field fault 21: wrong changes are retracted, even when the second reading fails at first. */
  @Test
  void shouldNotForgetACorrectionWhenTheJournalCannotBeReadMeanwhile() throws Exception {
    Storage storage =
        FileStorage.create(Files.createDirectory(data.resolve("journal")).resolve("0"));
    byte[] yaml = WorkedEngine.NAPS.getBytes(StandardCharsets.UTF_8);
    var _ = registry.deploy(yaml, "application/yaml", null, false);
    write(storage);
    DatabaseTarget target =
        Objects.requireNonNull(DatabaseTarget.of(DatabaseTarget.SQLITE, data, "", ""));
    HistoryDatabase database = new HistoryDatabase(target, LIMITS.history());
    SubscriptionStore folder =
        new SubscriptionStore(data, LIMITS, SinkPolicy.DEFAULT, Clock.system());
    try (HistoryWriter writer =
            new HistoryWriter(database, codec, LIMITS, new Outbox(folder, Clock.system()), null);
        JournalConsumer log =
            new JournalConsumer(
                "0",
                data.resolve("history"),
                source(storage),
                writer,
                LIMITS.history(),
                () -> {},
                false)) {
      for (int time = 1; time <= 2; time++) {
        assertThrows(JournalFollower.JournalContradictionException.class, () -> passes(log));
        broken = true;
        assertThrows(IOException.class, log::consume);
        broken = false;
      }
      passes(log);
    }
    assertEquals(
        List.of("UNKNOWN"), Tables.rows(database, "SELECT state FROM instance"), "given up");
    assertEquals(
        List.of("GAP " + id.value()),
        Tables.rows(database, "SELECT kind, id FROM event WHERE kind = 'GAP'"));
  }
}
