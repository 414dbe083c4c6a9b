package dev.pinion.bootstrap.settings;

import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.secret.SecretVariables;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Determines the value of every setting: the command line overrides the environment, that the file,
 * and that the defaults. Limits accumulate over the sources, each in the same order.
 */
public final class SettingsLoader {
  /** Variables of other commands and of the launcher. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("PINION_URL", "PINION_ADMIN", "PINION_AOT");

  private final List<String> problems = new ArrayList<>();
  private final Map<SettingKey<?>, SettingText> values = new LinkedHashMap<>();
  private final List<SettingText> limits = new ArrayList<>();

  private SettingsLoader() {}

  /**
   * Loads settings.
   *
   * @param options values from the command line
   * @param environment the environment
   * @param file a file, or null for none
   * @throws SettingsException with every problem found
   */
  public static EffectiveSettings load(
      Map<SettingKey<?>, String> options, Map<String, String> environment, @Nullable Path file)
      throws SettingsException {
    SettingsLoader loader = new SettingsLoader();
    for (SettingKey<?> settingKey : SettingKey.all()) {
      String preset = settingKey.defaultValue();
      loader.put(settingKey, preset == null ? defaultData(environment) : preset, "the default");
    }
    loader.readFile(file);
    loader.refuseUnknown(environment.keySet());
    for (SettingKey<?> settingKey : SettingKey.all()) {
      loader.put(settingKey, environment.get(settingKey.variable()), settingKey.variable());
      loader.put(settingKey, options.get(settingKey), settingKey.option());
    }
    return new SettingsParser(loader.values, loader.limits, loader.problems)
        .settings(SettingKey.all());
  }

  private void put(SettingKey<?> settingKey, @Nullable String text, String origin) {
    if (text == null) {
      return;
    }
    if (settingKey == SettingKey.SET) {
      limits.add(new SettingText(text, origin));
    }
    values.put(settingKey, new SettingText(text, origin));
  }

  private void readFile(@Nullable Path file) {
    if (file == null) {
      return;
    }
    try {
      SettingsFile.read(file).forEach((name, text) -> putFromFile(file, name, text));
    } catch (NoSuchFileException e) {
      problems.add("cannot read " + file + ": there is no such file");
    } catch (IOException e) {
      problems.add("cannot read " + file + ": " + e.getMessage());
    }
  }

  private void putFromFile(Path file, String name, String text) {
    String limitPrefix = SettingKey.SET.label() + ".";
    if (name.startsWith(limitPrefix)) {
      put(SettingKey.SET, name.substring(limitPrefix.length()) + "=" + text, file.toString());
      return;
    }
    for (SettingKey<?> settingKey : SettingKey.all()) {
      if (settingKey.label().equals(name)) {
        put(settingKey, text, file.toString());
        return;
      }
    }
    problems.add(
        file
            + ": unknown setting \""
            + name
            + "\"; "
            + SpellingSuggestion.hint(
                name, SettingKey.all().stream().map(SettingKey::label).toList()));
  }

  /** Refuses unknown variables: a misspelt setting would silently stay at its default. */
  private void refuseUnknown(Set<String> variables) {
    Set<String> known = new TreeSet<>(OTHER_VARIABLES);
    for (SettingKey<?> settingKey : SettingKey.all()) {
      known.add(settingKey.variable());
    }
    for (String variable : new TreeSet<>(variables)) {
      if (variable.startsWith(SettingKey.VARIABLE_PREFIX)
          && !variable.startsWith(SecretVariables.PREFIX)
          && !known.contains(variable)) {
        problems.add(
            "unknown environment variable \""
                + variable
                + "\"; "
                + SpellingSuggestion.hint(variable, known));
      }
    }
  }

  /** Empty where the environment names no folder; relative ones do not count (XDG). */
  private static String defaultData(Map<String, String> environment) {
    String base = environment.getOrDefault("XDG_DATA_HOME", "");
    String home = environment.getOrDefault("HOME", "");
    if (Path.of(base).isAbsolute()) {
      return base + "/pinion";
    }
    return Path.of(home).isAbsolute() ? home + "/.local/share/pinion" : "";
  }
}
