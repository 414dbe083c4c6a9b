package dev.pinion.bootstrap.client.asyncapi;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.pinion.core.model.call.MessageOptions;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** A connection to a server of AMQP 0-9-1. Never reconnects: the next task opens another one. */
final class AmqpConnection implements MessageConnection {
  private static final int HEARTBEAT_SECONDS = 20;
  private static final int PERSISTENT = 2;

  private final Connection connection;
  private final int patienceMillis;

  /** A connection of a library. */
  AmqpConnection(Connection connection, int patienceMillis) {
    this.connection = connection;
    this.patienceMillis = patienceMillis;
  }

  /** Opens a connection. */
  static AmqpConnection open(
      ConnectionKey key, MessageTls tls, int patienceMillis, int maxMessageBytes)
      throws MessageFailure {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(key.server().host());
    factory.setPort(key.server().port());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setConnectionTimeout(patienceMillis);
    factory.setHandshakeTimeout(patienceMillis);
    factory.setChannelRpcTimeout(patienceMillis);
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    factory.setMaxInboundMessageBodySize(maxMessageBytes);
    String path = key.server().path();
    if (!path.isEmpty()) {
      factory.setVirtualHost(URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8));
    }
    MessageCredentials credentials = key.credentials();
    if (credentials != null && credentials.user() != null) {
      factory.setUsername(credentials.user());
      factory.setPassword(credentials.secret());
    }
    if (key.server().secure()) {
      factory.useSslProtocol(tls.forSockets());
      factory.enableHostnameVerification();
    }
    try {
      return new AmqpConnection(factory.newConnection("pinion"), patienceMillis);
    } catch (IOException | TimeoutException | RuntimeException e) {
      throw MessageFailure.communication("a connection to the AMQP server " + key.server(), e);
    }
  }

  /** Sends a message; returns when the server has taken charge of it. */
  void publish(OutgoingMessage message) throws MessageFailure, InterruptedException {
    MessageOptions options = message.endpoint().options();
    String exchange = options.exchange() == null ? "" : options.exchange();
    String key =
        options.exchange() == null && options.queue() != null
            ? options.queue()
            : message.endpoint().address();
    AtomicReference<String> returned = new AtomicReference<>("");
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw MessageFailure.communication(
            "expected the AMQP server to open another channel, found that it has too many");
      }
      try {
        channel.confirmSelect();
        channel.addReturnListener(
            (code, reason, to, routingKey, properties, body) -> returned.set(reason));
        channel.basicPublish(
            exchange, key, options.mandatory(), properties(message), message.payload());
        if (!channel.waitForConfirms(patienceMillis)) {
          throw MessageFailure.communication(
              "expected the AMQP server to take " + message + ", found that it refused");
        }
      } finally {
        abort(channel);
      }
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      throw MessageFailure.communication("the AMQP server to take " + message, e);
    }
    if (!returned.get().isEmpty()) {
      throw MessageFailure.communication(
          "expected a queue for " + message + ", found none: " + returned.get());
    }
  }

  private static BasicProperties properties(OutgoingMessage message) {
    return new BasicProperties.Builder()
        .contentType(message.endpoint().contentType())
        .deliveryMode(PERSISTENT)
        .messageId(message.id())
        .correlationId(message.correlationId())
        .headers(new TreeMap<>(message.headers()))
        .build();
  }

  /** Subscribes; returns when the server knows. */
  MessageSource subscribe(AmqpConsumption consumption, Runnable released) throws MessageFailure {
    Channel channel = null;
    try {
      channel = connection.createChannel();
      if (channel == null) {
        throw MessageFailure.communication(
            "expected the AMQP server to open another channel, found that it has too many");
      }
      consumption.begin(channel);
    } catch (IOException | ShutdownSignalException e) {
      if (channel != null) {
        abort(channel);
      }
      throw MessageFailure.communication("a subscription to " + consumption, e);
    }
    Channel opened = channel;
    return finished -> {
      abort(opened);
      released.run();
    };
  }

  private static void abort(Channel channel) {
    try {
      channel.abort();
    } catch (IOException | ShutdownSignalException e) {
      // it is closed
    }
  }

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() {
    connection.abort(patienceMillis);
  }
}
