package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceCandidates.Pattern;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.binding.ServiceMapping;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.Reply.CallbackStatus;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallbackAddresses;
import dev.pinion.core.model.call.CallbackResponse;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Services that answer later, with a scripted caller and a clock that is moved by hand. */
class CallbackInvocationsTest {
  private static final InstanceId ID = InstanceId.next(1, 0, null);
  private static final long MILLI = 1_000_000;
  private static final EngineLimits LIMITS =
      EngineLimits.defaults().with(Map.of("invoker.callTimeoutMillis", 100));

  private final HeapAccount heap = new HeapAccount(100_000);
  private final Lane<Effect.Invocation> lane = new Lane<>("invocations", 64);
  private final List<Scripted> begun = new ArrayList<>();
  private final List<Completion> told = new ArrayList<>();
  private final List<String> observed = new ArrayList<>();
  private final List<Interceptor.Continuation> waiting = new ArrayList<>();
  private final List<HttpMessage> passages = new ArrayList<>();
  private final CallbackAddresses callbackAddresses =
      new CallbackAddresses(new byte[32], "http://engine");
  private boolean withoutCallbacks;
  private boolean handlersStand;
  private long nowNanos;
  private long requests;
  private final Invoker invoker = invoker();

  private Invoker invoker() {
    return new Invoker(
        "invoker-0",
        LIMITS.invoker(),
        lane,
        CallTargets.of(this::begin),
        this::tell,
        new InvokerCounters(),
        CallDecorators.of(
            new Standing(),
            Runnable::run,
            new PayloadCodec(LIMITS.json()),
            LIMITS.invoker(),
            new Bindings(),
            new ByHand(),
            heap,
            ExternalEvents.NONE));
  }

  /** Counts values until the kernel has them. */
  private boolean tell(int kernel, Completion completion) {
    if (completion instanceof Event.CallCompleted done
        && done.outcome() instanceof CallOutcome.Succeeded succeeded) {
      heap.beginTransfer(succeeded.output());
    }
    return told.add(completion);
  }

  private final class Standing implements Interceptor {
    @Override
    public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
      return handlersStand && point == InterceptionPoint.AFTER_CALL;
    }

