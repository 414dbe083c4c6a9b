package dev.pinion.core.kernel;

import dev.pinion.core.graph.Node;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.ScheduleTask;
import dev.pinion.core.kernel.table.FinishedInstances;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.ScheduleView;
import dev.pinion.core.schedule.Recurrence;
import dev.pinion.core.schedule.ScheduleProgress;
import dev.pinion.core.schedule.ScheduleRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about schedules, and pauses and resumes them. An answer waits until everything
 * that it reports is durable. Kernel thread only.
 */
final class ScheduleQueries {
  private final Schedules schedules;
  private final Instances instances;
  private final MemoryAccount memoryAccount;
  private final Turns turns;
  private final EffectRouter router;
  private final InstanceQueries instanceQueries;

  ScheduleQueries(
      Schedules schedules,
      Instances instances,
      Turns turns,
      EffectRouter router,
      InstanceQueries instanceQueries) {
    this.schedules = schedules;
    this.instances = instances;
    this.memoryAccount = instances.memoryAccount();
    this.turns = turns;
    this.router = router;
    this.instanceQueries = instanceQueries;
  }

  /** Answers a query. */
  void answer(Query.ScheduleQuery query) {
    switch (query) {
      case Query.GetSchedule get -> {
        Instance keeper = keeper(get.name());
        instanceQueries.send(
            get.replyTo(),
            keeper == null ? absence(get.name()) : new Reply.ScheduleFound(view(keeper)));
      }
      case Query.ListSchedules list ->
          instanceQueries.send(list.replyTo(), new Reply.SchedulePage(page(list)));
    }
  }

  /** Pauses or resumes a schedule, and replies when that is durable. */
  void control(Command.ControlSchedule control) {
    Instance keeper = keeper(control.name());
    if (keeper == null) {
      instanceQueries.send(control.replyTo(), absence(control.name()));
      return;
    }
    if (keeper.suspended() != control.pause()) {
      turns.submit(
          keeper.id(),
          control.pause() ? new Event.Suspended(keeper.id()) : new Event.Resumed(keeper.id()));
    }
    router.reply(keeper, control.replyTo(), new Reply.ScheduleFound(view(keeper)));
  }

  private @Nullable Instance keeper(DefinitionName name) {
    return instances.isReleased(name.partition()) ? null : schedules.find(name);
  }

  private Reply.ScheduleReply absence(DefinitionName name) {
    return instances.isReleased(name.partition()) ? new Reply.NotOwner() : new Reply.NoSchedule();
  }

  private List<ScheduleView> page(Query.ListSchedules list) {
    List<ScheduleView> found = new ArrayList<>();
    for (Instance keeper : instances.schedules().from(list.after())) {
      if (found.size() == list.limit()) {
        break;
      }
      Node.Schedule task = Objects.requireNonNull(keeper.graph().scheduleTask(), "a schedule");
      DefinitionName name = DefinitionName.of(task.definition());
      if (matches(list, name)
          && schedules.isWanted(name)
          && (list.paused() == null || list.paused() == keeper.suspended())) {
        found.add(view(keeper));
      }
    }
    return found;
  }

  private static boolean matches(Query.ListSchedules list, DefinitionName name) {
    return !name.equals(list.after())
        && (list.namespace() == null || list.namespace().equals(name.namespace()))
        && (list.name() == null || list.name().equals(name.name()));
  }

  private ScheduleView view(Instance keeper) {
    return memoryAccount.packing().readUnpacked(keeper, () -> unpackedView(keeper));
  }

  private ScheduleView unpackedView(Instance keeper) {
    Node.Schedule task = Objects.requireNonNull(keeper.graph().scheduleTask(), "a schedule");
    ScheduleProgress progress = ScheduleTask.progressOf(keeper);
    long now = turns.recorder().time().epochMillis();
    ScheduleView.ScheduledRun underWay = progress == null ? null : underWay(keeper, progress);
    return new ScheduleView(
        task.definition(),
        keeper.id(),
        timing(keeper, task.rule()),
        keeper.suspended(),
        progress == null || keeper.suspended() ? Recurrence.NONE : progress.upcoming(now),
        underWay != null || progress == null ? underWay : last(progress.last()),
        progress == null
            ? new ScheduleView.Totals(0, 0, 0)
            : new ScheduleView.Totals(
                progress.runs() + (underWay == null ? 0 : 1),
                progress.missed(),
                progress.skipped()),
        progress == null ? null : progress.problem());
  }

  private static ScheduleView.Timing timing(Instance keeper, ScheduleRule rule) {
    Recurrence recurrence = rule.recurrence();
    return new ScheduleView.Timing(
        recurrence.kind(),
        recurrence.followsEvents() ? events(keeper) : Payload.of(recurrence.value()),
        recurrence instanceof Recurrence.Cron cron ? cron.zone().getId() : null,
        rule.overlap().label());
  }

  /** The events of a schedule, as its document has them. */
  private static Payload events(Instance keeper) {
    Payload schedule = keeper.graph().definition().member("schedule");
    Payload events = schedule == null ? null : schedule.member("on");
    return Objects.requireNonNullElse(events, Payload.EMPTY_OBJECT);
  }

  /** The run whose end the schedule awaits, or null. */
  private ScheduleView.@Nullable ScheduledRun underWay(Instance keeper, ScheduleProgress progress) {
    Activity activity = ScheduleTask.activity(keeper);
    InstanceId id = activity == null ? null : router.children().awaitedChild(activity);
    Instance run = id == null ? null : instances.running(id);
    return run == null
        ? null
        : new ScheduleView.ScheduledRun(
            run.id(), progress.due(), run.startedAtEpochMillis(), run.state());
  }

  private ScheduleView.@Nullable ScheduledRun last(ScheduleProgress.@Nullable CompletedRun run) {
    if (run == null) {
      return null;
    }
    InstanceId id = run.id() == null ? null : InstanceId.parse(run.id()).orElse(null);
    return new ScheduleView.ScheduledRun(id, run.due(), run.started(), state(id, run.state()));
  }

  /** The state of a run as it is now, or as it was reported. */
  private @Nullable InstanceState state(@Nullable InstanceId id, @Nullable String reported) {
    Instance running = id == null ? null : instances.running(id);
    if (running != null) {
      return running.state();
    }
    FinishedInstances.RetainedInstance ended = id == null ? null : instances.finished().find(id);
    if (ended != null) {
      return ended.brief.state();
    }
    return reported == null ? null : InstanceState.valueOf(reported);
  }
}
