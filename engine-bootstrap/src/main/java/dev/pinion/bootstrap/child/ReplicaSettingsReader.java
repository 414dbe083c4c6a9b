package dev.pinion.bootstrap.child;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.pinion.bootstrap.protocol.BindingSettings;
import dev.pinion.bootstrap.protocol.DispatchMode;
import dev.pinion.bootstrap.protocol.HandlerSettings;
import dev.pinion.bootstrap.protocol.HistorySettings;
import dev.pinion.bootstrap.protocol.ReplicaSettings;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the output of {@link ReplicaSettings#toJson}. */
public final class ReplicaSettingsReader {
  private final Map<String, String> values = new HashMap<>();
  private final Map<String, Map<String, Integer>> numbers = new HashMap<>();

  private ReplicaSettingsReader() {}

  /**
   * Reads one line.
   *
   * @throws IOException when it is anything else
   */
  public static ReplicaSettings read(String line) throws IOException {
    ReplicaSettingsReader reader = new ReplicaSettingsReader();
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
    Map<String, Integer> members = new HashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String member = json.currentName();
      json.nextToken();
      members.put(member, json.getIntValue());
    }
    numbers.put(name, members);
  }

  private ReplicaSettings settings() throws IOException {
    try {
      return new ReplicaSettings(
          Integer.parseInt(value("index")),
          Integer.parseInt(value("slots")),
          value("assignment"),
          DispatchMode.of(value("dispatch")),
          value("runDirectory"),
          value("host"),
          Integer.parseInt(value("port")),
          value("dataDirectory"),
          value("dataIdentity"),
          value("durability"),
          value("layout"),
          value("waiting"),
          present(numbers.get("pins"), "pins"),
          value("ancillaryCpus"),
          value("trust"),
          Long.parseLong(value("shutdownMillis")),
          present(numbers.get("limits"), "limits"),
          present(numbers.get("cpus"), "cpus"),
          new HistorySettings(
              value("history"), value("historyUser"), value("historyPassword"), value("sinks")),
          new HandlerSettings(value("handlers"), value("handlersNats"), value("handlersPath")),
          new BindingSettings(
              value("brokerCallers"),
              value("brokerCallerHeader"),
              value("brokerUnserved"),
              value("brokerCallbackUrl"),
              value("brokerThrottle")),
          value("publicHosts"));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "expected the settings of a replica, found other values of " + values.keySet(), e);
    }
  }

  private String value(String name) throws IOException {
    return present(values.get(name), name);
  }

  private static <T> T present(@Nullable T value, String name) throws IOException {
    if (value == null) {
      throw new IOException("expected \"" + name + "\" in the settings of a replica, found none");
    }
    return value;
  }
}
