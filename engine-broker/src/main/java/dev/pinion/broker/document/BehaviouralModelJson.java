package dev.pinion.broker.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.broker.optimise.VisitRatios;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.ServiceRegistry;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes behavioural models. Thread-safe. */
public final class BehaviouralModelJson {
  private BehaviouralModelJson() {}

  /**
   * The model of plans: its source, and by class the expected invocations of each task by a
   * request, and the stated or measured usage of its nodes.
   *
   * @param contracted the problem; classes are included when it is valid
   */
  public static String behaviour(
      Contracts contracts,
      ServiceRegistry serviceRegistry,
      Instant now,
      ProblemReading contracted) {
    BehaviouralModel found = BehaviouralModel.of(contracts, serviceRegistry, now);
    Map<String, ClassPaths> classes = new LinkedHashMap<>();
    if (contracted instanceof ProblemReading.ValidProblem(BrokerProblem problem)) {
      for (ServiceClass each : problem.classes()) {
        classes.put(
            each.id(),
            new ClassPaths(VisitRatios.of(problem.process(), each), usage(each.usage())));
      }
    }
    return DocumentJson.text(
        new BehaviourDocument(
            found.source().label(),
            found.definitions(),
            found.unserved(),
            found.source() == BehaviouralModel.Source.NONE ? null : found.process(),
            classes));
  }

  /** The usage of nodes by requests, in the order of their ids. */
  static SortedMap<String, UsageDocument> usage(Map<String, UsageProfile> nodes) {
    SortedMap<String, UsageDocument> usage = new TreeMap<>();
    nodes.forEach((id, each) -> usage.put(id, document(each)));
    return usage;
  }

  private static UsageDocument document(UsageProfile profile) {
    OptionalDouble iterations = profile.iterations();
    OptionalDouble gamma = profile.gamma();
    return new UsageDocument(
        profile.probabilities(),
        iterations.isPresent() ? iterations.getAsDouble() : null,
        gamma.isPresent() ? gamma.getAsDouble() : null);
  }

  /** The content of {@link Contracts#behaviour}. */
  public static String document(ProcessNode process, List<String> definitions) {
    return DocumentJson.text(new ProcessDocument(definitions, process));
  }

  record BehaviourDocument(
      String source,
      List<String> definitions,
      Set<String> unserved,
      @Nullable JsonNode process,
      Map<String, ClassPaths> classes) {}

  record ClassPaths(Map<String, Double> visits, Map<String, UsageDocument> usage) {}

  record UsageDocument(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Double> probabilities,
      @Nullable Double iterations,
      @Nullable Double gamma) {}

  record ProcessDocument(List<String> definitions, ProcessNode process) {}
}
