package dev.pinion.bootstrap.topology;

import java.util.ArrayList;
import java.util.List;
import oshi.hardware.CentralProcessor;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.nativefree.SystemInfo;

/**
 * OSHI's facts about this machine: the name of its CPU and, as a cross-check, counts that sysfs has
 * too. OSHI does not report which CPUs share a cache and ignores cpusets; sysfs prevails where they
 * disagree. Slow to load, hence never used during a start.
 *
 * @param cpuName name of the CPU
 * @param memoryBytes memory of the machine
 * @param packages physical packages
 * @param cores physical cores
 * @param logicalCpus logical CPUs
 */
public record OshiFacts(
    String cpuName, long memoryBytes, int packages, int cores, int logicalCpus) {
  /** Reads OSHI's facts about this machine. */
  public static OshiFacts read() {
    System.setProperty("oshi.os.linux.allowudev", "false");
    HardwareAbstractionLayer hardware = new SystemInfo().getHardware();
    CentralProcessor processor = hardware.getProcessor();
    return new OshiFacts(
        processor.getProcessorIdentifier().getName(),
        hardware.getMemory().getTotal(),
        processor.getPhysicalPackageCount(),
        processor.getPhysicalProcessorCount(),
        processor.getLogicalProcessorCount());
  }

  /** Disagreements of OSHI and sysfs, one sentence each. */
  public List<String> disagreements(Topology topology) {
    List<String> found = new ArrayList<>();
    compare(found, "packages", packages, topology.packages().size());
    compare(found, "cores", cores, topology.cores().size());
    compare(
        found, "logical CPUs", logicalCpus, topology.online().size() + topology.offline().size());
    return found;
  }

  private static void compare(List<String> found, String what, int oshi, int sysfs) {
    if (oshi != sysfs) {
      found.add("OSHI counts " + oshi + " " + what + ", sysfs " + sysfs + "; sysfs is taken");
    }
  }
}
