package dev.pinion.handlers;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Documents of chains, and the choice of a message's chain. */
class ChainRegistryTest {
  private static final EngineLimits LIMITS =
      EngineLimits.defaults()
          .with(
              Map.of(
                  "handlers.maxHandlers", 3,
                  "handlers.maxChains", 4,
                  "handlers.maxOwnChains", 2,
                  "handlers.maxOwnDocumentChars", 200));

  private final AtomicInteger open = new AtomicInteger();
  private final ChainReader reader =
      new ChainReader(
          HandlerKinds.of(List.of(new Tag(), new Pair("zip"), new Pair("unzip"))), LIMITS, null);
  private final ChainRegistry chainRegistry =
      new ChainRegistry(reader, new CallerRunsWorkers(Clock.system()), LIMITS);

  /** Writes a text into a property; counts how many such handlers are open. */
  private final class Tag implements HandlerFactory {
    @Override
    public String name() {
      return "tag";
    }

    @Override
    public String summary() {
      return "Writes a text into a property.";
    }

    @Override
    public Handler create(Settings settings) {
      String property = settings.text("property", "tag");
      String text = settings.text("text");
      open.incrementAndGet();
      return new Handler() {
        @Override
        public Declaration declaration() {
          return Declaration.NOTHING.writing(Slot.property(property));
        }

        @Override
        public Verdict handle(View message) {
          return Verdict.goOn(Changes.NONE.property(property, text));
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }
  }

  /** One of a pair. */
  private record Pair(String name) implements HandlerFactory {
    @Override
    public String summary() {
      return "One of a pair.";
    }

    @Override
    public Handler create(Settings settings) {
      Peer.Role role = name.equals("zip") ? Peer.Role.DOES : Peer.Role.TAKES_BACK;
      return new Handler() {
        @Override
        public Declaration declaration() {
          return Declaration.NOTHING.with(new Peer("zip", role));
        }

        @Override
        public Verdict handle(View message) {
          return Verdict.UNCHANGED;
        }
      };
    }
  }

  private static Message message(Point point, Map<String, String> properties) {
    return Message.of(new MessageId(1, 2), point, properties, Body.of(Payload.of("body")));
  }

  private Outcome through(Message message) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    chainRegistry.enter(message, outcome, CompletableFuture::complete);
    return outcome.join();
  }

  private String tag(Point point, Map<String, String> properties) {
    Outcome.Proceed end =
        assertInstanceOf(Outcome.Proceed.class, through(message(point, properties)));
    return end.message().properties().getOrDefault("tag", "none");
  }

  private static String chain(String name, String more, String text) {
    return "- {name: "
        + name
        + more
        + ", handlers: [{use: tag, settings: {text: "
        + text
        + "}}]}\n";
  }

  @Test
  void shouldChooseTheChainThatFitsMostClosely() throws Exception {
    chainRegistry.install(
        "chains:\n"
            + chain("all", ", at: request-in", "all")
            + chain("order", ", at: request-in, definition: shop/order", "order")
            + chain("old", ", at: request-in, definition: shop/order/1.0.0", "old")
            + chain("gold", ", at: before-call, service: stock, serviceClass: gold", "gold"));

    assertEquals("all", tag(Point.REQUEST_IN, Map.of()));
    assertEquals("all", tag(Point.REQUEST_IN, Map.of("definition", "shop/orders/1.0.0")));
    assertEquals("order", tag(Point.REQUEST_IN, Map.of("definition", "shop/order/2.0.0")));
    assertEquals("old", tag(Point.REQUEST_IN, Map.of("definition", "shop/order/1.0.0")));
    assertEquals("none", tag(Point.RESPONSE_OUT, Map.of()));
    assertEquals("none", tag(Point.BEFORE_CALL, Map.of("service", "stock")));
    assertEquals(
        "gold", tag(Point.BEFORE_CALL, Map.of("service", "stock", "service.class", "gold")));
  }

