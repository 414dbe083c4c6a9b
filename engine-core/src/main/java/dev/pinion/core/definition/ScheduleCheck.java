package dev.pinion.core.definition;

import dev.pinion.core.language.CompilationResult.ScheduleUse;
import dev.pinion.core.limits.ScheduleLimits;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.Diagnostic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds schedules that the limits do not allow. Runs when a definition is deployed; one that was
 * deployed before keeps its schedule.
 */
final class ScheduleCheck {
  private final ScheduleLimits limits;

  ScheduleCheck(ScheduleLimits limits) {
    this.limits = limits;
  }

  /** The problem of a schedule whose runs follow each other too soon; none for others. */
  List<Diagnostic> refused(@Nullable ScheduleUse use) {
    if (use == null || use.leastMillis() >= limits.minIntervalMillis()) {
      return List.of();
    }
    return List.of(
        new Diagnostic(
            use.pointer(),
            use.line(),
            use.column(),
            "expected at least "
                + limits.minIntervalMillis()
                + " ms from one run to the next (schedule.minIntervalMillis), found "
                + use.leastMillis(),
            null));
  }

  /** Whether a table has room for the schedule of a name. */
  boolean hasRoom(DefinitionTable table, DefinitionName name) {
    return table.schedules().containsKey(name) || table.schedules().size() < limits.maxSchedules();
  }
}
