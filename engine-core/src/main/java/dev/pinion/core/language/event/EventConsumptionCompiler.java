package dev.pinion.core.language.event;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.EventConsumption;
import dev.pinion.core.graph.EventConsumption.Strategy;
import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.EventForm;
import dev.pinion.core.model.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the events that are consumed (DSL reference, "Event Consumption Strategy"). */
public final class EventConsumptionCompiler {
  private static final List<String> STRATEGIES = List.of("one", "all", "any");
  private static final List<String> KEYS = List.of("one", "all", "any", "until");

  private final EventFilterCompiler filters;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  /** A compiler of the strategies in one document. */
  public EventConsumptionCompiler(
      EngineLimits limits, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.filters = new EventFilterCompiler(limits, expressions, diagnostics);
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** The part of an event that a word of the language names. */
  public static EventForm form(String read) {
    return EventForm.valueOf(read.toUpperCase(Locale.ROOT));
  }

  /**
   * Compiles a strategy.
   *
   * @param visible variables that its expressions may use; none where there is no input either
   */
  public EventConsumption compile(DocumentValue to, Set<String> visible) {
    return consumption(to, openNames(to), visible, true);
  }

  /** Names of correlations that the first event fixes, for all filters of a strategy. */
  private static Set<String> openNames(DocumentValue to) {
    List<DocumentValue> all = new ArrayList<>(filters(to));
    to.members().stream()
        .filter(each -> each.name().equals("until"))
        .forEach(until -> all.addAll(filters(until)));
    return EventFilterCompiler.openNames(all);
  }

  private static List<DocumentValue> filters(DocumentValue strategy) {
    List<DocumentValue> all = new ArrayList<>();
    for (DocumentValue member : strategy.members()) {
      all.add(member);
      all.addAll(member.items());
    }
    return all;
  }

  /**
   * A strategy.
   *
   * @param open names of correlations that the first event fixes
   * @param mayEnd whether it may have an {@code until}
   */
  private EventConsumption consumption(
      DocumentValue to, Set<String> open, Set<String> visible, boolean mayEnd) {
    FieldReader fieldReader =
        FieldReader.of(to, "an event consumption strategy", KEYS, diagnostics);
    List<String> given = STRATEGIES.stream().filter(fieldReader::has).toList();
    checkOne(fieldReader, given);
    String strategy = given.isEmpty() ? "any" : given.getFirst();
    List<EventFilter> filtered = filters(fieldReader.get(strategy), strategy, open, visible);
    DocumentValue until = fieldReader.get("until");
    Expression<Boolean> condition = null;
    EventConsumption end = null;
    if (until != null && checkUntil(until, strategy, mayEnd)) {
      if (until.isObject()) {
        end = consumption(until, open, visible, false);
      } else {
        condition = expressions.condition(until, visible);
      }
    }
    return new EventConsumption(
        Strategy.valueOf(strategy.toUpperCase(Locale.ROOT)), filtered, condition, end);
  }

  private void checkOne(FieldReader fieldReader, List<String> given) {
    DocumentValue owner = fieldReader.owner();
    String all = String.join(", ", STRATEGIES);
    if (given.size() > 1) {
      diagnostics.key(
          fieldReader.getPresent(given.get(1)),
          "expected one of %s in an event consumption strategy, found both \"%s\" and \"%s\""
              .formatted(all, given.get(0), given.get(1)));
    } else if (given.isEmpty()
        && owner.isObject()
        && STRATEGIES.stream().noneMatch(fieldReader::isMisspelt)) {
      diagnostics.key(
          owner, "expected one of " + all + " in an event consumption strategy, found none");
    }
  }

  private boolean checkUntil(DocumentValue until, String strategy, boolean mayEnd) {
    if (!mayEnd) {
      diagnostics.key(
          until, "expected no \"until\" in the strategy of an \"until\": it ends by its events");
    } else if (!strategy.equals("any")) {
      diagnostics.key(
          until,
          "expected \"until\" beside \"any\" only, found it beside \""
              + strategy
              + "\", which ends by itself");
    } else if (!until.isText() && !until.isObject()) {
      diagnostics.expected(until, "a condition or an event consumption strategy as \"until\"");
    } else {
      return true;
    }
    return false;
  }

  private List<EventFilter> filters(
      @Nullable DocumentValue filtered, String strategy, Set<String> open, Set<String> visible) {
    if (filtered == null) {
      return List.of(EventFilter.EVERY);
    }
    if (strategy.equals("one")) {
      return List.of(filters.compile(filtered, open, visible));
    }
    if (!filtered.isArray()) {
      diagnostics.expected(filtered, "an array of event filters as \"" + strategy + "\"");
    }
    List<EventFilter> all = new ArrayList<>();
    for (DocumentValue item : filtered.items()) {
      all.add(filters.compile(item, open, visible));
    }
    return all.isEmpty() && strategy.equals("any") ? List.of(EventFilter.EVERY) : all;
  }
}