  @Test
  void shouldGoByTheChainThatTheMessageNames() throws Exception {
    chainRegistry.install("chains:\n" + chain("mine", "", "mine"));

    assertEquals("mine", tag(Point.REQUEST_IN, Map.of(ChainRegistry.CHAIN, "mine")));
    assertInstanceOf(
        Outcome.Refused.class,
        through(message(Point.REQUEST_IN, Map.of(ChainRegistry.CHAIN, "other"))));
  }

  @Test
  void shouldGoByTheDocumentThatTheMessageBringsAndKeepABoundedNumberReady() {
    for (int i = 0; i < 5; i++) {
      String own = "chains:\n" + chain("own", "", "own" + i);
      assertEquals("own" + i, tag(Point.REQUEST_IN, Map.of(ChainRegistry.DOCUMENT, own)));
      assertEquals("own" + i, tag(Point.REQUEST_IN, Map.of(ChainRegistry.DOCUMENT, own)));
      assertEquals(Math.min(i + 1, 2), open.get());
    }
    chainRegistry.close();
    assertEquals(0, open.get());
  }

  @Test
  void shouldRefuseDocumentsOfMessagesThatAreWrongOrTooLong() {
    String fits = "chains:\n" + chain("own", "", "x");
    String longest = fits + "#".repeat(200 - fits.length());
    assertEquals("x", tag(Point.REQUEST_IN, Map.of(ChainRegistry.DOCUMENT, longest)));
    for (String each : List.of(longest + "#", "chains: []", "chains: [{}]", "{")) {
      Outcome.Refused refused =
          assertInstanceOf(
              Outcome.Refused.class,
              through(message(Point.REQUEST_IN, Map.of(ChainRegistry.DOCUMENT, each))));
      assertEquals(400, refused.problem().status());
    }
  }

  @Test
  void shouldReplaceChainsForTheNextMessageAndCloseTheOldHandlers() throws Exception {
    chainRegistry.install("chains:\n" + chain("c", ", at: request-in", "before"));
    assertEquals("before", tag(Point.REQUEST_IN, Map.of()));

    chainRegistry.install("chains:\n" + chain("c", ", at: request-in", "after"));
    assertEquals("after", tag(Point.REQUEST_IN, Map.of()));
    assertEquals(1, open.get());

    assertThrows(
        InvalidChainsException.class, () -> chainRegistry.install("chains: [{name: c, x: 1}]"));
    assertEquals("after", tag(Point.REQUEST_IN, Map.of()), "what is refused changes nothing");

    chainRegistry.close();
    assertEquals(0, open.get());
    assertEquals("none", tag(Point.REQUEST_IN, Map.of()));
  }

  @Test
  void shouldSayEverythingThatIsWrongAtOnce() {
    String wrong =
        """
        chains:
        - name: a
          at: request-inn
          ordr: auto
          handlers:
          - {use: tga, settings: {text: x}}
          - {use: tag, name: t, settings: {txt: x, property: 7}, retries: 11, timeout: 5s}
          - {use: tag, name: t, settings: {text: x}, module: m}
        - name: a
          window: 0
          stages: [[u], []]
          handlers: [{use: tag, name: v, settings: {text: x}, place: remote, oneway: true}]
        - {name: b, service: s, order: auto, stages: [], handlers: []}
        """;

    List<String> found =
        assertThrows(InvalidChainsException.class, () -> reader.read(wrong)).problems().stream()
            .map(SettingProblem::toString)
            .toList();

    for (String expected :
        List.of(
            "/chains/0/at: expected one of request-in",
            "did you mean \"request-in\"?",
            "/chains/0/ordr: expected a known setting, found \"ordr\"; did you mean \"order\"?",
            "/chains/0/handlers/0/use: expected a kind of handlers, found",
            "/chains/0/handlers/1/settings: expected the setting",
            "/chains/0/handlers/1/settings/txt: expected a known setting",
            "/chains/0/handlers/1/settings/property: expected a string, found 7",
            "/chains/0/handlers/1/retries: expected a whole number from 0 to 10, found 11",
            "/chains/0/handlers/1/timeout: expected a time",
            "/chains/0/handlers/2/name: expected each handler once",
            "/chains/0/handlers/2/module: expected the name of a module",
            "/chains/1/name: expected each chain once",
            "/chains/1/window: expected adaptive, cpus or a number",
            "/chains/1/stages: expected the name of a handler of this chain",
            "/chains/1/handlers/0: expected a handler that runs here",
            "/chains/1/handlers/0/oneway: expected a oneway handler to change nothing",
            "/chains/2/service: expected the point",
            "/chains/2/order: expected either order or stages")) {
      assertTrue(
          found.stream().anyMatch(each -> each.contains(expected)), expected + " in " + found);
    }
    assertEquals(0, open.get(), "no handler is left open");
  }

