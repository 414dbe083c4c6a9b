package dev.pinion.core.kernel.counters;

import dev.pinion.core.graph.Node;
import dev.pinion.core.metrics.Buckets;
import dev.pinion.core.metrics.Histogram;
import dev.pinion.core.metrics.SingleWriterCounter;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import java.util.List;
import java.util.stream.Stream;

/** Counters of the tasks of one kernel. Written by its thread, read by any. */
public final class TaskCounters {
  /** Kinds of tasks, in the order of their histograms, by their keyword of the language. */
  public static final List<String> KINDS =
      List.of(
          "call", "do", "emit", "for", "fork", "listen", "raise", "run", "set", "switch", "try",
          "wait");

  private final List<Histogram> durations =
      Stream.generate(() -> new Histogram(Buckets.TASK)).limit(KINDS.size()).toList();
  private final SingleWriterCounter completed = new SingleWriterCounter();
  private final SingleWriterCounter skipped = new SingleWriterCounter();
  private final SingleWriterCounter failed = new SingleWriterCounter();
  private final SingleWriterCounter cancelled = new SingleWriterCounter();

  TaskCounters() {}

  /** Counts a task that has ended after some milliseconds; a skipped one has no duration. */
  public void onEnded(Node task, EventKind end, long millis) {
    switch (end) {
      case TASK_COMPLETED -> completed.increment();
      case TASK_FAILED -> failed.increment();
      case TASK_CANCELLED -> cancelled.increment();
      default -> {
        skipped.increment();
        return;
      }
    }
    durations.get(kind(task)).record(millis);
  }

  private static int kind(Node task) {
    return switch (task) {
      case Node.Call _, Node.Subscribe _ -> 0;
      case Node.Do _ -> 1;
      case Node.Emit _ -> 2;
      case Node.For _, Node.ParallelForEach _ -> 3;
      case Node.Fork _ -> 4;
      case Node.Listen _ -> 5;
      case Node.Raise _ -> 6;
      case Node.RunWorkflow _, Node.Schedule _ -> 7;
      case Node.Set _ -> 8;
      case Node.Switch _ -> 9;
      case Node.Try _ -> 10;
      case Node.Wait _ -> 11;
    };
  }

  /** Milliseconds from the begin of a task to its end, by position in {@link #KINDS}. */
  public Histogram duration(int kind) {
    return durations.get(kind);
  }

  /** Tasks completed. */
  public long completed() {
    return completed.value();
  }

  /** Tasks whose condition did not hold. */
  public long skipped() {
    return skipped.value();
  }

  /** Tasks that ended with an error. */
  public long failed() {
    return failed.value();
  }

  /** Tasks that were ended before their time. */
  public long cancelled() {
    return cancelled.value();
  }
}
