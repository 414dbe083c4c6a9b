package dev.pinion.bootstrap.publish;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Sends requests over pooled connections; no thread waits for an answer. Any thread. */
final class HttpSender implements AutoCloseable {
  private final HttpClient client;
  private final Duration timeout;

  /**
   * A sender.
   *
   * @param executor runs what follows on answers
   * @param timeout for the whole of an answer
   */
  HttpSender(Executor executor, Duration timeout) {
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout)
            .executor(executor)
            .build();
  }

  /** Sends a request; what comes of it is the status of the answer, once it is all there. */
  CompletableFuture<Integer> send(HttpRequest.Builder request) {
    CompletableFuture<HttpResponse<Void>> sent =
        client.sendAsync(request.timeout(timeout).build(), HttpResponse.BodyHandlers.discarding());
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

  @Override
  public void close() {
    client.shutdownNow();
  }
}
