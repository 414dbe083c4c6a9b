package dev.pinion.core.language.event;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.graph.ScheduleEvents;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.EventForm;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.schedule.CronExpression;
import dev.pinion.core.schedule.CronSyntaxException;
import dev.pinion.core.schedule.OverlapPolicy;
import dev.pinion.core.schedule.Recurrence;
import dev.pinion.core.schedule.ScheduleRule;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compiles {@code schedule} (DSL reference, "Schedule"), and the hints to it in {@code
 * metadata.pinion.schedule}.
 */
public final class ScheduleCompiler {
  private static final String EVERY = "every";
  private static final String CRON = "cron";
  private static final String AFTER = "after";
  private static final String ON = "on";
  private static final String TIME_ZONE = "timeZone";
  private static final String OVERLAP = "overlap";
  private static final String READ = "read";
  private static final List<String> RULES = List.of(EVERY, CRON, AFTER, ON);
  private static final List<String> HINTS = List.of(TIME_ZONE, OVERLAP, READ);

  /** Words for what a run gets of its events; the first one is the default. */
  private static final List<String> READS = List.of("envelope", "data", "raw");

  private final DurationFieldCompiler durations;
  private final ScheduleEventsCompiler events;
  private final int maxDays;
  private final Diagnostics diagnostics;

  /**
   * A schedule.
   *
   * @param rule when runs are due
   * @param events the events that start runs; null when runs are due by time
   * @param place the value of its rule in the document
   */
  public record CompiledSchedule(
      ScheduleRule rule, @Nullable ScheduleEvents events, DocumentValue place) {
    /** The graph of a definition with this schedule. */
    public ProcessGraph applyTo(ProcessGraph graph) {
      return events == null ? graph.scheduled(rule) : graph.scheduled(rule, events);
    }
  }

  /** A compiler of the schedule of a definition. */
  public ScheduleCompiler(
      EngineLimits limits, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.durations = new DurationFieldCompiler(expressions, diagnostics);
    this.events = new ScheduleEventsCompiler(limits, expressions, diagnostics);
    this.maxDays = limits.instance().maxTimerDays();
    this.diagnostics = diagnostics;
  }

  /**
   * The schedule of a document; null when it has none, or problems, which are reported.
   *
   * @param hints the value of {@code metadata.pinion.schedule}, or null
   */
  public @Nullable CompiledSchedule compile(
      @Nullable DocumentValue schedule, @Nullable DocumentValue hints) {
    FieldReader hintReader =
        hints == null
            ? null
            : FieldReader.of(hints, "metadata.pinion.schedule", HINTS, diagnostics);
    if (schedule == null) {
      if (hints != null) {
        diagnostics.key(hints, "expected a \"schedule\" in the definition, found none");
      }
      return null;
    }
    FieldReader reader = FieldReader.of(schedule, "schedule", RULES, diagnostics);
    DocumentValue rule = rule(reader);
    return rule == null ? null : compile(rule, hintReader);
  }

  /**
   * A schedule that has no problems so far, with the constants in it; their problems are reported.
   */
  public CompiledSchedule withConstants(CompiledSchedule schedule) {
    ScheduleEvents found = schedule.events();
    return found == null
        ? schedule
        : new CompiledSchedule(
            schedule.rule(), events.withConstants(found, schedule.place()), schedule.place());
  }

  /** The only rule of a schedule, or null. */
  private @Nullable DocumentValue rule(FieldReader reader) {
    DocumentValue owner = reader.owner();
    List<DocumentValue> rules =
        owner.members().stream().filter(member -> RULES.contains(member.name())).toList();
    if (rules.size() > 1) {
      diagnostics.key(
          rules.get(1),
          "expected one of %s in schedule, found both \"%s\" and \"%s\""
              .formatted(String.join(", ", RULES), rules.get(0).name(), rules.get(1).name()));
      return null;
    }
    if (rules.isEmpty()) {
      if (owner.isObject() && owner.members().isEmpty()) {
        diagnostics.key(
            owner, "expected one of " + String.join(", ", RULES) + " in schedule, found none");
      }
      return null;
    }
    return rules.getFirst();
  }

