package dev.pinion.core.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A {@link CrashScenario} under strace, which tells what it does to files or kills it at one. */
final class TracedProcess {
  private static final String SYSCALLS =
      "fsync,fdatasync,msync,write,pwrite64,ftruncate,fallocate,rename,renameat,renameat2,unlink,"
          + "unlinkat";
  private static final Pattern CALL =
      Pattern.compile("\\d+ +(\\w+)\\((?:\\d+<([^>]*)>|(?:AT_FDCWD[^,]*, )?\"([^\"]*)\").*");

  private TracedProcess() {}

  /**
   * A call of the operating system that concerns a file.
   *
   * @param name of the call
   * @param file its file, or the first of them
   */
  record Call(String name, Path file) {}

  /**
   * How a run went.
   *
   * @param status exit status
   * @param said lines that the scenario printed
   * @param calls what it did to files of the data directory, in order; the last one may not have
   *     been done
   */
  record Run(int status, List<String> said, List<Call> calls) {}

  /**
   * Runs the scenario.
   *
   * @param victim the call to kill it at, or null
   * @param nth at the how manieth such call of one of its threads
   */
  static Run run(Path data, int first, int last, @Nullable Call victim, int nth)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("strace", ".log");
    Path out = Files.createTempFile("scenario", ".out");
    try {
      List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-y"));
      command.addAll(List.of("--seccomp-bpf", "-o", log.toString(), "-e", "signal=none"));
      if (victim == null) {
        command.addAll(List.of("-e", "trace=" + SYSCALLS));
      } else {
        command.addAll(List.of("-e", "trace=" + victim.name(), "-P", victim.file().toString()));
        command.addAll(List.of("-e", "inject=" + victim.name() + ":signal=KILL:when=" + nth));
      }
      command.addAll(java(data, first, last));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      int status = process.waitFor();
      return new Run(status, Files.readAllLines(out), calls(data, Files.readAllLines(log)));
    } finally {
      Files.delete(log);
      Files.delete(out);
    }
  }

  private static List<String> java(Path data, int first, int last) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xmx128m",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("java.class.path"),
        CrashScenario.class.getName(),
        data.toString(),
        Integer.toString(first),
        Integer.toString(last));
  }

  private static List<Call> calls(Path data, List<String> log) {
    List<Call> calls = new ArrayList<>();
    for (String line : log) {
      Matcher call = CALL.matcher(line);
      if (call.matches()) {
        String file = call.group(2) == null ? call.group(3) : call.group(2);
        if (file.startsWith(data.toString())) {
          calls.add(new Call(call.group(1), Path.of(file)));
        }
      }
    }
    return calls;
  }

  /** Whether there is strace here. */
  static boolean isPossible() throws InterruptedException {
    try {
      Process process = new ProcessBuilder("strace", "-V").redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
