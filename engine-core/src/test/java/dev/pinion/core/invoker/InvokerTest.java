package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event.CallCompleted;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.TaskReference;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The stage alone: a scripted caller, no network, no event loop. */
class InvokerTest {
  private static final InstanceId FIRST = InstanceId.next(1, 0, null);
  private static final InstanceId SECOND = InstanceId.next(1, 0, FIRST);
  private static final CallOutcome ANSWER = new CallOutcome.Succeeded(Payload.of(1));
  private static final long MILLI = 1_000_000;

  private final Lane<Effect.Invocation> lane = new Lane<>("invocations", 1024);
  private final List<Scripted> begun = new ArrayList<>();
  private final List<CallCompleted> done = new ArrayList<>();
  private final List<Integer> kernels = new ArrayList<>();
  private final InvokerCounters counters = new InvokerCounters();
  private boolean room = true;
  private boolean broken;
  private boolean answersAtOnce;
  private final Invoker invoker =
      new Invoker(
          "invoker-0",
          EngineLimits.defaults().with(Map.of("invoker.callTimeoutMillis", 100)).invoker(),
          lane,
          CallTargets.of(this::begin),
          (kernel, outcome) -> {
            kernels.add(kernel);
            done.add((CallCompleted) outcome);
            return room;
          },
          counters,
          CallDecorators.NONE);

  private static final class Scripted implements ServiceCaller.OngoingCall {
    final ServiceCaller.CallListener callListener;
    boolean cancelled;

    Scripted(ServiceCaller.CallListener callListener) {
      this.callListener = callListener;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public String waitsFor() {
      return "the answer of pets:80";
    }
  }

  private ServiceCaller.OngoingCall begin(HttpCall call, ServiceCaller.CallListener callListener) {
    if (broken) {
      throw new IllegalStateException("no caller today");
    }
    Scripted scripted = new Scripted(callListener);
    begun.add(scripted);
    if (answersAtOnce) {
      callListener.onOutcome(ANSWER);
    }
    return scripted;
  }

  private void invoke(InstanceId id, int activity, int attempt) {
    HttpCall call = InvokerHarness.get("http://pets/list?key=secret");
    lane.offer(new Effect.Invoke(activity % 2, id, activity, attempt, InvokerHarness.TASK, call));
  }

  private WorkflowError error(int index) {
    return InvokerHarness.errorOf(done.get(index).outcome());
  }

  @Test
  void shouldReportAnOutcomeToTheKernelThatAsked() {
    // given
    invoke(FIRST, 3, 2);
    assertTrue(invoker.hasWork());
    assertEquals(1, invoker.doWork(0, 0));

    // when
    begun.getFirst().callListener.onOutcome(ANSWER);

    // then
    assertEquals(List.of(new CallCompleted(FIRST, 3, 2, ANSWER)), done);
    assertEquals(List.of(1), kernels);
    assertFalse(invoker.hasWork());
    assertEquals(Stage.NO_DEADLINE, invoker.nextDeadlineNanos());
  }

  /** Handlers of other calls cost this one nothing. */
  @Test
  void shouldHandCallsOnAsTheyAreWhereNoHandlersStand() {
    DefinitionKey other = new DefinitionKey("test", "other", "1.0.0");
    Interceptor interceptor =
        new Interceptor() {
          @Override
          public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
            return other.equals(definition);
          }

          @Override
          public void handle(HttpMessage message, Continuation then) {
            then.end(new InterceptionVerdict.Proceed(message));
          }
        };
    EngineLimits limits = EngineLimits.defaults();
    PayloadCodec codec = new PayloadCodec(limits.json());
    for (Interceptor each : List.of(Interceptor.NONE, interceptor)) {
      Invoker handled =
          new Invoker(
              "invoker-1",
              limits.invoker(),
              lane,
              CallTargets.of(this::begin),
              (kernel, outcome) -> done.add((CallCompleted) outcome),
              counters,
              CallDecorators.of(
                  each,
                  Runnable::run,
                  codec,
                  limits.invoker(),
                  BindingSource.NONE,
                  Clock.system(),
                  new HeapAccount(1),
                  ExternalEvents.NONE));
      begun.clear();
      invoke(FIRST, 3, 2);
      handled.doWork(0, 0);
      assertFalse(begun.getFirst().callListener instanceof ServiceCaller.InterceptedListener);
      lane.offer(
          new Effect.Invoke(
              0, SECOND, 3, 2, new TaskReference(other, ""), InvokerHarness.get("http://pets/")));
      handled.doWork(0, 0);
      assertEquals(
          each.equals(interceptor),
          begun.getLast().callListener instanceof ServiceCaller.InterceptedListener);
      handled.onClose();
    }
  }

