package dev.pinion.core.api.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.FakeDefinitionCatalog;
import dev.pinion.core.api.FakeKernels;
import dev.pinion.core.api.RawHttpClient;
import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.RequestHandlerServer;
import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.binding.ServedFraction;
import dev.pinion.core.binding.Throttle;
import dev.pinion.core.binding.ThrottleRule;
import dev.pinion.core.binding.UnservedRule;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.peer.PeerCallerHeader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceClassAdmissionTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final String GOLD = "{\"labels\":{\"pinion.class\":\"gold\"}}";
  private static final BindingTable TABLE =
      new BindingTable(
          7,
          "basic",
          Map.of("gold", Map.of(), "silver", Map.of(), "basic", Map.of()),
          Map.of("ann", List.of("gold"), "b\u00f6b", List.of("silver", "gold")),
          Map.of("gold", Map.of("ann", 2.0, "", 0.5), "basic", Map.of("", 4.0)),
          Map.of(
              "tin",
              new ServedFraction(0, () -> false),
              "iron",
              new ServedFraction(0.5, () -> true)));

  /** Determines the caller by a field that only it reads. */
  private static final Interceptor AUTHENTICATED =
      new Interceptor() {
        @Override
        public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
          return point == InterceptionPoint.REQUEST_IN;
        }

        @Override
        public void handle(HttpMessage message, Continuation then) {
          String key = message.fields().get("x-key");
          then.end(
              new InterceptionVerdict.Proceed(
                  key == null
                      ? message
                      : message.withCaller(key.equals("1") ? "ann" : "b\u00f6b")));
        }
      };

  private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
  private volatile long waitNanos;

  private static RequestHandlerServer served(CallerRule rule, String header) {
    return served(
        rule,
        header,
        ThrottleRule.OFF,
        (serviceClass, user, rate) -> {
          throw new IllegalStateException("asked although it is off");
        });
  }

  private RequestHandlerServer served(CallerRule rule, ThrottleRule throttle) {
    return served(
        rule,
        "",
        throttle,
        (serviceClass, user, rate) -> {
          taken.add(serviceClass + "/" + user + "/" + rate);
          return waitNanos;
        });
  }

  private static RequestHandlerServer served(
      CallerRule rule, String header, ThrottleRule throttling, Throttle throttle) {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.interceptor = AUTHENTICATED;
    options.bindings =
        new BindingSource() {
          @Override
          public BindingTable current() {
            return TABLE;
          }

          @Override
          public BindingRules rules() {
            return new BindingRules(rule, header, UnservedRule.WARN, throttling);
          }

          @Override
          public Throttle throttle() {
            return throttle;
          }
        };
    RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options);
    requestHandlerServer.kernels.byHand();
    return requestHandlerServer;
  }

  /** The class of the instance that a request starts, or null. */
  private static @Nullable String classOf(
      RequestHandlerServer requestHandlerServer, String body, String... fields) throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(post(body, fields));
      Command.Start start = requestHandlerServer.kernels.next(Command.Start.class);
      requestHandlerServer.kernels.reply(
          start.replyTo(), new Reply.Accepted(FakeKernels.ID, FakeDefinitionCatalog.KEY));
      assertEquals(202, client.read().status());
      return start.tags().labels().get(Tags.SERVICE_CLASS);
    }
  }

  private static HttpReply refused(
      RequestHandlerServer requestHandlerServer, String body, String... fields) throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(post(body, fields));
      return client.read();
    }
  }

  private static String post(String body, String... fields) {
    StringBuilder head = new StringBuilder("POST " + START + " HTTP/1.1\r\nHost: localhost\r\n");
    head.append("Content-Type: application/json\r\nPrefer: respond-async\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return head + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  @Test
  void shouldTakeTheWordOfTheClientByDefault() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(CallerRule.LABEL, "")) {
      assertEquals("gold", classOf(requestHandlerServer, GOLD));
      assertEquals(null, classOf(requestHandlerServer, "{}", "X-Key: 1"));
    }
  }

  @Test
  void shouldFindTheClassByTheContractOfWhoeverHandlersKnow() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(CallerRule.CONTRACT, "")) {
      assertEquals("gold", classOf(requestHandlerServer, "{}", "X-Key: 1"));
      assertEquals("silver", classOf(requestHandlerServer, "{}", "X-Key: 2"), "the first");
      assertEquals("gold", classOf(requestHandlerServer, GOLD, "X-Key: 2"), "the one named");
      assertEquals(
          null, classOf(requestHandlerServer, "{}"), "the default of whatever table is in force");
      assertEquals("basic", classOf(requestHandlerServer, GOLD.replace("gold", "basic")));
    }
  }

  @Test
  void shouldRefuseAClassThatWasNotContracted() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(CallerRule.CONTRACT, "")) {
      for (HttpReply reply :
          List.of(
              refused(requestHandlerServer, GOLD),
              refused(requestHandlerServer, GOLD.replace("gold", "silver"), "X-Key: 1"))) {
        assertEquals(403, reply.status());
        assertTrue(reply.body().contains("not-contracted"), reply.body());
      }
    }
  }

  @Test
  void shouldServeOnlyCallersWithContractsWhereThatIsTheRule() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(CallerRule.CONTRACT_ONLY, "X-User")) {
      assertEquals("gold", classOf(requestHandlerServer, "{}", "X-Key: 1"));
      HttpReply nobody = refused(requestHandlerServer, "{}");
      assertEquals(401, nobody.status());
      assertEquals("Caller realm=\"contracts\"", nobody.header("www-authenticate"));
      HttpReply stranger = refused(requestHandlerServer, "{}", "X-User: eve");
      assertEquals(403, stranger.status());
      assertTrue(stranger.body().contains("eve"), stranger.body());
    }
  }

  @Test
  void shouldReadTheFieldOfAGatewayOnlyWhereNoHandlerKnows() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(CallerRule.CONTRACT_ONLY, "X-User")) {
      assertEquals("gold", classOf(requestHandlerServer, "{}", "X-User: ann"));
      assertEquals("silver", classOf(requestHandlerServer, "{}", "X-User: ann", "X-Key: 2"));
    }
    try (RequestHandlerServer requestHandlerServer = served(CallerRule.CONTRACT_ONLY, "")) {
      assertEquals(401, refused(requestHandlerServer, "{}", "X-User: ann").status());
    }
  }

  @Test
  void shouldNotBelieveWhatClientsWriteInThePlaceOfReplicas() throws Exception {
    try (RequestHandlerServer requestHandlerServer = served(CallerRule.CONTRACT_ONLY, "")) {
      assertEquals(
          401, refused(requestHandlerServer, "{}", PeerCallerHeader.FIELD + ": ann").status());
    }
  }

  @Test
  void shouldHoldCallersToWhatWasContracted() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
        served(CallerRule.CONTRACT, ThrottleRule.REFUSE)) {
      classOf(requestHandlerServer, "{}", "X-Key: 1");
      classOf(requestHandlerServer, "{}", "X-Key: 2"); // of a class without a rate
      classOf(requestHandlerServer, "{}");
      assertEquals(List.of("gold/ann/2.0", "basic//4.0"), taken);
      waitNanos = 2_000_000_001L;
      HttpReply beyond = refused(requestHandlerServer, "{}", "X-Key: 1");

      assertEquals(429, beyond.status());
      assertEquals("3", beyond.header("retry-after"));
      assertTrue(beyond.body().contains("\"code\":\"throttled\""), beyond.body());
      assertTrue(beyond.body().contains("\"rate\":2.0"), beyond.body());
      waitNanos = 2_000_000_000L;
      assertEquals("2", refused(requestHandlerServer, "{}", "X-Key: 1").header("retry-after"));
      assertEquals(
          "silver", classOf(requestHandlerServer, "{}", "X-Key: 2"), "nothing to measure by");
    }
  }

  @Test
  void shouldHoldAClassToItsRateWhereNobodyIsAskedWhoCalls() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
        served(CallerRule.LABEL, ThrottleRule.REFUSE)) {
      classOf(requestHandlerServer, GOLD, "X-Key: 1");
      classOf(requestHandlerServer, "{}");
      classOf(requestHandlerServer, GOLD.replace("gold", "unknown"));
      assertEquals(List.of("gold//2.5", "basic//4.0", "basic//4.0"), taken);
      waitNanos = 1;
      assertEquals("1", refused(requestHandlerServer, GOLD).header("retry-after"));
    }
  }

  @Test
  void shouldTurnAwayWhatThePlanDoesNotServe() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
        served(CallerRule.LABEL, ThrottleRule.REFUSE)) {
      HttpReply refused = refused(requestHandlerServer, GOLD.replace("gold", "tin"));
      assertEquals(503, refused.status());
      assertEquals("10", refused.header("retry-after"));
      assertTrue(refused.body().contains("\"code\":\"class-not-served\""), refused.body());
      assertTrue(refused.body().contains("\"class\":\"tin\""), refused.body());
      assertTrue(refused.body().contains("\"plan\":7"), refused.body());
      assertTrue(refused.body().contains("\"served\":0"), refused.body());
      assertEquals(List.of(), taken, "takes nothing of the rate");
      assertEquals(
          "iron", classOf(requestHandlerServer, GOLD.replace("gold", "iron")), "the part that is");
    }
    try (RequestHandlerServer requestHandlerServer =
        served(CallerRule.CONTRACT, ThrottleRule.OFF)) {
      assertEquals("gold", classOf(requestHandlerServer, "{}", "X-Key: 1"), "others are");
    }
  }

  @Test
  void shouldOnlyCountWhereThatIsTheRule() throws Exception {
    try (RequestHandlerServer requestHandlerServer =
        served(CallerRule.LABEL, ThrottleRule.REPORT)) {
      waitNanos = 1;
      assertEquals("gold", classOf(requestHandlerServer, GOLD));
      assertEquals(1, taken.size());
    }
  }
}
