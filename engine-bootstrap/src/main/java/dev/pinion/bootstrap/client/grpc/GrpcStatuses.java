package dev.pinion.bootstrap.client.grpc;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.GrpcCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Turns the status of a call that failed into an error: the status in the manner of HTTP is that of
 * gRPC's own table.
 */
final class GrpcStatuses {
  private static final int MAX_DESCRIPTION_CHARS = 200;

  /** Words of the library about a message beyond the bound. */
  private static final String TOO_LONG = "exceeds maximum size";

  private GrpcStatuses() {}

  /** The outcome of a call with a status other than OK. */
  static CallOutcome.Failed failure(GrpcCall call, Status status, int maxBytes) {
    String description = description(call, status);
    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED && description.contains(TOO_LONG)) {
      return CallFailures.communication(
          "expected at most "
              + maxBytes
              + " bytes of one message (invoker.maxResponseBytes) from "
              + call.description()
              + ", found more");
    }
    String detail =
        "expected status OK from "
            + call.description()
            + ", found "
            + status.getCode()
            + (description.isEmpty() ? "" : ": " + description);
    if (status.getCode() == Status.Code.UNAVAILABLE && status.getCause() != null) {
      return CallFailures.communication(detail); // no answer: there is no connection
    }
    ErrorType type = type(status.getCode());
    return new CallOutcome.Failed(
        new WorkflowError(
            type.uri(), httpStatus(status.getCode()), status.getCode().name(), detail, null));
  }

  private static ErrorType type(Status.Code code) {
    return switch (code) {
      case DEADLINE_EXCEEDED -> ErrorType.TIMEOUT;
      case PERMISSION_DENIED -> ErrorType.AUTHORIZATION;
      case UNAUTHENTICATED -> ErrorType.AUTHENTICATION;
      default -> ErrorType.COMMUNICATION;
    };
  }

  private static int httpStatus(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case CANCELLED -> 499;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case DEADLINE_EXCEEDED -> 408;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case PERMISSION_DENIED -> 403;
      case RESOURCE_EXHAUSTED -> 429;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case UNAUTHENTICATED -> 401;
      case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
    };
  }

  /**
   * What the service or the connection says, without line breaks and not longer than needed, unless
   * it repeats a secret of the call.
   */
  private static String description(GrpcCall call, Status status) {
    StringBuilder text = new StringBuilder(or(status.getDescription()));
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      String message = or(cause.getMessage());
      if (!message.isEmpty() && text.indexOf(message) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(message);
      }
    }
    if (call.showsSecret(text.toString())) {
      return "a description that repeats a secret of the request";
    }
    String line = text.toString().replaceAll("\\s+", " ").strip();
    return line.length() > MAX_DESCRIPTION_CHARS
        ? line.substring(0, line.offsetByCodePoints(0, MAX_DESCRIPTION_CHARS / 2)) + "…"
        : line;
  }

  private static String or(@Nullable String text) {
    return text == null ? "" : text;
  }
}
