package dev.pinion.core.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A {@link CrashScenario} under strace, which records its file system calls or kills it at one. */
final class TracedProcess {
  private static final String SYSCALLS =
      "fsync,fdatasync,msync,write,pwrite64,ftruncate,fallocate,rename,renameat,renameat2,unlink,"
          + "unlinkat";
  private static final Pattern CALL =
      Pattern.compile("(\\d+) +(\\w+)\\((?:\\d+<([^>]*)>|(?:AT_FDCWD[^,]*, )?\"([^\"]*)\").*");

  private TracedProcess() {}

  /**
   * A system call.
   *
   * @param name name of the call
   * @param index ordinal number of such calls of its thread on this file, from 1
   * @param file its file, or the first of them
   */
  record Call(String name, int index, Path file) {}

  /**
   * The result of a run.
   *
   * @param status exit status
   * @param said lines that the scenario printed
   * @param calls its system calls, in order
   */
  record Run(int status, List<String> said, List<Call> calls) {}

  /**
   * Runs the scenario.
   *
   * @param victim the call at which it is killed, in the first thread that makes it; null to let it
   *     run to its end
   */
  static Run run(Path data, int first, int last, @Nullable Call victim)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("strace", ".log");
    Path out = Files.createTempFile("scenario", ".out");
    try {
      // without --seccomp-bpf, with which strace 6.1 injects only into the first call
      List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-y"));
      command.addAll(List.of("-o", log.toString(), "-e", "signal=none"));
      if (victim == null) {
        command.addAll(List.of("-e", "trace=" + SYSCALLS));
      } else {
        String how = victim.name() + ":signal=KILL:when=" + victim.index();
        command.addAll(List.of("-P", victim.file().toString()));
        command.addAll(List.of("-e", "trace=" + victim.name(), "-e", "inject=" + how));
      }
      command.addAll(java(data, first, last));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      int status = process.waitFor();
      return new Run(status, Files.readAllLines(out), calls(Files.readAllLines(log)));
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

  private static List<Call> calls(List<String> log) {
    List<Call> calls = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    for (String line : log) {
      Matcher call = CALL.matcher(line);
      if (call.matches()) {
        String file = call.group(3) == null ? call.group(4) : call.group(3);
        String counted = call.group(1) + " " + call.group(2) + " " + file;
        int index = counts.merge(counted, 1, Integer::sum);
        calls.add(new Call(call.group(2), index, Path.of(file)));
      }
    }
    return calls;
  }

  /** Whether strace is available. */
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
