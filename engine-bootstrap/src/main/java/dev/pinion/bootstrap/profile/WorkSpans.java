package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What threads worked on when the profiler looked, by thread, stage and time; tells it of the times
 * of samples.
 *
 * <p>A sample belongs to the work that was under way, or else to the work nearest in time on the
 * same thread and in the same stage. Looks fall into work in proportion to its time, so the shares
 * come out right also where work is much shorter than the time between looks; a single sample may
 * then get a neighbour's name.
 */
final class WorkSpans {
  /** Work that is farther from a sample says nothing about it. */
  static final long MAX_DISTANCE_NANOS = 200_000_000;

  private final Map<Worker, TreeMap<Long, Span>> spans = new HashMap<>();

  private record Worker(long thread, PipelineStage stage) {}

  private record Span(long begin, long end, Row.Work work) {
    long distance(long time) {
      return Math.max(0, Math.max(begin - time, time - end));
    }
  }

  /**
   * Takes note of work.
   *
   * @param begin when it began, in nanoseconds, as far as looks tell
   * @param end when it ended
   */
  void add(long thread, PipelineStage stage, long begin, long end, Row.Work work) {
    spans
        .computeIfAbsent(new Worker(thread, stage), _ -> new TreeMap<>())
        .put(end, new Span(begin, end, work));
  }

  /** What a thread worked on at a time; null when that is not known. */
  Row.@Nullable Work at(long thread, PipelineStage stage, long time) {
    TreeMap<Long, Span> ended = spans.get(new Worker(thread, stage));
    if (ended == null) {
      return null;
    }
    Map.Entry<Long, Span> before = ended.floorEntry(time);
    Map.Entry<Long, Span> after = ended.ceilingEntry(time);
    Span nearest = nearest(before, after, time);
    return nearest == null || nearest.distance(time) > MAX_DISTANCE_NANOS ? null : nearest.work;
  }

  private static @Nullable Span nearest(
      Map.@Nullable Entry<Long, Span> before, Map.@Nullable Entry<Long, Span> after, long time) {
    if (before == null || after == null) {
      Map.Entry<Long, Span> only = before == null ? after : before;
      return only == null ? null : only.getValue();
    }
    return before.getValue().distance(time) < after.getValue().distance(time)
        ? before.getValue()
        : after.getValue();
  }
}
