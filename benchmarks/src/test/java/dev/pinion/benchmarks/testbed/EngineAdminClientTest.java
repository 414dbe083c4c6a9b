package dev.pinion.benchmarks.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineAdminClientTest {
  private static final int LOOKS_NEAR = 21;

  private final AtomicInteger questions = new AtomicInteger();
  private HttpServer server;
  private EngineAdminClient engineAdminClient;
  private IntFunction<String> page = question -> "{}";

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/admin/v1/",
        exchange -> {
          byte[] body = page.apply(questions.incrementAndGet()).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    engineAdminClient =
        new EngineAdminClient(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Duration.ZERO);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void shouldTakeWhatIsToldAtTheLastQuestion() throws Exception {
    page = question -> table(question == EngineClient.LOOKS ? 7 : 6);

    engineAdminClient.awaitTable(7);

    assertEquals(EngineClient.LOOKS, questions.get());
  }

  @Test
  void shouldGiveUpAfterTheLastQuestionAndSayWhatItFound() {
    page = question -> table(question > EngineClient.LOOKS ? 7 : 6);

    IOException refused = assertThrows(IOException.class, () -> engineAdminClient.awaitTable(7));

    assertEquals(EngineClient.LOOKS, questions.get());
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.startsWith("expected table 7 in every replica within 1200 questions"), said);
    assertTrue(said.contains(table(6)) && said.endsWith("/admin/v1/replicas"), said);
  }

  @Test
  void shouldWaitUntilEveryReplicaHasTheTable() throws Exception {
    String later = "{\"lastBeat\":{\"bindingVersion\":8}}";
    String one = "{\"replicas\":[" + later + ",{\"lastBeat\":{\"bindingVersion\":6}}]}";
    String both = "{\"replicas\":[" + later + "," + later + "]}";
    page = question -> question == 1 ? "{\"replicas\":[]}" : question == 2 ? one : both;

    engineAdminClient.awaitTable(7);

    assertEquals(3, questions.get());
  }

  @Test
  void shouldBeginAnewWhenTheHistoryFallsBehindAgain() throws Exception {
    int far = 10;
    page = question -> "{\"lagRecords\":" + (question == far ? 101 : 100) + "}";

    engineAdminClient.awaitHistory();

    assertEquals(far + LOOKS_NEAR, questions.get());
  }

  private static String table(int version) {
    return "{\"replicas\":[{\"lastBeat\":{\"bindingVersion\":" + version + "}}]}";
  }
}
