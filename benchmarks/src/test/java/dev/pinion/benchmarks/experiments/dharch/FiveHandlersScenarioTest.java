package dev.pinion.benchmarks.experiments.dharch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.run.SerialRun;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** The handlers of the experiments work as documented, in any arrangement. */
class FiveHandlersScenarioTest {
  private static final int PLAIN = 10_000;
  private static final int FIELDS = 7;
  private static final EngineLimits LIMITS = EngineLimits.defaults();

  private final FiveHandlersScenario handlers =
      new FiveHandlersScenario(
          PLAIN,
          FIELDS,
          Map.of(
              StoreWorkFactory.NAME,
              9_000,
              MonitorWorkFactory.NAME,
              2_000,
              LogWorkFactory.NAME,
              130));

  private static String found(String document, byte[] body) throws Exception {
    HandlerKinds kinds = HandlerKinds.installed(FiveHandlersScenarioTest.class.getClassLoader());
    List<ConfiguredChain> chains = new ChainReader(kinds, LIMITS, null).read(document);
    Message message =
        Message.of(new MessageId(1, 2), Point.REQUEST_IN, Map.of(), Body.of(body, "application/x"));
    try {
      String found =
          "" + ChainServer.found(SerialRun.run(chains.getFirst().plan(), message, LIMITS));
      String again =
          "" + ChainServer.found(SerialRun.run(chains.getFirst().plan(), message, LIMITS));
      assertEquals(found, again, "an experiment takes any other answer for a mistake");
      return found;
    } finally {
      chains.getFirst().plan().steps().forEach(step -> step.handler().close());
    }
  }

  @Test
  void shouldInflateUnsealStoreMonitorAndLog() throws Exception {
    CRC32 checksum = new CRC32();
    checksum.update(TwoPartMessage.document(PLAIN));
    String document =
        ChainDocument.document(
            List.of(handlers.chain("c", "[[a], [b], [c], [d], [e]]", "never", "local")));

    String found = found(document, handlers.body());

    assertTrue(
        found.contains("bench-inflate: " + PLAIN + " B, CRC " + checksum.getValue() + "\n"), found);
    assertTrue(found.contains("bench-unseal: " + FIELDS + " fields, CRC "), found);
    assertTrue(found.contains("bench-store: 9000 B\n"), found);
    assertTrue(found.contains("bench-log: 3 lines\n"), found);
    assertTrue(found.matches("(?s).*bench-monitor: [1-9]\\d* hundredths of a bit\n.*"), found);
  }

  @Test
  void shouldFindTheSameHoweverTheyAreArranged() throws Exception {
    String first = "";
    for (String stages :
        List.of("[[a], [b], [c], [d], [e]]", "[[a, b], [c, d], [e]]", "[[a, b, c, d, e]]")) {
      String document =
          ChainDocument.document(List.of(handlers.chain("c", stages, "always", "local")));
      String found = found(document, handlers.body());
      first = first.isEmpty() ? found : first;
      assertEquals(first, found);
    }
  }

  @Test
  void shouldStopADamagedMessage() throws Exception {
    byte[] body = handlers.body();
    body[body.length - 1] ^= 1; // the tag of the last field
    String document =
        ChainDocument.document(List.of(handlers.chain("c", "[[a, b, c, d, e]]", "never", "local")));

    assertEquals("null", found(document, body));
    assertThrows(
        IllegalArgumentException.class, () -> TwoPartMessage.read(new byte[] {0, 0, 1, 0, 7}));
  }

  @Test
  void shouldConvertRowsToJson() throws Exception {
    String document =
        ChainDocument.document(
            List.of(
                new ChainDocument("c").step("convert", ConversionWorkFactory.NAME, "").toString()));

    String found = found(document, "s,1\nt,2".getBytes(StandardCharsets.UTF_8));

    String json = "[{\"sensor\":\"s\",\"value1\":\"1\"},{\"sensor\":\"t\",\"value1\":\"2\"}]";
    assertEquals("body: " + json.length() + "\n", found);
  }

  // Field fault 34: the pair of Table 1 does real work instead of sleeping
  @Test
  void shouldStoreStateAndNotifySubscribers() throws Exception {
    try (StubService stub = StubService.start(StubSettings.standard())) {
      ResourceEventingScenario pair =
          new ResourceEventingScenario(stub.uri().resolve("/svc/s1"), 1, 3, 2);
      for (String chain : pair.chains()) {
        stub.reset();

        String found = found(ChainDocument.document(List.of(chain)), new byte[16]);

        assertTrue(found.contains("bench-state: 3 properties\n"), found);
        assertTrue(found.contains("bench-notify: "), found);
        assertEquals(6, stub.stats().total(), "three for each of two messages");
      }
    }
  }

  @Test
  void shouldMakeTheSameMessageAgain() {
    assertArrayEquals(handlers.body(), handlers.body());
  }

  @Test
  void shouldPredictAsThePaperDoesAndAsItShould() {
    StationPipeline sequential = new StationPipeline(8, 5, 4, false);
    StationPipeline parallel = new StationPipeline(8, 5, 4, true);

    assertEquals(820, sequential.predictedMillis(100));
    assertEquals(523, sequential.paperMillis(100));
    assertEquals(805, parallel.predictedMillis(100));
    assertEquals(508, parallel.paperMillis(100));
    assertEquals(28, sequential.predictedMillis(1));
    // Where the service takes as long as a handler, the two agree.
    assertEquals(
        new StationPipeline(5, 5, 4, true).paperMillis(10),
        new StationPipeline(5, 5, 4, true).predictedMillis(10));
  }
}
