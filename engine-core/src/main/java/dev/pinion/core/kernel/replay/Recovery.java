package dev.pinion.core.kernel.replay;

import dev.pinion.core.kernel.EffectRouter;
import dev.pinion.core.kernel.EntryRestorer;
import dev.pinion.core.kernel.FinishedInstance;
import dev.pinion.core.kernel.FinishedInstanceCodec;
import dev.pinion.core.kernel.HistoryEventProducer;
import dev.pinion.core.kernel.Instances;
import dev.pinion.core.kernel.KernelCounters;
import dev.pinion.core.kernel.KernelState;
import dev.pinion.core.kernel.ObservedEffects;
import dev.pinion.core.kernel.StartKeyCodec;
import dev.pinion.core.kernel.StartKeys;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.EffectResumption;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceReader;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.RecoveryException;
import dev.pinion.core.kernel.step.Stepper;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the instances of one kernel from the journal, by the kernel's own code.
 *
 * <pre>
 *   (snapshot) opened, records … opened, records … ──▶ finish: calls under way are made again
 * </pre>
 *
 * <p>A replay applies the limits that were in force when the records were written; afterwards
 * today's apply. On the thread that starts the engine, before the kernel's first duty cycle.
 */
public final class Recovery implements EntryRestorer {
  private static final int ADVANCES_AT_ONCE = 1_000;

  private final Instances instances;
  private final GraphSource graphs;
  private final EffectRouter router;
  private final EffectSink effects;

  /** Told of everything by a shadow; null without an observer. */
  private final @Nullable HistoryEventProducer observed;

  private final MemoryAccount memoryAccount;
  private final ValuePacking valuePacking;
  private final KernelCounters counters;
  private final ReplayEffectSink replayed;
  private final InstanceReader reader;

  /** Turns that the other kernel surely ran; null without another kernel. */
  private final @Nullable ImpliedTurns turns;

  /** Passivation of waiting instances of a shadow; null without another kernel. */
  private final @Nullable Passivation passivation;

  /** Content of the snapshot, until the records behind it are reached; null without one. */
  private @Nullable SnapshotOverlap overlap;

  /** Incomplete states, by partition. */
  private final Map<Integer, byte[]> parts = new HashMap<>();

  private final Set<InstanceId> excluded = new HashSet<>();
  private Function<InstanceId, @Nullable String> exclusionReason = id -> null;
  private long nowEpochMillis;
  private EngineLimits limits;
  private Stepper stepper;

  /** A recovery of a kernel that will run. Before its first duty cycle. */
  public static Recovery of(KernelState kernel) {
    return new Recovery(kernel, false);
  }

  /**
   * A recovery of a kernel that only follows another one, and passes all events to its observer.
   * Instead of duty cycles.
   */
  public static Recovery shadow(KernelState kernel) {
    return new Recovery(kernel, true);
  }

  private Recovery(KernelState kernel, boolean follows) {
    this.instances = kernel.instances();
    this.graphs = kernel.graphs();
    this.router = kernel.router();
    this.memoryAccount = kernel.memoryAccount();
    this.valuePacking = memoryAccount.packing();
    this.counters = instances.counters();
    this.replayed = new ReplayEffectSink(router);
    this.observed = follows ? kernel.observed() : null;
    this.effects = observed == null ? replayed : new ObservedEffects(replayed, observed);
    this.reader = new InstanceReader(graphs, router);
    this.limits = kernel.limits();
    this.stepper = new Stepper(limits, effects, memoryAccount);
    this.turns = follows ? new ImpliedTurns() : null;
    this.passivation =
        follows ? new Passivation(instances, kernel.memory(), valuePacking, replayed) : null;
    memoryAccount.replaying(true);
  }

  /**
   * Begins the records that follow an opening of the journal under some limits. First runs every
   * instance as far as the earlier records let it: nobody knows how far it came before the engine
   * ended, so the calls on this way may have been made.
   */
  public void onJournalOpened(EngineLimits inForce) {
    onJournalOpened(inForce, false);
  }

