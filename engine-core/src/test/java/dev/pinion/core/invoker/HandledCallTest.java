package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.Candidates;
import dev.pinion.core.model.Candidates.Pattern;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.model.ServiceEndpoint;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.Content;
import dev.pinion.core.spi.Decision;
import dev.pinion.core.spi.Passage;
import dev.pinion.core.spi.Subject;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Handlers around the calls of concrete services, with a scripted caller. */
class HandledCallTest {
  private static final CallOutcome FAILURE = Failures.communication("nobody there");

  private final List<Waiting> waiting = new ArrayList<>();
  private final List<Scripted> begun = new ArrayList<>();
  private final List<CallOutcome> outcomes = new ArrayList<>();
  private final CallHandlers handlers =
      new CallHandlers(new Held(), Runnable::run, new PayloadCodec(EngineLimits.defaults().json()));

  /** A message that waits at the handlers. */
  private record Waiting(Passage message, Around.Continuation then) {
    void end(Decision decision) {
      then.end(decision);
    }

    void proceed() {
      end(new Decision.Proceed(message));
    }
  }

  /** Handlers that keep calls and responses until the test decides. */
  private final class Held implements Around {
    @Override
    public boolean handles(Point point, @Nullable DefinitionKey definition) {
      return true;
    }

    @Override
    public void handle(Passage message, Continuation then) {
      waiting.add(new Waiting(message, then));
    }
  }

  private static final class Scripted implements ServiceCaller.OngoingCall {
    final HttpCall call;
    final ServiceCaller.Handled listener;
    boolean cancelled;

    Scripted(HttpCall call, ServiceCaller.Handled listener) {
      this.call = call;
      this.listener = listener;
    }

    void answer(int status, String json) {
      HttpHeaders fields = new DefaultHttpHeaders().set("content-type", "application/json");
      ByteBuf body = Unpooled.copiedBuffer(json, StandardCharsets.UTF_8);
      assertTrue(listener.onAnswer(new Answered(status, fields, body)));
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public String awaits() {
      return "the answer of " + call.uri();
    }
  }

  private record Answered(int status, HttpHeaders headers, ByteBuf body) implements ServiceAnswer {
    @Override
    public String reason() {
      return "";
    }
  }

  private ServiceCaller.OngoingCall begin(HttpCall call, ServiceCaller.Listener listener) {
    Scripted scripted = new Scripted(call, (ServiceCaller.Handled) listener);
    begun.add(scripted);
    return scripted;
  }

  private BoundCall start(Pattern pattern, String... services) {
    HttpCall call = InvokerRig.call("POST", "svc://flights/search", Payload.of("body"));
    List<ServiceEndpoint> all = new ArrayList<>();
    for (String id : services) {
      List<HttpCall.Header> own = List.of(new HttpCall.Header("X-Of", id));
      all.add(new ServiceEndpoint(id, "http://" + id, true, null, own, null, null));
    }
    ServiceCaller via = handlers.around(this::begin, Subject.of(InvokerRig.TASK.definition()));
    BoundCall bound =
        new BoundCall(
            _ -> via,
            call,
            new Candidates(pattern, all),
            new BoundCall.Terms(100, CallWatch.NONE, null),
            outcomes::add);
    bound.begin();
    return bound;
  }

  private static Passage signed(Passage message) {
    TreeMap<String, String> fields = new TreeMap<>(message.fields());
    fields.put("x-signature", message.target() + text(message));
    return message.with(0, fields, message.content());
  }

