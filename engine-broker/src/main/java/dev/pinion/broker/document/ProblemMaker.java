package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.contract.Contracts;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Registry;
import dev.pinion.core.model.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the problem of what was agreed on: the model's process, with the registered services that
 * serve its tasks now, and each class at the rate of its contracts. Thread-safe.
 */
public final class ProblemMaker {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RATE = "rate";

  private final ProblemReader reader;

  /** Makes problems within limits. */
  public ProblemMaker(ProblemLimits limits) {
    this.reader = new ProblemReader(limits);
  }

  /**
   * The problem, without the classes that nobody may use.
   *
   * @param now services count that are valid then
   */
  public Reading make(Contracts contracts, Registry registry, Instant now) {
    if (contracts.model().isEmpty()) {
      return invalid("expected a model of the process first (PUT /v1/broker/model), found none");
    }
    ObjectNode root = JSON.createObjectNode();
    root.put("schema", ProblemReader.SCHEMA).put("id", "contracts");
    JsonNode model = tree(contracts.model());
    root.set("options", model.has("options") ? model.get("options") : JSON.createObjectNode());
    root.set("process", model.path("process"));
    Set<String> tasks = new LinkedHashSet<>();
    tasks(model.path("process"), tasks);
    services(root, tasks, registry, now);
    Set<String> unused = classes(root.putArray("classes"), contracts);
    return switch (reader.read(root.toString().getBytes(StandardCharsets.UTF_8))) {
      case Reading.Invalid invalid -> invalid;
      case Reading.Valid(BrokerProblem problem) ->
          new Reading.Valid(
              registered(problem, registry, now)
                  .withClasses(
                      problem.classes().stream()
                          .filter(each -> !unused.contains(each.id()))
                          .toList()));
    };
  }

  /** The class of callers that have none: the model's, else the first. */
  public String defaultClass(Contracts contracts) {
    String first = contracts.classes().keySet().stream().findFirst().orElse("");
    return contracts.model().isEmpty()
        ? first
        : tree(contracts.model()).path("defaultClass").asText(first);
  }

  private static void tasks(JsonNode node, Set<String> found) {
    if (node.path("type").asText().equals("task")) {
      found.add(node.path("task").asText());
    }
    node.path("children").forEach(child -> tasks(child, found));
    if (node.has("child")) {
      tasks(node.get("child"), found);
    }
  }

  private static void services(ObjectNode root, Set<String> tasks, Registry registry, Instant now) {
    ArrayNode services = root.putArray("services");
    ArrayNode served = root.putArray("tasks");
    List<RegisteredService> valid =
        registry.services().stream().filter(each -> each.isValidAt(now)).toList();
    valid.forEach(each -> service(services.addObject(), each.promise()));
    for (String task : tasks) {
      ArrayNode of = served.addObject().put("id", task).putArray("services");
      valid.stream()
          .filter(each -> each.serves().contains(task))
          .forEach(each -> of.add(each.id()));
    }
  }

  private static void service(ObjectNode node, ConcreteService promise) {
    node.put("id", promise.id()).put("r", promise.response());
    node.put("d", promise.reliability()).put("c", promise.cost());
    if (promise.isLimited()) {
      node.put("load", promise.load());
    }
  }

  /** Classes that nobody may use are checked too, at any rate, and left out afterwards. */
  private static Set<String> classes(ArrayNode array, Contracts contracts) {
    Set<String> unused = new LinkedHashSet<>();
    for (Map.Entry<String, String> each : contracts.classes().entrySet()) {
      JsonNode own = tree(each.getValue());
      double rate = own.path(RATE).asDouble(0) + contracts.rate(each.getKey());
      ObjectNode node = array.addObject().put("id", each.getKey());
      if (own instanceof ObjectNode object) {
        node.setAll(object);
      }
      boolean readable = !own.has(RATE) || own.get(RATE).isNumber();
      if (rate <= 0 && readable && own.path(RATE).asDouble(0) == 0) {
        unused.add(each.getKey());
        node.put(RATE, 1);
      } else if (readable && own.path(RATE).asDouble(0) >= 0) {
        node.put(RATE, rate);
      }
    }
    return unused;
  }

  /** Tasks whose services may not be repeated, or that keep state, have services alone. */
  private static BrokerProblem registered(BrokerProblem problem, Registry registry, Instant now) {
    return registry.applied(problem, now, new ArrayList<>());
  }

  private static Reading invalid(String message) {
    return new Reading.Invalid(List.of(new Diagnostic("", 0, 0, message, null)));
  }

  private static JsonNode tree(String document) {
    try {
      return JSON.readTree(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("expected a document that was checked", e);
    }
  }
}
