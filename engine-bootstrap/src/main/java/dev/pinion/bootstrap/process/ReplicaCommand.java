package dev.pinion.bootstrap.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line of a replica.
 *
 * @param java the java command
 * @param classPath class path of the replica
 * @param mainClass its main class
 * @param cpus CPUs to confine it to, as a list; empty to leave it unconfined
 * @param heapBytes most its heap may grow to
 * @param singleCpu whether it has one CPU only
 * @param errorDirectory folder for the JVM's own crash reports
 * @param extraOptions further options of the JVM, which win over the ones made here
 */
public record ReplicaCommand(
    Path java,
    String classPath,
    String mainClass,
    String cpus,
    long heapBytes,
    boolean singleCpu,
    Path errorDirectory,
    List<String> extraOptions) {
  /** Copies the options. */
  public ReplicaCommand {
    extraOptions = List.copyOf(extraOptions);
  }

  /** The words of the command line. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    if (!cpus.isEmpty()) {
      words.addAll(List.of("taskset", "-c", cpus));
    }
    long heapMegabytes = Math.max(1, heapBytes >> 20);
    words.add(java.toString());
    words.add("-Xmx" + heapMegabytes + "m");
    words.add(singleCpu ? "-XX:+UseSerialGC" : "-XX:+UseG1GC");
    words.add("-XX:+ExitOnOutOfMemoryError");
    words.add("-XX:ErrorFile=" + errorDirectory.resolve("hs_err_%p.log"));
    words.add("--enable-native-access=ALL-UNNAMED");
    words.add("--sun-misc-unsafe-memory-access=allow");
    words.addAll(extraOptions);
    words.add("-cp");
    words.add(classPath);
    words.add(mainClass);
    return words;
  }

  /** Where a command is found on a search path such as {@code $PATH}. */
  public static Optional<Path> find(String command, String searchPath) {
    for (String folder : searchPath.split(File.pathSeparator, -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command))) {
        return Optional.of(Path.of(folder, command));
      }
    }
    return Optional.empty();
  }
}
