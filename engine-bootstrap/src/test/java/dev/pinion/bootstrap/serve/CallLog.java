package dev.pinion.bootstrap.serve;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Services that log all calls and answer each with a unique number, or as a rule says. A separate
 * server, because that of the JDK closes connections under calls when there are many.
 */
final class CallLog implements AutoCloseable {
  /** Last call of an instance. */
  static final String LAST = "/second";

  private static final int BACKLOG = 4_096;

  private final ServerSocket server;
  private final long delayNanos;
  private final Rule rule;
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

  /** Times of responses, by their number. */
  private final Map<Long, Long> answeredNanos = new ConcurrentHashMap<>();

  /** Statuses of responses other than 200, by their number. */
  private final Map<Long, Integer> refusals = new ConcurrentHashMap<>();

  private final Set<String> answeredLast = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();

  /**
   * A call.
   *
   * @param path called path
   * @param body sent body
   * @param key its idempotency key
   * @param attempt its number of the attempt, as sent by the caller
   * @param authorization its credentials; empty for none
   * @param answer number of the response
   * @param nanos time of arrival
   */
  record Call(
      String path,
      String body,
      String key,
      int attempt,
      String authorization,
      long answer,
      long nanos) {
    /** The calling instance. */
    String instance() {
      return key.substring(key.indexOf('"') + 1, key.lastIndexOf('-'));
    }
  }

  /** What services answer. Called by many threads. */
  interface Rule {
    Response answer(Call call);
  }

  /**
   * A response.
   *
   * @param body in JSON
   */
  record Response(int status, String body) {}

  /**
   * Services with a delay.
   *
   * @param delayMillis duration of each call
   */
  CallLog(long delayMillis) throws IOException {
    this(delayMillis, call -> new Response(200, "{\"number\":" + call.answer() + "}"));
  }

  /** Services with a delay that answer by a rule. */
  CallLog(long delayMillis, Rule rule) throws IOException {
    this.delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMillis);
    this.rule = rule;
    this.server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = server.accept();
        connections.add(connection);
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException e) {
      // closed by the test
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(connection.getInputStream());
      for (String first = line(in); !first.isEmpty(); first = line(in)) {
        Call call = log(in, first);
        answer(connection, call);
      }
    } catch (IOException e) {
      // the caller was killed, or the test ended
    } finally {
      connections.remove(connection);
    }
  }

  private Call log(InputStream in, String first) throws IOException {
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String field = line(in); !field.isEmpty(); field = line(in)) {
      String[] parts = field.split(":", 2);
      fields.put(parts[0], parts[1].strip());
    }
    long nanos = System.nanoTime();
    int length = Integer.parseInt(fields.getOrDefault("Content-Length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    long number = numbers.incrementAndGet();
    Call call =
        new Call(
            first.split(" ", 3)[1],
            body,
            fields.getOrDefault("Idempotency-Key", ""),
            Integer.parseInt(fields.getOrDefault("Pinion-Attempt", "0")),
            fields.getOrDefault("Authorization", ""),
            number,
            nanos);
    calls.add(call);
    return call;
  }

  private void answer(Socket connection, Call call) throws IOException {
    LockSupport.parkNanos(delayNanos);
    Response response = rule.answer(call);
    String answer =
        "HTTP/1.1 "
            + response.status()
            + " Answered\r\nContent-Type: application/json\r\nContent-Length: "
            + response.body().length()
            + "\r\n\r\n"
            + response.body();
    if (response.status() != 200) {
      refusals.put(call.answer(), response.status());
    }
    answeredNanos.put(call.answer(), System.nanoTime());
    if (call.path().equals(LAST)) {
      answeredLast.add(call.key());
    }
    connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
  }

  /** A line without its line end; empty at the end of the stream. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /** Time just before the response to a call; the maximum if there was none. */
  long answeredNanos(Call call) {
    return answeredNanos.getOrDefault(call.answer(), Long.MAX_VALUE);
  }

  /** Status of the response to a call, if it was not 200; 0 otherwise. */
  int refusal(Call call) {
    return refusals.getOrDefault(call.answer(), 0);
  }

  /** Number of instances whose last call was answered. */
  int answeredLast() {
    return answeredLast.size();
  }

  /** Calls so far, in order of arrival. */
  List<Call> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
