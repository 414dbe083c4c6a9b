package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.Node.Backoff;
import dev.pinion.core.graph.Node.Retry;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ReusableComponents;
import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles retry policies: inline, or the name of a policy under {@code use.retries}. */
final class RetryPolicyCompiler {
  private static final List<String> KEYS =
      List.of("when", "exceptWhen", "delay", "backoff", "limit", "jitter");
  private static final List<String> BACKOFFS = List.of("constant", "linear", "exponential");
  private static final List<String> LIMIT_KEYS = List.of("attempt", "duration");
  private static final List<String> ATTEMPT_KEYS = List.of("count", "duration");
  private static final List<String> JITTER_KEYS = List.of("from", "to");

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final ReusableComponents.ComponentGroup reusable;
  private final ExpressionFieldCompiler expressions;
  private final DurationFieldCompiler durations;
  private final Diagnostics diagnostics;

  RetryPolicyCompiler(
      ReusableComponents reusableComponents,
      ExpressionFieldCompiler expressions,
      Diagnostics diagnostics) {
    this.reusable = reusableComponents.retries();
    this.expressions = expressions;
    this.durations = new DurationFieldCompiler(expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  /** A policy, or null when the name is unknown. */
  @Nullable Retry compile(DocumentValue retry, Set<String> visible) {
    DocumentValue policy = reusable.resolve(retry);
    return policy == null ? null : inline(policy, visible);
  }

  /** Checks the reusable policies that no task refers to. */
  void checkUnused() {
    for (DocumentValue policy : reusable.unused()) {
      inline(policy, VisibleVariables.NONE.with("error").ofTask());
    }
  }

  private Retry inline(DocumentValue policy, Set<String> visible) {
    FieldReader fieldReader = FieldReader.of(policy, "a retry policy", KEYS, diagnostics);
    FieldReader limit = group(fieldReader, "limit", LIMIT_KEYS);
    FieldReader attempt = limit == null ? null : group(limit, "attempt", ATTEMPT_KEYS);
    FieldReader jitter = group(fieldReader, "jitter", JITTER_KEYS);
    long retries = attempt == null ? NO_LIMIT : attempt.integer("count", 0, NO_LIMIT, NO_LIMIT);
    return new Retry(
        condition(fieldReader.get("when"), visible),
        condition(fieldReader.get("exceptWhen"), visible),
        new Node.RetryDelay(
            duration(fieldReader.get("delay"), visible),
            backoff(fieldReader.get("backoff")),
            duration(jitter == null ? null : jitter.required("from"), visible),
            duration(jitter == null ? null : jitter.required("to"), visible)),
        new Node.RetryLimit(
            (int) retries,
            duration(attempt == null ? null : attempt.get("duration"), visible),
            duration(limit == null ? null : limit.get("duration"), visible)));
  }

  private @Nullable FieldReader group(FieldReader fieldReader, String name, List<String> keys) {
    DocumentValue group = fieldReader.get(name);
    return group == null
        ? null
        : FieldReader.of(group, "\"" + name + "\" of a retry policy", keys, diagnostics);
  }

  private Backoff backoff(@Nullable DocumentValue backoff) {
    if (backoff == null) {
      return Backoff.CONSTANT;
    }
    FieldReader fieldReader = FieldReader.of(backoff, "\"backoff\"", BACKOFFS, diagnostics);
    List<String> named = BACKOFFS.stream().filter(fieldReader::has).toList();
    named.forEach(fieldReader::object);
    if (named.size() != 1 && backoff.isObject()) {
      diagnostics.key(
          backoff,
          "expected one of constant, linear, exponential in \"backoff\", found "
              + (named.isEmpty() ? "none" : String.join(" and ", named)));
    }
    return switch (named.isEmpty() ? "constant" : named.getFirst()) {
      case "linear" -> Backoff.LINEAR;
      case "exponential" -> Backoff.EXPONENTIAL;
      default -> Backoff.CONSTANT;
    };
  }

  private @Nullable Expression<Boolean> condition(
      @Nullable DocumentValue documentValue, Set<String> visible) {
    return documentValue == null ? null : expressions.condition(documentValue, visible);
  }

  private @Nullable Expression<Long> duration(
      @Nullable DocumentValue documentValue, Set<String> visible) {
    return documentValue == null ? null : durations.compile(documentValue, visible);
  }
}
