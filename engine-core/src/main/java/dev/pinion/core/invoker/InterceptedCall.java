package dev.pinion.core.invoker;

import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.interception.MessageContext;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.spi.ProfilingHook;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The call of one concrete service, whose request and response pass handlers.
 *
 * <pre>
 *   begun ──▶ handlers ──▶ service ──▶ handlers ──▶ outcome
 *                └── answered or stopped ──────────────▲
 * </pre>
 *
 * <p>Decisions of handlers about a cancelled call are dropped. On the thread of the Invoker's event
 * loop.
 */
final class InterceptedCall
    implements ServiceCaller.OngoingCall, ServiceCaller.InterceptedListener {
  private static final Logger LOG = LoggerFactory.getLogger(InterceptedCall.class);

  private final CallInterception handlers;
  private final ServiceCaller caller;
  private final MessageContext about;
  private @Nullable UUID id; // made when handlers first see it
  private final HttpCall call;
  private final ServiceCaller.CallListener callListener;
  private ServiceCaller.@Nullable OngoingCall ongoing;
  private @Nullable MessageBody messageBody;
  private boolean withHandlers;
  private boolean ended;

  /**
   * A call that has not begun.
   *
   * @param caller caller that makes it
   * @param about context of the call
   * @param callListener receives the outcome once; never after {@link #cancel}
   */
  InterceptedCall(
      CallInterception handlers,
      ServiceCaller caller,
      MessageContext about,
      HttpCall call,
      ServiceCaller.CallListener callListener) {
    this.handlers = handlers;
    this.caller = caller;
    this.about = about;
    this.call = call;
    this.callListener = callListener;
  }

  /** Wraps a caller so that its calls pass handlers. */
  static ServiceCaller around(
      CallInterception handlers, ServiceCaller caller, MessageContext about) {
    return (call, callListener) -> {
      InterceptedCall handled = new InterceptedCall(handlers, caller, about, call, callListener);
      handled.begin();
      return handled;
    };
  }

  private void begin() {
    if (!handlers.interceptsRequest(about)) {
      send(call);
      return;
    }
    String problem = handlers.problem(call);
    if (problem != null) {
      onOutcome(CallFailures.of(ErrorType.CONFIGURATION, problem));
      return;
    }
    int look = ProfilingHook.samples();
    try {
      HttpMessage leaving = handlers.outbound(id(), about, call);
      withHandlers = true;
      handlers.intercept(leaving, interceptionVerdict -> onBefore(leaving, interceptionVerdict));
    } catch (RuntimeException e) {
      onFailure(e);
    }
    onWork(look);
  }

  private UUID id() {
    UUID known = id;
    if (known == null) {
      known = UUID.randomUUID();
      id = known;
    }
    return known;
  }

  private void onBefore(HttpMessage leaving, InterceptionVerdict interceptionVerdict) {
    withHandlers = false;
    if (ended) {
      return;
    }
    switch (interceptionVerdict) {
      case InterceptionVerdict.Proceed(HttpMessage message) when message.equals(leaving) ->
          send(call);
      case InterceptionVerdict.Proceed(HttpMessage message) -> {
        messageBody = message.content();
        send(CallInterception.toCall(call, message));
      }
      default -> end(interceptionVerdict);
    }
  }

  private void send(HttpCall concrete) {
    try {
      ServiceCaller.OngoingCall begun = caller.call(concrete, this);
      ongoing = ended || withHandlers ? null : begun;
    } catch (RuntimeException e) {
      onFailure(e);
    }
  }

  private void onFailure(RuntimeException e) {
    LOG.error("{} could not be begun", call.description(), e);
    onOutcome(CallFailures.of(ErrorType.RUNTIME, "the call could not be begun: " + e));
  }

  @Override
  public @Nullable MessageBody content() {
    return messageBody;
  }

  @Override
  public boolean onResponse(ServiceResponse answer) {
    if (!handlers.interceptsResponse(about)) {
      return false;
    }
    ongoing = null; // its connection is free for other calls
    withHandlers = true;
    handlers.intercept(CallInterception.inbound(id(), about, call, answer), this::onAfter);
    return true;
  }

  private void onAfter(InterceptionVerdict interceptionVerdict) {
    withHandlers = false;
    if (ended) {
      return;
    }
    end(interceptionVerdict);
  }

  /** Ends the call with the decision of handlers: a message that proceeds is the response. */
  private void end(InterceptionVerdict interceptionVerdict) {
    switch (interceptionVerdict) {
      case InterceptionVerdict.Proceed(HttpMessage message) -> judge(message);
      case InterceptionVerdict.Respond(HttpMessage answer) -> judge(answer);
      case InterceptionVerdict.Reject(WorkflowError problem) ->
          onOutcome(CallInterception.refused(problem));
      case InterceptionVerdict.Overloaded(String limit, int _) ->
          onOutcome(CallInterception.overloaded(limit));
    }
  }

  private void judge(HttpMessage answer) {
    int look = ProfilingHook.samples();
    CallOutcome outcome = handlers.outcome(call, answer);
    onWork(look);
    onOutcome(outcome);
  }

  @Override
  public void onOutcome(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      ongoing = null;
      callListener.onOutcome(outcome);
    }
  }

  @Override
  public void onWork(int since) {
    callListener.onWork(since);
  }

  @Override
  public void cancel() {
    ended = true;
    if (ongoing != null) {
      ongoing.cancel();
      ongoing = null;
    }
  }

  @Override
  public boolean wasDelayedLocally() {
    return !withHandlers && ongoing != null && ongoing.wasDelayedLocally();
  }

  @Override
  public String waitsFor() {
    if (withHandlers) {
      return "handlers";
    }
    return ongoing == null ? "its start" : ongoing.waitsFor();
  }
}
