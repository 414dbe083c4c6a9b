package dev.pinion.handlers.builtin.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Metered;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repeated messages. */
class ReliabilityTest {
  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();

  @TempDir private Path folder;
  private Handler in;
  private Handler out;

  @BeforeEach
  void open() throws Exception {
    open("");
  }

  @AfterEach
  void close() {
    in.close();
    out.close();
  }

  private void open(String more) throws Exception {
    String file = "\"file\": \"" + folder.resolve("messages.db") + '"';
    in = HandlerTrial.handler(new ReliabilityFactory(clock), "{" + file + more + "}");
    out =
        HandlerTrial.handler(
            new AcknowledgeFactory(clock), "{" + file + ", \"maxAnswerBytes\": 16}");
  }

  private void reopen(String more) throws Exception {
    close();
    open(more);
  }

  private static Message request(String id, String body) {
    return HandlerTrial.message(
        Map.of("header.message-id", id, "http.method", "POST", "http.path", "/p"),
        HandlerTrial.json(body));
  }

  /** The answer to a request, with the same id. */
  private static Message answer(Message request, int status, String body) {
    return Message.of(
        request.id(),
        Point.RESPONSE_OUT,
        Map.of("http.status", Integer.toString(status), "header.location", "/i/1"),
        HandlerTrial.json(body));
  }

  private double counted(String name) {
    return ((Metered) in)
        .metrics().stream()
            .filter(each -> each.name().equals("pinion_reliability_" + name + "_total"))
            .mapToDouble(Metric::value)
            .sum();
  }

  @Test
  void shouldAnswerADuplicateAsTheFirstAlsoAfterARestart() throws Exception {
    Message first = request("a", "{}");
    HandlerTrial.after(in, first);
    Message acknowledged = HandlerTrial.after(out, answer(first, 201, "[1]"));
    assertEquals("a", HandlerTrial.property(acknowledged, "header.pinion-acknowledged"));

    reopen("");
    Verdict.Answer again =
        assertInstanceOf(Verdict.Answer.class, HandlerTrial.verdict(in, request("a", "{}")));
    assertEquals(201, again.status());
    assertEquals(Map.of("location", "/i/1", "pinion-resent", "true"), again.headers());
    assertEquals("[1]", HandlerTrial.text(again.body()));
    assertEquals(Body.JSON, again.body().mediaType());
    assertEquals(1, counted("resent"));
  }

  @Test
  void shouldLetNobodyThroughBesideTheFirst() throws Exception {
    Message first = request("a", "{}");
    HandlerTrial.after(in, first);
    String stopped = HandlerTrial.stopped(in, request("a", "{}"));
    assertTrue(stopped.startsWith("409 {retry-after=60}"), stopped);
    clock.advance(59_999);
    assertTrue(HandlerTrial.stopped(in, request("a", "{}")).startsWith("409 "));
    clock.advance(1);
    Message second = request("a", "{}");
    HandlerTrial.after(in, second);
    assertEquals(1, counted("again"));
    assertEquals(2, counted("under_way"));
    assertEquals(
        answer(first, 200, "1"),
        HandlerTrial.after(out, answer(first, 200, "1")),
        "it came too late");
    HandlerTrial.after(out, answer(second, 200, "2"));
    assertTrue(HandlerTrial.stopped(in, request("a", "{}")).endsWith(" 2"));
  }

  @Test
  void shouldLetThroughAgainWhatWasNotAccepted() throws Exception {
    for (int status : new int[] {500, 400, 302, 199}) {
      Message refused = request("a", "{}");
      HandlerTrial.after(in, refused);
      HandlerTrial.after(out, answer(refused, status, "{}"));
    }
    HandlerTrial.after(in, request("a", "{}"));
  }

  @Test
  void shouldRefuseAnotherMessageWithAnIdThatIsKnown() throws Exception {
    HandlerTrial.after(in, request("a", "{}"));
    assertTrue(HandlerTrial.stopped(in, request("a", "[]")).startsWith("422 "));
    HandlerTrial.after(in, request("A", "[]"));
  }

