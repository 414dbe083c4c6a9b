package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.ScheduleView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.schedule.CronExpression;
import dev.pinion.core.schedule.CronSyntaxException;
import dev.pinion.core.schedule.OverlapPolicy;
import dev.pinion.core.schedule.Recurrence;
import dev.pinion.core.schedule.ScheduleRule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Schedules of a harness: the instances that keep them, their runs, and their views. */
public final class RecordedSchedules {
  private final KernelHarness harness;

  public RecordedSchedules(KernelHarness harness) {
    this.harness = harness;
  }

  /** A definition whose runs are due at an interval. */
  public static ProcessGraph every(long seconds, OverlapPolicy overlap, ProcessGraph graph) {
    long millis = TimeUnit.SECONDS.toMillis(seconds);
    return graph.scheduled(new ScheduleRule(new Recurrence.Every(millis), overlap));
  }

  /** A definition whose runs are due at an interval, whatever runs are under way. */
  public static ProcessGraph every(long seconds, ProcessGraph graph) {
    return every(seconds, OverlapPolicy.ALLOW, graph);
  }

  /** A definition whose runs are due some time after the end of the run before. */
  public static ProcessGraph after(long seconds, ProcessGraph graph) {
    long millis = TimeUnit.SECONDS.toMillis(seconds);
    return graph.scheduled(new ScheduleRule(new Recurrence.After(millis), OverlapPolicy.ALLOW));
  }

  /** A definition whose runs are due at times of a clock. */
  public static ProcessGraph cron(String expression, String zone, ProcessGraph graph) {
    try {
      Recurrence due = new Recurrence.Cron(CronExpression.parse(expression), ZoneId.of(zone));
      return graph.scheduled(new ScheduleRule(due, OverlapPolicy.ALLOW));
    } catch (CronSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Deploys a definition, and does what follows from that. */
  public void deploy(ProcessGraph graph) {
    harness.deploy(graph);
    harness.settle();
  }

  /** The instances that have kept the schedule of a definition in any version, oldest first. */
  public List<InstanceId> keepers(ProcessGraph graph) {
    DefinitionName name = DefinitionName.of(graph.key());
    return harness.journal.entries().stream()
        .filter(each -> each.event() instanceof Event.Started start && keeps(start, name))
        .map(JournalRecord::id)
        .toList();
  }

  private static boolean keeps(Event.Started start, DefinitionName name) {
    DefinitionKey definition = ScheduleGraph.definitionOf(start.definition());
    return definition != null && DefinitionName.of(definition).equals(name);
  }

  /** Runs of a definition in any version that its schedule has begun, oldest first. */
  public List<InstanceId> runs(ProcessGraph graph) {
    DefinitionName name = DefinitionName.of(graph.key());
    return runs(harness.journal.entries()).stream()
        .filter(each -> DefinitionName.of(started(each).definition()).equals(name))
        .map(JournalRecord::id)
        .toList();
  }

  private static List<JournalRecord> runs(List<JournalRecord> records) {
    return records.stream()
        .filter(
            each ->
                each.event() instanceof Event.Started start
                    && start.parent() != null
                    && start.parent().task().pointer().equals(ScheduleGraph.POINTER))
        .toList();
  }

  private static Event.Started started(JournalRecord record) {
    return (Event.Started) record.event();
  }

  /** When all runs so far were due, in seconds since the harness began. */
  public List<Long> dueSeconds() {
    return runs(harness.journal.entries()).stream()
        .map(each -> dueSeconds(started(each).tags()))
        .toList();
  }

  /** Inputs of all runs so far. */
  public List<Payload> inputs() {
    return runs(harness.journal.entries()).stream().map(each -> started(each).input()).toList();
  }

  /** When a run was due, by its tags, in seconds since the harness began. */
  public static long dueSeconds(Tags tags) {
    String due = Objects.requireNonNull(tags.labels().get(Tags.DUE), "the label of a run");
    return seconds(Instant.parse(due).toEpochMilli());
  }

  /** A time as seconds since the harness began. */
  public static long seconds(long epochMillis) {
    return TimeUnit.MILLISECONDS.toSeconds(epochMillis - KernelHarness.FIRST_EPOCH_MILLIS);
  }

  /** The schedule of a definition, by now. */
  public ScheduleView view(ProcessGraph graph) {
    return assertInstanceOf(Reply.ScheduleFound.class, ask(graph)).schedule();
  }

  /** The answer to a query for the schedule of a definition. */
  public Reply ask(ProcessGraph graph) {
    ReplyAddress<Reply.ScheduleReply> to = harness.newAddress();
    harness.offer(0, new Query.GetSchedule(DefinitionName.of(graph.key()), to));
    harness.settle();
    return harness.reply(to.request());
  }

  public ScheduleView pause(ProcessGraph graph) {
    return assertInstanceOf(Reply.ScheduleFound.class, control(graph, true)).schedule();
  }

  public ScheduleView resume(ProcessGraph graph) {
    return assertInstanceOf(Reply.ScheduleFound.class, control(graph, false)).schedule();
  }

  /** The answer to a request to pause or to resume a schedule. */
  public Reply control(ProcessGraph graph, boolean pause) {
    ReplyAddress<Reply.ScheduleReply> to = harness.newAddress();
    harness.offer(0, new Command.ControlSchedule(DefinitionName.of(graph.key()), pause, to));
    harness.settle();
    return harness.reply(to.request());
  }
}
