package dev.pinion.bootstrap.history.publish;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instance events as CloudEventWriter 1.0 in JSON. A repeated event has the same source and id.
 * Used by one thread.
 */
public final class CloudEventWriter {
  private final PayloadCodec codec;
  private final int maxValueChars;
  private long omitted;

  /**
   * Creates a converter with a maximum size of values as JSON.
   *
   * @param maxValueChars most characters of one input, output or error; longer errors are
   *     truncated, of other longer ones only the length is included
   */
  public CloudEventWriter(PayloadCodec codec, int maxValueChars) {
    this.codec = codec;
    this.maxValueChars = maxValueChars;
  }

  /** The event as JSON. */
  public String text(HistoryEvent event) {
    return new String(codec.toExactBytes(of(event)), StandardCharsets.UTF_8);
  }

  private Payload of(HistoryEvent event) {
    DefinitionKey definition = event.definition();
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("specversion", Payload.of("1.0"));
    members.put("id", Payload.of(event.id() + "-" + event.sequence()));
    members.put(
        "source",
        Payload.of(
            "/v1/namespaces/" + definition.namespace() + "/definitions/" + definition.name()));
    members.put("type", Payload.of(CloudEventType.of(event.kind())));
    members.put("subject", Payload.of(event.id().toString()));
    members.put("time", Payload.of(Instant.ofEpochMilli(event.epochMillis()).toString()));
    members.put("sequence", Payload.of(String.format(Locale.ROOT, "%019d", event.sequence())));
    members.put("datacontenttype", Payload.of("application/json"));
    members.put("data", data(event));
    return Payload.object(members);
  }

  private Payload data(HistoryEvent event) {
    omitted = 0;
    Map<String, Payload> data = new LinkedHashMap<>();
    data.put("instance", Payload.of(event.id().toString()));
    data.put("definition", Payload.of(event.definition().toString()));
    HistoryEvent.TaskRun taskRun = event.task();
    if (taskRun != null) {
      data.put("task", Payload.of(taskRun.pointer()));
      data.put("name", Payload.of(taskRun.name()));
    }
    data.put("durationMillis", Payload.of(event.durationMillis()));
    put(data, "input", event.input());
    put(data, "output", event.output());
    error(data, event.error());
    if (event.detail() != null) {
      data.put("detail", Payload.of(event.detail()));
    }
    if (omitted > 0) {
      data.put("omittedChars", Payload.of(omitted));
    }
    return Payload.object(data);
  }

  private void error(Map<String, Payload> data, @Nullable WorkflowError error) {
    if (error != null) {
      Payload whole = error.toPayload();
      int chars = codec.toExactBytes(whole).length;
      WorkflowError cut = chars <= maxValueChars ? null : error.cutTo(maxValueChars);
      if (cut == null) {
        put(data, "error", whole);
      } else {
        data.put("error", cut.toPayload());
        omitted += chars - codec.toExactBytes(cut.toPayload()).length;
      }
    }
  }

  private void put(Map<String, Payload> data, String name, @Nullable Payload value) {
    if (value != null) {
      int chars = codec.toExactBytes(value).length;
      if (chars > maxValueChars) {
        omitted += chars;
      } else {
        data.put(name, value);
      }
    }
  }
}
