package dev.pinion.bootstrap.client.asyncapi;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.client.call.InvokerStub;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.bootstrap.handlerhost.NatsProcess;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages over NATS; skipped where there is no server. */
class NatsBindingTest {
  private final NotedTimers timers = new NotedTimers();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private NatsProcess server;

  @BeforeEach
  void start() throws IOException {
    server = NatsProcess.start();
    opened.add(server);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    timers.shutdownNow();
  }

  private NatsBinding binding() throws IOException {
    ProtocolSettings settings = SampleMessages.settings(Map.of());
    NatsBinding binding =
        new NatsBinding(
            settings,
            new ServerAddresses(settings.limits().invoker()),
            new MessageTls(settings.tls()),
            timers);
    opened.add(binding);
    return binding;
  }

  private MessageEndpoint endpoint(String subject, @Nullable String queue) {
    return SampleMessages.endpoint(
        MessageProtocol.NATS,
        server.port(),
        subject,
        new MessageOptions("POST", queue, null, 1, false, false));
  }

  private void publish(NatsBinding binding, String subject, String payload, HeaderField... headers)
      throws Exception {
    MessageEndpoint endpoint = endpoint(subject, null);
    binding.publish(
        OutgoingMessage.of(
            endpoint,
            SampleMessages.carrier(endpoint, InvokerStub.json("1"), headers),
            payload.getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageSource open(NatsBinding binding, MessageEndpoint endpoint, NotedInbox inbox)
      throws Exception {
    return binding.open(
        new SubscriptionRequest(endpoint, "k", SampleMessages.carrier(endpoint, null)), inbox);
  }

  @Test
  void shouldSendAndReceiveMessages() throws Exception {
    NatsBinding binding = binding();
    NotedInbox inbox = new NotedInbox();
    MessageSource source = open(binding, endpoint("orders.*", null), inbox);

    publish(
        binding,
        "orders.placed",
        "7",
        new HeaderField("trace", "t1"),
        new HeaderField("Idempotency-Key", "\"i-t0\""));
    publish(binding, "others", "8");
    publish(binding, "orders.paid", "9");

    await().until(() -> inbox.payloads().equals(List.of("7", "9")));
    assertEquals(
        Map.of("trace", "t1", "Idempotency-Key", "\"i-t0\"", "Nats-Msg-Id", "i-t0"),
        inbox.messages.getFirst().headers());
    source.close(true);
    publish(binding, "orders.paid", "10");
    assertEquals(List.of("7", "9"), inbox.payloads());
    assertEquals(List.of(), inbox.failures);
  }

  @Test
  void shouldShareTheMessagesOfAQueue() throws Exception {
    NatsBinding binding = binding();
    NotedInbox first = new NotedInbox();
    NotedInbox second = new NotedInbox();
    open(binding, endpoint("jobs", "workers"), first);
    open(binding, endpoint("jobs", "workers"), second);
    for (int i = 0; i < 20; i++) {
      publish(binding, "jobs", Integer.toString(i));
    }

    await().until(() -> first.messages.size() + second.messages.size() == 20);
  }

  @Test
  void shouldFailWithTheConnection() throws Exception {
    NatsBinding binding = binding();
    NotedInbox inbox = new NotedInbox();
    open(binding, endpoint("news", null), inbox);

    server.close();

    await().until(() -> !inbox.failures.isEmpty());
    assertTrue(
        String.valueOf(inbox.failures.getFirst().detail()).contains("NATS server"),
        inbox.failures::toString);
    await().until(() -> !server.process().isAlive());
    assertThrows(MessageFailure.class, () -> publish(binding, "news", "1"));
  }

  @Test
  void shouldRefuseWhatTheServerDoesNotTake() throws Exception {
    NatsBinding binding = binding();
    String said =
        String.valueOf(
            assertThrows(MessageFailure.class, () -> publish(binding, "news", "x".repeat(2 << 20)))
                .getMessage());
    assertTrue(said.contains("which the NATS server takes"), said);
  }
}