    @Override
    public void handle(HttpMessage message, Continuation then) {
      passages.add(message);
      waiting.add(then);
    }
  }

  private final class Bindings implements BindingSource {
    @Override
    public BindingTable current() {
      return BindingTable.EMPTY;
    }

    @Override
    public @Nullable CallbackAddresses callbacks() {
      return withoutCallbacks ? null : callbackAddresses;
    }

    @Override
    public CallObserver observer() {
      return new CallObserver() {
        @Override
        public void begun(@Nullable String serviceClass) {}

        @Override
        public void invoked(String abstractService, @Nullable String serviceClass) {}

        @Override
        public void ended(@Nullable String serviceClass, long millis, boolean success) {}

        @Override
        public void called(
            String service, @Nullable String serviceClass, long nanos, boolean success) {
          observed.add(service + " " + nanos / MILLI + " " + success);
        }
      };
    }
  }

  private final class ByHand implements Clock {
    @Override
    public String scale() {
      return "by hand";
    }

    @Override
    public long nanoTime() {
      return nowNanos;
    }

    @Override
    public long epochMillis() {
      return 0;
    }
  }

  private record Answered(int status, HttpHeaders headers, ByteBuf body)
      implements ServiceResponse {
    @Override
    public String reason() {
      return "";
    }
  }

  /** The call of a concrete service, on the network's side. */
  private static final class Scripted implements ServiceCaller.OngoingCall {
    final HttpCall call;
    final ServiceCaller.CallListener callListener;
    boolean cancelled;

    Scripted(HttpCall call, ServiceCaller.CallListener callListener) {
      this.call = call;
      this.callListener = callListener;
    }

    /**
     * Answers as a connection does: a listener that does not take the response gets the outcome.
     */
    void answer(int status, CallOutcome outcome) {
      HttpHeaders fields = new DefaultHttpHeaders().set("content-type", "application/json");
      ByteBuf body = Unpooled.copiedBuffer("0", StandardCharsets.UTF_8);
      boolean taken =
          callListener instanceof ServiceCaller.InterceptedListener interceptedListener
              && interceptedListener.onResponse(new Answered(status, fields, body));
      if (!taken) {
        callListener.onOutcome(outcome);
      }
    }

    void accept() {
      answer(202, new CallOutcome.Succeeded(Payload.of("a 202 is no outcome")));
    }

    String field(String name) {
      return call.headers().stream()
          .filter(field -> field.name().equals(name))
          .map(HttpCall.HeaderField::value)
          .reduce("", String::concat);
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public String waitsFor() {
      return "the answer of " + call.uri();
    }
  }

  private ServiceCaller.OngoingCall begin(HttpCall call, ServiceCaller.CallListener callListener) {
    Scripted scripted = new Scripted(call, callListener);
    begun.add(scripted);
    return scripted;
  }

  private static ServiceEndpoint async(String id) {
    return new ServiceEndpoint(id, "http://" + id, true, ServiceMapping.NONE, true);
  }

  private void invoke(Pattern pattern, String... services) {
    HttpCall call = InvokerHarness.call("POST", "svc://flights/search", Payload.of(1));
    ServiceCandidates serviceCandidates =
        new ServiceCandidates(
            pattern, Arrays.stream(services).map(CallbackInvocationsTest::async).toList());
    lane.offer(
        new Effect.Invoke(
            0, ID, 3, 2, InvokerHarness.TASK, call, serviceCandidates, "flights", "gold"));
    invoker.doWork(nowNanos, 0);
  }

  private ReplyAddress<Reply.CallbackReply> answer(String service, int status, String json) {
    ReplyAddress<Reply.CallbackReply> to = new ReplyAddress<>(0, ++requests);
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    offer(service, CallbackResponse.of(status, "application/json", bytes), to);
    invoker.doWork(nowNanos, 0);
    return to;
  }

  private void offer(
      String service, CallbackResponse answer, ReplyAddress<Reply.CallbackReply> to) {
    heap.beginTransfer(answer.bytes().length);
    lane.offer(new Effect.DeliverCallback(0, ID, 3, 2, service, answer, to));
  }

  private void pass(int millis) {
    nowNanos += millis * MILLI;
    invoker.doWork(nowNanos, 0);
  }

  private static Completion heard(
      CallbackStatus callbackStatus, ReplyAddress<Reply.CallbackReply> to) {
    return new Completion.CallbackHandled(ID, callbackStatus, to);
  }

  private static Completion answered(long value) {
    return new Event.CallCompleted(ID, 3, 2, new CallOutcome.Succeeded(Payload.of(value)));
  }

  private CallOutcome.Failed failure() {
    Event.CallCompleted done = (Event.CallCompleted) told.getFirst();
    return (CallOutcome.Failed) done.outcome();
  }

  @Test
  void shouldTellTheServiceWhereToAnswerAndCountTheWholeTime() {
    invoke(Pattern.SINGLE, "sky");
    CallbackAddresses.CallReference callReference =
        new CallbackAddresses.CallReference(ID, 3, 2, "sky");
    assertEquals("http://sky/search", begun.getFirst().call.uri());
    assertEquals(
        callbackAddresses.address(callReference), begun.getFirst().field(CallbackAddresses.FIELD));
    begun.getFirst().accept();
    pass(40);
    assertEquals(List.of(), told);
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 200, "7");

    assertEquals(List.of(answered(7), heard(CallbackStatus.TAKEN, to)), told);
    assertEquals(List.of("sky 40 true"), observed);
    assertFalse(begun.getFirst().cancelled, "it has its answer, and no connection");
  }

  @Test
  void shouldTakeAnAnswerThatComesAtOnce() {
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().answer(200, new CallOutcome.Succeeded(Payload.of(5)));
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 200, "7");

    assertEquals(List.of(answered(5), heard(CallbackStatus.NOT_AWAITED, to)), told);
  }

  /** The answer may be faster than the 202. */
  @Test
  void shouldTakeALateAnswerBeforeThe202() {
    invoke(Pattern.SINGLE, "sky");
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 200, "7");

    assertEquals(List.of(answered(7), heard(CallbackStatus.TAKEN, to)), told);
    assertTrue(begun.getFirst().cancelled);
    begun.getFirst().accept();
    assertEquals(2, told.size(), "nothing more");
  }

  @Test
  void shouldChangeNothingByAnswersThatAreRepeatedOrOfOthers() {
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    ReplyAddress<Reply.CallbackReply> other = answer("sea", 200, "1");
    ReplyAddress<Reply.CallbackReply> first = answer("sky", 200, "7");
    ReplyAddress<Reply.CallbackReply> again = answer("sky", 200, "8");

    assertEquals(
        List.of(
            heard(CallbackStatus.NOT_AWAITED, other),
            answered(7),
            heard(CallbackStatus.TAKEN, first),
            heard(CallbackStatus.NOT_AWAITED, again)),
        told);
    assertEquals(1, observed.size());
  }

  @Test
  void shouldTimeOutWhileTheAnswerIsAwaited() {
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    pass(100);
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 200, "7");

    assertEquals(ErrorType.TIMEOUT.uri(), failure().error().type());
    assertTrue(
        String.valueOf(failure().error().detail())
            .endsWith("found it waiting for the answer that \"sky\" has announced"),
        failure().error()::detail);
    assertEquals(heard(CallbackStatus.NOT_AWAITED, to), told.getLast());
    assertEquals(List.of("sky 100 false"), observed);
  }

  @Test
  void shouldFailByALateAnswerAsByOneAtOnce() {
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 503, "7");

    assertEquals(503, failure().error().status());
    assertEquals(heard(CallbackStatus.TAKEN, to), told.getLast());
    assertEquals(List.of("sky 0 false"), observed);
  }

  @Test
  void shouldFailByALateAnswerThatCannotBeRead() {
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    answer("sky", 200, "{");

    assertEquals(ErrorType.COMMUNICATION.uri(), failure().error().type());
  }

  @Test
  void shouldGoOnToTheAlternateWhenALateAnswerIsAFailure() {
    invoke(Pattern.ALTERNATE, "sky", "sea");
    begun.getFirst().accept();
    ReplyAddress<Reply.CallbackReply> failed = answer("sky", 500, "1");
    assertEquals(List.of(heard(CallbackStatus.TAKEN, failed)), told, "the call continues");
    begun.getLast().accept();
    pass(10);
    ReplyAddress<Reply.CallbackReply> late = answer("sky", 200, "7");
    ReplyAddress<Reply.CallbackReply> good = answer("sea", 200, "8");

    assertEquals(
        List.of(
            heard(CallbackStatus.TAKEN, failed),
            heard(CallbackStatus.NOT_AWAITED, late),
            answered(8),
            heard(CallbackStatus.TAKEN, good)),
        told);
    assertEquals(List.of("sky 0 false", "sea 10 true"), observed);
  }

  @Test
  void shouldTakeTheFirstOfThoseThatAreAskedAtOnce() {
    invoke(Pattern.PARALLEL, "sky", "sea");
    begun.forEach(Scripted::accept);
    ReplyAddress<Reply.CallbackReply> first = answer("sea", 200, "8");
    ReplyAddress<Reply.CallbackReply> second = answer("sky", 200, "7");

    assertEquals(
        List.of(
            answered(8),
            heard(CallbackStatus.TAKEN, first),
            heard(CallbackStatus.NOT_AWAITED, second)),
        told);
  }

  /** Field fault 1: no value is made of an answer while others fill the heap. */
  @Test
  void shouldReadNoAnswerForWhichTheHeapHasNoRoom() {
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    Payload other = Payload.of("x".repeat(50_000));
    heap.beginTransfer(other);
    String large = "[" + "{},".repeat(500) + "{}]";
    ReplyAddress<Reply.CallbackReply> refused = answer("sky", 200, large);
    assertEquals(List.of(heard(CallbackStatus.NO_ROOM, refused)), told, "the call continues");
    assertEquals(other.heapBytes(), heap.carriedBytes(), "the answer is counted no more");

    heap.endTransfer(other);
    ReplyAddress<Reply.CallbackReply> taken = answer("sky", 200, large);
    assertEquals(heard(CallbackStatus.TAKEN, taken), told.getLast());
    assertTrue(heap.carriedBytes() > 40_000, "its value is on its way");
  }

  @Test
  void shouldAbortACallThatWaits() {
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    lane.offer(new Effect.Abort(ID, 3, 2));
    invoker.doWork(nowNanos, 0);
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 200, "7");

    assertEquals(
        List.of(
            new Event.CallCompleted(ID, 3, 2, CallOutcome.Aborted.INSTANCE),
            heard(CallbackStatus.NOT_AWAITED, to)),
        told);
  }

  @Test
  void shouldFailWhereTheEngineHasNoAddresses() {
    withoutCallbacks = true;
    invoke(Pattern.SINGLE, "sky");

    assertEquals(ErrorType.CONFIGURATION.uri(), failure().error().type());
    assertEquals(List.of(), begun);
    assertEquals(List.of(), observed.stream().filter(each -> each.endsWith("true")).toList());
  }

  /** The sender of an answer gets its reply when the handlers' result is on its way. */
  @Test
  void shouldTakeLateAnswersPastHandlers() {
    handlersStand = true;
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    assertEquals(List.of(), passages, "a 202 is no answer");
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 200, "7");
    assertEquals(200, passages.getFirst().status());
    assertEquals(List.of(), told);
    ReplyAddress<Reply.CallbackReply> again = answer("sky", 200, "8");
    waiting.getFirst().end(new InterceptionVerdict.Proceed(passages.getFirst()));

    assertEquals(
        List.of(
            heard(CallbackStatus.NOT_AWAITED, again), answered(7), heard(CallbackStatus.TAKEN, to)),
        told);
  }

  @Test
  void shouldTellWhoAnsweredWhenTheTimeIsUpWithHandlers() {
    handlersStand = true;
    invoke(Pattern.SINGLE, "sky");
    begun.getFirst().accept();
    ReplyAddress<Reply.CallbackReply> to = answer("sky", 200, "7");
    pass(100);

    assertEquals(ErrorType.TIMEOUT.uri(), failure().error().type());
    assertEquals(List.of(heard(CallbackStatus.NOT_AWAITED, to)), told.subList(1, told.size()));
    waiting.getFirst().end(new InterceptionVerdict.Proceed(passages.getFirst()));
    assertEquals(2, told.size(), "nothing more");
  }
}
