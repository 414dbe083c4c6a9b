package dev.pinion.bootstrap.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program with many concurrent connections. Those that send nothing are reopened as soon as they
 * are closed; those that send requests read no response.
 *
 * <p>Reads lines {@code on} and {@code off}, and repeats each when it has been carried out. Ends
 * with its input.
 */
final class HostileClients {
  private static final int SELECT_MILLIS = 50;

  private static final int FIRST_PORT = 10_000;
  private static final int LAST_PORT = 65_535;

  private final InetAddress from;
  private final InetSocketAddress to;
  private final int connections;
  private final byte[] requests;
  private final Selector selector = Selector.open();
  private final Set<SocketChannel> open = new HashSet<>();
  private final ByteBuffer scratch = ByteBuffer.allocate(1 << 10);
  private volatile boolean wanted;
  private volatile boolean ended;
  private boolean on;
  private long opened;
  private int port = FIRST_PORT;

  private HostileClients(String from, int port, int connections, int requests) throws IOException {
    this.from = InetAddress.getByName(from);
    this.to = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.connections = connections;
    String request = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    this.requests = request.repeat(requests).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Runs the program.
   *
   * @param args local address, port of the engine, number of connections, requests on each
   */
  public static void main(String[] args) throws IOException {
    HostileClients clients =
        new HostileClients(
            args[0],
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]));
    Thread.ofPlatform().daemon().start(clients::obey);
    clients.run();
  }

  private void obey() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (@Nullable String line = in.readLine(); line != null; line = in.readLine()) {
        wanted = line.equals("on");
      }
    } catch (IOException _) {
      // the test has ended
    }
    ended = true;
  }

  private void run() throws IOException {
    while (!ended) {
      selector.select(SELECT_MILLIS);
      Set<SelectionKey> ready = selector.selectedKeys();
      List<SelectionKey> now = new ArrayList<>(ready);
      ready.clear();
      now.forEach(this::serve);
      if (on != wanted) {
        turn();
      } else if (on) {
        openMissing();
      }
    }
  }

  private void turn() {
    on = wanted;
    if (on) {
      openMissing();
      System.out.println("on");
    } else {
      List.copyOf(open).forEach(this::close);
      System.out.println("off " + opened);
    }
  }

  private void openMissing() {
    for (int missing = connections - open.size(); missing > 0; missing--) {
      openOne();
    }
  }

  private void openOne() {
    @Nullable SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      open.add(channel);
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(new InetSocketAddress(from, nextPort()));
      channel.register(selector, SelectionKey.OP_CONNECT);
      if (channel.connect(to)) {
        connected(channel);
      }
    } catch (IOException _) {
      if (channel != null) {
        close(channel); // its port is not free yet: another one soon
      }
    }
  }

  /** Ports in turn: a system that searches for a free one among thousands computes for long. */
  private int nextPort() {
    port = port == LAST_PORT ? FIRST_PORT : port + 1;
    return port;
  }

  private void serve(SelectionKey key) {
    SocketChannel channel = (SocketChannel) key.channel();
    try {
      if (key.isConnectable() && channel.finishConnect()) {
        connected(channel);
      } else if (key.isReadable()) {
        scratch.clear();
        if (channel.read(scratch) < 0) {
          close(channel);
        }
      }
    } catch (IOException _) {
      close(channel);
    }
  }

  private void connected(SocketChannel channel) throws IOException {
    opened++;
    if (requests.length > 0) {
      channel.write(ByteBuffer.wrap(requests));
    }
    channel.register(selector, requests.length > 0 ? 0 : SelectionKey.OP_READ);
  }

  private void close(SocketChannel channel) {
    open.remove(channel);
    try {
      channel.close();
    } catch (IOException _) {
      // it is closed anyway
    }
  }
}
