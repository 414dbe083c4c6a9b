package dev.pinion.handlers.builtin.data;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.RenewedHttpClient;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.builtin.FileSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table that a service provides, requested again with its entity tag on a separate thread. A new
 * address of the service's name is used within a minute. While the service is unreachable or
 * answers with something else, the last good table stays in force, and the failure is logged once.
 */
final class HttpTableSource implements TableSource {
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(HttpTableSource.class);
  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;

  private final URI uri;
  private final int maxBytes;
  private final ReferenceTable.Form form;
  private final ScheduledExecutorService thread;
  private final RenewedHttpClient client;
  private volatile ReferenceTable table;
  private @Nullable String tag; // used by the checking thread, under the lock of this
  private boolean failing;

  private HttpTableSource(URI uri, int maxBytes, ReferenceTable.Form form, LongSupplier nanoTime)
      throws IOException, InterruptedException {
    this.uri = uri;
    this.maxBytes = maxBytes;
    this.form = form;
    this.client =
        new RenewedHttpClient(
            () ->
                HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TIMEOUT)
                    .build(),
            nanoTime);
    ReferenceTable first;
    try {
      first = fetch();
      if (first == null) {
        throw new IOException("expected a table, found that it has not changed");
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      client.close();
      throw e;
    }
    this.table = first;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("reference-" + uri.getHost()).factory());
  }

  /**
   * Reads the table at the setting {@code url}, and requests it again every {@code reload}.
   *
   * @throws IllegalArgumentException when that fails; it has then been reported as a problem of the
   *     settings
   */
  static HttpTableSource opened(Settings settings, int maxBytes, ReferenceTable.Form form) {
    return opened(settings, maxBytes, form, System::nanoTime);
  }

  /**
   * The same with another clock.
   *
   * @param nanoTime monotonic time in nanoseconds, by which connections age
   */
  @SuppressWarnings("FutureReturnValueIgnored") // ends with its thread
  static HttpTableSource opened(
      Settings settings, int maxBytes, ReferenceTable.Form form, LongSupplier nanoTime) {
    String url = settings.text("url");
    Duration reload =
        settings.duration("reload", FileSnapshot.DEFAULT_RELOAD, FileSnapshot.MAX_RELOAD);
    String found;
    try {
      HttpTableSource opened = new HttpTableSource(checked(url), maxBytes, form, nanoTime);
      long nanos = reload.toNanos();
      opened.thread.scheduleWithFixedDelay(opened::check, nanos, nanos, TimeUnit.NANOSECONDS);
      return opened;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      found = "an interruption";
    } catch (IOException | IllegalArgumentException e) {
      found = e.toString();
    }
    settings.problem("url", "expected a URL that answers with a table, found: " + found);
    throw new IllegalArgumentException("unusable table at " + url);
  }

  private static URI checked(String url) {
    URI uri = URI.create(url);
    boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!http || uri.getHost() == null || uri.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "expected an http or https URL without credentials, found another one");
    }
    return uri;
  }

  @Override
  public @Nullable Payload row(String key) {
    return table.row(key);
  }

  /** The table in force. */
  ReferenceTable table() {
    return table;
  }

  /** Checks whether there is another table. */
  synchronized void check() {
    try {
      ReferenceTable now = fetch();
      if (now != null) {
        table = now;
        LOG.info("read {} again: {} rows", uri, now.size());
      }
      failing = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        LOG.error("expected a table from {}, found {}; the last good one holds", uri, e.toString());
      }
      failing = true;
    }
  }

  private HttpResponse<InputStream> send(HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return client
          .with(each -> each.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream()))
          .get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  /** The table, or null when it is the one that is known. */
  private @Nullable ReferenceTable fetch() throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(TIMEOUT);
    if (tag != null) {
      request.header("If-None-Match", tag);
    }
    HttpResponse<InputStream> answer = send(request.build());
    try (InputStream body = answer.body()) {
      if (answer.statusCode() == NOT_MODIFIED && tag != null) {
        return null;
      }
      if (answer.statusCode() != OK) {
        throw new IOException("expected the status 200, found " + answer.statusCode());
      }
      byte[] bytes = body.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw new IOException("expected at most " + maxBytes + " B, found more");
      }
      ReferenceTable read = form.read(bytes);
      tag = answer.headers().firstValue("etag").orElse(null);
      return read;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    client.close();
  }
}
