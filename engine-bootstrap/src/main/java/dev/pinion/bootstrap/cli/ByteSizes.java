package dev.pinion.bootstrap.cli;

import java.util.Locale;

/** Sizes of memory for people. */
public final class ByteSizes {
  private ByteSizes() {}

  /** A number of bytes in the largest unit that fits; 0 is unknown. */
  public static String of(long bytes) {
    if (bytes == 0) {
      return "unknown size";
    }
    if (bytes >= 1L << 30) {
      return String.format(Locale.ROOT, "%.1f GB", bytes / (double) (1L << 30));
    }
    return bytes >= 1 << 20 ? megabytes(bytes) : (bytes >> 10) + " KB";
  }

  private static String megabytes(long bytes) {
    return bytes % (1 << 20) == 0
        ? (bytes >> 20) + " MB"
        : String.format(Locale.ROOT, "%.1f MB", bytes / (double) (1 << 20));
  }
}
