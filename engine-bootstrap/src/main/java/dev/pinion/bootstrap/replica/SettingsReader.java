package dev.pinion.bootstrap.replica;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.pinion.bootstrap.process.ReplicaSettings;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Reads what {@link ReplicaSettings#toJson} wrote. */
final class SettingsReader {
  private final Map<String, String> values = new HashMap<>();
  private final Map<String, Integer> limits = new HashMap<>();

  private SettingsReader() {}

  /**
   * Reads one line.
   *
   * @throws IOException when it is anything else
   */
  static ReplicaSettings read(String line) throws IOException {
    SettingsReader reader = new SettingsReader();
    try (JsonParser json = JsonFactory.builder().build().createParser(line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        reader.readField(json);
      }
    } catch (JsonProcessingException e) {
      throw new IOException(
          "expected settings as one line of JSON, found: " + e.getOriginalMessage(), e);
    }
    return reader.settings();
  }

  private void readField(JsonParser json) throws IOException {
    String name = json.currentName();
    if (json.nextToken() != JsonToken.START_OBJECT) {
      values.put(name, json.getText());
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String limit = json.currentName();
      json.nextToken();
      limits.put(limit, json.getIntValue());
    }
  }

  private ReplicaSettings settings() throws IOException {
    try {
      return new ReplicaSettings(
          Integer.parseInt(value("index")),
          value("host"),
          Integer.parseInt(value("port")),
          value("dataDirectory"),
          value("layout"),
          value("waiting"),
          value("pinnedCpus"),
          value("ancillaryCpus"),
          value("trust"),
          Long.parseLong(value("shutdownMillis")),
          limits);
    } catch (NumberFormatException e) {
      throw new IOException("expected numbers in the settings of a replica, found " + values, e);
    }
  }

  private String value(String name) throws IOException {
    String value = values.get(name);
    if (value == null) {
      throw new IOException("expected \"" + name + "\" in the settings of a replica, found none");
    }
    return value;
  }
}
