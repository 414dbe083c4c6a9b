package dev.pinion.benchmarks.chains;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A NATS server and handler hosts, as processes on the CPUs of this one. */
public final class HandlerHosts implements AutoCloseable {
  private static final String PROPERTY = "pinion.nats-server";
  private static final String NAME = "nats-server";
  private static final String PINION = "dev.pinion.bootstrap.cli.PinionMain";
  private static final long STOP_SECONDS = 10;

  private final List<Process> processes = new ArrayList<>();
  private final String url;

  private HandlerHosts(String url) {
    this.url = url;
  }

  /** The command of a NATS server, or null where there is none. */
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
   * What a NATS server says of its version, such as {@code nats-server: v2.10.7}.
   *
   * @param server its command
   */
  public static String version(Path server) throws IOException {
    Process process =
        new ProcessBuilder(server.toString(), "--version").redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      return new String(said.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  /**
   * Starts them and waits until the hosts take messages.
   *
   * @param server the command of the NATS server
   * @param count how many hosts
   * @param kinds what they run
   */
  public static HandlerHosts start(Path server, int count, List<String> kinds) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    HandlerHosts hosts = new HandlerHosts("nats://127.0.0.1:" + port);
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

  /** Starts a process and waits until it says that it is ready. */
  private void begin(List<String> command, String ready) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    processes.add(process);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.append(line).append('\n');
      if (line.contains(ready)) {
        Thread.ofPlatform()
            .daemon()
            .name("host-output")
            .start(() -> lines.lines().forEach(each -> {}));
        return;
      }
    }
    throw new IOException("expected " + command.getFirst() + " to be ready, found:\n" + said);
  }

  /** Where the NATS server is. */
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
