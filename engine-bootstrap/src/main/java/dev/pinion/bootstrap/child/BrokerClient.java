package dev.pinion.bootstrap.child;

import dev.pinion.core.spi.BrokerGateway;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Queries the broker over its socket, on separate threads. A broker that is missing, hangs or
 * responds with nonsense costs the caller a time limit and affects nothing else.
 */
public final class BrokerClient implements BrokerGateway {
  /** Concurrent queries. */
  static final int MAX_THREADS = 4;

  /** Most queries that wait for a thread. */
  static final int MAX_WAITING = 64;

  /** Time limit of a query, without the wait for others. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long IDLE_SECONDS = 10;

  private final Path socket;
  private final Duration patience;
  private final ExecutorService threads;
  private final ScheduledExecutorService clock;

  private BrokerClient(Path socket, Duration patience) {
    this.socket = socket;
    this.patience = patience;
    ThreadFactory daemons = Thread.ofPlatform().daemon().name("broker-client-", 0).factory();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            daemons);
    pool.allowCoreThreadTimeOut(true);
    this.threads = pool;
    this.clock = ConnectionDeadline.clock(daemons);
  }

  /** A client of the broker that listens on a socket, now or later. */
  public static BrokerClient at(Path socket) {
    return at(socket, PATIENCE);
  }

  public static BrokerClient at(Path socket, Duration patience) {
    return new BrokerClient(socket, patience);
  }

  @Override
  public CompletableFuture<BrokerResponse> send(BrokerRequest brokerRequest) {
    try {
      return CompletableFuture.supplyAsync(() -> answer(brokerRequest), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(
          BrokerResponse.problem(
              BrokerStatus.UNAVAILABLE, "too many questions wait for the broker"));
    }
  }

  private BrokerResponse answer(BrokerRequest brokerRequest) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        ConnectionDeadline _ = ConnectionDeadline.of(clock, channel, patience)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      BrokerProtocol.send(channel, brokerRequest);
      return BrokerProtocol.reply(channel);
    } catch (IOException | RuntimeException e) {
      return BrokerResponse.problem(
          BrokerStatus.UNAVAILABLE,
          "the broker does not answer ("
              + e.getClass().getSimpleName()
              + "); it is being started, or was not asked for with --broker on; whether a change was"
              + " made is unknown, and the same request may be repeated");
    }
  }
}