  private static String text(Passage message) {
    return new String(message.content().bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void shouldTakeTheRequestOfEachMemberAsItsServiceGetsIt() {
    start(Pattern.PARALLEL, "a", "b");
    assertEquals(2, waiting.size());
    assertEquals(0, begun.size(), "nothing is sent before handlers have said so");
    Passage second = waiting.get(1).message();
    assertEquals(Around.Point.BEFORE_CALL, second.point());
    assertEquals("http://b/search", second.target());
    assertEquals("b", second.fields().get("x-of"));
    assertEquals("\"body\"", text(second));

    waiting.get(1).end(new Decision.Proceed(signed(second)));
    assertEquals("http://b/search", begun.getFirst().call.uri());
    assertTrue(
        begun
            .getFirst()
            .call
            .headers()
            .contains(new HttpCall.Header("x-signature", "http://b/search\"body\"")));
    Content content = Objects.requireNonNull(begun.getFirst().listener.content());
    assertEquals("\"body\"", new String(content.bytes(), StandardCharsets.UTF_8));
  }

  @Test
  void shouldJudgeAnAnswerAfterHandlers() {
    start(Pattern.ALTERNATE, "a", "b");
    waiting.get(0).proceed();
    assertNull(begun.getFirst().listener.content(), "unchanged content is sent as it was");
    begun.getFirst().answer(200, "1");
    assertEquals(1, begun.size());
    Passage answer = waiting.get(1).message();
    assertEquals(Around.Point.AFTER_CALL, answer.point());
    assertEquals("http://a/search", answer.target());
    waiting.get(1).end(new Decision.Proceed(answer.with(500, answer.fields(), answer.content())));

    waiting.get(2).proceed();
    assertEquals("http://b/search", begun.get(1).call.uri(), "the first one has failed");
    begun.get(1).answer(404, "\"no\"");
    Passage missing = waiting.get(3).message();
    assertEquals(404, missing.status());
    Content found = Content.of("2".getBytes(StandardCharsets.UTF_8), "application/json");
    waiting.get(3).end(new Decision.Answered(missing.with(200, missing.fields(), found)));
    assertEquals(List.of(new CallOutcome.Answered(Payload.of(2))), outcomes);
  }

  @Test
  void shouldEndAMemberThatIsCancelledOnce() {
    start(Pattern.PARALLEL, "a", "b", "c", "d");
    waiting.get(0).proceed();
    waiting.get(1).proceed();
    waiting.get(2).proceed();
    begun.get(0).answer(200, "1");
    begun.get(1).answer(200, "2");
    waiting.get(4).proceed();

    assertEquals(List.of(new CallOutcome.Answered(Payload.of(1))), outcomes);
    assertTrue(begun.get(2).cancelled, "it was with its service");
    waiting.get(3).proceed();
    assertEquals(3, begun.size(), "it was with handlers, and is not sent any more");
    waiting.get(5).proceed();
    waiting.get(5).proceed();
    begun.get(2).listener.onOutcome(FAILURE);
    assertEquals(1, outcomes.size(), "later results are dropped");
  }

  @Test
  void shouldGoOnWithTheNextServiceWhenHandlersStopAMember() {
    WorkflowError problem = WorkflowError.of(ErrorType.AUTHENTICATION, "no key");
    BoundCall bound = start(Pattern.ALTERNATE, "a", "b", "c");
    assertEquals("handlers", bound.awaits());
    waiting.get(0).end(new Decision.Refused(problem));
    waiting.get(1).end(new Decision.Overloaded("handlers.maxQueued", 1));
    waiting.get(2).proceed();
    assertEquals("the answer of http://c/search", bound.awaits());
    begun.getFirst().answer(200, "3");
    waiting.get(3).end(new Decision.Refused(problem));

    CallOutcome.Failed failed = assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst());
    assertEquals(problem, failed.error());
  }

  @Test
  void shouldReportACallThatCannotBeBegun() {
    ServiceCaller broken =
        handlers.around(
            (call, listener) -> {
              throw new IllegalStateException("as asked");
            },
            Subject.of(InvokerRig.TASK.definition()));
    ServiceCaller.OngoingCall _ = broken.call(InvokerRig.get("http://a/"), outcomes::add);
    waiting.getFirst().proceed();

    CallOutcome.Failed failed = assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst());
    String detail = Objects.requireNonNull(failed.error().detail());
    assertTrue(detail.contains("could not be begun"), detail);
  }
}
