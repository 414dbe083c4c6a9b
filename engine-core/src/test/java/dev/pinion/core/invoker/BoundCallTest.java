package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceCandidates.Pattern;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.binding.ServiceMapping;
import dev.pinion.core.binding.ServicePathTemplate;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.DeferredExpressions;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of services, with a scripted caller. */
class BoundCallTest {
  private static final CallOutcome ANSWER = new CallOutcome.Succeeded(Payload.of(1));
  private static final CallOutcome FAILURE = CallFailures.communication("first");
  private static final CallOutcome LAST_FAILURE = CallFailures.communication("last");
  private static final long STEPS = 100;

  private final List<Scripted> begun = new ArrayList<>();
  private final List<CallOutcome> outcomes = new ArrayList<>();
  private final List<CallOutcome> atOnce = new ArrayList<>();
  private final List<String> observed = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final CallTimer watch = new CallTimer(new Observed(), () -> nanos.addAndGet(10));

  private final class Observed implements CallObserver {
    @Override
    public void begun(@Nullable String serviceClass) {}

    @Override
    public void invoked(String abstractService, @Nullable String serviceClass) {}

    @Override
    public void called(
        String service, @Nullable String serviceClass, long duration, boolean success) {
      observed.add(service + " " + serviceClass + " " + duration + " " + success);
    }

    @Override
    public void ended(@Nullable String serviceClass, long millis, boolean success) {}
  }

  private static final class Scripted implements ServiceCaller.OngoingCall {
    final HttpCall call;
    final ServiceCaller.CallListener callListener;
    boolean cancelled;

    Scripted(HttpCall call, ServiceCaller.CallListener callListener) {
      this.call = call;
      this.callListener = callListener;
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
    if (!atOnce.isEmpty()) {
      callListener.onOutcome(atOnce.removeFirst());
    }
    return scripted;
  }

  private static ServiceEndpoint service(String id) {
    return ServiceEndpoint.of(id, "http://" + id);
  }

  private BoundCall start(Pattern pattern, ServiceEndpoint... services) {
    HttpCall call =
        new HttpCall(
            "POST",
            "svc://flights/search?to=x",
            List.of(new HttpCall.HeaderField("Accept", "a/b"), new HttpCall.HeaderField("X", "1")),
            Payload.of("body"),
            HttpCall.Output.CONTENT,
            false);
    return start(call, new ServiceCandidates(pattern, List.of(services)));
  }

  private BoundCall start(HttpCall call, ServiceCandidates serviceCandidates) {
    BoundCall.CallSettings callSettings = new BoundCall.CallSettings(STEPS, watch, "gold");
    BoundCall bound =
        new BoundCall(_ -> this::begin, call, serviceCandidates, callSettings, outcomes::add);
    bound.begin();
    return bound;
  }

  private void end(int index, CallOutcome outcome) {
    begun.get(index).callListener.onOutcome(outcome);
  }

  @Test
  void shouldCallAlternatesInOrderUntilOneSucceeds() {
    start(Pattern.ALTERNATE, service("a"), service("b"), service("c"));
    assertEquals(1, begun.size());
    end(0, FAILURE);
    assertEquals(2, begun.size());
    assertEquals(List.of(), outcomes);
    end(1, ANSWER);

    assertEquals(List.of(ANSWER), outcomes);
    assertEquals(2, begun.size());
    assertEquals("http://b/search?to=x", begun.get(1).call.uri());
  }

  @Test
  void shouldTellHowLongEachServiceTook() {
    start(Pattern.ALTERNATE, service("a"), service("b"));
    end(0, FAILURE);
    nanos.addAndGet(5);
    end(1, ANSWER);
    start(Pattern.PARALLEL, service("a"), service("b"));
    end(3, ANSWER);
    BoundCall silent = start(Pattern.ALTERNATE, service("a"), service("b"));
    silent.timedOut();
    silent.cancel();

    assertEquals(
        List.of("a gold 10 false", "b gold 15 true", "b gold 10 true", "a gold 10 false"),
        observed,
        "a cancelled one is not reported, a silent one has failed");
  }

  @Test
  void shouldReportTheLastFailureOfAlternates() {
    start(Pattern.ALTERNATE, service("a"), service("b"));
    end(0, FAILURE);
    end(1, LAST_FAILURE);

    assertEquals(List.of(LAST_FAILURE), outcomes);
  }

  @Test
  void shouldCallAlternatesThatFailAtOnce() {
    Collections.addAll(atOnce, FAILURE, FAILURE, ANSWER);
    start(Pattern.ALTERNATE, service("a"), service("b"), service("c"));

    assertEquals(List.of(ANSWER), outcomes);
  }

