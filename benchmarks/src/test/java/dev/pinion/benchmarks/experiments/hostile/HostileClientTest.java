package dev.pinion.benchmarks.experiments.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostileClientTest {
  private static final int COUNT = 50;
  private static final int ABANDONED = 10;

  @Test
  void shouldCountAnswersByClassAndWhatWasGivenUp() throws Exception {
    try (ScriptedSockets server = new ScriptedSockets(number -> answer(400))) {
      HostileStatistics tally = send(server.uri());

      server.awaitConnections(COUNT);
      assertEquals(COUNT, tally.requests());
      assertEquals(COUNT - ABANDONED, tally.answers(400, 499));
      assertEquals(ABANDONED, tally.abandoned());
      assertEquals(0, tally.unanswered());
      assertEquals(List.of(), tally.faults());
    }
  }

  @Test
  void shouldCountConnectionsThatEndWithoutAnAnswer() throws Exception {
    try (ScriptedSockets server = new ScriptedSockets(number -> "")) {
      HostileStatistics tally = send(server.uri());

      assertEquals(COUNT - ABANDONED, tally.unanswered());
      assertEquals(List.of(), tally.faults());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 505})
  void shouldAcceptADeclaredRefusal(int status) throws Exception {
    try (ScriptedSockets server = new ScriptedSockets(number -> answer(status))) {
      HostileStatistics tally = send(server.uri());

      assertEquals(COUNT - ABANDONED, tally.answers(status, status));
      assertEquals(List.of(), tally.faults());
    }
  }

  @Test
  void shouldFindFaultWithAnyOther5xxAndWithWhatIsNoHttp() throws Exception {
    try (ScriptedSockets broken = new ScriptedSockets(number -> answer(500));
        ScriptedSockets strange = new ScriptedSockets(number -> "what?")) {
      assertTrue(send(broken.uri()).faults().getFirst().startsWith("status 500 to "));
      assertTrue(send(strange.uri()).faults().getFirst().contains("expected an HTTP answer"));
    }
  }

  @Test
  void shouldFindFaultWithAServerThatIsGone() throws Exception {
    URI uri;
    try (ScriptedSockets server = new ScriptedSockets(number -> "")) {
      uri = server.uri();
    }

    HostileStatistics tally = send(uri);

    assertFalse(tally.faults().isEmpty());
    assertEquals(0, tally.requests());
  }

  @Test
  void shouldSendNothingWhenNothingIsAskedFor() throws Exception {
    HostileStatistics tally =
        client(URI.create("http://127.0.0.1:1")).run(0, Duration.ZERO, Duration.ofSeconds(1));

    assertEquals(0, tally.requests());
    assertEquals(List.of(), tally.faults());
  }

  private static String answer(int status) {
    return "HTTP/1.1 " + status + " Scripted\r\ncontent-length: 0\r\n\r\n";
  }

  private static HostileStatistics send(URI uri) throws InterruptedException, IOException {
    return client(uri).run(COUNT, Duration.ZERO, Duration.ofMillis(COUNT));
  }

  private static HostileClient client(URI uri) {
    return new HostileClient(uri, 1, Duration.ofSeconds(30), Duration.ofMillis(1));
  }
}
