package dev.pinion.core.language.event;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.EventFilter;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.template.EventConditions;
import dev.pinion.core.template.TextPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles filters of events (DSL reference, "Event Filter" and "Correlation").
 *
 * <table>
 *   <caption>Values of {@code with}</caption>
 *   <tr><td>text of an attribute<td>equal, or a regular expression for all of it
 *   <tr><td>expression of an attribute<td>evaluated once on the input of the task; equal
 *   <tr><td>expression of {@code data}<td>condition on the data of the event
 *   <tr><td>other value of {@code data}<td>the data contain it
 * </table>
 */
final class EventFilterCompiler {
  private static final String CORRELATE = "correlate";
  private static final List<String> KEYS = List.of("with", CORRELATE);
  private static final String EXPECT = "expect";
  private static final List<String> CORRELATION_KEYS = List.of("from", EXPECT);
  private static final String TYPE = "type";

  private final int maxPatternSize;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  EventFilterCompiler(
      EngineLimits limits, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.maxPatternSize = limits.definition().maxPatternSize();
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** Parts of one filter while it is compiled. */
  private static final class Parts {
    private @Nullable String type;
    private final List<Expression<Boolean>> conditions = new ArrayList<>();
    private final List<Expression<Boolean>> own = new ArrayList<>();
    private final List<EventFilter.EventKey> keys = new ArrayList<>();
    private final List<EventFilter.EventCorrelation> correlations = new ArrayList<>();

    EventFilter filter() {
      return new EventFilter(
          type,
          conditions.isEmpty() ? null : EventConditions.all(conditions),
          own.isEmpty() ? null : EventConditions.all(own),
          keys,
          correlations);
    }
  }

  /**
   * Names of correlations that some filters of a strategy leave to the first event.
   *
   * @param filters the filters, whatever they are
   */
  static Set<String> openNames(List<DocumentValue> filters) {
    Set<String> open = new HashSet<>();
    for (DocumentValue filter : filters) {
      filter.members().stream()
          .filter(member -> member.name().equals(CORRELATE))
          .flatMap(correlate -> correlate.members().stream())
          .filter(each -> each.members().stream().noneMatch(key -> key.name().equals(EXPECT)))
          .forEach(each -> open.add(each.name()));
    }
    return open;
  }

  /**
   * Compiles a filter.
   *
   * @param open names of correlations that the first event fixes
   * @param visible variables that its expressions may use; none where there is no input either
   */
  EventFilter compile(DocumentValue filter, Set<String> open, Set<String> visible) {
    FieldReader fieldReader = FieldReader.of(filter, "an event filter", KEYS, diagnostics);
    Parts parts = new Parts();
    DocumentValue with = fieldReader.required("with");
    if (with != null) {
      EventAttributes.check(with, "an event filter's \"with\"", diagnostics);
      for (DocumentValue member : with.members()) {
        if (member.name().equals(EventAttributes.DATA)) {
          data(member, visible, parts);
        } else {
          attribute(member, visible, parts);
        }
      }
    }
    DocumentValue correlate = fieldReader.object(CORRELATE);
    if (correlate != null) {
      for (DocumentValue correlation : correlate.members()) {
        correlation(correlation, open, visible, parts);
      }
    }
    return parts.filter();
  }

  private void attribute(DocumentValue attribute, Set<String> visible, Parts parts) {
    if (ExpressionFieldCompiler.isEnclosed(attribute)) {
      parts.keys.add(
          new EventFilter.EventKey(
              null,
              EventConditions.attribute(attribute.name()),
              expressions.expression(attribute, visible)));
      return;
    }
    Payload value = attribute.payload();
    if (value.json().isContainerNode() || value.isNull() || attribute.text().startsWith("${")) {
      diagnostics.expected(
          attribute,
          "a text, a number, a boolean or an expression as \"" + attribute.name() + "\"");
      return;
    }
    String text = value.comparableText();
    if (attribute.name().equals(TYPE) && TextPattern.isLiteral(text)) {
      parts.type = text;
    } else {
      TextPattern pattern = pattern(attribute, text);
      parts.conditions.add(EventConditions.attributeMatches(attribute.name(), pattern));
    }
  }

  private TextPattern pattern(DocumentValue documentValue, String text) {
    try {
      return TextPattern.of(text, maxPatternSize);
    } catch (IllegalArgumentException e) {
      diagnostics.value(documentValue, String.valueOf(e.getMessage()));
      return TextPattern.of("", maxPatternSize);
    }
  }

  private void data(DocumentValue data, Set<String> visible, Parts parts) {
    if (ExpressionFieldCompiler.isEnclosed(data)) {
      Expression<Payload> alone = expressions.expressionWithoutVariables(data);
      if (alone == null) {
        parts.own.add(EventConditions.dataHold(expressions.expression(data, visible)));
      } else {
        parts.conditions.add(EventConditions.dataHold(alone));
      }
    } else if (data.isText()) {
      parts.conditions.add(EventConditions.dataMatches(pattern(data, data.text())));
    } else if (ExpressionFieldCompiler.isConstant(data)) {
      parts.conditions.add(EventConditions.dataContain(data.payload()));
    } else {
      Expression<Boolean> contained =
          EventConditions.dataContain(expressions.strictTemplate(data, visible));
      (visible.isEmpty() ? parts.conditions : parts.own).add(contained);
    }
  }

  private void correlation(
      DocumentValue correlation, Set<String> open, Set<String> visible, Parts parts) {
    FieldReader fieldReader =
        FieldReader.of(correlation, "a correlation", CORRELATION_KEYS, diagnostics);
    DocumentValue from = fieldReader.requiredText("from");
    if (from == null) {
      return;
    }
    Expression<Payload> part = expressions.expression(from, Set.of());
    DocumentValue expect = fieldReader.get(EXPECT);
    if (open.contains(correlation.name())) {
      parts.correlations.add(new EventFilter.EventCorrelation(correlation.name(), part));
    }
    if (expect != null) {
      parts.keys.add(new EventFilter.EventKey(correlation.name(), part, expected(expect, visible)));
    }
  }

  /** A constant, or an expression; a text that begins like one is one. */
  private Expression<Payload> expected(DocumentValue expect, Set<String> visible) {
    boolean begins = expect.text().startsWith(".") || expect.text().startsWith("$");
    if (ExpressionFieldCompiler.isEnclosed(expect) || begins) {
      return expressions.expression(expect, visible);
    }
    if (expect.json().isContainerNode() || expect.json().isNull()) {
      diagnostics.expected(expect, "a text, a number, a boolean or an expression as \"expect\"");
    }
    return expressions.strictTemplate(expect, visible);
  }
}
