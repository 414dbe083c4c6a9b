package dev.pinion.broker.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.registry.AuditLogEntry;
import dev.pinion.broker.registry.Contracts;
import dev.pinion.broker.registry.PlanInForce;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.Sla;
import dev.pinion.core.model.Diagnostic;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the documents that the broker's front-end shows and stores. Thread-safe. */
public final class BrokerJson {
  private BrokerJson() {}

  /** The input of {@link ContractReader#contracts}. */
  public static byte[] contracts(Contracts contracts) {
    Map<String, JsonNode> classes = new LinkedHashMap<>();
    contracts.classes().forEach((id, document) -> classes.put(id, DocumentJson.tree(document)));
    return DocumentJson.bytes(
        new ContractsDocument(
            ContractReader.SCHEMA,
            contracts.version(),
            contracts.model().isEmpty() ? null : DocumentJson.tree(contracts.model()),
            contracts.behaviour().isEmpty() ? null : DocumentJson.tree(contracts.behaviour()),
            classes,
            contracts.slas()));
  }

  /** A contract of a user. */
  public static String sla(Sla sla) {
    return DocumentJson.text(sla);
  }

  /** A class, by its document without an id. */
  public static String serviceClass(String id, String document) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("id", id);
    node.setAll((ObjectNode) DocumentJson.tree(document));
    return DocumentJson.text(node);
  }

  /** All of a collection. */
  public static String list(Collection<String> documents) {
    return "{\"items\":[" + String.join(",", documents) + "]}";
  }

  /** Further members of a problem: the problems of a document. */
  public static String errors(List<Diagnostic> problems) {
    return DocumentJson.text(Map.of("errors", problems));
  }

  /** A further member of a problem: the rate that could be kept. */
  public static String offer(double rate) {
    return DocumentJson.text(Map.of("offer", new Offer(DocumentJson.finite(rate))));
  }

  /** A plan. */
  public static String plan(PlanInForce plan) {
    Map<String, LevelDocument> classes = new LinkedHashMap<>();
    for (ClassLevel each : plan.classes()) {
      classes.put(
          each.id(),
          new LevelDocument(
              DocumentJson.finite(each.response()),
              DocumentJson.finite(each.reliability()),
              DocumentJson.finite(each.cost()),
              each.served(),
              shares(each)));
    }
    return DocumentJson.text(
        new PlanDocument(
            plan.version(),
            plan.state(),
            plan.cause(),
            plan.reason(),
            plan.at(),
            DocumentJson.finite(plan.objective()),
            classes));
  }

  /** Fractions by the labels of implementations, by task. */
  static Map<String, Map<String, Double>> shares(ClassLevel level) {
    Map<String, Map<String, Double>> shares = new LinkedHashMap<>();
    level
        .shares()
        .forEach(
            (task, all) -> {
              Map<String, Double> ofTask = new LinkedHashMap<>();
              all.forEach(each -> ofTask.put(each.implementation().label(), each.fraction()));
              shares.put(task, ofTask);
            });
    return shares;
  }

  /** A decision about a change. */
  public static String entry(AuditLogEntry entry) {
    return DocumentJson.text(entry);
  }

  record ContractsDocument(
      String schema,
      long version,
      @Nullable JsonNode model,
      @Nullable JsonNode behaviour,
      Map<String, JsonNode> classes,
      Map<String, Sla> slas) {}

  @JsonInclude(JsonInclude.Include.ALWAYS)
  record Offer(@Nullable Double rate) {}

  record PlanDocument(
      long version,
      PlanState state,
      String cause,
      String reason,
      Instant at,
      @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Double objective,
      Map<String, LevelDocument> classes) {}

  @JsonInclude(JsonInclude.Include.ALWAYS)
  record LevelDocument(
      @JsonProperty("R") @Nullable Double response,
      @JsonProperty("D") @Nullable Double reliability,
      @JsonProperty("C") @Nullable Double cost,
      double served,
      Map<String, Map<String, Double>> shares) {}
}
