package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.process.ChildCommandLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A separate PostgreSQL server in a temporary folder, on a free loopback port, not run by root,
 * which it would refuse.
 */
public final class Postgres implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final String UNPRIVILEGED = "nobody";

  private final Path folder;
  private final Process server;
  private final int port;

  private Postgres(Path folder, Process server, int port) {
    this.folder = folder;
    this.server = server;
    this.port = port;
  }

  /** Reason why no server can run here; empty if one can. */
  public static Optional<String> missing() {
    for (String command : List.of("postgres", "initdb")) {
      if (find(command).isEmpty()) {
        return Optional.of("SKIPPED: no " + command + " on PATH");
      }
    }
    return isRoot() && find("setpriv").isEmpty()
        ? Optional.of("SKIPPED: run by root, and no setpriv on PATH to run PostgreSQL as another")
        : Optional.empty();
  }

  private static Optional<Path> find(String command) {
    return ChildCommandLine.find(command, System.getenv().getOrDefault("PATH", ""));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Starts a server. */
  public static Postgres start() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("pinion-postgres-");
    Path data = folder.resolve("data");
    if (isRoot()) {
      run(List.of("chown", UNPRIVILEGED, folder.toString()));
    }
    run(as(List.of("initdb", "--no-sync", "-A", "trust", "-U", "pinion", "-D", data.toString())));
    int port = freePort();
    Process server =
        new ProcessBuilder(
                as(
                    List.of(
                        "postgres",
                        "-D",
                        data.toString(),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port),
                        "-k",
                        folder.toString(),
                        "-F")))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new Postgres(folder, server, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static List<String> as(List<String> command) {
    if (!isRoot()) {
      return command;
    }
    List<String> words = new ArrayList<>();
    words.addAll(List.of("setpriv", "--reuid", UNPRIVILEGED, "--clear-groups"));
    words.addAll(command);
    return words;
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("expected " + command + " to succeed, found: " + said);
    }
  }

  /** Database of the server. */
  public DatabaseTarget target() {
    return new DatabaseTarget(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres", null, "pinion", "");
  }

  boolean isAlive() {
    return server.isAlive();
  }

  @Override
  public void close() throws IOException {
    server.destroy();
    try {
      if (!server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
      run(List.of("rm", "-r", folder.toString()));
    } catch (InterruptedException e) {
      server.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
