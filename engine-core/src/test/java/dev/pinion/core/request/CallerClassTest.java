package dev.pinion.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.model.BindingRules;
import dev.pinion.core.model.BindingTable;
import dev.pinion.core.model.CallerRule;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.ServedPart;
import dev.pinion.core.model.Tags;
import dev.pinion.core.model.ThrottleRule;
import dev.pinion.core.model.UnservedRule;
import dev.pinion.core.request.RawClient.Reply;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.Decision;
import dev.pinion.core.spi.Passage;
import dev.pinion.core.spi.Throttle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallerClassTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final String GOLD = "{\"labels\":{\"pinion.class\":\"gold\"}}";
  private static final BindingTable TABLE =
      new BindingTable(
          7,
          "basic",
          Map.of("gold", Map.of(), "silver", Map.of(), "basic", Map.of()),
          Map.of("ann", List.of("gold"), "b\u00f6b", List.of("silver", "gold")),
          Map.of("gold", Map.of("ann", 2.0, "", 0.5), "basic", Map.of("", 4.0)),
          Map.of("tin", new ServedPart(0, () -> false), "iron", new ServedPart(0.5, () -> true)));

  /** Determines the caller by a field that only it reads. */
  private static final Around AUTHENTICATED =
      new Around() {
        @Override
        public boolean handles(Point point, @Nullable DefinitionKey definition) {
          return point == Point.REQUEST_IN;
        }

        @Override
        public void handle(Passage message, Continuation then) {
          String key = message.fields().get("x-key");
          then.end(
              new Decision.Proceed(
                  key == null ? message : message.by(key.equals("1") ? "ann" : "b\u00f6b")));
        }
      };

  private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
  private volatile long waitNanos;

  private static Served served(CallerRule rule, String header) {
    return served(
        rule,
        header,
        ThrottleRule.OFF,
        (serviceClass, user, rate) -> {
          throw new IllegalStateException("asked although it is off");
        });
  }

  private Served served(CallerRule rule, ThrottleRule throttle) {
    return served(
        rule,
        "",
        throttle,
        (serviceClass, user, rate) -> {
          taken.add(serviceClass + "/" + user + "/" + rate);
          return waitNanos;
        });
  }

  private static Served served(
      CallerRule rule, String header, ThrottleRule throttling, Throttle throttle) {
    Served.Options options = new Served.Options();
    options.around = AUTHENTICATED;
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
    Served served = new Served(options);
    served.kernels.byHand();
    return served;
  }

  /** The class of the instance that a request starts, or null. */
  private static @Nullable String classOf(Served served, String body, String... fields)
      throws Exception {
    try (RawClient client = served.client()) {
      client.send(post(body, fields));
      KernelEvent.Start start = served.kernels.next(KernelEvent.Start.class);
      served.kernels.reply(
          start.replyTo(), new KernelReply.Accepted(FakeKernels.ID, FakeDefinitions.KEY));
      assertEquals(202, client.read().status());
      return start.tags().labels().get(Tags.SERVICE_CLASS);
    }
  }

  private static Reply refused(Served served, String body, String... fields) throws Exception {
    try (RawClient client = served.client()) {
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
    try (Served served = served(CallerRule.LABEL, "")) {
      assertEquals("gold", classOf(served, GOLD));
      assertEquals(null, classOf(served, "{}", "X-Key: 1"));
    }
  }

  @Test
  void shouldFindTheClassByTheContractOfWhoeverHandlersKnow() throws Exception {
    try (Served served = served(CallerRule.CONTRACT, "")) {
      assertEquals("gold", classOf(served, "{}", "X-Key: 1"));
      assertEquals("silver", classOf(served, "{}", "X-Key: 2"), "the first");
      assertEquals("gold", classOf(served, GOLD, "X-Key: 2"), "the one named");
      assertEquals(null, classOf(served, "{}"), "the default of whatever table is in force");
      assertEquals("basic", classOf(served, GOLD.replace("gold", "basic")));
    }
  }

  @Test
  void shouldRefuseAClassThatWasNotContracted() throws Exception {
    try (Served served = served(CallerRule.CONTRACT, "")) {
      for (Reply reply :
          List.of(
              refused(served, GOLD), refused(served, GOLD.replace("gold", "silver"), "X-Key: 1"))) {
        assertEquals(403, reply.status());
        assertTrue(reply.body().contains("not-contracted"), reply.body());
      }
    }
  }

  @Test
  void shouldServeOnlyCallersWithContractsWhereThatIsTheRule() throws Exception {
    try (Served served = served(CallerRule.CONTRACT_ONLY, "X-User")) {
      assertEquals("gold", classOf(served, "{}", "X-Key: 1"));
      Reply nobody = refused(served, "{}");
      assertEquals(401, nobody.status());
      assertEquals("Caller realm=\"contracts\"", nobody.header("www-authenticate"));
      Reply stranger = refused(served, "{}", "X-User: eve");
      assertEquals(403, stranger.status());
      assertTrue(stranger.body().contains("eve"), stranger.body());
    }
  }

  @Test
  void shouldReadTheFieldOfAGatewayOnlyWhereNoHandlerKnows() throws Exception {
    try (Served served = served(CallerRule.CONTRACT_ONLY, "X-User")) {
      assertEquals("gold", classOf(served, "{}", "X-User: ann"));
      assertEquals("silver", classOf(served, "{}", "X-User: ann", "X-Key: 2"));
    }
    try (Served served = served(CallerRule.CONTRACT_ONLY, "")) {
      assertEquals(401, refused(served, "{}", "X-User: ann").status());
    }
  }

  @Test
  void shouldNotBelieveWhatClientsWriteInThePlaceOfReplicas() throws Exception {
    try (Served served = served(CallerRule.CONTRACT_ONLY, "")) {
      assertEquals(401, refused(served, "{}", PeerCaller.FIELD + ": ann").status());
    }
  }

  @Test
  void shouldHoldCallersToWhatWasContracted() throws Exception {
    try (Served served = served(CallerRule.CONTRACT, ThrottleRule.REFUSE)) {
      classOf(served, "{}", "X-Key: 1");
      classOf(served, "{}", "X-Key: 2"); // of a class without a rate
      classOf(served, "{}");
      assertEquals(List.of("gold/ann/2.0", "basic//4.0"), taken);
      waitNanos = 2_000_000_001L;
      Reply beyond = refused(served, "{}", "X-Key: 1");

      assertEquals(429, beyond.status());
      assertEquals("3", beyond.header("retry-after"));
      assertTrue(beyond.body().contains("\"code\":\"throttled\""), beyond.body());
      assertTrue(beyond.body().contains("\"rate\":2.0"), beyond.body());
      waitNanos = 2_000_000_000L;
      assertEquals("2", refused(served, "{}", "X-Key: 1").header("retry-after"));
      assertEquals("silver", classOf(served, "{}", "X-Key: 2"), "nothing to measure by");
    }
  }

  @Test
  void shouldHoldAClassToItsRateWhereNobodyIsAskedWhoCalls() throws Exception {
    try (Served served = served(CallerRule.LABEL, ThrottleRule.REFUSE)) {
      classOf(served, GOLD, "X-Key: 1");
      classOf(served, "{}");
      classOf(served, GOLD.replace("gold", "unknown"));
      assertEquals(List.of("gold//2.5", "basic//4.0", "basic//4.0"), taken);
      waitNanos = 1;
      assertEquals("1", refused(served, GOLD).header("retry-after"));
    }
  }

  @Test
  void shouldTurnAwayWhatThePlanDoesNotServe() throws Exception {
    try (Served served = served(CallerRule.LABEL, ThrottleRule.REFUSE)) {
      Reply refused = refused(served, GOLD.replace("gold", "tin"));
      assertEquals(503, refused.status());
      assertEquals("10", refused.header("retry-after"));
      assertTrue(refused.body().contains("\"code\":\"class-not-served\""), refused.body());
      assertTrue(refused.body().contains("\"class\":\"tin\""), refused.body());
      assertTrue(refused.body().contains("\"plan\":7"), refused.body());
      assertTrue(refused.body().contains("\"served\":0"), refused.body());
      assertEquals(List.of(), taken, "takes nothing of the rate");
      assertEquals("iron", classOf(served, GOLD.replace("gold", "iron")), "the part that is");
    }
    try (Served served = served(CallerRule.CONTRACT, ThrottleRule.OFF)) {
      assertEquals("gold", classOf(served, "{}", "X-Key: 1"), "others are");
    }
  }

  @Test
  void shouldOnlyCountWhereThatIsTheRule() throws Exception {
    try (Served served = served(CallerRule.LABEL, ThrottleRule.REPORT)) {
      waitNanos = 1;
      assertEquals("gold", classOf(served, GOLD));
      assertEquals(1, taken.size());
    }
  }
}
