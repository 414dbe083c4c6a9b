package dev.pinion.workloads.stub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.load.LoadGenerator;
import dev.pinion.workloads.load.LoadPlan;
import dev.pinion.workloads.load.LoadRequest;
import dev.pinion.workloads.load.LoadResult;
import dev.pinion.workloads.load.ResponseCheck;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class StubServiceTest {
  @Test
  void shouldCountEveryCallOfManyClients() throws Exception {
    // given
    try (StubService stub = StubService.start(new StubSettings(0, 3, Duration.ZERO, 2))) {
      List<LoadRequest> calls =
          List.of(
              call(stub, "/svc/s1", "{}"),
              call(stub, "/svc/s2/below", "{\"value\":1}"),
              call(stub, "/svc/s3", "{\"value\":1}"),
              call(stub, "/svc/s3", "no JSON"));

      // when: 16 clients, of which 4 begin with each request
      LoadResult result =
          LoadGenerator.run(
              LoadPlan.of(calls, 16, Duration.ofSeconds(50))
                  .warmingUp(Duration.ZERO, 1)
                  .onThreads(2)
                  .endingAfter(4_000));

      // then
      StubStatistics stats = stub.stats();
      assertEquals(4_000, result.sent());
      assertEquals(4_000, stats.total() + stats.malformed());
      assertEquals(result.errors().get("status 400"), stats.malformed());
      assertEquals(result.rightResponses(), stats.total());
      assertEquals(
          stats.total(), stats.services().values().stream().mapToLong(Long::longValue).sum());
      assertTrue(stats.services().values().stream().allMatch(count -> count > 0));

      // when
      stub.reset();

      // then
      assertEquals(0, stub.stats().total() + stub.stats().malformed());
    }
  }

  @Test
  void shouldShowAndResetItsCountersOverHttp() throws Exception {
    // given
    try (StubService stub = StubService.start(StubSettings.standard());
        HttpClient http = HttpClient.newHttpClient()) {
      assertEquals(
          "{\"service\":\"s2\",\"value\":12,\"items\":[{\"id\":1,\"name\":\"first\"},"
              + "{\"id\":2,\"name\":\"second\"},{\"id\":3,\"name\":\"third\"}]}",
          send(http, post(stub, "/svc/s2", "{\"value\":5}")));

      // when
      String stats = send(http, HttpRequest.newBuilder(stub.uri().resolve("/__stats")).build());

      // then
      assertEquals(
          "{\"total\":1,\"malformed\":0,\"failed\":0,\"services\":"
              + "{\"s1\":0,\"s2\":1,\"s3\":0,\"s4\":0,\"s5\":0,\"s6\":0}}",
          stats);
      assertEquals(stub.stats(), new ObjectMapper().readValue(stats, StubStatistics.class));

      // when
      send(http, post(stub, "/__reset", ""));

      // then
      assertEquals(0, stub.stats().total());
    }
  }

  @Test
  void shouldSayThatThePortIsTaken() {
    // given
    try (StubService stub = StubService.start(StubSettings.standard())) {
      StubSettings same = new StubSettings(stub.uri().getPort(), 1, Duration.ZERO, 1);

      // when
      var refusal = assertThrows(IllegalStateException.class, () -> StubService.start(same));

      // then
      assertTrue(
          String.valueOf(refusal.getMessage())
              .startsWith("expected port " + stub.uri().getPort() + " to be free"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-1,1,0,1",
    "65536,1,0,1",
    "0,0,0,1",
    "0,10001,0,1",
    "0,1,-1,1",
    "0,1,3600001,1",
    "0,1,0,0",
    "0,1,0,65",
  })
  void shouldRefuseSettingsBeyondTheirLimits(int port, int services, long delayMs, int threads) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new StubSettings(port, services, Duration.ofMillis(delayMs), threads));
  }

  @Test
  void shouldAcceptSettingsAtTheirLimits() {
    Duration longest = Duration.ofSeconds(StubSettings.MAX_DELAY_SECONDS);
    StubSettings most =
        new StubSettings(65_535, StubSettings.MAX_SERVICES, longest, StubSettings.MAX_THREADS);
    assertEquals(10_000, most.services());
  }

  private static LoadRequest call(StubService stub, String path, String body) {
    return LoadRequest.post(stub.uri().resolve(path), body, ResponseCheck.success());
  }

  private static HttpRequest post(StubService stub, String path, String body) {
    URI uri = stub.uri().resolve(path);
    return HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
  }

  private static String send(HttpClient http, HttpRequest request)
      throws IOException, InterruptedException {
    return http.send(request, BodyHandlers.ofString()).body();
  }
}
