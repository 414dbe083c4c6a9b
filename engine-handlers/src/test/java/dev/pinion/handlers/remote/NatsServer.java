package dev.pinion.handlers.remote;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A real NATS server on a free loopback port, run by the command nats-server. */
public final class NatsServer implements AutoCloseable {
  private static final int SECONDS = 20;

  private final Path command;
  private final int port;
  private final List<String> options;
  private Process process;

  private NatsServer(Path command, int port, List<String> options) throws IOException {
    this.command = command;
    this.port = port;
    this.options = options;
    this.process = begin();
  }

  /** Starts a server; skips the test without that command. */
  public static NatsServer start(String... options) throws Exception {
    Path command = command();
    Assumptions.assumeTrue(
        command != null,
        "skipped: expected the command nats-server on PATH or in -Dpinion.nats-server, found none");
    NatsServer server =
        new NatsServer(Objects.requireNonNull(command), freePort(), List.of(options));
    server.awaitPort();
    return server;
  }

  /** A free loopback port. */
  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static @Nullable Path command() {
    String named = System.getProperty("pinion.nats-server");
    if (named != null) {
      return Path.of(named);
    }
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      Path command = Path.of(folder, "nats-server");
      if (Files.isExecutable(command)) {
        return command;
      }
    }
    Path debian = Path.of("/usr/sbin/nats-server");
    return Files.isExecutable(debian) ? debian : null;
  }

  private Process begin() throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(command.toString(), "--addr", "127.0.0.1", "--port", Integer.toString(port)));
    line.addAll(options);
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private void awaitPort() throws IOException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() - until > 0) {
          throw e;
        }
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  /** Its address. */
  public String url() {
    return "nats://127.0.0.1:" + port;
  }

  /** Kills the server and starts another one in its place. */
  public void killAndStart() throws Exception {
    kill();
    process = begin();
    awaitPort();
  }

  /** Kills the server. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("expected the server to end, found it running");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
