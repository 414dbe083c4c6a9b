package dev.pinion.broker.monitor;

import dev.pinion.core.model.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The observations of all replicas. Any thread; nothing here waits for solvers. */
public final class BrokerMonitor {
  /** The most classes. */
  private static final int MAX_CLASSES = 1_000;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Clock clock;
  private final QosMonitor services = new QosMonitor();
  private final Map<String, ClassMonitor> classes = new HashMap<>();
  private final IntervalRecorder intervalRecorder = new IntervalRecorder();
  private long batches;
  private long dropped;

  /** Monitors without observations. */
  public BrokerMonitor(Clock clock) {
    this.clock = clock;
  }

  /** Monotonic time, on the scale of the observations. */
  public double nowSeconds() {
    return clock.nanoTime() / NANOS_PER_SECOND;
  }

  /** Adds the observations of a replica; those without room are counted. */
  public synchronized void take(ObservationBatch observationBatch) {
    double now = nowSeconds();
    batches++;
    dropped += observationBatch.dropped();
    for (ObservationBatch.ServiceSample each : observationBatch.services()) {
      intervalRecorder.add(each);
      if (!services.add(each, now)) {
        dropped += Math.round(each.tally().count());
      }
      room(each.serviceClass())
          .ifPresent(monitor -> monitor.called(each.service(), each.tally(), now));
    }
    for (ObservationBatch.ClassSample each : observationBatch.classes()) {
      room(each.serviceClass())
          .ifPresentOrElse(monitor -> monitor.add(each, now), () -> dropped += each.begun());
    }
  }

  private Optional<ClassMonitor> room(String serviceClass) {
    return classes.containsKey(serviceClass) || classes.size() < MAX_CLASSES
        ? Optional.of(classes.computeIfAbsent(serviceClass, _ -> new ClassMonitor()))
        : Optional.empty();
  }

  /** Quality of a service, for all classes together; empty when it was not called. */
  public synchronized Optional<ServiceQuality> service(String id) {
    return services.of(id);
  }

  /**
   * Quality of a service: for all classes together, then by class; empty when it was not called.
   */
  public synchronized List<ServiceQuality> services(String id) {
    return services.all(id);
  }

  /**
   * Whether calls of a service have recently succeeded: it is alive.
   *
   * @param seconds greatest age of the report, exclusive
   */
  public synchronized boolean hasAnswered(String service, double seconds) {
    return nowSeconds() - services.answered(service) < seconds;
  }

  /** Levels of a class; empty when it had no requests. */
  public synchronized Optional<ClassStatistics> serviceClass(String id) {
    return Optional.ofNullable(classes.get(id)).map(each -> each.levels(nowSeconds()));
  }

  /** Calls since the last time, by service and class: at most a thousand pairs. */
  public synchronized List<IntervalStatistics> takeEntries() {
    return intervalRecorder.take();
  }

  /** Starts over with a service, as if it had never been called. */
  public synchronized void forget(String service) {
    services.forget(service);
  }

  /** Services with calls still in the sums of any class. */
  public synchronized Set<String> calledLately() {
    Set<String> called = new HashSet<>();
    classes.values().forEach(each -> called.addAll(each.called()));
    return called;
  }

  /**
   * Drops services and classes that do not exist any more; but the time that requests have spent on
   * calls of such services decays as slowly as the requests.
   */
  public synchronized void retain(Collection<String> serviceIds, Collection<String> classIds) {
    services.retain(serviceIds);
    classes.keySet().retainAll(classIds);
    classes.values().forEach(each -> each.retain(serviceIds));
  }

  /** Batches taken. */
  public synchronized long batches() {
    return batches;
  }

  /** Observations dropped for lack of room, here or in replicas. */
  public synchronized long dropped() {
    return dropped;
  }
}
