package dev.pinion.handlers.run;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The semantics of a chain: its steps one after another on one thread, without windows, workers or
 * clocks. Any other way to run a chain must have the same result. Here a handler reports its
 * time-out itself, by a {@link HandlerTimeoutException}.
 */
public final class SerialRun {
  private static final Logger LOG = LoggerFactory.getLogger(SerialRun.class);

  private final ChainPlan plan;
  private final VerdictCheck check;
  private final List<SerialEffect> effects = new ArrayList<>();
  private @Nullable Outcome stopped;
  private Message message;

  private SerialRun(ChainPlan plan, Message message, EngineLimits limits) {
    this.plan = plan;
    this.message = message;
    this.check = new VerdictCheck(limits);
  }

  /** Handles a message on this thread. */
  public static Outcome run(ChainPlan plan, Message message, EngineLimits limits) {
    return new SerialRun(plan, message, limits).run();
  }

  private Outcome run() {
    for (ChainStage chainStage : plan.stages()) {
      Message before = message;
      chainStage.steps().forEach(step -> perform(step, before));
      if (stopped != null) {
        takeBack(stopped);
        return stopped;
      }
    }
    return new Outcome.Proceed(message);
  }

  private void perform(Step step, Message before) {
    View view = view(step, before);
    Throwable failure = null;
    int attempts = step.declaration().effect().mayRepeat() ? step.declaration().retries() + 1 : 1;
    for (int attempt = 0; attempt < attempts; attempt++) {
      try {
        Verdict verdict = step.handler().handle(view);
        if (!step.declaration().oneway()) {
          check.apply(verdict, step.declaration(), before);
          succeeded(step, view, verdict);
        }
        return;
      } catch (Throwable e) { // like every run of a chain
        failure = e;
        if (e instanceof HandlerTimeoutException
            ? lateEffect(step, view, before)
            : step.declaration().effect() == EffectClass.QUASI_ATOMIC && !undo(step, view)) {
          break;
        }
      }
    }
    failed(step, view, failure);
  }

  /**
   * Ends a call late, and undoes its effect where possible, once; returns whether it may have had
   * an effect, so that it is not repeated.
   */
  private boolean lateEffect(Step step, View view, Message before) {
    try {
      switch (step.declaration().effect()) {
        case QUASI_ATOMIC -> ((Undoable) step.handler()).undo(view);
        case TRANSACTIONAL -> {
          for (Step partner : partners(step)) {
            ((CommitPoint) partner.handler()).rollBack(view(partner, before));
          }
        }
        case STATELESS, ATOMIC, NON_ATOMIC -> {}
      }
    } catch (Throwable e) { // the effect stays
      LOG.debug("a late effect of \"{}\" is not undone", step, e);
    }
    return step.declaration().effect() != EffectClass.STATELESS;
  }

  private List<Step> partners(Step step) {
    return plan.steps().stream().filter(each -> each.name().equals(step.partner())).toList();
  }

  private void succeeded(Step step, View view, Verdict verdict) {
    effects.removeIf(serialEffect -> step.name().equals(serialEffect.step.partner()));
    effects.add(new SerialEffect(step, view));
    if (stopped != null) {
      return;
    }
    try {
      switch (verdict) {
        case Verdict.GoOn _ -> message = check.apply(verdict, step.declaration(), message);
        case Verdict.Answer answer -> stopped = new Outcome.Answered(answer);
        case Verdict.Refuse refuse -> stopped = new Outcome.Refused(step.name(), refuse.problem());
      }
    } catch (InvalidVerdictException e) { // together with the changes of others it is too large
      failed(step, view, e);
    }
  }

  private void failed(Step step, View view, @Nullable Throwable failure) {
    if (step.declaration().effect() == EffectClass.TRANSACTIONAL) {
      effects.add(new SerialEffect(step, view));
    }
    if (step.declaration().mustPerform() && stopped == null) {
      stopped =
          new Outcome.Refused(step.name(), HandlerFailures.problem(step, message.id(), failure));
    }
  }

  private void takeBack(Outcome end) {
    for (SerialEffect serialEffect : effects.reversed()) {
      EffectClass kind = serialEffect.step.declaration().effect();
      if (kind == EffectClass.TRANSACTIONAL) {
        partners(serialEffect.step).forEach(this::rollBack);
      } else if (kind == EffectClass.QUASI_ATOMIC && end instanceof Outcome.Refused) {
        undo(serialEffect.step, serialEffect.view);
      }
    }
  }

  private boolean undo(Step step, View view) {
    return repeated(step, () -> ((Undoable) step.handler()).undo(view));
  }

  private void rollBack(Step partner) {
    View view = view(partner, message);
    repeated(partner, () -> ((CommitPoint) partner.handler()).rollBack(view));
  }

  private static boolean repeated(Step step, StepAttempt stepAttempt) {
    for (int i = 0; i <= step.declaration().retries(); i++) {
      try {
        stepAttempt.run();
        return true;
      } catch (Throwable e) { // repeated, within the limits
        LOG.debug("an effect of \"{}\" is not undone yet", step, e);
      }
    }
    return false;
  }

  private View view(Step step, Message of) {
    return new View(of, step.declaration(), check.codec());
  }

  private record SerialEffect(Step step, View view) {}

  private interface StepAttempt {
    void run() throws Exception;
  }
}
