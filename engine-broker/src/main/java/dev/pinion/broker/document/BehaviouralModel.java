package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The process of plans: the one of the registered model, otherwise the one of deployed definitions,
 * without tasks that have no service now. Thread-safe.
 *
 * @param source its source
 * @param process its document; missing when there is none
 * @param definitions the deployed definitions, even when they do not count
 * @param unserved tasks that were left out
 */
record BehaviouralModel(
    Source source, JsonNode process, List<String> definitions, Set<String> unserved) {
  /** The problem when there is no process. */
  static final String NO_PROCESS =
      "expected a model of the process (PUT /v1/broker/model), or a deployed definition that names"
          + " abstract services which are served; found neither";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String CHILDREN = "children";
  private static final String PROBABILITIES = "probabilities";
  private static final String USAGE = "usage";

  /** Source of a process. */
  enum Source {
    /** There is none, or none of its tasks has a service. */
    NONE,
    /** It was registered. */
    REGISTERED,
    /** It was made from deployed definitions. */
    DEPLOYED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A process without tasks, for which the classes' usage of nodes does not matter. */
  static final BehaviouralModel EMPTY =
      new BehaviouralModel(Source.DEPLOYED, nothing(), List.of(), Set.of());

  /** The process of contracts. */
  static BehaviouralModel of(Contracts contracts, ServiceRegistry serviceRegistry, Instant now) {
    JsonNode deployed = tree(contracts.behaviour());
    Set<String> names = new LinkedHashSet<>();
    deployed.path("definitions").forEach(each -> names.add(each.asText()));
    List<String> definitions = List.copyOf(names);
    JsonNode registered = tree(contracts.model()).path("process");
    if (!registered.isMissingNode()) {
      return new BehaviouralModel(Source.REGISTERED, registered, definitions, Set.of());
    }
    Set<String> served = new HashSet<>();
    serviceRegistry.services().stream()
        .filter(each -> each.isValidAt(now))
        .map(RegisteredService::serves)
        .forEach(served::addAll);
    JsonNode process = deployed.path("process").deepCopy();
    Set<String> unserved = new TreeSet<>(tasks(process));
    boolean none = unserved.stream().noneMatch(served::contains);
    unserved.removeAll(served);
    return new BehaviouralModel(
        none ? Source.NONE : Source.DEPLOYED,
        none ? JSON.missingNode() : without(process, unserved),
        definitions,
        unserved);
  }

  /** Replaces tasks by empty sequences, so that choices keep their children. */
  private static JsonNode without(JsonNode node, Set<String> tasks) {
    if (node.path("type").asText().equals("task") && tasks.contains(node.path("task").asText())) {
      return nothing();
    }
    if (node.path(CHILDREN) instanceof ArrayNode children) {
      for (int i = 0; i < children.size(); i++) {
        children.set(i, without(children.get(i), tasks));
      }
    }
    if (node instanceof ObjectNode object && node.has("child")) {
      object.set("child", without(node.get("child"), tasks));
    }
    return node;
  }

  private static ObjectNode nothing() {
    ObjectNode nothing = JSON.objectNode().put("type", "seq");
    nothing.putArray(CHILDREN);
    return nothing;
  }

  /** The tasks of a process, in its order. */
  static Set<String> tasks(JsonNode process) {
    Set<String> tasks = new LinkedHashSet<>();
    collect(process, tasks);
    return tasks;
  }

  private static void collect(JsonNode node, Set<String> tasks) {
    if (node.path("type").asText().equals("task")) {
      tasks.add(node.path("task").asText());
    }
    node.path(CHILDREN).forEach(child -> collect(child, tasks));
    if (node.has("child")) {
      collect(node.get("child"), tasks);
    }
  }

  /**
   * A class without its usage of nodes that the process does not have: definitions come and go, and
   * classes stay. With a registered process, classes must know the nodes.
   */
  JsonNode fitting(JsonNode serviceClass) {
    if (source != Source.DEPLOYED || !(serviceClass.path(USAGE) instanceof ObjectNode)) {
      return serviceClass;
    }
    Map<String, Integer> children = new HashMap<>();
    ids(process, children);
    ObjectNode copy = serviceClass.deepCopy();
    ObjectNode usage = copy.putObject(USAGE);
    serviceClass
        .path(USAGE)
        .properties()
        .forEach(
            each -> {
              Integer found = children.get(each.getKey());
              JsonNode probabilities = each.getValue().path(PROBABILITIES);
              if (found != null
                  && (probabilities.isMissingNode() || probabilities.size() == found)) {
                usage.set(each.getKey(), each.getValue());
              }
            });
    return copy;
  }

  private static void ids(JsonNode node, Map<String, Integer> children) {
    if (node.has("id")) {
      children.put(node.path("id").asText(), node.path(CHILDREN).size());
    }
    node.path(CHILDREN).forEach(child -> ids(child, children));
    if (node.has("child")) {
      ids(node.get("child"), children);
    }
  }

  /** The tree of a document that was checked; an object without members for an empty one. */
  static JsonNode tree(String document) {
    return document.isEmpty() ? JSON.objectNode() : DocumentJson.tree(document);
  }
}
