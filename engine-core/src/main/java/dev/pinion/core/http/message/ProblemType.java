package dev.pinion.core.http.message;

/**
 * The kinds of problem that clients receive. The code is stable and part of the type URI (RFC 9457
 * section 3.1.1).
 */
public enum ProblemType {
  MALFORMED_HTTP("malformed-http", 400, "Malformed HTTP message"),
  BAD_TARGET("bad-target", 400, "Bad request target"),
  BAD_PARAMETER("bad-parameter", 400, "Bad parameter"),
  BAD_CURSOR("bad-cursor", 400, "Bad cursor"),
  BAD_BODY("bad-body", 400, "Bad request body"),
  NOT_SUPPORTED("not-supported", 400, "Not supported yet"),
  UNAUTHENTICATED("unauthenticated", 401, "Who calls is not known"),
  NOT_CONTRACTED("not-contracted", 403, "No contract of this class"),
  CROSS_SITE("cross-site", 403, "Cross-site request refused"),
  NOT_FOUND("not-found", 404, "Not found"),
  UNKNOWN_CURSOR("unknown-cursor", 404, "No such page"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "Method not allowed"),
  NOT_ACCEPTABLE("not-acceptable", 406, "Not acceptable"),
  REQUEST_TIMEOUT("request-timeout", 408, "Request timeout"),
  DEFINITION_CONFLICT("definition-conflict", 409, "Definition conflict"),
  DEFINITION_IN_USE("definition-in-use", 409, "Definition in use"),
  DEFINITION_DISABLED("definition-disabled", 409, "Definition disabled"),
  STILL_RUNNING("still-running", 409, "The instance of this key is under way"),
  INSTANCE_ENDED("instance-ended", 409, "Instance has ended"),
  INSTANCE_STATE("instance-state", 409, "Not possible in this state"),
  INSTANCE_FAULTED("instance-faulted", 409, "Instance has faulted"),
  INSTANCE_CANCELLED("instance-cancelled", 409, "Instance was cancelled"),
  OUTPUT_NOT_JSON("output-not-json", 409, "Output cannot be written as JSON"),
  TOO_LARGE_TO_DRAW("too-large-to-draw", 409, "Definition too large to draw"),
  FORGOTTEN("forgotten", 410, "No longer kept"),
  NOT_AWAITED("not-awaited", 410, "Nothing waits for this answer"),
  NOT_ADMITTED("not-admitted", 409, "It cannot be kept with existing promises"),
  EVENT_CONFLICT("event-conflict", 409, "Another event of this source and id"),
  PRECONDITION_FAILED("precondition-failed", 412, "Precondition failed"),
  BODY_TOO_LARGE("body-too-large", 413, "Request body too large"),
  URI_TOO_LONG("uri-too-long", 414, "Request line too long"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "Unsupported media type"),
  EXPECTATION_FAILED("expectation-failed", 417, "Expectation failed"),
  MISDIRECTED("misdirected", 421, "Not for this engine"),
  INVALID_DEFINITION("invalid-definition", 422, "Invalid definition"),
  INVALID_CONTRACT("invalid-contract", 422, "Invalid document for the broker"),
  INVALID_HANDLERS("invalid-handlers", 422, "Invalid chains of handlers"),
  KEY_REUSED("key-reused", 422, "Idempotency-Key used for another start"),
  NOT_JOURNALLED("not-journalled", 422, "The instance would not be journalled"),
  THROTTLED("throttled", 429, "More than contracted"),
  TOO_MANY_EVENTS("too-many-events", 429, "Too many events wait"),
  HEADERS_TOO_LARGE("headers-too-large", 431, "Header fields too large"),
  INTERNAL("internal", 500, "Internal error"),
  INSTANCE_FAULT("instance-fault", 502, "The instance ended with an error"),
  OVERLOAD("overload", 503, "Overloaded"),
  CLASS_NOT_SERVED("class-not-served", 503, "The plan does not serve this class"),
  NOT_YET("not-yet", 503, "The call is not under way yet"),
  DRAINING("draining", 503, "Shutting down"),
  REPLICA_LOST("replica-lost", 503, "A replica was lost"),
  REPLICA_UNAVAILABLE("replica-unavailable", 503, "A replica does not serve"),
  HISTORY_UNAVAILABLE("history-unavailable", 503, "The history cannot be asked now"),
  BROKER_UNAVAILABLE("broker-unavailable", 503, "The broker cannot answer now"),
  EVENTS_UNAVAILABLE("events-unavailable", 503, "Events cannot be kept now"),
  NOT_EVERYWHERE("not-everywhere", 503, "Not installed everywhere"),
  HTTP_VERSION("http-version", 505, "Unsupported HTTP version"),
  DISK_FULL("disk-full", 507, "Disk full");

  private static final String BASE = "https://pinion.dev/problems/";

  private final String code;
  private final int status;
  private final String title;

  ProblemType(String code, int status, String title) {
    this.code = code;
    this.status = status;
    this.title = title;
  }

  public String code() {
    return code;
  }

  public int status() {
    return status;
  }

  public String title() {
    return title;
  }

  String uri() {
    return BASE + code;
  }
}
