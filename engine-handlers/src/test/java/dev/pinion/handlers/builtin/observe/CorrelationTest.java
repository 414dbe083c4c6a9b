package dev.pinion.handlers.builtin.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.util.Map;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trace context as the W3C recommendation defines it, and correlation ids. */
class CorrelationTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  private static Message after(String settings, Map<String, String> properties) throws Exception {
    Handler handler = HandlerTrial.handler(new CorrelationFactory(), settings);
    return HandlerTrial.after(handler, HandlerTrial.message(properties));
  }

  @Test
  void shouldGoOnWithTheTraceOfTheSender() throws Exception {
    Map<String, String> given =
        Map.of("header.traceparent", PARENT, "header.tracestate", "congo=t61rcWkgMzE , rojo=1");

    Message found = after("{}", given);

    TraceParent parent = TraceParent.parse(HandlerTrial.property(found, "header.traceparent"));
    assertNotNull(parent);
    assertEquals(TRACE, parent.traceId());
    assertNotEquals("00f067aa0ba902b7", parent.spanId());
    assertEquals(1, parent.flags());
    assertEquals("congo=t61rcWkgMzE,rojo=1", HandlerTrial.property(found, "header.tracestate"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what",
      })
  void shouldBeginATraceWhereTheParentIsMalformed(String malformed) throws Exception {
    Message found =
        after("{}", Map.of("header.traceparent", malformed, "header.tracestate", "congo=1"));

    TraceParent parent = TraceParent.parse(HandlerTrial.property(found, "header.traceparent"));
    assertNotNull(parent);
    assertNotEquals(TRACE, parent.traceId());
    assertEquals(3, parent.flags());
    assertNull(
        found.properties().get("header.tracestate"), "the state is of a trace that is not known");
  }

  @Test
  void shouldReadLaterVersionsAndAnswerWithItsOwn() throws Exception {
    String later = "cc-" + TRACE + "-00f067aa0ba902b7-ff-what-the-future-holds";

    String found =
        HandlerTrial.property(
            after("{}", Map.of("header.traceparent", later)), "header.traceparent");

    assertTrue(found.startsWith("00-" + TRACE + "-"), found);
    assertTrue(found.endsWith("-03"), "unknown flags are not passed on: " + found);
  }

  @Test
  void shouldNotSampleWhenToldSo() throws Exception {
    assertTrue(
        HandlerTrial.property(after("{\"sample\": false}", Map.of()), "header.traceparent")
            .endsWith("-02"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " , ,", "a", "=1", "a=", "A=1", "a=1,a=2", "a=1=2", "a b=1", "@a=1"})
  void shouldDropAMalformedState(String state) {
    assertNull(TraceState.passedOn(state));
  }

  @Test
  void shouldHoldTheBoundsOfTheState() {
    String most =
        IntStream.range(0, TraceState.MAX_MEMBERS).mapToObj(i -> "k" + i + "=v").collect(joined());
    assertEquals(most, TraceState.passedOn(most));
    assertNull(TraceState.passedOn(most + ",one=more"));

    String longKey = "k".repeat(256) + "=1";
    assertEquals(longKey, TraceState.passedOn(longKey));
    assertNull(TraceState.passedOn("k" + longKey));
    assertEquals("a=" + "x".repeat(256), TraceState.passedOn("a=" + "x".repeat(256)));
    assertNull(TraceState.passedOn("a=" + "x".repeat(257)));
  }

  private static Collector<CharSequence, ?, String> joined() {
    return Collectors.joining(",");
  }

  @Test
  void shouldDropLongMembersFirstThenTheOldest() {
    String big = "big=" + "x".repeat(200);
    String small =
        IntStream.range(0, 5).mapToObj(i -> "k" + i + "=" + "v".repeat(97)).collect(joined());
    assertEquals(small, TraceState.passedOn(small + "," + big));

    String six = small + ",k5=" + "v".repeat(97);
    assertEquals(small, TraceState.passedOn(six));
  }

  @Test
  void shouldKeepAWellFormedCorrelationIdOnly() throws Exception {
    assertEquals(
        "order-7",
        HandlerTrial.property(
            after("{}", Map.of("header.x-correlation-id", "order-7")), "header.x-correlation-id"));
    for (String bad : new String[] {"a b", "a\nb", "x".repeat(129), ""}) {
      String found =
          HandlerTrial.property(
              after("{}", Map.of("header.x-correlation-id", bad)), "header.x-correlation-id");
      assertTrue(found.matches("[0-9a-f]{32}"), found);
    }
    assertEquals(
        "7",
        HandlerTrial.property(
            after("{\"header\": \"X-Request-Id\"}", Map.of("header.x-request-id", "7")),
            "header.x-request-id"));
  }

  @Test
  void shouldRefuseAHeaderThatIsNone() throws Exception {
    String problems = HandlerTrial.problems(new CorrelationFactory(), "{\"header\": \"a b\"}");
    assertFalse(problems.equals("[]"));
    assertTrue(problems.contains("/settings/header: expected a header name"), problems);
  }
}
