package dev.pinion.bootstrap.client.grpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import java.util.Map;
import java.util.Set;

/**
 * Finds texts of many digits in the places of numbers. The library that reads them takes a time
 * that is quadratic in their length, minutes for a few megabytes.
 */
final class LongNumbers {
  /** Most characters of a number: more than any number of a message needs. */
  static final int MAX_CHARS = 1_000;

  private static final String NUMBER_CHARS = "0123456789+-.eE";
  private static final String ANY = "google.protobuf.Any";
  private static final Set<String> WRAPPERS =
      Set.of(
          "google.protobuf.DoubleValue",
          "google.protobuf.FloatValue",
          "google.protobuf.Int32Value",
          "google.protobuf.Int64Value",
          "google.protobuf.UInt32Value",
          "google.protobuf.UInt64Value");

  private LongNumbers() {}

  /** Whether there is one in the JSON form of a message. */
  static boolean appear(Descriptor type, JsonNode object) {
    return appear(object) && appearIn(type, object); // there hardly ever is such a text
  }

  private static boolean appear(JsonNode value) {
    if (value.isTextual()) {
      return isLong(value.textValue());
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      if (isLong(member.getKey())) {
        return true;
      }
    }
    for (JsonNode part : value) {
      if (appear(part)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLong(String text) {
    return text.length() > MAX_CHARS && text.chars().allMatch(c -> NUMBER_CHARS.indexOf(c) >= 0);
  }

  private static boolean appearIn(Descriptor type, JsonNode object) {
    if (type.getFullName().equals(ANY)) {
      return appear(object);
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      FieldDescriptor field = ArgumentFault.field(type, member.getKey());
      if (field != null && appearAs(field, member.getValue())) {
        return true;
      }
    }
    return false;
  }

  private static boolean appearAs(FieldDescriptor field, JsonNode value) {
    if (value.isTextual()) {
      return isNumber(field) && isLong(value.textValue());
    }
    if (field.isMapField()) {
      return appearInMap(field.getMessageType(), value);
    }
    if (value.isObject()) {
      return field.getJavaType() == JavaType.MESSAGE && appearIn(field.getMessageType(), value);
    }
    for (JsonNode item : value) {
      if (appearAs(field, item)) {
        return true;
      }
    }
    return false;
  }

  private static boolean appearInMap(Descriptor entryType, JsonNode map) {
    FieldDescriptor key = entryType.findFieldByName("key");
    FieldDescriptor held = entryType.findFieldByName("value");
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      if ((isNumber(key) && isLong(entry.getKey())) || appearAs(held, entry.getValue())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNumber(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT, LONG, FLOAT, DOUBLE, ENUM -> true;
      case MESSAGE -> WRAPPERS.contains(field.getMessageType().getFullName());
      case BOOLEAN, STRING, BYTE_STRING -> false;
    };
  }
}
