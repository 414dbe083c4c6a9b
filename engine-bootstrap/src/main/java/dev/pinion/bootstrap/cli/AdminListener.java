package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.admin.AdminPages;
import dev.pinion.bootstrap.admin.AdminServer;
import dev.pinion.bootstrap.config.AdminPort;
import dev.pinion.core.model.OwnHosts;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listener for operators, where the settings want it. */
final class AdminListener implements AutoCloseable {
  private final @Nullable AdminServer server;

  private AdminListener(@Nullable AdminServer server) {
    this.server = server;
  }

  /**
   * Opens it.
   *
   * @param port where, or null for nowhere
   * @param pages what it shows
   * @param hosts names and addresses under which it may be called
   * @param note told when it is elsewhere than operators expect
   * @throws IOException when the port is taken and no other will do
   */
  static AdminListener open(
      @Nullable AdminPort port, AdminPages pages, OwnHosts hosts, Consumer<String> note)
      throws IOException {
    if (port == null) {
      return new AdminListener(null);
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try {
      return new AdminListener(AdminServer.open(loopback, port.port(), pages, hosts));
    } catch (BindException e) {
      if (!port.elseAny()) {
        throw new IOException(
            "expected to listen for operators at port "
                + port.port()
                + " (--admin-port), but could not: "
                + e.getMessage(),
            e);
      }
      AdminListener other = new AdminListener(AdminServer.open(loopback, 0, pages, hosts));
      note.accept("port " + port.port() + " is taken: operators are answered at " + other.uri());
      return other;
    }
  }

  /** Where it answers, or null when it is off. */
  @Nullable URI uri() {
    return server == null ? null : server.uri();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
