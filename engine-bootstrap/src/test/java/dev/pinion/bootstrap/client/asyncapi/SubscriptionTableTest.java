package dev.pinion.bootstrap.client.asyncapi;

import static dev.pinion.bootstrap.client.asyncapi.SampleMessages.received;
import static dev.pinion.bootstrap.client.asyncapi.SampleMessages.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessageSubscription.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which subscriptions are open, and for how long. */
class SubscriptionTableTest {
  private static final MessageEndpoint ENDPOINT =
      SampleMessages.endpoint(MessageProtocol.NATS, 4222, "news");

  private final NotedTimers timers = new NotedTimers();
  private final List<CallOutcome> told = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();
  private final List<MessageInbox> inboxes = new ArrayList<>();
  private @Nullable MessageFailure refusal;

  @AfterEach
  void stop() {
    timers.shutdownNow();
  }

  private SubscriptionTable table(Map<String, Integer> limits) {
    return new SubscriptionTable(
        EngineLimits.defaults().with(limits).messages(),
        SampleMessages.content(),
        request -> new Channel(),
        timers);
  }

  private OutcomeReport report() {
    return new OutcomeReport(Runnable::run, told::add);
  }

  private static SubscriptionRequest request(String key) {
    return new SubscriptionRequest(ENDPOINT, key, SampleMessages.carrier(ENDPOINT, null));
  }

  private void ask(SubscriptionTable table, String key, int received) throws Exception {
    table.receive(request(key), new Progress(received, false), report());
  }

  private void end(SubscriptionTable table, String key, int received) throws Exception {
    table.receive(request(key), new Progress(received, true), report());
  }

  @Test
  void shouldOpenASubscriptionOnceAndEndItWithTheLastRequest() throws Exception {
    SubscriptionTable table = table(Map.of());
    ask(table, "a", 0);
    inboxes.getFirst().put(received("1", () -> happened.add("acknowledged")));
    ask(table, "a", 1);
    inboxes.getFirst().put(received("2", () -> happened.add("acknowledged")));
    end(table, "a", 2);

    assertEquals(List.of("opened", "acknowledged", "acknowledged", "closed true"), happened);
    assertEquals(
        List.of(
            new CallOutcome.Succeeded(value("1")),
            new CallOutcome.Succeeded(value("2")),
            new CallOutcome.Succeeded(Payload.NULL)),
        told);
    assertEquals(0, table.size());
    assertEquals(0, timers.armed());
  }

  @Test
  void shouldOpenAnewForATaskThatBeginsAnew() throws Exception {
    SubscriptionTable table = table(Map.of());
    ask(table, "a", 0);
    inboxes.getFirst().put(received("1"));
    ask(table, "a", 1);

    ask(table, "a", 0);

    assertEquals(List.of("opened", "closed false", "opened"), happened);
    assertEquals(1, table.size());
  }

  @Test
  void shouldOpenForATaskOfAnotherReplicaWhereItIs() throws Exception {
    SubscriptionTable table = table(Map.of());
    ask(table, "a", 7);
    inboxes.getFirst().put(received("1", () -> happened.add("acknowledged")));
    ask(table, "a", 8);

    assertEquals(List.of("opened", "acknowledged"), happened);
  }

  @Test
  void shouldKnowNothingOfASubscriptionThatHasEnded() throws Exception {
    SubscriptionTable table = table(Map.of());
    end(table, "a", 3);

    assertEquals(List.of(new CallOutcome.Succeeded(Payload.NULL)), told);
    assertEquals(List.of(), happened);
  }

  @Test
  void shouldOpenNoMoreThanItsBound() throws Exception {
    SubscriptionTable table = table(Map.of("messages.maxSubscriptions", 1));
    ask(table, "a", 0);

    MessageFailure failure = assertThrows(MessageFailure.class, () -> ask(table, "b", 0));

    String said = String.valueOf(failure.getMessage());
    assertTrue(said.contains("messages.maxSubscriptions"), said);
    ask(table, "a", 0);
    end(table, "a", 0);
    ask(table, "b", 0);
    assertEquals(1, table.size());
  }

