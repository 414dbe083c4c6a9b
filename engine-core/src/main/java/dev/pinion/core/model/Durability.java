package dev.pinion.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Durability of an instance's state in a crash. Chosen by its definition ({@code
 * metadata.pinion.durability}), else by the engine's default.
 */
public enum Durability {
  /** Nothing: the instance lives in memory. */
  NONE,
  /** Everything that the journal had on disk: all but the last moments before the crash. */
  ASYNC,
  /**
   * Everything that was acknowledged or visible outside: replies and calls wait until the records
   * that led to them are on disk.
   */
  SYNC;

  /** Whether instances of this level are journalled. */
  public boolean isJournalled() {
    return this != NONE;
  }

  /** The name in definitions and settings, such as {@code sync}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The level of a name, or nothing when there is none. */
  public static Optional<Durability> of(String label) {
    return Arrays.stream(values()).filter(level -> level.label().equals(label)).findFirst();
  }

  /** All names. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(Durability::label).toList();
  }
}
