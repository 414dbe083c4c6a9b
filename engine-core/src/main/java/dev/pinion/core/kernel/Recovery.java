package dev.pinion.core.kernel;

import dev.pinion.core.ir.GraphSource;
import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ByteReader;
import dev.pinion.core.model.EngineLimits;
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
public final class Recovery {
  private static final int ADVANCES_AT_ONCE = 1_000;

  private final Kernel kernel;
  private final GraphSource graphs;
  private final EffectRouter router;
  private final EffectSwitch effects;
  private final Holdings holdings;
  private final Packing packing;
  private final KernelCounters counters;
  private final ReplayedEffects replayed;
  private final InstanceReader reader;

  /** Turns that the other kernel surely ran; null without another kernel. */
  private final @Nullable SureTurns turns;

  private final LastTurns lastTurns = new LastTurns();

  /** Passivation of waiting instances of a shadow; null without another kernel. */
  private final @Nullable Passivation passivation;

  /** Content of the snapshot, until the records behind it are reached; null without one. */
  private @Nullable SnapshotOverlap overlap;

  /** Incomplete states, by partition. */
  private final Map<Integer, byte[]> parts = new HashMap<>();

  private final Set<InstanceId> leftOut = new HashSet<>();
  private Function<InstanceId, @Nullable String> passedOver = id -> null;
  private long nowEpochMillis;
  private EngineLimits limits;
  private Stepper stepper;

  /**
   * A recovery.
   *
   * @param shadowSpace where the kernel keeps values, if it only follows another one; null for a
   *     kernel that will run
   */
  Recovery(
      Kernel kernel,
      EngineLimits limits,
      GraphSource graphs,
      EffectRouter router,
      EffectSwitch effects,
      Holdings holdings,
      KernelCounters counters,
      @Nullable ValueSpace shadowSpace) {
    this.kernel = kernel;
    this.graphs = graphs;
    this.router = router;
    this.effects = effects;
    this.holdings = holdings;
    this.packing = holdings.packing();
    this.counters = counters;
    this.replayed = new ReplayedEffects(router);
    this.reader = new InstanceReader(graphs, router);
    this.limits = limits;
    this.stepper = new Stepper(limits, effects, holdings);
    this.turns = shadowSpace == null ? null : new SureTurns();
    this.passivation =
        shadowSpace == null ? null : new Passivation(kernel, shadowSpace, packing, replayed);
    effects.to(replayed, shadowSpace != null);
    holdings.replaying(true);
  }

  /**
   * Begins the records that follow an opening of the journal under some limits. First runs every
   * instance as far as the earlier records let it: nobody knows how far it came before the engine
   * ended, so the calls on this way may have been made.
   */
  public void opened(EngineLimits inForce) {
    opened(inForce, false);
  }

