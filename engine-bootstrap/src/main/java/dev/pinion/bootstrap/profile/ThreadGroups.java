package dev.pinion.bootstrap.profile;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Classifies threads by their names: into groups of equal ones, and these by stage. */
final class ThreadGroups {
  private static final Pattern NUMBER = Pattern.compile("[-#]?\\d+$");

  /** Stages by the beginning of the name, as truncated by Linux; the first match counts. */
  private static final List<Map.Entry<String, PipelineStage>> OF_THE_JVM =
      List.of(
          Map.entry("JFR ", PipelineStage.PROFILER),
          Map.entry("C1 Compiler", PipelineStage.JIT),
          Map.entry("C2 Compiler", PipelineStage.JIT),
          Map.entry("GC Thread", PipelineStage.GC),
          Map.entry("G1 ", PipelineStage.GC),
          Map.entry("VM Thread", PipelineStage.GC),
          Map.entry("VM Periodic", PipelineStage.GC));

  private static final Map<String, PipelineStage> OF_THE_ENGINE =
      Map.ofEntries(
          Map.entry("fused", PipelineStage.LOOP),
          Map.entry("request", PipelineStage.REQUEST),
          Map.entry("kernel", PipelineStage.KERNEL),
          Map.entry("invoker", PipelineStage.INVOKER),
          Map.entry("journal", PipelineStage.JOURNAL),
          Map.entry("snapshot", PipelineStage.JOURNAL),
          Map.entry("safe-store", PipelineStage.JOURNAL),
          Map.entry("evaluator", PipelineStage.EVALUATOR),
          Map.entry("handlers", PipelineStage.HANDLERS),
          Map.entry("lp-solver", PipelineStage.BROKER),
          Map.entry("broker-accept", PipelineStage.BROKER),
          Map.entry("broker-beat", PipelineStage.BROKER),
          Map.entry("broker-client", PipelineStage.BROKER),
          Map.entry("broker-request", PipelineStage.BROKER),
          Map.entry("broker-probes", PipelineStage.BROKER),
          Map.entry("profile", PipelineStage.PROFILER));

  private static final List<Map.Entry<String, PipelineStage>> CODE =
      List.of(
          Map.entry("dev.pinion.core.kernel.", PipelineStage.KERNEL),
          Map.entry("dev.pinion.core.invoker.", PipelineStage.INVOKER),
          Map.entry("dev.pinion.core.http.", PipelineStage.REQUEST),
          Map.entry("dev.pinion.core.api.", PipelineStage.REQUEST),
          Map.entry("dev.pinion.core.peer.", PipelineStage.REQUEST),
          Map.entry("dev.pinion.core.journal.", PipelineStage.JOURNAL),
          Map.entry("dev.pinion.handlers.", PipelineStage.HANDLERS),
          Map.entry("dev.pinion.broker.", PipelineStage.BROKER));

  private ThreadGroups() {}

  /** The group of a thread, such as {@code kernel} for {@code kernel-3}. */
  static String group(String thread) {
    PipelineStage ofJvm = ofJvm(thread);
    if (ofJvm != null) {
      return ofJvm.label();
    }
    String group = NUMBER.matcher(thread).replaceFirst("").strip();
    return group.isEmpty() ? "unnamed" : group;
  }

  /** Stage of a thread, for samples without particular work. */
  static PipelineStage stage(String thread) {
    PipelineStage ofJvm = ofJvm(thread);
    return ofJvm == null ? OF_THE_ENGINE.getOrDefault(group(thread), PipelineStage.OTHER) : ofJvm;
  }

  /**
   * Stage of a sample. On a thread that drives the pipeline, the stage whose code is the innermost
   * on the stack; else the stage of the thread.
   *
   * @param frames methods, the outermost first
   */
  static PipelineStage stage(String thread, List<String> frames) {
    PipelineStage own = stage(thread);
    if (!drivesPipeline(own)) {
      return own;
    }
    for (String frame : frames.reversed()) {
      for (Map.Entry<String, PipelineStage> each : CODE) {
        if (frame.startsWith(each.getKey())) {
          return each.getValue();
        }
      }
    }
    return own;
  }

  private static boolean drivesPipeline(PipelineStage stage) {
    return switch (stage) {
      case REQUEST, KERNEL, INVOKER, LOOP, OTHER -> true;
      case JOURNAL, EVALUATOR, HANDLERS, BROKER, GC, JIT, PROFILER -> false;
    };
  }

  private static @Nullable PipelineStage ofJvm(String thread) {
    return OF_THE_JVM.stream()
        .filter(each -> thread.startsWith(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }
}
