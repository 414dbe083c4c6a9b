package dev.pinion.bootstrap.cli;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.IOptionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help text whose addresses ({@code http://127.0.0.1:8080}, {@code jdbc:sqlite:FILE}) stay on one
 * line. Picocli breaks lines wherever Unicode permits it, for instance after a slash; so characters
 * of addresses are replaced by letters while lines are broken.
 */
public final class NonBreakingAddresses {
  /** A word with a colon before another character. */
  private static final Pattern ADDRESS = Pattern.compile("[a-z]+:\\S+");

  private static final String BREAKABLE = "/:.-?&=";

  /** Letters that no help text contains, one for each of the characters above. */
  private static final String LETTERS = "\u13a0\u13a1\u13a2\u13a3\u13a4\u13a5\u13a6";

  private NonBreakingAddresses() {}

  /** Enables such help for a command and its subcommands. */
  public static void install(CommandLine command) {
    command.setHelpFactory(SubstitutedText::new);
    command
        .getHelpSectionMap()
        .computeIfPresent(
            UsageMessageSpec.SECTION_KEY_OPTION_LIST,
            (key, options) -> help -> restored(options.render(help)));
    command.getSubcommands().values().forEach(NonBreakingAddresses::install);
  }

  static String masked(String text) {
    Matcher matcher = ADDRESS.matcher(text);
    return matcher.replaceAll(
        found -> Matcher.quoteReplacement(translated(found.group(), BREAKABLE, LETTERS)));
  }

  static String restored(String text) {
    return translated(text, LETTERS, BREAKABLE);
  }

  private static String translated(String text, String from, String to) {
    StringBuilder translated = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      int at = from.indexOf(text.charAt(i));
      if (at >= 0) {
        translated.setCharAt(i, to.charAt(at));
      }
    }
    return translated.toString();
  }

  /** Help with letters in descriptions of options. */
  private static final class SubstitutedText extends Help {
    SubstitutedText(CommandSpec spec, ColorScheme colours) {
      super(spec, colours);
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
      IOptionRenderer usual = super.createDefaultOptionRenderer();
      return (option, label, colours) ->
          Arrays.stream(usual.render(option, label, colours))
              .map(row -> Arrays.stream(row).map(SubstitutedText::masked).toArray(Text[]::new))
              .toArray(Text[][]::new);
    }

    private static Text masked(Text text) {
      String plain = text.plainString();
      String masked = NonBreakingAddresses.masked(plain);
      return masked.equals(plain) ? text : Ansi.OFF.new Text(masked);
    }
  }
}
