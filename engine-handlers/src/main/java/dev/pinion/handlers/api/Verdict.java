package dev.pinion.handlers.api;

import dev.pinion.core.model.WorkflowError;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The decision of a handler on a message. */
public sealed interface Verdict {
  /** The message continues unchanged. */
  Verdict UNCHANGED = new GoOn(Changes.NONE);

  /** The message continues with changes. */
  static Verdict goOn(Changes changes) {
    return changes.isEmpty() ? UNCHANGED : new GoOn(changes);
  }

  /**
   * The message stops here with a problem for its sender (RFC 9457).
   *
   * @param type URI reference of the kind of problem
   * @param title short summary of the kind
   * @param status from 400 to 599
   * @param detail the expectation and the value found
   */
  static Verdict refuse(String type, String title, int status, String detail) {
    return new Refuse(new WorkflowError(type, status, title, detail, null));
  }

  /**
   * The message continues.
   *
   * @param changes changes to slots that the handler declared to write
   */
  record GoOn(Changes changes) implements Verdict {}

  /**
   * The message stops here and is answered. Only for handlers that declared stopping.
   *
   * @param status HTTP status of the answer, from 200 to 599
   * @param headers header fields of the answer by name in lower case
   * @param body body of the answer
   */
  record Answer(int status, SortedMap<String, String> headers, Body body) implements Verdict {
    /** Checks the status and copies the fields. */
    public Answer {
      if (status < 200 || status > 599) {
        throw new IllegalArgumentException(
            "expected the status of an answer to be from 200 to 599, found " + status);
      }
      headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
    }

    /** An answer with header fields in any order. */
    public static Answer of(int status, Map<String, String> headers, Body body) {
      return new Answer(status, new TreeMap<>(headers), body);
    }
  }

  /**
   * The message stops here with a problem. Only for handlers that declared stopping.
   *
   * @param problem the problem for the sender of the message; its status is from 400 to 599
   */
  record Refuse(WorkflowError problem) implements Verdict {
    /** Checks the status. */
    public Refuse {
      if (problem.status() < 400 || problem.status() > 599) {
        throw new IllegalArgumentException(
            "expected the status of a problem to be from 400 to 599, found " + problem.status());
      }
    }
  }
}
