package dev.pinion.bootstrap.client.asyncapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.client.call.InvokerStub;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessageSubscription;
import io.netty.channel.Channel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages over WebSocket. */
class WebSocketBindingTest {
  private final InvokerStub invoker = new InvokerStub();
  private WebSocketStub server;
  private AsyncApiClient client;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    server = new WebSocketStub();
    client = SampleMessages.client(Map.of("messages.maxBytes", 1 << 10, "messages.maxQueued", 1));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    invoker.close();
  }

  private MessageEndpoint endpoint() {
    return SampleMessages.endpoint(MessageProtocol.WS, server.port(), "feed");
  }

  private MessageSubscription subscription() {
    return SampleMessages.subscription(
        endpoint(), "k", new HeaderField("Authorization", "Bearer t"));
  }

  /** Begins a subscription; returns what its first request will be told. */
  private CompletableFuture<CallOutcome> begun() throws Exception {
    CompletableFuture<CallOutcome> told = new CompletableFuture<>();
    invoker.begin(client, subscription(), told::complete);
    return told;
  }

  @Test
  void shouldSendEachMessageAsAFrame() throws Exception {
    Payload sent = invoker.output(client, SampleMessages.publish(endpoint(), "{\"a\": [1, 2]}"));

    assertEquals("{\"a\":[1,2]}", server.next());
    assertEquals(SampleMessages.value("{\"a\": [1, 2]}"), sent);
    assertEquals("none", server.authorizations.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void shouldReceiveFramesOneByOne() throws Exception {
    CompletableFuture<CallOutcome> first = begun();
    Channel feed = server.client();
    for (int i = 0; i < 5; i++) {
      WebSocketStub.send(feed, Integer.toString(i));
    }
    assertEquals(
        new CallOutcome.Succeeded(SampleMessages.value("0")), first.get(20, TimeUnit.SECONDS));
    for (int i = 1; i < 5; i++) {
      assertEquals(
          SampleMessages.value(Integer.toString(i)),
          invoker.output(client, subscription().after(i, false)));
    }
    WebSocketStub.end(feed);
    assertEquals(Payload.NULL, invoker.output(client, subscription().after(5, false)));
    assertEquals("Bearer t", server.authorizations.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void shouldRefuseFramesThatAreTooLong() throws Exception {
    CompletableFuture<CallOutcome> first = begun();
    WebSocketStub.send(server.client(), "\"" + "x".repeat(1 << 10) + "\"");

    CallOutcome outcome = first.get(20, TimeUnit.SECONDS);

    assertTrue(outcome.toString().contains("messages.maxBytes"), outcome::toString);
  }

  @Test
  void shouldFailWhereTheServerSpeaksNoWebSocketThere() throws Exception {
    MessageEndpoint elsewhere =
        SampleMessages.endpoint(MessageProtocol.WS, server.port(), "elsewhere");

    WorkflowError error = invoker.error(client, SampleMessages.publish(elsewhere, "1"));

    assertTrue(
        String.valueOf(error.detail()).startsWith("expected a connection to the ws channel"),
        error::toString);
  }
}
