package dev.pinion.benchmarks.bare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.model.InstanceId;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ResponseCheck;
import dev.pinion.workloads.stub.StubService;
import dev.pinion.workloads.stub.StubSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class BareExchangeTest {
  private static final int EXCHANGES = 300;
  private static final String VALUE_1 = "{\"input\":{\"value\":1}}";
  private static final Duration PLENTY = Duration.ofSeconds(60);

  private final StubService stub = StubService.start(StubSettings.standard());
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    http.close();
    stub.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerEveryStartWithTheWorkloadsOutput(CallPattern callPattern) throws Exception {
    Workload workload = Workload.named(callPattern.workload());
    try (SingleLoopServer bare = BareExchange.start(0, callPattern, stub.uri())) {
      // when
      LoadResult result = load(LoadRequest.starts(bare.uri(), workload), 8);

      // then every answer was right, and every call is accounted for
      assertEquals(Map.of(), result.errors(), result::errorLines);
      assertTrue(result.allAnswers() >= EXCHANGES, () -> "answers: " + result.allAnswers());
      assertEquals(6 * result.allAnswers(), stub.stats().total());
      assertEquals(0, stub.stats().malformed());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldCallTheServicesThatTheWorkloadCalls(CallPattern callPattern) throws Exception {
    Workload workload = Workload.named(callPattern.workload());
    try (SingleLoopServer bare = BareExchange.start(0, callPattern, stub.uri())) {
      for (JsonNode input : workload.inputs()) {
        stub.reset();
        assertEquals(200, start(bare.uri(), workload, LoadRequest.startBody(input)).statusCode());
        Map<String, Long> calls = new TreeMap<>(stub.stats().services());
        calls.values().removeIf(count -> count == 0);
        assertEquals(workload.expectedCalls(input), calls);
      }
    }
  }

  @Test
  void shouldAnswerInTheFormOfTheEngine() throws Exception {
    try (SingleLoopServer bare = BareExchange.start(0, CallPattern.SEQUENTIAL, stub.uri())) {
      Instant before = Instant.now().minusMillis(1);

      HttpResponse<String> answer = start(bare.uri(), Workload.SEQUENTIAL, VALUE_1);

      JsonNode json = new ObjectMapper().readTree(answer.body());
      InstanceId id = InstanceId.parse(json.path("id").asText()).orElseThrow();
      assertEquals("application/json", answer.headers().firstValue("content-type").orElse(""));
      assertEquals(
          id.startedAtEpochMillis(), Instant.parse(json.path("startedAt").asText()).toEpochMilli());
      assertTrue(Instant.parse(json.path("startedAt").asText()).isAfter(before));
      assertTrue(
          !Instant.parse(json.path("endedAt").asText())
              .isBefore(Instant.parse(json.path("startedAt").asText())));
      assertEquals("COMPLETED", json.path("state").asText());
      assertEquals("{\"value\":184}", json.path("output").toString());
    }
  }

  @Test
  void shouldRefuseWhatIsNoStart() throws Exception {
    try (SingleLoopServer bare = BareExchange.start(0, CallPattern.FOR_EACH, stub.uri())) {
      for (String body : List.of("", "{", "{}", "{\"input\":{\"items\":[]}}")) {
        assertEquals(400, start(bare.uri(), Workload.FOR_EACH, body).statusCode(), body);
      }
      HttpRequest get = HttpRequest.newBuilder(bare.uri()).build();
      assertEquals(404, http.send(get, HttpResponse.BodyHandlers.ofString()).statusCode());
      assertEquals(0, stub.stats().total());
    }
  }

  @Test
  void shouldAnswerWithAnErrorWhenAServiceFails() throws Exception {
    fail(stub, "{\"failureRate\":1,\"status\":500}");
    try (SingleLoopServer bare = BareExchange.start(0, CallPattern.PARALLEL, stub.uri())) {
      HttpResponse<String> answer = start(bare.uri(), Workload.PARALLEL, VALUE_1);

      assertEquals(502, answer.statusCode());
      assertTrue(answer.body().contains("expected status 200"), answer.body());
    }
  }

  @Test
  void shouldAnswerWithAnErrorWhenTheStubIsGone() throws Exception {
    try (SingleLoopServer bare = BareExchange.start(0, CallPattern.SEQUENTIAL, stub.uri())) {
      stub.close();

      HttpResponse<String> answer = start(bare.uri(), Workload.SEQUENTIAL, VALUE_1);

      assertEquals(502, answer.statusCode());
    }
  }

  @Test
  void shouldEchoEveryBody() throws Exception {
    String body = LoadRequest.startBody(Workload.FOR_EACH.input(7));
    try (SingleLoopServer echo = EchoServer.start(0)) {
      LoadRequest request =
          LoadRequest.post(echo.uri(), body, ResponseCheck.body(body.getBytes(UTF_8)));

      LoadResult result = load(List.of(request), 8);

      assertEquals(Map.of(), result.errors(), result::errorLines);
      assertTrue(result.allAnswers() >= EXCHANGES);
    }
  }

  private LoadResult load(List<LoadRequest> requests, int clients) throws InterruptedException {
    return LoadGenerator.run(
        LoadPlan.of(requests, clients, PLENTY)
            .warmingUp(Duration.ZERO, clients)
            .endingAfter(EXCHANGES));
  }

  private HttpResponse<String> start(URI server, Workload workload, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(LoadRequest.instances(server, workload))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private void fail(StubService service, String behaviour)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.uri().resolve("/__behaviour"))
            .POST(HttpRequest.BodyPublishers.ofString(behaviour))
            .build();
    assertEquals(200, http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
  }
}
