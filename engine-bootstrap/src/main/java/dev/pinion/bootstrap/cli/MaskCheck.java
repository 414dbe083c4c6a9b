package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.placement.ReplicaSpec;
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
 * Reads back, once a replica serves, where its threads may run, and tells when that is not what was
 * planned. On a thread of its own, because it looks more than once: a thread that was just started
 * has not got its mask yet.
 */
final class MaskCheck {
  private static final int LOOKS = 5;
  private static final int LOOK_MILLIS = 100;

  private final FileTree files;
  private final LongPredicate alive;
  private final Consumer<String> complain;

  /**
   * A check.
   *
   * @param files where the operating system tells masks
   * @param alive whether a process is still there: one that ended is not complained about
   * @param complain told what is not as planned, in one sentence
   */
  MaskCheck(FileTree files, LongPredicate alive, Consumer<String> complain) {
    this.files = files;
    this.alive = alive;
    this.complain = complain;
  }

  /** Begins to look at a replica, on a thread that ends when it is known where that runs. */
  Thread begin(ReplicaSpec spec, long pid) {
    return Thread.ofPlatform().daemon().name("mask-check").start(() -> look(spec, pid));
  }

  /**
   * Looks until all is as planned; complains when it never was. No thread that can be read is no
   * answer, and so as wrong as one that is elsewhere.
   */
  void look(ReplicaSpec spec, long pid) {
    ThreadMasks masks = new ThreadMasks(spec);
    if (spec.confined().isEmpty() && !spec.pinned()) {
      return;
    }
    try {
      List<ThreadMask> threads = masks.of(files, pid);
      for (int look = 1; look < LOOKS && !asPlanned(threads); look++) {
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
            .limit(LOOKS)
            .map(mask -> mask.name() + " on " + mask.mask() + " instead of " + mask.expected())
            .collect(Collectors.joining(", "));
    return expected
        + wrong.size()
        + " elsewhere: "
        + found
        + "; free these CPUs (cpuset), choose others (--replicas), or pass --best-effort";
  }
}
