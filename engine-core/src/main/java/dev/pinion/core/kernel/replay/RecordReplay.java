package dev.pinion.core.kernel.replay;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.EffectRouter;
import dev.pinion.core.kernel.observation.HistoryEventProducer;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.EffectResumption;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceReader;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies the records of a journal to instances, by the steps that wrote them. */
final class RecordReplay {
  private final ReplayedInstances instances;
  private final GraphSource graphs;
  private final EffectRouter router;
  private final ReplayEffectSink replayed;
  private final SnapshotLoader snapshot;
  private final Exclusions exclusions;

  /** Turns that the other kernel surely ran; null without another kernel. */
  private final @Nullable ImpliedTurns turns;

  /** Told of what instances do; null for none. */
  private final @Nullable HistoryEventProducer observed;

  private final LastTurns lastTurns = new LastTurns();

  /**
   * A replay.
   *
   * @param snapshot the snapshot that the first records may overlap
   * @param turns turns that the other kernel surely ran; null without another kernel
   * @param observed told of what instances do; null for none
   */
  RecordReplay(
      ReplayedInstances instances,
      GraphSource graphs,
      EffectRouter router,
      ReplayEffectSink replayed,
      SnapshotLoader snapshot,
      Exclusions exclusions,
      @Nullable ImpliedTurns turns,
      @Nullable HistoryEventProducer observed) {
    this.instances = instances;
    this.graphs = graphs;
    this.router = router;
    this.replayed = replayed;
    this.snapshot = snapshot;
    this.exclusions = exclusions;
    this.turns = turns;
    this.observed = observed;
  }

  /** Whether the kernel only follows another one. */
  private boolean follows() {
    return turns != null;
  }

  private Budget budget() {
    return new Budget(instances.limits().expression().maxSteps());
  }

  /**
   * Applies a record.
   *
   * @param nowNanos monotonic time of its event, on the scale of this process
   * @return whether it was applied; false when a snapshot has it already
   * @throws RecoveryException when the record does not fit what came before it
   */
  boolean apply(JournalRecord record, long nowNanos) throws RecoveryException {
    runLastTurn(record.id());
    router.children().replayed(record);
    if (record.event() instanceof Event.Started start && start.key() != null && !follows()) {
      // the snapshot may lack the key all the same
      instances.all().keys().add(start.key(), record.id(), start.definition(), nowNanos);
    }
    if (record.event() instanceof Event.EventReceived received && !follows()) {
      long position = received.position();
      router.consumedBefore(position, position, record.epochMillis());
    }
    String reason = exclusions.reason(record.id());
    if (reason != null) {
      if (record.event() instanceof Event.Started start) {
        exclusions.add(
            new InstanceReader.StateHeader(
                record.id(), start.definition(), record.epochMillis(), 0, start.parent()),
            reason);
      }
      return true;
    }
    Instance instance = instances.underWay(record.id());
    if (!(record.event() instanceof Event.TurnsCompleted) && snapshot.covers(record, instance)) {
      return false;
    }
    switch (record.event()) {
      case Event.Started start -> start(record, start, nowNanos);
      case Event.Retried retried -> retried(instance, record, retried, nowNanos);
      case Event.TurnsCompleted _ when instance == null -> {} // a snapshot knows that it has ended
      case Event.TurnsCompleted _ -> instances.catchUp(instance, record.advances());
      case Event.MemoryExceeded exceeded ->
          foundNoRoom(known(instance, record), record, exceeded.check());
      case Event.ServiceBound bound -> {
        instances.catchUp(known(instance, record), record.advances());
        instance.apply(bound);
      }
      case Event.Trigger trigger ->
          applyTrigger(known(instance, record), record, trigger, nowNanos);
    }
    instances.rest(record.id());
    return true;
  }

  /**
   * Runs the turns that surely followed the events before the previous call of this method: the
   * other kernel ran each at once with its event. Those of later events wait for the next call,
   * because records made during such a turn may still be missing. A shadow only.
   */
  void runImpliedTurns() {
    if (turns != null) {
      turns.run(
          instances.all()::running,
          instance -> {
            runTurn(instance);
            instances.rest(instance);
          });
    }
  }