  @Test
  void shouldCloseWhatATaskAsksNothingOf() throws Exception {
    SubscriptionTable table = table(Map.of());
    ask(table, "a", 0);
    timers.elapse();
    assertEquals(1, table.size(), "it waits for a message");

    inboxes.getFirst().put(received("1"));
    timers.elapse();

    assertEquals(0, table.size());
    assertEquals(List.of("opened", "closed false"), happened);
    ask(table, "a", 1);
    assertEquals(1, table.size());
  }

  @Test
  void shouldCloseWhatIsOver() throws Exception {
    SubscriptionTable table = table(Map.of());
    ask(table, "a", 0);
    inboxes.getFirst().ended();
    assertEquals(List.of(new CallOutcome.Succeeded(Payload.NULL)), told);

    timers.elapse();

    assertEquals(0, table.size());
    assertEquals(List.of("opened", "closed false"), happened);
    assertEquals(0, timers.armed());
  }

  @Test
  void shouldOpenAnewAfterAFailure() throws Exception {
    SubscriptionTable table = table(Map.of());
    ask(table, "a", 0);
    inboxes.getFirst().failed(MessageFailure.communication("lost"));

    ask(table, "a", 0);
    timers.elapse();

    assertEquals(List.of("opened", "closed false", "opened"), happened);
    assertEquals(1, table.size(), "the new one stays");
    inboxes.get(1).put(received("1"));
    assertEquals(new CallOutcome.Succeeded(value("1")), told.getLast());
  }

  @Test
  void shouldCloseTheOneIdleForLongestWhereAnotherNeedsItsPlace() throws Exception {
    SubscriptionTable table = table(Map.of("messages.maxSubscriptions", 3));
    ask(table, "waits", 0);
    ask(table, "a", 0);
    ask(table, "b", 0);
    inboxes.get(2).put(received("1"));
    inboxes.get(1).put(received("2"));
    ask(table, "a", 1);
    inboxes.get(1).put(received("3"));

    ask(table, "c", 0);

    assertEquals(3, table.size());
    assertEquals(List.of("opened", "opened", "opened", "closed false", "opened"), happened);
    ask(table, "a", 2);
    ask(table, "waits", 0);
    assertEquals(5, happened.size(), "these are open");
  }

  @Test
  void shouldCloseWhatIsWithdrawn() throws Exception {
    SubscriptionTable table = table(Map.of());
    OutcomeReport first = report();
    table.receive(request("a"), new Progress(0, false), first);
    inboxes.getFirst().put(received("1"));
    OutcomeReport second = report();
    table.receive(request("a"), new Progress(1, false), second);

    table.withdraw("a", first);
    assertEquals(1, table.size(), "a later request waits");
    table.withdraw("b", second);
    table.withdraw("a", second);

    assertEquals(0, table.size());
    assertEquals(List.of("opened", "closed false"), happened);
  }

  @Test
  void shouldForgetWhatCannotBeOpened() throws Exception {
    SubscriptionTable table = table(Map.of("messages.maxSubscriptions", 1));
    refusal = MessageFailure.communication("closed");
    assertThrows(MessageFailure.class, () -> ask(table, "a", 0));
    assertEquals(0, table.size());

    refusal = null;
    ask(table, "b", 0);
    assertEquals(1, table.size());
  }

  @Test
  void shouldCloseEverythingWithTheEngine() throws Exception {
    SubscriptionTable table = table(Map.of());
    ask(table, "a", 0);
    ask(table, "b", 0);

    table.close();

    assertEquals(List.of("opened", "opened", "closed false", "closed false"), happened);
    assertThrows(MessageFailure.class, () -> ask(table, "a", 0));
  }

  /** A channel that a test plays. */
  private final class Channel implements MessageBinding {
    @Override
    public void publish(OutgoingMessage message) {
      throw new AssertionError("expected no message, found " + message);
    }

    @Override
    public MessageSource open(SubscriptionRequest request, MessageInbox inbox)
        throws MessageFailure {
      if (refusal != null) {
        throw refusal;
      }
      happened.add("opened");
      inboxes.add(inbox);
      return finished -> happened.add("closed " + finished);
    }

    @Override
    public void close() {}
  }
}
