package dev.pinion.core.definition;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The checksum of a definition, in a file next to it that {@code sha256sum -c} reads: {@code
 * 1.0.0.yaml.sha256}. It reveals a definition that was changed or lost since it was deployed. A
 * definition without one, put there by hand, is accepted as it is.
 */
final class DefinitionChecksum {
  private static final String EXTENSION = ".sha256";

  private DefinitionChecksum() {}

  /** The file with the checksum of a definition. */
  static Path of(Path definition) {
    return definition.resolveSibling(definition.getFileName() + EXTENSION);
  }

  /** Whether a file is a checksum. */
  static boolean isSum(Path file) {
    return String.valueOf(file.getFileName()).endsWith(EXTENSION);
  }

  /** The definition of a checksum. */
  static Path definitionOf(Path sum) {
    String name = String.valueOf(sum.getFileName());
    return sum.resolveSibling(name.substring(0, name.length() - EXTENSION.length()));
  }

  /** The content of the file. */
  static String text(Path definition, byte[] content) {
    return sha256(content) + "  " + definition.getFileName() + "\n";
  }

  /**
   * Checks a definition that was read.
   *
   * @throws IOException when its checksum differs; the message names both files
   */
  static void check(Path definition, byte[] content) throws IOException {
    Path sum = of(definition);
    if (!Files.exists(sum)) {
      return;
    }
    String said = new String(Files.readAllBytes(sum), StandardCharsets.ISO_8859_1);
    if (!said.equals(text(definition, content))) {
      throw new IOException(
          "expected "
              + definition
              + " to have the checksum in "
              + sum
              + ", found "
              + sha256(content)
              + ": one of the files is damaged; put a copy of it back");
    }
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