  @Test
  void shouldTellOfTheWorkForEachOfItsCalls() {
    List<Integer> looks = new ArrayList<>();
    ServiceCaller.CallListener callListener =
        new ServiceCaller.CallListener() {
          @Override
          public void onOutcome(CallOutcome outcome) {
            outcomes.add(outcome);
          }

          @Override
          public void onWork(int since) {
            looks.add(since);
          }
        };
    HttpCall call =
        new HttpCall("GET", "svc://flights", List.of(), null, HttpCall.Output.CONTENT, false);
    ServiceCandidates two =
        new ServiceCandidates(Pattern.PARALLEL, List.of(service("a"), service("b")));
    BoundCall.CallSettings callSettings = new BoundCall.CallSettings(STEPS, watch, "gold");
    new BoundCall(_ -> this::begin, call, two, callSettings, callListener).begin();

    begun.get(0).callListener.onWork(3);
    begun.get(1).callListener.onWork(5);

    assertEquals(List.of(3, 5), looks);
  }

  @Test
  void shouldCancelTheLosersOfParallelServices() {
    start(Pattern.PARALLEL, service("a"), service("b"), service("c"));
    assertEquals(3, begun.size());
    end(0, FAILURE);
    assertEquals(List.of(), outcomes);
    end(1, ANSWER);

    assertEquals(List.of(ANSWER), outcomes);
    assertTrue(begun.get(2).cancelled);
    assertFalse(begun.get(0).cancelled, "it had ended");
  }

  @Test
  void shouldReportTheLastFailureOfParallelServices() {
    start(Pattern.PARALLEL, service("a"), service("b"));
    end(1, FAILURE);
    end(0, LAST_FAILURE);

    assertEquals(List.of(LAST_FAILURE), outcomes);
  }

  @Test
  void shouldBeginNoMoreOnceOneHasSucceeded() {
    atOnce.add(ANSWER);
    start(Pattern.PARALLEL, service("a"), service("b"));

    assertEquals(List.of(ANSWER), outcomes);
    assertEquals(1, begun.size());
  }

