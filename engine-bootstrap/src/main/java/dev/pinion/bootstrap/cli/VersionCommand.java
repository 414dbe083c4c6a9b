package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows the version. */
@Command(name = "version", description = "Shows the version.", sortOptions = false)
public final class VersionCommand extends BaseCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    String version = version();
    if (json()) {
      ObjectNode node = CommandOutput.JSON.createObjectNode();
      node.put("version", version);
      node.put("java", System.getProperty("java.version"));
      CommandOutput.json(out(), node);
    } else {
      out().println("pinion " + version + " (Java " + System.getProperty("java.version") + ")");
    }
    return ExitStatus.OK;
  }

  /** The version of this build. */
  public static String version() throws IOException {
    Properties build = new Properties();
    try (InputStream in =
        VersionCommand.class.getResourceAsStream("/dev/pinion/bootstrap/build.properties")) {
      if (in != null) {
        build.load(in);
      }
    }
    return build.getProperty("version", "unknown");
  }
}
