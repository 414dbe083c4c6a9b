package dev.pinion.bootstrap.client.asyncapi;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Dispatcher;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to a NATS server. Never reconnects: the next task opens another one. */
final class NatsConnection implements MessageConnection {
  private static final Logger LOG = LoggerFactory.getLogger(NatsConnection.class);
  private static final Duration PING = Duration.ofSeconds(20);

  private final Connection connection;
  private final Duration patience;
  private final Set<MessageInbox> inboxes;

  private NatsConnection(Connection connection, Duration patience, Set<MessageInbox> inboxes) {
    this.connection = connection;
    this.patience = patience;
    this.inboxes = inboxes;
  }

  /** Opens a connection. */
  static NatsConnection open(ConnectionKey key, MessageTls tls, Duration patience)
      throws MessageFailure, InterruptedException {
    Set<MessageInbox> inboxes = ConcurrentHashMap.newKeySet();
    boolean secure = key.server().secure();
    Options.Builder options =
        new Options.Builder()
            .server((secure ? "tls://" : "nats://") + key.server())
            .connectionName("pinion")
            .maxReconnects(0)
            .ignoreDiscoveredServers()
            .connectionTimeout(patience)
            .pingInterval(PING)
            .connectionListener(new Ends(inboxes))
            .errorListener(new Errors());
    if (secure) {
      options.sslContext(tls.forSockets());
    }
    MessageCredentials credentials = key.credentials();
    String user = credentials == null ? null : credentials.user();
    if (credentials != null && user != null) {
      options.userInfo(user.toCharArray(), credentials.secret().toCharArray());
    } else if (credentials != null) {
      options.token(credentials.secret().toCharArray());
    }
    try {
      return new NatsConnection(Nats.connect(options.build()), patience, inboxes);
    } catch (IOException | RuntimeException e) {
      throw MessageFailure.communication("a connection to the NATS server " + key.server(), e);
    }
  }

  /** Sends a message; returns when the server has it. */
  void publish(OutgoingMessage message, @Nullable String id)
      throws MessageFailure, InterruptedException {
    if (message.payload().length > connection.getMaxPayload()) {
      throw MessageFailure.communication(
          "expected a message of at most "
              + connection.getMaxPayload()
              + " bytes, which the NATS server takes, found one of "
              + message.payload().length);
    }
    Headers headers = new Headers();
    message.headers().forEach((name, value) -> headers.add(name, value));
    if (id != null) {
      headers.put("Nats-Msg-Id", id);
    }
    try {
      connection.publish(
          NatsMessage.builder()
              .subject(message.endpoint().address())
              .headers(headers)
              .data(message.payload())
              .build());
      connection.flush(patience);
    } catch (TimeoutException | IllegalStateException | IllegalArgumentException e) {
      throw MessageFailure.communication("the NATS server to take " + message, e);
    }
  }

  /** Subscribes to a subject; returns when the server knows. */
  Dispatcher subscribe(String subject, @Nullable String queue, MessageInbox inbox)
      throws MessageFailure, InterruptedException {
    try {
      Dispatcher dispatcher = connection.createDispatcher();
      inboxes.add(inbox);
      if (queue == null || queue.isEmpty()) {
        dispatcher.subscribe(subject, message -> take(message, inbox));
      } else {
        dispatcher.subscribe(subject, queue, message -> take(message, inbox));
      }
      connection.flush(patience);
      return dispatcher;
    } catch (TimeoutException | IllegalStateException | IllegalArgumentException e) {
      inboxes.remove(inbox);
      throw MessageFailure.communication("a subscription to " + subject, e);
    }
  }

  /** Hands a message over and waits for room; meanwhile further ones are kept up to a bound. */
  private static void take(Message message, MessageInbox inbox) throws InterruptedException {
    Map<String, String> headers = new TreeMap<>();
    if (message.hasHeaders()) {
      for (String name : message.getHeaders().keySet()) {
        headers.put(name, String.valueOf(message.getHeaders().getFirst(name)));
      }
    }
    InboundMessage received =
        new InboundMessage(
            message.getData(),
            headers.get("Content-Type"),
            headers,
            null,
            InboundMessage.NO_ACKNOWLEDGEMENT);
    if (!inbox.put(received)) {
      var _ = inbox.awaitRoom();
    }
  }

  /** Ends a subscription. */
  void unsubscribe(Dispatcher dispatcher, MessageInbox inbox) {
    inboxes.remove(inbox);
    if (dispatcher.isActive()) {
      connection.closeDispatcher(dispatcher);
    }
  }

  @Override
  public boolean isOpen() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells the subscriptions that the connection has ended. */
  private record Ends(Set<MessageInbox> inboxes) implements ConnectionListener {
    @Override
    @SuppressWarnings("deprecation") // there is no other way to listen
    public void connectionEvent(Connection connection, Events event) {
      if (event == Events.CLOSED || event == Events.DISCONNECTED) {
        inboxes.forEach(
            each ->
                each.failed(
                    MessageFailure.communication(
                        "expected the connection to the NATS server to stay, found it closed")));
      }
    }
  }

  private static final class Errors implements ErrorListener {
    @Override
    public void errorOccurred(Connection connection, String error) {
      LOG.debug("the NATS server reports: {}", error);
    }

    @Override
    public void exceptionOccurred(Connection connection, Exception e) {
      LOG.debug("NATS", e);
    }
  }
}
