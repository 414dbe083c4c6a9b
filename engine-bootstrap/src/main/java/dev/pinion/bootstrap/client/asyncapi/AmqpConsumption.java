package dev.pinion.bootstrap.client.asyncapi;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Consumption of a queue, or of what comes to an exchange while somebody listens.
 *
 * @param endpoint the channel
 * @param inbox receives the messages
 */
record AmqpConsumption(MessageEndpoint endpoint, MessageInbox inbox) {
  /** The server waits for the acknowledgement of each message, since it counts no bytes. */
  private static final int ONE_AT_A_TIME = 1;

  /** Consumes on a channel; a message that is not acknowledged goes back when it is closed. */
  void begin(Channel channel) throws IOException {
    channel.basicQos(ONE_AT_A_TIME);
    channel.basicConsume(
        queue(channel),
        false,
        (tag, delivery) -> inbox.put(message(channel, delivery)),
        tag ->
            inbox.failed(
                MessageFailure.communication(
                    "expected the queue to stay, found that the AMQP server has deleted it")),
        (tag, signal) -> ended(signal));
  }

  private void ended(ShutdownSignalException signal) {
    if (signal.isInitiatedByApplication()) {
      return; // by this engine
    }
    inbox.failed(MessageFailure.communication("the connection to the AMQP server to stay", signal));
  }

  /** The queue; for an exchange one of its own, which ends with the connection. */
  private String queue(Channel channel) throws IOException {
    MessageOptions options = endpoint.options();
    String exchange = options.exchange();
    if (exchange == null) {
      return options.queue() == null ? endpoint.address() : options.queue();
    }
    String queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, exchange, endpoint.address());
    return queue;
  }

  private static InboundMessage message(Channel channel, Delivery delivery) {
    BasicProperties properties = delivery.getProperties();
    Map<String, String> headers = new TreeMap<>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
    }
    long tag = delivery.getEnvelope().getDeliveryTag();
    return new InboundMessage(
        delivery.getBody(),
        properties.getContentType(),
        headers,
        properties.getCorrelationId(),
        () -> acknowledge(channel, tag));
  }

  private static void acknowledge(Channel channel, long tag) {
    try {
      channel.basicAck(tag, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
