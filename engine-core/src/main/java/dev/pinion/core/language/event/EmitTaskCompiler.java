package dev.pinion.core.language.event;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.template.EventEmissionTemplate;
import dev.pinion.core.template.UriTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles {@code emit} (DSL reference, "Emit" and "Event Properties"). */
public final class EmitTaskCompiler {
  private static final Set<String> URIS = Set.of("source", "dataschema");
  private static final Pattern NUMERAL = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

  private final int maxChars;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  /** A compiler of the events that tasks of one document emit. */
  public EmitTaskCompiler(
      EngineLimits limits, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.maxChars = limits.events().maxAttributeChars();
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** The task that emits an event. */
  public Node compile(
      TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    FieldReader emit =
        FieldReader.of(fieldReader.getPresent("emit"), "\"emit\"", List.of("event"), diagnostics);
    DocumentValue event = emit.required("event");
    DocumentValue with =
        event == null
            ? null
            : FieldReader.of(event, "\"event\"", List.of("with"), diagnostics).required("with");
    if (with == null) {
      return Placeholders.task();
    }
    EventAttributes.check(with, "an event", diagnostics);
    List<DocumentValue> given = with.members();
    if (!given.isEmpty() && given.stream().noneMatch(each -> each.name().equals("type"))) {
      diagnostics.key(with, "expected \"type\" in an event, found none");
    }
    return new Node.Emit(common, template(with, visibleVariables));
  }

  private EventEmissionTemplate template(DocumentValue with, VisibleVariables visibleVariables) {
    List<EventEmissionTemplate.Attribute> attributes = new ArrayList<>();
    Expression<Payload> data = null;
    for (DocumentValue member : with.members()) {
      if (member.name().equals(EventAttributes.DATA)) {
        data = expressions.template(member, visibleVariables.ofTask());
      } else {
        attributes.add(
            new EventEmissionTemplate.Attribute(
                member.name(),
                value(member, visibleVariables),
                ExpressionFieldCompiler.location(member)));
      }
    }
    return new EventEmissionTemplate(attributes, data, maxChars);
  }

  private Expression<Payload> value(DocumentValue attribute, VisibleVariables visibleVariables) {
    boolean isExpression = ExpressionFieldCompiler.isEnclosed(attribute);
    Expression<Payload> template = isExpression ? null : uriTemplate(attribute, visibleVariables);
    if (template != null) {
      return template;
    }
    if (expressions.isLoose() && attribute.isText() && !isNumeral(attribute)) {
      return expressions.template(attribute, visibleVariables.ofTask());
    }
    String problem =
        isExpression
            ? null
            : EventEmissionTemplate.problem(attribute.name(), attribute.payload(), maxChars);
    if (problem != null) {
      diagnostics.value(attribute, problem);
      return Placeholders.expression();
    }
    return expressions.strictTemplate(attribute, visibleVariables.ofTask());
  }

  /** Whether a text is a number where an event has texts, such as {@code "1.0"} as its version. */
  private boolean isNumeral(DocumentValue attribute) {
    return NUMERAL.matcher(attribute.text()).matches()
        && EventEmissionTemplate.problem(attribute.name(), Payload.of(0), maxChars) != null;
  }

  /** A URI with variables in braces, or null for any other value. */
  private @Nullable Expression<Payload> uriTemplate(
      DocumentValue attribute, VisibleVariables visibleVariables) {
    if (!URIS.contains(attribute.name()) || attribute.text().indexOf('{') < 0) {
      return null;
    }
    UriTemplate template =
        UriTemplate.compile(
            attribute.text(),
            visibleVariables.ofUri(),
            problem -> expressions.report(attribute, problem.offset(), problem));
    return template == null ? Placeholders.expression() : textOf(template);
  }

  private static Expression<Payload> textOf(UriTemplate template) {
    return (input, scope, budget) -> Payload.of(template.evaluate(input, scope, budget));
  }
}
