package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.ThreadMasks;
import dev.pinion.bootstrap.process.ThreadMasks.ThreadMask;
import dev.pinion.bootstrap.topology.FileTree;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
  private final Consumer<String> complain;

  /**
   * A check.
   *
   * @param files where the operating system tells masks
   * @param complain told what is not as planned, in one sentence
   */
  MaskCheck(FileTree files, Consumer<String> complain) {
    this.files = files;
    this.complain = complain;
  }

  /** Begins to look at a replica. */
  void begin(ReplicaSpec spec, long pid) {
    Thread.ofPlatform().daemon().name("mask-check").start(() -> look(spec, pid));
  }

  /** Looks until all is as planned; complains when it never was. */
  void look(ReplicaSpec spec, long pid) {
    ThreadMasks masks = new ThreadMasks(spec);
    List<ThreadMask> wrong = List.of();
    try {
      for (int look = 0; look < LOOKS; look++) {
        wrong = masks.of(files, pid).stream().filter(mask -> !mask.ok()).toList();
        if (wrong.isEmpty()) {
          return;
        }
        new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
      complain.accept(complaint(spec, pid, wrong));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String complaint(ReplicaSpec spec, long pid, List<ThreadMask> wrong) {
    String found =
        wrong.stream()
            .limit(LOOKS)
            .map(mask -> mask.name() + " on " + mask.mask() + " instead of " + mask.expected())
            .collect(Collectors.joining(", "));
    return "expected every thread of replica "
        + spec.index()
        + " (process "
        + pid
        + ") on the CPUs of the plan, found "
        + wrong.size()
        + " elsewhere: "
        + found
        + "; free these CPUs (cpuset), choose others (--replicas), or pass --best-effort";
  }
}
