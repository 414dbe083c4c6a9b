package dev.pinion.core.http.message;

import dev.pinion.core.model.DiskFullDetector;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Problem details of one refusal (RFC 9457), with the header fields that belong to it. */
public final class Problem {
  /** Most characters of client data that a message repeats. */
  static final int MAX_QUOTED = 200;

  private final ProblemType type;
  private final String detail;
  private final Map<String, Payload> members = new LinkedHashMap<>();
  private final List<String> fields = new ArrayList<>(0);

  private Problem(ProblemType type, String detail) {
    this.type = type;
    this.detail = detail;
  }

  /** A problem; the detail says what was expected, what was found and what to do. */
  public static Problem of(ProblemType type, String detail) {
    return new Problem(type, detail);
  }

  /** The problem of a full engine at a named limit; the client may come back in a second. */
  public static Problem overload(String limit) {
    return overload(limit, 1);
  }

  /** The problem of a full engine at a named limit; the client may come back in some seconds. */
  public static Problem overload(String limit, int seconds) {
    return of(ProblemType.OVERLOAD, "the limit " + limit + " is reached; repeat the request later")
        .with("limit", Payload.of(limit))
        .field("retry-after", Integer.toString(seconds));
  }

  /** The problem of a full disk: the same message and time to wait in every operation. */
  public static Problem diskFull() {
    return of(ProblemType.DISK_FULL, DiskFullDetector.DETAIL).field("retry-after", "5");
  }

  /** The problem of a request that is refused, before it begins, because the engine shuts down. */
  public static Problem shuttingDown() {
    return of(ProblemType.DRAINING, "the engine is shutting down; start elsewhere")
        .field("retry-after", "1");
  }

  /** The problem for a client whose instance outlives the replica. */
  public static Problem lostAtShutdown() {
    return of(
            ProblemType.REPLICA_LOST,
            "the engine shuts down before the instance has ended; what became of it is unknown")
        .field("retry-after", "1");
  }

  /** Client data as it may stand in a message: quoted, and cut when it is long. */
  public static String quoted(String data) {
    String kept =
        data.codePointCount(0, data.length()) <= MAX_QUOTED
            ? data
            : data.substring(0, data.offsetByCodePoints(0, MAX_QUOTED)) + "…";
    return "\"" + kept + "\"";
  }

  /** Adds an extension member. */
  public Problem with(String member, Payload value) {
    members.put(member, value);
    return this;
  }

  /** Adds a header field. */
  public Problem field(String name, String value) {
    fields.add(name);
    fields.add(value);
    return this;
  }

  public ProblemType type() {
    return type;
  }

  public String detail() {
    return detail;
  }

  /** Header fields, alternating names and values. */
  public List<String> fields() {
    return fields;
  }

  public Payload toPayload() {
    Map<String, Payload> all = new LinkedHashMap<>();
    all.put("type", Payload.of(type.uri()));
    all.put("title", Payload.of(type.title()));
    all.put("status", Payload.of(type.status()));
    all.put("detail", Payload.of(detail));
    all.put("code", Payload.of(type.code()));
    all.putAll(members);
    return Payload.object(all);
  }
}
