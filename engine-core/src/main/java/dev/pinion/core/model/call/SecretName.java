package dev.pinion.core.model.call;

import java.util.regex.Pattern;

/** Names of secrets: they are names of files, too, and must not lead out of their folder. */
public final class SecretName {
  /** The rule, for messages. */
  public static final String RULE =
      "1 to 128 letters, digits, hyphens, underscores and dots, beginning with a letter or digit";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  private SecretName() {}

  /** Whether a text may name a secret. */
  public static boolean isValid(String text) {
    return NAME.matcher(text).matches();
  }
}
