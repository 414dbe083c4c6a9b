package dev.pinion.core.kernel.observation;

import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.instance.HistoryEvent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Effects that an observer of everything is told of, on their way to their target. */
public final class ObservedEffects implements EffectSink {
  private final EffectSink target;
  private final HistoryEventProducer observed;

  public ObservedEffects(EffectSink target, HistoryEventProducer observed) {
    this.target = target;
    this.observed = observed;
  }

  @Override
  public void entered(Activity activity) {
    target.entered(activity);
    observed.entered(activity);
  }

  @Override
  public void left(
      Activity activity, HistoryEvent.EventKind eventKind, @Nullable WorkflowError error) {
    target.left(activity, eventKind, error);
    observed.ended(activity, eventKind, error);
  }

  @Override
  public void changed(Instance instance, HistoryEvent.EventKind eventKind) {
    target.changed(instance, eventKind);
    observed.instanceChanged(instance, eventKind);
  }

  @Override
  public void invoke(Activity activity, int attempt, CallRequest call) {
    if (!(call instanceof EventEmission)) { // reported when it is stored
      observed.called(activity, call);
    }
    target.invoke(activity, attempt, call);
  }

  @Override
  public void startChild(Activity activity, int attempt, ChildStart start) {
    target.startChild(activity, attempt, start);
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
  public void passedOver(Activity activity, long missed, long skipped) {
    target.passedOver(activity, missed, skipped);
  }

  @Override
  public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
    if (kind == Activity.DELAY) {
      observed.delayed(activity, delayNanos);
    }
    target.startTimer(activity, kind, attempt, delayNanos);
  }

  @Override
  public void cancelTimer(Activity activity, int kind) {
    target.cancelTimer(activity, kind);
  }

  @Override
  public void listen(Activity activity) {
    observed.listens(activity);
    target.listen(activity);
  }

  @Override
  public void listenLess(Activity activity, int filter) {
    target.listenLess(activity, filter);
  }

  @Override
  public void unlisten(Activity activity) {
    target.unlisten(activity);
  }

  @Override
  public void consumed(Activity activity, Payload event) {
    target.consumed(activity, event);
    observed.consumed(activity, event);
  }

  @Override
  public void correlated(Activity activity, Map<String, String> correlationKeys) {
    target.correlated(activity, correlationKeys);
    observed.correlated(activity, correlationKeys);
  }

  @Override
  public void retried(Activity activity) {
    target.retried(activity);
    observed.retried(activity);
  }

  @Override
  public void emitted(Activity activity, Payload event) {
    target.emitted(activity, event);
    observed.emitted(activity, event);
  }

  @Override
  public <R extends Reply> void reply(Instance instance, ReplyAddress<R> to, R reply) {
    target.reply(instance, to, reply);
  }

  @Override
  public void ended(Instance instance) {
    observed.ended(instance);
    target.ended(instance);
  }
}
