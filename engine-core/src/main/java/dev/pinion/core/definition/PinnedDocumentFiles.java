package dev.pinion.core.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The documents to which a definition refers, in a file next to it: {@code 1.0.0.yaml.documents}, a
 * JSON array of objects. A definition that refers to none has no such file.
 */
final class PinnedDocumentFiles {
  private static final String EXTENSION = ".documents";
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private PinnedDocumentFiles() {}

  /** The file of the documents of a definition. */
  static Path of(Path definition) {
    return definition.resolveSibling(definition.getFileName() + EXTENSION);
  }

  /** Whether a file has documents. */
  static boolean isDocuments(Path file) {
    return String.valueOf(file.getFileName()).endsWith(EXTENSION);
  }

  /** The definition that refers to the documents of a file. */
  static Path definitionOf(Path documents) {
    String name = String.valueOf(documents.getFileName());
    return documents.resolveSibling(name.substring(0, name.length() - EXTENSION.length()));
  }

  /** The content of a file; empty when there are no documents. */
  static String text(List<PinnedDocument> documents) {
    if (documents.isEmpty()) {
      return "";
    }
    List<Payload> all = new ArrayList<>();
    for (PinnedDocument document : documents) {
      Map<String, Payload> members = new LinkedHashMap<>();
      members.put("uri", Payload.of(document.uri()));
      members.put("mediaType", Payload.of(document.mediaType()));
      members.put("sha256", Payload.of(document.sha256()));
      members.put("text", Payload.of(document.text()));
      all.add(Payload.object(members));
    }
    return new String(CODEC.toBytes(Payload.array(all)), StandardCharsets.UTF_8);
  }

  /**
   * The documents of a definition; none without a file.
   *
   * @throws IOException when the file is damaged; the message names it
   */
  static List<PinnedDocument> read(Path definition) throws IOException {
    Path file = of(definition);
    if (!Files.exists(file)) {
      return List.of();
    }
    byte[] bytes = Files.readAllBytes(file);
    try {
      List<PinnedDocument> documents = new ArrayList<>();
      for (JsonNode each : CODEC.read(bytes, 0, bytes.length).json()) {
        PinnedDocument document =
            PinnedDocument.of(
                each.path("uri").asText(),
                each.path("mediaType").asText(),
                each.path("text").asText());
        if (!document.sha256().equals(each.path("sha256").asText())) {
          throw new IOException(
              "expected "
                  + document.uri()
                  + " in "
                  + file
                  + " to have its checksum, found another one: the file is damaged; put a copy of it"
                  + " back");
        }
        documents.add(document);
      }
      return documents;
    } catch (PayloadSyntaxException e) {
      throw new IOException(
          "expected the documents of a definition in " + file + ", found: " + e.getMessage(), e);
    }
  }
}
