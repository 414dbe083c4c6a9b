package dev.pinion.bootstrap.cli.handlers;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A handler host in a separate process, with the command line of {@code pinion handler-host}. */
final class HostProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration OFTEN = Duration.ofMillis(10);

  private final Process process;
  private final List<String> out = new CopyOnWriteArrayList<>();
  private final List<String> err = new CopyOnWriteArrayList<>();
  private final List<Thread> readers;

  private HostProcess(Process process) {
    this.process = process;
    this.readers =
        List.of(
            reader("out", process.inputReader(StandardCharsets.UTF_8), out),
            reader("err", process.errorReader(StandardCharsets.UTF_8), err));
  }

  private static Thread reader(String name, BufferedReader from, List<String> into) {
    return Thread.ofVirtual()
        .name(name)
        .start(
            () -> {
              try {
                from.lines().forEach(into::add);
              } catch (RuntimeException e) {
                into.add("ended: " + e.getMessage()); // the process was killed
              }
            });
  }

  /** Starts a host with these options. */
  static HostProcess start(String... options) throws IOException {
    return launch(System.getProperty("java.class.path"), "handler-host", options);
  }

  /**
   * Starts another command.
   *
   * @param kinds a folder with kinds of handlers, for the class path
   */
  static HostProcess command(Path kinds, String command, String... options) throws IOException {
    String classes = kinds + File.pathSeparator + System.getProperty("java.class.path");
    return launch(classes, command, options);
  }

  private static HostProcess launch(String classes, String name, String... options)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                classes,
                "dev.pinion.bootstrap.PinionMain",
                name));
    command.addAll(List.of(options));
    return new HostProcess(new ProcessBuilder(command).redirectInput(Redirect.PIPE).start());
  }

  /** A folder in which {@code --handlers-path} finds kinds of handlers of the tests. */
  static Path kinds(Path folder, Class<?>... factories) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    List<String> names = new ArrayList<>();
    for (Class<?> each : factories) {
      names.add(each.getName());
    }
    Files.write(services.resolve("dev.pinion.handlers.api.HandlerFactory"), names);
    return folder;
  }

  /** Its output so far. */
  List<String> out() {
    return out;
  }

  /** Its error output so far. */
  String err() {
    return String.join("\n", err);
  }

  boolean isReady() {
    return out.stream().anyMatch(line -> line.contains("ready"));
  }

  /** Waits until it accepts messages. */
  HostProcess awaitReady() {
    awaitLine(line -> line.contains("ready"));
    return this;
  }

  /** Waits for a line, and returns it. */
  String awaitLine(Predicate<String> wanted) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(OFTEN)
        .atMost(PATIENCE)
        .failFast(() -> !process.isAlive() && out.stream().noneMatch(wanted))
        .until(() -> out.stream().anyMatch(wanted));
    return out.stream().filter(wanted).findFirst().orElseThrow();
  }

  /** Sends SIGTERM. */
  void terminate() {
    process.toHandle().destroy(); // the process's own method closes its output as well
  }

  /** Sends SIGKILL and waits for the end. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Waits for the end, and returns the exit status; its whole output is available then. */
  int exit() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("expected the host to end, found it running: " + out + err);
    }
    for (Thread each : readers) {
      each.join();
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    kill();
  }
}
