package dev.pinion.core.limits;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/**
 * Every bound of the engine, by name: {@code request.maxBodyBytes} is the component {@code
 * maxBodyBytes} of {@code request}.
 *
 * <p>The constructors check each value and the relations between values, so that a set of limits
 * that exists is consistent. Values are set by these names through {@link #with}.
 *
 * @param request requests over HTTP
 * @param json parsed JSON and YAML
 * @param definition definitions
 * @param instance resources of one instance
 * @param kernel content of one kernel
 * @param expression resources of one evaluation
 * @param invoker resources of calls
 * @param authentication secrets, and authentication to services
 * @param journal files on disk
 * @param history history of instances in a database
 * @param handlers resources of chains of handlers
 * @param publish delivery of events to subscribers
 * @param events external events
 * @param program programs that tasks run
 * @param protocol calls over protocols besides plain HTTP
 * @param schedule schedules, and starts at a given time
 * @param messages messages that tasks send and receive
 * @param start work before clients are admitted
 * @param loop event loops without work
 */
public record EngineLimits(
    RequestLimits request,
    JsonLimits json,
    DefinitionLimits definition,
    InstanceLimits instance,
    KernelLimits kernel,
    ExpressionLimits expression,
    InvokerLimits invoker,
    AuthenticationLimits authentication,
    JournalLimits journal,
    HistoryLimits history,
    HandlerLimits handlers,
    PublishLimits publish,
    EventLimits events,
    ProgramLimits program,
    ProtocolLimits protocol,
    ScheduleLimits schedule,
    MessageLimits messages,
    StartLimits start,
    LoopLimits loop) {
  /** Checks each value, and the relations between values. */
  public EngineLimits {
    LimitComponents.requireWithin("request", request);
    LimitComponents.requireWithin("json", json);
    LimitComponents.requireWithin("definition", definition);
    LimitComponents.requireWithin("instance", instance);
    LimitComponents.requireWithin("kernel", kernel);
    LimitComponents.requireWithin("expression", expression);
    LimitComponents.requireWithin("invoker", invoker);
    LimitComponents.requireWithin("authentication", authentication);
    LimitComponents.requireWithin("journal", journal);
    LimitComponents.requireWithin("history", history);
    LimitComponents.requireWithin("handlers", handlers);
    LimitComponents.requireWithin("publish", publish);
    LimitComponents.requireWithin("events", events);
    LimitComponents.requireWithin("program", program);
    LimitComponents.requireWithin("protocol", protocol);
    LimitComponents.requireWithin("schedule", schedule);
    LimitComponents.requireWithin("messages", messages);
    LimitComponents.requireWithin("start", start);
    LimitComponents.requireWithin("loop", loop);
    atMost(
        "definition.maxBytes",
        definition.maxBytes(),
        "request.maxBodyBytes",
        request.maxBodyBytes());
    atMost(
        "request.maxBodyBytes",
        request.maxBodyBytes(),
        "request.maxBufferedBytes",
        request.maxBufferedBytes());
    atMost(
        "request.defaultWaitMillis",
        request.defaultWaitMillis(),
        "request.maxWaitMillis",
        request.maxWaitMillis());
    atMost(
        "instance.maxFanOut",
        instance.maxFanOut(),
        "instance.maxActivities",
        instance.maxActivities());
    atMost(
        "expression.loopSteps",
        expression.loopSteps(),
        "expression.maxSteps",
        expression.maxSteps());
    atMost(
        "invoker.maxConnectionsPerService",
        invoker.maxConnectionsPerService(),
        "invoker.maxConnections",
        invoker.maxConnections());
    atMost(
        "publish.leaseSeconds",
        publish.leaseSeconds(),
        "publish.maxLeaseSeconds",
        publish.maxLeaseSeconds());
    atMost(
        "publish.retryMillis",
        publish.retryMillis(),
        "publish.maxRetryMillis",
        publish.maxRetryMillis());
    if (history.retainDays() > 0) {
      requireKept(kernel.keepEndedSeconds(), history.retainDays());
    }
  }

  private static void requireKept(int keepEndedSeconds, int retainDays) {
    if (keepEndedSeconds > TimeUnit.DAYS.toSeconds(retainDays)) {
      throw new IllegalArgumentException(
          "expected kernel.keepEndedSeconds ("
              + keepEndedSeconds
              + ") to be no longer than history.retainDays ("
              + retainDays
              + "), from which results are returned: raise history.retainDays, 0 for ever, or lower"
              + " kernel.keepEndedSeconds");
    }
  }

  /** The limits in force by default. */
  public static EngineLimits defaults() {
    return LimitComponents.DEFAULTS;
  }

  /**
   * The limits in force in a replica by default: those that bound heap bytes are shares of the heap
   * that fit together.
   *
   * @param heapBytes maximum size of the heap
   */
  public static EngineLimits forHeap(long heapBytes) {
    return forHeap(heapBytes, 1);
  }

  /**
   * The default limits of a replica with several event loops, which share what is bounded for each.
   *
   * @param loops the largest of the numbers of kernels, Request Handlers and Invokers
   */
  public static EngineLimits forHeap(long heapBytes, int loops) {
    return HeapDefaults.of(heapBytes, loops);
  }

  /**
   * Checks that these limits fit a heap, together with all else in a replica.
   *
   * @param heapBytes maximum size of the heap
   * @param loops the largest of the numbers of kernels, Request Handlers and Invokers
   * @throws IllegalArgumentException when they do not; the message says which limits to lower
   */
  public void requireFit(long heapBytes, int loops) {
    HeapDefaults.require(this, heapBytes, loops);
  }

  /**
   * Bytes of a record of the journal that holds any input within these limits.
   *
   * @throws IllegalArgumentException when it is too long for a journal; the message says which
   *     limits to lower
   */
  public long maxRecordBytes() {
    return RecordSize.of(request, invoker, kernel, events);
  }

  /**
   * Size, as compact JSON, of the longest value that a record of the journal holds whatever its
   * characters are: the bound of values that no other limit keeps from a record.
   */
  public int maxRecordedBytes() {
    return RecordSize.valueBytes(request, invoker);
  }

  /**
   * These limits with some values changed.
   *
   * @param values values by name, such as {@code kernel.maxCalls}
   * @throws IllegalArgumentException when a name is unknown or a value is out of range
   */
  public EngineLimits with(Map<String, Integer> values) {
    return LimitComponents.with(this, values);
  }

  /** Every limit by name. */
  public SortedMap<String, Integer> values() {
    return LimitComponents.values(this);
  }

  /**
   * A bound, for people.
   *
   * @param name such as {@code request.maxBodyBytes}
   * @param usual the default
   * @param min the least value allowed
   * @param max the largest value allowed
   * @param says what is bounded, and what happens beyond it
   */
  public record Row(String name, int usual, int min, int max, String says) {}

  /** Every bound, in order. */
  public static List<Row> rows() {
    return LimitComponents.ROWS;
  }

  private static void atMost(String name, long value, String boundName, long bound) {
    if (value > bound) {
      throw new IllegalArgumentException(
          "expected " + name + " (" + value + ") to be at most " + boundName + " (" + bound + ")");
    }
  }
}
