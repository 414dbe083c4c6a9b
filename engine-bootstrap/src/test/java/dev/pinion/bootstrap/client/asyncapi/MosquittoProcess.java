package dev.pinion.bootstrap.client.asyncapi;

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
 * A server of MQTT on a free port of loopback, of the command mosquitto.
 *
 * @param process the server
 * @param port its port
 */
record MosquittoProcess(Process process, int port) implements MqttBroker {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * A connectable server; the test is skipped where the command is missing.
   *
   * @param folder takes its settings
   */
  static MosquittoProcess start(Path folder) throws IOException {
    List<Path> commands = commands().filter(Files::isExecutable).toList();
    Assumptions.assumeFalse(
        commands.isEmpty(),
        "skipped: expected the command mosquitto on PATH or in -Dpinion.mosquitto, found none");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path settings = folder.resolve("mosquitto.conf");
    Files.writeString(settings, "listener " + port + " 127.0.0.1\nallow_anonymous true\n");
    Process process =
        new ProcessBuilder(commands.getFirst().toString(), "-c", settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    MosquittoProcess server = new MosquittoProcess(process, port);
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(server::isUp);
    return server;
  }

  private static Stream<Path> commands() {
    String named = System.getProperty("pinion.mosquitto");
    if (named != null) {
      return Stream.of(Path.of(named));
    }
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin";
    return Stream.of(path.split(":", -1)).map(folder -> Path.of(folder, "mosquitto"));
  }

  private boolean isUp() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