  @Test
  void shouldForgetAfterTheWindowAndBeFullBeforeThat() throws Exception {
    reopen(", \"maxRemembered\": 2, \"window\": \"PT2M\"");
    Message first = request("a", "{}");
    HandlerTrial.after(in, first);
    HandlerTrial.after(in, request("b", "{}"));
    assertTrue(HandlerTrial.stopped(in, request("c", "{}")).startsWith("503 {retry-after=60}"));
    assertEquals(1, counted("full"));
    clock.advance(119_999);
    HandlerTrial.after(out, answer(first, 200, "1"));
    clock.advance(1);
    HandlerTrial.after(in, request("c", "{}"));
    assertTrue(
        HandlerTrial.stopped(in, request("a", "{}")).startsWith("200 "), "known since its answer");
    clock.advance(119_999);
    HandlerTrial.after(in, request("a", "{}"));
  }

  @Test
  void shouldLeaveOutBodiesThatAreTooLarge() throws Exception {
    Message fits = request("a", "{}");
    HandlerTrial.after(in, fits);
    HandlerTrial.after(out, answer(fits, 200, "\"" + "x".repeat(14) + "\""));
    assertTrue(HandlerTrial.stopped(in, request("a", "{}")).endsWith("xx\""));
    Message beyond = request("b", "{}");
    HandlerTrial.after(in, beyond);
    HandlerTrial.after(out, answer(beyond, 200, "\"" + "x".repeat(15) + "\""));
    assertEquals(
        "200 {location=/i/1, pinion-omitted-bytes=17, pinion-resent=true} ",
        HandlerTrial.stopped(in, request("b", "{}")));
  }

  @Test
  void shouldPassMessagesWithoutAnIdUnlessOneIsRequired() throws Exception {
    Message without = HandlerTrial.message(Map.of());
    HandlerTrial.after(in, without);
    assertEquals(answer(without, 200, "1"), HandlerTrial.after(out, answer(without, 200, "1")));
    String bad = HandlerTrial.stopped(in, request("a b", "{}"));
    assertTrue(bad.startsWith("400 "), bad);
    assertTrue(HandlerTrial.stopped(in, request("i".repeat(129), "{}")).startsWith("400 "));
    HandlerTrial.after(in, request("i".repeat(128), "{}"));
    reopen(", \"required\": true, \"idempotencyKey\": true");
    assertTrue(HandlerTrial.stopped(in, HandlerTrial.message(Map.of())).startsWith("400 "));
    Message keyed = HandlerTrial.after(in, request("k", "{}"));
    assertEquals("\"k\"", HandlerTrial.property(keyed, "header.idempotency-key"));
  }

  @Test
  void shouldLetOneOfManyAtOnceThrough() throws Exception {
    List<Callable<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      String id = "m" + i % 8;
      all.add(() -> HandlerTrial.verdict(in, request(id, "{}")) instanceof Verdict.GoOn);
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      int through = 0;
      for (var each : threads.invokeAll(all)) {
        through += each.get() ? 1 : 0;
      }
      assertEquals(8, through);
    }
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    ReliabilityFactory factory = new ReliabilityFactory(clock);
    assertTrue(HandlerTrial.problems(factory, "{}").contains("expected the setting \"file\""));
    Path broken = folder.resolve("broken.db");
    Files.writeString(
        broken, "no database, but long enough to be taken for the head of one".repeat(9));
    String found = HandlerTrial.problems(factory, "{\"file\": \"" + broken + "\"}");
    assertTrue(found.contains("expected a usable file"), found);
    String file = "{\"file\": \"" + folder.resolve("c.db") + "\", ";
    assertTrue(
        HandlerTrial.problems(factory, file + "\"header\": \"a b\"}").contains("name of a field"));
    assertTrue(
        HandlerTrial.problems(factory, file + "\"window\": \"PT1S\"}")
            .contains("at most the window"));
    assertTrue(
        HandlerTrial.problems(factory, file + "\"maxRemembered\": 1000001}")
            .contains("1 to 1000000"));
    assertEquals("[]", HandlerTrial.problems(factory, file + "\"maxRemembered\": 1000000}"));
    assertTrue(
        HandlerTrial.problems(new AcknowledgeFactory(), file + "\"maxAnswerBytes\": 1048577}")
            .contains("0 to 1048576"));
  }
}
