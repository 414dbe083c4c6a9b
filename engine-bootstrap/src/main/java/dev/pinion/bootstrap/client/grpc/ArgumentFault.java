package dev.pinion.bootstrap.client.grpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the field at which a JSON value is no message of a type: each member is read alone, then
 * each part of the one that cannot be read. The library that reads messages does not tell.
 */
final class ArgumentFault {
  private static final int MAX_LISTED = 10;

  /** Package of the messages whose JSON form is one of their own. */
  private static final String WELL_KNOWN = "google.protobuf";

  private final JsonFormat.Parser parser;

  /**
   * Faults of what a parser refuses.
   *
   * @param parser reads messages
   */
  ArgumentFault(JsonFormat.Parser parser) {
    this.parser = parser;
  }

  /** The first fault, by what was expected and what was found; null when no member has one. */
  @Nullable String of(Descriptor type, JsonNode object) {
    return of(type, object, "");
  }

  private @Nullable String of(Descriptor type, JsonNode object, String path) {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String at = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
      FieldDescriptor field = field(type, member.getKey());
      String fault =
          field == null
              ? unknown(type, member.getKey(), at)
              : ofField(type, field, member.getValue(), at);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** The field of a type with a name in JSON, or in the definition of the type; null for none. */
  static @Nullable FieldDescriptor field(Descriptor type, String name) {
    for (FieldDescriptor each : type.getFields()) {
      if (each.getJsonName().equals(name) || each.getName().equals(name)) {
        return each;
      }
    }
    return null;
  }

  private static String unknown(Descriptor type, String name, String at) {
    List<String> fields = type.getFields().stream().map(FieldDescriptor::getJsonName).toList();
    String meant = SpellingSuggestion.of(name, fields);
    return "expected a field of "
        + type.getFullName()
        + " ("
        + listed(fields)
        + "), found "
        + ValueDescription.shorten(at)
        + (meant == null ? "" : "; did you mean \"" + meant + "\"?");
  }

  private @Nullable String ofField(
      Descriptor type, FieldDescriptor field, JsonNode value, String at) {
    if (fits(type, field, value)) {
      return null;
    }
    if (field.isMapField() && value.isObject()) {
      FieldDescriptor held = field.getMessageType().findFieldByName("value");
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        JsonNode alone =
            JsonNodeFactory.instance.objectNode().set(entry.getKey(), entry.getValue());
        if (!fits(type, field, alone)) {
          return below(held, entry.getValue(), at + "[" + entry.getKey() + "]");
        }
      }
    } else if (field.isRepeated() && value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        JsonNode alone = JsonNodeFactory.instance.arrayNode().add(value.get(i));
        if (!fits(type, field, alone)) {
          return below(field, value.get(i), at + "[" + i + "]");
        }
      }
    }
    return field.isRepeated()
        ? "expected "
            + (field.isMapField() ? "an object" : "an array")
            + " as "
            + at
            + ", found "
            + ValueDescription.describe(value)
        : below(field, value, at);
  }

  private String below(FieldDescriptor field, JsonNode value, String at) {
    boolean plain =
        field.getJavaType() == JavaType.MESSAGE
            && !field.getMessageType().getFile().getPackage().equals(WELL_KNOWN);
    String deeper = plain && value.isObject() ? of(field.getMessageType(), value, at) : null;
    return deeper == null
        ? "expected "
            + describe(field)
            + " as "
            + ValueDescription.shorten(at)
            + ", found "
            + ValueDescription.describe(value)
        : deeper;
  }

  private static String describe(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case MESSAGE -> "the message " + field.getMessageType().getFullName();
      case ENUM ->
          "one of "
              + listed(
                  field.getEnumType().getValues().stream()
                      .map(EnumValueDescriptor::getName)
                      .toList());
      default -> "a value of type " + field.getType().name().toLowerCase(Locale.ROOT);
    };
  }

  private static String listed(List<String> names) {
    int more = names.size() - MAX_LISTED;
    String first = String.join(", ", names.subList(0, Math.min(MAX_LISTED, names.size())));
    return names.isEmpty() ? "none" : first + (more > 0 ? " and " + more + " more" : "");
  }

  private boolean fits(Descriptor type, FieldDescriptor field, JsonNode value) {
    JsonNode alone = JsonNodeFactory.instance.objectNode().set(field.getJsonName(), value);
    try {
      parser.merge(alone.toString(), DynamicMessage.newBuilder(type));
      return true;
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }
}