  /**
   * Begins the records of an engine that may be an older one.
   *
   * @param callsAreNumbered whether that engine named calls by their numbers
   */
  public void opened(EngineLimits inForce, boolean callsAreNumbered) {
    for (InstanceId id : kernel.underWay()) {
      Instance instance = kernel.instance(id);
      if (instance != null && !instance.ready.isEmpty()) {
        catchUp(instance, Long.MAX_VALUE);
        rest(instance);
      }
    }
    replayed.opened(callsAreNumbered);
    if (differ(limits, inForce)) {
      limits = inForce;
      holdings.bound(Holdings.boundOf(inForce));
      stepper = new Stepper(inForce, effects, holdings);
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
  public void passOver(Function<InstanceId, @Nullable String> reasons, long nowEpochMillis) {
    passedOver = reasons;
    this.nowEpochMillis = nowEpochMillis;
  }

  /** Instances that were left out so far. */
  public Set<InstanceId> leftOut() {
    return Set.copyOf(leftOut);
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
  public boolean take(int partition, byte kind, byte[] bytes, long offsetNanos)
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
        given(new InstanceId(id));
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
  boolean isWithinAState() {
    return !parts.isEmpty();
  }

  /** Reserves the last id of a snapshot: no later instance gets it or a lower one. */
  public void given(InstanceId id) {
    kernel.given(id);
  }

  /**
   * Restores an instance that had ended when a snapshot was made.
   *
   * @return whether it was restored; false when the records contain its end as well
   * @throws RecoveryException when no kernel wrote the bytes
   */
  public boolean restoreEnded(byte[] bytes) throws RecoveryException {
    EndedInstance ended;
    try {
      ended = EndedCodec.read(bytes);
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
    kernel.recovered(ended);
    effects.restored(ended.view);
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
      InstanceReader.Header header = InstanceReader.header(state);
      id = header.id();
      String reason = passedOver.apply(id);
      if (reason != null) {
        leaveOut(header, reason);
        return;
      }
      InstanceReader.Restored restored = reader.read(state, offsetNanos);
      takeUp(restored, replayed);
      effects.restored(restored.instance());
      if (overlap != null) {
        overlap.isRunning(restored.instance());
      }
      rest(restored.instance());
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw misfit(id, "an instance in the snapshot", e);
    }
  }

  private void takeUp(InstanceReader.Restored restored, Settlement.Outside outside) {
    kernel.recovered(restored.instance());
    holdings.restored(restored.instance(), restored.heldBytes());
    new Settlement(stepper, limits.expression().maxSteps()).settle(restored, outside);
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
      StartKeys.Started started = StartKeyCodec.read(bytes);
      if (!isShadow()) {
        kernel.recovered(
            started.key(), started.id(), started.definition(), started.sinceNanos() + offsetNanos);
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
    runLastTurn(record.id());
    if (record.event() instanceof KernelEvent.Start start && start.key() != null && !isShadow()) {
      // the snapshot may lack the key all the same
      kernel.recovered(start.key(), record.id(), start.definition(), nowNanos);
    }
    String reason = passedOver.apply(record.id());
    if (reason != null) {
      if (record.event() instanceof KernelEvent.Start start) {
        leaveOut(
            new InstanceReader.Header(record.id(), start.definition(), record.epochMillis(), 0),
            reason);
      }
      return true;
    }
    Instance instance = underWay(record.id());
    if (record.event() instanceof KernelEvent.Advanced) {
      if (instance != null) { // a snapshot may know that it has ended
        catchUp(instance, record.advances());
        rest(instance);
      }
      return true;
    }
    if (overlap != null && overlap.covers(record, instance)) {
      return false;
    }
    switch (record.event()) {
      case KernelEvent.Start start -> start(record, start, nowNanos);
      case KernelEvent.Retried retried ->
          retried(instance, record, retried.state().bytes(), nowNanos);
      default -> happened(instance, record, nowNanos);
    }
    rest(record.id());
    return true;
  }

  private void rest(InstanceId id) {
    Instance instance = kernel.instance(id);
    if (instance != null) {
      rest(instance);
    }
  }

  private void rest(Instance instance) {
    packing.rest(instance);
    if (passivation != null) {
      passivation.rest(instance);
    }
  }

  private void wake(Instance instance) {
    packing.wake(instance);
    if (passivation != null) {
      passivation.wake(instance);
    }
  }

  /** A running instance, read again if it is passive; null for none. */
  private @Nullable Instance underWay(InstanceId id) throws RecoveryException {
    Passivation.Written written = passivation == null ? null : passivation.take(id);
    if (written == null) {
      return kernel.instance(id);
    }
    try {
      InstanceReader.Restored restored = reader.read(written.state(), 0);
      int missed = replayed.openings() - written.openings();
      restored.unsettled().forEach(each -> each.activity().deliveries += missed);
      takeUp(restored, replayed);
      return restored.instance();
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw misfit(id, "a passive instance", e);
    }
  }

  /** Adds an instance that is left out as a faulted one. */
  private void leaveOut(InstanceReader.Header header, String reason) {
    if (leftOut.add(header.id())) {
      InstanceView view =
          new InstanceView(
              header.id(),
              header.definition(),
              InstanceState.FAULTED,
              header.startedAtEpochMillis(),
              nowEpochMillis,
              0,
              null,
              WorkflowError.of(ErrorType.RUNTIME, reason));
      kernel.recovered(new EndedInstance(view, null, null));
    }
  }

  private void happened(@Nullable Instance instance, JournalRecord record, long nowNanos)
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
    if (record.event() instanceof KernelEvent.FoundNoRoom found) {
      foundNoRoom(instance, record, found.check());
      return;
    }
    catchUp(instance, record.advances());
    if (record.event() instanceof KernelEvent.Bound bound) {
      instance.apply(bound);
      return;
    }
    check(instance, record);
    boolean wasIdle = instance.ready.isEmpty();
    instance.eventNanos = nowNanos;
    router.now(nowNanos);
    if (!stepper.apply(instance, completed(instance, record), record.epochMillis())) {
      counters.onStale();
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
    Instance instance = turn == null ? null : kernel.instance(turn.id());
    if (turn != null && instance != null && turn.isNextOf(instance)) {
      runTurn(instance);
      rest(turn.id());
    }
  }

  private void runTurn(Instance instance) {
    router.now(instance.eventNanos);
    wake(instance);
    stepper.turn(instance, limits.kernel().stepsPerTurn());
  }

  private void foundNoRoom(Instance instance, JournalRecord record, int check)
      throws RecoveryException {
    catchUp(instance, record.advances() - 1);
    if (instance.roomChecks >= check) {
      throw new RecoveryException(
          instance.id,
          "expected instance " + instance.id + " before its check " + check + ", found it past it");
    }
    instance.failingRoomCheck = check;
  }

  private void start(JournalRecord record, KernelEvent.Start start, long nowNanos)
      throws RecoveryException {
    ProcessGraph graph =
        InstanceReader.pinned(graphs, start.definition(), start.fingerprint(), record.id());
    Instance instance = kernel.recovered(record.id(), graph, start, record.epochMillis());
    instance.eventNanos = nowNanos;
    stepper.start(instance);
    turnFollows(instance);
  }

  /** Continues an instance that had faulted, from the state in its record. */
  private void retried(@Nullable Instance before, JournalRecord record, byte[] state, long nowNanos)
      throws RecoveryException {
    if (before != null) {
      catchUp(before, record.advances());
      if (!before.hasEnded()) {
        throw new RecoveryException(
            before.id,
            "expected instance "
                + before.id
                + " to have faulted before it was retried, found it "
                + before.state());
      }
    }
    try {
      InstanceReader.Header header = InstanceReader.header(state);
      InstanceReader.Restored restored = reader.read(state, nowNanos - header.eventNanos());
      Instance instance = restored.instance();
      kernel.isUnderWayAgain(instance.id);
      takeUp(restored, new MadeAgain());
      check(instance, record);
      instance.eventNanos = nowNanos;
      router.now(nowNanos);
      stepper.apply(instance, record.event(), record.epochMillis());
      turnFollows(instance);
    } catch (IllegalArgumentException | BudgetExceededException | ExpressionException e) {
      throw misfit(record.id(), "an instance that was retried", e);
    }
  }

  /** Calls that were abandoned when their instance faulted and made again when it continued. */
  private final class MadeAgain implements Settlement.Outside {
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
  public void runSureTurns() {
    if (turns != null) {
      turns.run(
          kernel::instance,
          instance -> {
            runTurn(instance);
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
    for (InstanceId id : kernel.underWay()) {
      if (id.partition() == partition) {
        letGo(id);
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
    letGo(id);
  }

  private void letGo(InstanceId id) {
    Instance instance = kernel.instance(id);
    if (instance != null) {
      instance.forEachActivity(replayed::letGo);
      kernel.forget(id);
    }
  }

  /** Ends a shadow: releases the heap charges of its instances. */
  public void abandon() {
    holdings.close();
  }

  /** Whether an instance is running here. */
  public boolean isUnderWay(InstanceId id) {
    return kernel.instance(id) != null || (passivation != null && passivation.holds(id));
  }

  /** Number of passive instances of a shadow. */
  int passive() {
    return passivation == null ? 0 : passivation.passive();
  }

  /** Runs an instance up to the number of advances of a record, at the time of its last event. */
  void catchUp(Instance instance, long advances) {
    router.now(instance.eventNanos);
    wake(instance);
    boolean more = true;
    while (more && instance.advances < advances) {
      long left = advances - instance.advances;
      more = stepper.turn(instance, (int) Math.min(ADVANCES_AT_ONCE, left));
    }
  }

  private static void check(Instance instance, JournalRecord record) throws RecoveryException {
    if (instance.advances != record.advances() || instance.events != record.sequence()) {
      throw new RecoveryException(
          record.id(),
          "expected event "
              + record.sequence()
              + " of instance "
              + instance.id
              + " when it had come to "
              + record.advances()
              + ", found event "
              + instance.events
              + " at "
              + instance.advances
              + ": this engine does not run the definition as the one that wrote the journal did;"
              + " start that version");
    }
  }

  /** The event with its unrecorded parts; ends the wait for its call, evaluation or timer. */
  private KernelEvent completed(Instance instance, JournalRecord record) {
    return switch (record.event()) {
      case KernelEvent.InvocationDone done -> {
        ended(instance, done.activity(), done.attempt());
        yield done;
      }
      case KernelEvent.Evaluated evaluated -> {
        KernelEvent again = again(instance, evaluated);
        ended(instance, evaluated.activity(), evaluated.attempt());
        yield again;
      }
      case KernelEvent.TimerFired fired -> {
        takeOut(instance, fired);
        yield fired;
      }
      default -> record.event();
    };
  }

  private void ended(Instance instance, int slot, int attempt) {
    Activity activity = instance.activity(slot);
    if (activity != null && activity.awaiting == attempt) {
      replayed.ended(activity);
    }
  }

  private void takeOut(Instance instance, KernelEvent.TimerFired fired) {
    Activity activity = instance.activity(fired.activity());
    if (activity != null && activity.armed(fired.timer()) == fired.attempt()) {
      router.cancelTimer(activity, fired.timer());
    }
  }

  /** Repeats an evaluation; one that failed fails in the same way. */
  private KernelEvent.Evaluated again(Instance instance, KernelEvent.Evaluated evaluated) {
    Activity activity = instance.activity(evaluated.activity());
    ReplayedEffects.Evaluation evaluation = activity == null ? null : replayed.evaluation(activity);
    if (evaluated.error() != null
        || activity == null
        || evaluation == null
        || evaluation.attempt() != evaluated.attempt()) {
      return evaluated;
    }
    Object value = null;
    WorkflowError error = null;
    try {
      value =
          evaluation
              .expression()
              .evaluate(Objects.requireNonNull(activity.asked, "an input"), activity, budget());
    } catch (ExpressionException e) {
      error = e.error();
    } catch (BudgetExceededException e) {
      throw new IllegalStateException(
          "expected an evaluation of " + instance.id + " to end within the steps it took before",
          e);
    }
    return evaluated(evaluated, value, error);
  }

  private static KernelEvent.Evaluated evaluated(
      KernelEvent.Evaluated recorded, @Nullable Object value, @Nullable WorkflowError error) {
    return new KernelEvent.Evaluated(
        recorded.id(), recorded.activity(), recorded.attempt(), value, error);
  }

  /**
   * Ends the replay of a kernel that does nothing itself: its state will be serialized for another
   * kernel, which makes calls in progress again. The last call before it was {@link #opened}.
   */
  public void settle() {
    overlap = null;
    replayed
        .calls()
        .forEach((activity, call) -> activity.deliveries = replayed.openings() - call.opening());
  }

  /**
   * Ends the replay: begins calls and evaluations in progress again, except calls that timed out
   * while the engine was down: their timeout ends them. The last call before it was {@link
   * #opened}, for the opening that takes place now.
   *
   * @return number of calls made again
   */
  public int finish(long nowNanos) {
    overlap = null;
    router.now(nowNanos);
    effects.to(router, true);
    holdings.replaying(false);
    int again = 0;
    for (var entry : ReplayedEffects.inOrder(replayed.calls())) {
      ReplayedEffects.Call call = entry.getValue();
      Activity activity = entry.getKey();
      activity.deliveries = replayed.openings() - call.opening();
      if (!activity.isOverdue(nowNanos)) {
        packing.wake(activity.instance);
        router.invoke(
            activity, call.attempt(), Objects.requireNonNull(activity.call, "a call in progress"));
        packing.rest(activity.instance);
        again++;
      }
    }
    for (var entry : ReplayedEffects.inOrder(replayed.evaluations())) {
      ReplayedEffects.Evaluation evaluation = entry.getValue();
      Activity activity = entry.getKey();
      packing.wake(activity.instance);
      router.evaluate(
          activity,
          evaluation.attempt(),
          evaluation.expression(),
          Objects.requireNonNull(activity.asked, "an input"));
      packing.rest(activity.instance);
    }
    return again;
  }
}
