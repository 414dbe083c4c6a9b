package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.model.SemanticVersion;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the parts of a definition's name, where it is declared and where it is referred to. */
final class DefinitionNameCheck {
  private static final Pattern LABEL =
      Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?");

  private final Diagnostics diagnostics;

  DefinitionNameCheck(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** A namespace or a name; empty for none. */
  String label(@Nullable DocumentValue label) {
    if (label == null) {
      return "";
    }
    if (!LABEL.matcher(label.text()).matches()) {
      diagnostics.value(
          label,
          "expected 1 to 63 letters, digits and inner hyphens as \""
              + label.name()
              + "\", found "
              + ValueDescription.describe(label.json()));
    }
    return label.text();
  }

  /** A version; empty for none. */
  String version(@Nullable DocumentValue version) {
    return version(version, "");
  }

  /**
   * A version; empty for none.
   *
   * @param otherwise what may stand in its place, for the message
   */
  String version(@Nullable DocumentValue version, String otherwise) {
    if (version == null) {
      return "";
    }
    if (SemanticVersion.parse(version.text()) == null) {
      diagnostics.value(
          version,
          "expected a semantic version of at most "
              + SemanticVersion.MAX_LENGTH
              + " characters, such as 1.0.0"
              + otherwise
              + ", found "
              + ValueDescription.describe(version.json()));
    }
    return version.text();
  }
}
