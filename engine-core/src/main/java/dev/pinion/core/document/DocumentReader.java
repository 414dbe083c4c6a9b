package dev.pinion.core.document;

import dev.pinion.core.limits.EngineLimits;
import java.nio.charset.StandardCharsets;

/** Reads the text of a definition into a document tree with positions. */
public final class DocumentReader {
  public static final String YAML = "application/yaml";
  static final String JSON = "application/json";

  private final EngineLimits limits;

  public DocumentReader(EngineLimits limits) {
    this.limits = limits;
  }

  /**
   * Reads a document.
   *
   * @param text the text
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @throws DocumentSyntaxException when the text is not one document, or exceeds a limit
   */
  public SourceNode read(String text, String mediaType) throws DocumentSyntaxException {
    return read(text, mediaType, false);
  }

  /**
   * Reads a document of another language, whose authors write keys of YAML such as {@code 200:}
   * without quotes. Such a key counts as its text.
   *
   * @param text the text
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @throws DocumentSyntaxException when the text is not one document, or exceeds a limit
   */
  public SourceNode readForeign(String text, String mediaType) throws DocumentSyntaxException {
    return read(text, mediaType, true);
  }

  private SourceNode read(String text, String mediaType, boolean anyScalarKeys)
      throws DocumentSyntaxException {
    checkSize(text);
    SourceNode root =
        switch (mediaType) {
          case YAML -> new YamlReader(text, limits, anyScalarKeys).read();
          case JSON -> new JsonReader(text, limits).read();
          default ->
              throw new IllegalArgumentException(
                  "expected media type " + YAML + " or " + JSON + ", found " + mediaType);
        };
    if (root == null) {
      throw new DocumentSyntaxException(0, "expected a document, found nothing");
    }
    return root;
  }

  private void checkSize(String text) throws DocumentSyntaxException {
    int most = limits.definition().maxBytes();
    if (text.length() > most || text.getBytes(StandardCharsets.UTF_8).length > most) {
      throw new DocumentSyntaxException(
          0, "expected a document of at most " + most + " bytes (definition.maxBytes), found more");
    }
  }
}
