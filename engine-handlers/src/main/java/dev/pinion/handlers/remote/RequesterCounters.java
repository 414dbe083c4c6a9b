package dev.pinion.handlers.remote;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the attempts of a requester. */
final class RequesterCounters {
  final LongAdder begun = new LongAdder();
  final LongAdder done = new LongAdder();
  final LongAdder stored = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder sentAgain = new LongAdder();
  final LongAdder probes = new LongAdder();
  final LongAdder busy = new LongAdder();
  final LongAdder lostHosts = new LongAdder();
  final LongAdder inDoubt = new LongAdder();
  final LongAdder late = new LongAdder();
  final LongAdder stray = new LongAdder();
  final LongAdder garbage = new LongAdder();
  final LongAdder refused = new LongAdder();

  RemoteStatistics now(int inFlight) {
    return new RemoteStatistics(
        inFlight,
        begun.sum(),
        done.sum(),
        stored.sum(),
        failed.sum(),
        sentAgain.sum(),
        probes.sum(),
        busy.sum(),
        lostHosts.sum(),
        inDoubt.sum(),
        late.sum(),
        stray.sum(),
        garbage.sum(),
        refused.sum());
  }
}