  @Test
  void shouldReportACallThatEndsWhileItIsBegun() {
    answersAtOnce = true;
    invoke(FIRST, 1, 1);
    invoker.doWork(0, 0);
    assertEquals(1, done.size());
    assertEquals(Stage.NO_DEADLINE, invoker.nextDeadlineNanos());
  }

  @Test
  void shouldReportACallThatCannotBeBegun() {
    broken = true;
    invoke(FIRST, 1, 1);
    invoker.doWork(0, 0);
    assertEquals(ErrorType.RUNTIME.uri(), error(0).type());
  }

  @Test
  void shouldTimeOutAtTheLimitAndNotBefore() {
    // given
    invoke(FIRST, 1, 1);
    invoker.doWork(5, 0);
    assertEquals(100 * MILLI + 5, invoker.nextDeadlineNanos());

    // when
    assertEquals(0, invoker.doWork(100 * MILLI + 4, 0));
    assertTrue(done.isEmpty());
    assertEquals(1, invoker.doWork(100 * MILLI + 5, 0));

    // then
    assertTrue(begun.getFirst().cancelled);
    assertEquals(ErrorType.TIMEOUT.uri(), error(0).type());
    assertEquals(408, error(0).status());
    assertEquals(
        "expected GET http://pets/list to end within 100 ms (invoker.callTimeoutMillis), found it"
            + " waiting for the answer of pets:80",
        error(0).detail());
  }

  @Test
  void shouldEndAnEmissionForWhichThereIsNoRoom() {
    Payload event = Payload.object(Map.of("type", Payload.of("t")));
    lane.offer(
        new Effect.Invoke(0, FIRST, 1, 1, InvokerHarness.TASK, new EventEmission(event, true)));
    invoker.doWork(0, 0);
    assertTrue(done.isEmpty());
    assertEquals(100 * MILLI, invoker.nextDeadlineNanos());

    invoker.doWork(100 * MILLI, 0);
    assertEquals(ErrorType.TIMEOUT.uri(), error(0).type());
    assertEquals(
        "expected emit t to end within 100 ms (invoker.callTimeoutMillis), found it waiting for"
            + " room in the log of events",
        error(0).detail());
    assertFalse(invoker.hasWork());
  }

  @Test // Field fault 9: after a pause, answered calls faulted
  void shouldTakeAnswersBeforeItJudgesDeadlinesThatPassedInAPause() {
    // given two calls, and a clock that has jumped far beyond their limit
    invoke(FIRST, 1, 1);
    invoke(SECOND, 1, 1);
    invoker.doWork(5, 0);
    long back = 36_000 * MILLI;
    invoker.onPause(back + 1_000 * MILLI);
    invoker.doWork(back, 0);
    assertTrue(done.isEmpty());
    assertEquals(back + 1_000 * MILLI, invoker.nextDeadlineNanos());

    // when the response of one is read meanwhile
    begun.get(0).callListener.onOutcome(ANSWER);
    invoker.doWork(back + 1_000 * MILLI - 1, 0);
    assertEquals(List.of(ANSWER), done.stream().map(CallCompleted::outcome).toList());

    // then the other one fails afterwards
    invoker.doWork(back + 1_000 * MILLI, 0);
    assertEquals(ErrorType.TIMEOUT.uri(), error(1).type());
  }

