package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.CallLog.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Runs that schedules begin during faults of the engine: each due time has one run, or is told as
 * missed, and none is early.
 */
final class ScheduledRuns {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String TICK = "tick";
  private static final String TOCK = "tock";
  private static final long TICK_MILLIS = 1_000;
  private static final long TOCK_MILLIS = 500;

  /** Difference of two readings of clocks, and of rounding. */
  private static final long TOLERANCE_MILLIS = 5;

  private final PatientClient client;
  private final ErrandServices services;
  private final long begunNanos = System.nanoTime();
  private final long begunMillis = Instant.now().toEpochMilli();

  /** What was known of the ticks at the beginning. */
  private final JsonNode before;

  /** Looks at schedules that were deployed just now. */
  ScheduledRuns(PatientClient client, ErrandServices services) {
    this.client = client;
    this.services = services;
    this.before = client.schedule(TICK);
  }

  /** Pauses the schedules, waits for the runs under way and checks all of them. */
  void check() {
    JsonNode paused = client.controlSchedule(TICK, "pause");
    long pausedMillis = Instant.now().toEpochMilli();
    client.controlSchedule(TOCK, "pause");
    int ticks = awaitRuns(TICK, ErrandServices.TICK);
    int tocks = awaitRuns(TOCK, ErrandServices.TOCK);
    checkCounted(paused, pausedMillis);
    checkDue();
    checkApart();
    System.out.printf(
        "%d ticks, %d of them missed, and %d tocks; no due time twice, none early%n",
        ticks + paused.path("missed").asInt(), paused.path("missed").asInt(), tocks);
  }

  /** The number of runs as soon as each has called its service, under one key. */
  private int awaitRuns(String definition, String path) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertEquals(
                    client.schedule(definition).path("runs").asInt(),
                    firstCalls(path).size(),
                    "runs that called " + path));
    return firstCalls(path).size();
  }

  /** The first call of each run, by its key, in order of arrival. */
  private Map<String, Call> firstCalls(String path) {
    Map<String, Call> first = new LinkedHashMap<>();
    for (Call call : services.calls()) {
      if (call.path().equals(path)) {
        first.putIfAbsent(call.key(), call);
      }
    }
    return first;
  }

  /** Each due time from the first look on is a run, or missed. */
  private void checkCounted(JsonNode after, long pausedMillis) {
    long counted = counted(after) - counted(before);
    long first = millis(before.path("next"));
    long last = millis(after.path("last").path("due"));
    long atLeast = (last - first) / TICK_MILLIS + 1;
    long atMost = (pausedMillis - first) / TICK_MILLIS + 2; // a run may have begun at that look
    assertEquals(0, after.path("skipped").asInt() - before.path("skipped").asInt(), "skipped");
    assertTrue(
        counted >= atLeast && counted <= atMost,
        () ->
            "expected "
                + atLeast
                + " to "
                + atMost
                + " due times, found "
                + counted
                + ": "
                + before
                + ", "
                + after);
  }

  private static long counted(JsonNode schedule) {
    return schedule.path("runs").asLong() + schedule.path("missed").asLong();
  }

  private static long millis(JsonNode time) {
    return Instant.parse(time.asText()).toEpochMilli();
  }

  /** Of runs that the engine still knows, no two were due at the same time, and none was early. */
  private void checkDue() {
    Map<String, Call> byInstance = new LinkedHashMap<>();
    firstCalls(ErrandServices.TICK).values().forEach(call -> byInstance.put(call.instance(), call));
    List<Long> due = new ArrayList<>();
    for (JsonNode run : client.list("namespace=test&definition=" + TICK)) {
      long dueMillis = millis(run.path("labels").path("pinion.due"));
      due.add(dueMillis);
      assertEquals("COMPLETED", run.path("state").asText(), run::toString);
      Call call = Objects.requireNonNull(byInstance.get(run.path("id").asText()), run::toString);
      long late = millis(call) - dueMillis;
      assertTrue(late >= -TOLERANCE_MILLIS, () -> "early: " + late + " ms, " + run);
    }
    assertEquals(new HashSet<>(due).size(), due.size(), () -> "runs due at " + due);
  }

  private long millis(Call call) {
    return begunMillis + TimeUnit.NANOSECONDS.toMillis(call.nanos() - begunNanos);
  }

  /** A run begins some time after the end of the one before. */
  private void checkApart() {
    Call before = null;
    for (Call call : firstCalls(ErrandServices.TOCK).values()) {
      if (before != null) {
        Call former = before;
        long apart = TimeUnit.NANOSECONDS.toMillis(call.nanos() - former.nanos());
        assertTrue(
            apart >= TOCK_MILLIS,
            () -> "early: " + apart + " ms between " + former + " and " + call);
      }
      before = call;
    }
  }
}
