package dev.pinion.core.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields that the JSON form of a message may have. Immutable. */
public final class MessageShape {
  /** Package of the messages whose JSON form is one of their own. */
  private static final String WELL_KNOWN = "google.protobuf";

  private final Descriptor descriptor;

  MessageShape(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * A field.
   *
   * @param isRepeated whether it is an array
   * @param isMap whether it is an object with keys of its own
   * @param message the message that it holds, or each of its items or values; null for anything
   *     that is no object of fields
   */
  public record FieldShape(boolean isRepeated, boolean isMap, @Nullable MessageShape message) {}

  /** Full name of the message. */
  public String name() {
    return descriptor.getFullName();
  }

  /** Names of the fields in JSON, in the order of the file. */
  public List<String> fields() {
    return descriptor.getFields().stream().map(FieldDescriptor::getJsonName).toList();
  }

  /** Whether its JSON form is an object of its fields. */
  public boolean isPlain() {
    return !descriptor.getFile().getPackage().equals(WELL_KNOWN);
  }

  /** A field by its name in JSON or in the file; null when there is none. */
  public @Nullable FieldShape field(String name) {
    for (FieldDescriptor each : descriptor.getFields()) {
      if (each.getJsonName().equals(name) || each.getName().equals(name)) {
        return shape(each);
      }
    }
    return null;
  }

  private static FieldShape shape(FieldDescriptor field) {
    boolean map = field.isMapField();
    FieldDescriptor held = map ? field.getMessageType().findFieldByName("value") : field;
    boolean isMessage = held.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    MessageShape message = isMessage ? new MessageShape(held.getMessageType()) : null;
    return new FieldShape(
        field.isRepeated() && !map, map, message == null || !message.isPlain() ? null : message);
  }
}
