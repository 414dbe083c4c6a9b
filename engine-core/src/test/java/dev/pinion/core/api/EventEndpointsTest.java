package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.model.DiskFullDetector;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** External events over HTTP: modes and answers. */
class EventEndpointsTest {
  private static final String EVENTS = "/v1/namespaces/shop/events";
  private static final String STRUCTURED = "Content-Type: application/cloudevents+json\r\n";
  private static final String BATCH = "Content-Type: application/cloudevents-batch+json\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String ATTRIBUTES =
      "ce-specversion: 1.0\r\nCE-Id: 1\r\nce-source: /crm\r\nce-type: changed\r\n";

  private final List<String> posted = Collections.synchronizedList(new ArrayList<>());
  private volatile CompletableFuture<EventReceipt> outcome = ended(new EventReceipt.Stored(1, 0));

  private static CompletableFuture<EventReceipt> ended(EventReceipt eventReceipt) {
    return CompletableFuture.completedFuture(eventReceipt);
  }

  private RequestHandlerServer served() {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.events =
        new ExternalEvents() {
          @Override
          public CompletableFuture<EventReceipt> post(String namespace, List<Payload> events) {
            posted.add(namespace + " " + Payload.array(events));
            return outcome;
          }
        };
    return new RequestHandlerServer(options);
  }

  @Test
  void shouldTakeEveryMode() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served();
        RawHttpClient client = requestHandlerServer.client()) {
      String one = "{\"id\":\"1\",\"data\":{\"a\":1}}";
      HttpReply reply = client.ask("POST", EVENTS, STRUCTURED, one);
      assertEquals(202, reply.status(), reply.body());
      assertEquals(1, Integer.parseInt(reply.body().replaceAll(".*\"accepted\":(\\d+).*", "$1")));
      client.ask("POST", EVENTS, BATCH, "[" + one + ",7]");
      client.ask("POST", EVENTS, BATCH, "[]");
      client.ask("POST", EVENTS, ATTRIBUTES + "ce-subject: \"K%C3%B6ln \\\"1\\\"\"\r\n", "");
      client.ask("POST", EVENTS, ATTRIBUTES + JSON, "[1]");
      client.ask("POST", EVENTS, ATTRIBUTES + "Content-Type: text/plain\r\n", "hi");
      client.ask("POST", EVENTS, ATTRIBUTES + "Content-Type: image/png\r\n", "hi");
      client.ask("POST", EVENTS, ATTRIBUTES + "Content-Type: text/plain;charset=utf-16\r\n", "hi!");
    }
    String event = "\"id\":\"1\",\"source\":\"/crm\",\"specversion\":\"1.0\",";
    assertEquals(
        List.of(
            "shop [{\"id\":\"1\",\"data\":{\"a\":1}}]",
            "shop [{\"id\":\"1\",\"data\":{\"a\":1}},7]",
            "shop []",
            "shop [{" + event + "\"subject\":\"Köln \\\"1\\\"\",\"type\":\"changed\"}]",
            "shop [{\"data\":[1],\"datacontenttype\":\"application/json\","
                + event
                + "\"type\":\"changed\"}]",
            "shop [{\"data\":\"hi\",\"datacontenttype\":\"text/plain\","
                + event
                + "\"type\":\"changed\"}]",
            "shop [{\"data_base64\":\"aGk=\",\"datacontenttype\":\"image/png\","
                + event
                + "\"type\":\"changed\"}]",
            "shop [{\"data_base64\":\"aGkh\",\"datacontenttype\":\"text/plain;charset=utf-16\","
                + event
                + "\"type\":\"changed\"}]"),
        posted);
  }

  @Test
  void shouldRefuseWhatIsNoEventByItsForm() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served();
        RawHttpClient client = requestHandlerServer.client()) {
      for (String fields :
          List.of(
              JSON,
              BATCH,
              ATTRIBUTES + "ce-id: 2\r\n" + JSON,
              ATTRIBUTES + "ce-data: 2\r\n" + JSON,
              ATTRIBUTES + "ce-subject: %4\r\n" + JSON,
              ATTRIBUTES + "ce-subject: %FF\r\n" + JSON)) {
        HttpReply reply = client.ask("POST", EVENTS, fields, "{}");
        assertEquals(400, reply.status(), fields);
        assertTrue(reply.body().contains("\"code\":\"bad-body\""), reply.body());
      }
      assertEquals(400, client.ask("POST", EVENTS, STRUCTURED, "{").status());
      assertEquals(415, client.ask("POST", EVENTS, "Content-Type: text/plain\r\n", "x").status());
      assertEquals(404, client.ask("POST", "/v1/namespaces/a_b/events", STRUCTURED, "{}").status());
    }
    assertEquals(List.of(), posted);
  }

  @Test
  void shouldTellWhatBecameOfThem() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served();
        RawHttpClient client = requestHandlerServer.client()) {
      tell(client, new EventReceipt.Malformed("no id"), 400, "bad-body");
      tell(client, new EventReceipt.ContentConflict("other data"), 409, "event-conflict");
      tell(client, new EventReceipt.StoreFull("events.maxKept"), 503, "overload");
      HttpReply full =
          tell(client, new EventReceipt.NoDiskSpace(), 507, "disk-full"); // Field fault 21
      assertEquals("5", full.header("retry-after"));
      assertTrue(full.body().contains(DiskFullDetector.DETAIL), full.body());
      for (EventReceipt later :
          List.of(
              new EventReceipt.QueueFull("events.maxWaiting"),
              new EventReceipt.StoreUnavailable("locked"))) {
        boolean busy = later instanceof EventReceipt.QueueFull;
        HttpReply reply =
            tell(client, later, busy ? 429 : 503, busy ? "too-many-events" : "events-unavailable");
        assertTrue(reply.headers().containsKey("retry-after"), reply.toString());
      }
    }
  }

  /** Field fault 1: no values are made of events while values on their way fill the heap. */
  @Test
  void shouldRefuseEventsWhileThereIsNoRoomForThem() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served();
        RawHttpClient client = requestHandlerServer.client()) {
      requestHandlerServer.heap.open().add(requestHandlerServer.heap.bound());
      assertEquals(202, client.ask("POST", EVENTS, STRUCTURED, "{}").status(), "instances wait");
      long counted = requestHandlerServer.heap.beginTransfer(requestHandlerServer.heap.bound());
      HttpReply full = client.ask("POST", EVENTS, STRUCTURED, "{}");
      assertEquals(503, full.status(), full.body());
      assertTrue(full.headers().containsKey("retry-after"), full.toString());
      requestHandlerServer.heap.endTransfer(counted);
      assertEquals(202, client.ask("POST", EVENTS, STRUCTURED, "{}").status());
    }
    assertEquals(2, posted.size());
  }

  private HttpReply tell(RawHttpClient client, EventReceipt told, int status, String code)
      throws Exception {
    outcome = ended(told);
    HttpReply reply = client.ask("POST", EVENTS, STRUCTURED, "{}");
    assertEquals(status, reply.status(), reply.body());
    assertTrue(reply.body().contains("\"code\":\"" + code + "\""), reply.body());
    return reply;
  }

  @Test
  void shouldSayThatThereIsNoPlaceForEvents() throws Exception {
    try (RequestHandlerServer requestHandlerServer = RequestHandlerServer.plain();
        RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(503, client.ask("POST", EVENTS, STRUCTURED, "{}").status());
    }
  }
}
