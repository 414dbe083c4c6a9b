package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.TimeSlices;
import dev.pinion.bootstrap.process.TimeSlices.Start;
import dev.pinion.bootstrap.topology.FileTree;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps threads that nobody waits for from holding up event loops where both share CPUs: compilers
 * of a replica that serves, everything of one that starts while others serve, and the history. Any
 * thread.
 *
 * <p>Nothing is asked for before a replica serves, so that no first start waits for it; nothing at
 * all where event loops have CPUs of their own.
 */
final class CpuSharing {
  private final FileTree files;
  private final LongSupplier history;
  private volatile Optional<TimeSlices> slices = Optional.empty();

  /**
   * Of a machine.
   *
   * @param files where the operating system tells threads
   * @param history tells the process that keeps the history, -1 when there is none now
   */
  CpuSharing(FileTree files, LongSupplier history) {
    this.files = files;
    this.history = history;
  }

  /** A replica serves: its threads get their slices, on a thread of its own, if there is need. */
  Optional<Thread> serves(ReplicaSpec spec, long pid) {
    return spec.apart()
        ? Optional.empty()
        : Optional.of(Thread.ofPlatform().daemon().name("time-slices").start(() -> assign(pid)));
  }

  private synchronized void assign(long pid) {
    if (slices.isEmpty()) {
      slices = TimeSlices.ofSystem();
    }
    slices.ifPresent(each -> assign(each, pid));
  }

  private void assign(TimeSlices known, long pid) {
    known.assign(files, pid);
    long keeper = history.getAsLong();
    if (keeper > 0) {
      known.assignLong(files, keeper);
    }
  }

  /** Starts a process; its threads give way until it serves. */
  <T> T start(Start<T> start) throws IOException {
    Optional<TimeSlices> now = slices;
    return now.isPresent() ? now.get().startLong(start) : start.start();
  }
}
