package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.TimeSlices;
import dev.pinion.bootstrap.process.TimeSlices.StartAction;
import dev.pinion.bootstrap.topology.FileTree;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps background threads from delaying event loops where both share CPUs: compilers of a serving
 * replica, all threads of one that starts while others serve, and the history. For any thread.
 *
 * <p>Does nothing before a replica serves, so that no first start waits for it, and nothing where
 * event loops have separate CPUs.
 */
final class CpuSharing {
  private final FileTree files;
  private final LongSupplier history;
  private volatile Optional<TimeSlices> slices = Optional.empty();

  /**
   * Creates one for a machine.
   *
   * @param files files in which the operating system lists threads
   * @param history supplies the process id of the history, -1 when there is none now
   */
  CpuSharing(FileTree files, LongSupplier history) {
    this.files = files;
    this.history = history;
  }

  /**
   * Sets time slices for the threads of a replica that serves now, on a separate thread, if
   * necessary.
   */
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

  /** Starts a process; its threads take long time slices until it serves. */
  <T> T start(StartAction<T> startAction) throws IOException {
    Optional<TimeSlices> now = slices;
    return now.isPresent() ? now.get().startLong(startAction) : startAction.start();
  }
}
