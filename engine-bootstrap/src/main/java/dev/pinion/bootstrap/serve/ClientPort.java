package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.admin.HandoverLatencies;
import dev.pinion.bootstrap.admin.HandoverStatistics;
import dev.pinion.bootstrap.dispatch.ConnectionDispatcher;
import dev.pinion.bootstrap.dispatch.ListeningSocket;
import dev.pinion.bootstrap.process.OpenFiles;
import dev.pinion.bootstrap.protocol.DispatchMode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The one port that clients know, as far as it concerns the parent. */
interface ClientPort extends AutoCloseable {
  /** File descriptors that the parent needs for processes, their pipes, and operators. */
  int OTHER_FILES = 128;

  /** Port in the settings of replicas; 0 when a replica chooses. */
  int port();

  /**
   * Called when the set of serving replicas changes. Must return immediately.
   *
   * @param replicas their indexes
   */
  void onServingChanged(Set<Integer> replicas);

  /** Statistics of connections handed over; empty where replicas accept connections themselves. */
  default Optional<HandoverStatistics> handover() {
    return Optional.empty();
  }

  @Override
  void close() throws IOException;

  /**
   * Binds the port, before any replica is started.
   *
   * @param dispatchMode dispatch of requests to replicas
   * @param address address for clients; port 0 for any free one
   * @param runDirectory folder of the sockets between parent and replicas
   * @param monotonicNanos the machine's monotonic clock
   * @param log receives messages about sockets and connections that could not be accepted or handed
   *     over
   * @throws IOException when the port is taken
   */
  static ClientPort bind(
      DispatchMode dispatchMode,
      InetSocketAddress address,
      Path runDirectory,
      LongSupplier monotonicNanos,
      Consumer<String> log)
      throws IOException {
    return switch (dispatchMode) {
      case DIRECT -> new Direct(address.getPort());
      case INHERITED -> new Inherited(new ListeningSocket(address, runDirectory), log);
      case REUSEPORT -> ReusePort.take(address);
      case HANDOVER, ROUND_ROBIN, LEAST_LOADED -> {
        HandoverLatencies times = new HandoverLatencies();
        yield new Handover(
            new ConnectionDispatcher(
                address, runDirectory, mostHeld(), monotonicNanos, times::add, log),
            times);
      }
    };
  }

  private static int mostHeld() {
    OpenFiles files = OpenFiles.now();
    int left = files.limit() - files.open() - OTHER_FILES;
    return Math.clamp(left, 1, ConnectionDispatcher.MAX_HELD);
  }

  /**
   * The port of the only replica, which listens itself.
   *
   * @param port configured port
   */
  record Direct(int port) implements ClientPort {
    @Override
    public void onServingChanged(Set<Integer> replicas) {
      // the replica itself accepts connections, or no process does
    }

    @Override
    public void close() {}
  }

  /**
   * The port of the only replica, which accepts on a socket of the parent.
   *
   * @param socket listening socket
   * @param log receives a message when the socket is not passed on in time
   */
  record Inherited(ListeningSocket socket, Consumer<String> log) implements ClientPort {
    /** Longest wait; after it, readiness is reported anyway. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    @Override
    public int port() {
      return socket.address().getPort();
    }

    @Override
    public void onServingChanged(Set<Integer> replicas) {
      // Clients wait while no process accepts. Before readiness is reported, the parent must have
      // passed the socket on: it may share the CPU of the event loop that responds.
      if (!socket.awaitIdle(SETTLING)) {
        log.accept("the listening socket was not passed on within " + SETTLING);
      }
    }

    @Override
    public void close() {
      socket.close();
    }
  }

  /**
   * A port at which several replicas listen. A socket of the parent that is bound but does not
   * listen keeps it while no replica runs, and receives no connections.
   *
   * @param socket the socket
   * @param port its port
   */
  record ReusePort(SocketChannel socket, int port) implements ClientPort {
    private static ReusePort take(InetSocketAddress address) throws IOException {
      SocketChannel socket = SocketChannel.open();
      try {
        socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        socket.bind(address);
        return new ReusePort(socket, ((InetSocketAddress) socket.getLocalAddress()).getPort());
      } catch (IOException | UnsupportedOperationException e) {
        socket.close();
        throw new IOException(
            "expected to take " + address + " for several replicas, but could not: " + e, e);
      }
    }

    @Override
    public void onServingChanged(Set<Integer> replicas) {
      // the operating system knows the listeners
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /**
   * A port on which the parent accepts connections for replicas that request them.
   *
   * @param dispatcher acceptor of the connections
   * @param times durations of hand-overs
   */
  record Handover(ConnectionDispatcher dispatcher, HandoverLatencies times) implements ClientPort {
    @Override
    public int port() {
      return dispatcher.address().getPort();
    }

    @Override
    public void onServingChanged(Set<Integer> replicas) {
      // a replica requests connections while it accepts them
    }

    @Override
    public Optional<HandoverStatistics> handover() {
      return Optional.of(
          new HandoverStatistics(
              times, dispatcher::handedOver, dispatcher::dropped, dispatcher::acceptFailures));
    }

    @Override
    public void close() {
      dispatcher.close();
    }
  }
}
