package dev.pinion.core.engine;

import dev.pinion.core.api.RequestHandler;
import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelCounters;
import dev.pinion.core.limits.EngineLimits;
import java.util.function.ToLongFunction;

/**
 * Counters of an engine, in the text format of Prometheus (0.0.4). Every name is listed in
 * docs/metrics.md. Any thread; values may be slightly old.
 */
final class EngineMetrics {
  private final StringBuilder text = new StringBuilder(4_096);
  private final Pipeline pipeline;
  private final EngineLimits limits;

  private EngineMetrics(Pipeline pipeline, EngineLimits limits) {
    this.pipeline = pipeline;
    this.limits = limits;
  }

  static String of(Pipeline pipeline, EngineLimits limits) {
    EngineMetrics metrics = new EngineMetrics(pipeline, limits);
    metrics.connections();
    metrics.calls();
    metrics.instances();
    metrics.storage();
    return metrics.text.toString();
  }

  private void connections() {
    gauge(
        "pinion_client_connections",
        "Open connections of clients.",
        handlers(RequestHandler::connections));
    gauge(
        "pinion_client_connections_limit",
        "Connections of clients that may be open: request.maxConnections, or what descriptors"
            + " allow.",
        limits.request().maxConnections());
    counter(
        "pinion_client_connections_evicted_total",
        "Idle connections closed to make room for new clients.",
        handlers(RequestHandler::evictedConnections));
    counter(
        "pinion_client_connections_slow_total",
        "Connections closed because their clients read too slowly (request.maxUnsentBytes).",
        handlers(RequestHandler::slowConnections));
    counter(
        "pinion_client_accept_failures_total",
        "Times that a connection of a client could not be accepted.",
        pipeline.clients().acceptFailures());
    counter(
        "pinion_request_failures_total",
        "Requests and connections that ended by a failure of the engine itself.",
        handlers(RequestHandler::failures));
  }

  private void calls() {
    describe("pinion_calls_ended_total", "Calls of services that have ended.", "counter");
    sample("pinion_calls_ended_total{outcome=\"answered\"}", invokers(Counter.ANSWERED));
    sample("pinion_calls_ended_total{outcome=\"failed\"}", invokers(Counter.FAILED));
    sample("pinion_calls_ended_total{outcome=\"aborted\"}", invokers(Counter.ABORTED));
    counter(
        "pinion_calls_resent_total",
        "Requests sent again on a fresh connection, as the service had closed a kept one.",
        invokers(Counter.RETRIED));
    gauge("pinion_calls_waiting", "Calls that wait for a connection.", invokers(Counter.WAITING));
    gauge(
        "pinion_call_connections",
        "Connections to services, open or being established.",
        invokers(Counter.CONNECTIONS));
    gauge(
        "pinion_call_connections_limit",
        "Connections to services that may be open, or what descriptors allow.",
        (long) limits.invoker().maxConnections() * pipeline.invokers().size());
  }

  private void instances() {
    counter(
        "pinion_instances_started_total",
        "Instances started or taken up.",
        kernels(KernelCounters::started));
    describe("pinion_instances_ended_total", "Instances that have ended.", "counter");
    sample("pinion_instances_ended_total{state=\"completed\"}", kernels(KernelCounters::completed));
    sample("pinion_instances_ended_total{state=\"faulted\"}", kernels(KernelCounters::faulted));
    sample("pinion_instances_ended_total{state=\"cancelled\"}", kernels(KernelCounters::cancelled));
    gauge("pinion_instances_running", "Instances under way.", kernels(KernelCounters::running));
    counter(
        "pinion_starts_refused_total",
        "Starts that kernels refused, for any reason.",
        kernels(KernelCounters::refused));
    counter(
        "pinion_starts_refused_for_heap_total",
        "Starts refused because the heap is too full (kernel.maxHeldBytes).",
        pipeline.heap().refusals());
  }

  private void storage() {
    gauge(
        "pinion_held_bytes", "Bytes of the heap that instances hold.", pipeline.heap().heldBytes());
    gauge(
        "pinion_carried_bytes",
        "Bytes of the heap of values on their way between stages.",
        pipeline.heap().carriedBytes());
    gauge(
        "pinion_held_bytes_limit",
        "Bytes of the heap beyond which starts are refused (kernel.maxHeldBytes).",
        pipeline.heap().bound());
    gauge(
        "pinion_cold_store_bytes",
        "Bytes off the heap that packed values of waiting instances take.",
        pipeline.coldBytes());
    SafeStore safeStore = pipeline.safeStore();
    if (safeStore != null) {
      counter(
          "pinion_housekeeping_failures_total",
          "Chores around the journal that failed and are tried again.",
          safeStore.maintenanceFailures());
    }
  }

  private long handlers(ToLongFunction<RequestHandler> count) {
    return pipeline.requestHandlers().stream().mapToLong(count).sum();
  }

  private long invokers(Counter counter) {
    long sum = 0;
    for (Invoker invoker : pipeline.invokers()) {
      sum += invoker.counters().get(counter);
    }
    return sum;
  }

  private long kernels(ToLongFunction<KernelCounters> count) {
    return pipeline.kernels().stream().map(Kernel::counters).mapToLong(count).sum();
  }

  private void counter(String name, String help, long value) {
    describe(name, help, "counter");
    sample(name, value);
  }

  private void gauge(String name, String help, long value) {
    describe(name, help, "gauge");
    sample(name, value);
  }

  private void describe(String name, String help, String type) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void sample(String name, long value) {
    text.append(name).append(' ').append(value).append('\n');
  }
}
