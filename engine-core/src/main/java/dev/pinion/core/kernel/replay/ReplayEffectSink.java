package dev.pinion.core.kernel.replay;

import dev.pinion.core.kernel.EffectRouter;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.EffectResumption;
import dev.pinion.core.kernel.step.EffectSink;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.instance.HistoryEvent;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Receiver of effects while the journal is replayed: sets timers and ends instances, stores calls,
 * children and evaluations until their outcome comes, and sends no replies.
 */
final class ReplayEffectSink implements EffectSink, EffectResumption.PendingEffects {
  private final EffectRouter router;
  private final Map<Activity, ReplayedCall> calls = new LinkedHashMap<>();
  private final Map<Activity, ReplayedEvaluation> evaluations = new LinkedHashMap<>();
  private final Set<Activity> children = new LinkedHashSet<>();
  private int openings;
  private boolean numbered;

  /**
   * A call without an outcome yet: {@link Activity#call}.
   *
   * @param opening how often the journal had been opened when it was made
   */
  record ReplayedCall(int attempt, int opening) {}

  /** An evaluation of {@link Activity#evaluationInput} without a result yet. */
  record ReplayedEvaluation(int attempt, Expression<?> expression) {}

  ReplayEffectSink(EffectRouter router) {
    this.router = router;
  }

  /**
   * Records an opening of the journal: calls in progress before it are made again after it.
   *
   * @param callsAreNumbered whether calls made from now on were named by their numbers
   */
  void opened(boolean callsAreNumbered) {
    openings++;
    numbered = callsAreNumbered;
  }

  int openings() {
    return openings;
  }

  /** Calls without an outcome, by the waiting activity. */
  Map<Activity, ReplayedCall> calls() {
    return calls;
  }

  /** Evaluations without a result, by the waiting activity. */
  Map<Activity, ReplayedEvaluation> evaluations() {
    return evaluations;
  }

  /** Activities that wait for children. */
  Set<Activity> children() {
    return children;
  }

  /**
   * Calls or evaluations in the order in which they begin again: by the start of their instances,
   * so that calls of one ordering key stay in order, and within an instance as before.
   */
  static <T> List<Map.Entry<Activity, T>> inOrder(Map<Activity, T> underWay) {
    return underWay.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().instance().id()))
        .toList();
  }

  /** Removes the call or evaluation of an activity, which has its outcome. */
  void ended(Activity activity) {
    countDeliveries(activity);
    calls.remove(activity);
    evaluations.remove(activity);
    children.remove(activity);
  }

  /** Forgets an activity that has left: its call or evaluation, and its timers. */
  void dropActivity(Activity activity) {
    ended(activity);
    for (int kind = 0; kind < Activity.timerKinds(); kind++) {
      router.cancelTimer(activity, kind);
    }
    router.unlisten(activity);
  }

  /** Updates how often the call of an activity, if there is one, has been made again. */
  void countDeliveries(Activity activity) {
    ReplayedCall replayedCall = calls.get(activity);
    if (replayedCall != null) {
      activity.delivered(openings - replayedCall.opening);
    }
  }

  @Nullable ReplayedEvaluation evaluation(Activity activity) {
    return evaluations.get(activity);
  }

  @Override
  public void called(Activity activity, int attempt, CallRequest call, int deliveries) {
    calls.put(activity, new ReplayedCall(attempt, openings - deliveries));
  }

  @Override
  public void awaitsChild(Activity activity) {
    children.add(activity);
  }

  @Override
  public void startChild(Activity activity, int attempt, ChildStart start) {
    router.dropStart(activity);
    awaitsChild(activity);
  }

  @Override
  public void changed(Instance instance, HistoryEvent.EventKind eventKind) {
    router.children().changed(instance, eventKind);
  }

  @Override
  public void entered(Activity activity) {}

  @Override
  public void invoke(Activity activity, int attempt, CallRequest call) {
    activity.namedByNumber(numbered);
    called(activity, attempt, call, activity.deliveries());
  }

  @Override
  public void withdraw(Activity activity, int attempt) {
    if (children.contains(activity)) {
      router.children().withdraw(activity, attempt);
    }
    ended(activity);
  }

  @Override
  public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
    evaluations.put(activity, new ReplayedEvaluation(attempt, expression));
  }

  @Override
  public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
    router.startTimer(activity, kind, attempt, delayNanos);
  }

  @Override
  public void cancelTimer(Activity activity, int kind) {
    router.cancelTimer(activity, kind);
  }

  @Override
  public void listening(Activity activity) {
    router.listenAgain(activity);
  }

  @Override
  public void listen(Activity activity) {
    router.listenAgain(activity);
  }

  @Override
  public void listenLess(Activity activity, int filter) {
    router.listenLess(activity, filter);
  }

  @Override
  public void unlisten(Activity activity) {
    router.unlisten(activity);
  }

  @Override
  public <R extends Reply> void reply(Instance instance, ReplyAddress<R> to, R reply) {}

  @Override
  public void ended(Instance instance) {
    router.ended(instance);
  }
}
