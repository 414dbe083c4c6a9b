package dev.pinion.handlers.run;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a chain in force with their counters. Closes the handlers when nobody needs them any
 * more. For use by any thread.
 */
final class ChainSteps {
  private static final Logger LOG = LoggerFactory.getLogger(ChainSteps.class);

  private final ChainPlan plan;
  private final Workers workers;
  private final VerdictCheck check;
  private final List<Step> steps;
  private final List<StepCounters> counters;
  private final Map<String, Integer> places = new HashMap<>();

  // Messages and notices under way, and one for the holder of the chain; at 0 handlers are closed.
  private final AtomicInteger holders = new AtomicInteger(1);

  ChainSteps(ChainPlan plan, Workers workers, EngineLimits limits) {
    this.plan = plan;
    this.workers = workers;
    this.check = new VerdictCheck(limits);
    this.steps = plan.steps();
    this.counters = steps.stream().map(step -> new StepCounters()).toList();
    for (int i = 0; i < steps.size(); i++) {
      places.put(steps.get(i).name(), i);
    }
  }

  ChainPlan plan() {
    return plan;
  }

  Workers workers() {
    return workers;
  }

  VerdictCheck check() {
    return check;
  }

  StepCounters counters(int place) {
    return counters.get(place);
  }

  StepCounters counters(Step step) {
    return counters(indexOf(step));
  }

  int indexOf(Step step) {
    return Objects.requireNonNull(places.get(step.name()));
  }

  View view(Message message, Step step) {
    return new View(message, step.declaration(), check.codec());
  }

  /** The step that commits the effect of another one, or null. */
  @Nullable Step partnerOf(Step step) {
    Integer place = step.partner() == null ? null : places.get(step.partner());
    return place == null ? null : steps.get(place);
  }

  /** Statistics of each step, in their order. */
  List<StepStatistics> statistics() {
    return steps.stream().map(step -> counters(step).statistics(step.name())).toList();
  }

  /** Keeps the handlers from being closed; returns false when they are. */
  boolean retain() {
    int now = holders.get();
    while (now > 0) {
      if (holders.compareAndSet(now, now + 1)) {
        return true;
      }
      now = holders.get();
    }
    return false;
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      for (Step step : steps) {
        try {
          step.handler().close();
        } catch (Throwable e) { // the others are closed nevertheless
          LOG.warn("the handler \"{}\" could not be closed", step, e);
        }
      }
    }
  }

  /** A call returned after its time-out: its effect is undone, on its own thread. */
  void late(HandlerCall handlerCall) {
    StepCounters own = counters(handlerCall.step());
    own.late.increment();
    if (handlerCall.kind() != HandlerCall.CallKind.HANDLE) {
      return;
    }
    try {
      Step partner = partnerOf(handlerCall.step());
      if (partner != null) {
        ((CommitPoint) partner.handler()).rollBack(view(handlerCall.message(), partner));
        own.undone.increment();
      } else if (handlerCall.step().declaration().effect() == EffectClass.QUASI_ATOMIC) {
        ((Undoable) handlerCall.step().handler()).undo(handlerCall.view());
        own.undone.increment();
      }
    } catch (Throwable e) { // a handler that is late and fails
      own.undoFailures.increment();
      HandlerFailures.logUndo(handlerCall);
    }
  }

  /** A call returned after its time-out and after its handler was closed: its effect stays. */
  void lateForNothing(HandlerCall handlerCall) {
    StepCounters own = counters(handlerCall.step());
    own.late.increment();
    if (handlerCall.kind() == HandlerCall.CallKind.HANDLE && mayBeTakenBack(handlerCall.step())) {
      own.undoFailures.increment();
      HandlerFailures.logUndo(handlerCall);
    }
  }

  private boolean mayBeTakenBack(Step step) {
    return partnerOf(step) != null || step.declaration().effect() == EffectClass.QUASI_ATOMIC;
  }
}
