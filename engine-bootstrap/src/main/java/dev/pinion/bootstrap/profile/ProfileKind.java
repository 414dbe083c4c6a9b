package dev.pinion.bootstrap.profile;

/** Weights of stacks in a profile. */
public enum ProfileKind {
  /** Time on a CPU, in nanoseconds. */
  CPU("cpu", "CPU time", "ns"),
  /** Memory allocated, in bytes; extrapolated from samples. */
  ALLOCATION("allocation", "Allocation", "bytes"),
  /** Time waiting for locks, in nanoseconds; short waits are left out. */
  WAITING("waiting", "Waiting for locks", "ns"),
  /** Time until files were forced to disk, in nanoseconds. */
  DISK("disk", "Waiting for the disk", "ns");

  private final String id;
  private final String label;
  private final String unit;

  ProfileKind(String id, String label, String unit) {
    this.id = id;
    this.label = label;
    this.unit = unit;
  }

  /** Name for machines. */
  public String id() {
    return id;
  }

  /** Name for people. */
  public String label() {
    return label;
  }

  /** Unit of the amounts. */
  public String unit() {
    return unit;
  }
}
