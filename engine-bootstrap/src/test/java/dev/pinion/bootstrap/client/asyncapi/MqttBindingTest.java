package dev.pinion.bootstrap.client.asyncapi;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.client.call.InvokerStub;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages over MQTT, by a server in this process and by mosquitto where it is installed. */
class MqttBindingTest {
  @TempDir Path folder;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final NotedTimers timers = new NotedTimers();

  /** Servers of the tests. */
  enum BrokerKind {
    STUB,
    MOSQUITTO;

    MqttBroker start(Path folder) throws IOException, InterruptedException {
      return this == STUB ? new MqttBrokerStub() : MosquittoProcess.start(folder);
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    timers.shutdownNow();
  }

  static Stream<Arguments> servers() {
    return Stream.of(MessageProtocol.MQTT, MessageProtocol.MQTT5)
        .flatMap(
            protocol -> Stream.of(BrokerKind.values()).map(kind -> Arguments.of(kind, protocol)));
  }

  private <T extends AutoCloseable> T closed(T resource) {
    opened.add(resource);
    return resource;
  }

  private MqttBroker broker(BrokerKind kind) throws IOException, InterruptedException {
    return closed(kind.start(folder));
  }

  private MqttBinding binding(Map<String, Integer> limits) throws IOException {
    ProtocolSettings settings = SampleMessages.settings(limits);
    return closed(
        new MqttBinding(
            settings,
            new ServerAddresses(settings.limits().invoker()),
            new MessageTls(settings.tls()),
            timers));
  }

  private MqttBinding binding() throws IOException {
    return binding(Map.of());
  }

  private static MessageEndpoint endpoint(
      MqttBroker broker, MessageProtocol protocol, String topic, int qos) {
    return SampleMessages.endpoint(
        protocol, broker.port(), topic, new MessageOptions("POST", null, null, qos, false, false));
  }