  private static Instance known(@Nullable Instance instance, JournalRecord record)
      throws RecoveryException {
    if (instance == null) {
      throw new RecoveryException(
          record.id(),
          "expected the start of instance "
              + record.id()
              + " before its event "
              + record.sequence()
              + ", found none");
    }
    return instance;
  }

  private void applyTrigger(
      Instance instance, JournalRecord record, Event.Trigger trigger, long nowNanos)
      throws RecoveryException {
    instances.catchUp(instance, record.advances());
    check(instance, record);
    boolean wasIdle = instance.isIdle();
    instance.eventAt(nowNanos);
    router.setTime(nowNanos);
    if (!instances.stepper().apply(instance, completed(instance, trigger), record.epochMillis())) {
      instances.all().counters().onStale();
    }
    if (wasIdle) {
      turnFollows(instance);
    }
  }

  private void turnFollows(Instance instance) {
    if (turns == null) {
      lastTurns.put(instance);
    } else {
      turns.add(instance);
    }
  }

  /** Runs the last turn of a partition if it was over when a record was made. */
  private void runLastTurn(InstanceId next) {
    LastTurns.Turn turn = lastTurns.takeBefore(next);
    Instance instance = turn == null ? null : instances.all().running(turn.id());
    if (turn != null && instance != null && turn.isNextOf(instance)) {
      runTurn(instance);
      instances.rest(turn.id());
    }
  }

  private void runTurn(Instance instance) {
    router.setTime(instance.eventNanos());
    instances.wake(instance);
    instances.stepper().turn(instance, instances.limits().kernel().stepsPerTurn());
  }

  private void foundNoRoom(Instance instance, JournalRecord record, int check)
      throws RecoveryException {
    instances.catchUp(instance, record.advances() - 1);
    if (instance.roomChecks() >= check) {
      throw new RecoveryException(
          instance.id(),
          "expected instance "
              + instance.id()
              + " before its check "
              + check
              + ", found it past it");
    }
    instance.failAtRoomCheck(check);
  }

  private void start(JournalRecord record, Event.Started start, long nowNanos)
      throws RecoveryException {
    ProcessGraph graph =
        InstanceReader.pinned(graphs, start.definition(), start.fingerprint(), record.id());
    Instance parent = start.parent() == null ? null : instances.parent(start.parent());
    Instance instance = instances.all().open(record.id(), graph, start, record.epochMillis());
    instance.eventAt(nowNanos);
    router.children().started(instance);
    if (parent != null && turns != null) {
      turns.over(parent);
    }
    if (parent != null && observed != null) {
      observed.childStarted(parent, instance);
    }
    router.setTime(nowNanos);
    instances.stepper().start(instance);
    turnFollows(instance);
  }

  /** Continues an instance that had faulted, from the state in its record. */
  private void retried(
      @Nullable Instance before, JournalRecord record, Event.Retried retried, long nowNanos)
      throws RecoveryException {
    if (before != null) {
      instances.catchUp(before, record.advances());
      if (!before.hasEnded()) {
        throw new RecoveryException(
            before.id(),
            "expected instance "
                + before.id()
                + " to have faulted before it was retried, found it "
                + before.state());
      }
    }
    byte[] state = retried.state().bytes();
    try {
      InstanceReader.StateHeader stateHeader = InstanceReader.header(state);
      InstanceReader.RestoredInstance restoredInstance =
          instances.read(state, nowNanos - stateHeader.eventNanos());
      Instance instance = restoredInstance.instance();
      instance.detach();
      instances.all().finished().remove(instance.id());
      instances.open(restoredInstance, new RepeatedCalls());
      check(instance, record);
      instance.eventAt(nowNanos);
      router.setTime(nowNanos);
      instances.stepper().apply(instance, retried, record.epochMillis());
      turnFollows(instance);
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw ReplayedInstances.misfit(record.id(), "an instance that was retried", e);
    }
  }

