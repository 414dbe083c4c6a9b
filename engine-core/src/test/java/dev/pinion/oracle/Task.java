package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task of a random process.
 *
 * @param name its name, which no other task of the process has
 * @param condition {@code if}
 * @param from {@code input.from}
 * @param as {@code output.as}
 * @param export {@code export.as}
 * @param then a directive or the name of a task of the same list
 * @param body work of its kind
 */
record Task(
    String name,
    @Nullable Expr condition,
    @Nullable Expr from,
    @Nullable Expr as,
    @Nullable Expr export,
    @Nullable String then,
    Body body) {
  /** This task with another target of the flow. */
  Task then(String target) {
    return new Task(name, condition, from, as, export, target, body);
  }

  /** Work of a kind of task between its input and its output. */
  sealed interface Body {}

  /** Makes a value. */
  record Assign(Expr value) implements Body {}

  /**
   * Calls a service.
   *
   * @param path of the service
   * @param content the body of the request, or null for a request without
   */
  record Call(String path, @Nullable Expr content) implements Body {}

  /**
   * Runs another process.
   *
   * @param await whether the task waits for its end
   * @param versioned whether the task names the version
   * @param content the input, or null for an empty object
   * @param timeoutMillis {@code timeout} of the task, before which the process never ends; or 0
   */
  record Run(
      Definition child,
      boolean await,
      boolean versioned,
      @Nullable Expr content,
      long timeoutMillis)
      implements Body {}

  /** Runs tasks. */
  record Do(List<Task> tasks) implements Body {}

  /** Runs tasks for each item, each time on the output of the previous time. */
  record For(String each, String at, Expr in, @Nullable Expr condition, List<Task> tasks)
      implements Body {}

  /** Runs branches side by side. */
  record Fork(boolean compete, List<Task> branches) implements Body {}

  /** Runs tasks and handles their errors. */
  record Try(List<Task> tasks, Catch handler) implements Body {}

  /**
   * Handling of errors.
   *
   * @param type the only type that is caught, or null
   * @param status the only status that is caught, or 0
   * @param as the variable of the error
   */
  record Catch(
      @Nullable String type,
      int status,
      String as,
      @Nullable Expr when,
      @Nullable Expr exceptWhen,
      @Nullable Retry retry,
      @Nullable List<Task> tasks,
      @Nullable String then) {}

  /** Number, delay and condition of retries. */
  record Retry(int count, long delayMillis, String backoff, @Nullable Expr when) {}

  /** Raises an error. */
  record Raise(String type, int status) implements Body {}

  /**
   * Does nothing for some time.
   *
   * @param timeoutMillis {@code timeout} of the task, or 0 for none
   */
  record Wait(long millis, long timeoutMillis) implements Body {}

  /**
   * Listens to events that it emits beside that.
   *
   * @param data data of the events
   */
  record Converse(Way way, JsonNode data) implements Body {
    /** How it listens. */
    enum Way {
      /** To one event. */
      ONE,
      /** To one event with its subject. */
      CORRELATED,
      /** To one event of each of two types. */
      ALL,
      /** To events until it has two. */
      UNTIL,
      /** To one event, for which it does a task. */
      EACH
    }
  }

  /** Continues at the target of the first case that holds. */
  record Switch(List<Case> cases) implements Body {}

  /**
   * A case of a switch.
   *
   * @param when the condition; null for the case that is taken when no other is
   */
  record Case(String name, @Nullable Expr when, String then) {}
}