  private static void publish(
      MqttBinding binding, MessageEndpoint endpoint, String payload, HeaderField... headers)
      throws Exception {
    binding.publish(
        OutgoingMessage.of(
            endpoint,
            SampleMessages.carrier(endpoint, InvokerStub.json("1"), headers),
            payload.getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageSource open(
      MqttBinding binding, MessageEndpoint endpoint, String key, MessageInbox inbox)
      throws Exception {
    return binding.open(
        new SubscriptionRequest(endpoint, key, SampleMessages.carrier(endpoint, null)), inbox);
  }

  private static void awaitPayloads(NotedInbox inbox, String... payloads) {
    await().until(() -> inbox.payloads().equals(List.of(payloads)));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void shouldSendAndReceiveMessages(BrokerKind kind, MessageProtocol protocol) throws Exception {
    MqttBroker broker = broker(kind);
    MqttBinding binding = binding();
    NotedInbox inbox = new NotedInbox();
    MessageSource source = open(binding, endpoint(broker, protocol, "a/+", 1), "k", inbox);

    MessageEndpoint channel = endpoint(broker, protocol, "a/b", 1);
    HeaderField[] headers =
        protocol == MessageProtocol.MQTT
            ? new HeaderField[0]
            : new HeaderField[] {new HeaderField("trace", "t1")};
    publish(binding, channel, "hello", headers);
    publish(binding, endpoint(broker, protocol, "a/b/c", 1), "elsewhere");
    publish(binding, endpoint(broker, protocol, "a/c", 2), "exactly once");

    awaitPayloads(inbox, "hello", "exactly once");
    InboundMessage first = inbox.messages.getFirst();
    if (protocol == MessageProtocol.MQTT5) {
      assertEquals(Map.of("trace", "t1"), first.headers());
      assertEquals("application/json", first.contentType());
    } else {
      assertEquals(Map.of(), first.headers());
      assertNull(first.contentType());
    }
    assertEquals(List.of(), inbox.failures);
    source.close(true);
  }

  @ParameterizedTest
  @MethodSource("servers")
  void shouldReceiveAMessageAgainUntilItIsAcknowledged(BrokerKind kind, MessageProtocol protocol)
      throws Exception {
    MqttBroker broker = broker(kind);
    MqttBinding binding = binding();
    MessageEndpoint channel = endpoint(broker, protocol, "jobs", 1);
    NotedInbox first = new NotedInbox();
    MessageSource source = open(binding, channel, "k", first);
    publish(binding, channel, "1");
    awaitPayloads(first, "1");
    source.close(false);
    publish(binding, channel, "2");

    NotedInbox second = new NotedInbox();
    source = open(binding, channel, "k", second);
    awaitPayloads(second, "1", "2");
    second.messages.getFirst().acknowledgement().run();
    publish(binding, channel, "3");
    awaitPayloads(second, "1", "2", "3");
    source.close(false);

    NotedInbox third = new NotedInbox();
    source = open(binding, channel, "k", third);
    awaitPayloads(third, "2", "3");
    source.close(true);

    NotedInbox last = new NotedInbox();
    source = open(binding, channel, "k", last);
    publish(binding, channel, "4");
    awaitPayloads(last, "4");
    source.close(true);
  }

  @ParameterizedTest
  @MethodSource("servers")
  void shouldKeepNothingAtQualityZero(BrokerKind kind, MessageProtocol protocol) throws Exception {
    MqttBroker broker = broker(kind);
    MqttBinding binding = binding();
    MessageEndpoint channel = endpoint(broker, protocol, "jobs", 0);
    NotedInbox first = new NotedInbox();
    MessageSource source = open(binding, channel, "k", first);
    publish(binding, channel, "1");
    awaitPayloads(first, "1");
    source.close(false);

    NotedInbox second = new NotedInbox();
    source = open(binding, channel, "k", second);
    publish(binding, channel, "2");
    awaitPayloads(second, "2");
    source.close(true);
  }

  @ParameterizedTest
  @MethodSource("servers")
  void shouldFailWithTheConnection(BrokerKind kind, MessageProtocol protocol) throws Exception {
    MqttBroker broker = broker(kind);
    MqttBinding binding = binding();
    MessageEndpoint channel = endpoint(broker, protocol, "jobs", 1);
    NotedInbox inbox = new NotedInbox();
    open(binding, channel, "k", inbox);

    broker.close();

    await().until(() -> !inbox.failures.isEmpty());
    String said =
        String.valueOf(
            assertThrows(MessageFailure.class, () -> publish(binding, channel, "1")).getMessage());
    assertTrue(said.startsWith("expected a connection to the MQTT server 127.0.0.1:"), said);
  }

  @Test
  void shouldAuthenticateByUserAndPassword() throws Exception {
    MqttBrokerStub broker = closed(new MqttBrokerStub());
    MqttBinding binding = binding();
    for (MessageProtocol protocol : List.of(MessageProtocol.MQTT, MessageProtocol.MQTT5)) {
      MessageEndpoint channel = endpoint(broker, protocol, "jobs", 1);
      publish(binding, channel, "1", SampleMessages.basic("ada", "right"));

      String said =
          String.valueOf(
              assertThrows(
                      MessageFailure.class,
                      () -> publish(binding, channel, "1", SampleMessages.basic("eve", "wrong")))
                  .getMessage());
      assertTrue(said.contains("refuses the connection"), said);
    }
    assertEquals(List.of(" ada", " ada"), List.copyOf(broker.connects));
  }

  @Test
  void shouldShareAConnectionForMessages() throws Exception {
    MqttBrokerStub broker = closed(new MqttBrokerStub());
    MqttBinding binding = binding();
    for (int i = 0; i < 3; i++) {
      publish(binding, endpoint(broker, MessageProtocol.MQTT5, "t" + i, 1), "1");
    }
    assertEquals(List.of(" null"), List.copyOf(broker.connects));
  }

  @Test
  void shouldNameTheClientOfASubscription() throws Exception {
    MqttBrokerStub broker = closed(new MqttBrokerStub());
    MqttBinding binding = binding();
    MessageEndpoint channel = endpoint(broker, MessageProtocol.MQTT, "t", 1);
    open(binding, channel, "one", new NotedInbox()).close(false);
    open(binding, channel, "one", new NotedInbox()).close(false);
    open(binding, channel, "two", new NotedInbox()).close(false);

    List<String> names = broker.connects.stream().map(each -> each.split(" ", 2)[0]).toList();
    assertEquals(names.get(0), names.get(1));
    assertEquals(2, names.stream().distinct().count());
    assertTrue(
        names.stream().allMatch(each -> each.matches("pinion[0-9a-f]{17}")), names::toString);
  }

  @Test
  void shouldRefuseMessagesThatAreTooLong() throws Exception {
    MqttBrokerStub broker = closed(new MqttBrokerStub());
    MessageEndpoint channel = endpoint(broker, MessageProtocol.MQTT, "t", 1);
    NotedInbox inbox = new NotedInbox();
    open(binding(Map.of("messages.maxBytes", 1 << 10)), channel, "k", inbox);

    publish(binding(), channel, "x".repeat(1 << 18));

    await().until(() -> !inbox.failures.isEmpty());
    String detail = String.valueOf(inbox.failures.getFirst().detail());
    assertTrue(detail.contains("messages.maxBytes"), detail);
    assertEquals(List.of(), inbox.payloads());
  }

  @Test
  void shouldSayThatThereIsNoServer() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    MessageEndpoint channel = SampleMessages.endpoint(MessageProtocol.MQTT, port, "t");
    MqttBinding binding = binding();

    assertThrows(MessageFailure.class, () -> publish(binding, channel, "1"));
    assertThrows(
        MessageFailure.class, () -> open(binding, channel, "k", new NotedInbox()).close(false));
  }
}
