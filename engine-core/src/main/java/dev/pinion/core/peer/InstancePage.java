package dev.pinion.core.peer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A page of instances from another replica; as {@code GET /v1/instances} writes it.
 *
 * @param instances newest first, without outputs and errors
 * @param more whether there are older ones
 */
record InstancePage(List<InstanceView> instances, boolean more) {
  static InstancePage read(Payload page) {
    List<InstanceView> instances = new ArrayList<>();
    for (JsonNode item : page.json().path("items")) {
      instances.add(view(item));
    }
    return new InstancePage(instances, page.json().has("next"));
  }

  private static InstanceView view(JsonNode item) {
    JsonNode key = item.path("definition");
    return new InstanceView(
        InstanceId.parse(item.path("id").asText()).orElseThrow(),
        new DefinitionKey(
            key.path("namespace").asText(),
            key.path("name").asText(),
            key.path("version").asText()),
        InstanceState.valueOf(item.path("state").asText()),
        epochMillis(item.path("startedAt")),
        epochMillis(item.path("endedAt")),
        0,
        null,
        null,
        tags(item),
        item.has("parent") ? parent(item.path("parent")) : null,
        item.has("compensation") ? compensation(item.path("compensation")) : null);
  }

  /** The numbers alone, as in every list. */
  private static CompensationStatus compensation(JsonNode status) {
    return new CompensationStatus(
        status.path("running").asBoolean(),
        status.path("compensated").asInt(),
        status.path("pending").asInt(),
        status.path("failed").asInt(),
        List.of());
  }

  private static Tags tags(JsonNode item) {
    Map<String, String> labels = new TreeMap<>();
    item.path("labels").forEachEntry((name, value) -> labels.put(name, value.asText()));
    JsonNode businessKey = item.path("businessKey");
    return businessKey.isMissingNode() && labels.isEmpty()
        ? Tags.NONE
        : new Tags(businessKey.isMissingNode() ? null : businessKey.asText(), labels);
  }

  private static ParentTask parent(JsonNode parent) {
    return new ParentTask(
        InstanceId.parse(parent.path("id").asText()).orElseThrow(), parent.path("task").asText());
  }

  private static long epochMillis(JsonNode time) {
    return time.isMissingNode() ? 0 : Instant.parse(time.asText()).toEpochMilli();
  }
}
