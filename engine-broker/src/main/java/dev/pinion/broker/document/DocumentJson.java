package dev.pinion.broker.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.pinion.broker.analyse.AdaptationRule;
import dev.pinion.broker.analyse.Calibration;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.ProcessNode;
import dev.pinion.broker.registry.PlanState;
import dev.pinion.broker.registry.Sla;
import dev.pinion.core.model.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON: components in their order, null ones left out, moments in ISO 8601. The
 * interfaces below are the names that differ from those of the model, which knows nothing of JSON.
 * Thread-safe.
 */
final class DocumentJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
          .addMixIn(AdaptationRule.class, Labelled.class)
          .addMixIn(CoordinationPattern.class, Labelled.class)
          .addMixIn(PlanState.class, Labelled.class)
          .addMixIn(Calibration.Estimate.class, EstimateNames.class)
          .addMixIn(Diagnostic.class, DiagnosticNames.class)
          .addMixIn(ProcessNode.class, NodeTypes.class)
          .addMixIn(ProcessNode.Loop.class, LoopOrder.class)
          .addMixIn(Sla.class, SlaNames.class)
          .build();

  private DocumentJson() {}

  /** A document on one line. */
  static String text(Object document) {
    try {
      return JSON.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw unwritable(e);
    }
  }

  /** A document on one line, as bytes. */
  static byte[] bytes(Object document) {
    return text(document).getBytes(StandardCharsets.UTF_8);
  }

  /** A document for files, also read by people. */
  static byte[] pretty(Object document) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw unwritable(e);
    }
  }

  private static IllegalStateException unwritable(JsonProcessingException cause) {
    return new IllegalStateException("expected a document that can be written", cause);
  }

  /** The tree of a document that was checked. */
  static JsonNode tree(String document) {
    try {
      return JSON.readTree(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("expected a document that was checked", e);
    }
  }

  /** JSON has neither infinity nor NaN: both are null. */
  static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private interface Labelled {
    @JsonValue
    String label();
  }

  private interface EstimateNames {
    @JsonProperty("r")
    double response();

    @JsonProperty("d")
    double reliability();
  }

  private interface DiagnosticNames {
    @JsonProperty("detail")
    String message();
  }

  private interface SlaNames {
    @JsonProperty("user")
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    String user();

    @JsonProperty("class")
    String serviceClass();
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = ProcessNode.Task.class, name = "task"),
    @JsonSubTypes.Type(value = ProcessNode.Sequence.class, name = "seq"),
    @JsonSubTypes.Type(value = ProcessNode.Flow.class, name = "flow"),
    @JsonSubTypes.Type(value = ProcessNode.Choice.class, name = "choice"),
    @JsonSubTypes.Type(value = ProcessNode.Loop.class, name = "loop")
  })
  private interface NodeTypes {}

  @JsonPropertyOrder({"id", "iterations", "child"})
  private interface LoopOrder {}
}
