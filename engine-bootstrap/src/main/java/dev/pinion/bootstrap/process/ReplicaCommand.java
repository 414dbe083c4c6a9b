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
 * @param prefix words of {@link Confinement} before it
 * @param java the java command
 * @param classPath class path of the replica
 * @param mainClass its main class
 * @param size how large its JVM is
 * @param errorDirectory folder for the JVM's own crash reports
 * @param extraOptions further options of the JVM, which win over the ones made here
 */
public record ReplicaCommand(
    List<String> prefix,
    Path java,
    String classPath,
    String mainClass,
    Size size,
    Path errorDirectory,
    List<String> extraOptions) {
  /** Of so many threads one marks the heap while the engine runs on. */
  private static final int GC_THREADS_PER_MARKER = 4;

  /** Copies the lists. */
  public ReplicaCommand {
    prefix = List.copyOf(prefix);
    extraOptions = List.copyOf(extraOptions);
  }

  /**
   * How large a JVM is.
   *
   * @param heapBytes most its heap may grow to
   * @param processors CPUs' worth of time that it sizes its pools for, whatever it is confined to
   *     when it starts; 0 to let it find out
   * @param gcThreads threads that collect garbage at the same time; 0 to let it decide
   */
  public record Size(long heapBytes, int processors, int gcThreads) {}

  /** The words of the command line. */
  public List<String> words() {
    List<String> words = new ArrayList<>(prefix);
    words.add(java.toString());
    words.addAll(sizeOptions());
    words.add("-XX:+ExitOnOutOfMemoryError");
    words.add("-XX:ErrorFile=" + errorDirectory.resolve("hs_err_%p.log"));
    // the parent reads UTF-8, whatever the locale
    words.add("-Dstdout.encoding=UTF-8");
    words.add("-Dstderr.encoding=UTF-8");
    // Netty names channels by it, which nothing reads; it warns where a machine has no address
    words.add("-Dio.netty.machineId=02:00:00:00:00:01");
    words.add("--enable-native-access=ALL-UNNAMED");
    words.add("--sun-misc-unsafe-memory-access=allow");
    // what is called by reflection is called a few times, at the start: method handles for it cost
    // more than they save
    words.add("-Djdk.reflect.useNativeAccessorOnly=true");
    words.addAll(extraOptions);
    words.add("-cp");
    words.add(classPath);
    words.add(mainClass);
    return words;
  }

  /** Serial collection on one CPU, where threads would only wait for each other. */
  private List<String> sizeOptions() {
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + Math.max(1, size.heapBytes() >> 20) + "m");
    if (size.processors() > 0) {
      options.add("-XX:ActiveProcessorCount=" + size.processors());
    }
    if (size.processors() == 1) {
      options.add("-XX:+UseSerialGC");
      return options;
    }
    options.add("-XX:+UseG1GC");
    if (size.gcThreads() > 0) {
      options.add("-XX:ParallelGCThreads=" + size.gcThreads());
      options.add("-XX:ConcGCThreads=" + Math.max(1, size.gcThreads() / GC_THREADS_PER_MARKER));
    }
    return options;
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
