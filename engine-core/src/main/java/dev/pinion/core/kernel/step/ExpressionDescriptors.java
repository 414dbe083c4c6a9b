package dev.pinion.core.kernel.step;

import dev.pinion.core.model.Payload;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The descriptors that expressions see as {@code $task}, {@code $workflow} and {@code $runtime}
 * (DSL, "Runtime expression arguments").
 */
final class ExpressionDescriptors {
  /** {@code $runtime}. */
  static final Payload RUNTIME =
      Payload.object(
          Map.of(
              "name",
              Payload.of("pinion"),
              "version",
              Payload.of(version()),
              "metadata",
              Payload.EMPTY_OBJECT));

  private ExpressionDescriptors() {}

  static Payload task(Activity activity) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("name", Payload.of(activity.node.attributes().name()));
    members.put("reference", Payload.of(activity.node.attributes().pointer()));
    members.put("definition", activity.node.attributes().definition());
    members.put("input", activity.rawInput);
    if (activity.rawOutput != null) {
      members.put("output", activity.rawOutput);
    }
    members.put("startedAt", dateTime(activity.startedAtEpochMillis));
    return Payload.object(members);
  }

  static Payload workflow(Instance instance) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("id", Payload.of(instance.id.toString()));
    members.put("definition", instance.graph.definition());
    members.put("input", instance.rawInput);
    members.put("startedAt", dateTime(instance.startedAtEpochMillis));
    return Payload.object(members);
  }

  /** Seconds since the epoch, for the jq function {@code now}. */
  static Payload seconds(long epochMillis) {
    return Payload.of(epochMillis / 1000.0);
  }

  private static Payload dateTime(long epochMillis) {
    Map<String, Payload> epoch = new LinkedHashMap<>();
    epoch.put("seconds", Payload.of(epochMillis / 1000));
    epoch.put("milliseconds", Payload.of(epochMillis));
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("iso8601", Payload.of(Instant.ofEpochMilli(epochMillis).toString()));
    members.put("epoch", Payload.object(epoch));
    return Payload.object(members);
  }

  private static String version() {
    String version = ExpressionDescriptors.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
