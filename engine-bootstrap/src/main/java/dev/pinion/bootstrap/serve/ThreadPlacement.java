package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.CollectorThreads;
import dev.pinion.bootstrap.process.ThreadMasks;
import dev.pinion.bootstrap.process.ThreadMasks.ThreadMask;
import dev.pinion.bootstrap.topology.FileTree;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Completes the placement of a replica's threads once it serves, then reads their CPU masks and
 * reports differences from the plan. On a separate thread, because it polls: a thread that has just
 * started does not have its mask yet.
 */
final class ThreadPlacement {
  private static final int ATTEMPTS = 5;
  private static final int LOOK_MILLIS = 100;

  private final FileTree files;
  private final CollectorThreads collectors;
  private final LongPredicate alive;
  private final Consumer<String> complain;

  /**
   * Creates a placement on a machine.
   *
   * @param files files in which the operating system reports masks
   * @param collectors moves threads that collect garbage
   * @param alive whether a process still runs: there is no complaint about one that has ended
   * @param complain receives differences from the plan, in one sentence
   */
  ThreadPlacement(
      FileTree files, CollectorThreads collectors, LongPredicate alive, Consumer<String> complain) {
    this.files = files;
    this.collectors = collectors;
    this.alive = alive;
    this.complain = complain;
  }

  /** Starts to place a replica, on a thread that ends when the masks of the replica are known. */
  Thread start(ReplicaSpec spec, long pid) {
    return Thread.ofPlatform().daemon().name("placement").start(() -> place(spec, pid));
  }

  /**
   * Moves threads, then polls until all masks are as planned; complains if they never are. No
   * readable thread counts as wrong, like a thread in the wrong place.
   */
  void place(ReplicaSpec spec, long pid) {
    ThreadMasks masks = new ThreadMasks(spec);
    if (spec.confined().isEmpty() && !spec.pinned()) {
      return;
    }
    if (!spec.collecting().equals(spec.confined())) {
      collectors.moveTo(spec.collecting(), pid);
    }
    try {
      List<ThreadMask> threads = masks.of(files, pid);
      for (int look = 1; look < ATTEMPTS && !asPlanned(threads); look++) {
        new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        threads = masks.of(files, pid);
      }
      if (!asPlanned(threads) && alive.test(pid)) {
        complain.accept(complaint(spec, pid, threads));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean asPlanned(List<ThreadMask> threads) {
    return !threads.isEmpty() && threads.stream().allMatch(ThreadMask::ok);
  }

  private static String complaint(ReplicaSpec spec, long pid, List<ThreadMask> threads) {
    String expected =
        "expected every thread of replica "
            + spec.index()
            + " (process "
            + pid
            + ") on the CPUs of the plan, found ";
    if (threads.isEmpty()) {
      return expected
          + "no thread whose mask can be read under /proc/"
          + pid
          + "/task: let the parent read procfs of its replicas (hidepid), or pass --best-effort";
    }
    List<ThreadMask> wrong = threads.stream().filter(mask -> !mask.ok()).toList();
    String found =
        wrong.stream()
            .limit(ATTEMPTS)
            .map(mask -> mask.name() + " on " + mask.mask() + " instead of " + mask.expected())
            .collect(Collectors.joining(", "));
    return expected
        + wrong.size()
        + " elsewhere: "
        + found
        + "; free these CPUs (cpuset), choose others (--replicas), or pass --best-effort";
  }
}
