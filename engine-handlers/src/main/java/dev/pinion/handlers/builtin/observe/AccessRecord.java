package dev.pinion.handlers.builtin.observe;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.pinion.handlers.api.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Record of a message in an access log; taken on the path of the message, written off it.
 *
 * @param atMillis wall-clock time
 * @param id the message
 * @param point its point
 * @param bytes size of its body
 * @param mediaType media type of its body
 * @param values further values, in the order of the format; empty where there is none
 * @param format its format
 */
record AccessRecord(
    long atMillis,
    String id,
    String point,
    int bytes,
    String mediaType,
    List<String> values,
    AccessRecordFormat format) {
  /** The longest value in characters; longer ones are cut and end with an ellipsis. */
  static final int MAX_CHARS = 1_024;

  static AccessRecord of(View message, AccessRecordFormat accessRecordFormat, long nowMillis) {
    List<String> values = new ArrayList<>(accessRecordFormat.fields.size());
    for (Field field : accessRecordFormat.fields) {
      values.add(cut(message.property(field.property, ""))); // waiting text is bounded
    }
    return new AccessRecord(
        nowMillis,
        message.id().toString(),
        message.point().name(),
        message.body().size(),
        cut(message.body().mediaType()),
        values,
        accessRecordFormat);
  }

  /** Writes it as one line of JSON, with its line feed. */
  void write(StringBuilder line) {
    Names names = format.names;
    List<Field> fields = format.fields;
    line.append("{\"@timestamp\":\"").append(Instant.ofEpochMilli(atMillis)).append('"');
    text(line, names.id, id);
    text(line, names.point, point);
    line.append(",\"").append(names.bytes).append("\":").append(bytes);
    if (!mediaType.isEmpty()) {
      text(line, names.mediaType, mediaType);
    }
    for (int i = 0; i < fields.size(); i++) {
      if (!values.get(i).isEmpty()) {
        field(line, fields.get(i), values.get(i));
      }
    }
    line.append("}\n");
  }

  private static void field(StringBuilder line, Field field, String value) {
    if (field.number && value.matches("[1-9][0-9]{0,8}")) {
      line.append(",\"").append(field.name).append("\":").append(value);
    } else {
      text(line, field.name, value);
    }
  }

  private static void text(StringBuilder line, String name, String value) {
    line.append(",\"");
    JsonStringEncoder.getInstance().quoteAsString(name, line);
    line.append("\":\"");
    JsonStringEncoder.getInstance().quoteAsString(value, line);
    line.append('"');
  }

  private static String cut(String value) {
    return value.length() <= MAX_CHARS ? value : value.substring(0, MAX_CHARS) + "…";
  }

  /**
   * A recorded property.
   *
   * @param property its name in messages
   * @param name its name in the log
   * @param number whether it is a number where it looks like one
   */
  record Field(String property, String name, boolean number) {}

  /**
   * The format of records.
   *
   * @param names names of the fields
   * @param fields the recorded properties
   */
  record AccessRecordFormat(Names names, List<Field> fields) {
    /** Copies the fields. */
    AccessRecordFormat {
      fields = List.copyOf(fields);
    }
  }

  /** Names of fields. */
  enum Names {
    /** Elastic Common Schema 8, with dots. */
    ECS("event.id", "pinion.point", "http.body.bytes", "http.body.mime_type"),
    /** Names as the properties of messages have them. */
    PLAIN("id", "point", "bytes", "mediaType");

    private final String id;
    private final String point;
    private final String bytes;
    private final String mediaType;

    Names(String id, String point, String bytes, String mediaType) {
      this.id = id;
      this.point = point;
      this.bytes = bytes;
      this.mediaType = mediaType;
    }

    /** The properties recorded of every message, and some more. */
    List<Field> fields(List<String> more) {
      List<Field> fields = new ArrayList<>();
      fields.add(field("client.address", "client.address", false));
      fields.add(field("http.method", "http.request.method", false));
      fields.add(field("http.path", "url.path", false));
      fields.add(field("http.status", "http.response.status_code", true));
      fields.add(field("auth.subject", "user.name", false));
      fields.add(field("definition", "pinion.definition", false));
      fields.add(field("service", "pinion.service", false));
      more.forEach(name -> fields.add(field(name, "pinion.property." + name, false)));
      return List.copyOf(fields);
    }

    private Field field(String property, String ecs, boolean number) {
      return new Field(property, this == ECS ? ecs : property, number);
    }
  }
}
