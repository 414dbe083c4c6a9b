package dev.pinion.bootstrap.child;

import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers queries of replicas, each on a separate connection. */
public final class BrokerListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerListener.class);

  /** Longest time of reading a query and writing its response. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Concurrent queries: as many as eight replicas have under way, so that those that wait for a
   * solver leave capacity for observations of replicas.
   */
  private static final int MAX_THREADS = 40;

  private static final int MAX_WAITING = 256;

  /** Time after which a thread without queries ends. */
  private static final int IDLE_SECONDS = 10;

  private final ServerSocketChannel server;
  private final Function<BrokerRequest, BrokerResponse> handler;
  private final ExecutorService threads;
  private final ScheduledExecutorService clock;

  private BrokerListener(
      ServerSocketChannel server, Function<BrokerRequest, BrokerResponse> handler) {
    this.server = server;
    this.handler = handler;
    ThreadFactory daemons = Thread.ofPlatform().daemon().name("broker-request-", 0).factory();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            daemons);
    pool.allowCoreThreadTimeOut(true);
    threads = pool;
    clock = ConnectionDeadline.clock(daemons);
  }

  /**
   * Listens on a socket; a leftover one is replaced.
   *
   * @throws IOException when that is not possible
   */
  public static BrokerListener open(Path socket, Function<BrokerRequest, BrokerResponse> handler)
      throws IOException {
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    BrokerListener listener = new BrokerListener(server, handler);
    Thread.ofPlatform().daemon().name("broker-accept").start(listener::accept);
    return listener;
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        take(server.accept());
      } catch (IOException e) {
        if (server.isOpen()) {
          LOG.warn("a question could not be taken", e);
        }
      }
    }
  }

  private void take(SocketChannel channel) throws IOException {
    try {
      threads.execute(() -> answer(channel));
    } catch (RejectedExecutionException e) {
      channel.close();
    }
  }

  private void answer(SocketChannel channel) {
    try (channel;
        ConnectionDeadline _ = ConnectionDeadline.of(clock, channel, PATIENCE)) {
      BrokerProtocol.send(channel, handler.apply(BrokerProtocol.question(channel)));
    } catch (IOException | RuntimeException e) {
      LOG.warn("a question could not be answered", e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
    clock.shutdownNow();
  }
}
