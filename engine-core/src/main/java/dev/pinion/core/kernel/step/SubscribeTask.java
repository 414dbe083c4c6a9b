package dev.pinion.core.kernel.step;

import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.MessageConsumption;
import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.event.SubscriptionStep;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.phase.ActivityPhase;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.MessageSubscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task that receives messages: a loop of calls, each for one message. So every message is
 * recorded before the next one is asked for, and conditions and tasks are those of any other task.
 *
 * <p>Its state is in fields that each activity has: {@code items} are its outputs, {@code results}
 * the message at hand, {@code cursor} counts the messages received, {@code open} is the {@link
 * SubscriptionStep}.
 */
final class SubscribeTask {
  private static final Payload[] NO_MESSAGE = {};

  private final ActivityTree activityTree;
  private final EffectSink effects;
  private final ExpressionEvaluator expressionEvaluator;
  private final MemoryAccount memoryAccount;
  private final InstanceQuota instanceQuota;
  private final int maxItems;
  private final int maxBytes;

  SubscribeTask(
      ActivityTree activityTree,
      EngineLimits limits,
      EffectSink effects,
      ExpressionEvaluator expressionEvaluator,
      MemoryAccount memoryAccount,
      InstanceQuota instanceQuota) {
    this.activityTree = activityTree;
    this.effects = effects;
    this.expressionEvaluator = expressionEvaluator;
    this.memoryAccount = memoryAccount;
    this.instanceQuota = instanceQuota;
    this.maxItems = limits.instance().maxItems();
    this.maxBytes = limits.instance().maxPayloadBytes();
  }

  /** Begins or goes on; returns whether the output is available. */
  boolean run(Activity activity, Node.Subscribe task) {
    while (true) {
      boolean goesOn =
          switch (SubscriptionStep.of(activity.open)) {
            case BEGINNING -> begin(activity, task);
            case CHECKING -> check(activity, task);
            case ASKING -> ask(activity, task);
            case RECEIVED -> take(activity, task);
            case ENDING -> endIteration(activity, task);
            case CLOSING -> close(activity, task);
            case RECEIVING, ITERATING, LEAVING ->
                throw new IllegalStateException(
                    "expected " + activity.name() + " to wait, found it ready");
            case CLOSED -> false;
          };
      if (!goesOn) {
        return isOver(activity);
      }
    }
  }

  private static boolean isOver(Activity activity) {
    boolean over = SubscriptionStep.of(activity.open) == SubscriptionStep.CLOSED;
    if (over) {
      activity.rawOutput = Payload.array(activity.items);
    }
    return over;
  }

  /** Goes to another step; questions are asked anew there. */
  private static boolean move(Activity activity, SubscriptionStep to) {
    activity.open = to.number();
    activity.enter(ActivityPhase.BODY);
    return true;
  }

  private boolean begin(Activity activity, Node.Subscribe task) {
    Expression<Long> duration = task.consumption().durationNanos();
    if (duration != null) {
      long nanos =
          instanceQuota.checkedDelay(
              expressionEvaluator.evaluate(activity, duration, activity.input));
      activityTree.startTimer(activity, Activity.DELAY, nanos);
    }
    return move(activity, SubscriptionStep.CHECKING);
  }

  /** Whether the time of the subscription is up. */
  private static boolean isElapsed(Activity activity, Node.Subscribe task) {
    return task.consumption().durationNanos() != null && activity.armed(Activity.DELAY) == 0;
  }

  private boolean check(Activity activity, Node.Subscribe task) {
    boolean enough = isEnough(activity, task.consumption()); // asks the same when time is up
    dropMessage(activity);
    return move(
        activity,
        enough || isElapsed(activity, task) ? SubscriptionStep.CLOSING : SubscriptionStep.ASKING);
  }

  private boolean isEnough(Activity activity, MessageConsumption consumption) {
    if (activity.items.size() >= consumption.amount()) {
      return true;
    }
    boolean isFirst = activity.results.length == 0;
    Payload message = isFirst ? Payload.NULL : activity.results[0];
    if (!isFirst && !expressionEvaluator.isTrue(activity, consumption.condition(), message)) {
      return true;
    }
    return consumption.until() != null
        && expressionEvaluator.evaluate(activity, consumption.until(), message);
  }

  private void dropMessage(Activity activity) {
    if (activity.results.length > 0) {
      memoryAccount.drop(activity, activity.results[0]);
      activity.results = NO_MESSAGE;
    }
  }

  private boolean ask(Activity activity, Node.Subscribe task) {
    MessageSubscription source =
        expressionEvaluator.evaluate(activity, task.source(), activity.input);
    if (isElapsed(activity, task)) {
      return move(activity, SubscriptionStep.CLOSING);
    }
    return send(activity, source, SubscriptionStep.RECEIVING);
  }

