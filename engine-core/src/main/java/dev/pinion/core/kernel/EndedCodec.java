package dev.pinion.core.kernel;

import dev.pinion.core.model.ByteReader;
import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;

/** The form in a snapshot of what is told of instances that have ended. */
final class EndedCodec {
  private EndedCodec() {}

  static void write(InstanceView view, ByteWriter out) {
    ValueWriter values = new ValueWriter(out);
    out.putLong(view.id().value());
    values.put(view.definition());
    values.put(view.state());
    out.putNumber(view.startedAtEpochMillis());
    out.putNumber(view.endedAtEpochMillis());
    out.putNumber(view.sequence());
    values.putOptional(view.output());
    values.putOptional(view.error());
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException when the bytes are anything else
   */
  static InstanceView read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    ValueReader values = new ValueReader(in);
    InstanceView view =
        new InstanceView(
            new InstanceId(in.getLong()),
            values.definition(),
            values.constant(InstanceState.class),
            in.getNumber(),
            in.getNumber(),
            in.getNumber(),
            values.optionalPayload(),
            values.optionalError());
    in.expectEnd();
    return view;
  }
}
