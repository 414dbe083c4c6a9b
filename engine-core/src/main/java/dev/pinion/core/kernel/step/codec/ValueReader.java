package dev.pinion.core.kernel.step.codec;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.PayloadReader;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.Tags;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reader of the values that {@link ValueWriter} wrote, in the same order. */
public final class ValueReader {
  public final ByteReader in;
  private final PayloadReader payloads;

  public ValueReader(ByteReader in) {
    this.in = in;
    this.payloads = new PayloadReader(in);
  }

  /** Reads a value. */
  public Payload payload() {
    return payloads.get();
  }

  public @Nullable Payload optionalPayload() {
    return in.getFlag() ? payload() : null;
  }

  /** Reads several values. */
  public Payload[] payloads() {
    Payload[] values = new Payload[in.getSize()];
    for (int i = 0; i < values.length; i++) {
      values[i] = payload();
    }
    return values;
  }

  public DefinitionKey definition() {
    return new DefinitionKey(in.getPresentText(), in.getPresentText(), in.getPresentText());
  }

  public Tags tags() {
    String businessKey = in.getText();
    int count = in.getSize();
    if (businessKey == null && count == 0) {
      return Tags.NONE;
    }
    Map<String, String> labels = new TreeMap<>();
    for (int left = count; left > 0; left--) {
      labels.put(in.getPresentText(), in.getPresentText());
    }
    return new Tags(businessKey, labels);
  }

  public @Nullable WorkflowError optionalError() {
    return in.getFlag()
        ? new WorkflowError(
            in.getPresentText(), in.getInt(), in.getText(), in.getText(), in.getText())
        : null;
  }

  public <E extends Enum<E>> E constant(Class<E> type) {
    return Enum.valueOf(type, in.getPresentText());
  }
}
