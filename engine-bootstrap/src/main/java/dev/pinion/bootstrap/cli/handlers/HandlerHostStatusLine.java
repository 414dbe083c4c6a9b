package dev.pinion.bootstrap.cli.handlers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.HostStatistics;
import java.util.List;

/**
 * Status lines of a handler host.
 *
 * @param settings settings of the host
 * @param kinds kinds of handlers that it runs
 * @param json whether each line is a JSON object
 */
record HandlerHostStatusLine(HostSettings settings, List<String> kinds, boolean json) {
  static final String READY = "ready";

  HandlerHostStatusLine {
    kinds = List.copyOf(kinds);
  }

  /**
   * A line.
   *
   * @param event kind of line: {@value #READY}, {@code health}, {@code drained} or {@code
   *     abandoned}
   */
  String line(String event, String host, HostStatistics now) {
    return json ? json(event, host, now) : event + " " + host + ": " + text(event, now);
  }

  private String text(String event, HostStatistics now) {
    return event.equals(READY)
        ? String.join(", ", kinds)
            + "; "
            + settings.workers()
            + " workers, room for "
            + settings.limits().hostWindow()
        : now.text();
  }

  private String json(String event, String host, HostStatistics now) {
    ObjectNode line = CommandOutput.JSON.createObjectNode().put("event", event).put("host", host);
    if (event.equals(READY)) {
      kinds.forEach(line.putArray("kinds")::add);
      line.put("workers", settings.workers()).put("window", settings.limits().hostWindow());
    }
    line.set("statistics", CommandOutput.JSON.valueToTree(now));
    return line.toString();
  }
}
