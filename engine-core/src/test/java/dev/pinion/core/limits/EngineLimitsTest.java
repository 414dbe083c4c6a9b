package dev.pinion.core.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineLimitsTest {
  private static final EngineLimits DEFAULTS = EngineLimits.defaults();

  private static String refusal(Map<String, Integer> values) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> DEFAULTS.with(values));
    return String.valueOf(e.getMessage());
  }

  @Test
  void shouldHoldAValueOfAnyCharactersInARecord() {
    int most = DEFAULTS.maxRecordedBytes();
    Payload longest = Payload.of("\1".repeat(most - 2));

    assertTrue(longest.isWithin(most, Integer.MAX_VALUE, Integer.MAX_VALUE));
    assertTrue(longest.toString().length() <= DEFAULTS.maxRecordBytes(), "escaped");
  }

  /** Values of other limits that a limit needs to reach its bound, besides the defaults. */
  private static Map<String, Integer> company(String name, int value) {
    Map<String, Integer> values = new HashMap<>();
    switch (name) {
      case "definition.maxBytes" -> {
        values.put("request.maxBodyBytes", 1 << 30);
        values.put("request.maxBufferedBytes", Integer.MAX_VALUE);
      }
      case "request.maxBodyBytes" -> {
        values.put("definition.maxBytes", 1 << 10);
        values.put("request.maxBufferedBytes", Integer.MAX_VALUE);
      }
      case "request.maxBufferedBytes" -> {
        values.put("definition.maxBytes", 1 << 10);
        values.put("request.maxBodyBytes", 1 << 10);
      }
      case "request.defaultWaitMillis" -> values.put("request.maxWaitMillis", 3_600_000);
      case "request.maxWaitMillis" -> values.put("request.defaultWaitMillis", 0);
      case "instance.maxFanOut" -> values.put("instance.maxActivities", 10_000_000);
      case "instance.maxActivities" -> values.put("instance.maxFanOut", 1);
      case "expression.loopSteps" -> values.put("expression.maxSteps", Integer.MAX_VALUE);
      case "expression.maxSteps" -> values.put("expression.loopSteps", 100);
      case "invoker.maxConnections" -> values.put("invoker.maxConnectionsPerService", 1);
      case "invoker.maxConnectionsPerService" -> values.put("invoker.maxConnections", 1_000_000);
      case "kernel.keepEndedSeconds" -> values.put("history.retainDays", 0);
      case "publish.maxLeaseSeconds" -> values.put("publish.leaseSeconds", 1);
      case "publish.retryMillis" -> values.put("publish.maxRetryMillis", 86_400_000);
      case "publish.maxRetryMillis" -> values.put("publish.retryMillis", 1);
      default -> {}
    }
    values.put(name, value);
    return values;
  }

  @ParameterizedTest(name = "{0} from {1} to {2}")
  @CsvSource({
    "request.maxConnections, 1, 1000000",
    "request.maxRequests, 1, 1000000",
    "request.maxBodyBytes, 1024, 1073741824",
    "request.maxBufferedBytes, 1024, 2147483647",
    "request.maxUnsentBytes, 1024, 2147483647",
    "request.maxPeerConnections, 1, 65535",
    "request.maxPeerWaiting, 0, 1000000",
    "request.maxPeerResponseBytes, 1024, 2147483647",
    "request.maxWaitingStartBytes, 0, 1048576",
    "request.maxLists, 1, 10000",
    "request.maxUriBytes, 256, 1048576",
    "request.maxHeaderBytes, 256, 1048576",
    "request.maxHeaders, 8, 10000",
    "request.headTimeoutMillis, 10, 600000",
    "request.minBodyBytesPerSecond, 0, 1073741824",
    "request.idleTimeoutMillis, 10, 3600000",
    "request.defaultWaitMillis, 0, 3600000",
    "request.maxWaitMillis, 0, 3600000",
    "request.maxListed, 1, 10000",
    "request.startsAhead, 1, 1000000",
    "request.maxKeyChars, 1, 4096",
    "request.maxBusinessKeyChars, 1, 4096",
    "request.maxLabels, 0, 1000",
    "request.maxLabelChars, 1, 4096",
    "request.contractBurstSeconds, 1, 3600",
    "kernel.maxStartKeys, 0, 10000000",
    "kernel.startKeyMinutes, 1, 525600",
    "kernel.maxRetryBytes, 0, 67108864",
    "kernel.maxOrderedStarts, 0, 1000000",
    "kernel.maxLateAnswers, 1, 65536",
    "kernel.maxColdBytes, 0, 2147483647",
    "publish.publishers, 1, 64",
    "publish.maxSubscriptions, 0, 100000",
    "publish.maxSubscriptionBytes, 1024, 1048576",
    "publish.leaseSeconds, 1, 31536000",
    "publish.maxLeaseSeconds, 1, 1000000000",
    "publish.maxOutbox, 1, 100000000",
    "publish.maxQueued, 1, 100000",
    "publish.maxQueuedChars, 1024, 1073741824",
    "publish.timeoutMillis, 1, 600000",
    "publish.retryMillis, 1, 600000",
    "publish.maxRetryMillis, 1, 86400000",
    "definition.maxDocuments, 0, 1000",
    "definition.maxDocumentBytes, 1024, 67108864",
    "definition.fetchMillis, 100, 600000",
    "events.maxWaiting, 1, 1000000",
    "events.maxWaitingBytes, 1024, 2147483647",
    "events.maxBatch, 1, 100000",
    "events.maxAttributeChars, 64, 65536",
    "events.rememberMinutes, 1, 525600",
    "events.maxRemembered, 1, 100000000",
    "events.maxKept, 1, 100000000",
    "events.maxTableBytes, 0, 2147483647",
    "events.pollMillis, 1, 60000",
    "events.busyMillis, 1, 600000",
    "events.maxLogged, 1, 100000000",
    "events.maxLogBytes, 65536, 2147483647",
    "events.maxSinkLag, 1, 10000000",
    "events.keepMillis, 0, 86400000",
    "events.maxUnheardBytes, 1024, 2147483647",
    "program.maxRunning, 1, 1024",
    "protocol.maxServices, 1, 65535",
    "protocol.maxMessages, 1, 1000000",
    "messages.maxSubscriptions, 1, 100000",
    "messages.idleSeconds, 1, 86400",
    "messages.maxBytes, 1024, 268435456",
    "messages.maxQueued, 1, 10000",
    "messages.maxConnections, 1, 10000",
    "messages.maxThreads, 1, 1000",
    "program.timeoutSeconds, 1, 604800",
    "program.maxOutputBytes, 1024, 67108864",
    "program.maxMemoryMebibytes, 0, 1048576",
    "program.maxFileMebibytes, 0, 1048576",
    "schedule.minIntervalMillis, 1, 86400000",
    "schedule.maxSchedules, 0, 1000000",
    "schedule.maxQueued, 1, 1000",
    "schedule.maxEvents, 1, 1000000",
    "schedule.maxPastSeconds, 0, 31622400",
    "start.warmUpMillis, 0, 60000",
    "start.warmUpRequests, 1, 1000000",
    "start.connectAhead, 0, 10000",
    "start.compileAhead, 0, 1000000",
    "loop.spinMillis, 1, 3600000",
    "json.maxDepth, 8, 2000",
    "json.maxNumberDigits, 20, 100000",
    "json.maxYamlAliases, 0, 10000",
    "json.maxHeapBytes, 16384, 2147483647",
    "authentication.maxSecretBytes, 256, 16777216",
    "authentication.maxSecrets, 1, 1000000",
    "authentication.secretMillis, 0, 3600000",
    "authentication.maxTokens, 1, 1000000",
    "authentication.maxWaiting, 1, 1000000",
    "authentication.tokenTimeoutMillis, 1, 600000",
    "authentication.renewAheadSeconds, 0, 3600",
    "authentication.tokenSeconds, 1, 86400",
    "definition.maxBytes, 1024, 1073741824",
    "definition.maxTasks, 1, 1000000",
    "definition.maxDrawnTasks, 1, 100000",
    "definition.maxDefinitions, 1, 1000000",
    "definition.maxProblems, 1, 10000",
    "definition.maxPatternSize, 1, 100000",
    "definition.maxExpressionChars, 16, 1048576",
    "instance.maxSteps, 1, 2147483647",
    "instance.maxEvents, 1, 2147483647",
    "instance.maxFanOut, 1, 1000000",
    "instance.maxActivities, 1, 10000000",
    "instance.maxItems, 1, 2147483647",
    "instance.maxPayloadBytes, 1024, 1073741824",
    "instance.maxErrorBytes, 16384, 2147483647",
    "instance.maxTimerDays, 1, 36600",
    "instance.maxWaiters, 1, 1000000",
    "instance.maxNesting, 1, 1000",
    "instance.maxCompensations, 1, 1000000",
    "kernel.maxInstances, 1, 10000000",
    "kernel.maxHeldBytes, 1024, 2147483647",
    "kernel.maxEnded, 0, 10000000",
    "kernel.maxEndedColdBytes, 0, 2147483647",
    "kernel.keepEndedSeconds, 1, 31536000",
    "kernel.maxEndedBytes, 0, 2147483647",
    "kernel.maxCalls, 1, 1048576",
    "kernel.maxEvaluations, 1, 65536",
    "kernel.inboxCapacity, 2, 1048576",
    "kernel.stepsPerTurn, 1, 1000000",
    "expression.loopSteps, 100, 1000000",
    "expression.maxSteps, 100, 2147483647",
    "expression.maxDepth, 16, 1000",
    "invoker.maxConnections, 1, 1000000",
    "invoker.maxConnectionsPerService, 1, 65535",
    "invoker.connectTimeoutMillis, 1, 600000",
    "invoker.callTimeoutMillis, 1, 86400000",
    "invoker.idleTimeoutMillis, 1, 3600000",
    "invoker.connectionAgeMillis, 1, 86400000",
    "invoker.maxNameSeconds, 1, 86400",
    "invoker.reservedAddresses, 0, 1",
    "invoker.privateAddresses, 0, 1",
    "invoker.maxResponseBytes, 1024, 1073741824",
    "invoker.maxBufferedBytes, 1024, 2147483647",
    "invoker.maxHeaderBytes, 256, 1048576",
    "invoker.maxMappingSteps, 1, 1000000",
    "invoker.maxRequestBytes, 1024, 1073741824",
    "invoker.acceptCompressed, 0, 1",
    "journal.segmentBytes, 65536, 1073741824",
    "journal.laneCapacity, 2, 1048576",
    "journal.snapshotLogBytes, 1, 1073741824",
    "journal.closeLogBytes, 0, 1073741824",
    "journal.keptLogBytes, 0, 1073741824",
    "journal.unreadLogBytes, 65536, 2147483647",
    "journal.snapshotLaneBytes, 65536, 1073741824",
    "history.pollMillis, 1, 60000",
    "history.batchRecords, 1, 1000000",
    "history.batchBytes, 1, 1073741824",
    "history.maxValueChars, 0, 1073741824",
    "history.maxOutputBytes, 0, 1073741824",
    "history.maxPageChars, 1, 1073741824",
    "history.busyMillis, 0, 600000",
    "history.retryMillis, 1, 600000",
    "history.retainDays, 0, 36600",
    "history.retainInstances, 0, 2147483647",
    "history.sweepSeconds, 1, 86400",
    "history.readers, 1, 64",
    "history.maxQuestions, 1, 10000",
    "history.questionMillis, 1, 600000",
    "history.maxEvents, 1, 10000",
    "handlers.maxChains, 1, 100000",
    "handlers.maxHandlers, 1, 1000",
    "handlers.maxDocumentBytes, 1024, 67108864",
    "handlers.maxOwnDocumentChars, 0, 1048576",
    "handlers.maxOwnChains, 1, 10000",
    "handlers.maxQueued, 1, 1000000",
    "handlers.maxQueuedBytes, 1024, 2147483647",
    "handlers.maxWindow, 1, 10000",
    "handlers.maxOneway, 1, 1000000",
    "handlers.maxOnewayBytes, 1024, 2147483647",
    "handlers.maxProperties, 16, 10000",
    "handlers.maxPropertyChars, 256, 1048576",
    "handlers.maxBodyBytes, 1024, 1073741824",
    "handlers.maxStuckWorkers, 0, 10000",
    "handlers.workers, 0, 1024"
  })
  void shouldAcceptALimitUpToItsEdges(String name, int least, int most) {
    for (int value : new int[] {least, most}) {
      assertEquals(value, DEFAULTS.with(company(name, value)).values().get(name));
    }
    assertEquals(
        "expected " + name + " from " + least + " to " + most + ", found " + (least - 1),
        refusal(company(name, least - 1)));
    if (most < Integer.MAX_VALUE) {
      assertTrue(refusal(company(name, most + 1)).startsWith("expected " + name + " from "));
    }
  }

  @Test
  void shouldHaveAnEdgeTestForEveryLimit() throws Exception {
    CsvSource tested =
        EngineLimitsTest.class
            .getDeclaredMethod("shouldAcceptALimitUpToItsEdges", String.class, int.class, int.class)
            .getAnnotation(CsvSource.class);
    Set<String> names = new TreeSet<>();
    for (String row : tested.value()) {
      names.add(row.substring(0, row.indexOf(',')));
    }

    assertEquals(DEFAULTS.values().keySet(), names);
  }

  @ParameterizedTest
  @CsvSource({
    "definition.maxBytes, request.maxBodyBytes, 4194305, 4194304",
    "request.maxBodyBytes, request.maxBufferedBytes, 67108865, 67108864",
    "request.defaultWaitMillis, request.maxWaitMillis, 300001, 300000",
    "instance.maxFanOut, instance.maxActivities, 20001, 20000",
    "expression.loopSteps, expression.maxSteps, 5001, 5000",
    "invoker.maxConnectionsPerService, invoker.maxConnections, 8193, 8192"
  })
  void shouldKeepOneLimitWithinAnother(String name, String within, int value, int bound) {
    assertEquals(
        "expected " + name + " (" + value + ") to be at most " + within + " (" + bound + ")",
        refusal(Map.of(name, value, within, bound)));
    DEFAULTS.with(Map.of(name, bound, within, bound));
  }

  @Test
  void shouldSuggestTheNameThatWasProbablyMeant() {
    assertEquals(
        "expected the name of a limit, found \"kernel.maxCals\"; did you mean \"kernel.maxCalls\"?",
        refusal(Map.of("kernel.maxCals", 1)));
  }

  @Test
  void shouldChangeOnlyWhatIsNamed() {
    EngineLimits changed = DEFAULTS.with(Map.of("kernel.maxCalls", 5));
    Map<String, Integer> expected = new HashMap<>(DEFAULTS.values());
    expected.put("kernel.maxCalls", 5);

    assertEquals(expected, changed.values());
    assertEquals(DEFAULTS, changed.with(Map.of("kernel.maxCalls", 8_192)));
  }

  @Test
  void shouldHaveRoomForACompletionOfEveryPermit() {
    EngineLimits limits =
        DEFAULTS.with(Map.of("kernel.maxCalls", 1 << 20, "kernel.maxEvaluations", 1 << 16));

    int lateAnswers = limits.kernel().maxLateAnswers();
    int filters = 1;
    assertEquals((1 << 20) + (1 << 16) + lateAnswers + filters, limits.kernel().maxCompletions());
    assertEquals(3 * (1 << 20) + lateAnswers, limits.kernel().maxInvocations());
  }

  /** Field fault 1: many event loops share the allowance of one. */
  @Test
  void shouldDivideWhatEachLoopHasOfTheHeap() {
    long heap = 1L << 28;
    EngineLimits one = EngineLimits.forHeap(heap);
    EngineLimits four = EngineLimits.forHeap(heap, 4);

    assertEquals(one.kernel().maxEndedBytes() / 4, four.kernel().maxEndedBytes());
    assertEquals(one.kernel().maxStartKeys() / 4, four.kernel().maxStartKeys());
    assertEquals(one.invoker().maxBufferedBytes() / 4, four.invoker().maxBufferedBytes());
    assertEquals(one.request().maxBufferedBytes() / 4, four.request().maxBufferedBytes());
    assertEquals(one.kernel().maxHeldBytes(), four.kernel().maxHeldBytes(), "of all loops");
    four.requireFit(heap, 4);
  }

  // Values that were set used to be checked as if a replica had one loop.
  @Test
  void shouldCountWhatEachLoopMayHold() {
    long heap = 1L << 30;
    EngineLimits limits =
        EngineLimits.forHeap(heap, 4).with(Map.of("kernel.maxEndedBytes", (int) (heap / 16)));

    limits.requireFit(heap, 1);
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> limits.requireFit(heap, 8))
                .getMessage());
    assertTrue(message.contains("8 times kernel.maxEndedBytes=" + (heap / 2 - (7 << 20))), message);
  }

  /** Field fault 1: instances may hold three times kernel.maxHeldBytes, which has to fit. */
  @Test
  void shouldFitWhatInstancesMayHoldTogether() {
    for (long heap = 128L << 20; heap <= 64L << 30; heap *= 2) {
      for (int loops : List.of(1, 2, 4, 16, 64)) {
        EngineLimits.forHeap(heap, loops).requireFit(heap, loops);
      }
    }
    long heap = 1L << 30;
    EngineLimits limits = EngineLimits.forHeap(heap);
    limits.with(Map.of("kernel.maxHeldBytes", (int) (heap / 100 * 17))).requireFit(heap, 1);
    EngineLimits beyond = limits.with(Map.of("kernel.maxHeldBytes", (int) (heap / 100 * 19)));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> beyond.requireFit(heap, 1))
                .getMessage());
    assertTrue(message.contains("three times kernel.maxHeldBytes=" + heap / 100 * 57), message);
  }

  /** Field fault 6: answers on their way are outside of the heap, in as much memory. */
  @Test
  void shouldHaveAnswersOnTheirWayFollowTheHeap() {
    long heap = 1L << 28;
    EngineLimits limits = EngineLimits.forHeap(heap, 4);

    assertEquals(heap / 8, limits.request().maxUnsentBytes(), "of all loops");
    assertEquals(64 << 20, EngineLimits.forHeap(1L << 32).request().maxUnsentBytes());
    limits.with(Map.of("request.maxUnsentBytes", (int) (heap / 2))).requireFit(heap, 1);
    EngineLimits beyond = limits.with(Map.of("request.maxUnsentBytes", (int) (heap / 2) + 1));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> beyond.requireFit(heap, 1))
                .getMessage());
    assertTrue(message.startsWith("expected request.maxUnsentBytes of at most 134217728"), message);
  }

  /** Field fault 4: results are returned from the history, which must keep them for that long. */
  @Test
  void shouldRefuseToTellResultsForLongerThanTheyAreKept() {
    Map<String, Integer> edge = Map.of("kernel.keepEndedSeconds", 172_800, "history.retainDays", 2);
    assertEquals(172_800, DEFAULTS.with(edge).kernel().keepEndedSeconds());
    String told = refusal(Map.of("kernel.keepEndedSeconds", 172_801, "history.retainDays", 2));
    assertTrue(told.contains("kernel.keepEndedSeconds (172801)"), told);
    assertTrue(told.contains("raise history.retainDays"), told);
  }
}
