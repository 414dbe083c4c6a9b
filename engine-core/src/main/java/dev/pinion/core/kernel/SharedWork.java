package dev.pinion.core.kernel;

import dev.pinion.core.stage.Lane;
import java.util.function.Consumer;

/**
 * The kinds of work of a duty cycle, each within its share: about the time of one long expression.
 * Kernel thread only.
 */
final class SharedWork {
  private static final int MESSAGES_PER_CYCLE = 1_024;
  private static final int TIMERS_PER_CYCLE = 1_024;

  /** Rounds of work on children: many ends and cancellations cost no steps of expressions. */
  private static final int CHILDREN_PER_CYCLE = 1_024;

  private final Turns turns;
  private final InstanceQueries instanceQueries;
  private final Starts starts;
  private final Children children;
  private final Schedules schedules;
  private final EffectCompletions effectCompletions;
  private final EventWork events;

  SharedWork(
      Turns turns,
      InstanceQueries instanceQueries,
      Starts starts,
      Children children,
      Schedules schedules,
      EffectCompletions effectCompletions,
      EventWork events) {
    this.turns = turns;
    this.instanceQueries = instanceQueries;
    this.starts = starts;
    this.children = children;
    this.schedules = schedules;
    this.effectCompletions = effectCompletions;
    this.events = events;
  }

  /** Value of {@link #spent} up to which the kernel may do one kind of work now. */
  private long share() {
    return spent() + turns.loopSteps();
  }

  private long spent() {
    return turns.spent() + instanceQueries.spent() + children.spent() + events.spent();
  }

  /** Takes messages from a lane. */
  <T> int drain(Lane<T> lane, Consumer<T> consumer) {
    long share = share();
    int taken = 0;
    while (taken < MESSAGES_PER_CYCLE && spent() < share && lane.drain(consumer, 1) == 1) {
      taken++;
    }
    return taken;
  }

  /** Compares events with listeners, which get those that they wait for. */
  int giveEvents() {
    long share = share();
    int steps = 0;
    while (spent() < share && events.step()) {
      steps++;
    }
    return events.checkpoint() ? steps + 1 : steps;
  }

  /** Answers queries that have waited for room, where there is some; returns how many. */
  int answerHeldUp() {
    long share = share();
    int answered = 0;
    while (spent() < share && instanceQueries.resumeNext()) {
      answered++;
    }
    return answered;
  }

  /** Runs turns of instances that have more to do. */
  int runTurns() {
    return turns.runQueued(turns.spent() + turns.loopSteps());
  }

  /** Begins starts whose predecessors have all begun. */
  int startOrdered() {
    long share = share();
    int begun = 0;
    while (spent() < share && starts.startNextInOrder()) {
      begun++;
    }
    return begun;
  }

  /** Begins and ends schedules; not while instances arrive, which may keep some. */
  int keepSchedules() {
    long share = share();
    int checked = 0;
    while (spent() < share && schedules.workOnce()) {
      checked++;
    }
    return checked;
  }

  /** Starts and ends children; not while instances arrive, whose parents may not be here yet. */
  int workOnChildren() {
    long share = share();
    int work = children.compare();
    int done = 1;
    int rounds = 0;
    while (done > 0 && rounds++ < CHILDREN_PER_CYCLE && spent() < share) {
      done = children.workOnce();
      work += done;
    }
    return work;
  }

  /** Fires timers that are due. */
  int fireTimers(long nowNanos) {
    long share = share();
    int fired = 0;
    while (fired < TIMERS_PER_CYCLE && spent() < share && effectCompletions.fireTimer(nowNanos)) {
      fired++;
    }
    return fired;
  }

  /** Reports calls that could not be made to their instances. */
  int reportRefusals() {
    long share = share();
    int reported = 0;
    while (spent() < share && effectCompletions.reportFailedCall()) {
      reported++;
    }
    return reported;
  }
}
