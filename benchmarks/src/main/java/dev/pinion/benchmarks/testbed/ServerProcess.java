package dev.pinion.benchmarks.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.benchmarks.experiment.MeasurementException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server in a separate process. It reports readiness by a line {@code {"ready":"http://…"}} or
 * {@code {"ready":true,"url":"http://…"}} on standard output, and is asked to end by a signal. It
 * does not outlive this JVM, unless the JVM is killed (SIGKILL).
 */
public final class ServerProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int KEPT_LINES = 20;
  private static final long STOP_SECONDS = 10;

  /** Longest time for reading the remaining output of a stopped process. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final String name;
  private final Process process;
  private final Thread lastResort;
  private final Ready ready;

  /**
   * Readiness message of a server.
   *
   * @param uri its address
   * @param admin its address for operators; empty when not reported
   */
  private record Ready(URI uri, Optional<URI> admin) {}

  private ServerProcess(String name, Process process, Thread lastResort, Ready ready) {
    this.name = name;
    this.process = process;
    this.lastResort = lastResort;
    this.ready = ready;
  }

  /**
   * Starts a command and waits until it is ready.
   *
   * @param name its name in messages
   * @param patience the longest wait; the process is ended after it
   * @throws MeasurementException when it does not become ready
   */
  public static ServerProcess start(String name, List<String> command, Duration patience)
      throws MeasurementException, InterruptedException {
    Process process;
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      process = builder.start();
    } catch (IOException e) {
      throw new MeasurementException("expected to start " + name + ", found: " + e.getMessage(), e);
    }
    Thread lastResort = endWithThisJvm(name, process);
    LastLines errors = new LastLines();
    CompletableFuture<Ready> ready = new CompletableFuture<>();
    Thread errorPump = pump(name + "-stderr", process.getErrorStream(), errors::add, () -> {});
    pump(
        name + "-stdout",
        process.getInputStream(),
        line -> readReady(line, ready),
        () -> ready.completeExceptionally(new IOException("standard output ended")));
    try {
      Ready said = ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return new ServerProcess(name, process, lastResort, said);
    } catch (ExecutionException | TimeoutException e) {
      end(process, lastResort);
      errorPump.join(LAST_WORDS);
      throw new MeasurementException(
          "expected "
              + name
              + " to be ready within "
              + patience.toSeconds()
              + " s, found:\n"
              + errors,
          e);
    } catch (InterruptedException e) {
      end(process, lastResort);
      throw e;
    }
  }

  /** A signal ends an experiment without running the code that would have closed its servers. */
  private static Thread endWithThisJvm(String name, Process process) throws MeasurementException {
    Thread lastResort = new Thread(() -> stop(process), name + "-last-resort");
    try {
      Runtime.getRuntime().addShutdownHook(lastResort);
      return lastResort;
    } catch (IllegalStateException e) {
      stop(process);
      throw new MeasurementException(
          "expected to start " + name + ", found that this JVM is ending", e);
    }
  }

  private static void end(Process process, Thread lastResort) {
    stop(process);
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook runs and finds nothing left to end.
    }
  }

  /** Address of the server. */
  public URI uri() {
    return ready.uri();
  }

  /** Address for operators; empty when not reported. */
  public Optional<URI> admin() {
    return ready.admin();
  }

  /** Name in messages. */
  public String name() {
    return name;
  }

  /** JVM flags of the process and its descendants that matter for speed, process by process. */
  public String flags() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(one -> ProcFileSystem.words(one.pid()))
        .map(
            words ->
                words.stream()
                    .filter(argument -> argument.startsWith("-X"))
                    .collect(Collectors.joining(" ")))
        .filter(flags -> !flags.isEmpty())
        .collect(Collectors.joining(" | "));
  }

  /**
   * Memory that the descendants of the process hold, in bytes: of an engine, its replicas without
   * their small parent.
   */
  public long replicaMemory() throws MeasurementException {
    List<ProcessHandle> replicas = replicas();
    if (replicas.isEmpty()) {
      throw new MeasurementException("expected a replica of " + name + ", found none");
    }
    long bytes = 0;
    for (ProcessHandle replica : replicas) {
      bytes += ProcFileSystem.residentBytes(replica.pid());
    }
    return bytes;
  }

  /** The descendants of the process: of an engine, its replicas. */
  public List<ProcessHandle> replicas() {
    return process.descendants().toList();
  }

  /** The process that was started: of an engine, the parent. */
  public ProcessHandle parent() {
    return process.toHandle();
  }

  /** Processor time of the process and its descendants so far. */
  public ProcessCpuTime cpu() throws MeasurementException {
    return ProcessCpuTime.of(process.toHandle());
  }

  /**
   * Asks the process to end. Kills it and its descendants if they still run when it has ended, or
   * after 10 seconds.
   */
  @Override
  public void close() {
    end(process, lastResort);
  }

  /** Asks the process to end, and does not wait until it has. */
  void terminate() {
    askToEnd(process);
  }

  private static void askToEnd(Process process) {
    // Process.destroy would close the output that the process still has to write.
    process.toHandle().destroy();
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // it no longer reads its input
    }
  }

  private static void stop(Process process) {
    List<ProcessHandle> family =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    askToEnd(process);
    awaitEnd(process);
    family.forEach(ProcessHandle::destroyForcibly);
  }

  /** Waits even if interrupted: a killed process leaves its temporary files behind. */
  private static void awaitEnd(Process process) {
    boolean interrupted = Thread.interrupted();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    boolean waits = true;
    while (waits) {
      try {
        process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        waits = false;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void readReady(String line, CompletableFuture<Ready> ready) {
    if (ready.isDone() || !line.startsWith("{")) {
      return;
    }
    try {
      JsonNode said = JSON.readTree(line);
      JsonNode url = said.path("ready").isTextual() ? said.path("ready") : said.path("url");
      if (said.has("ready") && url.isTextual()) {
        Optional<URI> admin =
            Optional.of(said.path("admin"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .map(URI::create);
        ready.complete(new Ready(URI.create(url.asText()), admin));
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      ready.completeExceptionally(e);
    }
  }

  private static Thread pump(String thread, InputStream stream, LineSink sink, Runnable atEnd) {
    return Thread.ofPlatform()
        .daemon()
        .name(thread)
        .start(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                lines.lines().forEach(sink::accept);
              } catch (IOException | UncheckedIOException e) {
                sink.accept("(its output could not be read further: " + e.getMessage() + ")");
              }
              atEnd.run();
            });
  }

  @FunctionalInterface
  private interface LineSink {
    void accept(String line);
  }

  private static final class LastLines {
    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
      if (lines.size() == KEPT_LINES) {
        lines.removeFirst();
      }
      lines.addLast(line);
    }

    @Override
    public synchronized String toString() {
      return lines.isEmpty() ? "nothing on standard error" : String.join("\n", lines);
    }
  }
}
