package dev.pinion.core.definition;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Suffixes of the files of definitions. */
final class DefinitionFileNames {
  /** The suffixes by media type. */
  static final Map<String, String> EXTENSIONS =
      Map.of("application/yaml", ".yaml", "application/json", ".json");

  private DefinitionFileNames() {}

  /** The media type of a definition by the name of its file; null when it has none. */
  static @Nullable String mediaType(String fileName) {
    for (Map.Entry<String, String> extension : EXTENSIONS.entrySet()) {
      if (fileName.endsWith(extension.getValue())) {
        return extension.getKey();
      }
    }
    return null;
  }

  /** The suffix of the file of a definition. */
  static String extension(String mediaType) {
    String extension = EXTENSIONS.get(mediaType);
    if (extension == null) {
      throw new IllegalArgumentException(
          "expected one of " + EXTENSIONS.keySet() + ", found " + mediaType);
    }
    return extension;
  }
}
