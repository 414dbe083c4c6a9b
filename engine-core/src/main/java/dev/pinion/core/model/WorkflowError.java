package dev.pinion.core.model;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error of a running process: the problem details (RFC 9457) that the Open Workflow DSL uses for
 * faults.
 *
 * @param type URI reference that identifies the kind of error; see {@link ErrorType} for the
 *     standard ones
 * @param status status code in the manner of HTTP
 * @param title short summary, or null
 * @param detail explanation of this occurrence, or null
 * @param instance JSON pointer of the task that raised it, or null until it is known
 */
public record WorkflowError(
    String type,
    int status,
    @Nullable String title,
    @Nullable String detail,
    @Nullable String instance) {
  /** An error of a standard type with that type's default status. */
  public static WorkflowError of(ErrorType type, String detail) {
    return new WorkflowError(type.uri(), type.status(), type.title(), detail, null);
  }

  /** The error in an object that {@link #toPayload} made. */
  public static WorkflowError of(Payload made) {
    return new WorkflowError(
        String.valueOf(made.text("type")),
        made.integer("status"),
        made.text("title"),
        made.text("detail"),
        made.text("instance"));
  }

  /** The same error, raised by the task at a JSON pointer; an instance already set stays. */
  public WorkflowError at(String pointer) {
    return instance != null ? this : new WorkflowError(type, status, title, detail, pointer);
  }

  /** The error as the JSON object that expressions and clients see; absent members are left out. */
  public Payload toPayload() {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("type", Payload.of(type));
    members.put("status", Payload.of(status));
    put(members, "title", title);
    put(members, "detail", detail);
    put(members, "instance", instance);
    return Payload.object(members);
  }

  /** Characters of the JSON text beside those of its four texts. */
  private static final int JSON_FRAME_CHARS = 100;

  private static final int TEXTS = 4;

  /** Characters of the JSON text for an escaped character. */
  private static final int ESCAPED_CHARS = 6;

  /**
   * A copy with shorter texts, so that it has at most so many characters as JSON, with any escaping
   * of its texts. A cut text ends with "…".
   *
   * @return null when there is no room for one character of each text
   */
  public @Nullable WorkflowError cutTo(int maxJsonChars) {
    int most = (maxJsonChars - JSON_FRAME_CHARS) / (TEXTS * ESCAPED_CHARS);
    return most < 1
        ? null
        : new WorkflowError(
            cut(type, most),
            status,
            title == null ? null : cut(title, most),
            detail == null ? null : cut(detail, most),
            instance == null ? null : cut(instance, most));
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most - 1;
    boolean splits = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, splits ? end - 1 : end) + "…";
  }

  private static void put(Map<String, Payload> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, Payload.of(value));
    }
  }
}
