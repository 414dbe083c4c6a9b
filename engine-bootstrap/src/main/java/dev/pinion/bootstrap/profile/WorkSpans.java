package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Work of threads at the polls of the profiler, by thread, stage and time; finds the work of a
 * sample by its time.
 *
 * <p>A sample belongs to the work under way at its time, or else to the nearest work in time on the
 * same thread and in the same stage. Polls fall into work in proportion to its duration, so the
 * shares are right even where work is much shorter than the time between polls; a single sample may
 * then be attributed to neighbouring work.
 */
final class WorkSpans {
  /** Longest distance between a sample and work that it may belong to. */
  static final long MAX_DISTANCE_NANOS = 200_000_000;

  private final Map<Worker, TreeMap<Long, Span>> spans = new HashMap<>();

  private record Worker(long thread, PipelineStage stage) {}

  private record Span(long begin, long end, ProfileRow.TaskOrigin work) {
    long distance(long time) {
      return Math.max(0, Math.max(begin - time, time - end));
    }
  }

  /**
   * Adds work.
   *
   * @param begin its beginning in nanoseconds, as far as known from polls
   * @param end its end
   */
  void add(
      long thread, PipelineStage stage, long begin, long end, ProfileRow.TaskOrigin taskOrigin) {
    spans
        .computeIfAbsent(new Worker(thread, stage), _ -> new TreeMap<>())
        .put(end, new Span(begin, end, taskOrigin));
  }

  /** Work of a thread at a time; null when unknown. */
  ProfileRow.@Nullable TaskOrigin at(long thread, PipelineStage stage, long time) {
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
