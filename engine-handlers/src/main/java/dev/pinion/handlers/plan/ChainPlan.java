package dev.pinion.handlers.plan;

import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A valid chain: stages in sequence. Immutable.
 *
 * @param name name of the chain
 * @param stages stages that run one after another
 * @param options terms of queueing and parallelism
 */
public record ChainPlan(String name, List<ChainStage> stages, ChainOptions options) {
  /** Copies the stages and checks that the chain is valid. */
  public ChainPlan {
    stages = List.copyOf(stages);
    List<String> problems = problems(stages);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** A chain whose steps run one after another. */
  public static ChainPlan inOrder(String name, List<Step> steps, ChainOptions chainOptions) {
    return new ChainPlan(
        name, steps.stream().map(step -> new ChainStage(List.of(step))).toList(), chainOptions);
  }

  /** A chain whose steps run in parallel where their order does not matter. */
  public static ChainPlan auto(String name, List<Step> steps, ChainOptions chainOptions) {
    return new ChainPlan(name, StagePlanner.plan(steps), chainOptions);
  }

  /** The steps in their order. */
  public List<Step> steps() {
    return stages.stream().flatMap(chainStage -> chainStage.steps().stream()).toList();
  }

  /** Whether all steps are local and so cheap that a message need not leave its thread. */
  public boolean isCheap() {
    return steps().stream()
        .allMatch(
            step ->
                step.declaration().work() == Work.CHEAP
                    && !step.declaration().oneway()
                    && !(step.handler() instanceof AsyncHandler));
  }

  /** All problems of a chain of stages; each names the steps. */
  public static List<String> problems(List<ChainStage> stages) {
    List<String> problems = new ArrayList<>();
    Map<String, Integer> stageOf = new HashMap<>();
    Set<String> twice = new HashSet<>();
    for (int i = 0; i < stages.size(); i++) {
      ChainStage chainStage = stages.get(i);
      for (Step step : chainStage.steps()) {
        if (stageOf.put(step.name(), i) != null && twice.add(step.name())) {
          problems.add("expected each name once, found \"" + step.name() + "\" again");
        }
      }
      sideBySide(chainStage, problems);
    }
    for (ChainStage chainStage : stages) {
      chainStage.steps().forEach(step -> effect(step, stages, stageOf, problems));
    }
    return problems;
  }

  private static void sideBySide(ChainStage chainStage, List<String> problems) {
    if (chainStage.steps().isEmpty()) {
      problems.add("expected at least one handler in each stage, found an empty stage");
    }
    for (Conflict conflict : StagePlanner.conflicts(chainStage.steps())) {
      if (conflict.kind().changesTheMessage()) {
        problems.add(
            "expected handlers of one stage not to depend on each other, found that "
                + conflict
                + "; put them into different stages");
      }
    }
  }

  private static void effect(
      Step step, List<ChainStage> stages, Map<String, Integer> stageOf, List<String> problems) {
    Declaration declared = step.declaration();
    switch (declared.effect()) {
      case QUASI_ATOMIC -> {
        if (!(step.handler() instanceof Undoable)) {
          problems.add(
              "expected the quasi-atomic handler " + step + " to be Undoable, found it is not");
        }
      }
      case TRANSACTIONAL -> partner(step, stages, stageOf, problems);
      case NON_ATOMIC -> {
        if (!stages.getLast().steps().getLast().name().equals(step.name())) {
          problems.add(
              "expected "
                  + step
                  + ", whose effect stays, to be the last of its chain, found "
                  + stages.getLast().steps().getLast()
                  + " after it");
        }
      }
      case STATELESS, ATOMIC -> {}
    }
    if (step.partner() != null && declared.effect() != EffectClass.TRANSACTIONAL) {
      problems.add("expected a partner of transactional handlers only, found one of " + step);
    }
  }

  private static void partner(
      Step step, List<ChainStage> stages, Map<String, Integer> stageOf, List<String> problems) {
    String name = step.partner();
    Integer at = name == null ? null : stageOf.get(name);
    Integer own = stageOf.get(step.name());
    if (name == null || at == null || own == null || at <= own) {
      problems.add(
          "expected the transactional handler "
              + step
              + " to name a partner in a later stage, found "
              + (name == null ? "none" : at == null ? "no handler \"" + name + "\"" : name));
      return;
    }
    Step other =
        stages.get(at).steps().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    if (!(other.handler() instanceof CommitPoint)) {
      problems.add(
          "expected "
              + other
              + ", the partner of "
              + step
              + ", to be a CommitPoint, found it is not");
    }
    if (!step.declaration().mustPerform() || !other.declaration().mustPerform()) {
      problems.add(
          "expected the transactional handler "
              + step
              + " and its partner "
              + other
              + " to be mandatory (mustPerform), found one that may be skipped");
    }
  }

  /** The stages, one after another. */
  @Override
  public String toString() {
    return name
        + ": "
        + stages.stream().map(ChainStage::toString).collect(Collectors.joining(" -> "));
  }
}
