package dev.pinion.workloads.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A server in a separate process that prints one line of JSON, {@code {"ready":"<uri>",…}}, when it
 * serves. Its standard error goes to a file.
 */
final class ChildProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE_TO_STOP = Duration.ofSeconds(15);

  /** Number of last lines of its standard error that explain a failed start. */
  private static final int LINES_SHOWN = 15;

  private final String name;
  private final Process process;
  private final Path errors;
  private final CompletableFuture<String> firstLine = new CompletableFuture<>();

  private ChildProcess(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
  }

  /**
   * Starts the process.
   *
   * @param name its name in messages and in the file name of its standard error
   * @param command command and arguments
   * @param directory folder of the file
   * @param outlives whether it outlives this process; if not, its standard input is a pipe that
   *     ends with this process
   */
  static ChildProcess start(String name, List<String> command, Path directory, boolean outlives)
      throws DemoException {
    Path errors = directory.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    if (outlives) {
      builder.redirectInput(new File("/dev/null"));
    }
    try {
      ChildProcess child = new ChildProcess(name, builder.start(), errors);
      Thread.ofVirtual().start(child::drain);
      return child;
    } catch (IOException notStarted) {
      throw new DemoException(
          "expected to start the " + name + ", found: " + notStarted.getMessage(), notStarted);
    }
  }

  /**
   * Waits until it serves.
   *
   * @return the line it printed
   */
  JsonNode awaitReady(Duration patience) throws DemoException, InterruptedException {
    try {
      return JSON.readTree(firstLine.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException late) {
      throw new DemoException(
          "expected the " + name + " to be ready in " + patience.toSeconds() + " s" + lastWords(),
          late);
    } catch (ExecutionException ended) {
      throw new DemoException("expected the " + name + " to start" + lastWords(), ended);
    } catch (JsonProcessingException other) {
      throw new DemoException(
          "expected the " + name + " to print one line of JSON, found " + firstLine.join(), other);
    }
  }

  /** Its address, by the line it printed: its {@code url}, or its {@code ready}. */
  static URI uri(JsonNode ready) throws DemoException {
    JsonNode uri = ready.path("url").isTextual() ? ready.path("url") : ready.path("ready");
    if (!uri.isTextual()) {
      throw new DemoException("expected {\"ready\":\"<uri>\",…}, found " + ready);
    }
    return URI.create(uri.textValue());
  }

  long pid() {
    return process.pid();
  }

  /** Asks it and its descendants to end, and kills them after 15 seconds. */
  @Override
  public void close() {
    List<ProcessHandle> family =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    process.destroy();
    if (!haveEnded(family, PATIENCE_TO_STOP)) {
      family.forEach(ProcessHandle::destroyForcibly);
      haveEnded(family, Duration.ofSeconds(2));
    }
  }

  private static boolean haveEnded(List<ProcessHandle> family, Duration patience) {
    CompletableFuture<?> end =
        CompletableFuture.allOf(
            family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new));
    try {
      end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException notEnded) {
      return false;
    }
  }

  private void drain() {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      String line = lines.readLine();
      if (line == null) {
        firstLine.completeExceptionally(new IOException("expected a line, found the end"));
      } else {
        firstLine.complete(line);
        lines.transferTo(Writer.nullWriter());
      }
    } catch (IOException lost) {
      firstLine.completeExceptionally(lost);
    }
  }

  private String lastWords() {
    try {
      List<String> lines = Files.readAllLines(errors);
      List<String> last = lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size());
      return last.isEmpty()
          ? ", found nothing in its log"
          : ", found in its log:\n  " + String.join("\n  ", last);
    } catch (IOException unreadable) {
      return ", and its log cannot be read: " + unreadable.getMessage();
    }
  }
}
