package dev.pinion.core.language.event;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.EventConsumption;
import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.graph.ScheduleEvents;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.reference.DefinitionFingerprint;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.EventForm;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Compiles {@code schedule.on} (DSL reference, "Schedule", "Event Consumption Strategy"). There is
 * no instance before the events have come, so its expressions have neither variables nor an input.
 */
final class ScheduleEventsCompiler {
  private final EventConsumptionCompiler consumptions;
  private final Diagnostics diagnostics;
  private final int maxSteps;
  private final int maxChars;

  ScheduleEventsCompiler(
      EngineLimits limits, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.consumptions = new EventConsumptionCompiler(limits, expressions, diagnostics);
    this.diagnostics = diagnostics;
    this.maxSteps = limits.expression().loopSteps();
    this.maxChars = limits.events().maxAttributeChars();
  }

  /** The events of a schedule, whose problems are reported. */
  ScheduleEvents compile(DocumentValue on, EventForm read) {
    return new ScheduleEvents(consumptions.compile(on, Set.of()), read);
  }

  /** Text that is the same for the same events only. */
  static String name(DocumentValue on, EventForm read) {
    return read.name().toLowerCase(Locale.ROOT)
        + " "
        + Long.toHexString(DefinitionFingerprint.of(on.payload(), List.of()));
  }

  /**
   * Events that have no problems so far, with the values that they have to be equal to: these are
   * constants. Further problems are reported.
   */
  ScheduleEvents withConstants(ScheduleEvents events, DocumentValue on) {
    return new ScheduleEvents(withConstants(events.to(), on), events.read());
  }

  private EventConsumption withConstants(EventConsumption to, DocumentValue on) {
    if (to.filters().isEmpty()) {
      diagnostics.key(
          on, "expected at least one event filter in \"all\" of a schedule, found none");
    }
    EventConsumption end = to.end();
    return new EventConsumption(
        to.strategy(),
        to.filters().stream().map(filter -> withConstants(filter, on)).toList(),
        to.until(),
        end == null ? null : withConstants(end, on));
  }

  private EventFilter withConstants(EventFilter filter, DocumentValue on) {
    return filter.keys().isEmpty()
        ? filter
        : new EventFilter(
            filter.type(),
            filter.condition(),
            filter.own(),
            filter.keys().stream().map(key -> withConstant(key, on)).toList(),
            filter.correlations());
  }

  private EventFilter.EventKey withConstant(EventFilter.EventKey key, DocumentValue on) {
    Payload value = value(key, on);
    return new EventFilter.EventKey(key.correlation(), key.from(), (_, _, _) -> value);
  }

  private Payload value(EventFilter.EventKey key, DocumentValue on) {
    String found;
    try {
      Payload value = key.expect().evaluate(Payload.NULL, Scope.EMPTY, new Budget(maxSteps));
      if (!value.isNull() && value.comparableText().length() <= maxChars) {
        return value;
      }
      found = value.isNull() ? "null: there is no input before the events have come" : "more";
    } catch (ExpressionException e) {
      found = "an expression that fails: " + e.getMessage();
    } catch (BudgetExceededException e) {
      found = "an expression that takes more than " + maxSteps + " steps (expression.loopSteps)";
    }
    diagnostics.value(
        on,
        "expected a value of at most "
            + maxChars
            + " characters (events.maxAttributeChars) for events to be equal to, found "
            + found);
    return Payload.NULL;
  }
}
