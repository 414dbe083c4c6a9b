package dev.pinion.core.metrics;

import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmClassLoadingMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmCompilationMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Metrics of this process and its JVM under their usual names, {@code process_*} and {@code jvm_*}.
 * For any thread.
 *
 * <p>States and deadlocks of threads are left out: the JVM would stop all threads for them.
 */
public final class ProcessCollector {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  /** Collects nothing until it is asked. */
  public ProcessCollector() {
    ProcessMetrics.builder().register(registry);
    JvmRuntimeInfoMetric.builder().register(registry);
    JvmMemoryMetrics.builder().register(registry);
    JvmBufferPoolMetrics.builder().register(registry);
    JvmGarbageCollectorMetrics.builder().register(registry);
    JvmClassLoadingMetrics.builder().register(registry);
    JvmCompilationMetrics.builder().register(registry);
  }

  /** Adds the present metrics. */
  public void addMetrics(MetricFamilies families) {
    families.add(registry.scrape());
    families.gauge("jvm_threads_current", "Threads that live.", threads.getThreadCount());
    families.gauge(
        "jvm_threads_daemon",
        "Daemons among the threads that live.",
        threads.getDaemonThreadCount());
    families.gauge("jvm_threads_peak", "Most threads at a time.", threads.getPeakThreadCount());
    families.counter(
        "jvm_threads_started_total",
        "Threads started since the process began.",
        threads.getTotalStartedThreadCount());
  }
}
