package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Engine and stub as processes, and the temporary directory of their data and logs. Closing it,
 * which a shutdown hook does as well, ends the processes and deletes the directory, unless they are
 * kept.
 */
final class DemoProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final boolean keep;
  private final List<ChildProcess> children = new ArrayList<>();
  private final Thread hook = new Thread(this::end, "demo-shutdown");
  private boolean kept;
  private boolean ended;

  /**
   * Creates the directory; nothing runs yet.
   *
   * @param keep whether the processes may outlive this one
   */
  DemoProcesses(boolean keep) throws DemoException {
    this.keep = keep;
    try {
      directory = Files.createTempDirectory("pinion-demo-");
    } catch (IOException unwritable) {
      throw new DemoException(
          "expected to make a temporary directory, found: " + unwritable.getMessage(), unwritable);
    }
  }

  /** Ensures that nothing is left behind when this process is asked to end. */
  void endWithThisProcess() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a stub of six services in a separate JVM.
   *
   * @param main main class of this module
   * @return the line the stub printed
   */
  JsonNode startStub(Class<?> main) throws DemoException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "stub",
                "--port",
                "0",
                "--json"));
    if (!keep) {
      command.add("--exit-with-parent");
    }
    return start("stub", command);
  }

  /** Starts an engine on a free port; returns the line it printed. */
  JsonNode startEngine(DemoLauncher demoLauncher) throws DemoException, InterruptedException {
    return start("engine", demoLauncher.serve(directory.resolve("data")));
  }

  /** Folder of data and logs. */
  Path directory() {
    return directory;
  }

  /** The processes to end, as arguments of {@code kill}. */
  synchronized List<Long> pids() {
    return children.stream().map(ChildProcess::pid).toList();
  }

  /** Makes closing leave everything running from now on. */
  synchronized void keepRunning() {
    kept = true;
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook is running, or has run: there is nothing to remove.
    }
  }

  private JsonNode start(String name, List<String> command)
      throws DemoException, InterruptedException {
    ChildProcess child;
    synchronized (this) {
      if (ended) {
        throw new DemoException("expected to start the " + name + ", found the demo ending");
      }
      child = ChildProcess.start(name, command, directory, keep);
      children.add(child);
    }
    return child.awaitReady(PATIENCE);
  }

  private synchronized void end() {
    if (kept || ended) {
      return;
    }
    ended = true;
    children.reversed().forEach(ChildProcess::close);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException undeletable) {
      throw new UncheckedIOException(undeletable);
    }
  }
}