  private @Nullable CompiledSchedule compile(DocumentValue rule, @Nullable FieldReader hints) {
    ZoneId zone = hints == null ? ZoneOffset.UTC : zone(hints, rule.name());
    OverlapPolicy overlap = hints == null ? OverlapPolicy.ALLOW : overlap(hints, rule.name());
    EventForm read = hints == null ? EventForm.ENVELOPE : read(hints, rule.name());
    Recurrence recurrence =
        switch (rule.name()) {
          case EVERY -> {
            long millis = millis(rule);
            yield millis == 0 ? null : new Recurrence.Every(millis);
          }
          case AFTER -> {
            long millis = millis(rule);
            yield millis == 0 ? null : new Recurrence.After(millis);
          }
          case CRON -> cron(rule, zone);
          default -> new Recurrence.Events(ScheduleEventsCompiler.name(rule, read));
        };
    if (recurrence == null) {
      return null;
    }
    return new CompiledSchedule(
        new ScheduleRule(recurrence, overlap),
        recurrence.followsEvents() ? events.compile(rule, read) : null,
        rule);
  }

  /** A duration in milliseconds, or 0 when it is wrong. */
  private long millis(DocumentValue rule) {
    if (ExpressionFieldCompiler.isEnclosed(rule)) {
      diagnostics.expected(rule, "a duration such as PT1H, which no expression makes");
      return 0;
    }
    Long nanos = durations.constant(rule);
    if (nanos == null) {
      return 0;
    }
    if (nanos > TimeUnit.DAYS.toNanos(maxDays)) {
      diagnostics.expected(rule, "a time of at most " + maxDays + " days (instance.maxTimerDays)");
      return 0;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (millis == 0) {
      diagnostics.expected(rule, "a time of at least a millisecond");
    }
    return millis;
  }

  private @Nullable Recurrence cron(DocumentValue rule, ZoneId zone) {
    if (!rule.isText()) {
      diagnostics.expected(rule, "a string such as \"0 2 * * *\" as \"cron\"");
      return null;
    }
    try {
      return new Recurrence.Cron(CronExpression.parse(rule.text()), zone);
    } catch (CronSyntaxException e) {
      diagnostics.value(rule, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private ZoneId zone(FieldReader hints, String kind) {
    DocumentValue zone = hints.text(TIME_ZONE);
    if (zone == null) {
      return ZoneOffset.UTC;
    }
    if (!kind.equals(CRON)) {
      diagnostics.key(
          zone, "expected \"timeZone\" with \"cron\" only, found it with \"" + kind + "\"");
    }
    try {
      return ZoneId.of(zone.text());
    } catch (DateTimeException e) {
      diagnostics.value(
          zone,
          "expected a time zone such as Europe/Berlin, found "
              + ValueDescription.describe(zone.json()),
          () -> SpellingSuggestion.of(zone.text(), new TreeSet<>(ZoneId.getAvailableZoneIds())));
      return ZoneOffset.UTC;
    }
  }

  private OverlapPolicy overlap(FieldReader hints, String kind) {
    DocumentValue overlap = hints.get(OVERLAP);
    if (overlap != null && kind.equals(AFTER)) {
      diagnostics.key(
          overlap,
          "expected \"overlap\" with \"every\", \"cron\" or \"on\" only, found it with \"after\"");
    }
    return OverlapPolicy.of(hints.word(OVERLAP, OverlapPolicy.labels()));
  }

  private EventForm read(FieldReader hints, String kind) {
    DocumentValue read = hints.get(READ);
    if (read != null && !kind.equals(ON)) {
      diagnostics.key(read, "expected \"read\" with \"on\" only, found it with \"" + kind + "\"");
    }
    return EventConsumptionCompiler.form(hints.word(READ, READS));
  }
}
