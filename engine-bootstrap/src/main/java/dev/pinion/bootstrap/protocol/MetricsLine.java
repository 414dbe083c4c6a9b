package dev.pinion.bootstrap.protocol;

import org.jspecify.annotations.Nullable;

/** The counters of a replica, as one line of {@link ReplicaProtocol}. */
public final class MetricsLine {
  /** Replaces line ends: the record separator of ASCII. */
  private static final char END = '\u001e';

  private static final String BEGIN = ReplicaProtocol.METRICS + " ";

  private MetricsLine() {}

  /**
   * The line for a text.
   *
   * @param text text of Prometheus; its record separators become line ends
   */
  public static String of(String text) {
    return BEGIN + text.replace('\n', END).replace('\r', END);
  }

  /** Reads a line of the protocol; null when it is not one of these. */
  public static @Nullable String parse(String line) {
    return line.startsWith(BEGIN) ? line.substring(BEGIN.length()).replace(END, '\n') : null;
  }
}
