package dev.pinion.core.invoker.http;

import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.answering;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.InvokerHarness;
import dev.pinion.core.invoker.ScriptedServer;
import dev.pinion.core.invoker.TestCertificates;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Calls by TLS. */
class ClientTlsTest {
  private static final String NAMES = "dns:localhost,ip:127.0.0.1";

  @TempDir static Path shared;
  private static TestCertificates trusted;

  @TempDir Path folder;

  @BeforeAll
  static void makeCertificates() throws Exception {
    trusted = TestCertificates.make(shared, NAMES);
  }

  private static void assertTlsFailure(WorkflowError error, ScriptedServer server, String reason) {
    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    String detail = String.valueOf(error.detail());
    assertTrue(detail.startsWith("TLS with " + server.authority() + " failed: "), detail);
    assertTrue(detail.contains(reason), detail);
  }

  @Test
  void shouldCallATrustedServiceByNameAndByAddressAndKeepTheConnection() throws Exception {
    try (InvokerHarness rig = new InvokerHarness(Map.of(), trusted.pem(), null);
        ScriptedServer server = trusted.server(answering(json("[1]")))) {
      for (int i = 0; i < 3; i++) {
        assertEquals("[1]", rig.output(get(server.uri("/"))).toString());
      }
      assertEquals(1, server.connections());
      String byName = "https://localhost:" + server.port() + "/";
      assertEquals("[1]", rig.output(get(byName)).toString());
      assertEquals(2, server.connections());
    }
  }

  @Test
  void shouldReadLargeAnswers() throws Exception {
    String text = "\"" + "x".repeat(1 << 20) + "\"";
    try (InvokerHarness rig = new InvokerHarness(Map.of(), trusted.pem(), null);
        ScriptedServer server = trusted.server(answering(json(text)))) {
      assertEquals(text, rig.output(get(server.uri("/"))).toString());
      assertEquals(text, rig.output(get(server.uri("/"))).toString());
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldRefuseACertificateThatNobodyTrusts() throws Exception {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = trusted.server(answering(json("1")))) {
      assertTlsFailure(rig.error(get(server.uri("/"))), server, "certification path");
    }
  }

  @Test
  void shouldRefuseACertificateOfAnotherHost() throws Exception {
    TestCertificates other = TestCertificates.make(folder, "dns:pets.example,ip:127.0.0.2");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), other.pem(), null);
        ScriptedServer server = other.server(answering(json("1")))) {
      assertTlsFailure(rig.error(get(server.uri("/"))), server, "127.0.0.1");
      String byName = "https://localhost:" + server.port() + "/";
      assertTrue(String.valueOf(rig.error(get(byName)).detail()).contains("localhost"));
    }
  }

  @Test
  void shouldRefuseAnExpiredCertificate() throws Exception {
    TestCertificates expired =
        TestCertificates.make(folder, NAMES, "-startdate", "-3d", "-validity", "1");
    try (InvokerHarness rig = new InvokerHarness(Map.of(), expired.pem(), null);
        ScriptedServer server = expired.server(answering(json("1")))) {
      assertTlsFailure(rig.error(get(server.uri("/"))), server, "certificate_expired");
    }
  }

  @Test
  void shouldFailWhenTheServiceDoesNotSpeakTls() {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server =
            new ScriptedServer(conversation -> conversation.send("HTTP/1.1 400 Bad\r\n\r\n"))) {
      WorkflowError error = rig.error(get("https://" + server.authority() + "/"));
      assertTlsFailure(error, server, "not an SSL/TLS record");
    }
  }

  @Test
  void shouldFailWhenTheServiceClosesInsteadOfShakingHands() {
    try (InvokerHarness rig = new InvokerHarness();
        ScriptedServer server = new ScriptedServer(ScriptedServer.Conversation::cutOff)) {
      WorkflowError error = rig.error(get("https://" + server.authority() + "/"));
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
      assertTrue(String.valueOf(error.detail()).contains(server.authority()), error.toString());
    }
  }

  @Test
  void shouldGiveUpOnAHandshakeAtTheConnectTimeout() {
    // given a service that accepts and sends nothing
    CountDownLatch accepted = new CountDownLatch(1);
    try (InvokerHarness rig = new InvokerHarness(Map.of("invoker.connectTimeoutMillis", 50));
        ScriptedServer server =
            new ScriptedServer(
                conversation -> {
                  accepted.countDown();
                  conversation.awaitClose();
                })) {
      rig.invoke(get("https://" + server.authority() + "/"));
      await().until(() -> accepted.getCount() == 0);

      // when
      rig.advance(Duration.ofMillis(49));
      assertEquals(0, rig.unreported());
      rig.advance(Duration.ofMillis(1));

      // then
      assertEquals(
          "expected "
              + server.authority()
              + " to complete the TLS handshake within 50 ms (invoker.connectTimeoutMillis), found"
              + " it silent",
          InvokerHarness.errorOf(rig.next().outcome()).detail());
      assertEquals(0, rig.count(Counter.CONNECTIONS));
    }
  }

  @Test
  void shouldTakeCloseNotifyAsTheEndOfABodyWithoutLength() throws Exception {
    try (InvokerHarness rig = new InvokerHarness(Map.of(), trusted.pem(), null);
        ScriptedServer server =
            trusted.server(
                conversation -> {
                  conversation.readRequest();
                  conversation.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall");
                })) {
      assertEquals("\"all\"", rig.output(get(server.uri("/"))).toString());
    }
  }

  @Test
  void shouldNotTakeACutOffConnectionAsTheEndOfABodyWithoutLength() throws Exception {
    try (InvokerHarness rig = new InvokerHarness(Map.of(), trusted.pem(), null);
        ScriptedServer server =
            trusted.server(
                conversation -> {
                  conversation.readRequest();
                  conversation.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall");
                  conversation.cutOff();
                })) {
      WorkflowError error = rig.error(get(server.uri("/")));
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    }
  }

  /** Field fault 1: a complete response that waits for room is not cut off any more. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldKeepACompleteAnswerThatWaitsWhenTheConnectionIsCutOff() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    try (InvokerHarness rig =
            new InvokerHarness(
                Map.of(), trusted.pem(), null, EpollIoHandler.newFactory(), ChannelTypes.epoll());
        ScriptedServer server =
            trusted.server(
                conversation -> {
                  conversation.readRequest();
                  conversation.send(json("[1]"));
                  held.await();
                  conversation.cutOffAndAwaitClose();
                  gone.countDown();
                })) {
      rig.heapHasRoom(false);
      rig.invoke(get(server.uri("/")));
      await().until(() -> rig.awaits().startsWith("room for the answer of"));
      held.countDown();
      assertTrue(gone.await(10, TimeUnit.SECONDS), "the connection is closed meanwhile");

      rig.heapHasRoom(true);
      rig.cycle();
      assertEquals("[1]", InvokerHarness.outputOf(rig.next().outcome()).toString());
    }
  }

  @Test
  void shouldSayWhyATrustFileCannotBeUsed() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path garbage = Files.writeString(folder.resolve("garbage.pem"), "not a certificate");
    Path missing = folder.resolve("missing.pem");
    assertTrue(message(empty).endsWith("empty.pem, found none"), message(empty));
    assertTrue(message(garbage).contains("garbage.pem, found"), message(garbage));
    assertTrue(message(missing).endsWith("missing.pem, found no such file"), message(missing));
  }

  private static String message(Path file) {
    IOException refused = assertThrows(IOException.class, () -> ClientTls.load(file));
    return String.valueOf(refused.getMessage());
  }
}
