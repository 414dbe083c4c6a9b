package dev.pinion.handlers.remote;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.Dispatcher;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.MessageHandler;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames over NATS, 2.9 or later. Reconnects for ever; what is sent while there is no connection is
 * lost at once, because it would be stale when there is one again.
 */
public final class NatsTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(NatsTransport.class);
  private static final Duration RECONNECT_WAIT = Duration.ofMillis(100);
  private static final Duration CONNECT_WAIT = Duration.ofSeconds(5);
  private static final Duration PING = Duration.ofSeconds(5);
  private static final long MAX_PENDING_MESSAGES = 65_536;
  private static final long MAX_PENDING_BYTES = 256L << 20;

  private final Connection connection;
  private final LongAdder lost = new LongAdder();

  private NatsTransport(Options.Builder options) throws IOException, InterruptedException {
    connection =
        Nats.connect(
            options
                .connectionTimeout(CONNECT_WAIT)
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_WAIT)
                .reconnectBufferSize(0)
                .pingInterval(PING)
                .connectionListener(new Listening())
                .errorListener(new Errors())
                .build());
  }

  /**
   * Connects.
   *
   * @param url servers as NATS has them, such as {@code nats://127.0.0.1:4222}, several with
   *     commas; user and password, or a token, before the host; {@code tls://} for TLS
   * @param name what the server's monitoring shows
   * @throws IOException when no server can be reached
   */
  public static NatsTransport connect(String url, String name)
      throws IOException, InterruptedException {
    return new NatsTransport(new Options.Builder().server(url).connectionName(name));
  }

  @Override
  public boolean send(String subject, byte[] frame) {
    if (!isConnected()) {
      lost.increment();
      return false;
    }
    try {
      connection.publish(subject, frame);
      return true;
    } catch (IllegalStateException | IllegalArgumentException e) { // closed, full or too large
      lost.increment();
      LOG.debug("a frame is not sent", e);
      return false;
    }
  }

  @Override
  public Transport.Subscription subscribe(String subject, String group, Receiver receiver) {
    Dispatcher dispatcher = connection.createDispatcher();
    dispatcher.setPendingLimits(MAX_PENDING_MESSAGES, MAX_PENDING_BYTES);
    MessageHandler handler = message -> receiver.received(message.getData());
    if (group.isEmpty()) {
      dispatcher.subscribe(subject, handler);
    } else {
      dispatcher.subscribe(subject, group, handler);
    }
    return () -> {
      if (dispatcher.isActive()) {
        connection.closeDispatcher(dispatcher);
      }
    };
  }

  @Override
  public boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  @Override
  public int maxBytes() {
    return (int) Math.min(Integer.MAX_VALUE, connection.getMaxPayload());
  }

  /** How many frames were lost here: for want of a connection or of room. */
  public long lost() {
    return lost.sum();
  }

  @Override
  public void close() {
    try {
      connection.flush(Duration.ofSeconds(1));
    } catch (Exception e) { // it was lost anyway
      LOG.debug("what was sent last may not have arrived", e);
    }
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Listening implements ConnectionListener {
    @Override
    @SuppressWarnings("deprecation") // there is no other way to listen
    public void connectionEvent(Connection connection, Events event) {
      switch (event) {
        case DISCONNECTED -> LOG.warn("the connection to the NATS server is lost");
        case RECONNECTED -> LOG.info("connected to the NATS server again");
        default -> LOG.debug("NATS: {}", event);
      }
    }
  }

  private final class Errors implements ErrorListener {
    @Override
    public void errorOccurred(Connection connection, String error) {
      LOG.warn("the NATS server says: {}", error);
    }

    @Override
    public void exceptionOccurred(Connection connection, Exception e) {
      LOG.debug("NATS", e);
    }

    @Override
    public void slowConsumerDetected(Connection connection, Consumer consumer) {
      LOG.warn("frames come faster than they are looked at; some are lost and come again");
    }

    @Override
    public void messageDiscarded(Connection connection, Message message) {
      lost.increment();
    }
  }
}
