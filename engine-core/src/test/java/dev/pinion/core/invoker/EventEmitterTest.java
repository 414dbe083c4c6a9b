package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Events on their way to a scripted log. */
class EventEmitterTest {
  private static final long MILLI = 1_000_000;
  private static final Payload EVENT = Payload.of("event");

  private final Deque<CompletableFuture<EventReceipt>> answers = new ArrayDeque<>();
  private final List<String> emitted = new ArrayList<>();
  private final List<CallOutcome> outcomes = new ArrayList<>();
  private final Deque<Runnable> loop = new ArrayDeque<>();
  private final EventEmitter emitter =
      new EventEmitter(
          new ExternalEvents() {
            @Override
            public CompletableFuture<EventReceipt> post(String namespace, List<Payload> events) {
              throw new AssertionError("emitted, not posted");
            }

            @Override
            public CompletableFuture<EventReceipt> emit(String namespace, Payload event) {
              emitted.add(namespace + " " + event.text());
              CompletableFuture<EventReceipt> answer = new CompletableFuture<>();
              answers.add(answer);
              return answer;
            }
          },
          loop::add);

  private ServiceCaller.OngoingCall emit(boolean isNamed) {
    return emitter.emit("n", new EventEmission(EVENT, isNamed), outcomes::add);
  }

  private void answer(EventReceipt receipt) {
    answers.remove().complete(receipt);
    while (!loop.isEmpty()) {
      loop.remove().run();
    }
  }

  private WorkflowError error() {
    return assertInstanceOf(CallOutcome.Failed.class, outcomes.getLast()).error();
  }

  @Test
  void shouldAnswerWithTheEvent() {
    ServiceCaller.OngoingCall call = emit(false);
    assertEquals("room in the log of events", call.waitsFor());
    assertEquals(List.of("n event"), emitted);
    assertEquals(List.of(), outcomes);
    answer(new EventReceipt.Stored(1, 0));
    assertEquals(List.of(new CallOutcome.Succeeded(EVENT)), outcomes);
    assertEquals(Stage.NO_DEADLINE, emitter.nextDeadlineNanos());
  }

  @Test
  void shouldCountAnEarlierAttemptAsDone() {
    emit(false);
    answer(new EventReceipt.ContentConflict("another content"));
    assertEquals(List.of(new CallOutcome.Succeeded(EVENT)), outcomes);
    emit(true);
    answer(new EventReceipt.ContentConflict("another content"));
    assertEquals(409, error().status());
    assertEquals(ErrorType.COMMUNICATION.uri(), error().type());
  }

  @Test
  void shouldRefuseWhatIsNoEvent() {
    emit(false);
    answer(new EventReceipt.Malformed("expected an event"));
    assertEquals(ErrorType.CONFIGURATION.uri(), error().type());
  }

  @Test
  void shouldOfferAgainUntilThereIsRoom() {
    assertEquals(0, emitter.work(5 * MILLI));
    emit(false);
    answer(new EventReceipt.QueueFull("events.maxWaiting"));
    assertEquals(105 * MILLI, emitter.nextDeadlineNanos());
    assertEquals(0, emitter.work(104 * MILLI));
    assertEquals(1, emitter.work(105 * MILLI));
    answer(new EventReceipt.StoreFull("events.maxLogged"));
    assertEquals(1, emitter.work(205 * MILLI));
    answer(new EventReceipt.NoDiskSpace());
    assertEquals(1, emitter.work(305 * MILLI));
    answer(new EventReceipt.StoreUnavailable("the replica stops"));
    assertEquals(1, emitter.work(405 * MILLI));
    answer(new EventReceipt.Stored(1, 0));
    assertEquals(5, emitted.size());
    assertEquals(List.of(new CallOutcome.Succeeded(EVENT)), outcomes);
  }

  @Test
  void shouldOfferNothingAgainThatWasCancelled() {
    ServiceCaller.OngoingCall waiting = emit(false);
    answer(new EventReceipt.QueueFull("events.maxWaiting"));
    waiting.cancel();
    assertEquals(0, emitter.work(500 * MILLI));
    ServiceCaller.OngoingCall underWay = emit(false);
    underWay.cancel();
    answer(new EventReceipt.Stored(1, 0));
    assertEquals(List.of(), outcomes);
  }

  @Test
  void shouldReportALogThatFails() {
    emit(false);
    answers.remove().completeExceptionally(new IllegalStateException("broken"));
    loop.remove().run();
    assertEquals(ErrorType.RUNTIME.uri(), error().type());
  }
}
