package dev.pinion.bootstrap.cli.handlers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A NATS server of the command nats-server, which is killed and restarted at the same port. */
final class NatsServerProcess implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long LOOK_NANOS = 5_000_000;

  private final Path command;
  private final int port;
  private Process process;

  private NatsServerProcess(Path command, int port) throws IOException {
    this.command = command;
    this.port = port;
    this.process = begin();
  }

  /** A listening server; the test is skipped, with a message, where the command is missing. */
  static NatsServerProcess start() throws IOException {
    Path command = command();
    Assumptions.assumeTrue(
        command != null,
        "skipped: expected the command nats-server on PATH or in -Dpinion.nats-server, found none");
    NatsServerProcess server = new NatsServerProcess(Objects.requireNonNull(command), freePort());
    server.awaitPort();
    return server;
  }

  /** A free port of loopback. */
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
    for (String folder : (System.getenv("PATH") + ":/usr/sbin").split(":", -1)) {
      Path command = Path.of(folder, "nats-server");
      if (Files.isExecutable(command)) {
        return command;
      }
    }
    return null;
  }

  private Process begin() throws IOException {
    return new ProcessBuilder(
            command.toString(), "--addr", "127.0.0.1", "--port", Integer.toString(port))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private void awaitPort() throws IOException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() - until > 0) {
          throw e;
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  String url() {
    return "nats://127.0.0.1:" + port;
  }

  /** Kills the server, which must be alive, and replaces it by another one. */
  void killAndStart() throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("expected a server to kill, found it ended: " + process.exitValue());
    }
    process.destroyForcibly().onExit().join();
    process = begin();
    awaitPort();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
