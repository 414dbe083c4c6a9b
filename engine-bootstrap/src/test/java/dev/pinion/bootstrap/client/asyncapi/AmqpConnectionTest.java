package dev.pinion.bootstrap.client.asyncapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConsumerShutdownSignalCallback;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import dev.pinion.bootstrap.client.call.InvokerStub;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the library for AMQP is asked for, without a server. */
class AmqpConnectionTest {
  private final List<String> done = new ArrayList<>();
  private final NotedInbox inbox = new NotedInbox();
  private final AmqpConnection connection =
      new AmqpConnection(
          proxy(Connection.class, (_, method, _) -> ofConnection(method.getName())), 1_000);

  private boolean hasChannels = true;
  private boolean confirms = true;
  private boolean routes = true;
  private @Nullable ReturnListener returns;
  private @Nullable BasicProperties properties;
  private @Nullable DeliverCallback delivers;
  private @Nullable CancelCallback cancels;
  private @Nullable ConsumerShutdownSignalCallback ends;

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private @Nullable Object ofConnection(String method) {
    return method.equals("createChannel") && hasChannels
        ? proxy(Channel.class, (_, asked, arguments) -> ofChannel(asked, arguments))
        : null;
  }

  private @Nullable Object ofChannel(Method method, Object[] arguments) throws IOException {
    return switch (method.getName()) {
      case "addReturnListener" -> {
        returns = (ReturnListener) arguments[0];
        yield null;
      }
      case "basicPublish" -> {
        properties = (BasicProperties) arguments[3];
        note("publish", arguments[0], arguments[1], arguments[2], text(arguments[4]));
        if (!routes) {
          Objects.requireNonNull(returns)
              .handleReturn(
                  AMQP.NO_ROUTE,
                  "NO_ROUTE",
                  "",
                  "",
                  (BasicProperties) arguments[3],
                  (byte[]) arguments[4]);
        }
        yield null;
      }
      case "waitForConfirms" -> confirms;
      case "queueDeclare" -> proxy(AMQP.Queue.DeclareOk.class, (_, _, _) -> "own");
      case "queueBind" -> note("bind", arguments[0], arguments[1], arguments[2]);
      case "basicQos" -> note("qos", arguments[0]);
      case "basicConsume" -> {
        delivers = (DeliverCallback) arguments[2];
        cancels = (CancelCallback) arguments[3];
        ends = (ConsumerShutdownSignalCallback) arguments[4];
        note("consume", arguments[0], arguments[1]);
        yield "tag";
      }
      case "basicAck" -> note("ack", arguments[0], arguments[1]);
      case "abort" -> note("abort");
      default -> null;
    };
  }

  private @Nullable Object note(Object... words) {
    done.add(String.join(" ", List.of(words).stream().map(String::valueOf).toList()));
    return null;
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  private static MessageEndpoint endpoint(
      @Nullable String queue, @Nullable String exchange, boolean mandatory) {
    return SampleMessages.endpoint(
        MessageProtocol.AMQP,
        5672,
        "orders.placed",
        new MessageOptions("POST", queue, exchange, 1, false, mandatory));
  }

  private void publish(MessageEndpoint endpoint) throws Exception {
    connection.publish(
        OutgoingMessage.of(
            endpoint,
            SampleMessages.carrier(
                endpoint,
                InvokerStub.json("7"),
                new HeaderField("trace", "t1"),
                new HeaderField("Idempotency-Key", "\"i-t0\"")),
            new byte[] {'7'}));
  }

  private String refusal(MessageEndpoint endpoint) {
    return String.valueOf(assertThrows(MessageFailure.class, () -> publish(endpoint)).getMessage());
  }

  private MessageSource subscribed(MessageEndpoint endpoint) throws MessageFailure {
    return connection.subscribe(new AmqpConsumption(endpoint, inbox), () -> done.add("released"));
  }

  private void deliver(String payload, Map<String, Object> headers) throws IOException {
    Objects.requireNonNull(delivers)
        .handle(
            "tag",
            new Delivery(
                new Envelope(3, false, "shop", "orders.placed"),
                new BasicProperties.Builder()
                    .contentType("text/plain")
                    .correlationId("c-1")
                    .headers(headers)
                    .build(),
                payload.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void shouldPublishToAnExchange() throws Exception {
    publish(endpoint(null, "shop", true));

    assertEquals(List.of("publish shop orders.placed true 7", "abort"), done);
    BasicProperties sent = Objects.requireNonNull(properties);
    assertEquals("application/json", sent.getContentType());
    assertEquals("i-t0", sent.getMessageId());
    assertEquals(2, sent.getDeliveryMode(), "persistent");
    assertEquals("t1", sent.getHeaders().get("trace"));
  }

  @Test
  void shouldPublishToAQueueByItsName() throws Exception {
    publish(endpoint("work", null, false));
    publish(endpoint(null, null, false));

    assertEquals(
        List.of("publish  work false 7", "abort", "publish  orders.placed false 7", "abort"), done);
  }

  @Test
  void shouldFailWhereTheServerDoesNotTakeAMessage() {
    confirms = false;
    assertTrue(refusal(endpoint("work", null, false)).contains("found that it refused"));
    assertEquals("abort", done.getLast());

    confirms = true;
    routes = false;
    assertTrue(refusal(endpoint("work", null, true)).endsWith("found none: NO_ROUTE"));

    hasChannels = false;
    assertTrue(refusal(endpoint("work", null, true)).contains("too many"));
  }

  @Test
  void shouldConsumeAQueueAndAcknowledgeEachMessage() throws Exception {
    MessageSource source = subscribed(endpoint("work", null, false));
    assertEquals(List.of("qos 1", "consume work false"), done);

    deliver("hi", Map.of("n", 5));
    InboundMessage message = inbox.messages.getFirst();
    assertEquals("hi", text(message.payload()));
    assertEquals("text/plain", message.contentType());
    assertEquals("c-1", message.correlationId());
    assertEquals(Map.of("n", "5"), message.headers());
    assertEquals(2, done.size(), "not acknowledged yet");

    message.acknowledgement().run();
    source.close(true);
    assertEquals(List.of("qos 1", "consume work false", "ack 3 false", "abort", "released"), done);
  }

  @Test
  void shouldConsumeAnExchangeByAQueueOfItsOwn() throws Exception {
    MessageSource source = subscribed(endpoint(null, "shop", false));

    assertEquals(List.of("qos 1", "bind own shop orders.placed", "consume own false"), done);
    source.close(false);
  }

  @Test
  void shouldEndWithItsQueueOrItsConnection() throws Exception {
    MessageSource source = subscribed(endpoint("work", null, false));
    ConsumerShutdownSignalCallback ended = Objects.requireNonNull(ends);
    ended.handleShutdownSignal("tag", new ShutdownSignalException(true, true, null, this));
    assertEquals(List.of(), inbox.failures, "this engine has closed it");

    ended.handleShutdownSignal("tag", new ShutdownSignalException(true, false, null, this));
    Objects.requireNonNull(cancels).handle("tag");
    source.close(false);

    assertEquals(2, inbox.failures.size());
    String detail = String.valueOf(inbox.failures.getLast().detail());
    assertTrue(detail.contains("deleted"), detail);
  }
}
