package dev.pinion.core.model;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A version by Semantic Versioning 2.0, ordered by precedence (section 11). Versions that differ
 * only in build metadata have the same precedence; to keep the order total they are ordered by
 * text.
 *
 * @param text the version as written
 * @param core major, minor and patch number as text without leading zeros
 * @param preRelease dot-separated pre-release identifiers; empty for a release
 */
public record SemanticVersion(String text, List<String> core, List<String> preRelease)
    implements Comparable<SemanticVersion> {
  /** Characters of the longest version accepted; a version is also part of a file name. */
  public static final int MAX_LENGTH = 128;

  private static final String NUMBER = "(0|[1-9][0-9]*)";
  private static final String IDENTIFIER = "(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)";
  private static final Pattern SYNTAX =
      Pattern.compile(
          NUMBER
              + "\\."
              + NUMBER
              + "\\."
              + NUMBER
              + "(?:-("
              + IDENTIFIER
              + "(?:\\."
              + IDENTIFIER
              + ")*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?");
  private static final Pattern DOT = Pattern.compile("\\.");

  private static final Comparator<SemanticVersion> PRECEDENCE =
      Comparator.comparing(SemanticVersion::core, SemanticVersion::compareLists)
          .thenComparing(SemanticVersion::isRelease)
          .thenComparing(SemanticVersion::preRelease, SemanticVersion::compareLists)
          .thenComparing(SemanticVersion::text);

  /** Copies the lists. */
  public SemanticVersion {
    core = List.copyOf(core);
    preRelease = List.copyOf(preRelease);
  }

  /** The version in a text, or null when the text is none. */
  public static @Nullable SemanticVersion parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return null;
    }
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String pre = matcher.group(4);
    return new SemanticVersion(
        text,
        List.of(matcher.group(1), matcher.group(2), matcher.group(3)),
        pre == null ? List.of() : DOT.splitAsStream(pre).toList());
  }

  @Override
  public int compareTo(SemanticVersion other) {
    return PRECEDENCE.compare(this, other);
  }

  private boolean isRelease() {
    return preRelease.isEmpty();
  }

  private static int compareLists(List<String> a, List<String> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = compareIdentifiers(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static int compareIdentifiers(String a, String b) {
    boolean numericA = isNumeric(a);
    boolean numericB = isNumeric(b);
    if (numericA != numericB) {
      return numericA ? -1 : 1;
    }
    return numericA && a.length() != b.length()
        ? Integer.compare(a.length(), b.length())
        : a.compareTo(b);
  }

  private static boolean isNumeric(String identifier) {
    return identifier.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
