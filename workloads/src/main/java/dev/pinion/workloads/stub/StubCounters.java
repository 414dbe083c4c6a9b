package dev.pinion.workloads.stub;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Counters of received requests. Written by the event loops, read by any thread; exact whenever no
 * request is on its way.
 */
final class StubCounters {
  private final LongAdder[] services;
  private final LongAdder malformed = new LongAdder();
  private final LongAdder failed = new LongAdder();

  StubCounters(int services) {
    this.services = Stream.generate(LongAdder::new).limit(services).toArray(LongAdder[]::new);
  }

  void onCall(int service) {
    services[service - 1].increment();
  }

  void onMalformed() {
    malformed.increment();
  }

  void onFailed() {
    failed.increment();
  }

  /** Resets all counters. A call that arrives meanwhile may be counted before or after. */
  void reset() {
    for (LongAdder service : services) {
      service.reset();
    }
    malformed.reset();
    failed.reset();
  }

  StubStatistics stats() {
    Map<String, Long> calls = new LinkedHashMap<>();
    long total = 0;
    for (int i = 0; i < services.length; i++) {
      long count = services[i].sum();
      calls.put(ServiceModel.name(i + 1), count);
      total += count;
    }
    return new StubStatistics(total, malformed.sum(), failed.sum(), calls);
  }
}
