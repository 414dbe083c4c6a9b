package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.Tags;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits for subscribers.
 *
 * @param position its position in the outbox; ascending, with gaps
 * @param kind kind of the event
 * @param namespace of the definition
 * @param definition its name
 * @param text the CloudEvent as JSON
 */
public record OutboxEvent(
    long position, HistoryEvent.EventKind kind, String namespace, String definition, String text) {
  /** Whether it is about an instance that keeps a schedule, which is no run of a workflow. */
  boolean isOfSchedule() {
    return ScheduleGraph.isKey(new DefinitionKey(namespace, definition, ""));
  }

  /**
   * The entry of the history of which the event was made, without its input.
   *
   * @param event the CloudEvent, not a notice
   */
  HistoryEvent entry(Payload event) {
    Payload data = Objects.requireNonNullElse(event.member("data"), Payload.EMPTY_OBJECT);
    Payload error = data.member("error");
    long millis = Instant.parse(text(event, "time")).toEpochMilli();
    return new HistoryEvent(
        InstanceId.parse(text(event, "subject")).orElseThrow(),
        Long.parseLong(text(event, "sequence")),
        kind,
        millis,
        new DefinitionKey(namespace, definition, version(text(data, "definition"))),
        task(data),
        millis,
        null,
        data.member("output"),
        error == null ? null : WorkflowError.of(error),
        data.text("detail"),
        Tags.NONE);
  }

  private static HistoryEvent.@Nullable TaskRun task(Payload data) {
    String pointer = data.text("task");
    return pointer == null
        ? null
        : new HistoryEvent.TaskRun(pointer, Objects.requireNonNullElse(data.text("name"), ""), 0);
  }

  /** The version in the text of a key. */
  private static String version(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  private static String text(Payload object, String member) {
    return Objects.requireNonNull(object.text(member), member);
  }
}
