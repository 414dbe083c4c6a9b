package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.admin.AdminRoutes;
import dev.pinion.bootstrap.admin.AdminServer;
import dev.pinion.bootstrap.settings.AdminPort;
import dev.pinion.core.http.AllowedHosts;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listener for operators, if the settings enable it. */
final class AdminListener implements AutoCloseable {
  private final @Nullable AdminServer server;

  private AdminListener(@Nullable AdminServer server) {
    this.server = server;
  }

  /**
   * Opens the listener.
   *
   * @param given its port, or empty for no listener
   * @param pages its routes
   * @param hosts names and addresses permitted in requests
   * @param note receives a message when the port is not the one that operators expect
   * @throws IOException when the port is taken and no other is permitted
   */
  static AdminListener open(
      Optional<AdminPort> given, AdminRoutes pages, AllowedHosts hosts, Consumer<String> note)
      throws IOException {
    if (given.isEmpty()) {
      return new AdminListener(null);
    }
    AdminPort port = given.get();
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

  /** Address of the listener, or null when it is off. */
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
