package dev.pinion.bootstrap.warmup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpClientTest {
  @Test
  void shouldEndWithTheTimeInTheMiddleOfAnAnswer() throws IOException {
    // given: a server whose connections wait in its queue forever
    try (ServerSocket server = listen()) {
      WarmUpClient talk = new WarmUpClient(Clock.system(), 10, () -> false);

      // when
      talk.with(server.getLocalPort(), Duration.ofMillis(20));

      // then
      assertEquals(0, talk.responses());
    }
  }

  @Test
  void shouldGoOnAfterAnAnswerThatIsAnErrorAndTellOfTheFirst() throws Exception {
    try (ServerSocket server = listen()) {
      Thread answering =
          answerOnce(
              server,
              """
              HTTP/1.1 400 Bad
              content-length: 0

              HTTP/1.1 503 Busy
              content-length: 0

              HTTP/1.1 201 Created
              content-length: 0

              """);
      WarmUpClient talk = new WarmUpClient(Clock.system(), 3, () -> false);

      talk.with(server.getLocalPort(), Duration.ofMinutes(1));

      assertEquals(1, talk.responses());
      assertEquals(
          "expected a status from 200 to 299, found 400 for POST /v1/definitions HTTP/1.1",
          talk.refusal());
      answering.join();
    }
  }

  @Test
  void shouldTellOfAConnectionThatEndsWithoutAnAnswer() throws Exception {
    try (ServerSocket server = listen()) {
      Thread answering = answerOnce(server, "");
      WarmUpClient talk = new WarmUpClient(Clock.system(), 10, () -> false);

      assertThrows(
          IOException.class, () -> talk.with(server.getLocalPort(), Duration.ofMinutes(1)));

      answering.join();
    }
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static Thread answerOnce(ServerSocket server, String answer) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try (Socket socket = server.accept()) {
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
              } catch (IOException gone) {
                // the end of the test
              }
            });
  }
}
