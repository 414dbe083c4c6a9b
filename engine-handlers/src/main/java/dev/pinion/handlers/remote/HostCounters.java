package dev.pinion.handlers.remote;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a host. */
final class HostCounters {
  final LongAdder runs = new LongAdder();
  final LongAdder done = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder busy = new LongAdder();
  final LongAdder duplicates = new LongAdder();
  final LongAdder takenOver = new LongAdder();
  final LongAdder fenced = new LongAdder();
  final LongAdder overdue = new LongAdder();
  final LongAdder givenUp = new LongAdder();
  final LongAdder garbage = new LongAdder();

  HostStatistics now(int inFlight, int remembered, int stuck) {
    return new HostStatistics(
        inFlight,
        remembered,
        stuck,
        runs.sum(),
        done.sum(),
        failed.sum(),
        busy.sum(),
        duplicates.sum(),
        takenOver.sum(),
        fenced.sum(),
        overdue.sum(),
        givenUp.sum(),
        garbage.sum());
  }
}