  /**
   * Begins the records of an engine that may be an older one.
   *
   * @param callsAreNumbered whether that engine named calls by their numbers
   */
  public void onJournalOpened(EngineLimits inForce, boolean callsAreNumbered) {
    for (InstanceId id : instances.runningIds()) {
      Instance instance = instances.running(id);
      if (instance != null && !instance.isIdle()) {
        catchUp(instance, Long.MAX_VALUE);
        rest(instance);
      }
    }
    replayed.opened(callsAreNumbered);
    if (differ(limits, inForce)) {
      limits = inForce;
      memoryAccount.bound(MemoryAccount.boundOf(inForce));
      stepper = new Stepper(inForce, effects, memoryAccount);
    }
  }

  /** Compares by names and values: comparing records costs a tenth of a second in a new process. */
  @SuppressWarnings("ReferenceEquality") // the same limits need no comparison
  private static boolean differ(EngineLimits some, EngineLimits others) {
    return some != others && !some.values().equals(others.values());
  }

  /**
   * Leaves some instances out: they are reported as faulted.
   *
   * @param reasons returns why an instance is left out and what to do, or null to keep it
   * @param nowEpochMillis the time of this recovery
   */
  public void exclude(Function<InstanceId, @Nullable String> reasons, long nowEpochMillis) {
    exclusionReason = reasons;
    this.nowEpochMillis = nowEpochMillis;
  }

  /** Instances that were left out so far. */
  public Set<InstanceId> excluded() {
    return Set.copyOf(excluded);
  }

  /** Begins the entries of a snapshot, which may be ahead of the records behind it. */
  public void beginSnapshot() {
    overlap = new SnapshotOverlap();
  }

  /**
   * Restores an entry of a snapshot.
   *
   * @param offsetNanos offset to add to its monotonic times
   * @return whether it was new; false when records contain it as well
   * @throws RecoveryException when no kernel wrote it
   */
  @Override
  public boolean restoreEntry(int partition, byte kind, byte[] bytes, long offsetNanos)
      throws RecoveryException {
    switch (kind) {
      case SnapshotEntry.PART -> parts.merge(partition, bytes, Recovery::joined);
      case SnapshotEntry.INSTANCE -> restore(whole(partition, bytes), offsetNanos);
      case SnapshotEntry.ENDED -> {
        return restoreEnded(whole(partition, bytes));
      }
      case SnapshotEntry.KEY -> restoreKey(bytes, offsetNanos);
      case SnapshotEntry.KERNEL -> restoreGiven(new ByteReader(bytes));
      default ->
          throw new RecoveryException("expected an entry of a kind that is known, found " + kind);
    }
    return true;
  }

  /** Restores the last assigned id, and the first unless an older engine wrote it; 0 for none. */
  private void restoreGiven(ByteReader ids) {
    while (ids.hasMore()) {
      long id = ids.getLong();
      if (id > 0) {
        reserveId(new InstanceId(id));
      }
    }
  }

