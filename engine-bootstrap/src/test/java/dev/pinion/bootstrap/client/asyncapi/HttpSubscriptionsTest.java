package dev.pinion.bootstrap.client.asyncapi;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.client.call.InvokerStub;
import dev.pinion.core.invoker.ServiceCaller.OngoingCall;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessageServer;
import dev.pinion.core.model.call.MessageSubscription;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Subscriptions whose messages come in one response of HTTP. */
class HttpSubscriptionsTest {
  private final InvokerStub invoker = new InvokerStub();

  @AfterEach
  void stop() {
    invoker.close();
  }

  private static MessageEndpoint endpoint(int port) {
    return SampleMessages.endpoint(
        MessageProtocol.HTTP, port, "feed", new MessageOptions("GET", null, null, 1, false, false));
  }

  private static MessageSubscription subscription(StreamStub server) {
    return SampleMessages.subscription(
        endpoint(server.port()), "k", new HeaderField("Authorization", "Bearer token"));
  }

  private static Payload event(String payload, String id) {
    return InvokerStub.json(
        "{\"payload\": " + payload + ", \"headers\": {\"id\": \"" + id + "\"}}");
  }

  @Test
  void shouldReceiveEventsOfOneResponse() throws Exception {
    try (StreamStub server = new StreamStub(200, "text/event-stream");
        AsyncApiClient client = SampleMessages.client(Map.of())) {
      MessageSubscription subscription = subscription(server);
      server.send("id: 1\ndata: {\"a\":\ndata: 1}\n\nid: 2\nda");
      assertEquals(event("{\"a\": 1}", "1"), invoker.output(client, subscription));
      server.send("ta: 7\n\n");
      assertEquals(event("7", "2"), invoker.output(client, subscription.after(1, false)));
      assertEquals(Payload.NULL, invoker.output(client, subscription.after(2, true)));

      assertEquals(1, server.asked.size());
      StreamStub.StreamRequest asked = server.asked.getFirst();
      assertEquals("GET /feed", asked.method() + " " + asked.path());
      assertEquals("Bearer token", asked.headers().getFirst("Authorization"));
      assertTrue(asked.headers().getFirst("Accept").startsWith("text/event-stream"));
    }
  }

  @Test
  void shouldTellAMessageAgainUntilTheTaskHasIt() throws Exception {
    try (StreamStub server = new StreamStub(200, "application/x-ndjson");
        AsyncApiClient client = SampleMessages.client(Map.of())) {
      MessageSubscription subscription = subscription(server);
      server.send("1\n2\n");
      assertEquals(SampleMessages.value("1"), invoker.output(client, subscription));
      assertEquals(SampleMessages.value("1"), invoker.output(client, subscription));
      assertEquals(SampleMessages.value("2"), invoker.output(client, subscription.after(1, false)));
      assertEquals(1, server.asked.size());
    }
  }

  @Test
  void shouldEndWithTheResponse() throws Exception {
    try (StreamStub server = new StreamStub(200, "application/json");
        AsyncApiClient client = SampleMessages.client(Map.of())) {
      MessageSubscription subscription = subscription(server);
      server.send("{\"whole\": true}");
      server.end();
      assertEquals(SampleMessages.value("{\"whole\": true}"), invoker.output(client, subscription));
      assertEquals(Payload.NULL, invoker.output(client, subscription.after(1, false)));
    }
  }

