package dev.pinion.core.language.reference;

import dev.pinion.core.model.PinnedDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Documents by URI, which remembers those that were asked for. */
public final class TextDocuments implements DocumentSource {
  private final Map<String, String> texts;
  private final List<String> asked = new ArrayList<>();

  public TextDocuments(Map<String, String> texts) {
    this.texts = new LinkedHashMap<>(texts);
  }

  public List<String> asked() {
    return List.copyOf(asked);
  }

  /** Changes the document at a URI. */
  public void put(String uri, String text) {
    texts.put(uri, text);
  }

  @Override
  public PinnedDocument get(String uri) throws UnavailableDocumentException {
    asked.add(uri);
    if (!texts.containsKey(uri)) {
      throw new UnavailableDocumentException("expected a document, found no " + uri);
    }
    String type = uri.endsWith(".json") ? "application/json" : "application/yaml";
    return PinnedDocument.of(uri, type, Objects.requireNonNull(texts.get(uri)));
  }
}
