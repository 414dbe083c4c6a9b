package dev.pinion.handlers.builtin;

import dev.pinion.handlers.api.Settings;
import java.util.Locale;

/** Settings that name a header field. */
public final class FieldNameSetting {
  private static final String TOKEN = "[a-z0-9-]{1,64}";

  private FieldNameSetting() {}

  /** The property of the field in a setting. */
  public static String of(Settings settings, String name, String otherwise) {
    String field = settings.text(name, otherwise).toLowerCase(Locale.ROOT);
    if (!field.matches(TOKEN)) {
      settings.problem(
          name,
          "expected the name of a field, of 1 to 64 letters, digits and -, found \""
              + field
              + "\"");
      return "header." + otherwise;
    }
    return "header." + field;
  }
}
