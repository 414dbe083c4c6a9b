package dev.pinion.core.api.json;

import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes instances as JSON, without an intermediate tree: every start passes here. Not for
 * concurrent use.
 */
public final class InstanceJson {
  private static final int MAX_KNOWN = 1_024;

  private final RequestJson json;
  private final TimestampWriter timestampWriter = new TimestampWriter();
  private final Map<DefinitionKey, byte[]> definitions = new HashMap<>();

  public InstanceJson(RequestJson json) {
    this.json = json;
  }

  /**
   * Writes one instance.
   *
   * @param output its output for the client, or null when it has none
   */
  public void write(ByteBuf out, InstanceView view, @Nullable Payload output)
      throws ProblemException {
    head(out, view);
    WorkflowError error = view.error();
    if (output != null) {
      ascii(out, ",\"output\":");
      json.write(output, out);
    } else if (error != null) {
      ascii(out, ",\"error\":");
      json.write(error.toPayload(), out);
    }
    out.writeByte('}');
  }

  /** Writes one instance without output and error. */
  public void writeBrief(ByteBuf out, InstanceView view) {
    head(out, view);
    out.writeByte('}');
  }

  /**
   * Writes a page of instances without outputs and errors.
   *
   * @param next the cursor of the next page, or null when this is the last
   * @param missing replicas whose instances are missing from the list
   */
  public void writePage(
      ByteBuf out, List<InstanceView> views, @Nullable String next, List<Integer> missing) {
    ascii(out, "{\"items\":[");
    for (int i = 0; i < views.size(); i++) {
      if (i > 0) {
        out.writeByte(',');
      }
      writeBrief(out, views.get(i));
    }
    out.writeByte(']');
    if (next != null) {
      ascii(out, ",\"next\":\"");
      ascii(out, next);
      out.writeByte('"');
    }
    if (!missing.isEmpty()) {
      ascii(out, ",\"missingReplicas\":");
      ascii(out, missing.toString());
    }
    out.writeByte('}');
  }

  private void head(ByteBuf out, InstanceView view) {
    ascii(out, "{\"id\":\"");
    ascii(out, view.id().toString());
    ascii(out, "\",\"definition\":");
    out.writeBytes(definition(view.definition()));
    state(out, view.state());
    ascii(out, ",\"startedAt\":\"");
    timestampWriter.write(out, view.startedAtEpochMillis());
    out.writeByte('"');
    if (view.endedAtEpochMillis() != 0) {
      ascii(out, ",\"endedAt\":\"");
      timestampWriter.write(out, view.endedAtEpochMillis());
      out.writeByte('"');
    }
    if (!view.tags().isEmpty()) {
      tags(out, view.tags());
    }
    if (view.parent() != null) {
      parent(out, view.parent());
    }
    if (view.compensation() != null) {
      compensation(out, view.compensation());
    }
  }

  private void compensation(ByteBuf out, CompensationStatus status) {
    ascii(out, ",\"compensation\":{\"running\":" + status.running());
    ascii(out, ",\"compensated\":" + status.compensated());
    ascii(out, ",\"pending\":" + status.pending());
    ascii(out, ",\"failed\":" + status.failed());
    List<Payload> failures = status.failures().stream().map(InstanceJson::failure).toList();
    if (!failures.isEmpty()) {
      ascii(out, ",\"failures\":");
      out.writeBytes(json.bytes(Payload.array(failures)));
    }
    out.writeByte('}');
  }

  private static Payload failure(CompensationStatus.Failure failure) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("task", Payload.of(failure.task()));
    members.put("error", failure.error().toPayload());
    return Payload.object(members);
  }

  private void parent(ByteBuf out, ParentTask parent) {
    ascii(out, ",\"parent\":{\"id\":\"");
    ascii(out, parent.id().toString());
    ascii(out, "\",\"task\":");
    out.writeBytes(json.bytes(Payload.of(parent.pointer())));
    out.writeByte('}');
  }

  private void tags(ByteBuf out, Tags tags) {
    if (tags.businessKey() != null) {
      ascii(out, ",\"businessKey\":");
      out.writeBytes(json.bytes(Payload.of(tags.businessKey())));
    }
    if (!tags.labels().isEmpty()) {
      Map<String, Payload> labels = new LinkedHashMap<>();
      tags.labels().forEach((name, value) -> labels.put(name, Payload.of(value)));
      ascii(out, ",\"labels\":");
      out.writeBytes(json.bytes(Payload.object(labels)));
    }
  }

  /** Writes the known data of an instance that has only been accepted. */
  public void writeAccepted(ByteBuf out, String id, DefinitionKey definition, InstanceState state) {
    ascii(out, "{\"id\":\"");
    ascii(out, id);
    ascii(out, "\",\"definition\":");
    out.writeBytes(definition(definition));
    state(out, state);
    out.writeByte('}');
  }

  private static void state(ByteBuf out, InstanceState state) {
    ascii(out, ",\"state\":\"");
    ascii(out, state.name());
    out.writeByte('"');
  }

  private byte[] definition(DefinitionKey key) {
    byte[] known = definitions.get(key);
    if (known == null) {
      if (definitions.size() >= MAX_KNOWN) {
        definitions.clear();
      }
      known = json.bytes(payload(key));
      definitions.put(key, known);
    }
    return known;
  }

  /** A definition's identity as JSON. */
  static Payload payload(DefinitionKey key) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("namespace", Payload.of(key.namespace()));
    members.put("name", Payload.of(key.name()));
    members.put("version", Payload.of(key.version()));
    return Payload.object(members);
  }

  private static void ascii(ByteBuf out, String text) {
    ByteBufUtil.writeAscii(out, text);
  }
}
