package dev.pinion.core.kernel.step;

import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.instance.HistoryEvent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Receiver of the effects that a step wants outside its instance. The kernel stage performs them; a
 * test records them.
 */
public interface EffectSink {
  /** Reports that a task was entered. */
  void entered(Activity activity);

  /** Reports the end of a task, with its error if it failed. */
  default void left(
      Activity activity, HistoryEvent.EventKind eventKind, @Nullable WorkflowError error) {}

  /** Reports a change of the whole instance: it began, was suspended, resumed, or compensates. */
  default void changed(Instance instance, HistoryEvent.EventKind eventKind) {}

  /** Performs a call for an activity and reports its outcome under the attempt's number. */
  void invoke(Activity activity, int attempt, CallRequest call);

  /**
   * Starts another instance for an activity and reports its end, or only its start when the task
   * does not wait, under the attempt's number.
   */
  void startChild(Activity activity, int attempt, ChildStart start);

  /**
   * Withdraws a call, child or evaluation whose outcome is no longer wanted. The activity no longer
   * waits for it.
   */
  void withdraw(Activity activity, int attempt);

  /**
   * Evaluates an expression elsewhere for an activity and reports the result under the attempt's
   * number.
   */
  void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input);

  /**
   * Reports due times of a schedule that have passed without a run.
   *
   * @param missed how many because no run could begin
   * @param skipped how many because of another run, or because the schedule was resumed
   */
  default void passedOver(Activity activity, long missed, long skipped) {}

  /** Starts one of an activity's timers, to fire under a number. None of the kind is set. */
  void startTimer(Activity activity, int kind, int attempt, long delayNanos);

  /** Cancels one of an activity's timers, which is set. */
  void cancelTimer(Activity activity, int kind);

  /** Has an activity receive the events that pass its open filters. */
  void listen(Activity activity);

  /** Has an activity receive no more events by one of its filters. */
  void listenLess(Activity activity, int filter);

  /** Has an activity receive no more events. */
  void unlisten(Activity activity);

  /** Reports that an activity has consumed an event. */
  default void consumed(Activity activity, Payload event) {}

  /** Reports that a task has all events that it listened for, with their correlation keys. */
  default void correlated(Activity activity, Map<String, String> correlationKeys) {}

  /** Reports that a task tries once more what is inside it. */
  default void retried(Activity activity) {}

  /** Reports that an activity has emitted an event. */
  default void emitted(Activity activity, Payload event) {}

  /** Replies to a request about an instance. */
  <R extends Reply> void reply(Instance instance, ReplyAddress<R> to, R reply);

  /** Reports the end of the instance; nothing of it is in progress any more. */
  void ended(Instance instance);
}
