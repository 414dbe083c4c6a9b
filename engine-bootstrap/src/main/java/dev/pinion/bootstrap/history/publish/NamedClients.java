package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.model.RenewedHttpClient;
import java.net.http.HttpClient;
import java.security.NoSuchAlgorithmException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Clients over TLS, one for each name that a server has to prove: a connection of one name serves
 * no other that has the same address. Those of the names used last are kept. Any thread.
 */
final class NamedClients implements AutoCloseable {
  /** Most clients that are kept; an older one ends with its last response. */
  static final int MAX_NAMES = 64;

  private final Supplier<HttpClient.Builder> builders;
  private final @Nullable SSLContext tls;
  private final LongSupplier nanoTime;
  private final Map<String, RenewedHttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * No clients yet.
   *
   * @param builders begin each client
   * @param tls judges certificates; null for what the JVM does
   * @param nanoTime monotonic time in nanoseconds
   */
  NamedClients(
      Supplier<HttpClient.Builder> builders, @Nullable SSLContext tls, LongSupplier nanoTime) {
    this.builders = builders;
    this.tls = tls;
    this.nanoTime = nanoTime;
  }

  /**
   * Uses the client for servers of a name.
   *
   * @param name name of a host, no address
   * @throws IllegalArgumentException when it is none that TLS knows
   */
  synchronized <T, E extends Exception> T with(String name, RenewedHttpClient.Use<T, E> use)
      throws E {
    RenewedHttpClient known = clients.get(name);
    if (known == null) {
      known = new RenewedHttpClient(() -> client(name), nanoTime);
      clients.put(name, known);
      retireOldest();
    }
    return known.with(use);
  }

  private HttpClient client(String name) {
    try {
      ServerNameTls named = new ServerNameTls(tls == null ? SSLContext.getDefault() : tls, name);
      return builders.get().sslContext(named).sslParameters(named.parameters()).build();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("TLS could not be set up: " + e.getMessage(), e);
    }
  }

  private void retireOldest() {
    if (clients.size() > MAX_NAMES) {
      Iterator<RenewedHttpClient> oldest = clients.values().iterator();
      oldest.next().retire();
      oldest.remove();
    }
  }

  /** Number of clients that are kept. */
  synchronized int size() {
    return clients.size();
  }

  @Override
  public synchronized void close() {
    clients.values().forEach(RenewedHttpClient::close);
    clients.clear();
  }
}
