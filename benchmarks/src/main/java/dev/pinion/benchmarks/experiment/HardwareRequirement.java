package dev.pinion.benchmarks.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * Hardware that makes an experiment meaningful. It runs on any.
 *
 * @param cpus CPUs, engine and load together
 * @param caches last-level caches
 */
public record HardwareRequirement(int cpus, int caches) {
  /** For experiments without measurements: any machine will do. */
  public static final HardwareRequirement NONE = new HardwareRequirement(1, 1);

  /** One CPU for the engine and one for the load. */
  public static final HardwareRequirement ANY = new HardwareRequirement(2, 1);

  /** The requirement for people. */
  public String text() {
    return equals(NONE)
        ? "any machine"
        : "at least "
            + cpus
            + " CPUs"
            + (caches == 1 ? "" : " and " + caches + " last-level caches");
  }

  /** Deficits of a machine, a sentence each; empty if there are none. */
  public List<String> missing(MachineSize machineSize) {
    List<String> missing = new ArrayList<>();
    if (equals(NONE)) {
      return missing;
    }
    if (machineSize.cpus() < cpus) {
      missing.add(
          "Expected at least "
              + cpus
              + " CPUs, found "
              + machineSize.cpus()
              + ": threads compete, so that gains of more of them cannot show here.");
    }
    if (machineSize.caches() < caches) {
      missing.add(
          "Expected at least "
              + caches
              + " last-level caches, found "
              + machineSize.caches()
              + ": gains of placing replicas on caches cannot show here, only what it costs.");
    }
    if (machineSize.shared()) {
      missing.add("Engine, load and stub share CPUs: ratios hold for this machine only.");
    }
    return missing;
  }
}
