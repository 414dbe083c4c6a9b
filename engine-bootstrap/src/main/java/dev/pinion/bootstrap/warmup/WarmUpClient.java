package dev.pinion.bootstrap.warmup;

import dev.pinion.core.model.Clock;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Sends a {@link WarmUpScript} to an engine, until time or requests have run out: on a plain
 * socket, so that it loads no HTTP client that the replica does not need. Requests that the engine
 * refuses, for instance by configured limits, do not stop the others.
 */
final class WarmUpClient {
  private final Clock clock;
  private final int most;
  private final BooleanSupplier toEnd;
  private int asked;
  private int responses;
  private String refusal = "";

  /**
   * A talk.
   *
   * @param most most requests
   * @param toEnd whether to end before the next request
   */
  WarmUpClient(Clock clock, int most, BooleanSupplier toEnd) {
    this.clock = clock;
    this.most = most;
    this.toEnd = toEnd;
  }

  /** Number of successful requests so far. */
  int responses() {
    return responses;
  }

  /** The first error response, for people; empty if there was none. */
  String refusal() {
    return refusal;
  }

  /**
   * Sends the requests to the engine at a loopback port.
   *
   * @param time after which it ends, even amid a response; at least 1 ms
   * @throws IOException when a connection ends without a response, or a response is invalid
   */
  void with(int port, Duration time) throws IOException {
    try {
      talk(port, time);
    } catch (SocketTimeoutException e) {
      // No response is awaited beyond the end.
    }
  }

  private void talk(int port, Duration time) throws IOException {
    long endNanos = clock.nanoTime() + time.toNanos();
    WarmUpScript script = new WarmUpScript(port);
    converse(port, endNanos, script.deployments());
    for (int round = 0; goesOn(endNanos); round++) {
      converse(port, endNanos, script.round(round));
    }
  }

  /** Uses a separate connection, like a first request. */
  private void converse(int port, long endNanos, List<String> requests) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), left(endNanos));
      PlainConnection plainConnection = new PlainConnection(socket);
      useNewMemory();
      for (String request : requests) {
        if (goesOn(endNanos)) {
          send(plainConnection, request, endNanos);
        }
      }
    }
  }

  /**
   * Uses fresh memory: each of Netty's chunks is fresh only once, which is too rare to be compiled.
   */
  private static void useNewMemory() {
    Unpooled.directBuffer(1).writeBytes(new byte[] {1}).release();
  }

  private void send(PlainConnection plainConnection, String request, long endNanos)
      throws IOException {
    int status = plainConnection.ask(request, left(endNanos));
    asked++;
    if (status >= 200 && status <= 299) {
      responses++;
    } else if (refusal.isEmpty()) {
      String what = request.lines().findFirst().orElse("");
      refusal = "expected a status from 200 to 299, found " + status + " for " + what;
    }
  }

  private boolean goesOn(long endNanos) {
    return asked < most && left(endNanos) > 1 && !toEnd.getAsBoolean();
  }

  /** Milliseconds until then, at least 1: 0 would mean no timeout. */
  private int left(long endNanos) {
    return (int) Math.max(1, (endNanos - clock.nanoTime()) / 1_000_000);
  }

  /** The subset of HTTP/1.1 in the engine's responses: known lengths, no chunks. */
  private static final class PlainConnection {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    PlainConnection(Socket socket) throws IOException {
      this.socket = socket;
      this.in = new BufferedInputStream(socket.getInputStream());
      this.out = new BufferedOutputStream(socket.getOutputStream());
    }

    /** Sends a request and waits for the response; returns its status. */
    int ask(String request, int atMostMillis) throws IOException {
      socket.setSoTimeout(atMostMillis);
      out.write(request.getBytes(StandardCharsets.UTF_8));
      out.flush();
      String statusLine = line();
      int length = 0;
      for (String field = line(); !field.isEmpty(); field = line()) {
        if (field.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(field.substring("content-length:".length()).trim());
        }
      }
      in.skipNBytes(length);
      return status(statusLine);
    }

    private static int status(String line) throws IOException {
      String[] words = line.split(" ", 3);
      if (words.length < 2 || !words[1].matches("[1-5][0-9]{2}")) {
        throw new IOException("expected the status line of an answer, found \"" + line + "\"");
      }
      return Integer.parseInt(words[1]);
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new IOException("expected an answer, found the end of the connection");
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }
  }
}
