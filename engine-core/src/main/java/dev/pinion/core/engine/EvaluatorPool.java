package dev.pinion.core.engine;

import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.TaskReference;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.ProfilingHook;
import dev.pinion.core.stage.AncillaryThreadFactory;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.ThreadSetup;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ancillary threads that evaluate expressions too long for an event loop, under the large budget.
 *
 * <p>The queue holds an evaluation for every permit of every kernel, so there is always room.
 */
final class EvaluatorPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EvaluatorPool.class);

  /**
   * Steps after which an evaluation yields to other threads: some tens of microseconds. On a
   * processor shared with an event loop, the scheduler would let it run for milliseconds.
   */
  private static final long SLICE_STEPS = 1_000;

  private final ExecutorService threads;
  private final long maxSteps;
  private final List<Lane<Completion>> completions;

  /**
   * Starts the threads.
   *
   * @param count number of threads
   * @param capacity evaluations that may wait
   * @param maxSteps steps that one evaluation may take
   * @param completions lanes to the kernels, by their index
   * @param setup prepares each thread
   */
  EvaluatorPool(
      int count,
      int capacity,
      long maxSteps,
      List<Lane<Completion>> completions,
      ThreadSetup setup) {
    this.maxSteps = maxSteps;
    this.completions = completions;
    this.threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(capacity),
            new AncillaryThreadFactory("evaluator", setup));
  }

  /** Queues an evaluation; returns whether there was room. Any thread. */
  boolean offer(Effect.Evaluate evaluate) {
    try {
      threads.execute(() -> run(evaluate));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void run(Effect.Evaluate evaluate) {
    Event.ExpressionEvaluated expressionEvaluated = evaluated(evaluate);
    if (!completions.get(evaluate.kernel()).offer(expressionEvaluated)) {
      LOG.error(
          "expected room for the result of every evaluation, but the lane of kernel {} is full",
          evaluate.kernel());
    }
  }

  private Event.ExpressionEvaluated evaluated(Effect.Evaluate evaluate) {
    SlicedEvaluation slicedEvaluation = new SlicedEvaluation(evaluate);
    Budget budget = Budget.inSlices(maxSteps, SLICE_STEPS, slicedEvaluation::between);
    try {
      Object result = evaluate.expression().evaluate(evaluate.input(), evaluate.scope(), budget);
      slicedEvaluation.tell();
      return new Event.ExpressionEvaluated(
          evaluate.id(), evaluate.activity(), evaluate.attempt(), result, null);
    } catch (ExpressionException e) {
      return failed(evaluate, e.error());
    } catch (BudgetExceededException e) {
      return failed(evaluate, beyondLimit(budget.spentAt()));
    } catch (RuntimeException | StackOverflowError e) {
      LOG.error("an expression of {} failed inside the engine", evaluate.id(), e);
      return failed(
          evaluate,
          WorkflowError.of(ErrorType.RUNTIME, "the engine failed to evaluate an expression: " + e));
    }
  }

  private WorkflowError beyondLimit(String place) {
    return new WorkflowError(
        ErrorType.EXPRESSION.uri(),
        ErrorType.EXPRESSION.status(),
        "expression-limit",
        "expected an expression of at most "
            + maxSteps
            + " steps (expression.maxSteps), but this one needs more"
            + place,
        null);
  }

  private static Event.ExpressionEvaluated failed(Effect.Evaluate evaluate, WorkflowError error) {
    return new Event.ExpressionEvaluated(
        evaluate.id(), evaluate.activity(), evaluate.attempt(), null, error);
  }

  /** Yields between slices, and reports the running evaluation to a profiler. */
  private static final class SlicedEvaluation {
    private final Effect.Evaluate evaluate;
    private int look = ProfilingHook.samples();

    SlicedEvaluation(Effect.Evaluate evaluate) {
      this.evaluate = evaluate;
    }

    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it: event loops have priority
    void between() {
      tell();
      Thread.yield();
    }

    void tell() {
      TaskReference task = evaluate.task();
      ProfilingHook.record(
          look,
          ProfilingHook.Component.EVALUATOR,
          task.definition(),
          task.pointer(),
          evaluate.serviceClass());
      look = ProfilingHook.samples();
    }
  }

  /** Drops waiting evaluations; a running one ends within its budget. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
