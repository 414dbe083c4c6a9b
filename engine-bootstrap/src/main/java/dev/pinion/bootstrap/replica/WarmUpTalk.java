package dev.pinion.bootstrap.replica;

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
 * What is said to an engine to warm it up: definitions, then starts of a process that calls another
 * process of the same engine over HTTP, and questions, until time or requests have run out. Written
 * on a plain socket, so that it loads no HTTP client that the replica does not need.
 */
final class WarmUpTalk {
  private static final String HEAD =
      """
      document: { dsl: '1.0.3', namespace: warm-up, name: %s, version: '1.0.0' }
      do:
      """;

  private static final String ANSWERING =
      HEAD.formatted("answering")
          + "  - answer: { set: { text: '${ \"n is \" + (.n | tostring) }', n: '${ .n + 1 }' } }\n";

  private static final String CALLING =
      HEAD.formatted("calling")
          + """
            - two:
                fork:
                  branches:
                    - a: { set: { some: '${ [.n, 2, 3] | map(. * 2) | add }' } }
                    - b:
                        call: http
                        with:
                          method: post
                          endpoint: 'http://127.0.0.1:PORT/v1/namespaces/warm-up/definitions/answering/instances'
                          body: { input: { n: '${ .n }' } }
            - again:
                call: http
                with: { method: get, endpoint: 'http://127.0.0.1:PORT/livez', headers: { accept: '*/*' } }
            - last: { set: { all: '${ . | tostring | length }', some: [ 1.5, null, true, [ ], { } ] } }
          """;

  /** What a process of others may well be: nothing of it is computed, and nothing is kept. */
  private static final String PLAIN =
      """
      document:
        dsl: '1.0.3'
        namespace: warm-up
        name: plain
        version: '1.0.0'
        metadata: { pinion: { durability: none } }
      do:
        - only:
            call: http
            with:
              method: post
              endpoint: 'http://127.0.0.1:PORT/v1/namespaces/warm-up/definitions/answering/instances'
              body: { input: { n: 1 } }
      """;

  private final Clock clock;
  private final int most;
  private final BooleanSupplier toEnd;
  private int answered;

  /**
   * A talk.
   *
   * @param most requests after which it ends
   * @param toEnd whether it is to end before the next request
   */
  WarmUpTalk(Clock clock, int most, BooleanSupplier toEnd) {
    this.clock = clock;
    this.most = most;
    this.toEnd = toEnd;
  }

  /** Requests answered so far. */
  int answered() {
    return answered;
  }

  /**
   * Talks to the engine at a loopback port.
   *
   * @param time after which it ends, also in the middle of an answer; in milliseconds from 1 on
   * @throws IOException when an answer tells of an error, or a connection ends without one
   */
  void with(int port, Duration time) throws IOException {
    try {
      talk(port, time);
    } catch (SocketTimeoutException e) {
      // No answer is waited for beyond the end.
    }
  }

  private void talk(int port, Duration time) throws IOException {
    long endNanos = clock.nanoTime() + time.toNanos();
    Requests requests = new Requests(port);
    String there = Integer.toString(port);
    converse(
        port,
        endNanos,
        List.of(
            requests.post("/v1/definitions", "application/yaml", ANSWERING),
            requests.post("/v1/definitions", "application/yaml", CALLING.replace("PORT", there)),
            requests.post("/v1/definitions", "application/yaml", PLAIN.replace("PORT", there))));
    for (int round = 0; goesOn(endNanos); round++) {
      converse(port, endNanos, round(requests, round));
    }
  }

  /** Others in each round, as those of clients are: names, lengths and kinds differ. */
  private static List<String> round(Requests requests, int round) {
    String input =
        "{\"n\":" + round + ",\"name" + round + "\":[\"" + "x".repeat(round % 40) + "\"]}";
    return List.of(
        requests.start("plain", "{}"),
        requests.start("calling", "{\"input\":" + input + "}"),
        requests.start(
            "calling", "{\"labels\":{\"round\":\"" + round + "\"},\"input\":" + input + "}"),
        requests.get("/v1/instances?limit=1"));
  }

  /** On a connection of its own, as a first request has one. */
  private void converse(int port, long endNanos, List<String> requests) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), left(endNanos));
      Wire wire = new Wire(socket);
      useNewMemory();
      for (String request : requests) {
        if (goesOn(endNanos)) {
          ask(wire, request, endNanos);
        }
      }
    }
  }

  /** Of Netty's chunks of memory each is new once only, which happens too rarely to be compiled. */
  private static void useNewMemory() {
    Unpooled.directBuffer(1).writeBytes(new byte[] {1}).release();
  }

  private void ask(Wire wire, String request, long endNanos) throws IOException {
    int status = wire.ask(request, left(endNanos));
    if (status < 200 || status > 299) {
      throw new IOException(
          "expected a status from 200 to 299, found "
              + status
              + " for "
              + request.lines().findFirst().orElse(""));
    }
    answered++;
  }

  private boolean goesOn(long endNanos) {
    return answered < most && left(endNanos) > 1 && !toEnd.getAsBoolean();
  }

  /** Milliseconds until then, at least 1: 0 would mean for ever. */
  private int left(long endNanos) {
    return (int) Math.max(1, (endNanos - clock.nanoTime()) / 1_000_000);
  }

  /**
   * Requests to a loopback port.
   *
   * @param port where they are sent
   */
  private record Requests(int port) {
    String get(String path) {
      return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
    }

    String start(String name, String body) {
      return post(
          "/v1/namespaces/warm-up/definitions/" + name + "/instances", "application/json", body);
    }

    /** ASCII only. */
    String post(String path, String type, String body) {
      return "POST "
          + path
          + " HTTP/1.1\r\nHost: 127.0.0.1:"
          + port
          + "\r\nContent-Type: "
          + type
          + "\r\nContent-Length: "
          + body.length()
          + "\r\n\r\n"
          + body;
    }
  }

  /** HTTP/1.1 as far as the engine's answers need it: lengths that are told, no chunks. */
  private static final class Wire {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Wire(Socket socket) throws IOException {
      this.socket = socket;
      this.in = new BufferedInputStream(socket.getInputStream());
      this.out = new BufferedOutputStream(socket.getOutputStream());
    }

    /** Sends and waits for the answer; its status. */
    int ask(String request, int atMostMillis) throws IOException {
      socket.setSoTimeout(atMostMillis);
      out.write(request.getBytes(StandardCharsets.US_ASCII));
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
