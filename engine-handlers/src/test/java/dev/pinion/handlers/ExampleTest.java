package dev.pinion.handlers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The example of docs/handlers.md: found by the service loader, configured, run. */
class ExampleTest {
  private static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final String CHAINS =
      """
      chains:
      - name: intake
        at: request-in
        order: auto
        handlers:
        - name: tenant
          use: tenant
          settings: {known: [north, south]}
      """;

  private static Outcome through(String tenant) throws Exception {
    HandlerKinds kinds = HandlerKinds.installed(ExampleTest.class.getClassLoader());
    ConfiguredChain chain = new ChainReader(kinds, LIMITS, null).read(CHAINS).getFirst();
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    Message message =
        Message.of(
            MessageId.random(),
            Point.REQUEST_IN,
            Map.of("header.x-tenant", tenant),
            Body.of(Payload.EMPTY_OBJECT));
    try (Chain running = new Chain(chain.plan(), new CallerRunsWorkers(Clock.system()), LIMITS)) {
      running.enter(message, outcome, CompletableFuture::complete);
    }
    return outcome.join();
  }

  @Test
  void shouldDoWhatItSays() throws Exception {
    Message known = assertInstanceOf(Outcome.Proceed.class, through("north")).message();
    assertEquals(
        "{\"tenant\":\"north\"}",
        new String(known.body().bytes(new PayloadCodec(LIMITS.json())), StandardCharsets.UTF_8));
    assertEquals(403, assertInstanceOf(Outcome.Refused.class, through("west")).problem().status());
  }

  @Test
  void shouldBeWhatTheDocumentShows() throws Exception {
    String root = System.getProperty("pinion.root", "");
    assumeTrue(!root.isEmpty(), "pinion.root is not set: the document is not compared");
    String page = Files.readString(Path.of(root, "docs", "handlers.md"));
    String code =
        Files.readString(
            Path.of(root, "engine-handlers/src/test/java/com/example/handlers/TenantFactory.java"));

    assertTrue(page.contains(code.strip()), "docs/handlers.md shows TenantFactory as it is");
    assertTrue(page.contains(CHAINS.strip()), "docs/handlers.md shows its chain as it is");
  }
}
