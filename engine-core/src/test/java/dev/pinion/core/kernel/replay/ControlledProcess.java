package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.SimulatedServices;
import dev.pinion.core.kernel.VerdictCheck;
import dev.pinion.core.kernel.replay.CrashPoints.Moment;
import dev.pinion.core.kernel.replay.SimulatedEngine.Remains;
import dev.pinion.core.kernel.replay.SimulatedEngine.Run;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.oracle.Definition;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiConsumer;

/**
 * One random process, which more often than not runs others or is begun by a schedule. A client
 * suspends and resumes it, which changes nothing but its time, or cancels it, which ends everything
 * that it waits for. Crashed at each moment.
 */
final class ControlledProcess {
  private static final String CANCELLED = "https://pinion.dev/errors/cancelled";
  private static final int MOST_STEPS_BEFORE = 25;
  private static final int MOST_STEPS_SUSPENDED = 8;

  /** Processes that run no others, of which one is controlled. */
  private static final int SIMPLE_OF_WHICH_ONE_IS_CONTROLLED = 3;

  private final Definition definition;
  private final VerdictCheck check;
  private final Random random;
  private final Run run;
  private String doing = "running";
  private int crashes;

  ControlledProcess(long seed) {
    this.definition = Definition.of(seed);
    this.check = new VerdictCheck(definition.verdict(), definition.startMillis());
    this.random = new Random(seed * 31);
    this.run = CrashedProcess.run(definition, random);
  }

  /** Number of crashes of a process that was controlled. */
  int crashes() {
    return crashes;
  }

  void run() {
    boolean simple = definition.children().isEmpty() && !definition.isScheduled();
    if (simple && random.nextInt(SIMPLE_OF_WHICH_ONE_IS_CONTROLLED) != 0) {
      return;
    }
    try {
      crashEverywhere(this::suspendAndResume, SimulatedEngine::resume, this::checkSuspended);
      crashEverywhere(SimulatedEngine::cancel, SimulatedEngine::cancel, this::checkCancelled);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          doing + ": " + e.getMessage() + "\n" + CrashedProcess.text(definition), e);
    }
  }

  /** Checks how a process ended. */
  private interface EndCheck {
    void check(SimulatedEngine engine, InstanceId id, SimulatedServices services);
  }

  /**
   * Controls a process at some moment, and crashes it at every one.
   *
   * @param control what the client does
   * @param again what it does when the engine is back
   */
  private void crashEverywhere(
      BiConsumer<SimulatedEngine, InstanceId> control,
      BiConsumer<SimulatedEngine, InstanceId> again,
      EndCheck endCheck) {
    SimulatedServices services = new SimulatedServices(definition);
    SimulatedEngine engine = SimulatedEngine.first(run, services, random);
    doing = "controlled without a crash";
    while (instances(engine.journal().records()).isEmpty()) {
      engine.step();
    }
    for (int left = random.nextInt(MOST_STEPS_BEFORE); left > 0 && !engine.hasEnded(); left--) {
      engine.step();
    }
    InstanceId id = instances(engine.journal().records()).getFirst();
    control.accept(engine, id);
    engine.runToEnd();
    endCheck.check(engine, id, services);
    List<JournalRecord> all = engine.journal().records();
    for (Moment moment : CrashedProcess.distinct(engine.journal().moments())) {
      int survivors = moment.durable() + random.nextInt(moment.appended() - moment.durable() + 1);
      if (!instances(all.subList(0, survivors)).isEmpty()) {
        doing = "crash at " + moment + ", " + survivors + " of " + all;
        SimulatedServices after = services.after(moment.deliveries(), moment.saves());
        Remains remains = new Remains(null, all.subList(0, survivors), List.of());
        SimulatedEngine recovered = SimulatedEngine.recovered(run, after, random, moment, remains);
        again.accept(recovered, id);
        recovered.runToEnd();
        endCheck.check(recovered, id, after);
        crashes++;
      }
    }
  }

  private List<InstanceId> instances(List<JournalRecord> records) {
    return CrashedProcess.instances(run, records);
  }

  private void suspendAndResume(SimulatedEngine engine, InstanceId id) {
    engine.suspend(id);
    for (int left = random.nextInt(MOST_STEPS_SUSPENDED); left > 0 && engine.stepAwake(); left--) {
      // whatever may happen
    }
    engine.resume(id);
  }

  private void checkSuspended(SimulatedEngine engine, InstanceId id, SimulatedServices services) {
    check.check(engine.view(id), services, engine.nowNanos());
  }

  /** Nothing that the process waited for goes on; others of its children end by themselves. */
  private void checkCancelled(SimulatedEngine engine, InstanceId id, SimulatedServices services) {
    InstanceView view = engine.view(id);
    if (view.state() != InstanceState.CANCELLED && !isCancelledInVain(view)) {
      check.check(view, services, engine.nowNanos()); // it had ended, or was about to
    }
    long sinceFirst = (engine.nowNanos() - SimulatedEngine.FIRST_NANOS) / 1_000_000;
    long millis = sinceFirst - definition.startMillis();
    assertTrue(millis < SimulatedEngine.DAY_MILLIS, () -> "ended after " + millis + " ms");
    assertEquals(List.of(), engine.runningIds(), "left over");
  }

  /** Whether a compensation failed, so that a cancelled process has faulted. */
  private static boolean isCancelledInVain(InstanceView view) {
    return view.state() == InstanceState.FAULTED
        && Objects.requireNonNull(view.error()).type().equals(CANCELLED);
  }
}
