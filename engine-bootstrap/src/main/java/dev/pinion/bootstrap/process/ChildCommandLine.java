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
 * @param size size of its JVM
 * @param errorDirectory folder for the JVM's own crash reports
 * @param extraOptions further options of the JVM, which override the others
 */
public record ChildCommandLine(
    List<String> prefix,
    Path java,
    String classPath,
    String mainClass,
    Size size,
    Path errorDirectory,
    List<String> extraOptions) {
  /** CPUs beside event loops for each thread that marks concurrently. */
  private static final int CPUS_PER_MARKER = 4;

  /** Copies the lists. */
  public ChildCommandLine {
    prefix = List.copyOf(prefix);
    extraOptions = List.copyOf(extraOptions);
  }

  /**
   * Size of a JVM.
   *
   * @param heapBytes largest heap
   * @param processors number of CPUs for which it sizes its pools, whatever its confinement at the
   *     start; 0 to let it decide
   * @param gcThreads parallel threads of garbage collection; 0 to let it decide
   * @param ancillaryCpus number of CPUs of threads that run beside event loops
   */
  public record Size(long heapBytes, int processors, int gcThreads, int ancillaryCpus) {}

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
    // Netty names channels by it, which nothing reads; without it Netty warns where a machine has
    // no address
    words.add("-Dio.netty.machineId=02:00:00:00:00:01");
    words.add("--enable-native-access=ALL-UNNAMED");
    words.add("--sun-misc-unsafe-memory-access=allow");
    // reflective calls are few, all at the start: method handles for them cost more than they save
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
      if (size.gcThreads() > size.ancillaryCpus()) {
        // all of them at the start, so that CollectorThreads can move them
        options.add("-XX:-UseDynamicNumberOfGCThreads");
      }
      options.add("-XX:ConcGCThreads=" + Math.max(1, size.ancillaryCpus() / CPUS_PER_MARKER));
    }
    return options;
  }

  /** Path of a command on a search path such as {@code $PATH}. */
  public static Optional<Path> find(String command, String searchPath) {
    for (String folder : searchPath.split(File.pathSeparator, -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command))) {
        return Optional.of(Path.of(folder, command));
      }
    }
    return Optional.empty();
  }
}
