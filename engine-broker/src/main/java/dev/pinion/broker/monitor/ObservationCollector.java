package dev.pinion.broker.monitor;

import dev.pinion.broker.monitor.StageObserver.Calls;
import dev.pinion.broker.monitor.StageObserver.Kind;
import dev.pinion.broker.monitor.StageObserver.Requests;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Counts events of a replica. Each stage writes to a separate observer, so that observing costs it
 * no more than plain memory; one thread takes from all of them, now and then.
 */
public final class ObservationCollector {
  /**
   * Bound of each of these: classes, pairs of class and abstract service, and of class and service.
   */
  public static final int MAX_CELLS = 4_096;

  private final Supplier<BindingTable> table;
  private final List<StageObserver> stages = new CopyOnWriteArrayList<>();
  private final Set<Cell> cells = ConcurrentHashMap.newKeySet();
  private final AtomicInteger count = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();

  private record Cell(Kind kind, String serviceClass, String service) {}

  /** Key of one service and class, of all stages. */
  private record ServiceKey(String service, String serviceClass) {}

  /**
   * Observations without events.
   *
   * @param table the table in force, which maps the class named by a caller, if any, to the one it
   *     is bound as: clients must not create classes. Read for each observation
   */
  public ObservationCollector(Supplier<BindingTable> table) {
    this.table = table;
  }

  /** An observer for one more stage, only for the thread of that stage. Any thread. */
  public CallObserver observer() {
    StageObserver made = new StageObserver(table, this::hasRoom);
    stages.add(made);
    return made;
  }

  private boolean hasRoom(Kind kind, String serviceClass, String service) {
    Cell cell = new Cell(kind, serviceClass, service);
    if (cells.contains(cell)) {
      return true;
    }
    if (count.incrementAndGet() > MAX_CELLS) {
      count.decrementAndGet();
      dropped.increment();
      return false;
    }
    if (!cells.add(cell)) {
      count.decrementAndGet();
    }
    return true;
  }

  /** Takes the observations since the last time. One thread. */
  public ObservationBatch take() {
    Map<ServiceKey, ObservationBatch.ServiceSample> ofServices = new LinkedHashMap<>();
    Map<String, ObservationBatch.ClassSample> ofClasses = new LinkedHashMap<>();
    for (StageObserver stage : stages) {
      stage
          .classes()
          .forEach(
              (serviceClass, each) -> {
                each.calls.forEach(
                    (service, calls) -> take(ofServices, service, serviceClass, calls));
                ObservationBatch.ClassSample sample = sample(serviceClass, each);
                ofClasses.merge(serviceClass, sample, ObservationCollector::sum);
              });
    }
    ofClasses.values().removeIf(ObservationCollector::isEmpty);
    return new ObservationBatch(
        List.copyOf(ofServices.values()),
        new ArrayList<>(ofClasses.values()),
        dropped.sumThenReset());
  }

  private static void take(
      Map<ServiceKey, ObservationBatch.ServiceSample> taken,
      String service,
      String serviceClass,
      Calls calls) {
    CallStatistics callStatistics = calls.callAccumulator.drain();
    if (callStatistics.count() > 0) { // times come before sums: times without a sum wait for it
      taken.merge(
          new ServiceKey(service, serviceClass),
          new ObservationBatch.ServiceSample(
              service, serviceClass, callStatistics, calls.latencyHistogram.drain()),
          ObservationCollector::sum);
    }
  }

  private static ObservationBatch.ServiceSample sum(
      ObservationBatch.ServiceSample one, ObservationBatch.ServiceSample other) {
    one.micros().add(other.micros());
    return new ObservationBatch.ServiceSample(
        one.service(), one.serviceClass(), one.tally().plus(other.tally()), one.micros());
  }

  private static ObservationBatch.ClassSample sample(String serviceClass, Requests requests) {
    Map<String, Long> invocations = new HashMap<>();
    requests.invocations.forEach(
        (service, counter) -> {
          long since = counter.take();
          if (since > 0) {
            invocations.put(service, since);
          }
        });
    return new ObservationBatch.ClassSample(
        serviceClass, requests.begun.take(), requests.ended.drain(), invocations);
  }

  private static ObservationBatch.ClassSample sum(
      ObservationBatch.ClassSample one, ObservationBatch.ClassSample other) {
    Map<String, Long> invocations = new HashMap<>(one.invocations());
    other.invocations().forEach((service, more) -> invocations.merge(service, more, Long::sum));
    return new ObservationBatch.ClassSample(
        one.serviceClass(),
        one.begun() + other.begun(),
        one.ended().plus(other.ended()),
        invocations);
  }

  private static boolean isEmpty(ObservationBatch.ClassSample sample) {
    return sample.begun() == 0 && sample.ended().count() == 0 && sample.invocations().isEmpty();
  }
}
