package dev.pinion.handlers.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.HandlerMetrics;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.builtin.observe.AuditFile;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.ConfiguredChain;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/handlers-builtin.md: read, configured, run. */
class BuiltinExamplesTest {
  private static final EngineLimits LIMITS = EngineLimits.defaults();

  @TempDir Path folder;
  private final List<Chain> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(Chain::close);
  }

  /** The example that has a chain of this name, with its files in the test's folder. */
  private Chain example(String name) throws Exception {
    String root = System.getProperty("pinion.root", "");
    assumeTrue(!root.isEmpty(), "pinion.root is not set: the document is not read");
    String page = Files.readString(Path.of(root, "docs", "handlers-builtin.md"));
    Matcher blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(page);
    while (blocks.find()) {
      if (blocks.group(1).contains("- name: " + name + "\n")) {
        return chain(blocks.group(1), name);
      }
    }
    throw new AssertionError("expected an example with the chain " + name + ", found none");
  }

  private Chain chain(String document, String name) throws Exception {
    String here = document.replaceAll("/(etc|var/log)/pinion", folder.toString());
    HandlerKinds kinds = HandlerKinds.installed(BuiltinExamplesTest.class.getClassLoader());
    List<ConfiguredChain> read = new ChainReader(kinds, LIMITS, null).read(here);
    Chain found = null;
    for (ConfiguredChain each : read) {
      Chain chain = new Chain(each.plan(), new CallerRunsWorkers(Clock.system()), LIMITS);
      open.add(chain);
      found = each.plan().name().equals(name) ? chain : found;
    }
    assertTrue(found != null, name);
    return Objects.requireNonNull(found);
  }

  private static Outcome outcome(Chain chain, Message message) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    chain.enter(message, outcome, CompletableFuture::complete);
    return outcome.join();
  }

  private static Message through(Chain chain, Message message) {
    return assertInstanceOf(Outcome.Proceed.class, outcome(chain, message)).message();
  }

  private static Message of(String text, String mediaType) {
    return HandlerTrial.message(
        Map.of("header.accept-encoding", "gzip"),
        Body.of(text.getBytes(StandardCharsets.UTF_8), mediaType));
  }

  @Test
  void shouldCompress() throws Exception {
    Message coded = through(example("deflated"), of("{\"a\":\"" + "x".repeat(99) + "\"}", "a/b"));
    assertEquals("gzip", HandlerTrial.property(coded, "header.content-encoding"));
    Message plain = through(example("inflated"), coded);
    assertTrue(HandlerTrial.text(plain.body()).startsWith("{\"a\":\"xxx"));
  }

  @Test
  void shouldSeal() throws Exception {
    Files.writeString(
        folder.resolve("aes.json"),
        "{\"active\": \"k\", \"keys\": {\"k\": \"AAECAwQFBgcICQoLDA0ODw==\"}}");
    Message message = HandlerTrial.message(Map.of(), HandlerTrial.json("{\"card\":\"4111\"}"));
    assertEquals(
        "{\"card\":\"4111\"}", HandlerTrial.text(through(example("sealed"), message).body()));
  }

  @Test
  void shouldLogAndAudit() throws Exception {
    through(example("logged"), HandlerTrial.message(Map.of("header.x-tenant", "north")));
    through(example("audited"), HandlerTrial.message(Map.of("auth.subject", "ann")));
    close();
    open.clear();
    assertTrue(Files.readString(folder.resolve("access.log")).contains("\"north\""));
    assertEquals(1, AuditFile.verify(folder.resolve("audit.log")).records());
  }

  @Test
  void shouldMonitor() throws Exception {
    Chain watched = example("watched");
    through(watched, HandlerTrial.message(Map.of("client.address", "::1")));
    MetricFamilies families = new MetricFamilies();
    HandlerMetrics.add(Map.of("watched", watched), families);
    String text = families.text();
    assertTrue(
        text.contains(
            "pinion_monitor_messages_total{chain=\"watched\",handler=\"monitor\","
                + "point=\"request-in\"} 1.0\n"),
        text);
  }

  @Test
  void shouldCheckAndLimit() throws Exception {
    Chain checked = example("checked");
    through(
        checked, HandlerTrial.message(Map.of(), HandlerTrial.json("{\"order\":{\"total\":1}}")));
    Outcome refused =
        outcome(checked, HandlerTrial.message(Map.of(), HandlerTrial.json("{\"order\":{}}")));
    assertEquals(400, assertInstanceOf(Outcome.Refused.class, refused).problem().status());
    Chain limited = example("limited");
    through(limited, HandlerTrial.message(Map.of()));
    through(limited, HandlerTrial.message(Map.of()));
    Outcome third = outcome(limited, HandlerTrial.message(Map.of()));
    assertEquals(429, assertInstanceOf(Outcome.Answered.class, third).answer().status());
  }

  @Test
  void shouldReceiveReliably() throws Exception {
    Chain received = example("received");
    Map<String, String> fields = Map.of("header.message-id", "m-1", "http.method", "POST");
    Message first = HandlerTrial.message(fields);
    through(received, first);
    through(
        example("answered"),
        Message.of(
            first.id(), Point.RESPONSE_OUT, Map.of("http.status", "200"), HandlerTrial.json("7")));
    Outcome again = outcome(received, HandlerTrial.message(fields));
    assertEquals(
        "7", HandlerTrial.text(assertInstanceOf(Outcome.Answered.class, again).answer().body()));
  }

  @Test
  void shouldKeepState() throws Exception {
    Message made =
        through(
            example("stored"),
            HandlerTrial.message(Map.of(), HandlerTrial.json("{\"name\":\"a\",\"value\":5}")));
    assertEquals("{\"name\":\"a\",\"value\":5,\"version\":1}", HandlerTrial.text(made.body()));
    Message read =
        through(
            example("read"), HandlerTrial.message(Map.of(), HandlerTrial.json("{\"name\":\"a\"}")));
    assertEquals("{\"name\":\"a\",\"value\":5,\"version\":1}", HandlerTrial.text(read.body()));
  }

  @Test
  void shouldNotWaitForSubscribers() throws Exception {
    Message message = HandlerTrial.message(Map.of(), HandlerTrial.json("{\"order\":{\"id\":7}}"));
    assertEquals(message, through(example("told"), message));
  }

  @Test
  void shouldConvert() throws Exception {
    Message json = through(example("from-xml"), of("<a><item>1</item></a>", "text/xml"));
    assertEquals("{\"a\":{\"item\":[1]}}", HandlerTrial.text(json.body()));
    String xml = HandlerTrial.text(through(example("to-xml"), json).body());
    assertTrue(xml.endsWith("<a><item>1</item></a>"), xml);
    assertEquals(
        "[{\"n\":\"1\"}]",
        HandlerTrial.text(through(example("from-csv"), of("n\n1", "text/csv")).body()));
  }
}
