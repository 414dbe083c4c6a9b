package dev.pinion.benchmarks.experiments.globus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.model.call.CallbackAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A service that announces a later response, and leaves sending it to the caller of {@link
 * #nextAddress}. Listens on the loopback interface.
 */
final class CallbackService implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;
  private static final int NO_BODY = -1;

  private final HttpServer server;
  private final BlockingQueue<String> addresses = new LinkedBlockingQueue<>();

  CallbackService() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::accept);
    server.start();
  }

  private void accept(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String address = exchange.getRequestHeaders().getFirst(CallbackAddresses.FIELD);
      if (address != null) {
        addresses.add(address);
      }
      exchange.sendResponseHeaders(202, NO_BODY);
    }
  }

  /** Address of the service. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Address for the response to the next call: each address once, in the order of calls. */
  String nextAddress() throws IOException, InterruptedException {
    String address = addresses.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (address == null) {
      throw new IOException(
          "expected a call that may be answered later within "
              + PATIENCE_SECONDS
              + " s, found none");
    }
    return address;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
