package dev.pinion.bootstrap.client.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages of JSON-RPC 2.0. */
public final class RpcMessages {
  /** Code of an error about a method that is unknown. */
  public static final int METHOD_NOT_FOUND = -32_601;

  private static final String VERSION = "jsonrpc";
  private static final String METHOD = "method";
  private static final String PARAMS = "params";
  private static final String ERROR = "error";
  private static final String RESULT = "result";
  private static final String ID = "id";
  private static final int MAX_TEXT_CHARS = 500;

  private RpcMessages() {}

  /**
   * A request.
   *
   * @param params its parameters, or null for none
   */
  public static Payload request(int id, String method, @Nullable Payload params) {
    Map<String, Payload> members = begun();
    members.put(ID, Payload.of(id));
    members.put(METHOD, Payload.of(method));
    if (params != null) {
      members.put(PARAMS, params);
    }
    return Payload.object(members);
  }

  /** A notification, which has no answer. */
  public static Payload notification(String method) {
    Map<String, Payload> members = begun();
    members.put(METHOD, Payload.of(method));
    return Payload.object(members);
  }

  /** The answer to a request that succeeded. */
  public static Payload result(Payload request, Payload result) {
    Map<String, Payload> members = begun();
    members.put(ID, id(request));
    members.put(RESULT, result);
    return Payload.object(members);
  }

  /** The answer to a request that failed. */
  public static Payload error(Payload request, int code, String message) {
    Map<String, Payload> members = begun();
    members.put(ID, id(request));
    members.put(
        ERROR, Payload.object(Map.of("code", Payload.of(code), "message", Payload.of(message))));
    return Payload.object(members);
  }

  private static Map<String, Payload> begun() {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put(VERSION, Payload.of("2.0"));
    return members;
  }

  private static Payload id(Payload request) {
    return Payload.of(request.json().path(ID));
  }

  /** The method of a request or a notification; null for an answer. */
  public static @Nullable String method(Payload message) {
    return message.text(METHOD);
  }

  /** Whether a message with a method waits for an answer. */
  public static boolean isRequest(Payload message) {
    return message.json().hasNonNull(ID);
  }

  /** Whether a message answers a request. */
  public static boolean answers(Payload message, int id) {
    JsonNode answered = message.json().path(ID);
    boolean same = answered.isInt() ? answered.intValue() == id : answered.asText().equals("" + id);
    return method(message) == null && same;
  }

  /** Whether a message says that a request could not even be read: an error without an id. */
  public static boolean isUnread(Payload message) {
    return method(message) == null && isError(message) && !message.json().hasNonNull(ID);
  }

  /** Whether a message says that a request failed. */
  public static boolean isError(Payload message) {
    return message.json().hasNonNull(ERROR);
  }

  /** The result of an answer; null when it has none. */
  public static @Nullable Payload result(Payload answer) {
    JsonNode result = answer.json().get(RESULT);
    return result == null ? null : Payload.of(result);
  }

  /**
   * What an answer says about the failure of its request.
   *
   * @param call the call; a message that repeats one of its secrets is left out
   */
  public static String failure(Payload answer, CallRequest call) {
    JsonNode error = answer.json().path(ERROR);
    String text = error.path("message").asText();
    String code = error.path("code").asText("without a code");
    if (call.showsSecret(text)) {
      return "error " + code + " and a message that repeats a secret of the request";
    }
    String shown =
        text.length() > MAX_TEXT_CHARS
            ? text.substring(0, text.offsetByCodePoints(0, MAX_TEXT_CHARS / 2)) + "…"
            : text;
    return "error " + code + (shown.isEmpty() ? "" : ": " + shown);
  }
}
