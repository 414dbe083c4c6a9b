package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.config.Key;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Settings as options of the command line, one for each {@link Key}. */
final class KeyOptions {
  private KeyOptions() {}

  /** Adds options to a command. */
  static void add(CommandSpec spec, Collection<Key> keys) {
    keys.forEach(key -> spec.addOption(option(key)));
  }

  private static OptionSpec option(Key key) {
    OptionSpec.Builder option =
        OptionSpec.builder(key.option())
            .paramLabel(key.parameter())
            .description(key.description() + defaultText(key));
    return switch (key) {
      case SET -> option.type(List.class).auxiliaryTypes(String.class).arity("1").build();
      case BEST_EFFORT, BROKER_STANDBY ->
          option.type(String.class).arity("0..1").fallbackValue("true").build();
      default -> option.type(String.class).arity("1").build();
    };
  }

  private static String defaultText(Key key) {
    String value = key.defaultValue();
    return value == null || value.isEmpty() ? "" : " Default: " + value + ".";
  }

  /** Values of the given options. */
  static Map<Key, String> given(ParseResult parsed, Collection<Key> keys) {
    Map<Key, String> given = new EnumMap<>(Key.class);
    for (Key key : keys) {
      Object value = parsed.matchedOptionValue(key.option(), null);
      if (value instanceof List<?> repeated) {
        given.put(key, String.join(",", repeated.stream().map(String::valueOf).toList()));
      } else if (value != null) {
        given.put(key, String.valueOf(value));
      }
    }
    return given;
  }
}
