package dev.pinion.core.kernel;

import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import org.jspecify.annotations.Nullable;

/**
 * Forwards effects to their present target: outside, or nowhere while the journal is replayed. Has
 * all of them observed, if the observer wants that.
 */
final class EffectSwitch implements EffectSink {
  private final @Nullable HistoryEventProducer historyEventProducer;
  private EffectSink target;

  /** Present observation; null for none. */
  private @Nullable HistoryEventProducer active;

  EffectSwitch(EffectSink target, @Nullable HistoryEventProducer historyEventProducer) {
    this.target = target;
    this.historyEventProducer = historyEventProducer;
    this.active = historyEventProducer;
  }

  /**
   * Forwards effects to another target from now on.
   *
   * @param observed whether the observer of all effects receives them
   */
  void switchTo(EffectSink other, boolean observed) {
    target = other;
    active = observed ? historyEventProducer : null;
  }

  /** Reports an instance that was restored from a snapshot. */
  void restored(Instance instance) {
    if (active != null) {
      active.restored(instance);
    }
  }

  /** Reports an ended instance that was restored from a snapshot. */
  void restored(InstanceView ended) {
    if (active != null) {
      active.restored(ended);
    }
  }

  @Override
  public void entered(Activity activity) {
    target.entered(activity);
    if (active != null) {
      active.entered(activity);
    }
  }

  @Override
  public void left(
      Activity activity, HistoryEvent.EventKind eventKind, @Nullable WorkflowError error) {
    if (active != null) {
      active.ended(activity, eventKind, error);
    }
  }

  @Override
  public void changed(Instance instance, HistoryEvent.EventKind eventKind) {
    if (active != null) {
      active.instanceChanged(instance, eventKind);
    }
  }

  @Override
  public void invoke(Activity activity, int attempt, HttpCall call) {
    if (active != null) {
      active.called(activity, call);
    }
    target.invoke(activity, attempt, call);
  }

  @Override
  public void withdraw(Activity activity, int attempt) {
    target.withdraw(activity, attempt);
  }

  @Override
  public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
    target.evaluate(activity, attempt, expression, input);
  }

  @Override
  public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
    if (active != null && kind == Activity.DELAY) {
      active.delayed(activity, delayNanos);
    }
    target.startTimer(activity, kind, attempt, delayNanos);
  }

  @Override
  public void cancelTimer(Activity activity, int kind) {
    target.cancelTimer(activity, kind);
  }

  @Override
  public <R extends Reply> void reply(Instance instance, ReplyAddress<R> to, R reply) {
    target.reply(instance, to, reply);
  }

  @Override
  public void memoryExceeded(Instance instance, int check) {
    target.memoryExceeded(instance, check);
  }

  @Override
  public void ended(Instance instance) {
    if (active != null) {
      active.ended(instance);
    }
    target.ended(instance);
  }
}
