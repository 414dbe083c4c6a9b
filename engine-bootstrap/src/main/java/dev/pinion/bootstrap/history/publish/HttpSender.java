package dev.pinion.bootstrap.history.publish;

import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.model.RenewedHttpClient;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests over pooled connections; no thread waits for a response. For any thread.
 *
 * <p>Each goes to an address that the policy has checked: the connection is made to this address,
 * whatever the name resolves to by then, and to the next one when it refuses. Over TLS the server
 * has to prove the name. Connections are renewed so that changes of DNS take effect.
 */
public final class HttpSender implements AutoCloseable {
  private static final String RESTRICTED = "jdk.httpclient.allowRestrictedHeaders";

  /** Whether a request may name another host than the one to which it is sent. */
  private static final boolean MAY_NAME_HOST = mayNameHost();

  private final RenewedHttpClient client;
  private final NamedClients namedClients;
  private final Duration timeout;
  private final SinkPolicy policy;

  /**
   * A sender.
   *
   * @param executor runs actions after responses
   * @param timeout timeout of a whole response
   * @param policy permitted destinations
   */
  public HttpSender(Executor executor, Duration timeout, SinkPolicy policy) {
    this(executor, timeout, policy, System::nanoTime, null);
  }

  /**
   * The same with another clock and other certificates.
   *
   * @param nanoTime monotonic time in nanoseconds
   * @param tls judges certificates; null for what the JVM does
   */
  HttpSender(
      Executor executor,
      Duration timeout,
      SinkPolicy policy,
      LongSupplier nanoTime,
      @Nullable SSLContext tls) {
    this.policy = policy;
    this.timeout = timeout;
    Supplier<HttpClient.Builder> builders =
        () ->
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .executor(executor);
    this.client =
        new RenewedHttpClient(
            () -> (tls == null ? builders.get() : builders.get().sslContext(tls)).build(),
            nanoTime);
    this.namedClients = new NamedClients(builders, tls, nanoTime);
  }

  /**
   * The client reads the permitted header fields once, so this must be set before its first use.
   */
  private static boolean mayNameHost() {
    if (System.getProperty(RESTRICTED) == null) {
      System.setProperty(RESTRICTED, "host");
    }
    try {
      var _ = HttpRequest.newBuilder().header("Host", "localhost");
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Sends a request; completes with the status of the response once it is complete. Resolves the
   * address of the sink, which may take a while.
   *
   * @param sink the URI of the request
   */
  public CompletableFuture<Integer> send(HttpRequest.Builder request, URI sink) {
    List<InetAddress> addresses;
    try {
      addresses = policy.addresses(sink);
    } catch (SinkPolicy.ForbiddenSinkException | UnknownHostException e) {
      return CompletableFuture.failedFuture(e);
    }
    return MAY_NAME_HOST ? send(request, sink, addresses) : exchange(request, null);
  }

  /** Sends to the first of some addresses that accepts a connection. */
  CompletableFuture<Integer> send(
      HttpRequest.Builder request, URI sink, List<InetAddress> addresses) {
    request.uri(at(addresses.getFirst(), sink)).setHeader("Host", sink.getRawAuthority());
    CompletableFuture<Integer> sent = exchange(request, serverName(sink));
    List<InetAddress> others = addresses.subList(1, addresses.size());
    return others.isEmpty()
        ? sent
        : sent.exceptionallyCompose(
            failure ->
                isUnconnected(failure)
                    ? send(request, sink, others)
                    : CompletableFuture.failedFuture(failure));
  }

  private static boolean isUnconnected(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ConnectException;
  }

  /** The name that the server of a sink has to prove; null without TLS and for an address. */
  private static @Nullable String serverName(URI sink) {
    if (!"https".equalsIgnoreCase(sink.getScheme())) {
      return null;
    }
    String host = Objects.requireNonNull(sink.getHost()).toLowerCase(Locale.ROOT);
    boolean isAddress =
        host.startsWith("[") || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    return isAddress ? null : host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  /**
   * Sends a request.
   *
   * @param serverName the name that a server at an address has to prove; null for that of the URI
   */
  private CompletableFuture<Integer> exchange(
      HttpRequest.Builder request, @Nullable String serverName) {
    HttpRequest built = request.timeout(timeout).build();
    RenewedHttpClient.Use<CompletableFuture<HttpResponse<Void>>, RuntimeException> use =
        each -> each.sendAsync(built, HttpResponse.BodyHandlers.discarding());
    CompletableFuture<HttpResponse<Void>> sent;
    try {
      sent = serverName == null ? client.with(use) : namedClients.with(serverName, use);
    } catch (IllegalArgumentException e) { // a name that TLS does not know
      return CompletableFuture.failedFuture(e);
    }
    return sent.copy()
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (response, failure) -> {
              if (failure != null) {
                sent.cancel(true);
              }
            })
        .thenApply(HttpResponse::statusCode);
  }

  private static URI at(InetAddress address, URI sink) {
    String text = address.getHostAddress().replaceFirst("%.*", "");
    String host = address instanceof Inet6Address ? "[" + text + "]" : text;
    String port = sink.getPort() < 0 ? "" : ":" + sink.getPort();
    String query = sink.getRawQuery() == null ? "" : "?" + sink.getRawQuery();
    String scheme = sink.getScheme().toLowerCase(Locale.ROOT);
    return URI.create(scheme + "://" + host + port + sink.getRawPath() + query);
  }

  @Override
  public void close() {
    client.close();
    namedClients.close();
  }
}
