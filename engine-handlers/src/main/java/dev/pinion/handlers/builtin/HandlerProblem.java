package dev.pinion.handlers.builtin;

import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Verdict;
import java.util.Map;

/** The kinds of problems (RFC 9457) with which the handlers of this package refuse messages. */
public enum HandlerProblem {
  UNAUTHENTICATED("unauthenticated", 401, "Authentication needed"),
  BAD_SIGNATURE("bad-signature", 401, "Bad signature"),
  UNKNOWN_REFERENCE("unknown-reference", 422, "Unknown reference"),
  BAD_CODING("bad-content-coding", 400, "Bad content coding"),
  UNKNOWN_CODING("unknown-content-coding", 415, "Unknown content coding"),
  TOO_LARGE("too-large", 413, "Too large"),
  INVALID("invalid-body", 400, "Invalid body"),
  TOO_MANY("too-many-requests", 429, "Too many requests"),
  BAD_MESSAGE_ID("bad-message-id", 400, "Bad message id"),
  UNDER_WAY("message-under-way", 409, "Message under way"),
  ID_REUSED("message-id-reused", 422, "Message id used for another message"),
  NO_RESOURCE("no-such-resource", 404, "No such resource"),
  RESOURCE_EXISTS("resource-exists", 409, "Resource exists"),
  RESOURCE_BUSY("resource-busy", 409, "Resource being changed"),
  RESOURCE_CHANGED("resource-changed", 412, "Resource was changed"),
  UNDECIPHERABLE("undecipherable", 400, "Undecipherable"),
  KEY_EXHAUSTED("key-exhausted", 503, "Key used up"),
  OVERLOADED("overloaded", 503, "Overloaded");

  private static final String BASE = "https://pinion.dev/problems/";
  private static final String MEDIA_TYPE = "application/problem+json";

  private final String name;
  private final int status;
  private final String title;

  HandlerProblem(String name, int status, String title) {
    this.name = name;
    this.status = status;
    this.title = title;
  }

  /** Refuses a message. */
  public Verdict refuse(String detail) {
    return Verdict.refuse(BASE + name, title, status, detail);
  }

  /** Refuses a message with a header field besides the problem, such as {@code retry-after}. */
  public Verdict refuse(String detail, String header, String value) {
    WorkflowError problem = new WorkflowError(BASE + name, status, title, detail, null);
    return Verdict.Answer.of(
        status, Map.of(header, value), Body.of(problem.toPayload(), MEDIA_TYPE));
  }
}
