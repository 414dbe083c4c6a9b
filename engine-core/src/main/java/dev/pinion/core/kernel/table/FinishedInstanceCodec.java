package dev.pinion.core.kernel.table;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.kernel.step.codec.ValueReader;
import dev.pinion.core.kernel.step.codec.ValueWriter;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Codec of ended instances in a snapshot. */
public final class FinishedInstanceCodec {
  /** Stands for no parent, where something follows. */
  private static final long NO_PARENT = 0;

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
    CompensationStatus compensation = view.compensation();
    if (parent != null || compensation != null) {
      out.putLong(parent == null ? NO_PARENT : parent.id().value());
      out.putText(parent == null ? "" : parent.pointer());
    }
    if (compensation != null) {
      write(compensation, values, out);
    }
  }

  private static void write(CompensationStatus status, ValueWriter values, ByteWriter out) {
    out.putCount(status.compensated());
    out.putCount(status.pending());
    out.putCount(status.failed());
    out.putCount(status.failures().size());
    for (CompensationStatus.Failure failure : status.failures()) {
      out.putText(failure.task());
      values.putOptional(failure.error());
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
    CompensationStatus compensation = in.hasMore() ? compensation(values) : null;
    in.expectEnd();
    return new FinishedInstance(
        view.startedBy(parent).compensating(compensation), input, stateToRetry);
  }

  private static @Nullable ParentTask parent(ByteReader in) {
    long id = in.getLong();
    String pointer = in.getPresentText();
    return id == NO_PARENT ? null : new ParentTask(new InstanceId(id), pointer);
  }

  private static CompensationStatus compensation(ValueReader values) {
    ByteReader in = values.in;
    int compensated = in.getCount();
    int pending = in.getCount();
    int failed = in.getCount();
    List<CompensationStatus.Failure> failures = new ArrayList<>();
    for (int left = in.getSize(); left > 0; left--) {
      String task = in.getPresentText();
      WorkflowError error = Objects.requireNonNull(values.optionalError(), "an error");
      failures.add(new CompensationStatus.Failure(task, error));
    }
    return new CompensationStatus(false, compensated, pending, failed, failures);
  }

  /** Reads the view of an instance without its input, its state, its parent and compensation. */
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
