package dev.pinion.core.engine;

import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.counters.DefinitionCounters;
import dev.pinion.core.kernel.counters.KernelCounters;
import dev.pinion.core.kernel.counters.TaskCounters;
import dev.pinion.core.metrics.LabelSlots;
import dev.pinion.core.metrics.MetricFamilies;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/** Metrics of the kernels of an engine together. Any thread. */
final class KernelMetrics {
  private final List<KernelCounters> kernels;
  private final MetricFamilies families;

  private KernelMetrics(List<KernelCounters> kernels, MetricFamilies families) {
    this.kernels = kernels;
    this.families = families;
  }

  /**
   * Adds the metrics of kernels.
   *
   * @param definitions names of the definitions that they count
   */
  static void add(List<Kernel> kernels, LabelSlots definitions, MetricFamilies families) {
    KernelMetrics metrics =
        new KernelMetrics(kernels.stream().map(Kernel::counters).toList(), families);
    metrics.instances();
    metrics.definitions(definitions.values());
    metrics.starts();
    metrics.tasks();
    metrics.outside();
    metrics.listening();
  }

  private void instances() {
    ended("completed", KernelCounters::completed);
    ended("faulted", KernelCounters::faulted);
    ended("cancelled", KernelCounters::cancelled);
    families.gauge(
        "pinion_instances_running", "Instances under way.", sum(KernelCounters::running));
    families.counter(
        "pinion_instances_moved_away_total",
        "Running instances whose partition moved to another replica.",
        sum(KernelCounters::released));
    families.gauge(
        "pinion_snapshot_state_bytes",
        "Bytes that the values of all instances would take in a snapshot, approximately.",
        sum(KernelCounters::snapshotBytes));
  }

  private void ended(String state, ToLongFunction<KernelCounters> count) {
    families.counter(
        "pinion_instances_ended_total",
        "Instances that have ended, by state.",
        sum(count),
        "state",
        state);
  }

  private void definitions(List<String> names) {
    for (int slot = 0; slot < names.size(); slot++) {
      String name = names.get(slot);
      families.counter(
          "pinion_instances_started_total",
          "Instances started or taken up, by definition.",
          sum(DefinitionCounters::started, slot),
          "definition",
          name);
      completed(name, "completed", sum(DefinitionCounters::completed, slot));
      completed(name, "faulted", sum(DefinitionCounters::faulted, slot));
      completed(name, "cancelled", sum(DefinitionCounters::cancelled, slot));
    }
  }

  private void completed(String definition, String outcome, long count) {
    families.counter(
        "pinion_instances_completed_total",
        "Instances that have ended, by definition and outcome.",
        count,
        "definition",
        definition,
        "outcome",
        outcome);
  }

  private void starts() {
    families.counter(
        "pinion_starts_refused_total",
        "Starts that kernels refused, for any reason.",
        sum(KernelCounters::refused));
    families.gauge(
        "pinion_ordered_starts_bytes",
        "Bytes of the heap of starts that wait for others with their ordering key.",
        sum(KernelCounters::waitingStartBytes));
    families.gauge(
        "pinion_start_keys_full",
        "Kernels that refuse starts with a new key (kernel.maxStartKeys).",
        sum(each -> each.areStartKeysFull() ? 1 : 0));
  }

  private void tasks() {
    for (int i = 0; i < TaskCounters.KINDS.size(); i++) {
      int kind = i;
      families.histogram(
          "pinion_task_duration_seconds",
          "Seconds from the begin of a task to its end, by kind of task.",
          kernels.stream().map(each -> each.tasks().duration(kind)).toList(),
          "kind",
          TaskCounters.KINDS.get(i));
    }
    tasks("completed", TaskCounters::completed);
    tasks("skipped", TaskCounters::skipped);
    tasks("failed", TaskCounters::failed);
    tasks("cancelled", TaskCounters::cancelled);
  }

  private void tasks(String outcome, ToLongFunction<TaskCounters> count) {
    families.counter(
        "pinion_tasks_ended_total",
        "Tasks that have ended; skipped ones did not run, as their condition did not hold.",
        sum(each -> count.applyAsLong(each.tasks())),
        "outcome",
        outcome);
  }

  private void outside() {
    families.gauge(
        "pinion_timers_pending",
        "Timers that have neither fired nor been cancelled.",
        sum(KernelCounters::timersPending));
    families.histogram(
        "pinion_timer_lateness_seconds",
        "Seconds from the time of a timer until it fired.",
        kernels.stream().map(KernelCounters::timerLateness).toList());
    families.gauge(
        "pinion_calls_running",
        "Calls sent to Invokers whose outcome is still to come.",
        sum(KernelCounters::callsInFlight));
    families.counter(
        "pinion_evaluations_total",
        "Evaluations of long expressions given to other threads.",
        sum(KernelCounters::handedOver));
    families.gauge(
        "pinion_evaluations_running",
        "Evaluations by other threads whose result is still to come.",
        sum(KernelCounters::evaluationsInFlight));
    families.counter(
        "pinion_events_stale_total",
        "Completions and timers that came too late to have an effect.",
        sum(KernelCounters::stale));
  }

  private void listening() {
    families.gauge(
        "pinion_event_listeners",
        "Tasks that listen to CloudEvents.",
        sum(each -> each.listening().listeners()));
    families.counter(
        "pinion_events_compared_total",
        "CloudEvents that kernels compared with filters.",
        sum(each -> each.listening().events()));
    families.counter(
        "pinion_events_matched_total",
        "CloudEvents given to tasks that listen, for each task.",
        sum(each -> each.listening().matches()));
    families.counter(
        "pinion_event_filter_failures_total",
        "Expressions of filters that failed, so that the event did not pass.",
        sum(each -> each.listening().failures()));
    families.gauge(
        "pinion_events_kept",
        "CloudEvents that kernels keep for tasks that begin to listen later.",
        sum(each -> each.listening().unheard()));
  }

  private long sum(ToLongFunction<KernelCounters> count) {
    return kernels.stream().mapToLong(count).sum();
  }

  private long sum(ToLongBiFunction<DefinitionCounters, Integer> count, int slot) {
    return sum(each -> count.applyAsLong(each.definitions(), slot));
  }
}
