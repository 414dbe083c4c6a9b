package dev.pinion.bootstrap.cli.validation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.RestClient;
import dev.pinion.core.model.Diagnostic;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Places of files and problems as SARIF writes them. */
final class SarifLocations {
  /** Name of the directory to which relative addresses refer. */
  static final String BASE = "SRCROOT";

  private final Path base;

  SarifLocations(Path base) {
    this.base = base.toAbsolutePath().normalize();
  }

  /** The directory to which relative addresses refer. */
  ObjectNode base() {
    String uri = base.toUri().toString();
    return CommandOutput.JSON.createObjectNode().put("uri", uri.endsWith("/") ? uri : uri + "/");
  }

  /** A file. */
  ObjectNode of(Path file) {
    ObjectNode location = CommandOutput.JSON.createObjectNode();
    location.putObject("physicalLocation").set("artifactLocation", address(file));
    return location;
  }

  /** A place in a file, and its JSON pointer. A problem of the whole file has no region. */
  ObjectNode of(Path file, Diagnostic diagnostic) {
    ObjectNode location = of(file);
    if (diagnostic.line() > 0) {
      ((ObjectNode) location.get("physicalLocation"))
          .putObject("region")
          .put("startLine", diagnostic.line())
          .put("startColumn", diagnostic.column());
    }
    if (!diagnostic.pointer().isEmpty()) {
      location
          .putArray("logicalLocations")
          .addObject()
          .put("fullyQualifiedName", diagnostic.pointer());
    }
    return location;
  }

  private ObjectNode address(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    ObjectNode address = CommandOutput.JSON.createObjectNode();
    if (!absolute.startsWith(base) || absolute.equals(base)) {
      return address.put("uri", absolute.toUri().toString());
    }
    String relative =
        StreamSupport.stream(base.relativize(absolute).spliterator(), false)
            .map(segment -> RestClient.encoded(segment.toString()))
            .collect(Collectors.joining("/"));
    return address.put("uri", relative).put("uriBaseId", BASE);
  }
}
