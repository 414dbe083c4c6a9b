package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.SimulatedServices.CallName;
import dev.pinion.core.kernel.SimulatedServices.Delivery;
import dev.pinion.core.kernel.replay.SimulatedEngine;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.oracle.Verdict;
import dev.pinion.oracle.Verdict.Call;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Comparison of an engine's behaviour, over all its lives, with the expected result of the process.
 */
public final class VerdictCheck {
  private final Verdict expected;
  private final long startMillis;

  /**
   * A comparison.
   *
   * @param startMillis time from the beginning of the simulation to that of the process
   */
  public VerdictCheck(Verdict expected, long startMillis) {
    this.expected = expected;
    this.startMillis = startMillis;
  }

  /**
   * Compares the end and all events before it.
   *
   * @param endNanos latest time of its end
   */
  public void check(InstanceView view, SimulatedServices services, long endNanos) {
    assertEquals(expected.outcome(), outcome(view), "outcome");
    long millis = millis(endNanos);
    assertTrue(
        millis >= expected.millis(),
        () -> "expected no end before " + expected.millis() + " ms, found " + millis);
    assertTrue(
        millis < expected.millis() + SimulatedEngine.DAY_MILLIS,
        () -> "expected an end soon after " + expected.millis() + " ms, found it at " + millis);
    Map<Integer, List<Delivery>> calls = services.calls();
    Set<Integer> branches = new HashSet<>(calls.keySet());
    branches.addAll(expected.calls().keySet());
    for (int branch : branches) {
      checkCalls(
          branch,
          expected.calls().getOrDefault(branch, List.of()),
          calls.getOrDefault(branch, List.of()));
    }
  }

  /** Time of the process; negative before its beginning. */
  private long millis(long nowNanos) {
    return (nowNanos - SimulatedEngine.FIRST_NANOS) / 1_000_000 - startMillis;
  }

  private static Verdict.Outcome outcome(InstanceView view) {
    return switch (view.state()) {
      case COMPLETED -> new Verdict.Completed(SimulatedServices.json(view.output()));
      case FAULTED -> {
        WorkflowError error = Objects.requireNonNull(view.error());
        yield new Verdict.Faulted(error.type(), error.status(), String.valueOf(error.instance()));
      }
      default -> fail("expected an instance that has ended, found " + view);
    };
  }

  private void checkCalls(int branch, List<Call> expected, List<Delivery> found) {
    if (!canBe(expected, found)) {
      assertEquals(
          expected.stream().map(VerdictCheck::line).collect(Collectors.joining("\n")),
          found.stream()
              .map(call -> call.path() + " " + call.body())
              .collect(Collectors.joining("\n")),
          () -> "calls of branch " + branch);
    }
    if (expected.size() == found.size()) {
      for (int i = 0; i < found.size(); i++) {
        checkNotEarly(expected.get(i), found.get(i));
      }
    }
  }

  private static String line(Call call) {
    return call.path() + " " + call.body() + (call.certain() ? "" : " (maybe)");
  }

  private void checkNotEarly(Call call, Delivery found) {
    long millis = millis(found.nowNanos());
    assertTrue(
        millis >= call.millis(),
        () -> "expected " + call + " not to be made early, found it at " + millis + " ms");
  }

  /** Whether calls are the expected ones in their order; possible ones may be missing. */
  private static boolean canBe(List<Call> expected, List<Delivery> found) {
    if (expected.isEmpty()) {
      return found.isEmpty();
    }
    Call first = expected.getFirst();
    List<Call> rest = expected.subList(1, expected.size());
    boolean made =
        !found.isEmpty()
            && first.path().equals(found.getFirst().path())
            && first.body().equals(found.getFirst().body());
    return (made && canBe(rest, found.subList(1, found.size())))
        || (!first.certain() && canBe(rest, found));
  }

  /** Checks that no call with a recorded outcome is made again. */
  public static void checkNotRepeated(List<JournalRecord> records, List<Delivery> deliveries) {
    Set<CallName> completed =
        records.stream()
            .filter(record -> record.event() instanceof Event.CallCompleted)
            .map(record -> name((Event.CallCompleted) record.event()))
            .collect(Collectors.toSet());
    for (Delivery delivery : deliveries) {
      assertTrue(
          !completed.contains(delivery.name()),
          () -> "expected no call again whose outcome is recorded, found " + delivery);
    }
  }

  private static CallName name(Event.CallCompleted done) {
    return new CallName(done.id(), done.attempt());
  }
}
