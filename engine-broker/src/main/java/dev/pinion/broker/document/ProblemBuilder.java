package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.model.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the problem of contracts: the process of the model, or the one of deployed definitions,
 * with the registered services of its tasks, and each class at the rate of its contracts.
 * Thread-safe.
 */
public final class ProblemBuilder {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RATE = "rate";

  private final ProblemReader reader;

  /** A maker of problems within limits. */
  public ProblemBuilder(ProblemLimits limits) {
    this.reader = new ProblemReader(limits, true);
  }

  /**
   * The problem, without the classes that nobody may use.
   *
   * @param now moment at which services and contracts must be valid
   */
  public ProblemReading make(Contracts contracts, ServiceRegistry serviceRegistry, Instant now) {
    BehaviouralModel behaviouralModel = BehaviouralModel.of(contracts, serviceRegistry, now);
    return behaviouralModel.source() == BehaviouralModel.Source.NONE
        ? invalid(BehaviouralModel.NO_PROCESS)
        : make(contracts, behaviouralModel, serviceRegistry, now);
  }

  /** The problem of an empty process, to check classes and options. */
  public ProblemReading withoutProcess(Contracts contracts) {
    return make(contracts, BehaviouralModel.EMPTY, ServiceRegistry.EMPTY, Instant.EPOCH);
  }

  private ProblemReading make(
      Contracts contracts,
      BehaviouralModel behaviouralModel,
      ServiceRegistry serviceRegistry,
      Instant now) {
    ObjectNode root = JSON.createObjectNode();
    root.put("schema", ProblemReader.SCHEMA).put("id", "contracts");
    JsonNode model = BehaviouralModel.tree(contracts.model());
    root.set("options", model.has("options") ? model.get("options") : JSON.createObjectNode());
    root.set("process", behaviouralModel.process());
    services(root, BehaviouralModel.tasks(behaviouralModel.process()), serviceRegistry, now);
    Set<String> unused = classes(root.putArray("classes"), contracts, behaviouralModel, now);
    return switch (reader.read(root.toString().getBytes(StandardCharsets.UTF_8))) {
      case ProblemReading.InvalidProblem invalidProblem -> invalidProblem;
      case ProblemReading.ValidProblem(BrokerProblem problem) ->
          new ProblemReading.ValidProblem(
              registered(problem, serviceRegistry, now)
                  .withClasses(
                      problem.classes().stream()
                          .filter(each -> !unused.contains(each.id()))
                          .toList()));
    };
  }

  /** Whether there is no process to plan for: none at all, or none with a service for a task. */
  public boolean isWithoutProcess(
      Contracts contracts, ServiceRegistry serviceRegistry, Instant now) {
    return BehaviouralModel.of(contracts, serviceRegistry, now).source()
        == BehaviouralModel.Source.NONE;
  }

  /** Whether a process was registered, which has precedence over deployed ones. */
  public static boolean hasRegisteredProcess(Contracts contracts) {
    return BehaviouralModel.tree(contracts.model()).has("process");
  }

  /** The class of callers without one: the model's, otherwise the first. */
  public String defaultClass(Contracts contracts) {
    String first = contracts.classes().keySet().stream().findFirst().orElse("");
    return BehaviouralModel.tree(contracts.model()).path("defaultClass").asText(first);
  }

  private static void services(
      ObjectNode root, Set<String> tasks, ServiceRegistry serviceRegistry, Instant now) {
    ArrayNode services = root.putArray("services");
    ArrayNode served = root.putArray("tasks");
    List<RegisteredService> valid =
        serviceRegistry.services().stream().filter(each -> each.isValidAt(now)).toList();
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
  private static Set<String> classes(
      ArrayNode array, Contracts contracts, BehaviouralModel behaviouralModel, Instant now) {
    Set<String> unused = new LinkedHashSet<>();
    for (Map.Entry<String, String> each : contracts.classes().entrySet()) {
      JsonNode own = behaviouralModel.fitting(BehaviouralModel.tree(each.getValue()));
      double rate = own.path(RATE).asDouble(0) + contracts.rate(each.getKey(), now);
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

  /** Tasks whose services may not be repeated, or that keep state, get single services only. */
  private static BrokerProblem registered(
      BrokerProblem problem, ServiceRegistry serviceRegistry, Instant now) {
    return serviceRegistry.applied(problem, now, new ArrayList<>());
  }

  private static ProblemReading invalid(String message) {
    return new ProblemReading.InvalidProblem(List.of(new Diagnostic("", 0, 0, message, null)));
  }
}