  private boolean close(Activity activity, Node.Subscribe task) {
    if (activity.cursor == 0) { // nothing was begun
      return move(activity, SubscriptionStep.CLOSED);
    }
    MessageSubscription source =
        expressionEvaluator.evaluate(activity, task.source(), activity.input);
    return send(activity, source, SubscriptionStep.LEAVING);
  }

  /** Waits for what may take any time: the activity does not count as busy. */
  private boolean send(Activity activity, MessageSubscription source, SubscriptionStep waiting) {
    activity.open = waiting.number();
    MessageSubscription request = request(activity, source);
    int attempt = activity.instance.nextAttempt();
    activity.awaiting = attempt;
    activity.sent = false;
    activity.deliveries = 0;
    activity.namedByNumber = false;
    memoryAccount.chargeCall(activity, request);
    effects.invoke(activity, attempt, request);
    return false;
  }

  /** The request that an activity waits for. */
  static MessageSubscription request(Activity activity, MessageSubscription source) {
    return source.after(
        activity.cursor, SubscriptionStep.of(activity.open) == SubscriptionStep.LEAVING);
  }

  /** Receives a message, or null at the end of the subscription. */
  void received(Activity activity, Payload message) {
    boolean leaves = isLeaving(activity) || message.isNull();
    if (leaves) {
      activity.open = SubscriptionStep.CLOSED.number();
    } else {
      activity.open = SubscriptionStep.RECEIVED.number();
      activity.cursor++;
      activity.results = new Payload[] {message};
      memoryAccount.retain(activity, message);
    }
    activityTree.makeReady(activity, ActivityPhase.BODY);
  }

  /** Whether an activity waits for the end of its subscription, whose failure loses nothing. */
  static boolean isLeaving(Activity activity) {
    return SubscriptionStep.of(activity.open) == SubscriptionStep.LEAVING;
  }

  private boolean take(Activity activity, Node.Subscribe task) {
    Payload message = activity.results[0];
    if (!expressionEvaluator.isTrue(activity, task.consumption().filter(), message)) {
      dropMessage(activity);
      return move(activity, SubscriptionStep.ASKING);
    }
    instanceQuota.checked(message);
    EventIteration iteration = task.foreach();
    if (iteration == null) {
      append(activity, message, null);
      return move(activity, SubscriptionStep.CHECKING);
    }
    if (iteration.body() == null) {
      activity.rawOutput = message;
      return move(activity, SubscriptionStep.ENDING);
    }
    memoryAccount.requireRoom(activity);
    activity.open = SubscriptionStep.ITERATING.number();
    activityTree.enter(activity, activity.branch, iteration.body(), 0, activity.input);
    return false;
  }

  /** Handles the end of the tasks for a message. */
  void blockEnded(Activity activity, Payload output) {
    activity.rawOutput = output;
    activity.open = SubscriptionStep.ENDING.number();
    activityTree.makeReady(activity, ActivityPhase.BODY);
  }

  private boolean endIteration(Activity activity, Node.Subscribe task) {
    EventIteration iteration = Objects.requireNonNull(task.foreach(), "an iteration");
    Payload raw = Objects.requireNonNull(activity.rawOutput, "an output");
    IterationOutput done =
        IterationOutput.of(activity, iteration, raw, expressionEvaluator, instanceQuota);
    activity.output = Payload.NULL;
    activity.rawOutput = null;
    append(activity, done.output(), done.context());
    return move(activity, SubscriptionStep.CHECKING);
  }

  private void append(Activity activity, Payload output, @Nullable Payload context) {
    List<Payload> outputs = activity.items;
    long weight = weight(activity) + output.weight();
    if (outputs.size() >= maxItems) {
      throw new ExpressionException(InstanceQuota.exceeded("instance.maxItems", maxItems));
    }
    if (weight > maxBytes) {
      throw new ExpressionException(InstanceQuota.exceeded("instance.maxPayloadBytes", maxBytes));
    }
    memoryAccount.retain(activity, output);
    if (context != null) {
      activity.branch.export(context);
      memoryAccount.chargeContext(activity.branch, activity.instance);
    }
    memoryAccount.requireRoom(activity);
    if (!(outputs instanceof ArrayList)) { // a list that was read or packed cannot grow
      outputs = new ArrayList<>(outputs);
      activity.items = outputs;
    }
    outputs.add(output);
    activity.itemsWeight = weight;
  }

  /** Weight of the outputs: added up once after the instance was read. */
  private static long weight(Activity activity) {
    if (activity.itemsWeight == Activity.UNKNOWN_WEIGHT) {
      activity.itemsWeight = activity.items.stream().mapToLong(Payload::weight).sum();
    }
    return activity.itemsWeight;
  }

  /** Ends the subscription when its time is up: at once if it waits, else before the next one. */
  void elapsed(Activity activity) {
    if (SubscriptionStep.of(activity.open) == SubscriptionStep.RECEIVING) {
      activityTree.withdraw(activity);
      activity.open = SubscriptionStep.CLOSED.number();
      activityTree.makeReady(activity, ActivityPhase.BODY);
    }
  }
}
