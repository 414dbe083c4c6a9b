package dev.pinion.core.invoker;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.WorkflowError;

/** Failed outcomes, described without secrets. */
public final class CallFailures {
  private CallFailures() {}

  public static CallOutcome.Failed of(ErrorType type, String detail) {
    return new CallOutcome.Failed(WorkflowError.of(type, detail));
  }

  public static CallOutcome.Failed communication(String detail) {
    return of(ErrorType.COMMUNICATION, detail);
  }

  /** A communication error with the status of the response. */
  static CallOutcome.Failed status(int status, String title, String detail) {
    return new CallOutcome.Failed(
        new WorkflowError(ErrorType.COMMUNICATION.uri(), status, title, detail, null));
  }

  /**
   * Name of the call in messages: method and URI without user information, query, fragment and what
   * comes from secrets.
   */
  public static String name(HttpCall call) {
    String uri = call.shownUri();
    int end = 0;
    while (end < uri.length() && uri.charAt(end) != '?' && uri.charAt(end) != '#') {
      end++;
    }
    int authority = uri.indexOf("://") + 3;
    if (authority < 3 || authority > end) {
      return call.method();
    }
    int path = uri.indexOf('/', authority);
    int authorityEnd = path < 0 || path > end ? end : path;
    int at = uri.lastIndexOf('@', authorityEnd - 1);
    int host = at < authority ? authority : at + 1;
    return call.method() + " " + uri.substring(0, authority) + uri.substring(host, end);
  }
}
