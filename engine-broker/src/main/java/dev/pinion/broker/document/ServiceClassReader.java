package dev.pinion.broker.document;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.SawWeights;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Reads classes of service. */
final class ServiceClassReader {
  private static final double UNBOUNDED = Double.POSITIVE_INFINITY;
  private static final List<String> KEYS =
      List.of("id", "rate", "r_max", "d_min", "c_max", "price", "importance", "weights", "usage");

  private final DocumentDiagnostics documentDiagnostics;
  private final ProcessReader process;

  ServiceClassReader(DocumentDiagnostics documentDiagnostics, ProcessReader process) {
    this.documentDiagnostics = documentDiagnostics;
    this.process = process;
  }

  ServiceClass read(LocatedValue locatedValue) {
    ObjectFields objectFields = new ObjectFields(locatedValue, "class", KEYS, documentDiagnostics);
    return new ServiceClass(
        objectFields.text("id"),
        objectFields.number("rate", NumberRange.ABOVE_0),
        new ServiceClass.Promise(
            objectFields.bound("r_max", NumberRange.AT_LEAST_0, UNBOUNDED),
            objectFields.bound("d_min", NumberRange.PROBABILITY, 0),
            objectFields.bound("c_max", NumberRange.AT_LEAST_0, UNBOUNDED)),
        objectFields.number("price", NumberRange.ANY, 0),
        objectFields.number("importance", NumberRange.AT_LEAST_0, 1),
        weights(objectFields),
        usage(objectFields));
  }

  private SawWeights weights(ObjectFields owner) {
    if (!owner.has("weights")) {
      return SawWeights.NONE;
    }
    ObjectFields objectFields =
        new ObjectFields(
            owner.get("weights"), "weights", List.of("r", "d", "c"), documentDiagnostics);
    return new SawWeights(
        objectFields.number("r", NumberRange.AT_LEAST_0, 0),
        objectFields.number("d", NumberRange.AT_LEAST_0, 0),
        objectFields.number("c", NumberRange.AT_LEAST_0, 0));
  }

  private Map<String, UsageProfile> usage(ObjectFields owner) {
    Map<String, UsageProfile> usage = new LinkedHashMap<>();
    LocatedValue all = owner.get("usage");
    if (all.isPresent() && !all.node().isObject()) {
      documentDiagnostics.expected("an object as usage", all);
    }
    all.node()
        .fieldNames()
        .forEachRemaining(
            id -> {
              LocatedValue locatedValue = all.member(id);
              if (process.knows(locatedValue, id)) {
                usage.put(id, usageOf(locatedValue, process.nodes().get(id)));
              }
            });
    return usage;
  }

  private UsageProfile usageOf(LocatedValue locatedValue, @Nullable ProcessNode node) {
    return switch (node) {
      case ProcessNode.Choice choice -> ofChoice(locatedValue, choice);
      case ProcessNode.Loop _ -> {
        ObjectFields objectFields =
            new ObjectFields(
                locatedValue, "usage of a loop", List.of("iterations"), documentDiagnostics);
        OptionalDouble iterations = objectFields.optional("iterations", NumberRange.AT_LEAST_0);
        yield new UsageProfile(List.of(), iterations, OptionalDouble.empty());
      }
      case ProcessNode.Flow _ -> {
        ObjectFields objectFields =
            new ObjectFields(
                locatedValue, "usage of a flow", List.of("gamma"), documentDiagnostics);
        OptionalDouble gamma = objectFields.optional("gamma", NumberRange.ABOVE_0);
        yield new UsageProfile(List.of(), OptionalDouble.empty(), gamma);
      }
      case null, default -> {
        documentDiagnostics.add(
            locatedValue, "expected the id of a choice, loop or flow, found another node");
        yield UsageProfile.SAME;
      }
    };
  }

  private UsageProfile ofChoice(LocatedValue locatedValue, ProcessNode.Choice choice) {
    ObjectFields objectFields =
        new ObjectFields(
            locatedValue, "usage of a choice", List.of("probabilities"), documentDiagnostics);
    if (!objectFields.has("probabilities")) {
      return UsageProfile.SAME;
    }
    List<Double> probabilities = objectFields.numbers("probabilities", NumberRange.PROBABILITY);
    process.checkSum(objectFields.get("probabilities"), probabilities, choice.children().size());
    return new UsageProfile(probabilities, OptionalDouble.empty(), OptionalDouble.empty());
  }
}
