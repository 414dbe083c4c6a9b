package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.util.List;

/** Tells on which CPUs the threads of a process may run, as the operating system says. */
@FunctionalInterface
public interface MaskSource {
  /** Where the operating system tells nothing. */
  MaskSource NONE = pid -> List.of();

  /**
   * The threads of a process.
   *
   * @throws IOException when they cannot be read, such as when the process is gone
   */
  List<ThreadMask> masks(long pid) throws IOException;

  /**
   * A thread.
   *
   * @param id its number
   * @param name its name, which the operating system may have cut short
   * @param cpus the CPUs it may run on
   */
  record ThreadMask(long id, String name, CpuSet cpus) {}
}
