package dev.pinion.core.invoker;

import dev.pinion.core.model.AbstractCall;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.Candidates;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.ServiceEndpoint;
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
  private final Candidates candidates;
  private final Terms terms;
  private final ServiceCaller.Listener listener;
  private final List<Member> members = new ArrayList<>();
  private int open;
  private boolean ended;

  /**
   * Parameters of the calls.
   *
   * @param maxSteps most steps of mapping a body
   * @param watch measurement of the calls of concrete services
   * @param serviceClass the class of the caller, or null
   */
  record Terms(long maxSteps, CallWatch watch, @Nullable String serviceClass) {}

  /**
   * A call that has not begun.
   *
   * @param callers returns the caller for a concrete service
   * @param call to the abstract service
   * @param listener receives the outcome once; never after {@link #cancel}
   */
  BoundCall(
      Function<ServiceEndpoint, ServiceCaller> callers,
      HttpCall call,
      Candidates candidates,
      Terms terms,
      ServiceCaller.Listener listener) {
    this.callers = callers;
    this.call = call;
    this.candidates = candidates;
    this.terms = terms;
    this.listener = listener;
  }

  void begin() {
    int atOnce =
        candidates.pattern() == Candidates.Pattern.PARALLEL ? candidates.services().size() : 1;
    open = atOnce;
    for (int i = 0; i < atOnce && !ended; i++) {
      beginNext();
    }
  }

  private void beginNext() {
    Member member = new Member(candidates.services().get(members.size()));
    members.add(member);
    member.begin();
  }

  private void failed(CallOutcome failure) {
    boolean hasNext =
        candidates.pattern() == Candidates.Pattern.ALTERNATE
            && members.size() < candidates.services().size();
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
    listener.onOutcome(outcome);
  }

  /** Fails the services that have not answered in time. */
  void timedOut() {
    members.stream().filter(Member::isUnderWay).forEach(each -> each.observe(false));
  }

  @Override
  public void cancel() {
    ended = true;
    members.forEach(Member::cancel);
  }

  @Override
  public String awaits() {
    return members.stream()
        .filter(Member::isUnderWay)
        .map(Member::awaits)
        .collect(Collectors.joining(" and "));
  }

  @Override
  public boolean wasHeldUp() {
    boolean held = false;
    for (Member member : members) {
      held |= member.wasHeldUp();
    }
    return held;
  }

  private Payload mapped(Expression<Payload> expression, Payload input, String what) {
    try {
      return expression.evaluate(input, Scope.EMPTY, new Budget(terms.maxSteps()));
    } catch (BudgetExceededException e) {
      throw new ExpressionException(
          Failures.of(
                  ErrorType.EXPRESSION,
                  "expected the mapping of "
                      + what
                      + " to end within "
                      + terms.maxSteps()
                      + " steps (invoker.maxMappingSteps), but it did not")
              .error());
    }
  }

  /** The call of one concrete service. */
  private final class Member implements ServiceCaller.Listener {
    private final ServiceEndpoint service;
    private ServiceCaller.@Nullable OngoingCall ongoing;
    private boolean over;
    private boolean called;
    private long begunNanos;

    Member(ServiceEndpoint service) {
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
      begunNanos = terms.watch().now();
      called = true;
      ServiceCaller.OngoingCall begun = callers.apply(service).call(concrete, this);
      ongoing = over ? null : begun;
    }

    /** The request in the form of this service. */
    private HttpCall request() {
      HttpCall addressed = service.addressed(call, service.uri(AbstractCall.rest(call)));
      if (service.answer() != null && call.output() != HttpCall.Output.CONTENT) {
        throw new ExpressionException(
            Failures.of(
                    ErrorType.CONFIGURATION,
                    "expected a call whose output is the content, because the service \""
                        + service.id()
                        + "\" maps its answers, found one whose output is "
                        + call.output())
                .error());
      }
      if (service.request() == null) {
        return addressed;
      }
      Payload body = call.body() == null ? Payload.NULL : call.body();
      return addressed.withBody(
          mapped(service.request(), body, "the request to \"" + service.id() + '"'));
    }

    @Override
    public void onWork(int since) {
      listener.onWork(since);
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
        observe(seen instanceof CallOutcome.Answered);
      }
      if (seen instanceof CallOutcome.Answered) {
        end(seen);
      } else {
        failed(seen);
      }
    }

    /** The outcome in the form of the definition. */
    private CallOutcome seen(CallOutcome outcome) {
      Expression<Payload> answer = service.answer();
      if (answer == null || !(outcome instanceof CallOutcome.Answered(Payload output))) {
        return outcome;
      }
      try {
        return new CallOutcome.Answered(
            mapped(answer, output, "the answer of \"" + service.id() + '"'));
      } catch (ExpressionException e) {
        return new CallOutcome.Failed(e.error());
      }
    }

    void observe(boolean success) {
      terms.watch().ended(service.id(), terms.serviceClass(), begunNanos, success);
    }

    boolean isUnderWay() {
      return ongoing != null;
    }

    String awaits() {
      return ongoing == null ? "nothing" : ongoing.awaits();
    }

    boolean wasHeldUp() {
      return ongoing != null && ongoing.wasHeldUp();
    }

    void cancel() {
      if (ongoing != null) {
        ongoing.cancel();
        ongoing = null;
      }
    }
  }
}
