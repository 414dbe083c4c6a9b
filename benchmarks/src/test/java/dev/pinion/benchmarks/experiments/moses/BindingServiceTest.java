package dev.pinion.benchmarks.experiments.moses;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BindingServiceTest {
  private static final URI STUB = URI.create("http://127.0.0.1:8080");

  private static HttpResponse<String> ask(BindingService service, String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(service.uri().resolve(path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @ParameterizedTest
  @CsvSource({"gold, s1", "silver, s1", "gold, s6", "unknown, s1"})
  void shouldSayWhereACallIsToGo(String serviceClass, String task) throws Exception {
    try (BindingService service = BindingService.start(STUB)) {
      HttpResponse<String> answer = ask(service, "/bind/" + serviceClass + "/" + task);

      assertEquals(200, answer.statusCode());
      assertEquals("{\"endpoint\":\"" + STUB + "/svc/" + task + "\"}", answer.body());
    }
  }

  @Test
  void shouldKnowNothingElse() throws Exception {
    try (BindingService service = BindingService.start(STUB)) {
      assertEquals(404, ask(service, "/bind/gold/unknown").statusCode());
      assertEquals(404, ask(service, "/bind/gold").statusCode());
      assertEquals(404, ask(service, "/").statusCode());
    }
  }
}
