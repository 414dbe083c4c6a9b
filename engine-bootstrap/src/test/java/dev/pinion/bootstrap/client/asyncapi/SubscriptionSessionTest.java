package dev.pinion.bootstrap.client.asyncapi;

import static dev.pinion.bootstrap.client.asyncapi.SampleMessages.received;
import static dev.pinion.bootstrap.client.asyncapi.SampleMessages.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a task is given of a subscription, and when a message is acknowledged. */
class SubscriptionSessionTest {
  private static final MessageEndpoint ENDPOINT =
      SampleMessages.endpoint(MessageProtocol.NATS, 4222, "news");

  private final List<CallOutcome> told = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();

  private static SubscriptionSession session(Map<String, Integer> limits, int received) {
    return new SubscriptionSession(
        ENDPOINT,
        SampleMessages.content(),
        EngineLimits.defaults().with(limits).messages(),
        received);
  }

  private OutcomeReport report() {
    return new OutcomeReport(Runnable::run, told::add);
  }

  private InboundMessage noted(String json) {
    return received(json, () -> happened.add("acknowledged " + json));
  }

  private void assertTold(String... messages) {
    List<CallOutcome> expected = new ArrayList<>();
    for (String each : messages) {
      expected.add(new CallOutcome.Succeeded(value(each)));
    }
    assertEquals(expected, told);
  }

  @Test
  void shouldTellAMessageWhenItComes() {
    SubscriptionSession session = session(Map.of(), 0);
    session.next(report());
    assertTrue(session.isWaiting());
    assertTold();

    assertTrue(session.put(received("1")));

    assertFalse(session.isWaiting());
    assertTold("1");
  }

  @Test
  void shouldKeepMessagesInOrderUntilTheyAreAskedFor() {
    SubscriptionSession session = session(Map.of(), 0);
    session.put(received("1"));
    session.put(received("2"));

    session.next(report());
    session.acknowledge(1);
    session.next(report());

    assertTold("1", "2");
  }

  @Test
  void shouldAcknowledgeAMessageOnlyWhenTheTaskHasIt() {
    SubscriptionSession session = session(Map.of(), 0);
    session.put(noted("1"));
    session.put(noted("2"));
    session.acknowledge(0);
    session.next(report());
    assertEquals(List.of(), happened);

    session.acknowledge(1);
    assertEquals(List.of("acknowledged 1"), happened);
    session.next(report());
    session.acknowledge(1);
    assertEquals(List.of("acknowledged 1"), happened, "the second is not recorded yet");
    session.acknowledge(2);
    assertEquals(List.of("acknowledged 1", "acknowledged 2"), happened);
  }

  @Test
  void shouldTellAMessageAgainThatTheTaskMayNotHave() {
    SubscriptionSession session = session(Map.of(), 0);
    session.put(noted("1"));
    session.put(noted("2"));
    session.next(report());

    assertTrue(session.isAt(0));
    session.acknowledge(0);
    session.next(report());

    assertTold("1", "1");
    assertEquals(List.of(), happened);
  }

  @Test
  void shouldSayWhereATaskCanGoOn() {
    SubscriptionSession session = session(Map.of(), 3);
    assertTrue(session.isAt(3));
    assertFalse(session.isAt(2), "its message is acknowledged");
    assertFalse(session.isAt(0));

    session.put(received("1"));
    session.next(report());
    assertTrue(session.isAt(3));
    assertTrue(session.isAt(4));
    assertFalse(session.isAt(5));
    session.acknowledge(4);
    assertFalse(session.isAt(3));

    session.close(false);
    assertFalse(session.isAt(4));
  }

  @Test
  void shouldStayWithinItsBoundOfMessages() throws InterruptedException {
    SubscriptionSession session = session(Map.of("messages.maxQueued", 2), 0);
    assertTrue(session.put(received("1")));
    assertTrue(session.hasRoom());
    assertFalse(session.put(received("2")));
    assertFalse(session.hasRoom());

    session.next(report());

    assertTrue(session.hasRoom());
    assertTrue(session.awaitRoom());
    assertFalse(session.put(received("3")));
  }

  @Test
  void shouldStayWithinItsBoundOfBytes() {
    SubscriptionSession session = session(Map.of("messages.maxBytes", 1 << 10), 0);
    String half = "\"" + "x".repeat(510) + "\"";
    assertTrue(session.put(received(half)));
    assertFalse(session.put(received(half)));
  }

  @Test
  void shouldEndBehindTheMessagesBeforeTheEnd() {
    SubscriptionSession session = session(Map.of(), 0);
    session.put(received("1"));
    session.ended();
    session.failed(MessageFailure.communication("too late"));
    assertFalse(session.put(received("2")), "behind the end");

    session.next(report());
    session.acknowledge(1);
    session.next(report());

    assertEquals(
        List.of(new CallOutcome.Succeeded(value("1")), new CallOutcome.Succeeded(Payload.NULL)),
        told);
  }

