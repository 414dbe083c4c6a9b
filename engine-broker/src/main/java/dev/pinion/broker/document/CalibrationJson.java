package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.adapt.Calibration;
import dev.pinion.broker.adapt.Calibration.Estimate;
import dev.pinion.broker.model.Usage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes and reads observations of services and requests. Thread-safe. */
public final class CalibrationJson {
  /** The schema. */
  public static final String SCHEMA = "broker-calibration/1";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String USAGE = "usage";
  private static final String PROBABILITIES = "probabilities";

  private CalibrationJson() {}

  /** A document of observations. */
  public static byte[] document(Calibration calibration) {
    ObjectNode root = JSON.createObjectNode().put("schema", SCHEMA);
    ObjectNode services = root.putObject("services");
    new TreeMap<>(calibration.services())
        .forEach(
            (id, each) ->
                services.putObject(id).put("r", each.response()).put("d", each.reliability()));
    new TreeSet<>(calibration.down()).forEach(root.putArray("down")::add);
    ObjectNode usage = root.putObject(USAGE);
    new TreeMap<>(calibration.usage())
        .forEach((id, nodes) -> BehaviourJson.put(usage.putObject(id), nodes));
    return root.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Reads such a document. */
  public static TableReading<Calibration> calibration(byte[] document) {
    return ContractReader.read(document, CalibrationJson::calibration);
  }

  private static Calibration calibration(Part part, Problems problems) {
    List<String> keys = List.of("schema", "services", "down", USAGE);
    Fields fields = new Fields(part, "what is known of services", keys, problems);
    if (!fields.text("schema").equals(SCHEMA)) {
      problems.expected("\"" + SCHEMA + "\" as schema", fields.get("schema"));
    }
    Map<String, Estimate> services = new HashMap<>();
    ContractReader.members(fields.required("services"))
        .forEach((id, each) -> services.put(id, estimate(each, problems)));
    Set<String> down = new HashSet<>();
    fields.items("down").forEach(each -> down.add(each.node().asText()));
    Map<String, Map<String, Usage>> usage = new HashMap<>();
    ContractReader.members(fields.required(USAGE))
        .forEach(
            (id, nodes) -> {
              Map<String, Usage> own = new HashMap<>();
              ContractReader.members(nodes)
                  .forEach((node, each) -> own.put(node, usage(each, problems)));
              usage.put(id, own);
            });
    return new Calibration(services, down, usage);
  }

  private static Estimate estimate(Part part, Problems problems) {
    Fields fields = new Fields(part, "a service", List.of("r", "d"), problems);
    return new Estimate(fields.number("r", Span.AT_LEAST_0), fields.number("d", Span.ABOVE_0_TO_1));
  }

  private static Usage usage(Part part, Problems problems) {
    List<String> keys = List.of(PROBABILITIES, "iterations", "gamma");
    Fields fields = new Fields(part, USAGE, keys, problems);
    return new Usage(
        fields.has(PROBABILITIES) ? fields.numbers(PROBABILITIES, Span.PROBABILITY) : List.of(),
        fields.optional("iterations", Span.AT_LEAST_0),
        fields.optional("gamma", Span.ABOVE_0));
  }
}
