package dev.pinion.core.engine;

import dev.pinion.core.api.RequestHandler;
import dev.pinion.core.http.Rejections;
import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.EngineVersion;
import dev.pinion.core.program.ProgramKills;
import dev.pinion.core.stage.Lane;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Metrics of an engine, read from the counters of its stages. Every name is listed in
 * docs/metrics.md. Any thread; values may be slightly old.
 */
final class EngineMetrics {
  private final MetricFamilies families;
  private final Pipeline pipeline;
  private final EngineLimits limits;

  private EngineMetrics(Pipeline pipeline, EngineLimits limits, MetricFamilies families) {
    this.pipeline = pipeline;
    this.limits = limits;
    this.families = families;
  }

  /** Adds the metrics of a pipeline. */
  static void add(Pipeline pipeline, EngineLimits limits, MetricFamilies families) {
    families.info("pinion_build_info", "Version of the engine.", "version", EngineVersion.CURRENT);
    EngineMetrics metrics = new EngineMetrics(pipeline, limits, families);
    metrics.connections();
    metrics.requests();
    metrics.calls();
    metrics.tokens();
    metrics.programs();
    KernelMetrics.add(pipeline.kernels(), pipeline.definitionNames(), families);
    metrics.lanes();
    metrics.memory();
    SafeStore safeStore = pipeline.safeStore();
    if (safeStore != null) {
      StorageMetrics.add(safeStore, families);
    }
  }

  private void connections() {
    families.gauge(
        "pinion_client_connections",
        "Open connections of clients.",
        handlers(RequestHandler::connections));
    families.gauge(
        "pinion_client_connections_limit",
        "Connections of clients that may be open: request.maxConnections, or what descriptors"
            + " allow.",
        limits.request().maxConnections());
    families.counter(
        "pinion_client_connections_evicted_total",
        "Idle connections closed to make room for new clients.",
        handlers(RequestHandler::evictedConnections));
    families.counter(
        "pinion_client_connections_slow_total",
        "Connections closed because their clients read too slowly (request.maxUnsentBytes).",
        handlers(RequestHandler::slowConnections));
    families.counter(
        "pinion_client_accept_failures_total",
        "Times that a connection of a client could not be accepted.",
        pipeline.clients().acceptFailures());
  }

  private void requests() {
    families.counter(
        "pinion_request_failures_total",
        "Requests and connections that ended by a failure of the engine itself.",
        handlers(RequestHandler::failures));
    families.gauge("pinion_requests_running", "Requests being answered.", pipeline.requests());
    families.counter(
        "pinion_replies_late_total",
        "Replies of kernels whose request had been answered or whose client had gone.",
        handlers(RequestHandler::lateReplies));
    for (Rejections.Reason each : Rejections.Reason.values()) {
      families.counter(
          "pinion_rejected_requests_total",
          "Requests refused for lack of room, by quota or while the replica shuts down.",
          handlers(handler -> handler.http().rejections().count(each)),
          "reason",
          each.label());
    }
  }

  private void calls() {
    callEnds("answered", Counter.ANSWERED);
    callEnds("failed", Counter.FAILED);
    callEnds("aborted", Counter.ABORTED);
    families.counter(
        "pinion_calls_begun_total", "Calls that Invokers began.", invokers(Counter.CALLS));
    families.counter(
        "pinion_calls_resent_total",
        "Requests sent again on a fresh connection, as the service had closed a kept one.",
        invokers(Counter.RETRIED));
    families.counter(
        "pinion_call_aborts_ignored_total",
        "Aborts of calls that had ended.",
        invokers(Counter.ABORTS_IGNORED));
    families.counter(
        "pinion_call_outcomes_lost_total",
        "Outcomes of calls that their kernel had no room for: an error of the engine.",
        invokers(Counter.UNDELIVERED));
    for (int i = 0; i < InvokerCounters.CODE_CLASSES.size(); i++) {
      int codeClass = i;
      families.counter(
          "pinion_http_client_requests_total",
          "Requests to services that were answered, by class of the status code.",
          pipeline.invokers().stream()
              .mapToLong(each -> each.counters().responses(codeClass))
              .sum(),
          "code_class",
          InvokerCounters.CODE_CLASSES.get(i));
    }
    families.gauge(
        "pinion_calls_waiting", "Calls that wait for a connection.", invokers(Counter.WAITING));
    families.gauge(
        "pinion_call_connections",
        "Connections to services, open or being established.",
        invokers(Counter.CONNECTIONS));
    families.gauge(
        "pinion_call_connections_limit",
        "Connections to services that may be open, or what descriptors allow.",
        (long) limits.invoker().maxConnections() * pipeline.invokers().size());
  }