  /** Calls that were abandoned when their instance faulted and made again when it continued. */
  private final class RepeatedCalls implements EffectResumption.PendingEffects {
    @Override
    public void called(Activity activity, int attempt, CallRequest call, int deliveries) {
      replayed.called(activity, attempt, call, deliveries + 1);
    }

    @Override
    public void awaitsChild(Activity activity) {
      activity.awaitAnew();
      replayed.awaitsChild(activity);
    }

    @Override
    public void listening(Activity activity) {
      replayed.listening(activity);
    }

    @Override
    public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
      replayed.evaluate(activity, attempt, expression, input);
    }
  }

  private static void check(Instance instance, JournalRecord record) throws RecoveryException {
    if (instance.advances() != record.advances() || instance.events() != record.sequence()) {
      throw new RecoveryException(
          record.id(),
          "expected event "
              + record.sequence()
              + " of instance "
              + instance.id()
              + " when it had come to "
              + record.advances()
              + ", found event "
              + instance.events()
              + " at "
              + instance.advances()
              + ": this engine does not run the definition as the one that wrote the journal did;"
              + " start that version");
    }
  }

  /** The event with its unrecorded parts; ends the wait for its call, evaluation or timer. */
  private Event.Trigger completed(Instance instance, Event.Trigger trigger) {
    return switch (trigger) {
      case Event.CallCompleted done -> {
        ended(instance, done.activity(), done.attempt());
        yield done;
      }
      case Event.ExpressionEvaluated expressionEvaluated -> {
        Event.ExpressionEvaluated again = again(instance, expressionEvaluated);
        ended(instance, expressionEvaluated.activity(), expressionEvaluated.attempt());
        yield again;
      }
      case Event.TimerFired fired -> {
        takeOut(instance, fired);
        yield fired;
      }
      case Event.EventReceived _,
          Event.Cancelled _,
          Event.Suspended _,
          Event.Resumed _,
          Event.Retried _ ->
          trigger;
    };
  }

  private void ended(Instance instance, int slot, int attempt) {
    Activity activity = instance.activity(slot);
    if (activity != null && activity.awaiting() == attempt) {
      replayed.ended(activity);
    }
  }

  private void takeOut(Instance instance, Event.TimerFired fired) {
    Activity activity = instance.activity(fired.activity());
    if (activity != null && activity.armed(fired.timer()) == fired.attempt()) {
      router.cancelTimer(activity, fired.timer());
    }
  }

  /** Repeats an evaluation; one that failed fails in the same way. */
  private Event.ExpressionEvaluated again(
      Instance instance, Event.ExpressionEvaluated expressionEvaluated) {
    Activity activity = instance.activity(expressionEvaluated.activity());
    ReplayEffectSink.ReplayedEvaluation replayedEvaluation =
        activity == null ? null : replayed.evaluation(activity);
    if (expressionEvaluated.error() != null
        || activity == null
        || replayedEvaluation == null
        || replayedEvaluation.attempt() != expressionEvaluated.attempt()) {
      return expressionEvaluated;
    }
    Object value = null;
    WorkflowError error = null;
    try {
      value =
          replayedEvaluation
              .expression()
              .evaluate(
                  Objects.requireNonNull(activity.evaluationInput(), "an input"),
                  activity,
                  budget());
    } catch (ExpressionException e) {
      error = e.error();
    } catch (BudgetExceededException e) {
      throw new IllegalStateException(
          "expected an evaluation of " + instance.id() + " to end within the steps it took before",
          e);
    }
    return evaluated(expressionEvaluated, value, error);
  }

  private static Event.ExpressionEvaluated evaluated(
      Event.ExpressionEvaluated recorded, @Nullable Object value, @Nullable WorkflowError error) {
    return new Event.ExpressionEvaluated(
        recorded.id(), recorded.activity(), recorded.attempt(), value, error);
  }
}
