package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.ServeSettings;
import dev.pinion.bootstrap.process.JsonWriter;
import dev.pinion.bootstrap.supervise.SupervisorListener.Running;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The line that reports that the engine serves, and its addresses. */
final class ReadyLine {
  private final ServeSettings settings;
  private final boolean json;
  private final PrintWriter out;

  ReadyLine(ServeSettings settings, boolean json, PrintWriter out) {
    this.settings = settings;
    this.json = json;
    this.out = out;
  }

  /**
   * Prints the line, and writes it to the ready file if configured.
   *
   * @param port port for clients
   * @param admin address for operators, or null
   * @param replicas serving replicas
   * @throws IOException when the ready file cannot be written
   */
  void tell(int port, @Nullable URI admin, List<Running> replicas) throws IOException {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    String url = "http://" + host + ":" + port;
    String line = json ? json(url, port, admin, replicas) : "ready " + url;
    out.println(line);
    out.flush();
    Path file = settings.readyFile();
    if (file != null) {
      Files.writeString(file, line + "\n");
    }
  }

  private static String json(String url, int port, @Nullable URI admin, List<Running> replicas) {
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
