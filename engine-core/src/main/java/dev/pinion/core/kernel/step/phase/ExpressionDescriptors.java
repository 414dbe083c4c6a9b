package dev.pinion.core.kernel.step.phase;

import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors that expressions see as {@code $task}, {@code $workflow} and {@code $runtime}
 * (DSL, "Runtime expression arguments").
 */
public final class ExpressionDescriptors {
  /** {@code $runtime}. */
  public static final Payload RUNTIME =
      Payload.object(
          Map.of(
              "name",
              Payload.of("pinion"),
              "version",
              Payload.of(version()),
              "metadata",
              Payload.EMPTY_OBJECT));

  private ExpressionDescriptors() {}

  /**
   * {@code $task}.
   *
   * @param rawOutput its raw output, or null before it has one
   */
  public static Payload task(
      TaskAttributes task,
      Payload rawInput,
      @Nullable Payload rawOutput,
      long startedAtEpochMillis) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("name", Payload.of(task.name()));
    members.put("reference", Payload.of(task.pointer()));
    members.put("definition", task.definition());
    members.put("input", rawInput);
    if (rawOutput != null) {
      members.put("output", rawOutput);
    }
    members.put("startedAt", dateTime(startedAtEpochMillis));
    return Payload.object(members);
  }

  /**
   * A task as the tasks inside of it see it, by {@link dev.pinion.core.graph.Node.Do#self}.
   *
   * @param task its descriptor
   * @param input its transformed input
   */
  public static Payload enclosing(Payload task, Payload input) {
    return Payload.object(Map.of("task", task, "input", input));
  }

  /** {@code $workflow}. */
  public static Payload workflow(
      InstanceId id, Payload definition, Payload rawInput, long startedAtEpochMillis) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("id", Payload.of(id.toString()));
    members.put("definition", definition);
    members.put("input", rawInput);
    members.put("startedAt", dateTime(startedAtEpochMillis));
    return Payload.object(members);
  }

  /** Seconds since the epoch, for the jq function {@code now}. */
  public static Payload seconds(long epochMillis) {
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
