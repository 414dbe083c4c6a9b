package dev.pinion.bootstrap.client.mcp;

import dev.pinion.bootstrap.client.rpc.RpcMessages;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.McpCall.McpRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one session, whatever carries them:
 *
 * <pre>
 *   initialize ──▶ answered ──▶ notifications/initialized, the request ──▶ answered
 * </pre>
 *
 * <p>Requests of the server are answered meanwhile: pings, and all others by an error, as the
 * client declares no capabilities. Not for concurrent use.
 */
final class McpDialogue {
  /** Versions that the client understands. */
  static final List<String> VERSIONS =
      List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

  private static final int INITIALIZE_ID = 1;
  private static final int REQUEST_ID = 2;
  private static final String VERSION = "protocolVersion";

  private final McpRequest request;
  private final @Nullable Payload parameters;
  private final CallRequest carrier;
  private final String description;
  private String version;
  private boolean initialized;

  /** What follows a message of the server. */
  sealed interface Step {}

  /** Nothing: the server only tells something. */
  record Listen() implements Step {}

  /**
   * The server asks.
   *
   * @param message the answer to send
   */
  record Reply(Payload message) implements Step {}

  /** The session has begun: what {@link #afterInitialize} has is to be sent, in order. */
  record Begun() implements Step {}

  /**
   * The call has ended.
   *
   * @param outcome its outcome
   */
  record Ended(CallOutcome outcome) implements Step {}

  /**
   * A session that has not begun.
   *
   * @param carrier the whole HTTP request or run of a program; its body are the parameters
   * @param description description of the call, for messages
   */
  McpDialogue(McpRequest request, CallRequest carrier, String description) {
    this.request = request;
    this.parameters = carrier.body();
    this.carrier = carrier;
    this.description = description;
    this.version = request.protocolVersion();
  }

  /** The first message. */
  Payload initialize() {
    Payload client =
        Payload.object(
            Map.of(
                "name", Payload.of(request.clientName()),
                "version", Payload.of(request.clientVersion())));
    return RpcMessages.request(
        INITIALIZE_ID,
        "initialize",
        Payload.object(
            Map.of(
                VERSION,
                Payload.of(request.protocolVersion()),
                "capabilities",
                Payload.EMPTY_OBJECT,
                "clientInfo",
                client)));
  }

  /** The messages that follow the answer to the first one. */
  List<Payload> afterInitialize() {
    return List.of(
        RpcMessages.notification("notifications/initialized"),
        RpcMessages.request(REQUEST_ID, request.method(), parameters));
  }

  /** The version of the protocol in the session: that of the server once it has answered. */
  String version() {
    return version;
  }

  /** Handles a message of the server. */
  Step on(Payload message) {
    String method = RpcMessages.method(message);
    if (method != null) {
      return RpcMessages.isRequest(message) ? new Reply(reply(message, method)) : new Listen();
    }
    if (!RpcMessages.answers(message, initialized ? REQUEST_ID : INITIALIZE_ID)) {
      return new Listen();
    }
    if (RpcMessages.isError(message)) {
      return failed(RpcMessages.failure(message, carrier));
    }
    Payload result = RpcMessages.result(message);
    if (result == null) {
      return failed("an answer without a result");
    }
    return initialized ? new Ended(new CallOutcome.Succeeded(result)) : begun(result);
  }

  private Step begun(Payload result) {
    String answered = result.text(VERSION);
    if (answered == null || !VERSIONS.contains(answered)) {
      return failed(
          "version "
              + answered
              + " of the protocol, where "
              + String.join(", ", VERSIONS)
              + " are understood");
    }
    version = answered;
    initialized = true;
    return new Begun();
  }

  private static Payload reply(Payload asked, String method) {
    return method.equals("ping")
        ? RpcMessages.result(asked, Payload.EMPTY_OBJECT)
        : RpcMessages.error(
            asked, RpcMessages.METHOD_NOT_FOUND, "expected ping, found another method");
  }

  private Ended failed(String found) {
    return new Ended(
        CallFailures.of(
            ErrorType.RUNTIME,
            "expected a result of "
                + (initialized ? description : "initialize for " + description)
                + ", found "
                + found));
  }
}
