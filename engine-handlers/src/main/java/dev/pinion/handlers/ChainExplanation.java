package dev.pinion.handlers;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.ChainPlanPrinter;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.StagePlanner;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.ChainPrediction;
import dev.pinion.handlers.run.StepStatistics;
import dev.pinion.handlers.run.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Times of the handlers of a chain, and their best arrangement, by trials with one message.
 *
 * @param plan the chain as it is
 * @param workers number of workers
 * @param handOverNanos cost of a hand-over to another worker
 * @param serviceNanos time of the service that the chain surrounds, a separate stage; 0 for none
 * @param steps the times of its steps, in their order
 * @param given prediction for the chain as it is
 * @param automatic the best arrangement that the declarations allow
 */
public record ChainExplanation(
    ChainPlan plan,
    int workers,
    long handOverNanos,
    double serviceNanos,
    List<StepTiming> steps,
    ChainPrediction given,
    Arrangement automatic) {
  private static final int WARM_UP = 5;

  /**
   * A step with its times.
   *
   * @param nanos mean time of a call; 0 when it was not tried
   * @param calls number of its calls
   * @param failures number of failed calls
   */
  public record StepTiming(String name, String use, double nanos, long calls, long failures) {}

  /**
   * Stages, distributed over workers.
   *
   * @param layout for each stage names by worker
   */
  public record Arrangement(ChainPrediction prediction, List<List<List<String>>> layout) {
    /** Copies the list. */
    public Arrangement {
      layout = List.copyOf(layout);
    }
  }

  /** Copies the list. */
  public ChainExplanation {
    steps = List.copyOf(steps);
  }

  /** The arrangement as it is, with reasons, for people. */
  public List<String> why() {
    return ChainPlanPrinter.lines(plan);
  }

  /** Prediction for the best arrangement. */
  public ChainPrediction best() {
    return automatic.prediction();
  }

  /** Distribution of the best arrangement: for each stage names by worker. */
  public List<List<List<String>>> layout() {
    return automatic.layout();
  }

  /**
   * Tries a chain. Steps with effects are left out unless requested, because the effects would be
   * real.
   *
   * @param message message that is sent through repeatedly, on this thread
   * @param times number of repetitions, after a warm-up
   * @param withEffects whether steps with effects are tried
   */
  public static ChainExplanation of(
      ChainPlan plan,
      Message message,
      int times,
      boolean withEffects,
      Workers here,
      Workers workers,
      EngineLimits limits) {
    Map<String, StepStatistics> measured =
        measure(plan, message, times, withEffects, here, limits).stream()
            .collect(Collectors.toMap(StepStatistics::name, Function.identity()));
    List<StepTiming> taken =
        plan.steps().stream().map(step -> time(step, measured.get(step.name()))).toList();
    Map<String, Double> nanos =
        taken.stream().collect(Collectors.toMap(StepTiming::name, StepTiming::nanos));
    List<ChainStage> automatic = StagePlanner.plan(plan.steps());
    int count = workers.count();
    long cost = workers.handoffNanos();
    return new ChainExplanation(
        plan,
        count,
        cost,
        0,
        taken,
        ChainPrediction.of(nanosOf(plan.stages(), nanos), count, cost),
        new Arrangement(
            ChainPrediction.of(nanosOf(automatic, nanos), count, cost),
            automatic.stream().map(chainStage -> layout(chainStage, nanos, count, cost)).toList()));
  }

  /**
   * This explanation, predicted with the service that the chain surrounds.
   *
   * @param nanos time of the service for a message, at least 0
   */
  public ChainExplanation withService(double nanos) {
    return new ChainExplanation(
        plan,
        workers,
        handOverNanos,
        nanos,
        steps,
        given.withService(nanos),
        new Arrangement(best().withService(nanos), layout()));
  }

  private static List<StepStatistics> measure(
      ChainPlan plan,
      Message message,
      int times,
      boolean withEffects,
      Workers here,
      EngineLimits limits) {
    List<ChainStage> tried = new ArrayList<>();
    for (Step step : plan.steps()) {
      if (withEffects || step.declaration().effect() == EffectClass.STATELESS) {
        tried.add(new ChainStage(List.of(step)));
      }
    }
    ChainPlan alone = new ChainPlan(plan.name(), tried, ChainOptions.DEFAULT);
    Chain chain = new Chain(alone, here, limits);
    for (int i = 0; i < WARM_UP; i++) {
      chain.enter(message, "", (context, outcome) -> {});
    }
    List<StepStatistics> before = chain.statistics();
    for (int i = 0; i < times; i++) {
      chain.enter(message, "", (context, outcome) -> {});
    }
    List<StepStatistics> after = chain.statistics();
    List<StepStatistics> between = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      between.add(after.get(i).since(before.get(i)));
    }
    return between;
  }

  private static StepTiming time(Step step, @Nullable StepStatistics seen) {
    return seen == null || seen.calls() == 0
        ? new StepTiming(step.name(), step.use(), 0, 0, 0)
        : new StepTiming(
            step.name(),
            step.use(),
            (double) seen.nanos() / seen.calls(),
            seen.calls(),
            seen.failures());
  }

  private static List<List<Double>> nanosOf(List<ChainStage> stages, Map<String, Double> nanos) {
    return stages.stream().map(chainStage -> nanosOf(chainStage, nanos)).toList();
  }

  private static List<Double> nanosOf(ChainStage chainStage, Map<String, Double> nanos) {
    // Messages do not wait for oneway steps.
    return chainStage.steps().stream()
        .map(step -> step.declaration().oneway() ? 0.0 : nanos.getOrDefault(step.name(), 0.0))
        .toList();
  }

  private static List<List<String>> layout(
      ChainStage chainStage, Map<String, Double> nanos, int workers, long handOver) {
    return ChainPrediction.recommended(nanosOf(chainStage, nanos), workers, handOver).stream()
        .map(bin -> bin.stream().map(place -> chainStage.steps().get(place).name()).toList())
        .toList();
  }

  /** Whether one worker should run the handlers one after another. */
  public boolean sequentialIsBest() {
    return layout().stream().allMatch(stage -> stage.size() <= 1);
  }
}
