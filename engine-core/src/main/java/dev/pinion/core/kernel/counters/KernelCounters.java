package dev.pinion.core.kernel.counters;

import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.metrics.Buckets;
import dev.pinion.core.metrics.Histogram;
import dev.pinion.core.metrics.LabelSlots;
import dev.pinion.core.metrics.SingleWriterCounter;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.InstanceState;

/** Counters of a kernel. Written by its thread, read by any. */
public final class KernelCounters {
  /** Most definitions that are counted by name. */
  public static final int MAX_DEFINITIONS = 50;

  private final SingleWriterCounter started = new SingleWriterCounter();
  private final SingleWriterCounter completed = new SingleWriterCounter();
  private final SingleWriterCounter faulted = new SingleWriterCounter();
  private final SingleWriterCounter cancelled = new SingleWriterCounter();
  private final SingleWriterCounter left = new SingleWriterCounter();
  private final SingleWriterCounter refused = new SingleWriterCounter();
  private final SingleWriterCounter stale = new SingleWriterCounter();
  private final SingleWriterCounter handedOver = new SingleWriterCounter();
  private final SingleWriterCounter snapshotBytes = new SingleWriterCounter();
  private final SingleWriterCounter timersPending = new SingleWriterCounter();
  private final SingleWriterCounter callsInFlight = new SingleWriterCounter();
  private final SingleWriterCounter evaluationsInFlight = new SingleWriterCounter();
  private final Histogram timerLateness = new Histogram(Buckets.LATENESS);
  private final TaskCounters tasks = new TaskCounters();
  private final ListenCounters listening = new ListenCounters();
  private final ScheduleCounters schedules = new ScheduleCounters();

  /** Replaced before the first instance, if at all. */
  private DefinitionCounters definitions = new DefinitionCounters(new LabelSlots(MAX_DEFINITIONS));

  private volatile int unfinished;
  private volatile boolean startKeysFull;
  private volatile long waitingStartBytes;

  /** Counters at zero. */
  public KernelCounters() {}

  /** Shares the names of definitions with other kernels. Before the first instance. */
  public void shareDefinitions(LabelSlots names) {
    definitions = new DefinitionCounters(names);
  }

  public void onStarted(DefinitionKey definition) {
    started.increment();
    if (!ScheduleGraph.isKey(definition)) {
      definitions.onStarted(definition);
    }
  }

  public void onReleased() {
    left.increment();
  }

  public void onRefused() {
    refused.increment();
  }

  public void onStale() {
    stale.increment();
  }

  public void onOffloaded() {
    handedOver.increment();
  }

  public void onEnded(DefinitionKey definition, InstanceState state) {
    switch (state) {
      case COMPLETED -> completed.increment();
      case FAULTED -> faulted.increment();
      default -> cancelled.increment();
    }
    if (!ScheduleGraph.isKey(definition)) {
      definitions.onEnded(definition, state);
    }
  }

  public void onTaskEnded(Node task, HistoryEvent.EventKind end, long millis) {
    tasks.onEnded(task, end, millis);
  }

  public void onTimer(long lateNanos) {
    timerLateness.record(lateNanos);
  }

  /** Sets how many timers are pending, and how many calls and evaluations are in flight. */
  public void pending(int timers, int calls, int evaluations) {
    timersPending.set(timers);
    callsInFlight.set(calls);
    evaluationsInFlight.set(evaluations);
  }

  /** Sets how much would be lost, or have to be made again, if the engine ended now. */
  public void unfinished(int now) {
    if (unfinished != now) {
      unfinished = now;
    }
  }

  /**
   * Running instances that live in memory only, and calls in progress: an engine waits for them
   * before it stops.
   */
  public int unfinished() {
    return unfinished;
  }

  /** Sets whether the table of start keys is full. */
  public void startKeysFull(boolean now) {
    if (startKeysFull != now) {
      startKeysFull = now;
    }
  }

  /** Whether a start with a new key is refused ({@code kernel.maxStartKeys}). */
  public boolean areStartKeysFull() {
    return startKeysFull;
  }

  /** Sets the heap bytes of starts that wait for others. */
  public void waitingStartBytes(long now) {
    if (waitingStartBytes != now) {
      waitingStartBytes = now;
    }
  }

  /** Heap bytes of starts that wait for others with their ordering key. */
  public long waitingStartBytes() {
    return waitingStartBytes;
  }

  /** Sets the size that the values of all instances would have in a snapshot. */
  public void snapshotBytes(long now) {
    snapshotBytes.set(now);
  }

  /** Approximate bytes of the values of running and ended instances in a snapshot. */
  public long snapshotBytes() {
    return snapshotBytes.value();
  }

  /** Instances started or taken up. */
  public long started() {
    return started.value();
  }

  /** Running instances. */
  public long running() {
    return started() - completed() - faulted() - cancelled() - left.value();
  }

  /** Instances completed. */
  public long completed() {
    return completed.value();
  }

  /** Instances faulted. */
  public long faulted() {
    return faulted.value();
  }

  /** Instances cancelled. */
  public long cancelled() {
    return cancelled.value();
  }

  /** Instances whose partition moved to another replica. */
  public long released() {
    return left.value();
  }

  /** Starts refused. */
  public long refused() {
    return refused.value();
  }

  /** Completions and timers that came too late to have an effect. */
  public long stale() {
    return stale.value();
  }

  /** Evaluations handed to another thread. */
  public long handedOver() {
    return handedOver.value();
  }

  /** Timers that have neither fired nor been cancelled. */
  public long timersPending() {
    return timersPending.value();
  }

  /** Calls sent to Invokers whose outcome is still to come. */
  public long callsInFlight() {
    return callsInFlight.value();
  }

  /** Evaluations by other threads whose result is still to come. */
  public long evaluationsInFlight() {
    return evaluationsInFlight.value();
  }

  /** Nanoseconds from the time of a timer until it fired. */
  public Histogram timerLateness() {
    return timerLateness;
  }

  /** Tasks by kind and end. */
  public TaskCounters tasks() {
    return tasks;
  }

  /** Events that instances listen to. */
  public ListenCounters listening() {
    return listening;
  }

  /** Schedules and their runs. */
  public ScheduleCounters schedules() {
    return schedules;
  }

  /** Instances by definition. */
  public DefinitionCounters definitions() {
    return definitions;
  }
}
