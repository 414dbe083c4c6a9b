package dev.pinion.core.api.json;

import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.ScheduleView;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Schedules as JSON. */
public final class ScheduleJson {
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private ScheduleJson() {}

  /** A schedule. */
  public static Payload of(ScheduleView schedule) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("namespace", Payload.of(schedule.definition().namespace()));
    members.put("name", Payload.of(schedule.definition().name()));
    members.put("version", Payload.of(schedule.definition().version()));
    ScheduleView.Timing timing = schedule.timing();
    members.put(timing.kind(), timing.value());
    if (timing.timeZone() != null) {
      members.put("timeZone", Payload.of(timing.timeZone()));
    }
    members.put("overlap", Payload.of(timing.overlap()));
    members.put("paused", Payload.of(schedule.paused()));
    if (schedule.nextEpochMillis() != 0) {
      members.put("next", time(schedule.nextEpochMillis()));
    }
    ScheduleView.ScheduledRun last = schedule.last();
    if (last != null) {
      members.put("last", run(last));
    }
    members.put("runs", Payload.of(schedule.totals().runs()));
    members.put("missed", Payload.of(schedule.totals().missed()));
    members.put("skipped", Payload.of(schedule.totals().skipped()));
    if (schedule.problem() != null) {
      members.put("problem", Payload.of(schedule.problem()));
    }
    members.put("instance", Payload.of(schedule.id().toString()));
    return Payload.object(members);
  }

  private static Payload run(ScheduleView.ScheduledRun run) {
    Map<String, Payload> members = new LinkedHashMap<>();
    if (run.id() != null) {
      members.put("id", Payload.of(run.id().toString()));
    }
    members.put("due", time(run.dueEpochMillis()));
    members.put("startedAt", time(run.startedEpochMillis()));
    if (run.state() != null) {
      members.put("state", Payload.of(run.state().name()));
    }
    return Payload.object(members);
  }

  /** A time with milliseconds, as everywhere in answers. */
  private static Payload time(long epochMillis) {
    return Payload.of(TIME.format(Instant.ofEpochMilli(epochMillis)));
  }

  /** The name of the definition in a schedule that {@link #of} made. */
  public static DefinitionName name(Payload schedule) {
    return new DefinitionName(
        Objects.requireNonNullElse(schedule.text("namespace"), ""),
        Objects.requireNonNullElse(schedule.text("name"), ""));
  }

  /**
   * A page of schedules.
   *
   * @param next the cursor of the next page, or null when this is the last
   * @param missing replicas whose schedules are missing from the list
   */
  public static Payload page(
      List<Payload> schedules, @Nullable String next, List<Integer> missing) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("items", Payload.array(schedules));
    if (next != null) {
      members.put("next", Payload.of(next));
    }
    if (!missing.isEmpty()) {
      members.put(
          "missingReplicas",
          Payload.array(missing.stream().map(slot -> Payload.of(slot.longValue())).toList()));
    }
    return Payload.object(members);
  }

  /** Whether there are more schedules than a page has. */
  public static boolean hasMore(Payload page) {
    return RequestJson.names(page).contains("next");
  }
}
