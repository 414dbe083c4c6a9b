package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.serve.CallLog.Call;
import dev.pinion.bootstrap.serve.Errands.Ended;
import dev.pinion.bootstrap.serve.Errands.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Compares the records of services with the ends of errands: every step of an errand was made under
 * one key, in its order and not early, and none again whose result the next one shows.
 */
final class ErrandCheck {
  /** Steps of an errand and its child, each of which shows the result of the one before. */
  private static final List<String> STEPS =
      List.of(
          ErrandServices.RESERVE, ErrandServices.PACK, ErrandServices.PACKED, ErrandServices.SHIP);

  /** The wait between the first and the last call of the child. */
  private static final long REST_MILLIS = 300;

  /** Calls by path and number, in order of arrival. */
  private final Map<String, List<Call>> calls = new HashMap<>();

  private final Map<String, List<Call>> byKey = new HashMap<>();

  ErrandCheck(List<Call> calls) {
    for (Call call : calls) {
      String of = of(call.path(), ErrandServices.number(call));
      this.calls.computeIfAbsent(of, _ -> new ArrayList<>()).add(call);
      byKey.computeIfAbsent(call.key(), _ -> new ArrayList<>()).add(call);
    }
    byKey.values().forEach(ErrandCheck::checkAttempts);
  }

  private static String of(String path, int n) {
    return path + " " + n;
  }

  private List<Call> calls(String path, int n) {
    return calls.getOrDefault(of(path, n), List.of());
  }

  /** A repeated call is the same, and says that it is a repetition. */
  private static void checkAttempts(List<Call> same) {
    for (int i = 1; i < same.size(); i++) {
      assertTrue(same.get(i).attempt() > same.get(i - 1).attempt(), "attempts of " + same);
      assertEquals(same.getFirst().path(), same.get(i).path(), "the same call");
      assertEquals(same.getFirst().body(), same.get(i).body(), "the same call");
    }
  }

  /** Number of calls that were repeated. */
  int repeated() {
    return byKey.values().stream().mapToInt(same -> same.size() - 1).sum();
  }

  void check(Ended errand) {
    int n = errand.n();
    boolean cancelled = errand.fate() == Fate.CANCELLED;
    for (String step : STEPS) {
      int keys = keys(step, n);
      boolean never = cancelled && step.equals(ErrandServices.SHIP);
      assertTrue(keys <= 1, () -> step + " under " + keys + " keys, " + errand);
      assertTrue(never ? keys == 0 : cancelled || keys == 1, () -> step + " lost, " + errand);
    }
    int told = keys(ErrandServices.NOTIFY, n);
    assertTrue(told == 1 || (told == 0 && cancelled), () -> told + " times told, " + errand);
    checkOrder(n);
    checkNotEarly(errand);
    checkCompensation(errand);
  }

  private int keys(String path, int n) {
    return calls(path, n).stream().map(Call::key).collect(Collectors.toSet()).size();
  }

  /** No step is made again once the next one has begun. */
  private void checkOrder(int n) {
    for (int i = 1; i < STEPS.size(); i++) {
      List<Call> before = calls(STEPS.get(i - 1), n);
      List<Call> next = calls(STEPS.get(i), n);
      if (!next.isEmpty()) {
        assertTrue(!before.isEmpty(), () -> "without the step before: " + next);
        assertTrue(
            before.getLast().nanos() <= next.getFirst().nanos(),
            () -> "made again although its answer was visible: " + before + ", " + next);
      }
    }
  }

  private void checkNotEarly(Ended errand) {
    List<Call> packed = calls(ErrandServices.PACKED, errand.n());
    if (!packed.isEmpty()) {
      long begun = calls(ErrandServices.PACK, errand.n()).getFirst().nanos();
      long rested = TimeUnit.NANOSECONDS.toMillis(packed.getFirst().nanos() - begun);
      assertTrue(rested >= REST_MILLIS, () -> "early: " + rested + " ms, " + packed);
    }
    for (Call ship : calls(ErrandServices.SHIP, errand.n())) {
      assertTrue(ship.nanos() - errand.mayShipNanos() >= 0, () -> "before it was let: " + ship);
    }
  }

  /** What was undone was undone under one key, the last one first. */
  private void checkCompensation(Ended errand) {
    List<Call> unpack = calls(ErrandServices.UNPACK, errand.n());
    List<Call> release = calls(ErrandServices.RELEASE, errand.n());
    int undone = keys(ErrandServices.UNPACK, errand.n()) + keys(ErrandServices.RELEASE, errand.n());
    assertEquals(errand.compensated(), undone, () -> errand + ": " + unpack + ", " + release);
    if (errand.fate().completes()) {
      assertEquals(0, undone, errand::toString);
    }
    if (!unpack.isEmpty()) {
      assertTrue(!release.isEmpty(), () -> "not released: " + errand);
      assertTrue(
          unpack.getLast().nanos() <= release.getFirst().nanos(),
          () -> "released before it was unpacked: " + unpack + ", " + release);
      List<Call> packed = calls(ErrandServices.PACKED, errand.n());
      assertTrue(!packed.isEmpty(), () -> "unpacked what was not packed: " + errand);
    }
  }

  /** A retried instance goes on under its keys; one that is run again has others. */
  void checkRetriedAndRerun(int count) {
    Set<Integer> numbers =
        calls.values().stream()
            .map(List::getFirst)
            .filter(call -> call.path().equals(ErrandServices.FLAKY))
            .map(ErrandServices::number)
            .collect(Collectors.toSet());
    assertEquals(count, numbers.size(), "retried and rerun");
    for (int n : numbers) {
      assertEquals(2, keys(ErrandServices.BEFORE, n), () -> "begun by retry: " + n);
      assertEquals(2, keys(ErrandServices.FLAKY, n), () -> "keys after a retry: " + n);
    }
  }
}
