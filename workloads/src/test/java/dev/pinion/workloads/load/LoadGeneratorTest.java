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
      assertEquals(1_000, result.answers());
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
      assertEquals(40, result.answers());
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
      assertEquals(2, result.answers());
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
      assertEquals(2, result.answers());
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
    assertEquals(0, result.answers());
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
          LoadRequest.post(stub.uri().resolve("/svc/s1"), "{}", AnswerCheck.success());

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
      assertTrue(result.answers() > 0);
      assertTrue(result.latencyMillis(0) >= 5, () -> "p0 " + result.latencyMillis(0));
    }
  }

  @Test
  void shouldThinkBetweenRequests() throws Exception {
    // given
    try (ScriptedServer server = new ScriptedServer(n -> ScriptedServer.ok("right"))) {
      // when
      LoadResult result =
          LoadGenerator.run(
              LoadPlan.of(List.of(request(server.uri(), "")), 3, Duration.ofMillis(50))
                  .warmingUp(Duration.ZERO, 1)
                  .thinking(Duration.ofDays(1), 1));

      // then
      assertEquals(3, result.allAnswers());
      assertEquals(3, server.requests());
    }
  }

  private static LoadPlan plan(URI uri, int clients) {
    return LoadPlan.of(List.of(request(uri, "{}")), clients, LONG).warmingUp(Duration.ZERO, 1);
  }

  private static LoadRequest request(URI uri, String body) {
    return LoadRequest.post(uri, body, AnswerCheck.body("right".getBytes(UTF_8)));
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
