package dev.pinion.bootstrap.placement;

import java.util.Locale;
import java.util.stream.Stream;

/** How finely threads are assigned to CPUs. */
public enum Pinning {
  /** Each event loop to a CPU of its own, where there are enough; all other threads beside them. */
  THREADS,
  /** Each replica to its CPUs; the operating system moves its threads among them. */
  GROUP,
  /** Nothing is assigned; a plan then only says how many replicas there are and how large. */
  NONE;

  /** Its name in settings. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The grain of a name.
   *
   * @throws IllegalArgumentException when there is no such grain
   */
  public static Pinning of(String label) {
    return Stream.of(values())
        .filter(each -> each.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected threads, group or none, found \"" + label + "\""));
  }
}
