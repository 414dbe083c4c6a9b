package dev.pinion.core.invoker;

import dev.pinion.core.binding.AbstractServiceUri;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.SecretParts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call of an abstract service: calls concrete ones in the pattern of its candidates until one
 * succeeds, with requests and responses in the form of each of them.
 *
 * <pre>
 *   alternate   first ──fails──▶ second ──fails──▶ … ──fails──▶ the last failure
 *   parallel    all at once ──▶ first success, others cancelled; or the last failure
 * </pre>
 *
 * <p>A success is a response that the definition accepts; anything else is a failure, whatever its
 * cause. On the thread of the Invoker's event loop.
 */
final class BoundCall implements ServiceCaller.OngoingCall {
  private final Function<ServiceEndpoint, ServiceCaller> callers;
  private final HttpCall call;
  private final ServiceCandidates serviceCandidates;
  private final CallSettings callSettings;
  private final ServiceCaller.CallListener callListener;
  private final List<CandidateCall> members = new ArrayList<>();
  private int open;
  private boolean ended;

  /**
   * Parameters of the calls.
   *
   * @param maxSteps most steps of mapping a body
   * @param watch measurement of the calls of concrete services
   * @param serviceClass the class of the caller, or null
   */
  record CallSettings(long maxSteps, CallTimer watch, @Nullable String serviceClass) {}

  /**
   * A call that has not begun.
   *
   * @param callers returns the caller for a concrete service
   * @param call to the abstract service
   * @param callListener receives the outcome once; never after {@link #cancel}
   */
  BoundCall(
      Function<ServiceEndpoint, ServiceCaller> callers,
      HttpCall call,
      ServiceCandidates serviceCandidates,
      CallSettings callSettings,
      ServiceCaller.CallListener callListener) {
    this.callers = callers;
    this.call = call;
    this.serviceCandidates = serviceCandidates;
    this.callSettings = callSettings;
    this.callListener = callListener;
  }

  void begin() {
    int atOnce =
        serviceCandidates.pattern() == ServiceCandidates.Pattern.PARALLEL
            ? serviceCandidates.services().size()
            : 1;
    open = atOnce;
    for (int i = 0; i < atOnce && !ended; i++) {
      beginNext();
    }
  }

  private void beginNext() {
    CandidateCall candidateCall =
        new CandidateCall(serviceCandidates.services().get(members.size()));
    members.add(candidateCall);
    candidateCall.begin();
  }

  private void failed(CallOutcome failure) {
    boolean hasNext =
        serviceCandidates.pattern() == ServiceCandidates.Pattern.ALTERNATE
            && members.size() < serviceCandidates.services().size();
    if (hasNext) {
      beginNext();
      return;
    }
    open--;
    if (open == 0) {
      end(failure);
    }
  }

  private void end(CallOutcome outcome) {
    cancel();
    callListener.onOutcome(outcome);
  }

  /** Fails the services that have not answered in time. */
  void timedOut() {
    members.stream().filter(CandidateCall::isUnderWay).forEach(each -> each.observe(false));
  }

  @Override
  public void cancel() {
    ended = true;
    members.forEach(CandidateCall::cancel);
  }

  @Override
  public String waitsFor() {
    return members.stream()
        .filter(CandidateCall::isUnderWay)
        .map(CandidateCall::awaits)
        .collect(Collectors.joining(" and "));
  }

  @Override
  public boolean wasDelayedLocally() {
    boolean held = false;
    for (CandidateCall candidateCall : members) {
      held |= candidateCall.wasHeldUp();
    }
    return held;
  }

  private Payload mapped(Expression<Payload> expression, Payload input, String what) {
    try {
      return expression.evaluate(input, Scope.EMPTY, new Budget(callSettings.maxSteps()));
    } catch (BudgetExceededException e) {
      throw new ExpressionException(
          CallFailures.of(
                  ErrorType.EXPRESSION,
                  "expected the mapping of "
                      + what
                      + " to end within "
                      + callSettings.maxSteps()
                      + " steps (invoker.maxMappingSteps), but it did not")
              .error());
    }
  }

  /** The call of one concrete service. */
  private final class CandidateCall implements ServiceCaller.CallListener {
    private final ServiceEndpoint service;
    private ServiceCaller.@Nullable OngoingCall ongoing;
    private boolean over;
    private boolean called;
    private long begunNanos;

    CandidateCall(ServiceEndpoint service) {
      this.service = service;
    }

    void begin() {
      HttpCall concrete;
      try {
        concrete = request();
      } catch (ExpressionException e) {
        onOutcome(new CallOutcome.Failed(e.error()));
        return;
      }
      begunNanos = callSettings.watch().now();
      called = true;
      ServiceCaller.OngoingCall begun = callers.apply(service).call(concrete, this);
      ongoing = over ? null : begun;
    }

    /** The request in the form of this service. */
    private HttpCall request() {
      HttpCall addressed = service.addressedCall(call, service.uri(AbstractServiceUri.rest(call)));
      if (service.mapping().answer() != null && !call.output().isContent()) {
        throw new ExpressionException(
            CallFailures.of(
                    ErrorType.CONFIGURATION,
                    "expected a call whose output is the content, because the service \""
                        + service.id()
                        + "\" maps its answers, found one whose output is "
                        + call.output())
                .error());
      }
      if (service.mapping().request() == null) {
        return addressed;
      }
      SecretParts.Pending pending = call.pending();
      if (pending != null && pending.expressions().body() != null) {
        throw new ExpressionException(
            CallFailures.of(
                    ErrorType.CONFIGURATION,
                    "expected a body without secrets, because the service \""
                        + service.id()
                        + "\" maps its requests, found one with secrets")
                .error());
      }
      Payload body = call.body() == null ? Payload.NULL : call.body();
      return addressed.withBody(
          mapped(service.mapping().request(), body, "the request to \"" + service.id() + '"'));
    }

    @Override
    public void onWork(int since) {
      callListener.onWork(since);
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      over = true;
      ongoing = null;
      if (ended) {
        return;
      }
      CallOutcome seen = seen(outcome);
      if (called) {
        observe(seen instanceof CallOutcome.Succeeded);
      }
      if (seen instanceof CallOutcome.Succeeded) {
        end(seen);
      } else {
        failed(seen);
      }
    }

    /** The outcome in the form of the definition. */
    private CallOutcome seen(CallOutcome outcome) {
      Expression<Payload> answer = service.mapping().answer();
      if (answer == null || !(outcome instanceof CallOutcome.Succeeded(Payload output))) {
        return outcome;
      }
      try {
        return new CallOutcome.Succeeded(
            mapped(answer, output, "the answer of \"" + service.id() + '"'));
      } catch (ExpressionException e) {
        return new CallOutcome.Failed(e.error());
      }
    }

    void observe(boolean success) {
      callSettings.watch().ended(service.id(), callSettings.serviceClass(), begunNanos, success);
    }

    boolean isUnderWay() {
      return ongoing != null;
    }

    String awaits() {
      return ongoing == null ? "nothing" : ongoing.waitsFor();
    }

    boolean wasHeldUp() {
      return ongoing != null && ongoing.wasDelayedLocally();
    }

    void cancel() {
      if (ongoing != null) {
        ongoing.cancel();
        ongoing = null;
      }
    }
  }
}
