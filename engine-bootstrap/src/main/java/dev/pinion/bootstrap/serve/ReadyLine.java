package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.protocol.JsonWriter;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingKey;
import dev.pinion.bootstrap.supervise.SupervisorListener.ServingReplica;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The line that reports that the engine serves, and its addresses. */
final class ReadyLine {
  private final EffectiveSettings settings;
  private final boolean json;
  private final PrintWriter out;
  private final Consumer<String> error;

  /**
   * A line that is not printed yet.
   *
   * @param error receives a message when the ready file cannot be written
   */
  ReadyLine(EffectiveSettings settings, boolean json, PrintWriter out, Consumer<String> error) {
    this.settings = settings;
    this.json = json;
    this.out = out;
    this.error = error;
  }

  /**
   * Writes the line to the ready file, if one is set, and prints it. A separate thread writes the
   * file, since a disk may hang.
   *
   * @param port for clients
   * @param admin address for operators, or null
   * @param replicas the serving replicas
   * @param arranging work to wait for before the line is printed
   */
  void announce(
      int port, @Nullable URI admin, List<ServingReplica> replicas, ReadinessTasks arranging) {
    String host =
        settings.get(SettingKey.HOST).contains(":")
            ? "[" + settings.get(SettingKey.HOST) + "]"
            : settings.get(SettingKey.HOST);
    String url = "http://" + host + ":" + port;
    String line = json ? json(url, port, admin, replicas) : "ready " + url;
    Path file = settings.get(SettingKey.READY_FILE).orElse(null);
    if (file != null) {
      arranging.add(
          Thread.ofPlatform().daemon().name("ready-file").start(() -> write(file, line + "\n")));
    }
    arranging.await();
    out.println(line);
    out.flush();
  }

  private void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      error.accept("cannot write the ready file " + file + ": " + e.getMessage());
    }
  }

  private static String json(
      String url, int port, @Nullable URI admin, List<ServingReplica> replicas) {
    JsonWriter json = new JsonWriter();
    json.object(
        () -> {
          json.put("ready", true).put("url", url).put("port", port);
          if (admin != null) {
            json.put("admin", admin.toString());
          }
          json.put("pid", ProcessHandle.current().pid());
          json.name("replicas")
              .array(
                  replicas,
                  (each, replica) ->
                      each.object(
                          () -> each.put("index", replica.index()).put("pid", replica.pid())));
        });
    return json.toString();
  }
}
