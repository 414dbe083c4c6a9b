package dev.pinion.bootstrap.settings;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Settings as options of the command line, one for each {@link SettingKey}. */
public final class SettingOptions {
  private SettingOptions() {}

  /** Adds options to a command. */
  public static void add(CommandSpec spec, Collection<SettingKey<?>> keys) {
    keys.forEach(settingKey -> spec.addOption(option(settingKey)));
  }

  private static OptionSpec option(SettingKey<?> settingKey) {
    OptionSpec.Builder option =
        OptionSpec.builder(settingKey.option())
            .paramLabel(settingKey.parameter())
            .description(settingKey.description() + defaultText(settingKey));
    if (settingKey == SettingKey.SET) {
      return option.type(List.class).auxiliaryTypes(String.class).arity("1").build();
    }
    option.type(String.class);
    return settingKey.isSwitch()
        ? option.arity("0..1").fallbackValue("true").build()
        : option.arity("1").build();
  }

  private static String defaultText(SettingKey<?> settingKey) {
    String value = settingKey.defaultValue();
    return value == null || value.isEmpty() ? "" : " Default: " + value + ".";
  }

  /** Values of the given options. */
  public static Map<SettingKey<?>, String> values(
      ParseResult parsed, Collection<SettingKey<?>> keys) {
    Map<SettingKey<?>, String> given = new HashMap<>();
    for (SettingKey<?> settingKey : keys) {
      Object value = parsed.matchedOptionValue(settingKey.option(), null);
      if (value instanceof List<?> repeated) {
        given.put(settingKey, String.join(",", repeated.stream().map(String::valueOf).toList()));
      } else if (value != null) {
        given.put(settingKey, String.valueOf(value));
      }
    }
    return given;
  }
}
