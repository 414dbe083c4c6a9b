package dev.pinion.broker.document;

import dev.pinion.broker.analyse.Calibration;
import dev.pinion.broker.analyse.Calibration.Estimate;
import dev.pinion.broker.model.UsageProfile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes and reads observations of services and requests. Thread-safe. */
public final class CalibrationJson {
  /** The schema. */
  public static final String SCHEMA = "broker-calibration/1";

  private static final String USAGE = "usage";
  private static final String PROBABILITIES = "probabilities";

  private CalibrationJson() {}

  /** A document of observations. */
  public static byte[] document(Calibration calibration) {
    SortedMap<String, SortedMap<String, BehaviouralModelJson.UsageDocument>> usage =
        new TreeMap<>();
    calibration.usage().forEach((id, nodes) -> usage.put(id, BehaviouralModelJson.usage(nodes)));
    return DocumentJson.bytes(
        new CalibrationDocument(
            SCHEMA,
            new TreeMap<>(calibration.services()),
            new TreeSet<>(calibration.down()),
            usage));
  }

  /** Reads such a document. */
  public static DocumentReading<Calibration> calibration(byte[] document) {
    return ContractReader.read(document, CalibrationJson::calibration);
  }

  private static Calibration calibration(
      LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    List<String> keys = List.of("schema", "services", "down", USAGE);
    ObjectFields objectFields =
        new ObjectFields(locatedValue, "what is known of services", keys, documentDiagnostics);
    if (!objectFields.text("schema").equals(SCHEMA)) {
      documentDiagnostics.expected("\"" + SCHEMA + "\" as schema", objectFields.get("schema"));
    }
    Map<String, Estimate> services = new HashMap<>();
    ContractReader.members(objectFields.required("services"))
        .forEach((id, each) -> services.put(id, estimate(each, documentDiagnostics)));
    Set<String> down = new HashSet<>();
    objectFields.items("down").forEach(each -> down.add(each.node().asText()));
    Map<String, Map<String, UsageProfile>> usage = new HashMap<>();
    ContractReader.members(objectFields.required(USAGE))
        .forEach(
            (id, nodes) -> {
              Map<String, UsageProfile> own = new HashMap<>();
              ContractReader.members(nodes)
                  .forEach((node, each) -> own.put(node, usage(each, documentDiagnostics)));
              usage.put(id, own);
            });
    return new Calibration(services, down, usage);
  }

  private static Estimate estimate(
      LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    ObjectFields objectFields =
        new ObjectFields(locatedValue, "a service", List.of("r", "d"), documentDiagnostics);
    return new Estimate(
        objectFields.number("r", NumberRange.AT_LEAST_0),
        objectFields.number("d", NumberRange.ABOVE_0_TO_1));
  }

  private static UsageProfile usage(
      LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    List<String> keys = List.of(PROBABILITIES, "iterations", "gamma");
    ObjectFields objectFields = new ObjectFields(locatedValue, USAGE, keys, documentDiagnostics);
    return new UsageProfile(
        objectFields.has(PROBABILITIES)
            ? objectFields.numbers(PROBABILITIES, NumberRange.PROBABILITY)
            : List.of(),
        objectFields.optional("iterations", NumberRange.AT_LEAST_0),
        objectFields.optional("gamma", NumberRange.ABOVE_0));
  }

  record CalibrationDocument(
      String schema,
      SortedMap<String, Estimate> services,
      SortedSet<String> down,
      SortedMap<String, SortedMap<String, BehaviouralModelJson.UsageDocument>> usage) {}
}
