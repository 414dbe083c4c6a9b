package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.registry.AuditLogEntry;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.Sla;
import dev.pinion.core.model.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Writes the documents that the broker's front-end shows and stores. Thread-safe. */
public final class BrokerJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private BrokerJson() {}

  /** The input of {@link ContractReader#contracts}. */
  public static byte[] contracts(Contracts contracts) {
    ObjectNode root = JSON.createObjectNode().put("schema", ContractReader.SCHEMA);
    root.put("version", contracts.version());
    if (!contracts.model().isEmpty()) {
      root.set("model", tree(contracts.model()));
    }
    if (!contracts.behaviour().isEmpty()) {
      root.set("behaviour", tree(contracts.behaviour()));
    }
    ObjectNode classes = root.putObject("classes");
    contracts.classes().forEach((id, document) -> classes.set(id, tree(document)));
    ObjectNode slas = root.putObject("slas");
    contracts.slas().forEach((id, each) -> slas.set(id, node(each)));
    return root.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A contract of a user. */
  public static String sla(Sla sla) {
    return node(sla).toString();
  }

  private static ObjectNode node(Sla sla) {
    ObjectNode node = JSON.createObjectNode().put("id", sla.id());
    if (!sla.user().isEmpty()) {
      node.put("user", sla.user());
    }
    node.put("class", sla.serviceClass()).put("rate", sla.rate());
    if (sla.from() != null) {
      node.put("from", sla.from().toString());
    }
    if (sla.until() != null) {
      node.put("until", sla.until().toString());
    }
    return node;
  }

  /** A class, by its document without an id. */
  public static String serviceClass(String id, String document) {
    ObjectNode node = JSON.createObjectNode().put("id", id);
    node.setAll((ObjectNode) tree(document));
    return node.toString();
  }

  /** All of a collection. */
  public static String list(Collection<String> documents) {
    return "{\"items\":[" + String.join(",", documents) + "]}";
  }

  /** Further members of a problem: the problems of a document. */
  public static String errors(List<Diagnostic> problems) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode errors = root.putArray("errors");
    for (Diagnostic each : problems) {
      ObjectNode error = errors.addObject().put("pointer", each.pointer());
      error.put("line", each.line()).put("column", each.column()).put("detail", each.message());
      if (each.suggestion() != null) {
        error.put("suggestion", each.suggestion());
      }
    }
    return root.toString();
  }

  /** A further member of a problem: the rate that could be kept. */
  public static String offer(double rate) {
    ObjectNode root = JSON.createObjectNode();
    put(root.putObject("offer"), "rate", rate);
    return root.toString();
  }

  /** A plan. */
  public static String plan(PlanInForce plan) {
    ObjectNode root = JSON.createObjectNode().put("version", plan.version());
    root.put("state", plan.state().label()).put("cause", plan.cause());
    root.put("reason", plan.reason()).put("at", plan.at().toString());
    put(root, "objective", plan.objective());
    ObjectNode classes = root.putObject("classes");
    plan.classes().forEach(each -> level(classes.putObject(each.id()), each));
    return root.toString();
  }

  private static void level(ObjectNode node, ClassLevel level) {
    put(node, "R", level.response());
    put(node, "D", level.reliability());
    put(node, "C", level.cost());
    node.put("served", level.served());
    ObjectNode shares = node.putObject("shares");
    level
        .shares()
        .forEach(
            (task, all) -> {
              ObjectNode one = shares.putObject(task);
              all.forEach(each -> one.put(each.implementation().label(), each.fraction()));
            });
  }

  /** A decision about a change. */
  public static String entry(AuditLogEntry entry) {
    return JSON.createObjectNode()
        .put("at", entry.at().toString())
        .put("change", entry.change())
        .put("outcome", entry.outcome())
        .put("reason", entry.reason())
        .put("plan", entry.plan())
        .toString();
  }

  /** JSON has neither infinity nor NaN: both are null. */
  private static void put(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, value);
    } else {
      node.putNull(key);
    }
  }

  private static JsonNode tree(String document) {
    try {
      return JSON.readTree(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("expected a document that was checked", e);
    }
  }
}