  @Test
  void shouldFailATaskThatWaits() {
    SubscriptionSession session = session(Map.of(), 0);
    session.next(report());

    session.failed(MessageFailure.communication("expected more, found the end"));

    CallOutcome.Failed failed = assertInstanceOf(CallOutcome.Failed.class, told.getFirst());
    assertEquals("expected more, found the end", failed.error().detail());
  }

  @Test
  void shouldFailATaskWhoseMessageCannotBeRead() {
    SubscriptionSession session = session(Map.of(), 0);
    session.next(report());

    session.put(received("{"));

    CallOutcome.Failed failed = assertInstanceOf(CallOutcome.Failed.class, told.getFirst());
    String detail = String.valueOf(failed.error().detail());
    assertTrue(detail.startsWith("expected a message of type application/json"), detail);
  }

  @Test
  void shouldSayThatItIsOverWhenTheTaskWasToldTheEnd() {
    SubscriptionSession session = session(Map.of(), 0);
    session.whenOver(() -> happened.add("over"));
    session.put(received("1"));
    session.ended();
    session.next(report());
    session.acknowledge(1);
    assertTrue(session.isAt(1));
    assertEquals(List.of(), happened);

    session.next(report());

    assertFalse(session.isAt(1));
    assertEquals(List.of("over"), happened);
  }

  @Test
  void shouldBeOverWhenATaskThatWaitsFails() {
    for (boolean invalid : List.of(true, false)) {
      SubscriptionSession session = session(Map.of(), 0);
      session.whenOver(() -> happened.add("over"));
      session.next(report());
      if (invalid) {
        session.put(received("{"));
      } else {
        session.failed(MessageFailure.communication("no more"));
      }
      assertFalse(session.isAt(0));
      assertFalse(session.isAt(1));
    }
    assertEquals(List.of("over", "over"), happened);
  }

  @Test
  void shouldTellNothingOnceItIsClosed() {
    SubscriptionSession session = session(Map.of(), 0);
    session.put(received("1"));
    session.close(false);

    assertFalse(session.next(report()));
    assertTold();
  }

  /** Its subscription was still being opened when it was withdrawn and the next one came. */
  @Test
  void shouldLeaveALaterRequestInPeaceWhenOneWasWithdrawn() {
    SubscriptionSession session = session(Map.of(), 0);
    OutcomeReport withdrawn = report();
    withdrawn.cancel();
    assertTrue(session.next(report()));
    assertTrue(session.next(withdrawn));
    assertFalse(session.isOf(withdrawn));

    session.put(received("1"));

    assertTold("1");
  }

  @Test
  void shouldCloseItsSourceOnce() throws Exception {
    SubscriptionSession session = session(Map.of(), 0);
    session.open(new NotedBinding(), new SubscriptionRequest(ENDPOINT, "k", carrier()));
    session.put(noted("1"));
    session.next(report());

    session.close(true);
    session.close(false);

    assertEquals(List.of("opened", "resumed", "closed true"), happened);
    assertFalse(session.put(received("2")));
    assertFalse(session.awaitRoom());
  }

  @Test
  void shouldCloseASourceThatNobodyWantsAnyMore() throws Exception {
    SubscriptionSession session = session(Map.of(), 0);
    NotedBinding binding =
        new NotedBinding() {
          @Override
          public MessageSource open(SubscriptionRequest request, MessageInbox inbox) {
            session.close(false);
            return super.open(request, inbox);
          }
        };

    session.open(binding, new SubscriptionRequest(ENDPOINT, "k", carrier()));

    assertEquals(List.of("opened", "closed false"), happened);
  }

  @Test
  void shouldGoOnWhereAnAcknowledgementFails() {
    SubscriptionSession session = session(Map.of(), 0);
    session.put(
        received(
            "1",
            () -> {
              throw new IllegalStateException("closed");
            }));
    session.put(received("2"));
    session.next(report());
    session.acknowledge(1);
    session.next(report());
    assertTold("1", "2");
  }

  private static HttpCall carrier() {
    return SampleMessages.carrier(ENDPOINT, null);
  }

  /** A binding that notes what it is asked for. */
  private class NotedBinding implements MessageBinding {
    @Override
    public void publish(OutgoingMessage message) {
      throw new AssertionError("expected no message, found " + message);
    }

    @Override
    public MessageSource open(SubscriptionRequest request, MessageInbox inbox) {
      happened.add("opened");
      return new MessageSource() {
        @Override
        public void resume() {
          happened.add("resumed");
        }

        @Override
        public void close(boolean finished) {
          happened.add("closed " + finished);
        }
      };
    }

    @Override
    public void close() {}
  }
}