  @Test
  void shouldAbortTheCallThatIsMeantAndNoOther() {
    // given calls whose identities differ in one part each
    invoke(FIRST, 1, 1);
    invoke(SECOND, 1, 1);
    invoke(FIRST, 2, 1);
    invoke(FIRST, 1, 2);
    invoker.doWork(0, 0);

    // when
    lane.offer(new Effect.Abort(FIRST, 2, 1));
    invoker.doWork(0, 0);

    // then
    assertEquals(
        List.of(false, false, true, false), begun.stream().map(call -> call.cancelled).toList());
    assertEquals(1, done.size());
    assertEquals(2, done.getFirst().activity());
    assertEquals(CallOutcome.Aborted.INSTANCE, done.getFirst().outcome());
    assertEquals(1, counters.get(Counter.ABORTED));
  }

  @Test
  void shouldIgnoreAndCountAnAbortOfACallThatHasEnded() {
    // given
    invoke(FIRST, 1, 1);
    invoker.doWork(0, 0);
    begun.getFirst().callListener.onOutcome(ANSWER);

    // when
    lane.offer(new Effect.Abort(FIRST, 1, 1));
    invoker.doWork(0, 0);

    // then
    assertEquals(1, done.size());
    assertEquals(1, counters.get(Counter.ABORTS_IGNORED));
    assertEquals(0, counters.get(Counter.ABORTED));
  }

  @Test
  void shouldAbortACallInTheSameBatch() {
    invoke(FIRST, 1, 1);
    lane.offer(new Effect.Abort(FIRST, 1, 1));
    assertEquals(2, invoker.doWork(0, 0));
    assertEquals(1, done.size());
    assertTrue(begun.getFirst().cancelled);
  }

  @Test
  void shouldIgnoreASecondOutcome() {
    invoke(FIRST, 1, 1);
    invoker.doWork(0, 0);
    begun.getFirst().callListener.onOutcome(ANSWER);
    begun.getFirst().callListener.onOutcome(ANSWER);
    assertEquals(1, done.size());
    assertEquals(1, counters.get(Counter.ANSWERED));
  }

  @Test
  void shouldFailASecondCallOfOneAttemptAndKeepTheFirst() {
    // when
    invoke(FIRST, 1, 1);
    invoke(FIRST, 1, 1);
    invoker.doWork(0, 0);

    // then
    assertEquals(1, begun.size());
    assertEquals(1, done.size());
    assertEquals(ErrorType.RUNTIME.uri(), error(0).type());
    begun.getFirst().callListener.onOutcome(ANSWER);
    assertEquals(2, done.size());
  }

  @Test
  void shouldCountAnOutcomeThatFindsNoRoom() {
    room = false;
    invoke(FIRST, 1, 1);
    invoker.doWork(0, 0);
    begun.getFirst().callListener.onOutcome(ANSWER);
    assertEquals(1, counters.get(Counter.UNDELIVERED));
  }

  @Test
  void shouldTakeABoundedNumberPerCycle() {
    for (int attempt = 0; attempt < 300; attempt++) {
      invoke(FIRST, 1, attempt);
    }
    assertEquals(256, invoker.doWork(0, 0));
    assertTrue(invoker.hasWork());
    assertEquals(44, invoker.doWork(0, 0));
    assertEquals(300, begun.size());
  }

  @Test
  void shouldFailWhatIsUnderWayAndWhatIsStillInTheLaneWhenItCloses() {
    // given
    invoke(FIRST, 1, 1);
    invoker.doWork(0, 0);
    invoke(FIRST, 1, 2);
    lane.offer(new Effect.Abort(FIRST, 1, 1));

    // when
    invoker.onClose();

    // then
    assertTrue(begun.getFirst().cancelled);
    assertEquals(List.of(1, 2), done.stream().map(CallCompleted::attempt).toList());
    assertEquals("the engine stopped before the call ended", error(0).detail());
    assertEquals("the engine stopped before the call ended", error(1).detail());
    assertEquals(2, counters.get(Counter.CALLS));
    assertEquals(2, counters.get(Counter.FAILED));
  }
}
