package dev.pinion.core.kernel.step.codec;

import dev.pinion.core.codec.ByteReader;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.ParentLink;
import dev.pinion.core.model.instance.ParentTask;
import org.jspecify.annotations.Nullable;

/**
 * What a state says of an instance before its content: how durable it is, and the task that started
 * it. States of older engines know no such task: their mark is missing.
 *
 * @param durability how durable its records must be
 * @param parent tie to the task that started it; null when a client did
 */
public record InstanceOrigin(Durability durability, @Nullable ParentLink parent) {
  /** Follows the name of the durability where a tie is written behind it. */
  private static final String MARK = "+parent";

  /** Writes it. */
  public void write(ByteWriter out) {
    ParentLink link = parent;
    if (link == null) {
      out.putText(durability.name());
      return;
    }
    out.putText(durability.name() + MARK);
    out.putLong(link.id().value());
    out.putText(link.task().pointer());
    out.putCount(link.activity());
    out.putCount(link.attempt());
    out.putCount(link.depth());
    out.putFlag(link.awaited());
    out.putNumber(link.progress());
  }

  /** Reads what {@link #write} wrote. */
  public static InstanceOrigin read(ByteReader in) {
    String name = in.getPresentText();
    if (!name.endsWith(MARK)) {
      return new InstanceOrigin(Durability.valueOf(name), null);
    }
    Durability durability = Durability.valueOf(name.substring(0, name.length() - MARK.length()));
    ParentTask task = new ParentTask(new InstanceId(in.getLong()), in.getPresentText());
    return new InstanceOrigin(
        durability,
        new ParentLink(
            task, in.getCount(), in.getCount(), in.getCount(), in.getFlag(), in.getNumber()));
  }
}
