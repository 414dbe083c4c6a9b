package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of a replica, polled by hand. */
class BindingTableFileTest {
  private static final String TABLE =
      """
      {"schema": "broker-table/1", "version": VERSION, "defaultClass": "std",
       "services": [{"id": "a", "serves": ["flights"], "endpoint": "http://a", "idempotent": true,
                     "r": 1, "d": 1, "c": 0, "mapping": {"answer": "MAPPING"}}],
       "bindings": {"std": {"flights": [{"pattern": "single", "services": ["a"], "fraction": 1}]}}}
      """;

  @TempDir private Path data;
  private BindingTableFile table;
  private Path file;

  @BeforeEach
  void make() {
    file = new BrokerFolder(data).table();
    table =
        new BindingTableFile(
            new BrokerFolder(data), 0, EngineLimits.defaults(), BindingRules.OPEN, "");
  }

  private void publish(int version, String mapping) throws IOException {
    write(version, mapping);
    table.poll();
  }

  private void write(int version, String mapping) throws IOException {
    String text = TABLE.replace("VERSION", Integer.toString(version)).replace("MAPPING", mapping);
    try (BrokerFolder.WriteLock _ = new BrokerFolder(data).lock()) {
      BrokerFolder.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void shouldTellWhatIsServedByTheRegistryAndTheTable() throws IOException {
    assertEquals(List.of(), List.copyOf(table.served()));
    BrokerFolder folder = new BrokerFolder(data);
    String service =
        """
        {"id": "%s", "serves": ["%s"], "endpoint": "http://a", "idempotent": true,
         "r": 1, "d": 1, "c": 0%s}""";
    String registry =
        "{\"schema\": \"broker-registry/1\", \"version\": 1, \"services\": ["
            + service.formatted("b", "hotels", "")
            + ","
            + service.formatted("c", "gone", ", \"until\": \"2020-01-01T00:00:00Z\"")
            + "]}";
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      BrokerFolder.write(folder.registry(), registry.getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(List.of("hotels"), List.copyOf(table.served()), "before there is a plan");
    publish(1, ".");
    assertEquals(List.of("flights", "hotels"), List.copyOf(table.served()));
    Files.writeString(folder.registry(), "garbage");
    assertEquals(List.of("flights"), List.copyOf(table.served()));
  }

  @Test
  void shouldBindNothingWithoutATable() {
    table.poll();

    assertEquals(0, table.current().version());
    assertNull(table.current().service(null, "flights"));
  }

  @Test
  void shouldTakeUpATable() throws IOException {
    publish(3, ".x");

    assertEquals(3, table.current().version());
    BoundService flights = Objects.requireNonNull(table.current().service(null, "flights"));
    Expression<Payload> answer = Objects.requireNonNull(flights.next().first().mapping().answer());
    assertEquals(Payload.NULL, answer.evaluate(Payload.NULL, Scope.EMPTY, new Budget(1_000)));
  }

  @Test
  void shouldTakeUpNewerTablesOnly() throws IOException {
    publish(3, ".x");
    publish(2, ".x");
    assertEquals(3, table.current().version());
    publish(4, ".x");
    assertEquals(4, table.current().version());
  }

  @Test
  void shouldKeepTheTableWhenAnotherCannotBeUsed() throws IOException {
    publish(3, ".x");
    publish(4, "no_such_function");
    assertEquals(3, table.current().version());

    publish(5, ".x");
    byte[] damaged = Files.readAllBytes(file);
    damaged[20] ^= 1;
    Files.write(file, damaged);
    table.poll();
    assertEquals(5, table.current().version());
    Files.delete(file);
    table.poll();
    assertEquals(5, table.current().version());
    assertNotNull(table.current().service("unknown", "flights"));
  }

  @Test
  void shouldReadAgainWhatCouldNotBeRead() throws IOException {
    publish(3, ".x");
    write(4, ".x");
    byte[] whole = Files.readAllBytes(file);
    byte[] damaged = whole.clone();
    damaged[20] ^= 1;
    FileTime time = Files.getLastModifiedTime(file);
    Files.write(file, damaged);
    Files.setLastModifiedTime(file, time);
    table.poll();
    assertEquals(3, table.current().version());

    Files.write(file, whole);
    Files.setLastModifiedTime(file, time);
    table.poll();
    assertEquals(4, table.current().version(), "though the file looks as before");
  }

  /** Time advances by eighths of the polling interval; replicas poll at eight different times. */
  @Test
  void shouldReachEveryReplicaWithinASecond() throws IOException {
    int phases = 8;
    long step = BindingTableFile.POLL_INTERVAL.toMillis() / phases;
    List<BindingTableFile> replicas =
        IntStream.range(0, phases)
            .mapToObj(
                each ->
                    new BindingTableFile(
                        new BrokerFolder(data),
                        each,
                        EngineLimits.defaults(),
                        BindingRules.OPEN,
                        ""))
            .toList();
    int now = 0;
    for (int version = 1; version <= 2 * phases; version++) {
      write(version, ".x");
      int published = now;
      int latest = version;
      while (replicas.stream().anyMatch(each -> each.current().version() < latest)) {
        replicas.get(now % phases).poll();
        now++;
        long millis = (now - published) * step;
        assertTrue(millis <= 1_000, () -> "version " + latest + " after " + millis + " ms");
      }
      now++; // the next one is published at another phase
    }
  }
}
