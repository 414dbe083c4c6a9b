package dev.pinion.core.schedule;

import dev.pinion.core.model.Payload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far a schedule has come: read from the value that its instance keeps, changed by an event,
 * and written again. Follows from the events of the instance alone. Single-threaded.
 *
 * <pre>
 *   waits ──due──▶ run wanted ──begun, or ended where that counts──▶ waits
 *     ▲               └─refused─▶ wanted again soon, until the next run is due
 *     └──resumed: due times of the pause are passed over──────────────────┘
 * </pre>
 *
 * <p>Of the due times that pass while nothing can begin, the first one gets a run, late; the others
 * are missed. Where runs follow events, nothing is due by itself: whoever keeps the events says
 * when a run is {@linkplain #want wanted}.
 */
public final class ScheduleProgress {
  /** Member of {@link #since()} in what is written. */
  public static final String SINCE = "since";

  /**
   * Time that a schedule waits for the clock to catch up when it was set back: no run begins twice.
   * Beyond, due times count anew.
   */
  public static final long MOST_PATIENCE_MILLIS = TimeUnit.HOURS.toMillis(2);

  private static final long FIRST_RETRY_MILLIS = 1_000;
  private static final long LONGEST_RETRY_MILLIS = 60_000;
  private static final int MOST_DOUBLINGS = 6;

  private final ScheduleRule rule;
  private final int maxQueued;

  /** When the schedule began. */
  private long begun;

  /** Time up to which every due time has a run, waits, or is counted as left out. */
  private long considered;

  /** As {@link #due()}. */
  private long due;

  /** When that run begins: later than it is due after a refusal. */
  private long wake;

  /** Whether the run is wanted; where its end counts, also whether it is under way. */
  private boolean wanted;

  /** Refusals of the run so far. */
  private int refusals;

  /** As {@link #since()}. */
  private long since;

  /** Due times of runs that wait for the end of another one. */
  private final Deque<Long> queued = new ArrayDeque<>();

  private long runs;
  private long missed;
  private long skipped;
  private @Nullable CompletedRun last;
  private @Nullable String problem;

  /**
   * The last run that has begun and, where that counts, ended.
   *
   * @param id the instance, or null when it was lost
   * @param state its last state, or null when nobody waited for it
   */
  public record CompletedRun(long due, long started, @Nullable String id, @Nullable String state) {}

  private ScheduleProgress(ScheduleRule rule, int maxQueued) {
    this.rule = rule;
    this.maxQueued = maxQueued;
  }

  /**
   * The beginning of a schedule.
   *
   * @param maxQueued most runs that wait for the end of another one
   * @param before the value that the schedule's last instance kept; an empty object for none
   */
  public static ScheduleProgress begin(ScheduleRule rule, int maxQueued, Payload before, long now) {
    ScheduleProgress progress = read(rule, maxQueued, before);
    boolean same = hasRule(rule, before);
    boolean timed = !rule.recurrence().followsEvents();
    boolean going = same && timed && !progress.isAhead(now);
    boolean waits = going && !progress.wanted && progress.due != Recurrence.NONE;
    if (!same) {
      progress.begun = now;
    }
    progress.problem = null;
    progress.refusals = 0;
    progress.shortenQueue(waits && rule.overlap() == OverlapPolicy.QUEUE ? maxQueued : 0);
    if (!waits) {
      progress.wanted = false;
      progress.considered = now;
      progress.plan(now);
    }
    return progress;
  }

  /** Whether a value is that of a schedule with the same due times, or the same events. */
  public static boolean hasRule(ScheduleRule rule, Payload value) {
    return rule.recurrence().rule().equals(value.text("rule"));
  }

  /** Reads what {@link #write} wrote. */
  public static ScheduleProgress read(ScheduleRule rule, int maxQueued, Payload value) {
    ScheduleProgress progress = new ScheduleProgress(rule, maxQueued);
    progress.begun = value.number("begun");
    progress.considered = value.number("considered");
    progress.since = value.number(SINCE);
    progress.due = value.number("due");
    progress.wake = value.number("wake");
    progress.refusals = value.integer("refusals");
    progress.wanted = value.number("wanted") != 0;
    progress.queued.addAll(value.numbers("queued"));
    progress.runs = value.number("runs");
    progress.missed = value.number("missed");
    progress.skipped = value.number("skipped");
    progress.problem = value.text("problem");
    long lastDue = value.number("lastDue");
    if (lastDue != Recurrence.NONE) {
      progress.last =
          new CompletedRun(
              lastDue, value.number("lastStarted"), value.text("lastId"), value.text("lastState"));
    }
    return progress;
  }

  /** The value for the instance. */
  public Payload write() {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("rule", Payload.of(rule.recurrence().rule()));
    put(members, "begun", begun);
    put(members, "considered", considered);
    put(members, SINCE, since);
    put(members, "due", due);
    put(members, "wake", wake);
    put(members, "wanted", wanted ? 1 : 0);
    put(members, "refusals", refusals);
    if (!queued.isEmpty()) {
      members.put("queued", Payload.array(queued.stream().map(Payload::of).toList()));
    }
    put(members, "runs", runs);
    put(members, "missed", missed);
    put(members, "skipped", skipped);
    CompletedRun run = last;
    if (run != null) {
      put(members, "lastDue", run.due());
      put(members, "lastStarted", run.started());
      put(members, "lastId", run.id());
      put(members, "lastState", run.state());
    }
    put(members, "problem", problem);
    return Payload.object(members);
  }

  private static void put(Map<String, Payload> members, String name, long number) {
    if (number != 0) {
      members.put(name, Payload.of(number));
    }
  }

  private static void put(Map<String, Payload> members, String name, @Nullable String text) {
    if (text != null) {
      members.put(name, Payload.of(text));
    }
  }

  /** The wait is over: a run is wanted. */
  public void fire(long now) {
    long known = Math.max(considered, due);
    missed += rule.recurrence().count(known, now, begun);
    considered = Math.max(known, now);
    wanted = true;
  }

  /** A run is wanted, because its events have come. */
  public void want(long at) {
    due = at;
    wake = Recurrence.NONE;
    wanted = true;
  }

  /** The wanted run can wait a little: another instance is about to go on. */
  public void postpone(long now) {
    wanted = false;
    wake = now + FIRST_RETRY_MILLIS;
  }

  /** Whether no run is wanted, nor will be by itself. */
  public boolean isIdle() {
    return !wanted && wake == Recurrence.NONE;
  }

  /** Events get no run: for a reason, or, when that is null, because of another run. */
  public void leaveOut(@Nullable String reason) {
    if (reason == null) {
      skipped++;
    } else {
      missed++;
      problem = reason;
    }
  }

  /** Sets {@link #since()}. */
  public void listenSince(long epochMillis) {
    since = epochMillis;
  }

  /** Time from which events count; 0 when their positions alone decide. */
  public long since() {
    return since;
  }

  /** The wanted run has begun, and nobody waits for its end. */
  public void started(String id, long started, long now) {
    complete(new CompletedRun(due, started, id, null));
    plan(now);
  }

  /**
   * The wanted run has begun and ended.
   *
   * @param id the instance, or null when it was lost
   */
  public void ended(@Nullable String id, long started, String state, long now) {
    complete(new CompletedRun(due, started, id, state));
    if (rule.overlap() == OverlapPolicy.QUEUE) {
      queueUntil(now);
    }
    skipped += rule.recurrence().count(considered, now, begun);
    considered = Math.max(considered, now);
    plan(now);
  }

  private void complete(CompletedRun run) {
    runs++;
    last = run;
    wanted = false;
    refusals = 0;
    problem = null;
  }

  private void queueUntil(long now) {
    long next = rule.recurrence().next(considered, begun);
    while (queued.size() < maxQueued && next != Recurrence.NONE && next <= now) {
      queued.add(next);
      considered = next;
      next = rule.recurrence().next(next, begun);
    }
  }

  /** The wanted run has begun, and a successor goes on, to which nobody reports its end. */
  public void left(String id, long started) {
    runs++;
    last = new CompletedRun(due, started, id, null);
  }

  /** The wanted run could not begin: it is wanted again soon, unless the next is due by then. */
  public void refused(String reason, long now) {
    problem = reason;
    wanted = false;
    obeyClock(now);
    long pause = FIRST_RETRY_MILLIS << Math.min(refusals, MOST_DOUBLINGS);
    long again = now + Math.min(pause, LONGEST_RETRY_MILLIS);
    long following = following();
    if (rule.recurrence().followsRuns() || following == Recurrence.NONE || again < following) {
      refusals++;
      wake = again;
    } else {
      refusals = 0;
      missed++;
      plan(now);
    }
  }

  private long following() {
    Long first = queued.peek();
    return first == null ? rule.recurrence().next(considered, begun) : first;
  }

  /** Nothing was due until now, on purpose or because clocks were wrong. */
  public void resume(long now) {
    shortenQueue(0);
    considered = now;
    if (!wanted) {
      refusals = 0;
      plan(now);
    }
  }

  private void shortenQueue(int most) {
    while (queued.size() > most) {
      queued.removeLast();
      skipped++;
    }
  }

  /** Whether the clock was far ahead at an earlier event: it was wrong then. */
  private boolean isAhead(long now) {
    return considered - now > MOST_PATIENCE_MILLIS;
  }

  /** Lets due times count from now if the clock was far ahead before. */
  private void obeyClock(long now) {
    if (isAhead(now)) {
      shortenQueue(0);
      considered = now;
    }
  }

  private void plan(long now) {
    obeyClock(now);
    if (rule.recurrence().followsRuns()) {
      due = rule.recurrence().next(now, begun);
    } else {
      due = following();
      queued.poll();
    }
    wake = due;
  }

  /** Whether a run is wanted, or under way where its end counts. */
  public boolean isWanted() {
    return wanted;
  }

  /** Due time of the next run, or of the wanted one; {@link Recurrence#NONE} for none. */
  public long due() {
    return due;
  }

  /** When the wait for the next run is over; {@link Recurrence#NONE} for never. */
  public long wake() {
    return wake;
  }

  /** When the next run is due; {@link Recurrence#NONE} when it is not known yet, or never. */
  public long upcoming(long now) {
    if (!wanted) {
      return wake;
    }
    return rule.recurrence().followsRuns()
        ? Recurrence.NONE
        : rule.recurrence().next(Math.max(considered, now), begun);
  }

  /** The last run, or null. */
  public @Nullable CompletedRun last() {
    return last;
  }

  /** Runs that have begun and, where that counts, ended. */
  public long runs() {
    return runs;
  }

  /** Due times that passed without a run, because none could begin. */
  public long missed() {
    return missed;
  }

  /** Due times that passed without a run, because another one was under way. */
  public long skipped() {
    return skipped;
  }

  /** Why the last run could not begin, or null. */
  public @Nullable String problem() {
    return problem;
  }
}
