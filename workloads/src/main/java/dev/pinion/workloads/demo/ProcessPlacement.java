package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process of the demonstration and its CPUs, read from the operating system while it runs.
 *
 * @param name its name
 * @param pid its process id
 * @param cpus the CPUs it may use, such as {@code 0-1}; {@code unknown} where the system does not
 *     report them like Linux
 * @param uri its address, or null when it is reached through another process
 */
record ProcessPlacement(String name, long pid, String cpus, @Nullable URI uri) {
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** The engine and its replicas, by the line it printed. */
  static List<ProcessPlacement> ofEngine(JsonNode ready) throws DemoException {
    List<ProcessPlacement> processes = new ArrayList<>();
    processes.add(of("engine", ready, ChildProcess.uri(ready)));
    for (JsonNode replica : ready.path("replicas")) {
      processes.add(of("replica", replica, null));
    }
    return processes;
  }

  /** The stub, by the line it printed. */
  static ProcessPlacement ofStub(JsonNode ready) throws DemoException {
    return of("stub", ready, ChildProcess.uri(ready));
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name).put("pid", pid).put("cpus", cpus);
    if (uri != null) {
      json.put("uri", uri.toString());
    }
    return json;
  }

  private static ProcessPlacement of(String name, JsonNode printed, @Nullable URI uri)
      throws DemoException {
    JsonNode pid = printed.path("pid");
    if (!pid.canConvertToLong()) {
      throw new DemoException("expected the pid of the " + name + ", found " + printed);
    }
    return new ProcessPlacement(name, pid.longValue(), cpus(pid.longValue()), uri);
  }

  /** The CPUs that a process may use. */
  static String cpus(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> line.substring(ALLOWED.length()).trim())
          .findFirst()
          .orElse("unknown");
    } catch (IOException notLinuxOrGone) {
      return "unknown";
    }
  }
}
