package dev.pinion.bootstrap.process;

import org.jspecify.annotations.Nullable;

/** What a replica counts, as one line of {@link ReplicaProtocol}. */
public final class MetricsLine {
  /** Stands for the ends of lines: the record separator of ASCII. */
  private static final char END = '\u001e';

  private static final String BEGIN = ReplicaProtocol.METRICS + " ";

  private MetricsLine() {}

  /**
   * The line that tells a text.
   *
   * @param text of Prometheus; record separators in it come out as ends of lines
   */
  public static String of(String text) {
    return BEGIN + text.replace('\n', END).replace('\r', END);
  }

  /** Reads a line of the protocol; null when it is none of these. */
  public static @Nullable String parse(String line) {
    return line.startsWith(BEGIN) ? line.substring(BEGIN.length()).replace(END, '\n') : null;
  }
}