  private byte[] whole(int partition, byte[] last) {
    byte[] before = parts.remove(partition);
    return before == null ? last : joined(before, last);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Whether parts of a state are missing. */
  @Override
  public boolean isInPartialState() {
    return !parts.isEmpty();
  }

  /** Reserves the last id of a snapshot: no later instance gets it or a lower one. */
  public void reserveId(InstanceId id) {
    instances.reserve(id);
  }

  /**
   * Restores an instance that had ended when a snapshot was made.
   *
   * @return whether it was restored; false when the records contain its end as well
   * @throws RecoveryException when no kernel wrote the bytes
   */
  public boolean restoreEnded(byte[] bytes) throws RecoveryException {
    FinishedInstance ended;
    try {
      ended = FinishedInstanceCodec.read(bytes);
    } catch (IllegalArgumentException e) {
      throw new RecoveryException("an ended instance in the snapshot: " + e.getMessage());
    }
    InstanceId id = ended.view.id();
    if (overlap != null) {
      overlap.hasEnded(id);
      if (overlap.holdsRunning(id)) { // it ended after it was written, and will end again
        return false;
      }
    }
    instances.restore(ended);
    if (observed != null) {
      observed.restored(ended.view);
    }
    return true;
  }

  /**
   * Restores an instance that was running when a snapshot was made.
   *
   * @param state state that the kernel wrote
   * @param offsetNanos offset to add to its monotonic times
   * @throws RecoveryException when the state does not fit its definition
   */
  public void restore(byte[] state, long offsetNanos) throws RecoveryException {
    InstanceId id = null;
    try {
      InstanceReader.StateHeader stateHeader = InstanceReader.header(state);
      id = stateHeader.id();
      String reason = exclusionReason.apply(id);
      if (reason != null) {
        restoreExcluded(stateHeader, reason);
        return;
      }
      InstanceReader.RestoredInstance restoredInstance = reader.read(state, offsetNanos);
      takeUp(restoredInstance, replayed);
      if (observed != null) {
        observed.restored(restoredInstance.instance());
      }
      if (overlap != null) {
        overlap.isRunning(restoredInstance.instance());
      }
      rest(restoredInstance.instance());
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw misfit(id, "an instance in the snapshot", e);
    }
  }

  private void takeUp(
      InstanceReader.RestoredInstance restoredInstance,
      EffectResumption.PendingEffects pendingEffects) {
    instances.open(restoredInstance.instance());
    memoryAccount.restored(restoredInstance.instance(), restoredInstance.heldBytes());
    new EffectResumption(stepper, limits.expression().maxSteps())
        .resume(restoredInstance, pendingEffects);
  }

  private static RecoveryException misfit(
      @Nullable InstanceId id, String what, RuntimeException reason) {
    return new RecoveryException(
        id,
        what
            + ": "
            + reason.getMessage()
            + "; this engine does not run the definition as the one that wrote it did: start that"
            + " version");
  }

  /**
   * Restores a key under which an instance was started.
   *
   * @param offsetNanos offset to add to its monotonic time
   * @throws RecoveryException when no kernel wrote the bytes
   */
  public void restoreKey(byte[] bytes, long offsetNanos) throws RecoveryException {
    try {
      StartKeys.KeyEntry keyEntry = StartKeyCodec.read(bytes);
      if (!isShadow()) {
        instances
            .keys()
            .add(
                keyEntry.key(),
                keyEntry.id(),
                keyEntry.definition(),
                keyEntry.sinceNanos() + offsetNanos);
      }
    } catch (IllegalArgumentException e) {
      throw new RecoveryException("a key of a start in the snapshot: " + e.getMessage());
    }
  }

  /**
   * Whether the kernel only follows: no client starts anything there, so no key would ever be
   * forgotten.
   */
  private boolean isShadow() {
    return turns != null;
  }

  private Budget budget() {
    return new Budget(limits.expression().maxSteps());
  }

  /** Ends the snapshot: records that follow were written after it was finished. */
  public void endSnapshot() {
    overlap = null;
  }

  /**
   * Applies a record.
   *
   * @param nowNanos monotonic time of its event, on the scale of this process
   * @return whether it was applied; false when a snapshot has it already
   * @throws RecoveryException when the record does not fit what came before it
   */
  public boolean apply(JournalRecord record, long nowNanos) throws RecoveryException {
    if (record.event() instanceof Event.Started start && start.key() != null && !isShadow()) {
      // the snapshot may lack the key all the same
      instances.keys().add(start.key(), record.id(), start.definition(), nowNanos);
    }
    String reason = exclusionReason.apply(record.id());
    if (reason != null) {
      if (record.event() instanceof Event.Started start) {
        restoreExcluded(
            new InstanceReader.StateHeader(
                record.id(), start.definition(), record.epochMillis(), 0),
            reason);
      }
      return true;
    }
    Instance instance = underWay(record.id());
    if (!(record.event() instanceof Event.TurnsCompleted)
        && overlap != null
        && overlap.covers(record, instance)) {
      return false;
    }
    switch (record.event()) {
      case Event.Started start -> start(record, start, nowNanos);
      case Event.Retried retried -> retried(instance, record, retried, nowNanos);
      case Event.TurnsCompleted _ when instance == null -> {} // a snapshot knows that it has ended
      case Event.TurnsCompleted _ -> catchUp(instance, record.advances());
      case Event.MemoryExceeded exceeded ->
          foundNoRoom(known(instance, record), record, exceeded.check());
      case Event.ServiceBound bound -> {
        catchUp(known(instance, record), record.advances());
        instance.apply(bound);
      }
      case Event.Trigger trigger ->
          applyTrigger(known(instance, record), record, trigger, nowNanos);
    }
    rest(record.id());
    return true;
  }

  private void rest(InstanceId id) {
    Instance instance = instances.running(id);
    if (instance != null) {
      rest(instance);
    }
  }

  private void rest(Instance instance) {
    valuePacking.onIdle(instance);
    if (passivation != null) {
      passivation.onIdle(instance);
    }
  }

  private void wake(Instance instance) {
    valuePacking.unpack(instance);
    if (passivation != null) {
      passivation.onActive(instance);
    }
  }

  /** A running instance, read again if it is passive; null for none. */
  private @Nullable Instance underWay(InstanceId id) throws RecoveryException {
    Passivation.PassivatedInstance passivatedInstance =
        passivation == null ? null : passivation.take(id);
    if (passivatedInstance == null) {
      return instances.running(id);
    }
    try {
      InstanceReader.RestoredInstance restoredInstance = reader.read(passivatedInstance.state(), 0);
      int missed = replayed.openings() - passivatedInstance.openings();
      restoredInstance.unsettled().forEach(each -> each.activity().delivered(each.activity().deliveries() + missed));
      takeUp(restoredInstance, replayed);
      return restoredInstance.instance();
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw misfit(id, "a passive instance", e);
    }
  }

  /** Adds an instance that is left out as a faulted one. */
  private void restoreExcluded(InstanceReader.StateHeader stateHeader, String reason) {
    if (excluded.add(stateHeader.id())) {
      InstanceView view =
          new InstanceView(
              stateHeader.id(),
              stateHeader.definition(),
              InstanceState.FAULTED,
              stateHeader.startedAtEpochMillis(),
              nowEpochMillis,
              0,
              null,
              WorkflowError.of(ErrorType.RUNTIME, reason));
      instances.restore(new FinishedInstance(view, null, null));
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
    catchUp(instance, record.advances());
    check(instance, record);
    boolean wasIdle = instance.isIdle();
    instance.eventAt(nowNanos);
    router.setTime(nowNanos);
    if (!stepper.apply(instance, completed(instance, trigger), record.epochMillis())) {
      counters.onStale();
    }
    if (turns != null && wasIdle) {
      turns.add(instance);
    }
  }

  private void foundNoRoom(Instance instance, JournalRecord record, int check)
      throws RecoveryException {
    catchUp(instance, record.advances() - 1);
    if (instance.roomChecks() >= check) {
      throw new RecoveryException(
          instance.id(),
          "expected instance " + instance.id() + " before its check " + check + ", found it past it");
    }
    instance.failAtRoomCheck(check);
  }

  private void start(JournalRecord record, Event.Started start, long nowNanos)
      throws RecoveryException {
    ProcessGraph graph =
        InstanceReader.pinned(graphs, start.definition(), start.fingerprint(), record.id());
    Instance instance = instances.open(record.id(), graph, start, record.epochMillis());
    instance.eventAt(nowNanos);
    stepper.start(instance);
    if (turns != null) {
      turns.add(instance);
    }
  }

  /** Continues an instance that had faulted, from the state in its record. */
  private void retried(
      @Nullable Instance before, JournalRecord record, Event.Retried retried, long nowNanos)
      throws RecoveryException {
    if (before != null) {
      catchUp(before, record.advances());
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
          reader.read(state, nowNanos - stateHeader.eventNanos());
      Instance instance = restoredInstance.instance();
      instances.finished().remove(instance.id());
      takeUp(restoredInstance, new RepeatedCalls());
      check(instance, record);
      instance.eventAt(nowNanos);
      router.setTime(nowNanos);
      stepper.apply(instance, retried, record.epochMillis());
      if (turns != null) {
        turns.add(instance);
      }
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw misfit(record.id(), "an instance that was retried", e);
    }
  }

  /** Calls that were abandoned when their instance faulted and made again when it continued. */
  private final class RepeatedCalls implements EffectResumption.PendingEffects {
    @Override
    public void called(Activity activity, int attempt, HttpCall call, int deliveries) {
      replayed.called(activity, attempt, call, deliveries + 1);
    }

    @Override
    public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
      replayed.evaluate(activity, attempt, expression, input);
    }
  }

  /**
   * Runs the turns that surely followed the events before the previous call of this method: the
   * other kernel ran each at once with its event. Those of later events wait for the next call,
   * because records made during such a turn may still be missing. A shadow only.
   */
  public void runImpliedTurns() {
    if (turns != null) {
      turns.run(
          instances::running,
          instance -> {
            router.setTime(instance.eventNanos());
            wake(instance);
            stepper.turn(instance, limits.kernel().stepsPerTurn());
            rest(instance);
          });
    }
  }

  /** Forgets the instances of a partition: the entries that follow contain them anew. */
  public void forget(int partition) {
    if (turns != null) {
      turns.forget(id -> id.partition() == partition);
    }
    if (passivation != null) {
      passivation.forget(id -> id.partition() == partition);
    }
    for (InstanceId id : instances.runningIds()) {
      if (id.partition() == partition) {
        dropInstance(id);
      }
    }
  }

  /** Forgets an instance of which no more records will come. */
  public void forget(InstanceId id) {
    if (turns != null) {
      turns.forget(id::equals);
    }
    if (passivation != null) {
      passivation.forget(id::equals);
    }
    dropInstance(id);
  }

  private void dropInstance(InstanceId id) {
    Instance instance = instances.running(id);
    if (instance != null) {
      instance.forEachActivity(replayed::dropActivity);
      instances.forget(id);
    }
  }

  /** Ends a shadow: releases the heap charges of its instances. */
  public void abandon() {
    memoryAccount.close();
  }

  /** Whether an instance is running here. */
  public boolean isUnderWay(InstanceId id) {
    return instances.running(id) != null || (passivation != null && passivation.holds(id));
  }

  /** Number of passive instances of a shadow. */
  int passive() {
    return passivation == null ? 0 : passivation.passive();
  }

  /** Runs an instance up to the number of advances of a record, at the time of its last event. */
  void catchUp(Instance instance, long advances) {
    router.setTime(instance.eventNanos());
    wake(instance);
    boolean more = true;
    while (more && instance.advances() < advances) {
      long left = advances - instance.advances();
      more = stepper.turn(instance, (int) Math.min(ADVANCES_AT_ONCE, left));
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
      case Event.Cancelled _, Event.Suspended _, Event.Resumed _, Event.Retried _ -> trigger;
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
                  Objects.requireNonNull(activity.evaluationInput(), "an input"), activity, budget());
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
      Event.ExpressionEvaluated recorded,
      @Nullable Object value,
      @Nullable WorkflowError error) {
    return new Event.ExpressionEvaluated(
        recorded.id(), recorded.activity(), recorded.attempt(), value, error);
  }

  /**
   * Ends the replay of a kernel that does nothing itself: its state will be serialized for another
   * kernel, which makes calls in progress again. The last call before it was {@link
   * #onJournalOpened}.
   */
  public void finishShadow() {
    overlap = null;
    replayed
        .calls()
        .forEach(
            (activity, replayedCall) ->
                activity.delivered(replayed.openings() - replayedCall.opening()));
  }

  /**
   * Ends the replay: begins calls and evaluations in progress again, except calls that timed out
   * while the engine was down: their timeout ends them. The last call before it was {@link
   * #onJournalOpened}, for the opening that takes place now.
   *
   * @return number of calls made again
   */
  @Override
  public int finish(long nowNanos) {
    overlap = null;
    router.setTime(nowNanos);
    memoryAccount.replaying(false);
    int again = 0;
    for (var entry : ReplayEffectSink.inOrder(replayed.calls())) {
      ReplayEffectSink.ReplayedCall replayedCall = entry.getValue();
      Activity activity = entry.getKey();
      activity.delivered(replayed.openings() - replayedCall.opening());
      if (!activity.isOverdue(nowNanos)) {
        valuePacking.unpack(activity.instance());
        router.invoke(
            activity,
            replayedCall.attempt(),
            Objects.requireNonNull(activity.call(), "a call in progress"));
        valuePacking.onIdle(activity.instance());
        again++;
      }
    }
    for (var entry : ReplayEffectSink.inOrder(replayed.evaluations())) {
      ReplayEffectSink.ReplayedEvaluation replayedEvaluation = entry.getValue();
      Activity activity = entry.getKey();
      valuePacking.unpack(activity.instance());
      router.evaluate(
          activity,
          replayedEvaluation.attempt(),
          replayedEvaluation.expression(),
          Objects.requireNonNull(activity.evaluationInput(), "an input"));
      valuePacking.onIdle(activity.instance());
    }
    return again;
  }
}
