package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.model.ServiceClass;
import dev.pinion.broker.model.UsageProfile;
import dev.pinion.broker.optimise.VisitRatios;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.ServiceRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes behavioural models. Thread-safe. */
public final class BehaviouralModelJson {
  private static final ObjectMapper JSON = new ObjectMapper();

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
    ObjectNode root = JSON.createObjectNode().put("source", found.source().label());
    ArrayNode definitions = root.putArray("definitions");
    found.definitions().forEach(definitions::add);
    ArrayNode unserved = root.putArray("unserved");
    found.unserved().forEach(unserved::add);
    if (found.source() != BehaviouralModel.Source.NONE) {
      root.set("process", found.process());
    }
    ObjectNode classes = root.putObject("classes");
    if (contracted instanceof ProblemReading.ValidProblem(BrokerProblem problem)) {
      problem.classes().forEach(each -> put(classes.putObject(each.id()), problem, each));
    }
    return root.toString();
  }

  private static void put(ObjectNode node, BrokerProblem problem, ServiceClass serviceClass) {
    ObjectNode visits = node.putObject("visits");
    VisitRatios.of(problem.process(), serviceClass).forEach(visits::put);
    put(node.putObject("usage"), serviceClass.usage());
  }

  /** Writes the usage of nodes by requests. */
  static void put(ObjectNode usage, Map<String, UsageProfile> nodes) {
    new TreeMap<>(nodes).forEach((id, each) -> put(usage.putObject(id), each));
  }

  private static void put(ObjectNode node, UsageProfile usageProfile) {
    if (!usageProfile.probabilities().isEmpty()) {
      ArrayNode probabilities = node.putArray("probabilities");
      usageProfile.probabilities().forEach(probabilities::add);
    }
    usageProfile.iterations().ifPresent(each -> node.put("iterations", each));
    usageProfile.gamma().ifPresent(each -> node.put("gamma", each));
  }

  /** The content of {@link Contracts#behaviour}. */
  public static String document(ProcessNode process, List<String> definitions) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode names = root.putArray("definitions");
    definitions.forEach(names::add);
    root.set("process", node(process));
    return root.toString();
  }

  /** The document of a process. */
  private static ObjectNode node(ProcessNode process) {
    ObjectNode node = JSON.createObjectNode();
    switch (process) {
      case ProcessNode.Task(String task) -> node.put("type", "task").put("task", task);
      case ProcessNode.Sequence _ -> children(node.put("type", "seq"), process);
      case ProcessNode.Flow flow -> {
        children(node.put("type", "flow").put("id", flow.id()), flow);
        node.put("gamma", flow.gamma());
      }
      case ProcessNode.Choice choice -> {
        children(node.put("type", "choice").put("id", choice.id()), choice);
        ArrayNode probabilities = node.putArray("probabilities");
        choice.probabilities().forEach(probabilities::add);
      }
      case ProcessNode.Loop loop -> {
        node.put("type", "loop").put("id", loop.id()).put("iterations", loop.iterations());
        node.set("child", node(loop.child()));
      }
    }
    return node;
  }

  private static void children(ObjectNode node, ProcessNode process) {
    ArrayNode children = node.putArray("children");
    process.children().forEach(each -> children.add(node(each)));
  }
}
