package dev.pinion.core.invoker.http;

import dev.pinion.core.model.call.HttpCall;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Descriptions of failed connections, for the errors of calls. */
final class ConnectionFailures {
  private ConnectionFailures() {}

  /** A connection that could not be established; the cause is null when it was closed. */
  static String connect(Origin origin, @Nullable Throwable cause) {
    if (cause instanceof SSLException) {
      return "TLS with " + origin + " failed: " + cause.getMessage();
    }
    String found = cause == null ? "it closed the connection" : String.valueOf(cause.getMessage());
    return "expected " + origin + " to accept a connection, found: " + found;
  }

  /** A connected service that is silent during the handshake. */
  static String handshakeTimeout(Origin origin, int millis) {
    return "expected "
        + origin
        + " to complete the TLS handshake within "
        + millis
        + " ms (invoker.connectTimeoutMillis), found it silent";
  }

  /** An answer that ended with the connection, and not by TLS. */
  static String cutOff(Origin origin) {
    return "expected " + origin + " to end its answer by TLS close_notify, found it cut off";
  }

  /**
   * A connection that ended during a call.
   *
   * @param begun whether a part of the answer came
   * @param cause null when the service closed it
   */
  static String broken(Origin origin, HttpCall call, boolean begun, @Nullable Throwable cause) {
    return "expected "
        + origin
        + " to answer "
        + call.description()
        + ", found the connection closed "
        + (begun ? "in the middle of" : "before")
        + " the answer"
        + (cause == null ? "" : " (" + cause.getMessage() + ")");
  }
}
