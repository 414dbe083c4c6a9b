package dev.pinion.benchmarks.experiments.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** All kinds of hostile requests, in an order that depends on a seed only. */
final class HostileRequests {
  private static final int DEPTH = 100_000;
  private static final int GIBI = 1 << 30;
  private static final String HOST = "host: 127.0.0.1\r\n";
  private static final String JSON = "content-type: application/json\r\n";
  private static final String CLOSE = "connection: close\r\n";

  private final List<List<HostileRequest>> kinds =
      List.of(malformed(), deepJson(), hugeBody(), endless(), slow());
  private final List<List<HostileRequest>> turn = new ArrayList<>();
  private final Random random;

  HostileRequests(long seed) {
    this.random = new Random(seed);
  }

  /** The next request; each five have one of each kind, in any variant. */
  HostileRequest next() {
    if (turn.isEmpty()) {
      turn.addAll(kinds);
      Collections.shuffle(turn, random);
    }
    List<HostileRequest> variants = turn.removeLast();
    return variants.get(random.nextInt(variants.size()));
  }

  /** All requests. */
  static List<HostileRequest> all() {
    return new HostileRequests(0).kinds.stream().flatMap(List::stream).toList();
  }

  private static List<HostileRequest> malformed() {
    String post = "POST " + HostileDefinition.UNTIL.instances() + " HTTP/1.1\r\n" + HOST + JSON;
    String get = "GET /v1/definitions HTTP/1.1\r\n" + HOST;
    return List.of(
        awaited("request line of one word", "nonsense\r\n\r\n"),
        awaited("unknown protocol", "GET / HTTP/9.9\r\n" + HOST + "\r\n"),
        awaited("header without colon", get + "no colon here\r\n\r\n"),
        awaited(
            "two lengths",
            post + "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
        awaited("bad chunk", post + "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
        awaited("bad length", post + "content-length: -1\r\n\r\n"),
        awaited("zero bytes", "GET /\0\0 HTTP/1.1\r\nho\0st: x\r\n\r\n"),
        awaited("large header", get + "x-large: " + "x".repeat(64 << 10) + "\r\n\r\n"),
        awaited("many headers", get + "x: y\r\n".repeat(1_000) + "\r\n"),
        awaited("long URI", "GET /" + "a".repeat(64 << 10) + " HTTP/1.1\r\n" + HOST + "\r\n"),
        awaited("garbage after a request", get + "\r\n" + "\u0001\u00ff".repeat(512) + "\r\n\r\n"));
  }

  private static List<HostileRequest> deepJson() {
    return List.of(
        awaited(
            "deep arrays",
            start(
                HostileDefinition.UNTIL,
                "",
                "{\"input\":" + "[".repeat(DEPTH) + "]".repeat(DEPTH) + "}")),
        awaited(
            "deep objects",
            start(
                HostileDefinition.UNTIL,
                "",
                "{\"input\":" + "{\"a\":".repeat(DEPTH) + "1" + "}".repeat(DEPTH) + "}")));
  }

  private static List<HostileRequest> hugeBody() {
    String start = "{\"input\":\"" + "x".repeat(1_000);
    return List.of(
        awaited("huge input", head(HostileDefinition.UNTIL, "", GIBI) + start),
        awaited(
            "huge definition",
            "POST /v1/definitions HTTP/1.1\r\n"
                + HOST
                + JSON
                + "content-length: "
                + GIBI
                + "\r\n\r\n"
                + start));
  }

  private static List<HostileRequest> endless() {
    List<HostileRequest> starts = new ArrayList<>();
    for (HostileDefinition definition : HostileDefinition.values()) {
      starts.add(awaited(definition.id() + ", awaited", start(definition, "", "{\"input\":{}}")));
      starts.add(
          awaited(
              definition.id() + ", in the background",
              start(definition, "prefer: respond-async\r\n", "{\"input\":{}}")));
    }
    return starts;
  }

  private static List<HostileRequest> slow() {
    return List.of(
        abandoned("half a head", "POST /v1/definitions HTTP/1.1\r\nho"),
        abandoned("half a body", head(HostileDefinition.UNTIL, "", 100) + "{\"input\":"),
        abandoned(
            "half a chunk",
            "POST /v1/definitions HTTP/1.1\r\n"
                + HOST
                + JSON
                + "transfer-encoding: chunked\r\n\r\n10\r\nabc"));
  }

  private static String start(HostileDefinition definition, String headers, String body) {
    return head(definition, headers + CLOSE, body.length()) + body;
  }

  private static String head(HostileDefinition definition, String headers, int length) {
    return "POST "
        + definition.instances()
        + " HTTP/1.1\r\n"
        + HOST
        + JSON
        + headers
        + "content-length: "
        + length
        + "\r\n\r\n";
  }

  private static HostileRequest awaited(String kind, String text) {
    return new HostileRequest(kind, text.getBytes(ISO_8859_1), false);
  }

  private static HostileRequest abandoned(String kind, String text) {
    return new HostileRequest(kind, text.getBytes(ISO_8859_1), true);
  }
}
