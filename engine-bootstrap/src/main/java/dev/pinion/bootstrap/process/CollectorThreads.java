package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.FileTree;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Threads that collect garbage while everything else of a replica stands still.
 *
 * <p>They begin on the CPUs of the ancillary threads, like the whole JVM. Event loops are stopped
 * during a young collection, so their CPUs are free: with them a pause is as short as without
 * pinning. Threads that mark or refine beside event loops have other names and stay where they are.
 *
 * <p>For any thread.
 */
public final class CollectorThreads {
  /** Begins the names of these threads in HotSpot, with the collectors G1 and Parallel. */
  private static final String PREFIX = "GC Thread#";

  private final FileTree files;
  private final Confinement.Probe commands;
  private final Consumer<String> warn;

  /**
   * Creates an access to the threads of a machine.
   *
   * @param files files in which the operating system lists threads
   * @param commands runs {@code taskset}
   * @param warn receives what the system refuses
   */
  public CollectorThreads(FileTree files, Confinement.Probe commands, Consumer<String> warn) {
    this.files = files;
    this.commands = commands;
    this.warn = warn;
  }

  /** Whether a thread of this name is one of them. */
  public static boolean has(String name) {
    return name.startsWith(PREFIX);
  }

  /**
   * Lets these threads of a process run on some CPUs.
   *
   * @param pid the process
   * @param cpus the CPUs
   */
  public void moveTo(CpuSet cpus, long pid) {
    String tasks = "proc/" + pid + "/task";
    for (String tid : files.names(tasks)) {
      String name = files.read(tasks + "/" + tid + "/comm");
      if (name != null && has(name)) {
        move(tid, name.strip(), cpus);
      }
    }
  }

  private void move(String tid, String name, CpuSet cpus) {
    List<String> words = List.of("taskset", "-p", "-c", cpus.toString(), tid);
    try {
      Optional<String> complaint = commands.complaint(words);
      complaint.ifPresent(found -> warn.accept(refused(words, name, found)));
    } catch (IOException e) {
      warn.accept(refused(words, name, String.valueOf(e.getMessage())));
    }
  }

  private static String refused(List<String> words, String name, String found) {
    return "expected to give the CPUs of event loops to "
        + name
        + " ("
        + String.join(" ", words)
        + "), found: "
        + found
        + "; collections take longer";
  }
}