  private void callEnds(String outcome, Counter counter) {
    families.counter(
        "pinion_calls_ended_total",
        "Calls of services that have ended.",
        invokers(counter),
        "outcome",
        outcome);
  }

  private void tokens() {
    families.counter(
        "pinion_token_cache_hits_total",
        "Calls that found a token of an authorization server.",
        invokers(Counter.TOKENS_CACHED));
    tokenEnds("fetched", Counter.TOKENS_FETCHED);
    tokenEnds("refreshed", Counter.TOKENS_REFRESHED);
    tokenEnds("failed", Counter.TOKENS_FAILED);
  }

  private void tokenEnds(String outcome, Counter counter) {
    families.counter(
        "pinion_token_requests_total",
        "Requests for tokens of authorization servers that have ended.",
        invokers(counter),
        "outcome",
        outcome);
  }

  private void programs() {
    ProgramKills kills = pipeline.programs().kills();
    for (ProgramKills.Reason each : ProgramKills.Reason.values()) {
      families.counter(
          "pinion_programs_killed_total",
          "Programs of tasks that were killed while they ran.",
          kills.count(each),
          "reason",
          each.label());
    }
  }

  private void lanes() {
    lanes("requests", pipeline.kernels().stream().map(Kernel::requests).toList());
    lanes("completions", pipeline.kernels().stream().map(Kernel::completions).toList());
    lanes("invocations", pipeline.invocations());
    lanes("replies", pipeline.requestHandlers().stream().map(RequestHandler::replies).toList());
    SafeStore safeStore = pipeline.safeStore();
    if (safeStore != null) {
      lanes("journal", List.of(safeStore.lane()));
    }
  }

  private void lanes(String name, List<? extends Lane<?>> lanes) {
    families.gauge(
        "pinion_mailbox_depth",
        "Messages that wait in the lanes between stages.",
        lanes.stream().mapToLong(Lane::size).sum(),
        "lane",
        name);
    families.gauge(
        "pinion_mailbox_capacity",
        "Messages that these lanes hold when they are full.",
        lanes.stream().mapToLong(Lane::capacity).sum(),
        "lane",
        name);
    families.counter(
        "pinion_mailbox_messages_total",
        "Messages that stages took from these lanes.",
        lanes.stream().mapToLong(each -> each.counters().taken()).sum(),
        "lane",
        name);
    families.counter(
        "pinion_mailbox_refused_total",
        "Messages that found their lane full.",
        lanes.stream().mapToLong(each -> each.counters().refused()).sum(),
        "lane",
        name);
  }

  private void memory() {
    families.counter(
        "pinion_starts_refused_for_heap_total",
        "Starts refused because the heap is too full (kernel.maxHeldBytes).",
        pipeline.heap().refusals());
    families.gauge(
        "pinion_held_bytes", "Bytes of the heap that instances hold.", pipeline.heap().heldBytes());
    families.gauge(
        "pinion_carried_bytes",
        "Bytes of the heap of values on their way between stages.",
        pipeline.heap().carriedBytes());
    families.gauge(
        "pinion_held_bytes_limit",
        "Bytes of the heap beyond which starts are refused (kernel.maxHeldBytes).",
        pipeline.heap().bound());
    families.gauge(
        "pinion_cold_store_bytes",
        "Bytes off the heap that packed values of waiting instances take.",
        pipeline.coldBytes());
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
}
