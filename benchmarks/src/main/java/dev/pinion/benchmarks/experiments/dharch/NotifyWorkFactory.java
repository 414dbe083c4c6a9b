package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Work;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Eventing of the paper's Table 1 (WS-Eventing), and the service behind its handlers: calls {@code
 * uri} over HTTP, {@code size} times in sequence, as a source of events calls the manager of its
 * subscriptions and each subscriber.
 */
public final class NotifyWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-notify";

  private static final int MAX_CALLS = 1_024;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** For the service loader. */
  public NotifyWorkFactory() {
    super(NAME, "Notifies subscribers of the experiments by HTTP.");
  }

  @Override
  Declaration declaration() {
    return super.declaration().with(Work.IO).with(EffectClass.ATOMIC);
  }

  @Override
  BodyWork work(Settings settings) {
    return to(URI.create(settings.text("uri")), settings.integer("size", 1, 1, MAX_CALLS));
  }

  /** Work that calls an address this number of times. */
  BodyWork to(URI uri, int calls) {
    return new Notifying(uri, calls);
  }

  private final class Notifying implements BodyWork {
    private final HttpClient client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest request;
    private final int calls;

    Notifying(URI uri, int calls) {
      this.calls = calls;
      this.request =
          HttpRequest.newBuilder(uri)
              .timeout(PATIENCE)
              .header("content-type", "application/json")
              .POST(BodyPublishers.ofString("{\"value\":1}"))
              .build();
    }

    @Override
    public Changes of(byte[] body) throws IOException, InterruptedException {
      for (int call = 0; call < calls; call++) {
        HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
        if (answer.statusCode() != 200) {
          throw new IOException(
              "expected 200 of " + request.uri() + ", found " + answer.statusCode());
        }
      }
      return result(calls + " notified");
    }

    @Override
    public void close() {
      client.shutdownNow();
    }
  }
}
