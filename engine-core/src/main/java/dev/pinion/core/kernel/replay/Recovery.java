package dev.pinion.core.kernel.replay;

import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.EffectRouter;
import dev.pinion.core.kernel.EntryRestorer;
import dev.pinion.core.kernel.KernelState;
import dev.pinion.core.kernel.observation.HistoryEventProducer;
import dev.pinion.core.kernel.observation.ObservedEffects;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.ValuePacking;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
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
  private final EffectRouter router;
  private final MemoryAccount memoryAccount;
  private final ValuePacking valuePacking;
  private final ReplayEffectSink replayed;
  private final ReplayedInstances instances;
  private final Exclusions exclusions;
  private final SnapshotLoader snapshot;
  private final RecordReplay records;

  /** Turns that the other kernel surely ran; null without another kernel. */
  private final @Nullable ImpliedTurns turns;

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
    HistoryEventProducer observed = follows ? kernel.observed() : null;
    this.router = kernel.router();
    this.memoryAccount = kernel.memoryAccount();
    this.valuePacking = memoryAccount.packing();
    this.replayed = new ReplayEffectSink(router);
    EffectSink effects = observed == null ? replayed : new ObservedEffects(replayed, observed);
    this.instances = new ReplayedInstances(kernel, replayed, effects, follows);
    this.exclusions = new Exclusions(kernel.instances(), router.children());
    this.snapshot = new SnapshotLoader(instances, router, replayed, exclusions, follows, observed);
    this.turns = follows ? new ImpliedTurns() : null;
    if (follows) {
      router.children().follow();
    }
    this.records =
        new RecordReplay(
            instances, kernel.graphs(), router, replayed, snapshot, exclusions, turns, observed);
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
    instances.runAll();
    replayed.opened(callsAreNumbered);
    instances.under(inForce);
  }

  /**
   * Leaves some instances out: they are reported as faulted.
   *
   * @param reasons returns why an instance is left out and what to do, or null to keep it
   * @param nowEpochMillis the time of this recovery
   */
  public void exclude(Function<InstanceId, @Nullable String> reasons, long nowEpochMillis) {
    exclusions.set(reasons, nowEpochMillis);
  }

  /** Instances that were left out so far. */
  public Set<InstanceId> excluded() {
    return exclusions.excluded();
  }

  /** Begins the entries of a snapshot, which may be ahead of the records behind it. */
  public void beginSnapshot() {
    snapshot.begin();
  }

  @Override
  public boolean restoreEntry(int partition, byte kind, byte[] bytes, long offsetNanos)
      throws RecoveryException {
    return snapshot.restoreEntry(partition, kind, bytes, offsetNanos);
  }

  @Override
  public boolean isInPartialState() {
    return snapshot.isInPartialState();
  }

  /** Ends the snapshot: records that follow were written after it was finished. */
  public void endSnapshot() {
    snapshot.end();
  }

  /**
   * Applies a record.
   *
   * @param nowNanos monotonic time of its event, on the scale of this process
   * @return whether it was applied; false when a snapshot has it already
   * @throws RecoveryException when the record does not fit what came before it
   */
  public boolean apply(JournalRecord record, long nowNanos) throws RecoveryException {
    return records.apply(record, nowNanos);
  }

  /**
   * Runs the turns that surely followed the events before the previous call of this method. A
   * shadow only.
   */
  public void runImpliedTurns() {
    records.runImpliedTurns();
  }

  /** Runs an instance up to the number of advances of a record, at the time of its last event. */
  void catchUp(Instance instance, long advances) {
    instances.catchUp(instance, advances);
  }

  /** Forgets the instances of a partition: the entries that follow contain them anew. */
  public void forget(int partition) {
    if (turns != null) {
      turns.forget(id -> id.partition() == partition);
    }
    instances.forget(id -> id.partition() == partition);
  }

  /** Forgets an instance of which no more records will come. */
  public void forget(InstanceId id) {
    if (turns != null) {
      turns.forget(id::equals);
    }
    instances.forget(id);
  }

  /** Ends a shadow: releases the heap charges of its instances. */
  public void abandon() {
    memoryAccount.close();
  }

  /** Whether an instance is running here. */
  public boolean isUnderWay(InstanceId id) {
    return instances.isUnderWay(id);
  }

  /** Number of passive instances of a shadow. */
  int passive() {
    return instances.passive();
  }

  /**
   * Ends the replay of a kernel that does nothing itself: its state will be serialized for another
   * kernel, which makes calls in progress again. The last call before it was {@link
   * #onJournalOpened}.
   */
  public void finishShadow() {
    snapshot.end();
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
    snapshot.end();
    router.setTime(nowNanos);
    memoryAccount.replaying(false);
    router.children().recovered(replayed.children());
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
