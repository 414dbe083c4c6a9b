package dev.pinion.bootstrap.placement;

import java.util.Locale;
import java.util.stream.Stream;

/** Granularity of the assignment of threads to CPUs. */
public enum Pinning {
  /** Each event loop to a separate CPU, where there are enough; all other threads beside them. */
  THREADS,
  /** Each replica to its CPUs; the operating system moves its threads among them. */
  GROUP,
  /** Nothing is assigned; a plan then only states the number and size of replicas. */
  NONE;

  /** Name in settings. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The granularity of a name.
   *
   * @throws IllegalArgumentException when the name is unknown
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
