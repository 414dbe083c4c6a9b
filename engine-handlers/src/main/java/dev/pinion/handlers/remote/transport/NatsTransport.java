package dev.pinion.handlers.remote.transport;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames over NATS, 2.9 or later. Reconnects endlessly; frames sent without a connection are lost
 * at once, because they would be stale after a reconnect.
 */
public final class NatsTransport implements FrameTransport {
  private static final Logger LOG = LoggerFactory.getLogger(NatsTransport.class);
  private static final Duration RECONNECT_WAIT = Duration.ofMillis(100);
  private static final int CONNECT_SECONDS = 5;
  private static final Duration PING = Duration.ofSeconds(5);
  private static final long MAX_PENDING_MESSAGES = 65_536;
  private static final long MAX_PENDING_BYTES = 256L << 20;

  private final Connection connection;
  private final LongAdder lost = new LongAdder();

  private NatsTransport(Options.Builder options) throws IOException, InterruptedException {
    connection =
        Nats.connect(
            options
                .connectionTimeout(Duration.ofSeconds(CONNECT_SECONDS))
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_WAIT)
                .reconnectBufferSize(0)
                .pingInterval(PING)
                .connectionListener(new NatsSubscription())
                .errorListener(new Errors())
                .build());
  }

  /**
   * Connects; the time-out for each named server is {@value #CONNECT_SECONDS} s.
   *
   * @param name name in the server's monitoring
   * @throws IOException when no server can be reached, or a file cannot be read
   */
  public static NatsTransport connect(NatsSettings settings, String name)
      throws IOException, InterruptedException {
    Options.Builder options = new Options.Builder().server(settings.servers()).connectionName(name);
    Path credentials = settings.credentials();
    if (credentials != null) {
      if (!Files.isReadable(credentials)) { // otherwise noticed at each connection, unreported
        throw new IOException("expected credentials that can be read, found " + credentials);
      }
      options.authHandler(Nats.credentials(credentials.toString()));
    }
    Path trust = settings.trust();
    if (trust != null) {
      options.sslContext(TrustedIssuers.context(trust));
    }
    return new NatsTransport(options);
  }

  /** Connects to servers that need nothing besides their addresses. */
  public static NatsTransport connect(String servers, String name)
      throws IOException, InterruptedException {
    return connect(NatsSettings.of(servers), name);
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
  public FrameTransport.Subscription subscribe(
      String subject, String group, FrameReceiver frameReceiver) {
    Dispatcher dispatcher = connection.createDispatcher();
    dispatcher.setPendingLimits(MAX_PENDING_MESSAGES, MAX_PENDING_BYTES);
    MessageHandler handler = message -> frameReceiver.received(message.getData());
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

  /** The store of frames at the servers of this connection. */
  public FrameStore store(Subjects subjects, StoreLimits limits) {
    return new NatsFrameStore(connection, subjects, limits);
  }

  @Override
  public boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  @Override
  public int maxBytes() {
    return (int) Math.min(Integer.MAX_VALUE, connection.getMaxPayload());
  }

  /** Number of frames lost here for lack of a connection or of room. */
  public long lost() {
    return lost.sum();
  }

  @Override
  public void close() {
    try {
      connection.flush(Duration.ofSeconds(1));
    } catch (Exception e) { // it was lost anyway
      LOG.debug("the last frames may not have arrived", e);
    }
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class NatsSubscription implements ConnectionListener {
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
      LOG.warn("the NATS server reports: {}", error);
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
