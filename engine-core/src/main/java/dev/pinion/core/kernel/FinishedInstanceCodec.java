package dev.pinion.core.kernel;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.ValueReader;
import dev.pinion.core.kernel.step.ValueWriter;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.ParentTask;
import dev.pinion.core.model.Payload;

/** Codec of ended instances in a snapshot. */
public final class FinishedInstanceCodec {
  private FinishedInstanceCodec() {}

  public static void write(FinishedInstance ended, ByteWriter out) {
    InstanceView view = ended.view;
    ValueWriter values = new ValueWriter(out);
    out.putLong(view.id().value());
    values.put(view.definition());
    values.put(view.state());
    out.putNumber(view.startedAtEpochMillis());
    out.putNumber(view.endedAtEpochMillis());
    out.putNumber(view.sequence());
    values.putOptional(view.output());
    values.putOptional(view.error());
    values.put(view.tags());
    values.putOptional(ended.input);
    out.putFlag(ended.stateToRetry != null);
    if (ended.stateToRetry != null) {
      out.putBytes(ended.stateToRetry);
    }
    ParentTask parent = view.parent();
    if (parent != null) {
      out.putLong(parent.id().value());
      out.putText(parent.pointer());
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static FinishedInstance read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    ValueReader values = new ValueReader(in);
    InstanceView view = view(values);
    Payload input = values.optionalPayload();
    byte[] stateToRetry = in.getFlag() ? in.getBytes() : null;
    ParentTask parent = in.hasMore() ? parent(in) : null;
    in.expectEnd();
    return new FinishedInstance(view.startedBy(parent), input, stateToRetry);
  }

  private static ParentTask parent(ByteReader in) {
    return new ParentTask(new InstanceId(in.getLong()), in.getPresentText());
  }

  /** Reads the view of an instance without its input, its state and its parent. */
  static InstanceView readView(byte[] bytes) {
    return view(new ValueReader(new ByteReader(bytes)));
  }

  private static InstanceView view(ValueReader values) {
    return new InstanceView(
        new InstanceId(values.in.getLong()),
        values.definition(),
        values.constant(InstanceState.class),
        values.in.getNumber(),
        values.in.getNumber(),
        values.in.getNumber(),
        values.optionalPayload(),
        values.optionalError(),
        values.tags());
  }
}
