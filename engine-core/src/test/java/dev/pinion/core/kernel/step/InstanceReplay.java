package dev.pinion.core.kernel.step;

import dev.pinion.core.coldstore.ColdStore;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.EffectLog;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.ChildStart;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import java.util.List;

/** Replay of one instance from its journal, with effects that are only logged. */
public final class InstanceReplay {
  private final Stepper stepper;
  private final Instance instance;
  private final EffectLog log = new EffectLog();

  public InstanceReplay(
      EngineLimits limits, ProcessGraph graph, JournalRecord start, Payload input) {
    Recorder recorder = new Recorder();
    MemoryAccount memoryAccount =
        new MemoryAccount(
            MemoryAccount.boundOf(limits),
            KernelMemory.alone(limits, ColdStore.NONE),
            (_, _) -> {});
    memoryAccount.replaying(true);
    this.stepper = new Stepper(limits, recorder, memoryAccount);
    Tags tags = start.event() instanceof Event.Started event ? event.tags() : Tags.NONE;
    this.instance =
        new Instance(start.id(), graph, input, start.epochMillis(), Durability.SYNC, tags);
    instance.startedBy(start.event() instanceof Event.Started event ? event.parent() : null);
    stepper.start(instance);
  }

  /** Runs until the instance has made the recorded progress, or as far as possible. */
  public void catchUp(long advances) {
    boolean more = true;
    while (more && instance.advances < advances) {
      more = stepper.turn(instance, (int) Math.min(1_000, advances - instance.advances));
    }
  }

  public void apply(JournalRecord entry) {
    switch (entry.event()) {
      case Event.MemoryExceeded exceeded -> instance.failAtRoomCheck(exceeded.check());
      case Event.Trigger trigger -> stepper.apply(instance, trigger, entry.epochMillis());
      case Event.Started _, Event.TurnsCompleted _, Event.ServiceBound _ -> {}
    }
  }

  public String digest() {
    return Digest.of(instance);
  }

  public List<String> effects() {
    return log.of(instance.id);
  }

  public InstanceView view() {
    return instance.view();
  }

  private final class Recorder implements EffectSink {
    @Override
    public void entered(Activity activity) {
      if (activity.keepsSchedule()) {
        return;
      }
      log.entered(activity.instance.id, activity.node.attributes().pointer());
    }

    @Override
    public void invoke(Activity activity, int attempt, CallRequest call) {
      activity.send();
      log.invocation(
          new Effect.Invoke(
              0, activity.instance.id, activity.slot, attempt, activity.name(), call));
    }

    @Override
    public void startChild(Activity activity, int attempt, ChildStart start) {}

    @Override
    public void withdraw(Activity activity, int attempt) {
      if (activity.evaluating == 0 && !activity.startsChildren()) {
        log.invocation(new Effect.Abort(activity.instance.id, activity.slot, attempt));
      }
    }

    @Override
    public void evaluate(Activity activity, int attempt, Expression<?> expression, Payload input) {
      activity.send();
      log.evaluation(activity.instance.id, activity.slot, attempt);
    }

    @Override
    public void startTimer(Activity activity, int kind, int attempt, long delayNanos) {
      activity.timer(kind, new TimerWheel.Timer(activity, kind, attempt));
    }

    @Override
    public void cancelTimer(Activity activity, int kind) {
      activity.timer(kind, null);
    }

    @Override
    public void listen(Activity activity) {}

    @Override
    public void listenLess(Activity activity, int filter) {}

    @Override
    public void unlisten(Activity activity) {}

    @Override
    public <R extends Reply> void reply(Instance about, ReplyAddress<R> to, R reply) {}

    @Override
    public void ended(Instance ended) {}
  }
}
