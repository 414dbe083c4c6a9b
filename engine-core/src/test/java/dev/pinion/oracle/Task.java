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
 * @param compensation {@code metadata.pinion.compensate}: tasks that undo it, or null
 * @param body work of its kind
 */
record Task(
    String name,
    @Nullable Expr condition,
    @Nullable Expr from,
    @Nullable Expr as,
    @Nullable Expr export,
    @Nullable String then,
    @Nullable List<Task> compensation,
    Body body) {
  /** Time that nobody waits for. */
  static final long FAR_OFF_MILLIS = 1_000L * 86_400_000;

  /** Variable of the number of an item, where tasks run for all items at the same time. */
  static final String LANE = "lane";

  /** The part of a path that becomes that number. */
  static final String OF_LANE = "{" + LANE + "}";

  /** This task with another target of the flow. */
  Task then(String target) {
    return new Task(name, condition, from, as, export, target, compensation, body);
  }

  /** This task with tasks that undo it. */
  Task undoneBy(@Nullable List<Task> tasks) {
    return new Task(name, condition, from, as, export, then, tasks, body);
  }

  /** Work of a kind of task between its input and its output. */
  sealed interface Body {}

  /** Makes a value. */
  record Assign(Expr value) implements Body {}

  /**
   * Calls a service.
   *
   * @param path of the service, which may have the number of an item in it
   * @param content the body of the request, or null for a request without
   * @param carrier how it is called
   */
  record Call(String path, @Nullable Expr content, Carrier carrier) implements Body {
    /** How a service is called. */
    enum Carrier {
      /** Over HTTP. */
      HTTP,
      /** Over HTTP, with a token that the engine gets. */
      TOKEN,
      /** By a program. */
      PROGRAM,
      /** By the Model Context Protocol. */
      MCP,
      /** By the Agent2Agent protocol. */
      AGENT
    }
  }

  /**
   * Emits an event, whose type takes the place of the path of a call.
   *
   * @param subject its subject
   */
  record Emit(String type, String subject, JsonNode data) implements Body {}

  /**
   * Runs another process.
   *
   * @param await whether the task waits for its end
   * @param versioned whether the task names the version
   * @param content the input, or null for an empty object
   * @param timeoutMillis {@code timeout} of the task, before which the process never ends; or 0
   * @param returns whether a task that waits has the output of the process, rather than null
   */
  record Run(
      Definition child,
      boolean await,
      boolean versioned,
      @Nullable Expr content,
      long timeoutMillis,
      boolean returns)
      implements Body {}

  /** Runs tasks. */
  record Do(List<Task> tasks) implements Body {}

  /** Runs tasks for each item, each time on the output of the previous time. */
  record For(String each, String at, Expr in, @Nullable Expr condition, List<Task> tasks)
      implements Body {}

  /**
   * Runs tasks for all items at the same time.
   *
   * @param most number of items at the same time; 0 for all
   */
  record Parallel(String each, Expr in, int most, List<Task> tasks) implements Body {}

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
   * Listens to an event that nobody emits.
   *
   * @param timeoutMillis {@code timeout} of the task, or 0 for none
   */
  record Unheard(long timeoutMillis) implements Body {}

  /**
   * Listens to events that are emitted beside that.
   *
   * @param type type of the first event; others begin with it
   * @param data data of the events
   * @param sender what emits them, after which comes nothing else
   * @param each tasks for each event; none where the event itself is the output
   */
  record Converse(Way way, String type, JsonNode data, Task sender, List<Task> each)
      implements Body {
    /** Variable of the event in what is done for each. */
    static final String EVENT = "event";

    /** How it listens. */
    enum Way {
      /** To one event. */
      ONE,
      /** To one event whose data hold a condition. */
      MATCHING,
      /** To one event, whose bytes it reads. */
      RAW,
      /** To one event with its subject. */
      CORRELATED,
      /** To one event of either of two types. */
      ANY,
      /** To one event of each of two types. */
      ALL,
      /** To one event of each of two types, of which the first decides about the second. */
      AGREEING,
      /** To events until it has two, which it reads as a whole. */
      UNTIL,
      /** To events until it has two. */
      PAIR,
      /** To events until another one comes. */
      UNTIL_EVENT
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
