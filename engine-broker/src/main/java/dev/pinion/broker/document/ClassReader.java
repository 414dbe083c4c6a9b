package dev.pinion.broker.document;

import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.Usage;
import dev.pinion.broker.model.Weights;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Reads classes of service. */
final class ClassReader {
  private static final double UNBOUNDED = Double.POSITIVE_INFINITY;
  private static final List<String> KEYS =
      List.of("id", "rate", "r_max", "d_min", "c_max", "price", "importance", "weights", "usage");

  private final Problems problems;
  private final ProcessReader process;

  ClassReader(Problems problems, ProcessReader process) {
    this.problems = problems;
    this.process = process;
  }

  ServiceClass read(Part part) {
    Fields fields = new Fields(part, "class", KEYS, problems);
    return new ServiceClass(
        fields.text("id"),
        fields.number("rate", Span.ABOVE_0),
        fields.bound("r_max", Span.AT_LEAST_0, UNBOUNDED),
        fields.bound("d_min", Span.PROBABILITY, 0),
        fields.bound("c_max", Span.AT_LEAST_0, UNBOUNDED),
        fields.number("price", Span.ANY, 0),
        fields.number("importance", Span.AT_LEAST_0, 1),
        weights(fields),
        usage(fields));
  }

  private Weights weights(Fields owner) {
    if (!owner.has("weights")) {
      return Weights.NONE;
    }
    Fields fields = new Fields(owner.get("weights"), "weights", List.of("r", "d", "c"), problems);
    return new Weights(
        fields.number("r", Span.AT_LEAST_0, 0),
        fields.number("d", Span.AT_LEAST_0, 0),
        fields.number("c", Span.AT_LEAST_0, 0));
  }

  private Map<String, Usage> usage(Fields owner) {
    Map<String, Usage> usage = new LinkedHashMap<>();
    Part all = owner.get("usage");
    if (all.isThere() && !all.node().isObject()) {
      problems.expected("an object as usage", all);
    }
    all.node()
        .fieldNames()
        .forEachRemaining(
            id -> {
              Part part = all.member(id);
              if (process.knows(part, id)) {
                usage.put(id, usageOf(part, process.nodes().get(id)));
              }
            });
    return usage;
  }

  private Usage usageOf(Part part, @Nullable ProcessNode node) {
    return switch (node) {
      case ProcessNode.Choice choice -> ofChoice(part, choice);
      case ProcessNode.Loop _ -> {
        Fields fields = new Fields(part, "usage of a loop", List.of("iterations"), problems);
        OptionalDouble iterations = fields.optional("iterations", Span.AT_LEAST_0);
        yield new Usage(List.of(), iterations, OptionalDouble.empty());
      }
      case ProcessNode.Flow _ -> {
        Fields fields = new Fields(part, "usage of a flow", List.of("gamma"), problems);
        OptionalDouble gamma = fields.optional("gamma", Span.ABOVE_0);
        yield new Usage(List.of(), OptionalDouble.empty(), gamma);
      }
      case null, default -> {
        problems.add(part, "expected the id of a choice, loop or flow, found another node");
        yield Usage.SAME;
      }
    };
  }

  private Usage ofChoice(Part part, ProcessNode.Choice choice) {
    Fields fields = new Fields(part, "usage of a choice", List.of("probabilities"), problems);
    if (!fields.has("probabilities")) {
      return Usage.SAME;
    }
    List<Double> probabilities = fields.numbers("probabilities", Span.PROBABILITY);
    process.checkSum(fields.get("probabilities"), probabilities, choice.children().size());
    return new Usage(probabilities, OptionalDouble.empty(), OptionalDouble.empty());
  }
}
