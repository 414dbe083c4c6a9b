package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceCandidates.Pattern;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.binding.ServiceMapping;
import dev.pinion.core.codec.ContentCoding;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.interception.MessageContext;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Handlers around the calls of concrete services, with a scripted caller. */
class InterceptedCallTest {
  private static final CallOutcome FAILURE = CallFailures.communication("nobody there");

  private final List<Waiting> waiting = new ArrayList<>();
  private final List<Scripted> begun = new ArrayList<>();
  private final List<CallOutcome> outcomes = new ArrayList<>();
  private final CallInterception handlers =
      new CallInterception(
          new Held(),
          Runnable::run,
          new PayloadCodec(EngineLimits.defaults().json()),
          EngineLimits.defaults().invoker());

  /** A message that waits at the handlers. */
  private record Waiting(HttpMessage message, Interceptor.Continuation then) {
    void end(InterceptionVerdict interceptionVerdict) {
      then.end(interceptionVerdict);
    }

    void proceed() {
      end(new InterceptionVerdict.Proceed(message));
    }
  }

  /** Handlers that keep calls and responses until the test decides. */
  private final class Held implements Interceptor {
    @Override
    public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
      return true;
    }

    @Override
    public void handle(HttpMessage message, Continuation then) {
      waiting.add(new Waiting(message, then));
    }
  }

  private static final class Scripted implements ServiceCaller.OngoingCall {
    final HttpCall call;
    final ServiceCaller.InterceptedListener listener;
    boolean cancelled;

    Scripted(HttpCall call, ServiceCaller.InterceptedListener listener) {
      this.call = call;
      this.listener = listener;
    }

    void answer(int status, String json) {
      HttpHeaders fields = new DefaultHttpHeaders().set("content-type", "application/json");
      ByteBuf body = Unpooled.copiedBuffer(json, StandardCharsets.UTF_8);
      assertTrue(listener.onResponse(new Answered(status, fields, body)));
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

  private record Answered(int status, HttpHeaders headers, ByteBuf body)
      implements ServiceResponse {
    @Override
    public String reason() {
      return "";
    }
  }

  private ServiceCaller.OngoingCall begin(HttpCall call, ServiceCaller.CallListener callListener) {
    Scripted scripted = new Scripted(call, (ServiceCaller.InterceptedListener) callListener);
    begun.add(scripted);
    return scripted;
  }

  private BoundCall start(Pattern pattern, String... services) {
    HttpCall call = InvokerHarness.call("POST", "svc://flights/search", Payload.of("body"));
    List<ServiceEndpoint> all = new ArrayList<>();
    for (String id : services) {
      List<HttpCall.HeaderField> own = List.of(new HttpCall.HeaderField("X-Of", id));
      all.add(
          new ServiceEndpoint(id, "http://" + id, true, new ServiceMapping(null, own, null, null)));
    }
    ServiceCaller via =
        InterceptedCall.around(
            handlers, this::begin, MessageContext.of(InvokerHarness.TASK.definition()));
    BoundCall bound =
        new BoundCall(
            _ -> via,
            call,
            new ServiceCandidates(pattern, all),
            new BoundCall.CallSettings(100, CallTimer.NONE, null),
            outcomes::add);
    bound.begin();
    return bound;
  }

  private static HttpMessage signed(HttpMessage message) {
    TreeMap<String, String> fields = new TreeMap<>(message.fields());
    fields.put("x-signature", message.target() + text(message));
    return message.with(0, fields, message.content());
  }

  private static String text(HttpMessage message) {
    return new String(message.content().bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void shouldTakeTheRequestOfEachMemberAsItsServiceGetsIt() {
    start(Pattern.PARALLEL, "a", "b");
    assertEquals(2, waiting.size());
    assertEquals(0, begun.size(), "nothing is sent before handlers have said so");
    HttpMessage second = waiting.get(1).message();
    assertEquals(InterceptionPoint.BEFORE_CALL, second.point());
    assertEquals("http://b/search", second.target());
    assertEquals("b", second.fields().get("x-of"));
    assertEquals("\"body\"", text(second));

    waiting.get(1).end(new InterceptionVerdict.Proceed(signed(second)));
    assertEquals("http://b/search", begun.getFirst().call.uri());
    assertTrue(
        begun
            .getFirst()
            .call
            .headers()
            .contains(new HttpCall.HeaderField("x-signature", "http://b/search\"body\"")));
    MessageBody messageBody = Objects.requireNonNull(begun.getFirst().listener.content());
    assertEquals("\"body\"", new String(messageBody.bytes(), StandardCharsets.UTF_8));
  }

  @Test
  void shouldJudgeAnAnswerAfterHandlers() {
    start(Pattern.ALTERNATE, "a", "b");
    waiting.get(0).proceed();
    assertNull(begun.getFirst().listener.content(), "unchanged content is sent as it was");
    begun.getFirst().answer(200, "1");
    assertEquals(1, begun.size());
    HttpMessage answer = waiting.get(1).message();
    assertEquals(InterceptionPoint.AFTER_CALL, answer.point());
    assertEquals("http://a/search", answer.target());
    waiting
        .get(1)
        .end(new InterceptionVerdict.Proceed(answer.with(500, answer.fields(), answer.content())));

    waiting.get(2).proceed();
    assertEquals("http://b/search", begun.get(1).call.uri(), "the first one has failed");
    begun.get(1).answer(404, "\"no\"");
    HttpMessage missing = waiting.get(3).message();
    assertEquals(404, missing.status());
    MessageBody found = MessageBody.of("2".getBytes(StandardCharsets.UTF_8), "application/json");
    waiting.get(3).end(new InterceptionVerdict.Respond(missing.with(200, missing.fields(), found)));
    assertEquals(List.of(new CallOutcome.Succeeded(Payload.of(2))), outcomes);
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

    assertEquals(List.of(new CallOutcome.Succeeded(Payload.of(1))), outcomes);
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
    assertEquals("handlers", bound.waitsFor());
    waiting.get(0).end(new InterceptionVerdict.Reject(problem));
    waiting.get(1).end(new InterceptionVerdict.Overloaded("handlers.maxQueued", 1));
    waiting.get(2).proceed();
    assertEquals("the answer of http://c/search", bound.waitsFor());
    begun.getFirst().answer(200, "3");
    waiting.get(3).end(new InterceptionVerdict.Reject(problem));

    CallOutcome.Failed failed = assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst());
    assertEquals(problem, failed.error());
  }

  @Test
  void shouldShowHandlersTheBytesThatAreSent() {
    HttpCall call =
        InvokerHarness.call(
            "POST",
            "http://a/upload",
            List.of(new HttpCall.HeaderField("Content-Type", "multipart/form-data")),
            Payload.object(Map.of("name", Payload.of("Ada"))),
            HttpCall.Output.CONTENT);
    InterceptedCall.around(
            handlers, this::begin, MessageContext.of(InvokerHarness.TASK.definition()))
        .call(call, outcomes::add);

    HttpMessage leaving = waiting.getFirst().message();
    String type = leaving.content().mediaType();
    assertTrue(type.startsWith("multipart/form-data; boundary=pinion-"), type);
    String boundary = type.substring(type.indexOf('=') + 1);
    assertEquals(
        "--%s\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAda\r\n--%s--\r\n"
            .formatted(boundary, boundary),
        text(leaving));
    waiting.getFirst().proceed();
    assertEquals(call, begun.getFirst().call);
  }

  @Test
  void shouldDecompressWhatHandlersLeaveCompressed() {
    start(Pattern.ALTERNATE, "a", "b");
    waiting.get(0).proceed();
    byte[] coded = ContentCoding.GZIP.encode("{\"a\":1}".getBytes(StandardCharsets.UTF_8), 6);
    HttpHeaders fields =
        new DefaultHttpHeaders()
            .set("content-type", "application/json")
            .set("content-encoding", "gzip");
    assertTrue(
        begun
            .getFirst()
            .listener
            .onResponse(new Answered(200, fields, Unpooled.wrappedBuffer(coded))));

    HttpMessage answer = waiting.get(1).message();
    assertArrayEquals(coded, answer.content().bytes(), "handlers see it as it came");
    waiting.get(1).proceed();
    Payload output = assertInstanceOf(CallOutcome.Succeeded.class, outcomes.getFirst()).output();
    assertEquals("{\"a\":1}", output.toString());
  }

  @Test
  void shouldSendNothingWhoseBodyHasNoForm() {
    HttpCall call =
        InvokerHarness.call(
            "POST",
            "http://a/upload",
            List.of(new HttpCall.HeaderField("Content-Type", "image/png")),
            Payload.object(Map.of("base64", Payload.of("?"))),
            HttpCall.Output.CONTENT);
    InterceptedCall.around(
            handlers, this::begin, MessageContext.of(InvokerHarness.TASK.definition()))
        .call(call, outcomes::add);

    CallOutcome.Failed failed = assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst());
    assertEquals(ErrorType.CONFIGURATION.uri(), failed.error().type());
    assertEquals(List.of(), waiting);
    assertEquals(List.of(), begun);
  }

  @Test
  void shouldReportACallThatCannotBeBegun() {
    ServiceCaller broken =
        InterceptedCall.around(
            handlers,
            (call, callListener) -> {
              throw new IllegalStateException("as asked");
            },
            MessageContext.of(InvokerHarness.TASK.definition()));
    ServiceCaller.OngoingCall _ = broken.call(InvokerHarness.get("http://a/"), outcomes::add);
    waiting.getFirst().proceed();

    CallOutcome.Failed failed = assertInstanceOf(CallOutcome.Failed.class, outcomes.getFirst());
    String detail = Objects.requireNonNull(failed.error().detail());
    assertTrue(detail.contains("could not be begun"), detail);
  }
}
