package dev.pinion.core.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.FakeKernels;
import dev.pinion.core.api.RawHttpClient;
import dev.pinion.core.api.RequestHandlerServer;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.instance.StartKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";

  @Test
  void shouldReadKeysWithAndWithoutQuotes() throws Exception {
    assertNull(IdempotencyKey.parse(List.of(), 10));
    assertEquals("a-1", IdempotencyKey.parse(List.of("\"a-1\""), 10));
    assertEquals("a-1", IdempotencyKey.parse(List.of(" a-1 "), 10));
    assertEquals("a \"b\\", IdempotencyKey.parse(List.of("\"a \\\"b\\\\\""), 10));
    assertEquals("0123456789", IdempotencyKey.parse(List.of("0123456789"), 10));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"\"",
        "a b",
        "a,b",
        "a;b",
        "\"a",
        "a\"",
        "\"a\\b\"",
        "\"\u00e9\"",
        "01234567890"
      })
  void shouldRefuseWhatIsNoKey(String field) {
    ProblemException problemException =
        Assertions.assertThrows(
            ProblemException.class, () -> IdempotencyKey.parse(List.of(field), 10), field);
    assertEquals(400, problemException.problem().type().status());
  }

  @Test
  void shouldRefuseSeveralKeys() {
    Assertions.assertThrows(
        ProblemException.class, () -> IdempotencyKey.parse(List.of("a", "a"), 10));
  }

  @Test
  void shouldSendOneKeyToOnePartitionAndTellRoutesApart() throws Exception {
    StartKey first = started(START, "\"k\"", "{\"input\":1}");
    StartKey otherBody = started(START, "k", "{\"input\":2}");
    StartKey otherRoute =
        started(
            "/v1/namespaces/test/definitions/echo/versions/1.0.0/instances", "k", "{\"input\":1}");

    assertEquals(first, started(START, "k", "{\"input\":1}"));
    assertTrue(first.hasSameKey(otherBody) && !first.hasSameBody(otherBody));
    assertTrue(!first.hasSameKey(otherRoute) && first.hasSameBody(otherRoute));
  }

  private static StartKey started(String path, String key, String body) throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(request(path, key, body));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      StartKey found = Objects.requireNonNull(start.key());
      assertEquals(found.partition(), start.partition());
      return found;
    }
  }

  private static byte[] request(String path, String key, String body) throws IOException {
    return RawHttpClient.request(
        "POST",
        path,
        "Idempotency-Key: " + key + "\r\nContent-Type: application/json\r\n",
        body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldTellWhatBecameOfTheFirstStart() throws Exception {
    Map<Reply, String> answers =
        Map.of(
            new Reply.KeyReused(), "422 key-reused",
            new Reply.StillRunning(FakeKernels.ID), "409 still-running",
            new Reply.Evicted(FakeKernels.ID, true), "410 forgotten",
            new Reply.NotDurable(), "422 not-journalled");
    for (Map.Entry<Reply, String> each : answers.entrySet()) {
      try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
          RawHttpClient client = requestHandlerServer.client()) {
        requestHandlerServer.kernels.byHand();
        client.send(request(START, "k", "{}"));
        Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
        requestHandlerServer.kernels.reply(start.replyTo(), each.getKey());

        RawHttpClient.HttpReply reply = client.read();
        String[] expected = each.getValue().split(" ", 2);
        assertEquals(expected[0], Integer.toString(reply.status()), reply::body);
        assertTrue(reply.body().contains("\"code\":\"" + expected[1] + "\""), reply::body);
        if (each.getKey() instanceof Reply.StillRunning running) {
          assertEquals("1", reply.header("retry-after"));
          assertEquals("/v1/instances/" + running.id(), reply.header("location"));
        }
      }
    }
  }

  @Test
  void shouldJoinOnlyWhenTheClientSaysThatItWaits() throws Exception {
    for (String prefer : List.of("", "Prefer: respond-async\r\n", "Prefer: wait=0\r\n")) {
      assertEquals(false, joins(prefer), prefer);
    }
    assertEquals(true, joins("Prefer: wait=3\r\n"));
  }

  private static boolean joins(String prefer) throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.kernels.byHand();
      client.send(
          RawHttpClient.request("POST", START, "Idempotency-Key: k\r\n" + prefer, new byte[0]));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      return start.join();
    }
  }
}
