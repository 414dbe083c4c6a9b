package dev.pinion.core.invoker;

import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.Content;
import dev.pinion.core.spi.Decision;
import dev.pinion.core.spi.Looks;
import dev.pinion.core.spi.Passage;
import dev.pinion.core.spi.Subject;
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
final class HandledCall implements ServiceCaller.OngoingCall, ServiceCaller.Handled {
  private static final Logger LOG = LoggerFactory.getLogger(HandledCall.class);

  private final CallHandlers handlers;
  private final ServiceCaller caller;
  private final Subject about;
  private @Nullable UUID id; // made when handlers first see it
  private final HttpCall call;
  private final ServiceCaller.Listener listener;
  private ServiceCaller.@Nullable OngoingCall ongoing;
  private @Nullable Content content;
  private boolean withHandlers;
  private boolean ended;

  /**
   * A call that has not begun.
   *
   * @param caller caller that makes it
   * @param about context of the call
   * @param listener receives the outcome once; never after {@link #cancel}
   */
  HandledCall(
      CallHandlers handlers,
      ServiceCaller caller,
      Subject about,
      HttpCall call,
      ServiceCaller.Listener listener) {
    this.handlers = handlers;
    this.caller = caller;
    this.about = about;
    this.call = call;
    this.listener = listener;
  }

  void begin() {
    if (!handlers.before(about)) {
      send(call);
      return;
    }
    String problem = RequestBody.problem(call);
    if (problem != null) {
      onOutcome(Failures.of(ErrorType.CONFIGURATION, problem));
      return;
    }
    int look = Looks.count();
    try {
      Passage leaving = handlers.leaving(id(), about, call);
      withHandlers = true;
      handlers.pass(leaving, decision -> onBefore(leaving, decision));
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

  private void onBefore(Passage leaving, Decision decision) {
    withHandlers = false;
    if (ended) {
      return;
    }
    switch (decision) {
      case Decision.Proceed(Passage message) when message.equals(leaving) -> send(call);
      case Decision.Proceed(Passage message) -> {
        content = message.content();
        send(CallHandlers.changed(call, message));
      }
      default -> end(decision);
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
    LOG.error("{} could not be begun", Failures.name(call), e);
    onOutcome(Failures.of(ErrorType.RUNTIME, "the call could not be begun: " + e));
  }

  @Override
  public @Nullable Content content() {
    return content;
  }

  @Override
  public boolean onAnswer(ServiceAnswer answer) {
    if (!handlers.after(about)) {
      return false;
    }
    ongoing = null; // its connection is free for other calls
    withHandlers = true;
    handlers.pass(CallHandlers.arrived(id(), about, call, answer), this::onAfter);
    return true;
  }

  private void onAfter(Decision decision) {
    withHandlers = false;
    if (ended) {
      return;
    }
    end(decision);
  }

  /** Ends the call with the decision of handlers: a message that proceeds is the response. */
  private void end(Decision decision) {
    switch (decision) {
      case Decision.Proceed(Passage message) -> judge(message);
      case Decision.Answered(Passage answer) -> judge(answer);
      case Decision.Refused(WorkflowError problem) -> onOutcome(CallHandlers.refused(problem));
      case Decision.Overloaded(String limit, int _) -> onOutcome(CallHandlers.overloaded(limit));
    }
  }

  private void judge(Passage answer) {
    int look = Looks.count();
    CallOutcome outcome = handlers.outcome(call, answer);
    onWork(look);
    onOutcome(outcome);
  }

  @Override
  public void onOutcome(CallOutcome outcome) {
    if (!ended) {
      ended = true;
      ongoing = null;
      listener.onOutcome(outcome);
    }
  }

  @Override
  public void onWork(int since) {
    listener.onWork(since);
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
  public boolean wasHeldUp() {
    return !withHandlers && ongoing != null && ongoing.wasHeldUp();
  }

  @Override
  public String awaits() {
    if (withHandlers) {
      return "handlers";
    }
    return ongoing == null ? "its start" : ongoing.awaits();
  }
}
