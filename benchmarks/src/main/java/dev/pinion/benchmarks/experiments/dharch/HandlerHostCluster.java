package dev.pinion.benchmarks.experiments.dharch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A NATS server and handler hosts, as processes on the CPUs of this one. */
public final class HandlerHostCluster implements AutoCloseable {
  private static final String PROPERTY = "pinion.nats-server";
  private static final String NAME = "nats-server";
  private static final String PINION = "dev.pinion.bootstrap.PinionMain";
  private static final long STOP_SECONDS = 10;
  private static final int SAID_BYTES = 4_096;

  /** Longest wait for the version of a program or its readiness, by default. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Process> processes = new ArrayList<>();
  private final String url;
  private final Duration patience;

  private HandlerHostCluster(String url, Duration patience) {
    this.url = url;
    this.patience = patience;
  }

  /** Command of a NATS server, or null if there is none. */
  public static @Nullable Path natsServer() {
    String named = System.getProperty(PROPERTY);
    if (named != null) {
      return Path.of(named);
    }
    List<String> folders =
        new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)));
    folders.add("/usr/sbin");
    return folders.stream()
        .map(folder -> Path.of(folder, NAME))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /**
   * Version that a NATS server reports, such as {@code nats-server: v2.10.7}.
   *
   * @param server its command
   * @throws IOException when it cannot be started, or has not reported it within a minute
   */
  public static String version(Path server) throws IOException {
    return version(server, PATIENCE);
  }

  static String version(Path server, Duration patience) throws IOException {
    Process process =
        new ProcessBuilder(server.toString(), "--version").redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "expected " + server + " to say its version within " + patience + ", found silence");
      }
      return new String(said.readNBytes(SAID_BYTES), StandardCharsets.UTF_8).strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + server + " was to say its version", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Starts the processes and waits until the hosts accept messages.
   *
   * @param server the command of the NATS server
   * @param count number of hosts
   * @param kinds kinds of handlers that they run
   * @throws IOException when one of them cannot be started, or is not ready within a minute
   */
  public static HandlerHostCluster start(Path server, int count, List<String> kinds)
      throws IOException {
    return start(server, count, kinds, PATIENCE);
  }

  static HandlerHostCluster start(Path server, int count, List<String> kinds, Duration patience)
      throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    HandlerHostCluster hosts = new HandlerHostCluster("nats://127.0.0.1:" + port, patience);
    try {
      hosts.begin(
          List.of(server.toString(), "--addr", "127.0.0.1", "--port", Integer.toString(port)),
          "Server is ready");
      for (int i = 0; i < count; i++) {
        hosts.begin(hosts.host(kinds), "ready");
      }
      return hosts;
    } catch (IOException e) {
      hosts.close();
      throw e;
    }
  }

  private List<String> host(List<String> kinds) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("java.class.path"),
        PINION,
        "handler-host",
        "--nats",
        url,
        "--handlers",
        String.join(",", kinds));
  }

  /** Starts a process and waits until it reports readiness. */
  private void begin(List<String> command, String ready) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    processes.add(process);
    CompletableFuture<Boolean> isReady = new CompletableFuture<>();
    Queue<String> said = new ConcurrentLinkedQueue<>();
    Thread.ofPlatform()
        .daemon()
        .name("host-output")
        .start(() -> isReady.complete(listen(process, ready, said, isReady)));
    if (!isReady.completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS).join()) {
      throw new IOException(
          "expected "
              + command.getFirst()
              + " to be ready within "
              + patience
              + ", found that it has "
              + (process.isAlive() ? "not said so" : "ended")
              + ":\n"
              + String.join("\n", said));
    }
  }

  /** Reads the output of a process until its end, so that the process never waits for a reader. */
  private static boolean listen(
      Process process, String ready, Queue<String> said, CompletableFuture<Boolean> isReady) {
    try {
      process
          .inputReader(StandardCharsets.UTF_8)
          .lines()
          .forEach(
              line -> {
                if (!isReady.isDone()) {
                  said.add(line);
                }
                if (line.contains(ready)) {
                  isReady.complete(true);
                }
              });
    } catch (UncheckedIOException e) {
      said.add("no more can be read: " + e.getMessage()); // it was asked to end
    }
    return false;
  }

  /** Address of the NATS server. */
  public String url() {
    return url;
  }

  /** Ends the hosts, then the server. */
  @Override
  public void close() {
    for (Process process : processes.reversed()) {
      process.destroy();
      try {
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
