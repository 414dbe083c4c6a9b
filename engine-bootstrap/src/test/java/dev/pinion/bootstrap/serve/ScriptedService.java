package dev.pinion.bootstrap.serve;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A service on the loopback interface with exponential times and random failures, drawn from a
 * seed. It can slow down, die (its port refuses connections, existing ones break) and return to its
 * port. A virtual thread for each connection.
 */
final class ScriptedService implements AutoCloseable {
  private final double seconds;
  private final double reliability;
  private final Random random;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile double slowdown = 1;
  private @Nullable ServerSocket listener;
  private final int port;

  /**
   * Starts a service on a free port.
   *
   * @param seconds mean time of a call
   * @param reliability probability of success
   */
  ScriptedService(double seconds, double reliability, long seed) throws IOException {
    this.seconds = seconds;
    this.reliability = reliability;
    this.random = new Random(seed);
    this.port = listen(0);
  }

  private synchronized int listen(int wanted) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 1_024);
    listener = socket;
    Thread.ofVirtual().start(() -> accept(socket));
    return socket.getLocalPort();
  }

  private void accept(ServerSocket from) {
    while (true) {
      try {
        Socket socket = from.accept();
        open.add(socket);
        if (from.isClosed()) {
          socket.close();
        }
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // it has died
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (readRequest(in)) {
        calls.incrementAndGet();
        LockSupport.parkNanos((long) (slowdown * seconds * random.nextExponential() * 1e9));
        String answer =
            random.nextDouble() < reliability
                ? "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
                : "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The client has closed, or this service has died.
    } finally {
      open.remove(socket);
    }
  }

  /** Reads a request to its end; false when the connection ends before it. */
  private static boolean readRequest(InputStream in) throws IOException {
    String line = line(in);
    if (line == null) {
      return false;
    }
    int length = 0;
    while (line != null && !line.isEmpty()) {
      String field = line.toLowerCase(Locale.ROOT);
      if (field.startsWith("content-length:")) {
        length = Integer.parseInt(field.substring("content-length:".length()).strip());
      }
      line = line(in);
    }
    if (in.readNBytes(length).length < length) {
      throw new EOFException("expected " + length + " bytes");
    }
    return line != null;
  }

  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return null;
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.US_ASCII);
  }

  String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** Number of calls so far. */
  int calls() {
    return calls.get();
  }

  /** Multiplies the times of calls from now on by a factor. */
  void slowDown(double times) {
    slowdown = times;
  }

  /** Closes all connections and refuses new ones. */
  synchronized void die() throws IOException {
    if (listener != null) {
      listener.close();
      listener = null;
    }
    for (Socket each : open) {
      each.close();
    }
  }

  /** Serves again on its port. */
  void comeBack() throws IOException {
    listen(port);
  }

  @Override
  public void close() {
    try {
      die();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
