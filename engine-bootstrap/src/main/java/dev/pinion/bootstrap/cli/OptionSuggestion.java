package dev.pinion.bootstrap.cli;

import dev.pinion.core.model.SpellingSuggestion;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Suggests the intended option for a misspelt one. */
public final class OptionSuggestion {
  private OptionSuggestion() {}

  /** A clause for the end of a message; empty when nothing is similar. */
  public static String of(ParameterException wrong) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched) || !unmatched.isUnknownOption()) {
      return "";
    }
    String given = unmatched.getUnmatched().getFirst();
    int end = given.indexOf('=');
    String nearest =
        SpellingSuggestion.of(
            end < 0 ? given : given.substring(0, end),
            wrong.getCommandLine().getCommandSpec().optionsMap().keySet());
    return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
  }
}
