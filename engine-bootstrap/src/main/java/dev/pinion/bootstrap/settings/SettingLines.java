package dev.pinion.bootstrap.settings;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings as a child receives them: lines {@code key=value}, ended by an empty one. */
public final class SettingLines {
  private static final String LIMIT_PREFIX = SettingKey.SET.label() + ".";

  private SettingLines() {}

  /**
   * Reads {@link EffectiveSettings#lines} until an empty line.
   *
   * @return the settings, or null when the input ends before them
   * @throws IOException when it cannot be read, or is anything else
   */
  public static @Nullable EffectiveSettings read(BufferedReader in) throws IOException {
    StringBuilder text = new StringBuilder();
    String line = in.readLine();
    while (line != null && !line.isEmpty()) {
      text.append(line).append('\n');
      line = in.readLine();
    }
    return line == null ? null : parse(SettingsFile.properties(text.toString()));
  }

  private static EffectiveSettings parse(Map<String, String> lines) throws IOException {
    Map<String, String> rest = new HashMap<>(lines);
    Map<SettingKey<?>, SettingText> texts = new LinkedHashMap<>();
    for (SettingKey<?> key : EffectiveSettings.keys()) {
      String text = rest.remove(key.label());
      if (text == null && key != SettingKey.SET) {
        throw new IOException(
            "expected settings as lines of key=value, found none for " + key.label());
      }
      texts.put(key, new SettingText(Objects.requireNonNullElse(text, ""), key.label()));
    }
    try {
      return new SettingsParser(texts, limits(rest), new ArrayList<>())
          .settings(EffectiveSettings.keys());
    } catch (SettingsException e) {
      throw new IOException(String.join("; ", e.problems()), e);
    }
  }

  private static List<SettingText> limits(Map<String, String> lines) throws IOException {
    List<SettingText> limits = new ArrayList<>();
    for (Map.Entry<String, String> line : lines.entrySet()) {
      String name = line.getKey();
      if (!name.startsWith(LIMIT_PREFIX)) {
        throw new IOException("expected settings as lines of key=value, found an unknown one");
      }
      String pair = name.substring(LIMIT_PREFIX.length()) + "=" + line.getValue();
      limits.add(new SettingText(pair, name));
    }
    return limits;
  }
}
