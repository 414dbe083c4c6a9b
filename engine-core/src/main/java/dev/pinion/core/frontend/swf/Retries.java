package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.Node.Backoff;
import dev.pinion.core.ir.Node.Retry;
import dev.pinion.core.model.Expression;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles retry policies: inline, or the name of a policy under {@code use.retries}. */
final class Retries {
  private static final List<String> KEYS =
      List.of("when", "exceptWhen", "delay", "backoff", "limit", "jitter");
  private static final List<String> BACKOFFS = List.of("constant", "linear", "exponential");
  private static final List<String> LIMIT_KEYS = List.of("attempt", "duration");
  private static final List<String> ATTEMPT_KEYS = List.of("count", "duration");
  private static final List<String> JITTER_KEYS = List.of("from", "to");

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final Reusables.Group reusable;
  private final ExpressionFields expressions;
  private final DurationFields durations;
  private final Diagnostics diagnostics;

  Retries(Reusables reusables, ExpressionFields expressions, Diagnostics diagnostics) {
    this.reusable = reusables.retries();
    this.expressions = expressions;
    this.durations = new DurationFields(expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  /** A policy, or null when the name is unknown. */
  @Nullable Retry compile(Value retry, Set<String> visible) {
    Value policy = reusable.resolve(retry);
    return policy == null ? null : inline(policy, visible);
  }

  /** Checks the reusable policies that no task refers to. */
  void checkUnused() {
    for (Value policy : reusable.unused()) {
      inline(policy, Variables.NONE.with("error").ofTask());
    }
  }

  private Retry inline(Value policy, Set<String> visible) {
    Fields fields = Fields.of(policy, "a retry policy", KEYS, diagnostics);
    Fields limit = group(fields, "limit", LIMIT_KEYS);
    Fields attempt = limit == null ? null : group(limit, "attempt", ATTEMPT_KEYS);
    Fields jitter = group(fields, "jitter", JITTER_KEYS);
    long retries = attempt == null ? NO_LIMIT : attempt.integer("count", 0, NO_LIMIT, NO_LIMIT);
    return new Retry(
        condition(fields.get("when"), visible),
        condition(fields.get("exceptWhen"), visible),
        duration(fields.get("delay"), visible),
        backoff(fields.get("backoff")),
        duration(jitter == null ? null : jitter.required("from"), visible),
        duration(jitter == null ? null : jitter.required("to"), visible),
        (int) retries,
        duration(attempt == null ? null : attempt.get("duration"), visible),
        duration(limit == null ? null : limit.get("duration"), visible));
  }

  private @Nullable Fields group(Fields fields, String name, List<String> keys) {
    Value group = fields.get(name);
    return group == null
        ? null
        : Fields.of(group, "\"" + name + "\" of a retry policy", keys, diagnostics);
  }

  private Backoff backoff(@Nullable Value backoff) {
    if (backoff == null) {
      return Backoff.CONSTANT;
    }
    Fields fields = Fields.of(backoff, "\"backoff\"", BACKOFFS, diagnostics);
    List<String> named = BACKOFFS.stream().filter(fields::has).toList();
    named.forEach(fields::object);
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

  private @Nullable Expression<Boolean> condition(@Nullable Value value, Set<String> visible) {
    return value == null ? null : expressions.condition(value, visible);
  }

  private @Nullable Expression<Long> duration(@Nullable Value value, Set<String> visible) {
    return value == null ? null : durations.compile(value, visible);
  }
}
