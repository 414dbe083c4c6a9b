package dev.pinion.benchmarks.testbed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process in {@code /proc/PID} of Linux (proc(5)). */
public final class ProcFileSystem {
  private static final String RESIDENT = "VmRSS:";
  private static final int KIBI = 1024;

  private ProcFileSystem() {}

  /** Resident memory in bytes. */
  static long residentBytes(long pid) throws MeasurementException {
    try {
      for (String line : Files.readAllLines(file(pid, "status"))) {
        if (line.startsWith(RESIDENT)) {
          String number = line.substring(RESIDENT.length()).replace("kB", "").strip();
          return Long.parseLong(number) * KIBI;
        }
      }
    } catch (IOException e) {
      throw new MeasurementException("expected process " + pid + " to run, found it ended", e);
    }
    throw new MeasurementException("expected " + RESIDENT + " of process " + pid + ", found none");
  }

  /** Whether a process runs. One that has ended but was not yet reaped does not. */
  public static boolean isRunning(long pid) {
    try {
      String stat = Files.readString(file(pid, "stat"));
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state != 'Z' && state != 'X';
    } catch (IOException ended) {
      return false;
    }
  }

  /**
   * Words of the command line of a process, including its name; none when it has ended. {@link
   * ProcessHandle.Info} has none where they are longer than a page, as with most class paths.
   */
  static List<String> words(long pid) {
    try {
      return List.of(Files.readString(file(pid, "cmdline"), ISO_8859_1).split("\0", -1));
    } catch (IOException ended) {
      return List.of();
    }
  }

  private static Path file(long pid, String name) {
    return Path.of("/proc", Long.toString(pid), name);
  }
}
