package dev.pinion.bootstrap.cli.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells definitions from other YAML and JSON by their member {@code document.dsl}. Of a text that
 * cannot be read as one document, lines tell: a definition with a mistake in its syntax must not
 * pass as something else.
 */
final class DefinitionDetector {
  private static final String MISSING = "has no member document.dsl";

  /** Keys of both notations; each search looks at a character a bounded number of times. */
  private static final Pattern DOCUMENT = key("document");

  private static final Pattern DSL = key("dsl");

  private final DocumentReader reader;

  DefinitionDetector(EngineLimits limits) {
    this.reader = new DocumentReader(limits);
  }

  private static Pattern key(String name) {
    return Pattern.compile("(?m)(?:^|[ \\t{,])[\"']?" + name + "[\"']?[ \\t]{0,8}:");
  }

  /** Why a text is no definition; null when it is one. */
  @Nullable String reason(String text, String mediaType) {
    try {
      JsonNode dsl = reader.read(text, mediaType).json().path("document").path("dsl");
      return dsl.isMissingNode() ? MISSING : null;
    } catch (DocumentSyntaxException e) {
      return DOCUMENT.matcher(text).find() && DSL.matcher(text).find()
          ? null
          : "cannot be read, and " + MISSING;
    }
  }
}
