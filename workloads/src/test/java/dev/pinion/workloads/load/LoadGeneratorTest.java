package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadGeneratorTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void shouldMeasureExactlyTheCountAndHideNothing() throws Exception {
    // given
    try (ScriptedServer server = new ScriptedServer(n -> ScriptedServer.ok("right"))) {
      // when
      LoadResult result = LoadGenerator.run(plan(server.uri(), 4).endingAfter(1_000));

      // then
      assertEquals(1_000, result.rightResponses());
      assertEquals(1_000, result.sent());
      assertEquals(0, result.errorCount());
      assertEquals(1_000, server.requests());
      assertEquals(4, server.connections());
      assertTrue(result.elapsedNanos() > 0 && result.throughput() > 0);
      assertTrue(result.latencyMillis(50) > 0 && result.maxMillis() >= result.latencyMillis(99));
    }
  }

  @Test
  void shouldCountWrongAnswersByKind() throws Exception {
    // given
    List<String> answers =
        List.of(
            ScriptedServer.ok("right"),
            ScriptedServer.ok("wrong"),
            ScriptedServer.answer(503, "full"),
            ScriptedServer.answer(500, "oops"),
            "HTTP/1.1 103 x\r\n\r\n" + ScriptedServer.ok("right"),
            "HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n2\r\nri\r\n3\r\nght\r\n0\r\n\r\n",
            "HTTP/1.1 200 x\r\nconnection: close\r\ncontent-length: 5\r\n\r\nright",
            ScriptedServer.HANG_UP);
    try (ScriptedServer server = new ScriptedServer(n -> answers.get(n % answers.size()))) {
      // when
      LoadResult result = LoadGenerator.run(plan(server.uri(), 1).endingAfter(80));

      // then
      assertEquals(40, result.rightResponses());
      assertEquals(
          Map.of("wrong body", 10L, "status 503", 10L, "status 500", 10L, "connection lost", 10L),
          result.errors());
      assertEquals("wrong", result.examples().get("wrong body"));
      assertEquals(80, result.sent());
      assertEquals(80, server.requests());
    }
  }

  @Test
  void shouldGiveUpAnswersThatDoNotCome() throws Exception {
    // given
    try (ScriptedServer server =
        new ScriptedServer(n -> n % 2 == 0 ? ScriptedServer.SILENCE : ScriptedServer.ok("right"))) {
      // when
      LoadResult result =
          LoadGenerator.run(
              plan(server.uri(), 1).timingOutAfter(Duration.ofMillis(20)).endingAfter(4));

      // then
      assertEquals(Map.of("timeout", 2L), result.errors());
      assertEquals(2, result.rightResponses());
      assertEquals(3, server.connections());
    }
  }

  @Test
  void shouldCountAnswersThatAreNotHttp() throws Exception {
    // given
    try (ScriptedServer server =
        new ScriptedServer(
            n -> n == 0 ? "HTTP/1.1 99999999999 x\r\n\r\n" : ScriptedServer.ok("right"))) {
      // when
      LoadResult result = LoadGenerator.run(plan(server.uri(), 1).endingAfter(3));

      // then
      assertEquals(Map.of("malformed answer", 1L), result.errors());
      assertEquals(2, result.rightResponses());
    }
  }

  @Test
  void shouldCountConnectionsThatAreRefused() throws Exception {
    // given
    URI uri = URI.create("http://127.0.0.1:" + closedPort() + "/");

    // when
    LoadResult result =
        LoadGenerator.run(
            LoadPlan.of(List.of(request(uri, "")), 2, Duration.ofMillis(100))
                .warmingUp(Duration.ZERO, 1));

    // then
    assertEquals(Set.of("connect"), result.errors().keySet());
    assertTrue(result.errorCount() >= 2);
    assertEquals(0, result.sent());
    assertEquals(0, result.rightResponses());
  }

  @Test
  void shouldSendEveryRequestInTurn() throws Exception {
    // given
    try (ScriptedServer server = new ScriptedServer(n -> ScriptedServer.ok("right"))) {
      List<LoadRequest> requests = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        requests.add(request(server.uri(), "{\"n\":" + i + "}"));
      }

      // when
      LoadGenerator.run(
          LoadPlan.of(requests, 2, LONG).warmingUp(Duration.ZERO, 1).onThreads(2).endingAfter(50));

      // then
      assertEquals(50, server.bodies().size());
      assertEquals(
          Set.of("{\"n\":0}", "{\"n\":1}", "{\"n\":2}", "{\"n\":3}", "{\"n\":4}"),
          new TreeSet<>(server.bodies()));
    }
  }

  @Test
  void shouldAwaitEveryAnswerAtTheEndAndKeepTheWarmUpApart() throws Exception {
    // given
    StubSettings slow = new StubSettings(0, 1, Duration.ofMillis(5), 1);
    try (StubService stub = StubService.start(slow)) {
      LoadRequest call =
          LoadRequest.post(stub.uri().resolve("/svc/s1"), "{}", ResponseCheck.success());

      // when
      LoadResult result =
          LoadGenerator.run(
              LoadPlan.of(List.of(call), 8, Duration.ofMillis(200))
                  .warmingUp(Duration.ofMillis(100), 2)
                  .onThreads(2));

      // then
      assertEquals(0, result.errorCount(), result.errorLines());
      assertEquals(result.sent(), result.allAnswers());
      assertEquals(result.sent(), stub.stats().total());
      assertTrue(result.unmeasured() > 0);
      assertTrue(result.rightResponses() > 0);
      assertTrue(result.latencyMillis(0) >= 5, () -> "p0 " + result.latencyMillis(0));
    }
  }

  @Test
  void shouldThinkBeforeEveryRequest() throws Exception {
    // given
    try (ScriptedServer server = new ScriptedServer(n -> ScriptedServer.ok("right"))) {
      // when
      LoadResult result =
          LoadGenerator.run(
              LoadPlan.of(List.of(request(server.uri(), "")), 3, Duration.ofMillis(50))
                  .warmingUp(Duration.ZERO, 1)
                  .thinking(Duration.ofDays(1), 1));

      // then
      assertEquals(0, result.sent());
      assertEquals(3, server.connections());
    }
  }

  @Test
  void shouldEndEachClientAfterItsIterations() throws Exception {
    // given
    try (ScriptedServer server = new ScriptedServer(n -> ScriptedServer.ok("right"))) {
      // when
      LoadResult result =
          LoadGenerator.run(
              plan(server.uri(), 3).thinking(Duration.ofMillis(2), 1).iterating(20).onThreads(2));

      // then
      assertEquals(60, result.rightResponses());
      assertEquals(60, server.requests());
      assertTrue(result.generator().lagMillis(50) < 1_000);
      assertTrue(result.generator().busiestLoop() > 0, result.generatorLine());
    }
  }

  @Test
  void shouldSendWhatIsDueWhetherOrNotEarlierRequestsWereAnswered() throws Exception {
    // given: a response takes ten gaps
    try (StubService stub = StubService.start(new StubSettings(0, 1, Duration.ofMillis(50), 1))) {
      // when
      LoadResult result =
          LoadGenerator.run(
              arriving(stub, 64, Arrivals.Pattern.CONSTANT).onThreads(2).endingAfter(100));

      // then
      assertEquals(0, result.errorCount(), result.errorLines());
      assertEquals(100, result.rightResponses());
      assertEquals(result.sent(), stub.stats().total());
      assertTrue(result.latencyMillis(0) >= 50, () -> "p0 " + result.latencyMillis(0));
    }
  }

  @Test
  void shouldCountTheWaitForAFreeClientAsLatency() throws Exception {
    // given: the capacity of a connection is 20 per second, and 200 are due
    try (StubService stub = StubService.start(new StubSettings(0, 1, Duration.ofMillis(50), 1))) {
      // when
      LoadResult result =
          LoadGenerator.run(arriving(stub, 1, Arrivals.Pattern.CONSTANT).endingAfter(20));

      // then: the last one is due after 95 ms and answered after 1,000 ms
      assertEquals(20, result.rightResponses());
      assertTrue(result.maxMillis() >= 900, () -> "max " + result.maxMillis());
      assertTrue(result.latencyMillis(50) >= 400, () -> "p50 " + result.latencyMillis(50));
    }
  }

  @Test
  void shouldUseFreeConnectionsInTurn() throws Exception {
    // given: each client begins with a different body, and sends the other one next
    try (ScriptedServer server = new ScriptedServer(n -> ScriptedServer.ok("right"))) {
      List<LoadRequest> requests =
          List.of(request(server.uri(), "\"a\""), request(server.uri(), "\"b\""));

      // when
      LoadGenerator.run(
          LoadPlan.of(requests, 2, LONG)
              .warmingUp(Duration.ZERO, 1)
              .arriving(new Arrivals(Arrivals.Pattern.CONSTANT, 50), 1)
              .endingAfter(8));

      // then
      List<String> bodies = List.copyOf(server.bodies());
      String first = bodies.getFirst();
      String other = first.equals("\"a\"") ? "\"b\"" : "\"a\"";
      assertEquals(List.of(first, other, other, first, first, other, other, first), bodies);
    }
  }

  @Test
  void shouldSendAfterTheEndWhatWasDueBeforeIt() throws Exception {
    // given
    try (StubService stub = StubService.start(new StubSettings(0, 1, Duration.ofMillis(50), 1))) {
      // when
      LoadResult result =
          LoadGenerator.run(
              LoadPlan.of(List.of(call(stub)), 1, Duration.ofMillis(200))
                  .warmingUp(Duration.ZERO, 1)
                  .arriving(new Arrivals(Arrivals.Pattern.CONSTANT, 100), 1));

      // then
      assertEquals(0, result.errorCount(), result.errorLines());
      assertEquals(result.sent(), result.allAnswers());
      assertTrue(result.rightResponses() >= 15, () -> "answers " + result.rightResponses());
      assertTrue(result.late() >= result.rightResponses() / 2, () -> "late " + result.late());
      assertTrue(result.throughput() <= 25, () -> "throughput " + result.throughput());
    }
  }

  @Test
  void shouldGiveUpWhatHasWaitedForTheTimeout() throws Exception {
    // given
    try (ScriptedServer server = new ScriptedServer(n -> ScriptedServer.SILENCE)) {
      // when
      LoadResult result =
          LoadGenerator.run(
              LoadPlan.of(List.of(request(server.uri(), "")), 1, LONG)
                  .warmingUp(Duration.ZERO, 1)
                  .timingOutAfter(Duration.ofMillis(20))
                  .arriving(new Arrivals(Arrivals.Pattern.POISSON, 1_000), 1)
                  .endingAfter(50));

      // then
      assertEquals(0, result.rightResponses());
      assertEquals(50, result.errorCount(), result.errorLines());
      assertEquals(Set.of("not sent", "timeout"), result.errors().keySet());
      assertEquals(result.sent(), result.errors().get("timeout"));
    }
  }

  private static LoadPlan arriving(StubService stub, int clients, Arrivals.Pattern pattern) {
    return LoadPlan.of(List.of(call(stub)), clients, LONG)
        .warmingUp(Duration.ZERO, 1)
        .arriving(new Arrivals(pattern, 200), 1);
  }

  private static LoadRequest call(StubService stub) {
    return LoadRequest.post(stub.uri().resolve("/svc/s1"), "{}", ResponseCheck.success());
  }

  private static LoadPlan plan(URI uri, int clients) {
    return LoadPlan.of(List.of(request(uri, "{}")), clients, LONG).warmingUp(Duration.ZERO, 1);
  }

  private static LoadRequest request(URI uri, String body) {
    return LoadRequest.post(uri, body, ResponseCheck.body("right".getBytes(UTF_8)));
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
