package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.stage.AncillaryThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions over HTTP: one request, whose response has one message after the other. A thread of
 * its own reads each response. Messages are sent over HTTP by the client of calls.
 */
final class HttpSubscriptions implements MessageBinding {
  private static final Logger LOG = LoggerFactory.getLogger(HttpSubscriptions.class);
  private static final String ACCEPT =
      "text/event-stream, application/x-ndjson;q=0.9, application/json;q=0.8, */*;q=0.1";
  private static final int SUCCESS = 200;
  private static final int REDIRECTION = 300;

  private final int maxBytes;
  private final Duration patience;
  private final Duration headPatience;
  private final ServerAddresses addresses;
  private final MessageTls tls;
  private final ThreadFactory threads;
  private @Nullable HttpClient client;

  HttpSubscriptions(ProtocolSettings settings, ServerAddresses addresses, MessageTls tls) {
    this.maxBytes = settings.limits().messages().maxBytes();
    this.patience = Duration.ofMillis(settings.limits().invoker().connectTimeoutMillis());
    this.headPatience = Duration.ofMillis(settings.limits().invoker().callTimeoutMillis());
    this.addresses = addresses;
    this.tls = tls;
    this.threads = new AncillaryThreadFactory("http-messages", settings.threads());
  }

  @Override
  public void publish(OutgoingMessage message) throws MessageFailure {
    throw new MessageFailure(
        ErrorType.CONFIGURATION, "expected a message over HTTP to be a call over HTTP");
  }

  private synchronized HttpClient client() {
    HttpClient known = client;
    if (known == null) {
      known =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(patience)
              .sslContext(tls.forSockets())
              .build();
      client = known;
    }
    return known;
  }

  @Override
  public MessageSource open(SubscriptionRequest request, MessageInbox inbox)
      throws MessageFailure, InterruptedException {
    var _ = addresses.of(request.endpoint().server());
    HttpResponse<InputStream> response = response(request);
    if (response.statusCode() < SUCCESS || response.statusCode() >= REDIRECTION) {
      close(response.body());
      throw MessageFailure.communication(
          "expected a status from 200 to 299 of the "
              + request.endpoint()
              + ", found "
              + response.statusCode());
    }
    HttpStream stream =
        HttpStream.of(
            response.headers().firstValue("Content-Type").orElse(null), response.body(), maxBytes);
    Thread reader = threads.newThread(() -> read(stream, inbox, request));
    reader.start();
    return finished -> {
      reader.interrupt();
      close(response.body());
    };
  }

  private HttpResponse<InputStream> response(SubscriptionRequest request)
      throws MessageFailure, InterruptedException {
    HttpCall carrier = request.carrier();
    try {
      HttpRequest.Builder made =
          HttpRequest.newBuilder(URI.create(carrier.uri()))
              .header("Accept", ACCEPT)
              .header("Cache-Control", "no-store")
              .timeout(headPatience) // until the head of the response is there
              .method(request.endpoint().options().method(), HttpRequest.BodyPublishers.noBody());
      String authorization = MessageCredentials.authorization(carrier);
      if (authorization != null) {
        made.header("Authorization", authorization);
      }
      return client().send(made.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException | IllegalArgumentException e) {
      throw MessageFailure.communication("an answer of the " + request.endpoint(), e);
    }
  }

  private static void read(HttpStream stream, MessageInbox inbox, SubscriptionRequest request) {
    try {
      for (InboundMessage each = stream.next(); each != null; each = stream.next()) {
        if (!inbox.put(each) && !inbox.awaitRoom()) {
          return;
        }
      }
      inbox.ended();
    } catch (IOException e) {
      inbox.failed(
          MessageFailure.communication("the answer of the " + request.endpoint() + " to go on", e));
    } catch (MessageFailure e) {
      inbox.failed(e);
    } catch (InterruptedException e) {
      LOG.debug("the subscription to the {} was closed", request.endpoint());
    }
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      LOG.debug("the answer to a subscription was closed before", e);
    }
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
      client = null;
    }
  }
}
