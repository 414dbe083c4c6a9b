package dev.pinion.core.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient;
import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.RequestHandlerServer;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscriptions over HTTP, kept by a fake. */
class SubscriptionsApiTest {
  private static final String ALL = "/v1/subscriptions";
  private static final String ONE = ALL + "/s_1";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String WISH = "{\"sink\":\"http://localhost/\"}";

  /** Knows {@code s_1} only, and fails on request. */
  private static final class Fake implements Subscriptions {
    private static final Payload KEPT = Payload.object(Map.of("id", Payload.of("s_1")));

    private @Nullable InvalidSubscriptionException refusal;
    private Payload said = Payload.NULL;

    @Override
    public Payload subscription(Payload wish) throws InvalidSubscriptionException {
      refuse();
      said = wish;
      return KEPT;
    }

    @Override
    public @Nullable Payload find(String id) {
      return id.equals("s_1") ? KEPT : null;
    }

    @Override
    public List<Payload> list() {
      return List.of(KEPT);
    }

    @Override
    public @Nullable Payload change(String id, Payload changes)
        throws InvalidSubscriptionException {
      refuse();
      said = changes;
      return find(id);
    }

    @Override
    public boolean delete(String id) {
      return find(id) != null;
    }

    private void refuse() throws InvalidSubscriptionException {
      InvalidSubscriptionException now = refusal;
      if (now != null) {
        throw now;
      }
    }
  }

  private final Fake fake = new Fake();

  private RequestHandlerServer served() {
    History history =
        new History() {
          @Override
          public HistoryPage events(InstanceId id, long after, int limit) {
            throw new AssertionError("not asked for");
          }

          @Override
          public HistoryPage instances(Search search) {
            throw new AssertionError("not asked for");
          }

          @Override
          public Subscriptions subscriptions() {
            return fake;
          }
        };
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.history = new HistoryAccess(history, Runnable::run);
    return new RequestHandlerServer(options);
  }

  @Test
  void shouldMakeShowRenewAndEnd() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served();
        RawHttpClient client = requestHandlerServer.client()) {
      HttpReply made = client.ask("POST", ALL, JSON, WISH);
      assertEquals(201, made.status(), made.body());
      assertEquals(ONE, made.header("location"));
      assertEquals(WISH, fake.said.toString());
      assertEquals("{\"items\":[{\"id\":\"s_1\"}]}", client.get(ALL).body());
      assertEquals("{\"id\":\"s_1\"}", client.get(ONE).body());

      assertEquals(200, client.ask("PATCH", ONE, "", "").status());
      assertEquals("{}", fake.said.toString());
      String patch = "Content-Type: application/merge-patch+json\r\n";
      assertEquals(200, client.ask("PATCH", ONE, patch, "{\"leaseSeconds\":5}").status());
      assertEquals("{\"leaseSeconds\":5}", fake.said.toString());
      assertEquals(204, client.ask("DELETE", ONE, "", "").status());
    }
  }

  @Test
  void shouldTellWhatCannotBe() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served();
        RawHttpClient client = requestHandlerServer.client()) {
      for (String method : List.of("GET", "PATCH", "DELETE")) {
        HttpReply unknown = client.ask(method, ALL + "/s_2", "", "");
        assertEquals(404, unknown.status(), method);
        assertTrue(unknown.body().contains("s_2"), unknown.body());
      }
      fake.refusal = new Subscriptions.InvalidSubscriptionException("expected a sink");
      HttpReply bad = client.ask("POST", ALL, JSON, WISH);
      assertEquals(400, bad.status());
      assertTrue(bad.body().contains("expected a sink"), bad.body());
      fake.refusal = Subscriptions.InvalidSubscriptionException.atLimit("publish.maxSubscriptions");
      HttpReply full = client.ask("POST", ALL, JSON, WISH);
      assertEquals(503, full.status());
      assertTrue(full.body().contains("\"limit\":\"publish.maxSubscriptions\""), full.body());
      assertEquals(400, client.ask("POST", ALL, JSON, "{").status());
      assertEquals(415, client.ask("POST", ALL, "Content-Type: text/plain\r\n", WISH).status());
      for (String method : List.of("PATCH", "DELETE")) {
        HttpReply foreign = client.ask(method, ONE, "Sec-Fetch-Site: cross-site\r\n", "");
        assertEquals(403, foreign.status(), method);
      }
    }
  }

  @Test
  void shouldTakeBodiesUpToTheLimit() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.limits = Map.of("publish.maxSubscriptionBytes", 1_024);
    options.history = new HistoryAccess(History.NONE, Runnable::run);
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
        RawHttpClient client = requestHandlerServer.client()) {
      String fits = "{\"sink\":\"" + "x".repeat(1_024 - 11) + "\"}";
      assertEquals(1_024, fits.length());
      HttpReply taken = client.ask("POST", ALL, JSON, fits);
      assertEquals(503, taken.status());
      assertTrue(taken.body().contains("history-unavailable"), taken.body());
      assertEquals(413, client.ask("POST", ALL, JSON, fits + " ").status());
    }
  }
}
