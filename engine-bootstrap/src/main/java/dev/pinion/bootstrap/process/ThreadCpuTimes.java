package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.topology.FileTree;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads the kernel's accounting of each thread of a process from procfs: including threads that no
 * profiler of the JVM samples, such as those of garbage collection and compilation.
 */
public final class ThreadCpuTimes {
  private ThreadCpuTimes() {}

  /**
   * The time of a thread.
   *
   * @param tid its number
   * @param name its name, truncated by Linux
   * @param cpuNanos time on a CPU so far, in nanoseconds
   */
  public record ThreadTime(long tid, String name, long cpuNanos) {}

  /**
   * The threads of a process; those that end during the reading are left out. Empty where there is
   * no procfs.
   *
   * @param files the machine
   * @param process the process: its id, or {@code self}
   */
  public static List<ThreadTime> of(FileTree files, String process) {
    String tasks = "proc/" + process + "/task";
    List<ThreadTime> threads = new ArrayList<>();
    for (String tid : files.names(tasks)) {
      String name = files.read(tasks + "/" + tid + "/comm");
      String times = files.read(tasks + "/" + tid + "/schedstat");
      if (name != null && times != null) {
        firstNumber(times)
            .ifPresent(nanos -> threads.add(new ThreadTime(Long.parseLong(tid), name, nanos)));
      }
    }
    return threads;
  }

  /** The first number of {@code schedstat}: time on a CPU, in nanoseconds. */
  private static OptionalLong firstNumber(String text) {
    String first = text.split(" ", 2)[0];
    try {
      return OptionalLong.of(Long.parseLong(first));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
