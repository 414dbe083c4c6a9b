package dev.pinion.benchmarks.bare;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;

/** Runs a server that was started for a measurement until its starter ends. */
public final class ServerLifetime {
  private ServerLifetime() {}

  /**
   * Prints the address of the server and waits for the end of the input.
   *
   * @param starter input that ends with the process that started this one
   */
  public static void run(SingleLoopServer server, PrintWriter out, InputStream starter)
      throws IOException {
    try (server) {
      ObjectNode ready = JsonNodeFactory.instance.objectNode();
      ready.put("ready", server.uri().toString()).put("pid", ProcessHandle.current().pid());
      out.println(ready);
      out.flush();
      starter.transferTo(OutputStream.nullOutputStream());
    }
  }
}
