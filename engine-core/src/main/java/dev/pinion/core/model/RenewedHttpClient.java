package dev.pinion.core.model;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * An HTTP client whose connections are renewed, so that changes of DNS take effect: the JDK's
 * client keeps a connection for as long as it is used often enough. After {@link #AGE}, less up to
 * a quarter, a new client with separate connections replaces the old one, which ends with its last
 * response. Any thread.
 */
public final class RenewedHttpClient implements AutoCloseable {
  /** Longest use of a client. */
  public static final Duration AGE = Duration.ofMinutes(1);

  private static final double LEAST_AGE = 0.75;
  private static final double GOLDEN_RATIO = 0.618033988749895;

  private final Supplier<HttpClient> maker;
  private final LongSupplier nanoTime;
  private int made;
  private HttpClient client;
  private long renewAtNanos;

  /**
   * A client that is renewed.
   *
   * @param maker makes each client
   */
  public RenewedHttpClient(Supplier<HttpClient> maker) {
    this(maker, System::nanoTime);
  }

  /**
   * The same with another clock.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  public RenewedHttpClient(Supplier<HttpClient> maker, LongSupplier nanoTime) {
    this.maker = maker;
    this.nanoTime = nanoTime;
    this.client = maker.get();
    this.renewAtNanos = renewAt();
  }

  /**
   * Time of the next renewal; multiples of the golden ratio spread ages over their last quarter.
   */
  private long renewAt() {
    double share = LEAST_AGE + (1 - LEAST_AGE) * (made++ * GOLDEN_RATIO % 1);
    return nanoTime.getAsLong() + (long) (AGE.toNanos() * share);
  }

  /** Uses the present client, for instance to begin a request. */
  public synchronized <T, E extends Exception> T with(Use<T, E> use) throws E {
    if (nanoTime.getAsLong() - renewAtNanos >= 0) {
      HttpClient old = client;
      client = maker.get();
      renewAtNanos = renewAt();
      old.shutdown();
    }
    return use.with(client);
  }

  /** Use of a client; no other thread uses or renews the client meanwhile. */
  @FunctionalInterface
  public interface Use<T, E extends Exception> {
    /** Uses the client. */
    T with(HttpClient client) throws E;
  }

  /** Lets the client end with its last response; it may not be used any more. */
  public synchronized void retire() {
    client.shutdown();
  }

  /** Closes the client and its connections. */
  @Override
  public synchronized void close() {
    client.shutdownNow();
  }
}
