package dev.pinion.bootstrap.handlerhost;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A NATS server on a free port of loopback, of the command nats-server.
 *
 * @param process the server
 * @param port its port
 */
public record NatsProcess(Process process, int port) implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** A connectable server; the test is skipped where the command is missing. */
  public static NatsProcess start() throws IOException {
    List<Path> commands = commands().filter(Files::isExecutable).toList();
    Assumptions.assumeFalse(
        commands.isEmpty(),
        "skipped: expected the command nats-server on PATH or in -Dpinion.nats-server, found none");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    String[] command = {
      commands.getFirst().toString(), "--addr", "127.0.0.1", "--port", Integer.toString(port)
    };
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    NatsProcess server = new NatsProcess(process, port);
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(server::isUp);
    return server;
  }

  private static Stream<Path> commands() {
    String named = System.getProperty("pinion.nats-server");
    if (named != null) {
      return Stream.of(Path.of(named));
    }
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin";
    return Stream.of(path.split(":", -1)).map(folder -> Path.of(folder, "nats-server"));
  }

  private boolean isUp() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  public String url() {
    return "nats://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