  @Test
  void shouldWaitWhileTheTaskIsBusy() throws Exception {
    try (StreamStub server = new StreamStub(200, "application/x-ndjson");
        AsyncApiClient client = SampleMessages.client(Map.of("messages.maxQueued", 1))) {
      MessageSubscription subscription = subscription(server);
      server.send("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
      for (int i = 0; i < 10; i++) {
        assertEquals(
            SampleMessages.value(Integer.toString(i)),
            invoker.output(client, subscription.after(i, false)));
      }
    }
  }

  @Test
  void shouldFailWhereTheServerRefuses() throws Exception {
    try (StreamStub server = new StreamStub(404, "text/plain");
        AsyncApiClient client = SampleMessages.client(Map.of())) {
      server.end();
      WorkflowError error = invoker.error(client, subscription(server));
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
      assertTrue(String.valueOf(error.detail()).endsWith("found 404"), error::toString);
    }
  }

  @Test
  void shouldFailWhereAMessageIsTooLong() throws Exception {
    try (StreamStub server = new StreamStub(200, "application/x-ndjson");
        AsyncApiClient client = SampleMessages.client(Map.of("messages.maxBytes", 1 << 10))) {
      server.send("\"" + "x".repeat(1 << 10) + "\"\n");
      WorkflowError error = invoker.error(client, subscription(server));
      assertTrue(String.valueOf(error.detail()).contains("messages.maxBytes"), error::toString);
    }
  }

  @Test
  void shouldFailWhereNothingListens() throws Exception {
    int port;
    try (StreamStub server = new StreamStub(200, "text/plain")) {
      port = server.port();
    }
    try (AsyncApiClient client = SampleMessages.client(Map.of())) {
      WorkflowError error = invoker.error(client, SampleMessages.subscription(endpoint(port), "k"));
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    }
  }

  @Test
  void shouldCallNoReservedAddress() throws Exception {
    MessageEndpoint reserved =
        new MessageEndpoint(
            MessageProtocol.HTTP,
            new MessageServer("169.254.169.254", 80, false, ""),
            "feed",
            "application/json",
            MessageOptions.DEFAULT,
            null);
    try (AsyncApiClient client = SampleMessages.client(Map.of())) {
      for (MessageProtocol protocol : MessageProtocol.values()) {
        MessageEndpoint endpoint =
            new MessageEndpoint(
                protocol,
                reserved.server(),
                reserved.address(),
                reserved.contentType(),
                reserved.options(),
                null);
        WorkflowError error = invoker.error(client, SampleMessages.subscription(endpoint, "k"));
        assertEquals(ErrorType.AUTHORIZATION.uri(), error.type(), error::toString);
        assertTrue(
            String.valueOf(error.detail()).contains("invoker.reservedAddresses=1"),
            error::toString);
      }
    }
  }

  @Test
  void shouldTellNothingOfARequestThatIsCancelled() throws Exception {
    List<CallOutcome> told = new CopyOnWriteArrayList<>();
    try (StreamStub server = new StreamStub(200, "application/x-ndjson");
        AsyncApiClient client = SampleMessages.client(Map.of())) {
      MessageSubscription subscription = subscription(server);
      OngoingCall call = invoker.begin(client, subscription, told::add);
      await().until(() -> server.asked.size() == 1);
      assertTrue(call.waitsFor().startsWith("a message of the http channel"), call::waitsFor);
      invoker.run(call::cancel);

      server.send(0, "1\n"); // where the request comes before the end of the first one
      server.send(1, "1\n");
      assertEquals(SampleMessages.value("1"), invoker.output(client, subscription));
    }
    assertEquals(List.of(), told);
  }

  @SuppressWarnings("try") // closed early
  @Test
  void shouldUseNoMoreThreadsThanItsBound() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        StreamStub server = new StreamStub(200, "application/x-ndjson");
        AsyncApiClient client = SampleMessages.client(Map.of("messages.maxThreads", 1))) {
      server.send("1\n");
      invoker.begin(
          client,
          SampleMessages.subscription(endpoint(silent.getLocalPort()), "a"),
          _ -> told.add("silent"));
      invoker.begin(client, subscription(server), _ -> told.add("served"));
      Socket accepted = silent.accept();
      silent.close();
      accepted.close();

      await().until(() -> told.size() == 2);
    }
    assertEquals(List.of("silent", "served"), told);
  }

  @Test
  void shouldRefuseCallsAfterItsEnd() throws Exception {
    AsyncApiClient client = SampleMessages.client(Map.of());
    client.close();

    WorkflowError error = invoker.error(client, SampleMessages.subscription(endpoint(9), "k"));

    assertEquals(ErrorType.RUNTIME.uri(), error.type());
  }
}
