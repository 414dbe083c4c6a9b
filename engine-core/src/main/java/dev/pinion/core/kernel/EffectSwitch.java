package dev.pinion.core.kernel;

import dev.pinion.core.message.KernelReply;
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
  private final @Nullable Observation observation;
  private EffectSink target;

  /** Present observation; null for none. */
  private @Nullable Observation told;

  EffectSwitch(EffectSink target, @Nullable Observation observation) {
    this.target = target;
    this.observation = observation;
    this.told = observation;
  }

  /**
   * Forwards effects to another target from now on.
   *
   * @param observed whether the observer of all effects receives them
   */
  void to(EffectSink other, boolean observed) {
    target = other;
    told = observed ? observation : null;
  }

  /** Reports an instance that was restored from a snapshot. */
  void restored(Instance instance) {
    if (told != null) {
      told.restored(instance);
    }
  }

  /** Reports an ended instance that was restored from a snapshot. */
  void restored(InstanceView ended) {
    if (told != null) {
      told.restored(ended);
    }
  }

  @Override
  public void entered(Activity activity) {
    target.entered(activity);
    if (told != null) {
      told.entered(activity);
    }
  }

  @Override
  public void left(Activity activity, HistoryEvent.Kind kind, @Nullable WorkflowError error) {
    if (told != null) {
      told.ended(activity, kind, error);
    }
  }

  @Override
  public void changed(Instance instance, HistoryEvent.Kind kind) {
    if (told != null) {
      told.happened(instance, kind);
    }
  }

  @Override
  public void invoke(Activity activity, int attempt, HttpCall call) {
    if (told != null) {
      told.called(activity, call);
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
    if (told != null && kind == Activity.DELAY) {
      told.delayed(activity, delayNanos);
    }
    target.startTimer(activity, kind, attempt, delayNanos);
  }

  @Override
  public void cancelTimer(Activity activity, int kind) {
    target.cancelTimer(activity, kind);
  }

  @Override
  public void reply(Instance instance, ReplyAddress to, KernelReply reply) {
    target.reply(instance, to, reply);
  }

  @Override
  public void foundNoRoom(Instance instance, int check) {
    target.foundNoRoom(instance, check);
  }

  @Override
  public void ended(Instance instance) {
    if (told != null) {
      told.ended(instance);
    }
    target.ended(instance);
  }
}