  private String peers(String handlers) {
    try {
      reader.read("chains: [" + handlers + "]");
      return "";
    } catch (InvalidChainsException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void shouldCheckThatPeersArePresentInOrderAndNested() {
    String zip = "{name: c, handlers: [{use: zip%s}, {use: unzip%s}]}";
    assertEquals("", peers(zip.formatted(", peer: unzip", "")));
    assertEquals("", peers(zip.formatted(", peer: outside", ", peer: outside")));
    assertTrue(peers(zip.formatted("", "")).contains("expected peer: outside or the name"));
    assertTrue(peers(zip.formatted(", peer: x", "")).contains("found \"x\", which is none"));
    assertTrue(
        peers("{name: c, handlers: [{use: unzip, peer: zip}, {use: zip}]}")
            .contains("expected zip before unzip"));
    assertEquals(
        "",
        peers(
            "{name: a, at: before-call, handlers: [{use: zip, peer: b/unzip}]},"
                + "{name: b, at: after-call, handlers: [{use: unzip}]}"));
    assertTrue(
        peers(
                "{name: a, at: before-call, handlers: [{use: zip, name: x, peer: b/x},"
                    + " {use: zip, name: y, peer: b/y}]},"
                    + "{name: b, at: after-call, handlers: [{use: unzip, name: x}, {use: unzip, name: y}]}")
            .contains("expected that y comes before x"));
  }

  @Test
  void shouldHoldDocumentsToTheirBounds() {
    String three = "{use: tag, name: a%d, settings: {text: x}}";
    String handlers = three.formatted(1) + "," + three.formatted(2) + "," + three.formatted(3);
    assertEquals("", peers("{name: c, handlers: [" + handlers + "]}"));
    assertTrue(
        peers("{name: c, handlers: [" + handlers + "," + three.formatted(4) + "]}")
            .contains("handlers.maxHandlers"));
    String chain = "{name: c%d, handlers: []},";
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      many.append(chain.formatted(i));
    }
    assertEquals("", peers(many.toString()));
    assertTrue(peers(many + chain.formatted(4)).contains("handlers.maxChains"));
    String document = "chains: []\n#";
    String longest = document + "é".repeat((1_024 - document.length()) / 2);
    assertEquals(1_024, longest.getBytes(StandardCharsets.UTF_8).length);
    ChainReader small =
        new ChainReader(
            HandlerKinds.of(List.of()),
            LIMITS.with(Map.of("handlers.maxDocumentBytes", 1_024)),
            null);
    assertDoesNotThrow(() -> small.read(longest));
    assertTrue(
        String.valueOf(
                assertThrows(InvalidChainsException.class, () -> small.read(longest + "x"))
                    .getMessage())
            .contains("handlers.maxDocumentBytes"));
    assertTrue(peers("{name: &a [*a]}").contains("expected"));
    assertTrue(peers("&x ".repeat(3)).contains("expected YAML or JSON"));
  }
}
