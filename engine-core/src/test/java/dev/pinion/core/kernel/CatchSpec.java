package dev.pinion.core.kernel;

import dev.pinion.core.graph.Node;
import dev.pinion.core.model.Expression;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@code catch} of a try with its retry policy, for a graph. */
public final class CatchSpec {
  private @Nullable Expression<Boolean> matches;
  private String as = "error";
  private @Nullable Expression<Boolean> when;
  private @Nullable Expression<Boolean> exceptWhen;
  private @Nullable List<TaskSpec> tasks;
  private @Nullable Integer directive;
  private @Nullable String target;
  private boolean retries;
  private @Nullable Expression<Boolean> retryWhen;
  private @Nullable Expression<Boolean> retryExceptWhen;
  private Node.Backoff backoff = Node.Backoff.CONSTANT;
  private @Nullable Expression<Long> delay;
  private @Nullable Expression<Long> jitterFrom;
  private @Nullable Expression<Long> jitterTo;
  private int maxRetries = Integer.MAX_VALUE;
  private @Nullable Expression<Long> attemptTimeout;
  private @Nullable Expression<Long> duration;

  Node.Catch build(TaskSpec.Numbering numbering, String pointer, TaskSpec.Names names) {
    return new Node.Catch(
        matches,
        as,
        when,
        exceptWhen,
        retries ? policy() : null,
        tasks == null ? null : numbering.block(pointer + "/catch/do", tasks),
        target == null ? directive : Integer.valueOf(names.indexOf(target)));
  }

  private Node.Retry policy() {
    return new Node.Retry(
        retryWhen,
        retryExceptWhen,
        new Node.RetryDelay(delay, backoff, jitterFrom, jitterTo),
        new Node.RetryLimit(maxRetries, attemptTimeout, duration));
  }

  public CatchSpec matching(Expression<Boolean> value) {
    matches = value;
    return this;
  }

  public CatchSpec as(String value) {
    as = value;
    return this;
  }

  public CatchSpec when(Expression<Boolean> value) {
    when = value;
    return this;
  }

  public CatchSpec exceptWhen(Expression<Boolean> value) {
    exceptWhen = value;
    return this;
  }

  public CatchSpec run(TaskSpec... value) {
    tasks = List.of(value);
    return this;
  }

  public CatchSpec then(String task) {
    target = task;
    return this;
  }

  public CatchSpec then(int flow) {
    directive = flow;
    return this;
  }

  public CatchSpec retry(int most) {
    retries = true;
    maxRetries = most;
    return this;
  }

  CatchSpec retryWhen(Expression<Boolean> value) {
    retryWhen = value;
    return this;
  }

  CatchSpec retryExceptWhen(Expression<Boolean> value) {
    retryExceptWhen = value;
    return this;
  }

  public CatchSpec delay(Node.Backoff growth, Duration value) {
    backoff = growth;
    delay = (input, scope, budget) -> value.toNanos();
    return this;
  }

  CatchSpec jitter(Duration from, Duration to) {
    jitterFrom = (input, scope, budget) -> from.toNanos();
    jitterTo = (input, scope, budget) -> to.toNanos();
    return this;
  }

  CatchSpec attemptTimeout(Duration value) {
    attemptTimeout = (input, scope, budget) -> value.toNanos();
    return this;
  }

  CatchSpec duration(Duration value) {
    duration = (input, scope, budget) -> value.toNanos();
    return this;
  }
}
