package dev.pinion.core.kernel.step.codec;

import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.codec.PayloadWriter;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.Tags;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writer of the values that states are made of; {@link ValueReader} reads them. */
public final class ValueWriter {
  /** Where values are written. */
  public final ByteWriter out;

  private final PayloadWriter payloads;

  /** A writer of one state: payloads shared within it are written once. */
  public ValueWriter(ByteWriter out) {
    this.out = out;
    this.payloads = new PayloadWriter(out);
  }

  /** Writes a value. */
  public void put(Payload payload) {
    payloads.put(payload);
  }

  public void putOptional(@Nullable Payload payload) {
    out.putFlag(payload != null);
    if (payload != null) {
      put(payload);
    }
  }

  /** Writes several values. */
  public void put(List<Payload> values) {
    out.putCount(values.size());
    values.forEach(this::put);
  }

  /** Writes a constant by its name. */
  public void put(Enum<?> constant) {
    out.putText(constant.name());
  }

  public void put(DefinitionKey key) {
    out.putText(key.namespace());
    out.putText(key.name());
    out.putText(key.version());
  }

  public void put(Tags tags) {
    out.putText(tags.businessKey());
    out.putCount(tags.labels().size());
    for (Map.Entry<String, String> label : tags.labels().entrySet()) {
      out.putText(label.getKey());
      out.putText(label.getValue());
    }
  }

  public void putOptional(@Nullable WorkflowError error) {
    out.putFlag(error != null);
    if (error != null) {
      out.putText(error.type());
      out.putNumber(error.status());
      out.putText(error.title());
      out.putText(error.detail());
      out.putText(error.instance());
    }
  }
}
