package dev.pinion.core.kernel;

import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;

/** Passes effects on to where they go now: outside, or nowhere while the journal is replayed. */
final class EffectSwitch implements EffectSink {
  private EffectSink target;

  EffectSwitch(EffectSink target) {
    this.target = target;
  }

  void to(EffectSink other) {
    target = other;
  }

  @Override
  public void entered(Activity activity) {
    target.entered(activity);
  }

  @Override
  public void invoke(Activity activity, int attempt, HttpCall call) {
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
    target.ended(instance);
  }
}
