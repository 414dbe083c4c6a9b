package dev.pinion.benchmarks.experiments.recovery;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap of another JVM, from {@code jcmd}. */
final class JvmHeap {
  private static final Pattern USED = Pattern.compile("\\bused (\\d+)K");
  private static final int KIBI = 1024;

  private JvmHeap() {}

  /** Bytes in use after a collection. */
  static long usedAfterCollection(long pid) throws MeasurementException, InterruptedException {
    jcmd(pid, "GC.run");
    return used(jcmd(pid, "GC.heap_info"));
  }

  /**
   * Sum of the used bytes of all parts of a heap: a collector lists one part or, by generation,
   * two.
   */
  static long used(String heapInfo) throws MeasurementException {
    long bytes = 0;
    boolean found = false;
    for (String line : heapInfo.lines().toList()) {
      Matcher used = USED.matcher(line);
      if (line.contains("Metaspace") || line.contains("class space") || !used.find()) {
        continue;
      }
      bytes += Long.parseLong(used.group(1)) * KIBI;
      found = true;
    }
    if (!found) {
      throw new MeasurementException("expected \"used …K\" of a heap, found:\n" + heapInfo);
    }
    return bytes;
  }

  private static String jcmd(long pid, String command)
      throws MeasurementException, InterruptedException {
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  Long.toString(pid),
                  command)
              .redirectErrorStream(true)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new MeasurementException("expected jcmd to answer of process " + pid + ": " + text);
      }
      return text;
    } catch (IOException | UncheckedIOException e) {
      throw new MeasurementException("expected jcmd of a JDK, found: " + e.getMessage(), e);
    }
  }
}
