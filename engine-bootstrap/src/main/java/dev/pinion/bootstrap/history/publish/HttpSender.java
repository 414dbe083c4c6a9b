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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sends requests over pooled connections; no thread waits for a response. For any thread.
 *
 * <p>Each goes to an address that the policy has checked. Over plain HTTP the connection is made to
 * this address, whatever the name resolves to by then, and to the next one when it refuses; over
 * TLS the server has to prove the name, and connections are renewed so that changes of DNS take
 * effect.
 */
public final class HttpSender implements AutoCloseable {
  private static final String RESTRICTED = "jdk.httpclient.allowRestrictedHeaders";

  /** Whether a request may name another host than the one to which it is sent. */
  private static final boolean MAY_NAME_HOST = mayNameHost();

  private final RenewedHttpClient client;
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
    this(executor, timeout, policy, System::nanoTime);
  }

  /**
   * The same with another clock.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  HttpSender(Executor executor, Duration timeout, SinkPolicy policy, LongSupplier nanoTime) {
    this.policy = policy;
    this.timeout = timeout;
    this.client =
        new RenewedHttpClient(
            () ->
                HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(timeout)
                    .executor(executor)
                    .build(),
            nanoTime);
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
    return MAY_NAME_HOST && "http".equalsIgnoreCase(sink.getScheme())
        ? send(request, sink, addresses)
        : send(request);
  }

  /** Sends to the first of some addresses that accepts a connection. */
  CompletableFuture<Integer> send(
      HttpRequest.Builder request, URI sink, List<InetAddress> addresses) {
    request.uri(at(addresses.getFirst(), sink)).setHeader("Host", sink.getRawAuthority());
    CompletableFuture<Integer> sent = send(request);
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

  private CompletableFuture<Integer> send(HttpRequest.Builder request) {
    HttpRequest built = request.timeout(timeout).build();
    CompletableFuture<HttpResponse<Void>> sent =
        client.with(each -> each.sendAsync(built, HttpResponse.BodyHandlers.discarding()));
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
    return URI.create("http://" + host + port + sink.getRawPath() + query);
  }

  @Override
  public void close() {
    client.close();
  }
}
