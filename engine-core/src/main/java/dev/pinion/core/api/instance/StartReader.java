package dev.pinion.core.api.instance;

import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.spi.DefinitionCatalog;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads starts, and gives them the ordering keys of their definitions: before the kernel, because
 * the key decides which replica takes the start. Event loop only.
 */
public final class StartReader {
  private final DefinitionCatalog definitionCatalog;
  private final RequestJson json;
  private final EngineLimits limits;
  private final LongSupplier epochMillis;

  /**
   * A reader.
   *
   * @param epochMillis the present wall-clock time
   */
  public StartReader(
      DefinitionCatalog definitionCatalog,
      RequestJson json,
      EngineLimits limits,
      LongSupplier epochMillis) {
    this.definitionCatalog = definitionCatalog;
    this.json = json;
    this.limits = limits;
    this.epochMillis = epochMillis;
  }

  /** Whether a start may have an ordering key, without reading its body. */
  public boolean mayHaveOrderingKey(ByteBuf body, DefinitionKey definition) {
    return StartBody.mayHaveOrderingKey(body) || rule(definition) != null;
  }

  /** The content of a start, with the ordering key of its definition. */
  public StartBody read(ByteBuf body, DefinitionKey definition) throws ProblemException {
    StartBody start = StartBody.read(body, json, limits.request());
    check(start.tags().startAtEpochMillis());
    Expression<Payload> rule = rule(definition);
    return rule == null
        ? start
        : start.ordered(key(rule, start.input(), definition), limits.request());
  }

  /** Whether a start is to begin later than now. */
  public boolean isForLater(StartBody start) {
    return start.tags().startAtEpochMillis() > epochMillis.getAsLong();
  }

  private void check(long startAt) throws ProblemException {
    long ahead = startAt - epochMillis.getAsLong();
    int pastSeconds = limits.schedule().maxPastSeconds();
    int days = limits.instance().maxTimerDays();
    if (startAt == 0
        || (ahead >= -TimeUnit.SECONDS.toMillis(pastSeconds)
            && ahead <= TimeUnit.DAYS.toMillis(days))) {
      return;
    }
    throw new ProblemException(
        ProblemType.BAD_BODY,
        "expected startAt to be at most "
            + pastSeconds
            + " s ago (schedule.maxPastSeconds) and "
            + days
            + " days ahead (instance.maxTimerDays), found "
            + Instant.ofEpochMilli(startAt));
  }

  private @Nullable Expression<Payload> rule(DefinitionKey definition) {
    DeployedDefinition info = definitionCatalog.find(definition);
    return info == null ? null : info.orderingKey();
  }

  private Payload key(Expression<Payload> rule, Payload input, DefinitionKey definition)
      throws ProblemException {
    String found;
    try {
      return rule.evaluate(input, Scope.EMPTY, new Budget(limits.expression().loopSteps()));
    } catch (ExpressionException e) {
      found = "the failure: " + e.getMessage();
    } catch (BudgetExceededException e) {
      found = "more than " + limits.expression().loopSteps() + " steps (expression.loopSteps)";
    }
    throw new ProblemException(
        ProblemType.BAD_BODY,
        "expected an input of which metadata.pinion.orderingKey of "
            + definition
            + " makes a key, found "
            + found);
  }
}
