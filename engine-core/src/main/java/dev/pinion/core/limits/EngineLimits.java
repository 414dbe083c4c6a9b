package dev.pinion.core.limits;

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
 * @param journal files on disk
 * @param history history of instances in a database
 * @param handlers resources of chains of handlers
 * @param publish delivery of events to subscribers
 * @param events external events
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
    JournalLimits journal,
    HistoryLimits history,
    HandlerLimits handlers,
    PublishLimits publish,
    EventLimits events,
    StartLimits start,
    LoopLimits loop) {
  /** Checks the relations between groups. */
  public EngineLimits {
    atMost(
        "definition.maxBytes", definition.maxBytes, "request.maxBodyBytes", request.maxBodyBytes);
    atMost(
        "request.maxBodyBytes",
        request.maxBodyBytes,
        "request.maxBufferedBytes",
        request.maxBufferedBytes);
    if (history.retainDays > 0) {
      requireKept(kernel.keepEndedSeconds, history.retainDays);
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
    return new EngineLimits(
        RequestLimits.DEFAULTS,
        JsonLimits.DEFAULTS,
        DefinitionLimits.DEFAULTS,
        InstanceLimits.DEFAULTS,
        KernelLimits.DEFAULTS,
        ExpressionLimits.DEFAULTS,
        InvokerLimits.DEFAULTS,
        JournalLimits.DEFAULTS,
        HistoryLimits.DEFAULTS,
        HandlerLimits.DEFAULTS,
        PublishLimits.DEFAULTS,
        EventLimits.DEFAULTS,
        StartLimits.DEFAULTS,
        LoopLimits.DEFAULTS);
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
   * @throws IllegalArgumentException when they do not; the message says which limits to lower
   */
  public void requireFit(long heapBytes) {
    HeapDefaults.require(this, heapBytes);
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
   * Bounds of the requests over HTTP, for each Request Handler.
   *
   * @param maxConnections open client connections of the replica; idle ones are closed near the
   *     bound, and further ones wait to be accepted. Lowered at start to what the limit of open
   *     files leaves
   * @param maxRequests requests being answered, waiting ones included; a further one is answered
   *     503
   * @param maxBodyBytes bytes of one request body; more is answered 413
   * @param maxBufferedBytes bytes of unfinished request bodies of all connections together; more is
   *     answered 503
   * @param maxUriBytes bytes of the request line; more is answered 414
   * @param maxHeaderBytes bytes of all header fields; more is answered 431
   * @param maxHeaders number of header fields; more is answered 431
   * @param headTimeoutMillis time from the first byte of a request to the end of its head; longer
   *     is answered 408
   * @param minBodyBytesPerSecond least mean rate of a body after the first five seconds; slower is
   *     answered 408
   * @param idleTimeoutMillis time that a connection may stay open without a request
   * @param defaultWaitMillis time a start waits for the end of its instance when the client names
   *     none
   * @param maxWaitMillis the longest time that a client may ask to wait
   * @param maxListed most items of one page of a list
   * @param startsAhead with several replicas, starts that a Request Handler offers to kernels
   *     before one of them is accepted; further ones wait where idle replicas can take them
   * @param maxKeyChars characters of the Idempotency-Key of a start; more is answered 400
   * @param maxBusinessKeyChars characters of the business key of a start; more is answered 400
   * @param maxLabels labels of a start; more is answered 400
   * @param maxLabelChars characters of the name, and of the value, of a label; more is answered 400
   * @param contractBurstSeconds seconds' worth of starts at the contracted rate that may come at
   *     once within the contract; at least one start
   * @param maxUnsentBytes bytes of responses that wait for clients to read them, of all connections
   *     of the replica together, off the heap; beyond it the connection of the client that has not
   *     read for longest is closed
   * @param maxPeerConnections connections to one other replica. Lowered at start to what the limit
   *     of open files leaves
   */
  public record RequestLimits(
      int maxConnections,
      int maxRequests,
      int maxBodyBytes,
      int maxBufferedBytes,
      int maxUriBytes,
      int maxHeaderBytes,
      int maxHeaders,
      int headTimeoutMillis,
      int minBodyBytesPerSecond,
      int idleTimeoutMillis,
      int defaultWaitMillis,
      int maxWaitMillis,
      int maxListed,
      int startsAhead,
      int maxKeyChars,
      int maxBusinessKeyChars,
      int maxLabels,
      int maxLabelChars,
      int contractBurstSeconds,
      int maxUnsentBytes,
      int maxPeerConnections) {
    static final RequestLimits DEFAULTS =
        new RequestLimits(
            10_000, 10_000, 4 << 20, 64 << 20, 8 << 10, 16 << 10, 100, 10_000, 1_000, 60_000,
            30_000, 300_000, 500, 32, 255, 255, 16, 255, 6, 64 << 20, 2_048);

    /** Checks each value. */
    public RequestLimits {
      within("request.maxConnections", maxConnections, 1, 1_000_000);
      within("request.maxRequests", maxRequests, 1, 1_000_000);
      within("request.maxBodyBytes", maxBodyBytes, 1 << 10, 1 << 30);
      within("request.maxBufferedBytes", maxBufferedBytes, 1 << 10, Integer.MAX_VALUE);
      within("request.maxUriBytes", maxUriBytes, 256, 1 << 20);
      within("request.maxHeaderBytes", maxHeaderBytes, 256, 1 << 20);
      within("request.maxHeaders", maxHeaders, 8, 10_000);
      within("request.headTimeoutMillis", headTimeoutMillis, 10, 600_000);
      within("request.minBodyBytesPerSecond", minBodyBytesPerSecond, 0, 1 << 30);
      within("request.idleTimeoutMillis", idleTimeoutMillis, 10, 3_600_000);
      within("request.defaultWaitMillis", defaultWaitMillis, 0, 3_600_000);
      within("request.maxWaitMillis", maxWaitMillis, 0, 3_600_000);
      within("request.maxListed", maxListed, 1, 10_000);
      within("request.startsAhead", startsAhead, 1, 1_000_000);
      within("request.maxKeyChars", maxKeyChars, 1, 4_096);
      within("request.maxBusinessKeyChars", maxBusinessKeyChars, 1, 4_096);
      within("request.maxLabels", maxLabels, 0, 1_000);
      within("request.maxLabelChars", maxLabelChars, 1, 4_096);
      within("request.contractBurstSeconds", contractBurstSeconds, 1, 3_600);
      within("request.maxUnsentBytes", maxUnsentBytes, 1 << 10, Integer.MAX_VALUE);
      within("request.maxPeerConnections", maxPeerConnections, 1, 65_535);
      atMost(
          "request.defaultWaitMillis", defaultWaitMillis, "request.maxWaitMillis", maxWaitMillis);
    }
  }

  /**
   * Bounds of parsed values from any source.
   *
   * @param maxDepth nesting of objects and arrays
   * @param maxNumberDigits characters of one number
   * @param maxYamlAliases aliases of one YAML document
   * @param maxHeapBytes approximate heap bytes of one value, up to fifty times its bytes as text; a
   *     request with more is answered 413, a response with more fails its call, and an expression
   *     fails that makes more
   */
  public record JsonLimits(
      int maxDepth, int maxNumberDigits, int maxYamlAliases, int maxHeapBytes) {
    static final JsonLimits DEFAULTS = new JsonLimits(512, 1_000, 50, 128 << 20);

    /** Checks each value. */
    public JsonLimits {
      within("json.maxDepth", maxDepth, 8, 2_000);
      within("json.maxNumberDigits", maxNumberDigits, 20, 100_000);
      within("json.maxYamlAliases", maxYamlAliases, 0, 10_000);
      within("json.maxHeapBytes", maxHeapBytes, 16 << 10, Integer.MAX_VALUE);
    }
  }

  /**
   * Bounds of definitions.
   *
   * @param maxBytes bytes of one document, as text and again as JSON with its aliases resolved
   * @param maxTasks tasks of one document
   * @param maxDefinitions definitions installed, all versions counted
   * @param maxProblems problems reported for one document; when there are more, one more says so
   * @param maxPatternSize parts of one regular expression of a schema, repetitions written out
   * @param maxExpressionChars characters (UTF-16 units) of one expression
   */
  public record DefinitionLimits(
      int maxBytes,
      int maxTasks,
      int maxDefinitions,
      int maxProblems,
      int maxPatternSize,
      int maxExpressionChars) {
    static final DefinitionLimits DEFAULTS =
        new DefinitionLimits(4 << 20, 10_000, 10_000, 100, 10_000, 64 << 10);

    /** Checks each value. */
    public DefinitionLimits {
      within("definition.maxBytes", maxBytes, 1 << 10, 1 << 30);
      within("definition.maxTasks", maxTasks, 1, 1_000_000);
      within("definition.maxDefinitions", maxDefinitions, 1, 1_000_000);
      within("definition.maxProblems", maxProblems, 1, 10_000);
      within("definition.maxPatternSize", maxPatternSize, 1, 100_000);
      within("definition.maxExpressionChars", maxExpressionChars, 16, 1 << 20);
    }
  }

  /**
   * Bounds of one instance. An instance that reaches one faults with an error that names the limit.
   *
   * @param maxSteps tasks entered
   * @param maxEvents events applied
   * @param maxFanOut branches or items of one parallel task
   * @param maxActivities tasks that run at one moment, containers included
   * @param maxItems items of one loop
   * @param maxPayloadBytes size of one value that an expression makes, as compact JSON
   * @param maxErrorBytes approximate heap bytes of one error: raised by a task, or the reason of
   *     its failure. Errors that tries of the instance handle at one moment may together take
   *     json.maxHeapBytes
   * @param maxTimerDays longest delay of one timer
   * @param maxWaiters requests that wait for the end of one instance; a further one is answered at
   *     once
   */
  public record InstanceLimits(
      int maxSteps,
      int maxEvents,
      int maxFanOut,
      int maxActivities,
      int maxItems,
      int maxPayloadBytes,
      int maxErrorBytes,
      int maxTimerDays,
      int maxWaiters) {
    static final InstanceLimits DEFAULTS =
        new InstanceLimits(
            100_000, 25_000, 10_000, 20_000, 100_000, 4 << 20, 4 << 20, 3_660, 1_000);

    /** Checks each value and that the widest parallel task fits the activities. */
    public InstanceLimits {
      within("instance.maxSteps", maxSteps, 1, Integer.MAX_VALUE);
      within("instance.maxEvents", maxEvents, 1, Integer.MAX_VALUE);
      within("instance.maxFanOut", maxFanOut, 1, 1_000_000);
      within("instance.maxActivities", maxActivities, 1, 10_000_000);
      within("instance.maxItems", maxItems, 1, Integer.MAX_VALUE);
      within("instance.maxPayloadBytes", maxPayloadBytes, 1 << 10, 1 << 30);
      within("instance.maxErrorBytes", maxErrorBytes, 16 << 10, Integer.MAX_VALUE);
      within("instance.maxTimerDays", maxTimerDays, 1, 36_600);
      within("instance.maxWaiters", maxWaiters, 1, 1_000_000);
      atMost("instance.maxFanOut", maxFanOut, "instance.maxActivities", maxActivities);
    }
  }

  /**
   * Bounds of one kernel.
   *
   * @param maxInstances running instances; a further start is refused
   * @param maxHeldBytes approximate heap bytes of the values of running instances in all kernels of
   *     the replica; beyond half of it values of waiting instances are packed, beyond it a start is
   *     refused; an instance faults that alone takes twice as much, and one that grows when all
   *     together take thrice as much
   * @param maxEnded ended instances kept for queries; the oldest are evicted first
   * @param maxEndedBytes heap bytes of ended instances; of short ones, long ones still on the heap
   *     and long ones off it, the kind that takes most is evicted, oldest first
   * @param maxEndedColdBytes bytes of the long ones, which are kept off the heap; the oldest are
   *     evicted first
   * @param keepEndedSeconds retention of an ended instance for queries
   * @param maxCalls calls in progress; an activity beyond it waits in the kernel for a permit
   * @param maxEvaluations evaluations handed to another thread; one beyond it waits in the kernel
   *     for a permit
   * @param inboxCapacity messages of the lane from the Request Handlers
   * @param stepsPerTurn tasks that one instance may enter before the next instance has its turn
   * @param maxStartKeys keys of starts that are remembered, about 150 bytes each; a further start
   *     with a key is refused
   * @param startKeyMinutes retention of a key after its start; longer while its instance is running
   * @param maxRetryBytes size of the state that is kept of an instance with a failed task, so that
   *     it can continue from there; without the state the instance can only be rerun
   * @param maxOrderedStarts starts that wait until one with the same ordering key has begun; a
   *     further one is refused
   * @param maxLateAnswers answers of services that answer later, on their way through the Invoker;
   *     a further one is answered 503
   * @param maxColdBytes bytes of waiting values kept off the heap: on the disk of the data folder,
   *     or in memory where there is none; further ones stay on the heap
   */
  public record KernelLimits(
      int maxInstances,
      int maxHeldBytes,
      int maxEnded,
      int maxEndedBytes,
      int maxEndedColdBytes,
      int keepEndedSeconds,
      int maxCalls,
      int maxEvaluations,
      int inboxCapacity,
      int stepsPerTurn,
      int maxStartKeys,
      int startKeyMinutes,
      int maxRetryBytes,
      int maxOrderedStarts,
      int maxLateAnswers,
      int maxColdBytes) {
    static final KernelLimits DEFAULTS =
        new KernelLimits(
            100_000,
            256 << 20,
            10_000,
            16 << 20,
            128 << 20,
            86_400,
            8_192,
            256,
            8_192,
            64,
            200_000,
            1_440,
            1 << 20,
            1_000,
            256,
            Integer.MAX_VALUE);

    /** Checks each value. */
    public KernelLimits {
      within("kernel.maxInstances", maxInstances, 1, 10_000_000);
      within("kernel.maxHeldBytes", maxHeldBytes, 1 << 10, Integer.MAX_VALUE);
      within("kernel.maxEnded", maxEnded, 0, 10_000_000);
      within("kernel.maxEndedBytes", maxEndedBytes, 0, Integer.MAX_VALUE);
      within("kernel.maxEndedColdBytes", maxEndedColdBytes, 0, Integer.MAX_VALUE);
      within("kernel.keepEndedSeconds", keepEndedSeconds, 1, 31_536_000);
      within("kernel.maxCalls", maxCalls, 1, 1 << 20);
      within("kernel.maxEvaluations", maxEvaluations, 1, 1 << 16);
      within("kernel.inboxCapacity", inboxCapacity, 2, 1 << 20);
      within("kernel.stepsPerTurn", stepsPerTurn, 1, 1_000_000);
      within("kernel.maxStartKeys", maxStartKeys, 0, 10_000_000);
      within("kernel.startKeyMinutes", startKeyMinutes, 1, 525_600);
      within("kernel.maxRetryBytes", maxRetryBytes, 0, 64 << 20);
      within("kernel.maxOrderedStarts", maxOrderedStarts, 0, 1_000_000);
      within("kernel.maxLateAnswers", maxLateAnswers, 1, 1 << 16);
      within("kernel.maxColdBytes", maxColdBytes, 0, Integer.MAX_VALUE);
    }

    /** Completions in progress to one kernel at most: the capacity of their lane. */
    public int maxCompletions() {
      return maxCalls + maxEvaluations + maxLateAnswers;
    }

    /**
     * Calls, aborts and late answers of one kernel that an Invoker may not have read yet: the
     * capacity of their lane. For each permit there are at most the abort of a call whose outcome
     * is already on its way, the next call, and its abort.
     */
    public int maxInvocations() {
      return 3 * maxCalls + maxLateAnswers;
    }
  }

  /**
   * Bounds of one evaluation.
   *
   * @param loopSteps steps on an event loop, meant to stay below a millisecond; beyond them the
   *     evaluation is handed to another thread
   * @param maxSteps steps on that other thread; beyond them the expression fails
   * @param maxDepth nesting of calls and data; each level takes up to 1 KiB of a thread's stack
   */
  public record ExpressionLimits(int loopSteps, int maxSteps, int maxDepth) {
    static final ExpressionLimits DEFAULTS = new ExpressionLimits(10_000, 1_000_000, 512);

    /** Checks each value. */
    public ExpressionLimits {
      within("expression.loopSteps", loopSteps, 100, 1_000_000);
      within("expression.maxSteps", maxSteps, 100, Integer.MAX_VALUE);
      within("expression.maxDepth", maxDepth, 16, 1_000);
      atMost("expression.loopSteps", loopSteps, "expression.maxSteps", maxSteps);
    }
  }

  /**
   * Bounds of calls, for each Invoker.
   *
   * @param maxConnections connections to all services together; one beyond it replaces the
   *     connection unused for longest, or waits for one. Lowered at start to what the limit of open
   *     files leaves
   * @param maxConnectionsPerService connections to one service; a call beyond it waits for one
   * @param connectTimeoutMillis time to establish a connection, TLS included
   * @param callTimeoutMillis time from the call to the last byte of its response, including the
   *     wait for a connection
   * @param idleTimeoutMillis time an unused connection is kept, unless its service keeps it for
   *     less
   * @param connectionAgeMillis time after which a connection is not used for further calls, so that
   *     changes of DNS take effect; up to a quarter less, at random
   * @param maxNameSeconds time that the addresses of a name are cached, unless its name server says
   *     less; the hosts file is read again a second after a change
   * @param reservedAddresses whether calls may go to addresses that are link-local, multicast,
   *     reserved or internal to a cloud, such as that of its metadata: 1 for yes, 0 for no
   * @param maxResponseBytes bytes of one response's body; more fails the call
   * @param maxBufferedBytes bytes of bodies that one Invoker has read and not forwarded; with more,
   *     all but one of its connections wait
   * @param maxHeaderBytes bytes of one response's header fields; more fails the call
   * @param maxMappingSteps steps of a concrete service's mapping of one body
   */
  public record InvokerLimits(
      int maxConnections,
      int maxConnectionsPerService,
      int connectTimeoutMillis,
      int callTimeoutMillis,
      int idleTimeoutMillis,
      int connectionAgeMillis,
      int maxNameSeconds,
      int reservedAddresses,
      int maxResponseBytes,
      int maxBufferedBytes,
      int maxHeaderBytes,
      int maxMappingSteps) {
    static final InvokerLimits DEFAULTS =
        new InvokerLimits(
            8_192, 1_024, 5_000, 30_000, 30_000, 60_000, 30, 0, 4 << 20, 64 << 20, 16 << 10,
            10_000);

    /** Checks each value and that one service fits all services. */
    public InvokerLimits {
      within("invoker.maxConnections", maxConnections, 1, 1_000_000);
      within("invoker.maxConnectionsPerService", maxConnectionsPerService, 1, 65_535);
      within("invoker.connectTimeoutMillis", connectTimeoutMillis, 1, 600_000);
      within("invoker.callTimeoutMillis", callTimeoutMillis, 1, 86_400_000);
      within("invoker.idleTimeoutMillis", idleTimeoutMillis, 1, 3_600_000);
      within("invoker.connectionAgeMillis", connectionAgeMillis, 1, 86_400_000);
      within("invoker.maxNameSeconds", maxNameSeconds, 1, 86_400);
      within("invoker.reservedAddresses", reservedAddresses, 0, 1);
      within("invoker.maxResponseBytes", maxResponseBytes, 1 << 10, 1 << 30);
      within("invoker.maxBufferedBytes", maxBufferedBytes, 1 << 10, Integer.MAX_VALUE);
      within("invoker.maxHeaderBytes", maxHeaderBytes, 256, 1 << 20);
      within("invoker.maxMappingSteps", maxMappingSteps, 1, 1_000_000);
      atMost(
          "invoker.maxConnectionsPerService",
          maxConnectionsPerService,
          "invoker.maxConnections",
          maxConnections);
    }
  }

  /**
   * Bounds of the files on disk, for each replica.
   *
   * @param segmentBytes least size of one file of the journal; one spare file is made in advance
   * @param laneCapacity records on their way to the disk; with half of them there a further start
   *     is refused
   * @param snapshotLogBytes bytes of records since the last snapshot after which another one is
   *     made; more after a large snapshot
   * @param keptLogBytes bytes of replaced segments that are kept for readers that follow the
   *     journal, such as the history; none while the disk is full
   * @param unreadLogBytes bytes of the journal that the history has not read yet; with more, starts
   *     are refused while it makes progress, and twice as much is kept for it
   * @param closeLogBytes bytes of records since the last snapshot from which on one is made when
   *     the engine is closed; fewer are replayed sooner than a snapshot is written
   */
  public record JournalLimits(
      int segmentBytes,
      int laneCapacity,
      int snapshotLogBytes,
      int closeLogBytes,
      int keptLogBytes,
      int unreadLogBytes) {
    static final JournalLimits DEFAULTS =
        new JournalLimits(64 << 20, 1 << 16, 256 << 20, 1 << 20, 384 << 20, 1 << 30);

    /** Checks each value. */
    public JournalLimits {
      within("journal.segmentBytes", segmentBytes, 1 << 16, 1 << 30);
      within("journal.laneCapacity", laneCapacity, 2, 1 << 20);
      within("journal.snapshotLogBytes", snapshotLogBytes, 1, 1 << 30);
      within("journal.closeLogBytes", closeLogBytes, 0, 1 << 30);
      within("journal.keptLogBytes", keptLogBytes, 0, 1 << 30);
      within("journal.unreadLogBytes", unreadLogBytes, 1 << 16, Integer.MAX_VALUE);
    }
  }

  /**
   * Bounds of the history of instances in a database.
   *
   * @param pollMillis time after which a journal without news is polled again
   * @param batchRecords records of a journal whose effects are written in one transaction
   * @param batchBytes bytes of records that are read at once, and of values, as JSON, that are
   *     written at once; one record or value may exceed it
   * @param maxValueChars characters of one input, output or error as JSON; a longer error is cut,
   *     of any other longer value only the length is kept
   * @param maxOutputBytes bytes of the output or error of an instance as JSON that is kept
   *     regardless of maxValueChars, compressed, so that clients can read it after its replica
   *     forgot it
   * @param busyMillis time that a statement waits for a database that another process has locked
   * @param retryMillis time after which a database that failed is tried again
   * @param retainDays how long ended instances are kept; 0 for ever
   * @param retainInstances ended instances that are kept, the oldest go first, but none for
   *     kernel.keepEndedSeconds; 0 for all
   * @param sweepSeconds time between two searches for instances to delete
   * @param readers connections by which a replica answers questions, each with a thread
   * @param maxQuestions questions that wait for a connection; a further one is answered 503
   * @param questionMillis time that the database may take to answer a question
   * @param maxEvents most events of one page
   * @param maxPageChars characters of the values of one page, as JSON; a page ends early there, but
   *     has one item at least
   */
  public record HistoryLimits(
      int pollMillis,
      int batchRecords,
      int batchBytes,
      int maxValueChars,
      int maxOutputBytes,
      int busyMillis,
      int retryMillis,
      int retainDays,
      int retainInstances,
      int sweepSeconds,
      int readers,
      int maxQuestions,
      int questionMillis,
      int maxEvents,
      int maxPageChars) {
    static final HistoryLimits DEFAULTS =
        new HistoryLimits(
            200, 2_000, 1 << 20, 256 << 10, 64 << 20, 2_000, 1_000, 30, 1_000_000, 60, 2, 64, 5_000,
            1_000, 1 << 20);

    /** Checks each value. */
    public HistoryLimits {
      within("history.pollMillis", pollMillis, 1, 60_000);
      within("history.batchRecords", batchRecords, 1, 1_000_000);
      within("history.batchBytes", batchBytes, 1, 1 << 30);
      within("history.maxValueChars", maxValueChars, 0, 1 << 30);
      within("history.maxOutputBytes", maxOutputBytes, 0, 1 << 30);
      within("history.busyMillis", busyMillis, 0, 600_000);
      within("history.retryMillis", retryMillis, 1, 600_000);
      within("history.retainDays", retainDays, 0, 36_600);
      within("history.retainInstances", retainInstances, 0, Integer.MAX_VALUE);
      within("history.sweepSeconds", sweepSeconds, 1, 86_400);
      within("history.readers", readers, 1, 64);
      within("history.maxQuestions", maxQuestions, 1, 10_000);
      within("history.questionMillis", questionMillis, 1, 600_000);
      within("history.maxEvents", maxEvents, 1, 10_000);
      within("history.maxPageChars", maxPageChars, 1, 1 << 30);
    }
  }

  /**
   * Bounds of chains of handlers, for each replica.
   *
   * @param maxChains chains in force together
   * @param maxHandlers handlers of one chain
   * @param maxDocumentBytes bytes of one document of chains
   * @param maxOwnDocumentChars characters of the document in a message
   * @param maxOwnChains chains of such documents that are kept ready; the one unused for longest is
   *     evicted
   * @param maxQueued messages that wait at one chain; a further one is refused
   * @param maxQueuedBytes heap bytes of messages that wait at one chain; with more a further one is
   *     refused
   * @param maxWindow messages in progress in one chain, even if its window adapts to more
   * @param maxOneway messages that wait for the oneway handlers of one chain; further ones skip
   *     these handlers
   * @param maxOnewayBytes heap bytes of messages that wait for the oneway handlers of one chain;
   *     with more, further ones skip these handlers
   * @param maxProperties properties of a message; a handler's changes fail with more
   * @param maxPropertyChars characters of the name and the value of a property together; a
   *     handler's changes fail with more
   * @param maxBodyBytes bytes of a body made by a handler; its changes fail with more
   * @param maxStuckWorkers threads that hang in a handler beyond its time and have been replaced;
   *     further ones are not replaced until they are back
   * @param workers threads that run handlers; 0 for one on each CPU of ancillary threads, or of the
   *     replica where ancillary threads have no CPUs reserved
   */
  public record HandlerLimits(
      int maxChains,
      int maxHandlers,
      int maxDocumentBytes,
      int maxOwnDocumentChars,
      int maxOwnChains,
      int maxQueued,
      int maxQueuedBytes,
      int maxWindow,
      int maxOneway,
      int maxOnewayBytes,
      int maxProperties,
      int maxPropertyChars,
      int maxBodyBytes,
      int maxStuckWorkers,
      int workers) {
    static final HandlerLimits DEFAULTS =
        new HandlerLimits(
            1_000, 64, 1 << 20, 16 << 10, 64, 1_024, 64 << 20, 200, 1_024, 64 << 20, 256, 16 << 10,
            16 << 20, 16, 0);

    /** Checks each value. */
    public HandlerLimits {
      within("handlers.maxChains", maxChains, 1, 100_000);
      within("handlers.maxHandlers", maxHandlers, 1, 1_000);
      within("handlers.maxDocumentBytes", maxDocumentBytes, 1 << 10, 1 << 26);
      within("handlers.maxOwnDocumentChars", maxOwnDocumentChars, 0, 1 << 20);
      within("handlers.maxOwnChains", maxOwnChains, 1, 10_000);
      within("handlers.maxQueued", maxQueued, 1, 1_000_000);
      within("handlers.maxQueuedBytes", maxQueuedBytes, 1 << 10, Integer.MAX_VALUE);
      within("handlers.maxWindow", maxWindow, 1, 10_000);
      within("handlers.maxOneway", maxOneway, 1, 1_000_000);
      within("handlers.maxOnewayBytes", maxOnewayBytes, 1 << 10, Integer.MAX_VALUE);
      within("handlers.maxProperties", maxProperties, 16, 10_000);
      within("handlers.maxPropertyChars", maxPropertyChars, 256, 1 << 20);
      within("handlers.maxBodyBytes", maxBodyBytes, 1 << 10, 1 << 30);
      within("handlers.maxStuckWorkers", maxStuckWorkers, 0, 10_000);
      within("handlers.workers", workers, 0, 1_024);
    }
  }

  /**
   * Bounds of the delivery of events to subscribers.
   *
   * @param publishers threads that transform and send events, each for its share of the subscribers
   * @param maxSubscriptions subscriptions; a further one is answered 503
   * @param maxSubscriptionBytes bytes of one subscription as JSON; more is answered 413
   * @param leaseSeconds time after which a subscription expires whose client names none
   * @param maxLeaseSeconds longest lease that a client may request
   * @param maxOutbox events that wait for subscribers; beyond it the oldest are lost for
   *     subscribers that have not received them
   * @param maxQueued events in memory for one subscriber
   * @param maxQueuedChars characters of the events in memory for all subscribers; beyond it each is
   *     read one event at a time
   * @param timeoutMillis time in which a subscriber must have answered
   * @param retryMillis time after which an event is sent again for the first time; twice as long
   *     each further time
   * @param maxRetryMillis the longest time between two attempts
   */
  public record PublishLimits(
      int publishers,
      int maxSubscriptions,
      int maxSubscriptionBytes,
      int leaseSeconds,
      int maxLeaseSeconds,
      int maxOutbox,
      int maxQueued,
      int maxQueuedChars,
      int timeoutMillis,
      int retryMillis,
      int maxRetryMillis) {
    static final PublishLimits DEFAULTS =
        new PublishLimits(
            2, 1_000, 64 << 10, 86_400, 31_536_000, 100_000, 256, 16 << 20, 10_000, 200, 60_000);

    /** Checks each value, and the relations between them. */
    public PublishLimits {
      within("publish.publishers", publishers, 1, 64);
      within("publish.maxSubscriptions", maxSubscriptions, 0, 100_000);
      within("publish.maxSubscriptionBytes", maxSubscriptionBytes, 1 << 10, 1 << 20);
      within("publish.leaseSeconds", leaseSeconds, 1, 31_536_000);
      within("publish.maxLeaseSeconds", maxLeaseSeconds, 1, 1_000_000_000);
      within("publish.maxOutbox", maxOutbox, 1, 100_000_000);
      within("publish.maxQueued", maxQueued, 1, 100_000);
      within("publish.maxQueuedChars", maxQueuedChars, 1 << 10, 1 << 30);
      within("publish.timeoutMillis", timeoutMillis, 1, 600_000);
      within("publish.retryMillis", retryMillis, 1, 600_000);
      within("publish.maxRetryMillis", maxRetryMillis, 1, 86_400_000);
      atMost("publish.leaseSeconds", leaseSeconds, "publish.maxLeaseSeconds", maxLeaseSeconds);
      atMost("publish.retryMillis", retryMillis, "publish.maxRetryMillis", maxRetryMillis);
    }
  }

  /**
   * Bounds of external events, in each replica unless stated otherwise.
   *
   * @param maxWaiting requests with events that wait to be stored; a further one is answered 429
   * @param maxWaitingBytes approximate heap bytes of waiting events; with more a further request is
   *     answered 429, but one is always accepted when no other waits
   * @param maxBatch events of one request; with more it is answered 400
   * @param maxAttributeChars characters of an attribute of an event; with more it is answered 400
   * @param rememberMinutes time in which a repeated event is recognized by source and id
   * @param maxRemembered events that are remembered for that, of all replicas; beyond it the oldest
   *     are forgotten sooner
   * @param maxKept subjects for which the last event of a type is kept, of all replicas; an event
   *     of a further one is answered 503
   * @param maxTableBytes approximate heap bytes of the rows of all tables; further rows are read
   *     from disk at each lookup
   * @param pollMillis time between two polls for events that other replicas accepted
   * @param busyMillis time that a write waits for other replicas
   */
  public record EventLimits(
      int maxWaiting,
      int maxWaitingBytes,
      int maxBatch,
      int maxAttributeChars,
      int rememberMinutes,
      int maxRemembered,
      int maxKept,
      int maxTableBytes,
      int pollMillis,
      int busyMillis) {
    static final EventLimits DEFAULTS =
        new EventLimits(
            1_024, 64 << 20, 1_000, 2_048, 1_440, 1_000_000, 1_000_000, 64 << 20, 200, 5_000);

    /** Checks each value. */
    public EventLimits {
      within("events.maxWaiting", maxWaiting, 1, 1_000_000);
      within("events.maxWaitingBytes", maxWaitingBytes, 1 << 10, Integer.MAX_VALUE);
      within("events.maxBatch", maxBatch, 1, 100_000);
      within("events.maxAttributeChars", maxAttributeChars, 64, 1 << 16);
      within("events.rememberMinutes", rememberMinutes, 1, 525_600);
      within("events.maxRemembered", maxRemembered, 1, 100_000_000);
      within("events.maxKept", maxKept, 1, 100_000_000);
      within("events.maxTableBytes", maxTableBytes, 0, Integer.MAX_VALUE);
      within("events.pollMillis", pollMillis, 1, 60_000);
      within("events.busyMillis", busyMillis, 1, 600_000);
    }
  }

  /**
   * Bounds of the work of each replica before clients are admitted.
   *
   * @param warmUpMillis time in which a temporary engine, whose data is deleted, answers requests
   *     of the replica; 0 for no such engine. Its start and end come on top, and a few calls of
   *     each event loop of the real engine
   * @param warmUpRequests requests after which the temporary engine ends sooner
   * @param connectAhead services that deployed definitions call by address and to which every
   *     Invoker opens a connection; 0 for none. Those of the definitions listed first
   * @param compileAhead definitions found in the data that are compiled, those of the first files
   *     by name; further ones at their first lookup, on the thread of the lookup. One that does not
   *     compile then is tried again when other chains of handlers are in force
   */
  public record StartLimits(
      int warmUpMillis, int warmUpRequests, int connectAhead, int compileAhead) {
    static final StartLimits DEFAULTS = new StartLimits(0, 100_000, 0, 1_000_000);

    /** Checks each value. */
    public StartLimits {
      within("start.warmUpMillis", warmUpMillis, 0, 60_000);
      within("start.warmUpRequests", warmUpRequests, 1, 1_000_000);
      within("start.connectAhead", connectAhead, 0, 10_000);
      within("start.compileAhead", compileAhead, 0, 1_000_000);
    }
  }

  /**
   * Bounds of event loops without work.
   *
   * @param spinMillis time after its last work in which a loop that waits by {@code spin} or {@code
   *     yield} polls before it sleeps
   */
  public record LoopLimits(int spinMillis) {
    static final LoopLimits DEFAULTS = new LoopLimits(100);

    /** Checks the value. */
    public LoopLimits {
      within("loop.spinMillis", spinMillis, 1, 3_600_000);
    }
  }

  private static void within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected " + name + " from " + least + " to " + most + ", found " + value);
    }
  }

  private static void atMost(String name, long value, String boundName, long bound) {
    if (value > bound) {
      throw new IllegalArgumentException(
          "expected " + name + " (" + value + ") to be at most " + boundName + " (" + bound + ")");
    }
  }
}