  @Test
  void shouldWaitForOthersWhenParallelServicesFailAtOnce() {
    Collections.addAll(atOnce, FAILURE);
    BoundCall call = start(Pattern.PARALLEL, service("a"), service("b"));
    assertEquals(List.of(), outcomes);
    assertEquals("the answer of http://b/search?to=x", call.waitsFor());
    end(1, ANSWER);

    assertEquals(List.of(ANSWER), outcomes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALTERNATE", "PARALLEL"})
  void shouldCancelAllThatIsUnderWay(String pattern) {
    BoundCall call = start(Pattern.valueOf(pattern), service("a"), service("b"));
    call.cancel();

    assertTrue(begun.stream().allMatch(each -> each.cancelled));
    assertEquals(List.of(), outcomes);
  }

  private static ServiceEndpoint mapping(
      UnaryOperator<Payload> request, UnaryOperator<Payload> answer) {
    Expression<Payload> before = (input, scope, budget) -> request.apply(input);
    Expression<Payload> after = (input, scope, budget) -> answer.apply(input);
    return new ServiceEndpoint(
        "m",
        "http://m",
        true,
        new ServiceMapping(
            new ServicePathTemplate("/v2/{1}?q={query}"),
            List.of(new HttpCall.HeaderField("x", "2")),
            before,
            after));
  }

  @Test
  void shouldMapRequestsAndAnswers() {
    start(
        Pattern.SINGLE,
        mapping(body -> Payload.of("asked " + body), answer -> Payload.of("told " + answer)));
    HttpCall call = begun.getFirst().call;
    end(0, ANSWER);

    assertEquals("http://m/v2/search?q=to=x", call.uri());
    assertEquals(Payload.of("asked " + Payload.of("body")), call.body());
    assertEquals(
        List.of(new HttpCall.HeaderField("Accept", "a/b"), new HttpCall.HeaderField("x", "2")),
        call.headers());
    assertEquals(List.of(new CallOutcome.Succeeded(Payload.of("told " + Payload.of(1)))), outcomes);
  }

  private CallOutcome.Failed failure() {
    return (CallOutcome.Failed) outcomes.getFirst();
  }

  @Test
  void shouldFailWhenAMappingTakesTooMuch() {
    Expression<Payload> endless =
        (input, scope, budget) -> {
          while (true) {
            budget.charge(1);
          }
        };
    start(
        Pattern.SINGLE,
        new ServiceEndpoint(
            "m", "http://m", true, new ServiceMapping(null, List.of(), endless, null)));

    assertEquals(ErrorType.EXPRESSION.uri(), failure().error().type());
    assertTrue(
        Objects.requireNonNull(failure().error().detail()).contains("100 steps"),
        () -> failure().toString());
    assertEquals(List.of(), begun);
  }

  @Test
  void shouldFailWhenARequestWithSecretsHasToBeMapped() {
    DeferredExpressions body =
        new DeferredExpressions(
            "/do/0/a/with",
            Set.of(),
            null,
            null,
            null,
            null,
            (input, scope, budget) -> input,
            null);
    HttpCall call =
        new HttpCall(
            "POST",
            "svc://flights/search",
            List.of(),
            null,
            HttpCall.Output.CONTENT,
            false,
            new SecretParts.Pending(null, body, Payload.NULL, Map.of()));

    start(call, ServiceCandidates.single(mapping(it -> it, it -> it)));

    assertTrue(begun.isEmpty());
    assertTrue(
        outcomes.toString().contains("expected a body without secrets, because the service"),
        outcomes::toString);
  }

  @Test
  void shouldLetAMappingTakeAllItsSteps() {
    Expression<Payload> long100 =
        (input, scope, budget) -> {
          budget.charge(STEPS);
          assertThrows(BudgetExceededException.class, () -> budget.charge(1));
          return input;
        };
    start(
        Pattern.SINGLE,
        new ServiceEndpoint(
            "m", "http://m", true, new ServiceMapping(null, List.of(), long100, null)));

    assertEquals(1, begun.size());
  }

  @Test
  void shouldRefuseToMapWhatIsNoContent() {
    HttpCall raw =
        new HttpCall("GET", "svc://flights", List.of(), null, HttpCall.Output.RAW, false);
    start(raw, ServiceCandidates.single(mapping(it -> it, it -> it)));

    assertEquals(ErrorType.CONFIGURATION.uri(), failure().error().type());
  }

  @ParameterizedTest
  @CsvSource({
    "/a/{2}/{1}, /x/y?z=1, /a/y/x",
    "/a/{3}, /x/y, /a/",
    "/{path}?{query}&k=1, /x/y?z=1, /x/y?z=1&k=1",
    "/{path}, x#f, /x",
    "/fixed, /x?y, /fixed"
  })
  void shouldExpandPaths(String template, String rest, String expected) {
    ServiceEndpoint service =
        new ServiceEndpoint(
            "p",
            "http://p",
            true,
            new ServiceMapping(new ServicePathTemplate(template), List.of(), null, null));
    HttpCall call = new HttpCall("GET", "svc://s", List.of(), null, HttpCall.Output.CONTENT, false);

    assertEquals("http://p" + expected, service.addressedCall(call, service.uri(rest)).uri());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "", "/{0}", "/{10}", "/{a", "/a}", "/ä", "/a b", "/{}", "/#a"})
  void shouldRefuseWhatIsNoTemplate(String template) {
    assertThrows(IllegalArgumentException.class, () -> new ServicePathTemplate(template));
  }

  @Test
  void shouldBoundTemplates() {
    String longest = "/" + "a".repeat(ServicePathTemplate.MAX_CHARS - 1);
    assertEquals(longest, new ServicePathTemplate(longest).toString());
    assertThrows(IllegalArgumentException.class, () -> new ServicePathTemplate(longest + "a"));
  }

  @Test
  void shouldBoundPatterns() {
    List<ServiceEndpoint> most = Collections.nCopies(ServiceCandidates.MAX_SERVICES, service("a"));
    assertEquals(most, new ServiceCandidates(Pattern.PARALLEL, most).services());
    List<ServiceEndpoint> more =
        Collections.nCopies(ServiceCandidates.MAX_SERVICES + 1, service("a"));
    assertThrows(
        IllegalArgumentException.class, () -> new ServiceCandidates(Pattern.ALTERNATE, more));
    List<ServiceEndpoint> one = List.of(service("a"));
    assertThrows(
        IllegalArgumentException.class, () -> new ServiceCandidates(Pattern.PARALLEL, one));
    assertThrows(IllegalArgumentException.class, () -> new ServiceCandidates(Pattern.SINGLE, most));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALTERNATE", "PARALLEL"})
  void shouldRefuseToRepeatWhatMustNotBe(String pattern) {
    ServiceEndpoint once = new ServiceEndpoint("pay", "http://pay", false, ServiceMapping.NONE);
    List<ServiceEndpoint> pair = List.of(service("a"), once);

    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new ServiceCandidates(Pattern.valueOf(pattern), pair))
            .getMessage();
    assertTrue(Objects.requireNonNull(message).contains("\"pay\""), message);
  }
}
