package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.event.ConsumedPositions;
import dev.pinion.core.kernel.step.event.EventMatches;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.schedule.ScheduleProgress;
import org.jspecify.annotations.Nullable;

/**
 * What an instance that keeps a schedule begins with: its input. One that follows another goes on
 * where that has come to, so no event is lost between them, and none counts for both.
 *
 * @param value the input
 */
public record ScheduleHandover(Payload value) {
  /** Position of the log behind which events count. */
  private static final String AFTER = "after";

  /** Positions that the instance before has consumed. */
  private static final String HEARD = "heard";

  /** Whether the instance before is suspended: then this one will be, too. */
  private static final String PAUSED = "paused";

  /** Events that wait. */
  private static final String MATCHES = "matches";

  /** A run that is under way, which the next instance does not begin again. */
  public record RunUnderWay(InstanceId id, long startedAtEpochMillis) {}

  /**
   * The input of the first instance, which listens to events.
   *
   * @param end last position of the log; negative when it is not known: then the time decides
   */
  public static Payload firstBehind(long end) {
    return behind(Payload.EMPTY_OBJECT, end);
  }

  private static Payload behind(Payload value, long position) {
    return position < 0 ? value : value.withFirst(AFTER, Payload.of(position));
  }

  /**
   * The input of the instance that follows another one, whose values must be unpacked.
   *
   * @param run a run whose end the other one awaits, or null
   * @param maxBytes most bytes of the input as JSON: beyond that, events that lack others are given
   *     up
   */
  public static Payload of(Instance before, @Nullable RunUnderWay run, long maxBytes) {
    Node.Schedule task = before.graph.scheduleTask();
    Activity activity = ScheduleTask.activity(before);
    Payload kept = activity == null ? null : activity.rawOutput;
    if (task == null || activity == null || kept == null) {
      return before.rawInput; // it has not begun
    }
    ScheduleProgress progress = ScheduleProgress.read(task.rule(), 0, kept);
    EventMatches matches = activity.matches;
    if (matches == null) {
      if (run != null) {
        progress.left(run.id.toString(), run.startedAtEpochMillis);
      }
      return progress.write();
    }
    if (run != null) {
      progress.started(run.id.toString(), run.startedAtEpochMillis, before.nowEpochMillis);
    }
    boolean fits = matches.bytes() <= maxBytes;
    for (int left = fits ? 0 : matches.lacking(); left > 0; left--) {
      progress.leaveOut(null);
    }
    Payload waiting = matches.toPayload(fits, run == null ? 0 : 1);
    return progress.write().withFirst(MATCHES, waiting);
  }

  /**
   * The same for an instance that listens to events, whatever the one before did.
   *
   * @param run a run whose end the other one awaits, or null
   * @param maxBytes most bytes of the input as JSON
   * @param compared position up to which all events are compared with the other one; negative when
   *     it is not known
   * @param end last position of the log; negative when it is not known
   */
  public static Payload toEvents(
      Instance before, @Nullable RunUnderWay run, long maxBytes, long compared, long end) {
    Payload value = of(before, run, maxBytes);
    Activity activity = ScheduleTask.activity(before);
    ListenState heard = activity == null ? null : activity.listening;
    if (heard == null) {
      boolean waits = activity == null || activity.rawOutput == null;
      return waits && value.member(AFTER) != null ? value : behind(value, end);
    }
    ConsumedPositions positions = heard.positions.copy();
    positions.raiseTo(compared);
    Payload place =
        behind(
            value.withFirst(
                HEARD, Payload.array(positions.toNumbers().stream().map(Payload::of).toList())),
            positions.floor());
    return before.suspended ? place.withFirst(PAUSED, Payload.of(1)) : place;
  }

  /** Whether the instance before was suspended, as this one will be soon. */
  boolean isPaused() {
    return value.number(PAUSED) != 0;
  }

  /** Whether positions alone decide which events count. */
  boolean hasPlace() {
    return value.member(AFTER) != null && !isPaused();
  }

  /** Time from which events counted for the instance before; 0 when positions decided. */
  long since() {
    return value.number(ScheduleProgress.SINCE);
  }

  /** Positions whose events do not count. */
  ConsumedPositions positions() {
    ConsumedPositions positions = ConsumedPositions.of(value.numbers(HEARD));
    positions.raiseTo(value.number(AFTER));
    return positions;
  }

  /** The events that wait. */
  EventMatches matches(Node.Listen listen) {
    Payload matches = value.member(MATCHES);
    return EventMatches.of(listen, matches == null ? Payload.EMPTY_OBJECT : matches);
  }
}
