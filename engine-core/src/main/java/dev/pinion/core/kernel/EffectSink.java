package dev.pinion.core.kernel;

import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import org.jspecify.annotations.Nullable;

/** What a step wants done outside its instance. The kernel stage does it; a test records it. */
interface EffectSink {
  /** A task was entered. */
  void entered(Activity activity);

  /** A task has ended; with which error, if it failed. */
  default void left(Activity activity, HistoryEvent.Kind kind, @Nullable WorkflowError error) {}

  /** Something happened to the whole instance: it began, was suspended or resumed. */
  default void changed(Instance instance, HistoryEvent.Kind kind) {}

  /** Perform a call for an activity and report its outcome under the attempt's number. */
  void invoke(Activity activity, int attempt, HttpCall call);

  /**
   * The outcome of a call or an evaluation is of no interest any more. The activity waits for it no
   * longer.
   */
  void withdraw(Activity activity, int attempt);

  /**
   * Evaluate an expression elsewhere for an activity and report the result under the attempt's
   * number.
   */
  void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input);

  /** Set one of an activity's timers, to fire under a number. None of the kind is set. */
  void startTimer(Activity activity, int kind, int attempt, long delayNanos);

  /** Take back one of an activity's timers, which is set. */
  void cancelTimer(Activity activity, int kind);

  /** Answer a request about an instance. */
  void reply(Instance instance, ReplyAddress to, KernelReply reply);

  /** An instance found no room for what it holds, at so many checks. */
  void foundNoRoom(Instance instance, int check);

  /** The instance has ended; nothing of it is under way any more. */
  void ended(Instance instance);
}
