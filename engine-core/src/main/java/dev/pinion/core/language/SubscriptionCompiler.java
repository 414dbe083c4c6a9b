package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.EventIteration;
import dev.pinion.core.graph.MessageConsumption;
import dev.pinion.core.language.call.CompiledSubscription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the subscription of a call (DSL reference, "AsyncAPI Subscription", "Subscription
 * Iterator").
 */
final class SubscriptionCompiler {
  private static final List<String> KEYS = List.of("filter", "consume", "foreach");
  private static final List<String> LIFETIME_KEYS = List.of("amount", "for", "while", "until");
  private static final List<String> ENDS = List.of("amount", "while", "until");
  private static final List<String> ITERATION_KEYS =
      List.of("item", "at", "do", "output", "export");

  private final TaskListCompiler lists;
  private final DataFlowCompiler dataFlowCompiler;
  private final DurationFieldCompiler durations;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  SubscriptionCompiler(
      TaskListCompiler lists,
      DataFlowCompiler dataFlowCompiler,
      DurationFieldCompiler durations,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.dataFlowCompiler = dataFlowCompiler;
    this.durations = durations;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  CompiledSubscription compile(DocumentValue subscription, VisibleVariables visible) {
    FieldReader fields =
        FieldReader.of(subscription, "an AsyncAPI subscription", KEYS, diagnostics);
    Expression<Boolean> filter = condition(fields.get("filter"), visible);
    MessageConsumption consumption = consumption(fields.required("consume"), filter, visible);
    DocumentValue foreach = fields.get("foreach");
    return new CompiledSubscription(
        consumption, foreach == null ? null : iteration(foreach, visible));
  }

  private MessageConsumption consumption(
      @Nullable DocumentValue consume,
      @Nullable Expression<Boolean> filter,
      VisibleVariables visible) {
    if (consume == null) {
      return new MessageConsumption(filter, MessageConsumption.UNBOUNDED, null, null, null);
    }
    FieldReader fields =
        FieldReader.of(consume, "the lifetime of a subscription", LIFETIME_KEYS, diagnostics);
    checkOne(fields);
    DocumentValue duration = fields.get("for");
    return new MessageConsumption(
        filter,
        (int) fields.integer("amount", 1, Integer.MAX_VALUE, MessageConsumption.UNBOUNDED),
        condition(fields.get("while"), visible),
        condition(fields.get("until"), visible),
        duration == null ? null : durations.compile(duration, visible.ofTask()));
  }

  private void checkOne(FieldReader fields) {
    List<String> given = ENDS.stream().filter(fields::has).toList();
    if (given.size() > 1) {
      diagnostics.key(
          fields.getPresent(given.get(1)),
          "expected one of %s in the lifetime of a subscription, found both \"%s\" and \"%s\""
              .formatted(String.join(", ", ENDS), given.get(0), given.get(1)));
    } else if (given.isEmpty()
        && fields.owner().isObject()
        && ENDS.stream().noneMatch(fields::isMisspelt)) {
      diagnostics.key(
          fields.owner(),
          "expected one of "
              + String.join(", ", ENDS)
              + " in the lifetime of a subscription, found none");
    }
  }

  private @Nullable Expression<Boolean> condition(
      @Nullable DocumentValue condition, VisibleVariables visible) {
    return condition == null ? null : expressions.condition(condition, visible.ofTask());
  }

  private EventIteration iteration(DocumentValue foreach, VisibleVariables visible) {
    FieldReader fields = FieldReader.of(foreach, "\"foreach\"", ITERATION_KEYS, diagnostics);
    String item = VisibleVariables.name(fields, "item", "item", diagnostics);
    String at = VisibleVariables.name(fields, "at", "index", diagnostics);
    if (item.equals(at)) {
      diagnostics.value(
          foreach, "expected different names as \"item\" and \"at\", found \"" + at + "\"");
    }
    VisibleVariables inside = visible.with(item).with(at);
    DocumentValue tasks = fields.get("do");
    Block body = tasks == null ? null : lists.sequence(tasks, inside);
    return new EventIteration(
        item,
        at,
        body,
        dataFlowCompiler.output(fields.get("output"), inside.ofTask()),
        dataFlowCompiler.export(fields.get("export"), inside.ofExport()));
  }
}
